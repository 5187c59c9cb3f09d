"""Every command in a block of README and docs is run, or read and named with the reason why it is not run here.

All words of `diskwars` are read by its own command line, so that no page has a verb or an option that is no more. Run
are those that need nothing but a folder; the others have tests that `NOT_RUN` names, which run them with less to do.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from diskwars_cli.commands.command_line import cli
from tests.cli.command_runner import CommandRunner
from tests.rows import each_row

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").glob("*.md") if page.name != "changelog.md")]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELLS = ("", "sh", "shell", "console", "bash")
PROGRAMS = (
    *("./dev", "diskwars", ".venv/bin/python", ".ci/run", "docker", "curl", "psql"),
    *("python", "apt-get", "git", "systemctl"),
)
COMMAND = re.compile(rf"({'|'.join(map(re.escape, PROGRAMS))})(?: |$)")
OUTPUT = re.compile(r"diskwars: ")
"""What a command prints, which begins like one."""

DEV_VERBS = {
    "test": "this run of the tests; test_dev.py runs the verb in a fresh clone",
    "lint": ".ci/run does beside this run",
    "bench": "tests/bench runs every program with little to do; test_dev.py the verb in a fresh clone",
    "mutants": "tests/tools/test_rule_mutants.py runs it on a few mutants",
    "golden": "test_golden.py has what it writes",
    "pictures": "plays a match in a browser for minutes",
    "times": "tests/tools/suite_times",
    "docs": "tests/tools/docs_site builds the site into another folder",
    "release": "tests/tools/release builds and compares; installing it twice takes minutes",
    "help": "test_dev.py",
}
"""Verbs of ./dev itself, with what runs them."""
NOT_RUN = {
    "schema": "tests/cli/test_main.py prints it, tests/protocol/schema reads every document",
    "serve": "runs until it is stopped; tests/cli/own_server and tests/e2e start it in processes",
    "demo": "tests/e2e/test_demo.py runs it with a real server",
    "play": "asks a person; tests/cli/play and tests/e2e/test_three_terminals.py type the answers",
    "puzzle": "asks a person; tests/cli/content/test_puzzles.py types the answers",
    "matches": "needs stored matches: tests/cli/look_back",
    "watch": "needs a match that is played: tests/cli/look_back and tests/e2e/test_three_terminals.py",
    "replay": "needs a stored match: tests/cli/look_back",
    "luck": "needs a stored match: tests/cli/look_back",
    "review": "needs a stored match: tests/cli/look_back",
    "draw": "needs a stored match: tests/cli/look_back",
    "export": "needs a stored match: tests/cli/look_back",
    "dump": "needs stored matches: tests/cli/look_back",
    "verify": "needs a match file: tests/cli/look_back",
    "bot": "runs until it is stopped: tests/cli/online_bots",
    "challenge": "needs a server with two accounts: tests/cli/account/test_challenges.py",
    "club": "needs a server with an account: tests/cli/account/test_clubs.py",
    "tournament": "needs a server with an account: tests/cli/account/test_tournaments.py",
    "army": "needs a file of a player: tests/cli/content/test_armies.py",
    "invites": "needs a match: tests/cli/play/test_invites.py",
    "leaderboard": "needs ratings: tests/cli/look_back/test_ratings.py",
    "account": "needs an account: tests/cli/account",
    "admin": "needs an operator's database: tests/cli/admin",
    "ratings": "needs ratings: tests/cli/look_back/test_ratings.py",
    "backup": "needs a database: tests/cli/own_server",
    "restore": "needs a backup: tests/cli/own_server",
    "sql": "needs a database: test_event_store_page.py",
    "simulate": "plays thousands of matches: tests/cli/simulate runs it for a few",
    "league": "plays hundreds of matches: tests/cli/simulate runs it for a few, with the bots of the pages",
    "--install-completion": "writes into the home folder: tests/cli/test_completion.py",
}
"""Verbs of `diskwars` that are read here and not run, with the reason and what runs them."""
OTHER_PROGRAMS = {
    "docker": "no Docker on the test machine; compose_file.py reads the file, e2e tests start the same processes",
    "systemctl": "no service manager on the test machine; test_operating_page.py reads the units",
    "apt-get": "would change the machine",
    "git": "would fetch from elsewhere; test_dev.py clones",
    "curl": "needs a server: tests/server/http has the same requests",
    "psql": "needs a database: test_event_store_page.py runs the queries",
    "python": "the projection needs a database: test_event_store_page.py",
    ".venv/bin/python": "the trials of reliability.md, which tests/chaos runs with less to do, and a bot of bots.md",
}
"""Programs that are not ours."""
IN_A_FOLDER = ("packs", "rules", "--help", "--version")
"""What needs nothing but a folder is run."""
ASKS_A_PERSON = "--play"
"""The option of `rules` for which tests/cli/content/test_figures.py types the answers."""
PLACES = {"PATH": "mine.toml", "FILE": "another.toml", "NAME": "pit"}
"""What stands for a word of the reader's own; a name may be that of a ruleset."""


def commands() -> list[tuple[str, list[str]]]:
    """Return the page and the words of each command, without the comment behind it."""
    found = []
    for page in PAGES:
        for shell, block in BLOCK.findall(page.read_text("utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                if shell in SHELLS and COMMAND.match(line) and not OUTPUT.match(line):
                    words = re.split(r"\s{2,}|\s#\s", line)[0]
                    found.append((page.name, shlex.split(words)))
    return found


OURS = [
    (f"{page}: {shlex.join(words)}", words[1:])
    for page, words in commands()
    if words[0] in ("./dev", "diskwars") and words[1] not in DEV_VERBS
]


def read_words(words: list[str]) -> None:
    """Let the command line read words as it would before it runs them. Raises click's errors."""
    command: click.Command | None = cli
    context, rest = click.Context(cli), list(words)
    while isinstance(command, click.Group):
        name = rest.pop(0)
        command = command.get_command(context, name)
        assert command is not None, name
        context = click.Context(command, context, name)
    assert command is not None
    command.make_context(context.info_name, rest, context.parent)


def test_pages_have_commands() -> None:
    assert len(OURS) > 100
    assert {page for page, _ in commands()} >= {"README.md", "playing.md", "operating.md", "bots.md", "command.md"}


@each_row(("command", "words"), OURS, ids=[command for command, _ in OURS])
def test_command_of_a_page_is_read_and_run_or_named_with_a_reason(command: str, words: list[str]) -> None:
    if words[-1] in ("--help", "--version"):
        return
    if words[0] in NOT_RUN or words[0] in IN_A_FOLDER:
        if not words[0].startswith("-"):
            read_words([PLACES.get(word, word) for word in words])
        return
    raise AssertionError(f"{command}: neither run nor named in NOT_RUN")


def test_commands_that_need_a_folder_only_are_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    diskwars = CommandRunner(capsys)
    monkeypatch.chdir(tmp_path)
    run = [words for _, words in OURS if words[0] in IN_A_FOLDER or words[-1] in ("--help", "--version")]
    run = [words for words in run if ASKS_A_PERSON not in words]
    run.sort(key=lambda words: (words[:2] != ["packs", "new"], words))
    codes = {shlex.join(words): diskwars(*[PLACES.get(word, word) for word in words]).code for words in run}
    assert len(codes) >= 10
    assert set(codes.values()) == {0}, codes


def test_reasons_are_of_commands_that_pages_have() -> None:
    programs = {words[0] for _, words in commands()}
    verbs = {words[1] for _, words in commands() if words[0] in ("./dev", "diskwars")}
    assert programs <= {"./dev", "diskwars", *OTHER_PROGRAMS}
    assert set(OTHER_PROGRAMS) <= programs
    assert set(NOT_RUN) <= verbs, set(NOT_RUN) - verbs
