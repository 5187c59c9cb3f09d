"""docs/bots.md: every block of Python runs, here or in the test that is named."""

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import pytest

from diskwars_bots.rulesets.pit.random_bot import choose_random
from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.review import ReviewEffort
from diskwars_client import connect, play_bot
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.decisions import Options
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.golden.write_files import FOLDER, SUFFIX

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bots.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
BY_HAND = "# plays one seat by hand"
RECONNECTING = "token = client.token"
CHOOSER = "Chooser = Callable"
MATCHES = "# five matches"
REVIEWING = "# what the search would have done"
RUN_ELSEWHERE = {
    "import asyncio\nimport random": "tests/e2e/test_pages.py",
    '"""A Diskwars bot that looks ahead': "tests/cli/plugs/test_own_bots_pages.py",
    '"""A bot of regiments that rehearses': "tests/cli/plugs/test_own_bots_pages.py",
    "# a match of the pit": "tests/cli/plugs/test_own_bots_pages.py",
    "# what a file of results says": "tests/cli/plugs/test_own_bots_pages.py",
}


def block(beginning: str) -> str:
    (found,) = [code for code in BLOCKS if code.startswith(beginning)]
    return str(found)


def test_every_block_is_run() -> None:
    beginnings = (*RUN_ELSEWHERE, BY_HAND, RECONNECTING, CHOOSER, REVIEWING, MATCHES)
    assert sorted(map(block, beginnings)) == sorted(BLOCKS)
    assert all((ROOT / file).is_file() for file in RUN_ELSEWHERE.values())


@pytest.mark.parametrize("ruleset", ["pit", "diskwars"])
async def test_loop_by_hand_answers_every_kind_of_question(ruleset: str) -> None:
    """It gets through seats and readiness, and in Diskwars through the first secret choice, by what is offered."""
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(block(BY_HAND), "bots.md", "exec"), page)
    loadout = {"pit": None, "diskwars": "reikland-host"}[ruleset]
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as one, connect(url) as two:
        handle = await one.open_match(ruleset=ruleset)
        other = await two.watch(handle.id)
        for seat in (handle, other):
            make = seat.vocabulary.loadout
            await seat.take_seat(make() if loadout is None else make(loadout))
        playing = [asyncio.create_task(page["play"](seat)) for seat in (handle, other)]
        try:
            while handle.match.result is None and not (ruleset == "diskwars" and handle.match.step >= 2):
                following = asyncio.create_task(handle.wait_after(handle.head))
                await asyncio.wait([*playing, following], return_when=asyncio.FIRST_COMPLETED)
                assert all(task.done() is False or task.exception() is None for task in playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        assert handle.match.seats[0].ready


async def test_ready_is_offered_with_the_field_that_the_client_completes() -> None:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as one, connect(url) as two:
        handle = await one.open_match(ruleset="pit", mode=WatchMode(push_options=True))
        other = await two.watch(handle.id)
        for seat in (handle, other):
            await seat.take_seat(seat.vocabulary.loadout())
        await handle.wait_caught_up()
        while not handle.open_decisions:
            await handle.wait_after(handle.head)
        (decision,) = handle.open_decisions
        options: Options[Any, Any, Any] = await handle.options(decision)
        assert [type(action).__name__ for action in options.actions] == ["Ready"]
        assert options.to_complete == ("seat_nonce",)
        assert await handle.options(decision, include_unavailable=True) == options
        assert decision.id in handle.stream._pushed_options
        await handle.act(decision, options.actions[0])
        assert handle.match.seats[0].ready
        assert handle.own_seat.secrets is not None


def test_block_about_reviews_prints_what_was_done_and_what_would_be_better(capsys: pytest.CaptureFixture[str]) -> None:
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(block(REVIEWING), "bots.md", "exec"), page)
    page["show_review"](FOLDER / f"pit-counted{SUFFIX}", effort=ReviewEffort(20, 40, 8, seed=3))
    lines = capsys.readouterr().out.splitlines()
    assert 1 <= len(lines) <= 3
    assert all("EndPhase" in line and "Engage" in line for line in lines)


async def test_block_about_matches_in_a_few_lines_plays_them(capsys: pytest.CaptureFixture[str]) -> None:
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(block(MATCHES), "bots.md", "exec"), page)
    async with running_server() as url:
        (match,) = await asyncio.to_thread(page["trial"], url, 1)
    assert match.names == ("cautious", "choose_random")
    assert capsys.readouterr().out.endswith(f"of 1 won: [{match.score}]\n")


async def test_block_about_reconnecting_plays_on() -> None:
    body = "".join(f"    {line}\n" for line in block(RECONNECTING).splitlines())
    page: dict[str, Any] = {"connect": connect, "play_bot": play_bot, "random": random, "choose": choose_random}
    exec(compile(f"async def resume(client, url, match):\n{body}    return handle", "bots.md", "exec"), page)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as one, connect(url) as two:
        handle = await one.open_match(ruleset="pit")
        theirs = await two.watch(handle.id)
        for seat in (handle, theirs):
            await seat.take_seat(seat.vocabulary.loadout())
        playing = asyncio.create_task(play_bot(theirs, choose_random, random.Random(1)))
        resumed = await page["resume"](one, url, handle.id)
        await playing
        assert resumed.match.result is not None


def test_names_on_the_page_exist() -> None:
    for name in ("random", "greedy"):
        assert callable(find_bots("diskwars").choosers[name])
    assert "`find_bots(ruleset).choosers[name]`" in PAGE
