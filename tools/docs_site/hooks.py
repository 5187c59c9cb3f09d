"""What MkDocs does with the pages of docs/ beside its own work: two generated pages, and links out of the folder."""

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from tools.docs_site.build import VERSIONS_VARIABLE, read_version

ROOT = Path(__file__).parents[2]
SDK_MODULES = (
    "diskwars_client.client",
    "diskwars_client.match_handle",
    "diskwars_client.own_seat",
    "diskwars_client.bot_runner",
    "diskwars_client.updates",
    "diskwars_client.watch_mode",
    "diskwars_client.retry_policy",
    "diskwars_client.replays",
    "diskwars_client.errors",
    "diskwars_client.topics.lobby",
    "diskwars_client.topics.accounts",
    "diskwars_client.topics.challenges",
    "diskwars_client.topics.ratings",
    "diskwars_client.topics.seeks",
    "diskwars_client.topics.chat",
    "diskwars_client.topics.files",
    "diskwars_client.topics.catalogues",
    "diskwars_client.topics.tournaments",
    "diskwars_client.topics.clubs",
    "diskwars_client.topics.notices",
)
_FENCE = re.compile(r"^```(\w+) [^\n]+$", re.MULTILINE)
"""A fence with a word for the tests of docs/ behind its language, which no extension of Markdown knows."""
_OUTWARD = re.compile(r"!?\[([^\]]*)\]\(\.\./[^)]+\)")
"""A link to a file beside docs/, which the site does not have."""
_NOT_SHOWN = re.compile(r"\[([^\]]*)\]\((?:docs/)?(?:examples/|design\.md)[^)]*\)")
"""A link to what mkdocs.yml leaves out."""
_ROOTED = re.compile(r"(\[[^\]]*\]\()docs/")


def on_config(config: Any) -> Any:
    """Name the version at the foot of every page, and let pages of several versions look for the list of them."""
    config.copyright = f"Diskwars {read_version()}"
    if os.environ.get(VERSIONS_VARIABLE):
        config.extra["version"] = {"provider": "mike", "default": "latest"}
    return config


def on_files(files: Files, config: Any) -> Files:
    files.append(File.generated(config, "sdk.md", content=sdk_page()))
    files.append(File.generated(config, "index.md", content=home_page()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    shown = _NOT_SHOWN.sub(r"\1", _FENCE.sub(r"```\1", markdown))
    return _OUTWARD.sub(r"\1", shown)


def sdk_page() -> str:
    """Return the reference of the SDK, made from its docstrings."""
    parts = "\n\n".join(f"::: {module}" for module in SDK_MODULES)
    return f"# Python SDK\n\nEverything that [Writing a bot](bots.md) uses, from the docstrings.\n\n{parts}\n"


def home_page() -> str:
    """Return the README as the first page, with the links of a page in docs/."""
    text = _ROOTED.sub(r"\1", (ROOT / "README.md").read_text("utf-8"))
    return re.sub(r"\[([^\]]*)\]\((?!https?:|#|[\w./-]+\.md)[^)]*\)", r"\1", re.sub(r'src="docs/', 'src="', text))
