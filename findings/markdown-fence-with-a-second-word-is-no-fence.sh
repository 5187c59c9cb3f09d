#!/usr/bin/env bash
# Whether a fence of code may have more than a language behind its backticks.
#
# expected: yes. CommonMark has an info string there, of any words, of which the first is the language; GitHub and
# markdown-it-py show such a block as code of that language.
#
# seen: with Python-Markdown 3.11.3, and with the superfences of pymdown-extensions 13.1.2: the block is no fence. It
# becomes inline code in a paragraph, in one line and with the info string in it, without a warning; MkDocs in strict mode
# builds such a page. What helps: remove the further words before the page is read.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    markdown==3.11.3 pymdown-extensions==13.1.2 markdown-it-py==4.3.0
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from importlib.metadata import version

import markdown
from markdown_it import MarkdownIt

TEXT = '```json opened\n{"a": 1}\n```\n'
shown = {
    "markdown-it-py": MarkdownIt().render(TEXT),
    "fenced_code": markdown.markdown(TEXT, extensions=["fenced_code"]),
    "pymdownx.superfences": markdown.markdown(TEXT, extensions=["pymdownx.superfences"]),
}
print("markdown", version("markdown"), "pymdown-extensions", version("pymdown-extensions"))
for name, page in shown.items():
    print(f"{name}: {page!r}")
is_still_so = "<pre>" in shown["markdown-it-py"] and all(
    "<pre>" not in shown[name] and "<p><code>json opened" in shown[name] for name in ("fenced_code", "pymdownx.superfences")
)
sys.exit(0 if is_still_so else 1)
PYTHON
