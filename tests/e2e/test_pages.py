"""The examples on the pages for bots, operators and authors of positions work as they are."""

import asyncio
import os
import re
import sys
from pathlib import Path

import diskwars_client
from diskwars_client import connect
from diskwars_text.rulesets.diskwars import picture
from diskwars_text.rulesets.diskwars.notation import format_position
from diskwars_text.rulesets.diskwars.parser import parse_position
from tests.e2e.servers import ServerProcess
from tests.text.rulesets.diskwars.same_position import same_position

DOCS = Path(__file__).parents[2] / "docs"
SECONDS = 45


def code_block(page: str, kind: str) -> str:
    """Return the first block of this kind on the page."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None, f"{page} has no block of {kind}"
    return found[1]


async def run_python_block(file: Path, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(file),
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def remaining_output(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(SECONDS):
        said, complained = await process.communicate()
    return process.returncode, said.decode(), complained.decode()


def bot_command_armies() -> list[str]:
    """Return the armies that the commands of the page name."""
    lines = (DOCS / "bots.md").read_text("utf-8").splitlines()
    return [line.split()[3] for line in lines if line.startswith(".venv/bin/python archer.py")]


async def test_two_of_the_bot_on_the_page_play_a_match_to_its_end(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "archer.py"
    file.write_text(code_block("bots.md", "python"))
    armies = bot_command_armies()
    async with ServerProcess("--database-url", database_url, "--port", "0") as server:
        first = await run_python_block(file, server.url, armies[0])
        assert first.stdout is not None
        async with asyncio.timeout(SECONDS):
            match = (await first.stdout.readline()).decode().split()[-1]
        second = await run_python_block(file, server.url, armies[1], match)
        for code, said, complained in await asyncio.gather(remaining_output(first), remaining_output(second)):
            assert (code, complained) == (0, "")
            assert said.splitlines()[-1].startswith("Result(")
        async with connect(server.url) as client:
            assert [listed.match for listed in await client.lobby.list("ended")] == [match]


def test_the_client_gives_every_name_that_it_promises_and_no_other() -> None:
    assert all(getattr(diskwars_client, name) is not None for name in diskwars_client.__all__)
    assert not hasattr(diskwars_client, "konnect")


def test_the_position_on_the_page_is_read_drawn_and_written_again() -> None:
    board = parse_position(code_block("notation.md", "text"))
    assert same_position(parse_position(format_position(board)), board)
    assert [tuple(pin) for pin in board.pins] == [(0, 1)]
    assert board.disks[2].damage == 2
    assert picture.draw_board(board).startswith("<svg")
