"""No text of a page or a match is smaller than 12 px."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, open_page

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

LEAST_PX = 12
PATHS = ("", "new", "armies", "history", "leaderboard", "rules", "settings", "learn")
SMALL_TEXTS = """
(least) => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    // Print on disks and terrain is drawn in the units of the picture.
    if (!node.textContent.trim() || parent.closest("svg, .sr") || !parent.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < least) found.add(`${size} px: ${node.textContent.trim().slice(0, 40)}`);
  }
  return [...found];
}
"""


async def small_texts(page: Page) -> list[str]:
    found: list[str] = await page.evaluate(SMALL_TEXTS, LEAST_PX)
    return found


async def test_pages_have_no_text_under_twelve_pixels(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await page.route("**/board.svg*", lambda route: route.abort())
    await CannedServer().attach(page)
    for path in PATHS:
        await page.goto(f"{shared_url}{path}")
        await expect(page.locator("main")).to_be_visible()
        assert await small_texts(page) == [], path


@pytest.mark.parametrize("question", ["command_card", "deployment_card", "activation", "engagement"])
async def test_matches_have_no_text_under_twelve_pixels(browser: Browser, shared_url: str, question: str) -> None:
    for options in ({"viewport": {"width": 1440, "height": 900}}, PHONE):
        page = await open_page(browser, **options)
        await ScriptedServer(find_question(question)).open(page, shared_url)
        await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
        assert await small_texts(page) == []
