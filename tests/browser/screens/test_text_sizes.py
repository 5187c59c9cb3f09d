"""Texts of pages and matches keep to one scale of six sizes, and pages to one width."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, answer_board_pictures, go_to, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

SCALE_PX = (12, 13, 14.5, 16, 19, 24)
CONTENT_PX = 1120
PATHS = ("", "new", "armies", "history", "leaderboard", "tournaments", "clubs", "rules", "settings")
TABLES = ("learn", "figures/F1")
"""Pages that are as wide as their window, because a table is."""
OTHER_TEXTS = """
(scale) => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    // Print on disks and terrain is drawn in the units of the picture.
    if (!node.textContent.trim() || parent.closest("svg, .sr") || !parent.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (!scale.includes(size)) found.add(`${size} px: ${node.textContent.trim().slice(0, 40)}`);
  }
  return [...found];
}
"""


WIDTHS = """
() => [...document.querySelectorAll("main > *")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect().width)
"""


async def other_texts(page: Page) -> list[str]:
    """Return texts of other sizes than those of the scale, the least of which is 12 px."""
    found: list[str] = await page.evaluate(OTHER_TEXTS, SCALE_PX)
    return found


async def test_pages_have_texts_of_six_sizes_and_one_width(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await answer_board_pictures(page)
    await CannedServer().attach(page)
    for path in (*PATHS, *TABLES):
        await go_to(page, f"{shared_url}{path}")
        await expect(page.locator("main")).to_be_visible()
        await settle(page)
        assert await other_texts(page) == [], path
        if path not in TABLES:
            assert max(await page.evaluate(WIDTHS)) == CONTENT_PX, path


@pytest.mark.parametrize("question", ["command_card", "deployment_card", "activation", "engagement"])
async def test_matches_have_texts_of_six_sizes(browser: Browser, shared_url: str, question: str) -> None:
    for options in ({"viewport": {"width": 1440, "height": 900}}, PHONE):
        page = await open_page(browser, **options)
        await ScriptedServer(find_question(question)).open(page, shared_url)
        await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
        assert await other_texts(page) == []
