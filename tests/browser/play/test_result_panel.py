"""The panel that says how a match ended: nothing that can be read or pressed lies behind it or behind the rematch."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import lose_the_pit
from tests.browser.scripted_match import ScriptedServer, find_end
from tests.browser.web_page import PHONE, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

SIZES = ((1280, 800), (1024, 768), (768, 1024), (390, 844), (844, 390))
COVERED = """
() => [...document.querySelectorAll("button, a, input, .act b, .act p")].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const [middle, centre] = [x + width / 2, y + height / 2];
  if (width <= 1 || one.closest(".sr") || getComputedStyle(one).visibility !== "visible") return false;
  if (middle < 0 || centre < 0 || middle >= innerWidth || centre >= innerHeight) return false;
  const top = document.elementFromPoint(middle, centre);
  return top !== null && top.closest(".result, .again") !== one.closest(".result, .again");
}).map((one) => one.ariaLabel || one.textContent.trim())
"""
"""Parts in the window that lie behind the result or the rematch."""


async def covered_at_any_size(page: Page) -> set[str]:
    """Return what is covered, with the sizes of the window at which it is."""
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    await expect(page.get_by_role("button", name="Play again")).to_be_visible()
    covered: set[str] = set()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await settle(page)
        covered |= {f"{one} at {width}x{height}" for one in await page.evaluate(COVERED)}
    return covered


async def test_the_result_of_diskwars_covers_nothing_usable(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await ScriptedServer(find_end()).open(page, shared_url)
    assert await covered_at_any_size(page) == set()


async def test_the_result_of_a_smaller_game_covers_nothing_usable(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await lose_the_pit(page, url)
    assert await covered_at_any_size(page) == set()


async def test_every_sheet_shows_the_end_and_the_result_has_the_rematch(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    await ScriptedServer(find_end()).open(page, shared_url)
    result = page.get_by_role("region", name="Result")
    await expect(result.get_by_role("button", name="Play again")).to_be_in_viewport(ratio=1)
    told = page.get_by_role("button", name="You win")
    for sheet in ("Cards", "Details", "Log"):
        await page.get_by_role("tab", name=sheet, exact=True).click()
        await expect(told).to_be_in_viewport(ratio=1)
    await told.click()
    await expect(result).to_be_in_viewport()
    await page.set_viewport_size({"width": 1440, "height": 900})
    await expect(page.locator(".top .chip", has_text="You win")).to_be_visible()
    assert await page.locator(".again").count() == 1


async def test_the_bar_says_how_it_ended_beside_the_result_and_without_it(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await ScriptedServer(find_end()).open(page, shared_url)
    result, said = page.get_by_role("region", name="Result"), page.locator(".act .q b")
    await expect(result).to_be_visible()
    await expect(said).to_be_visible()
    await result.get_by_role("button", name="Close").click()
    await expect(said).to_be_visible()
    assert await said.inner_text() == "You win"
