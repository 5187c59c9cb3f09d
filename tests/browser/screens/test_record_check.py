"""Records are shown before all are checked: each place with them has a notice, and wrong ones freeze the match."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CLOCK, summary
from tests.browser.scripted_match import ScriptedServer, find_played_end, find_question
from tests.browser.web_page import PHONE, collect_faults, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

CHECKING = "checking the records"
FRAMES_TAKE_LONG = """
const setLater = window.setTimeout;
window.setTimeout = (act, ms, ...more) => setLater(act, ms ?? 1500, ...more);
"""
"""What is done part by part after each frame takes seconds then, as the check of a long match on a slow phone."""


class WrongServer(ScriptedServer):
    """Sends a match of which the hash of one record in the middle is wrong."""

    def _answers_to(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for answer in super()._answers_to(message):
            if answer["type"] == "records":
                answer["records"][len(answer["records"]) // 2]["hash"] = "ee" * 32
            yield answer


async def watch_regions(page: Page) -> None:
    """Note which live regions are there before they have words."""
    await page.add_init_script("""
        window.emptyRegions = new Set();
        new MutationObserver(() => {
            for (const one of document.querySelectorAll(".records[role=status]"))
                if (!one.textContent.trim()) emptyRegions.add(one);
                else if (!emptyRegions.has(one)) window.hasLateRegion = true;
        }).observe(document, { childList: true, subtree: true, characterData: true });
    """)


async def expect_check(page: Page) -> None:
    """Wait for what says that records are being checked, and for its end."""
    checking = page.get_by_role("status").filter(has_text=CHECKING)
    await expect(checking.first).to_be_visible()
    await expect(checking).to_have_count(0)


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("path", ["", "/1", "/decided"], ids=["table", "replay", "decided"])
async def test_match_says_while_its_records_are_checked(
    browser: Browser, shared_url: str, window: dict[str, Any], path: str
) -> None:
    page = await open_page(browser, **window)
    await page.add_init_script(FRAMES_TAKE_LONG)
    server = ScriptedServer(find_played_end())
    await server.open(page, shared_url, path)
    await expect(page.get_by_role("status").filter(has_text=CHECKING).first).to_be_visible()
    await show(page, f"checking-{path.strip('/') or 'table'}-{'phone' if window else 'desktop'}")
    await expect_check(page)


async def test_small_board_of_the_lobby_says_while_its_records_are_checked(browser: Browser, shared_url: str) -> None:
    question = find_question("activation")
    players: list[str | None] = [seat.player for seat in question.playing.state.seats]
    listed = summary(1, "running", players, match=str(question.playing.state.match), match_options={"clock": CLOCK})
    page = await open_page(browser)
    await page.add_init_script(FRAMES_TAKE_LONG)
    server = ScriptedServer(question, {"follow_matches": {"type": "match_list", "matches": [listed]}})
    await page.route_web_socket("**/ws", server.serve)
    await page.goto(shared_url)
    await expect(page.locator(".card svg.thumb circle").first).to_be_attached()
    await show(page, "checking-lobby")
    await expect_check(page)


async def test_sheet_of_a_branch_says_while_the_records_are_checked(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await page.add_init_script(FRAMES_TAKE_LONG.replace("1500", "6000"))
    await ScriptedServer(find_played_end()).open(page, shared_url, "/decided")
    faults = collect_faults(page)
    await page.get_by_role("button", name="Play on from here").first.click()
    sheet = page.get_by_role("region", name="Play on from record")
    await expect(sheet.get_by_role("status").filter(has_text=CHECKING)).to_be_visible()
    assert faults == []


@pytest.mark.parametrize("path", ["", "/decided"], ids=["table", "decided"])
async def test_match_whose_records_are_wrong_shows_why_it_is_frozen_and_no_result(
    browser: Browser, shared_url: str, path: str
) -> None:
    page = await open_page(browser)
    await WrongServer(find_played_end()).open(page, shared_url, path)
    await expect(page.get_by_role("alert").filter(has_text="This match is frozen")).to_be_visible()
    await settle(page)
    await expect(page.get_by_role("heading", level=1)).not_to_contain_text("decided it")
    assert await page.get_by_role("region", name="Result").count() == 0


async def test_region_is_there_before_its_words_so_that_it_is_read_aloud(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await watch_regions(page)
    await page.add_init_script(FRAMES_TAKE_LONG)
    await ScriptedServer(find_played_end()).open(page, shared_url)
    await expect_check(page)
    assert not await page.evaluate("window.hasLateRegion ?? false")
