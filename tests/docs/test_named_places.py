"""The pages name verbs and files that exist."""

import importlib.util
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path

from diskwars_cli.commands.command_line import cli
from tests.code_sizes import ROOT, project_files

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
VERB = re.compile(r"(?:^|`)(?:\./dev|diskwars) ([a-z][a-z-]*)(?=[ `\n])", re.M)
FILE = re.compile(r"`([\w./-]*\w\.(?:py|ts|js|svelte))`")

PLACEHOLDERS = {
    "TOPIC.py",
    "SECTION.py",
    "word_filter.py",
    "turns.py",
    "archer.py",
    "first_bot.py",
    "first_client.py",
    "http_bot.py",
    "loop.py",
    "trained.py",
}
"""Files that readers make themselves, or whose name stands for one of several."""


def code_of(page: Path) -> str:
    """Return the parts of a page that are set as code."""
    text = page.read_text("utf-8")
    return "\n".join(f"{piece} " for piece in re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))


def test_every_verb_that_a_page_names_exists() -> None:
    loader = SourceFileLoader("dev_program", str(ROOT / "dev"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    program = importlib.util.module_from_spec(spec)
    loader.exec_module(program)
    known = set(cli.commands) | set(re.findall(r"^  ([a-z]+) ", program.USAGE, re.M)) | {"help"}
    named = {(page.name, verb) for page in PAGES for verb in VERB.findall(code_of(page))}
    assert len(named) > 50
    named -= {("command.md", "simulat")}  # a slip of the keyboard, and what the command says of it
    unknown = sorted(f"{page}: {verb}" for page, verb in named if verb not in known)
    assert not unknown, unknown


def test_every_source_file_that_a_page_names_exists() -> None:
    places = [f"/{file.relative_to(ROOT)}" for file in project_files()]
    named = {(page.name, name) for page in PAGES for name in FILE.findall(page.read_text("utf-8"))}
    assert len(named) > 100
    missing = sorted(
        f"{page}: {name}"
        for page, name in named
        if Path(name).name not in PLACEHOLDERS and not any(place.endswith(f"/{name}") for place in places)
    )
    assert not missing, missing


def test_every_program_that_a_page_runs_has_the_packages_of_the_clone() -> None:
    """A Python of the system lacks them: `.venv/bin/python` is the one that `./dev` makes."""
    foreign = [
        f"{page.name}: {line.strip()}"
        for page in PAGES
        if page.name != "changelog.md"
        for line in page.read_text("utf-8").splitlines()
        if re.search(r"(?<![/\w])python3? (-m (?!venv)|tools/)", line)
    ]
    assert not foreign, foreign
