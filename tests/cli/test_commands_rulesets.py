"""Every ruleset is shown, played, watched, replayed and drawn by the command; nothing here knows one."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from diskwars_cli.rulesets.registry import PICTURES
from diskwars_client.client import connect
from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import WHOLE_TEST_SECONDS, running_server

OTHERS = [name for name in RULESETS if name != DEFAULT_RULESET]
"""Diskwars has tests of its own."""
MAX_ANSWERS = 1000

each_ruleset = pytest.mark.parametrize("ruleset", OTHERS)


async def start(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.fixture
def verb(capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Run a verb in this process, where it has to succeed; return its lines of output."""
    run = CommandRunner(capsys)

    def run_verb(*words: str) -> list[str]:
        result = run(*words)
        assert (result.code, result.err) == (0, "")
        return result.lines

    return run_verb


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as address:
        yield address


@each_ruleset
def test_demo_is_replayed_drawn_exported_and_verified(
    verb: Callable[..., list[str]], database_url: str, tmp_path: Path, ruleset: str
) -> None:
    store = ("--database-url", database_url)
    shown = verb("demo", "--ruleset", ruleset, "--seed", "4", "--board", *store)
    match, count = shown[-2].removeprefix("match "), int(shown[-1].removeprefix("records "))
    assert shown[-3] == f"replay with: diskwars replay {match}"
    narrated = verb("replay", match, *store)
    narration = [line for line in shown[:-3] if line]
    assert any("anyone who knows the seed can predict every roll" in line for line in narration)
    assert narrated[-1] in narration  # behind it may be the last board
    assert len(narrated) > count
    board = verb("replay", match, "--at", str(count // 2), *store)
    assert any(line.startswith("seat ") for line in board)
    if ruleset in PICTURES:
        assert "\n".join(verb("draw", match, *store)).startswith("<svg ")
    file = str(tmp_path / "match")
    verb("export", match, "-o", file, *store)
    assert verb("verify", file)[0].startswith(f"verified: {count} records, ")
    row = next(line for line in verb("matches", *store) if line.startswith(match))
    assert ruleset in row.split()


@each_ruleset
def test_demo_of_a_seed_plays_what_simulate_plays(
    verb: Callable[..., list[str]], database_url: str, ruleset: str
) -> None:
    words = ("--ruleset", ruleset, "--seed", "6")
    shown = verb("demo", *words, "--database-url", database_url)
    simulated = verb("simulate", *words)
    assert f"records {shown[-1].split()[1]} " in simulated[0]


@each_ruleset
async def test_match_against_a_bot_is_played_and_watched(url: str, ruleset: str) -> None:
    process = await start("play", "--url", url, "--ruleset", ruleset, "--bot", "random")
    assert process.stdin is not None
    assert process.stdout is not None
    output, watching = "", None
    for _ in range(MAX_ANSWERS):
        try:
            output += (await process.stdout.readuntil(b"\n> ")).decode()
        except asyncio.IncompleteReadError as rest:
            output += rest.partial.decode()
            break
        if watching is None:
            async with connect(url) as client:
                (listed,) = await client.lobby.list()
            watching = await start("watch", str(listed.match), "--url", url, "--from-start", "--board")
        process.stdin.write(b"1\n")
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (0, b"")
    result, link = output.splitlines()[-2:]
    assert re.match(r"The winner: |.+ won: ", result)
    assert " replay " in link
    assert watching is not None
    watched, complained = await watching.communicate()
    assert (watching.returncode, complained) == (0, b"")
    assert len(watched.decode().splitlines()) > 20
