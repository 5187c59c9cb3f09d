"""What a spectator reads: which round is shown, which player is away, and what was taken back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, collect_faults, open_page
from tests.engine.played_match import player_of

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

AGREEMENTS = Path(__file__).parents[2] / "golden" / "files" / "diskwars-agreements.match.jsonl"


class SpectatedServer(ScriptedServer):
    """Shows the match to somebody without a seat, perhaps a round later, while all of its players are offline."""

    is_delayed = False

    async def open(self, page: Page, address: str, path: str = "") -> None:
        """Open the page at the match, as a player who has no seat in it."""
        await page.route_web_socket("**/ws", self.serve)
        await page.goto(f"{address}m/{self.match}{path}")

    def _answers_to(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for answer in super()._answers_to(message):
            if answer["type"] == "options":
                continue
            if answer["type"] == "welcome":
                answer["player"] = "player-spectator"
            if answer["type"] == "watching":
                answer.pop("seat")
                answer["is_delayed"] = self.is_delayed
            if answer["type"] == "player_list":
                answer["players"] = [
                    {"player": player_of(seat), "name": f"Player {seat}", "kind": "account", "avatar_seed": seat}
                    for seat in range(3)
                ]
            yield answer


@pytest.mark.parametrize("held", ["desktop", "phone"])
async def test_delayed_spectator_reads_which_round_is_shown_and_sees_nobody_thinking(
    browser: Browser, shared_url: str, held: str
) -> None:
    page = await open_page(browser, **(PHONE if held == "phone" else {}))
    faults = collect_faults(page)
    server = SpectatedServer(find_question("engagement"))
    server.is_delayed = True
    await server.open(page, shared_url)
    await expect(bar(page).locator(".q b")).to_have_text("You see round 3. Round 4 is being played.")
    await expect(bar(page)).to_contain_text("The players chose this delay.")
    if held == "phone":
        await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_text("one round behind")).to_be_visible()
    assert await page.locator(".panel.on, .seat.on, .strip.on").count() == 0
    assert faults == []


async def test_player_who_is_awaited_and_offline_is_named_with_a_time(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await SpectatedServer(find_question("engagement")).open(page, shared_url)
    await expect(bar(page)).to_contain_text(re.compile(r"Player \d has been offline for 0:\d\d"))
    await expect(page.locator(".panel.on")).to_have_count(1)
    assert faults == []


async def test_takeback_names_who_asked_for_which_deed_and_strikes_it_out(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    faults = collect_faults(page)
    await page.goto(f"{shared_url}open")
    await page.locator("input[type=file]").set_input_files(AGREEMENTS)
    log = page.get_by_role("list", name="Log")
    await expect(log.get_by_text(re.compile(r"^Guest ER-[AB] takes back: \S")).first).to_be_visible()
    await expect(log.get_by_text(re.compile(r"^Guest ER-[AB] asks to take back: \S")).first).to_be_visible()
    struck = log.locator(".undone p").first
    await expect(struck).to_have_css("text-decoration-line", "line-through")
    await expect(page.locator(".replay .undone path")).not_to_have_count(0)
    assert faults == []
