"""Report phrases that a reader has to decode, with a plain alternative for each.

Checks prose in Markdown, and docstrings, comments, messages and test names in Python. The phrases are in language.toml
beside this file, together with the folders that are not clean yet.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PHRASES = Path(__file__).with_name("language.toml")
PARAGRAPH_LINES = 5
LINE_LENGTH = 120

FENCE = re.compile(r"^ *(?:```|~~~)")
CODE = re.compile(r"`[^`]*`")
LINK_TARGET = re.compile(r"\]\([^)]*\)")


class Phrase(NamedTuple):
    """One entry of the list; `bad` and `good` are samples for the tests."""

    pattern: re.Pattern[str]
    instead: str
    bad: str
    good: list[str]
    skip: list[str]


class Rules(NamedTuple):
    """The contents of language.toml."""

    phrases: list[Phrase]
    unclean: list[str]
    long_paragraphs: list[str]


class Passage(NamedTuple):
    """A piece of prose and the line on which it begins."""

    line: int
    text: str


class Finding(NamedTuple):
    """A phrase or another fault, with its place."""

    file: str
    line: int
    message: str


def load_rules(file: Path = PHRASES) -> Rules:
    data = tomllib.loads(file.read_text("utf-8"))
    phrases = [
        Phrase(
            re.compile(entry["pattern"], re.IGNORECASE),
            entry["instead"],
            entry["bad"],
            entry["good"],
            entry.get("skip", []),
        )
        for entry in data["phrase"]
    ]
    return Rules(phrases, data["unclean"], data["long_paragraphs"])


def check(name: str, text: str, rules: Rules) -> list[Finding]:
    """Return every finding in a file, in line order. `name` is its path from the root of the project."""
    if name.endswith(".md"):
        findings = find_phrases(name, markdown_passages(text), rules.phrases) + check_headings(name, text)
        if not is_below(name, rules.long_paragraphs):
            findings += check_paragraphs(name, text)
    elif name.endswith((".toml", ".yaml", ".yml")) or name == ".ci/run":
        findings = find_phrases(name, comment_lines(text), rules.phrases)
    else:
        tree = ast.parse(text)
        findings = find_phrases(name, python_passages(text, tree), rules.phrases) + check_module_docstring(name, tree)
    return sorted(findings, key=lambda finding: finding.line)


def find_phrases(name: str, passages: Iterable[Passage], phrases: Iterable[Phrase]) -> list[Finding]:
    return [
        Finding(name, passage.line + passage.text.count("\n", 0, match.start()), f'"{match[0]}": {phrase.instead}')
        for passage in passages
        for phrase in phrases
        if not is_below(name, phrase.skip)
        for match in phrase.pattern.finditer(passage.text)
    ]


def is_below(name: str, folders: Iterable[str]) -> bool:
    return any(name == folder or name.startswith(folder + "/") for folder in folders)


# --- Markdown


def markdown_passages(text: str) -> Iterator[Passage]:
    """Yield paragraphs, list items and table rows outside code blocks, without inline code and link targets."""
    paragraph: list[str] = []
    begin = 1
    for number, line in enumerate([*_outside_fences(text), ""], 1):
        is_alone = line.startswith(("|", "#"))
        if paragraph and (is_alone or not line.strip() or _is_item(line)):
            yield Passage(begin, _plain("\n".join(paragraph)))
            paragraph = []
        if is_alone:
            yield Passage(number, _plain(line))
        elif line.strip():
            begin = begin if paragraph else number
            paragraph.append(line)


def _outside_fences(text: str) -> Iterator[str]:
    """Yield the lines of a text, with those of code blocks as empty lines to keep line numbers right."""
    is_code = False
    for line in text.splitlines():
        is_fence = bool(FENCE.match(line))
        yield "" if is_code or is_fence or line.startswith(("    ", "<!--")) else line
        is_code ^= is_fence


def _is_item(line: str) -> bool:
    return bool(re.match(r" *(?:[-*]|\d+\.) ", line))


def _plain(text: str) -> str:
    return LINK_TARGET.sub("]", CODE.sub("`x`", text))


def check_headings(name: str, text: str) -> list[Finding]:
    return [
        Finding(name, number, "heading is a question: use the noun that a reader would search for")
        for number, line in enumerate(_outside_fences(text), 1)
        if line.startswith("#") and line.rstrip().endswith("?")
    ]


def check_paragraphs(name: str, text: str) -> list[Finding]:
    findings = []
    for passage in markdown_passages(text):
        is_table = passage.text.startswith("|")
        lines = max(passage.text.count("\n") + 1, -(-len(passage.text) // LINE_LENGTH))
        if not is_table and lines > PARAGRAPH_LINES:
            findings.append(
                Finding(name, passage.line, f"paragraph of {lines} lines: split it, {PARAGRAPH_LINES} at most")
            )
    return findings


# --- Python


def python_passages(source: str, tree: ast.AST) -> Iterator[Passage]:
    """Yield docstrings and other strings of several words, comments, and the names of tests as sentences."""
    yield from comments(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Passage(node.lineno, CODE.sub("`x`", node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield Passage(node.lineno, node.name.removeprefix("test_").replace("_", " "))


def comments(source: str) -> Iterator[Passage]:
    """Yield each block of comments on lines of their own as one passage, other comments by themselves."""
    block: list[str] = []
    begin = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        text, line = token.string.lstrip("#: "), token.start[0]
        if block and line == last + 1 and token.line.lstrip().startswith("#"):
            block.append(text)
        else:
            if block:
                yield Passage(begin, "\n".join(block))
            begin, block = line, [text]
        last = line
    if block:
        yield Passage(begin, "\n".join(block))


def check_module_docstring(name: str, tree: ast.Module) -> list[Finding]:
    first = (ast.get_docstring(tree) or "").split("\n\n")[0].strip()
    if "?" in first.split(". ")[0]:
        return [Finding(name, 1, "module docstring is a question: say in one sentence what the module is")]
    return []


# --- TOML and YAML


def comment_lines(text: str) -> Iterator[Passage]:
    for number, line in enumerate(text.splitlines(), 1):
        if comment := re.search(r"(?:^|\s)#\s+(.+)$", line):
            yield Passage(number, comment[1])


# --- the command


def checked_files() -> list[str]:
    """Return the tracked and new files that the check can read, except the list of phrases and its tests."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    readable = [
        name for name in names if name.endswith((".md", ".py", ".toml", ".yaml", ".yml")) or name in ("dev", ".ci/run")
    ]
    exempt = ("tools/language.toml", "tests/tools/test_check_language.py")
    return sorted(name for name in readable if name not in exempt and (ROOT / name).is_file())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="check the folders listed as unclean too")
    parser.add_argument("--count", action="store_true", help="print the number of findings per file")
    parser.add_argument("paths", nargs="*", help="files and folders to check, whether clean or not (default: all)")
    options = parser.parse_args(arguments)
    rules = load_rules()
    names = [name for name in checked_files() if not options.paths or is_below(name, options.paths)]
    if not (options.all or options.paths):
        names = [name for name in names if not is_below(name, rules.unclean)]
    findings = [finding for name in names for finding in check(name, (ROOT / name).read_text("utf-8"), rules)]
    if options.count:
        counts = {name: sum(finding.file == name for finding in findings) for name in names}
        print(
            "\n".join(f"{count:5} {name}" for name, count in sorted(counts.items(), key=lambda item: item[1]) if count)
        )
    else:
        print("".join(f"{finding.file}:{finding.line}: {finding.message}\n" for finding in findings), end="")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
