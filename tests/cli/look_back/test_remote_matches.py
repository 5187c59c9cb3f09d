"""Guests list, replay and draw the matches of another server; secrets stay hidden until the end."""

import asyncio
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from diskwars_bots.loader import load_chooser
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.verification.verify import verify
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from tests.cli.play.test_play import diskwars
from tests.client.local_server import WHOLE_TEST_SECONDS, running_server


class Served(NamedTuple):
    """A server with a match that has ended and one that runs."""

    url: str
    ended: str
    running: str


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with (
        asyncio.timeout(WHOLE_TEST_SECONDS),
        running_server() as url,
        connect(url) as one,
        connect(url) as other,
    ):
        matches = []
        for _ in range(2):
            first = await one.open_match(
                DiskwarsSettings(setup="quick", regiments=1), mode=WatchMode(push_options=True)
            )
            second = await other.watch(first.id, mode=WatchMode(push_options=True))
            await first.take_seat(Loadout("empire-patrol"), 0)
            await second.take_seat(Loadout("chaos-patrol"), 1)
            matches.append(first)
            if len(matches) == 1:
                choose = load_chooser("greedy", "diskwars")
                bots = [asyncio.create_task(play_bot(each, choose, Random(1))) for each in (first, second)]
                await first.wait_after(20)
                for bot in bots:
                    bot.cancel()
                await asyncio.gather(*bots, return_exceptions=True)
                await first.resign()
        yield Served(url, matches[0].id, matches[1].id)


async def test_guests_list_the_matches_of_a_server(served: Served) -> None:
    code, lines, errors = await diskwars("matches", "--url", served.url)
    assert (code, errors) == (0, "")
    assert [line.split()[0] for line in lines] == ["match", served.running, served.ended]
    _, lines, _ = await diskwars("matches", "--url", served.url, "--status", "ended")
    assert [line.split()[0] for line in lines[1:]] == [served.ended]
    assert re.search(r"  Guest \w+ beat Guest \w+ \(resignation\); setup quick, regiments 1$", lines[1])
    _, lines, errors = await diskwars("matches", "--url", served.url, "--limit", "1")
    assert (len(lines), errors) == (2, "older matches are not shown: --limit 10 shows more\n")


async def test_guests_replay_a_match(served: Served) -> None:
    code, lines, errors = await diskwars("replay", served.ended, "--url", served.url)
    assert (code, errors) == (0, "")
    assert lines[0] == f"Match {served.ended} of diskwars for 2 players"
    assert any(line.startswith("Chaos Patrol won: ") for line in lines)
    _, lines, _ = await diskwars("replay", served.ended, "--url", served.url, "--at", "14")
    assert any(line.startswith("A () Empire Patrol") for line in lines)
    code, _, errors = await diskwars("replay", served.ended, "--url", served.url, "--at", "9999")
    assert (code, errors.startswith(f"diskwars: match {served.ended} has records 1 to ")) == (2, True)


async def test_secrets_of_a_running_match_stay_hidden(served: Served) -> None:
    _, lines, _ = await diskwars("replay", served.running, "--url", served.url)
    assert not [line for line in lines if re.search("holds [0-9]+ command cards:", line)]
    _, lines, _ = await diskwars("replay", served.ended, "--url", served.url)
    assert len([line for line in lines if re.search("holds [0-9]+ command cards:", line)]) == 2


async def test_guests_draw_a_match(served: Served, tmp_path: Path) -> None:
    picture = tmp_path / "field.svg"
    code, _, errors = await diskwars("draw", served.ended, "--url", served.url, "-o", str(picture))
    assert (code, errors) == (0, "")
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    code, _, errors = await diskwars("draw", served.ended, "--url", served.url, "--at", "1")
    assert (code, errors) == (2, "diskwars: there is no table yet at record 1\n")


async def test_file_of_a_match_on_a_server_is_exported(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "match"
    code, lines, errors = await diskwars("export", served.ended, "--url", served.url, "-o", str(file))
    assert (code, errors) == (0, "")
    verdict = verify(file.read_bytes())
    assert verdict.is_redecided
    assert lines == [f"{verdict.records} records, head {verdict.head}"]


@pytest.mark.parametrize("words", [("replay", "nothing"), ("draw", "nothing")])
async def test_unknown_match_is_an_error(served: Served, words: tuple[str, ...]) -> None:
    code, _, errors = await diskwars(*words, "--url", served.url)
    assert (code, errors) == (2, "diskwars: unknown_match: there is no match of this id\n")


async def test_time_of_the_store_is_not_measured_elsewhere() -> None:
    code, _, errors = await diskwars("replay", "m", "--stats", "--url", "ws://127.0.0.1:1/ws")
    assert (code, errors) == (
        2,
        "diskwars: --stats measures the store of this machine; it cannot be given with --url or --file\n",
    )
