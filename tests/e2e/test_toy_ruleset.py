"""A ruleset that only the registries know is served, played at two terminals, watched, replayed and verified."""

import asyncio
import os
import re
import sys
from pathlib import Path

from tests.e2e.counting_command import THEN
from tests.e2e.servers import ServerProcess

COMMAND = "tests.e2e.counting_command"
WAIT_SECONDS = 50
ROUNDS = 3
RECORDS = 1 + 2 * 2 + 2 * ROUNDS
"""One to open the match, two for each seat, and one for each choice."""


async def start(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        COMMAND,
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def run_all(*verbs: tuple[str, ...]) -> list[str]:
    """Return what verbs print that must not fail; one process runs them all."""
    first, *others = verbs
    process = await start(*first, *(word for verb in others for word in (THEN, *verb)))
    out, error = await process.communicate()
    assert (process.returncode, error.decode()) == (0, "")
    return out.decode().split(f"\n{THEN}\n")


class Player:
    """A person at a terminal, who types these lines at the first prompts and then always the first option."""

    def __init__(self, process: asyncio.subprocess.Process, *lines: str) -> None:
        self._process, self._lines = process, list(lines)
        self.text = ""

    async def read_until(self, pattern: str) -> str:
        """Read until the text holds the pattern; return its first group."""
        while not (found := re.search(pattern, self.text)):
            await self._read()
        return found[1]

    async def play(self) -> str:
        """Answer every prompt until the program ends; return all that it has printed."""
        while await self._read():
            if self.text.endswith("\n> "):
                assert self._process.stdin is not None
                self._process.stdin.write((self._lines.pop(0) if self._lines else "1").encode() + b"\n")
        assert await self._process.wait() == 0
        return self.text

    async def _read(self) -> bool:
        assert self._process.stdout is not None
        chunk = await self._process.stdout.read(65536)
        self.text += chunk.decode()
        return bool(chunk)


async def test_two_people_play_another_ruleset_in_their_terminals(database_url: str, tmp_path: Path) -> None:
    store = ("--database-url", database_url)
    async with asyncio.timeout(WAIT_SECONDS), ServerProcess(*store, "--port", "0", module=COMMAND) as server:
        there = ("--url", server.url)
        ann = Player(await start("play", *there, "--ruleset", "counting", "--option", f"rounds={ROUNDS}"), "dance", "6")
        match = await ann.read_until(r"--match (\S+)")
        bob = Player(await start("play", *there, "--match", match), "why", "options")
        texts = await asyncio.gather(ann.play(), bob.play())
        file = str(tmp_path / "match.jsonl")
        watched, replayed, position, _, verified = await run_all(
            ("watch", match, "--from-start", *there),
            ("replay", match, *store),
            ("replay", match, "--at", str(RECORDS), *store),
            ("export", match, "-o", file, *store),
            ("verify", file),
        )
    assert "type a number from 1 to 6; `help` says more" in texts[0]
    assert "the number is 1 to 6 (N1)" in texts[1]
    for seat, text in enumerate(texts):
        assert f"seat {'AB'[seat]}: ask_number round={ROUNDS}" in text
        assert len(re.findall(r"^revealed numbers=", text, re.M)) == ROUNDS
    assert "chosen seat=0 number=6" in texts[0]
    assert "chosen seat=0 number=hidden" in texts[1], "what Ann chooses is hidden from Bob"
    winners = {text.splitlines()[-2] for text in texts}
    assert all(f"replay {match} --step" in text.splitlines()[-1] for text in texts)
    assert len(winners) == 1
    assert re.fullmatch(r"The winner: (seat [AB]|nobody) \(points; points \d+ \d+\)", winners.pop())
    assert len(re.findall(r"^revealed numbers=", watched, re.M)) == ROUNDS
    assert "chosen seat=0 number=6" in replayed, "everything may be seen once a match is over"
    assert len(re.findall(r"^chosen ", replayed, re.M)) == 2 * ROUNDS
    assert f"round={ROUNDS + 1}" in position
    assert "verified" in verified
