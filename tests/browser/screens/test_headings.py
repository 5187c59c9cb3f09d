"""The army builder has one heading of the first level, as every page has, and a table one for the open question."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, go_to, open_page

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def test_army_builder_has_one_heading_of_the_first_level(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await CannedServer().attach(page)
    await page.goto(f"{shared_url}armies")
    await page.get_by_role("button", name="Change a copy").first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert "/armies" in page.url


async def test_going_to_another_screen_leaves_nothing_of_the_last_one_and_loads_no_page(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    await go_to(page, shared_url)
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    documents: list[str] = []
    page.on("request", lambda request: documents.append(request.url) if request.is_navigation_request() else None)
    await go_to(page, f"{shared_url}leaderboard")
    assert await page.get_by_role("button", name="Play now").count() == 0
    await expect(page.get_by_role("heading", level=1)).to_have_text("Leaderboard")
    assert page.url == f"{shared_url}leaderboard"
    assert documents == []


@pytest.mark.parametrize("options", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desktop", "phone"])
async def test_table_is_headed_by_its_players_and_its_question(
    browser: Browser, shared_url: str, options: dict[str, object]
) -> None:
    page = await open_page(browser, **options)
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    await expect(page.get_by_role("heading", level=1)).to_have_count(1)
    await expect(bar(page).get_by_role("heading", level=2)).to_have_text("Activate a disk")
    assert await bar(page).get_by_role("heading").count() == 1
