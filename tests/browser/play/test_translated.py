"""A page that the browser translates: what it shows goes on following the match."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import answer, open_question
from tests.browser.web_page import collect_faults, draw, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

TRANSLATE = """
() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const isKept = text.parentElement.closest('script, style, font, svg, textarea, [translate="no"]');
    if (!isKept && /[a-z]/i.test(text.data)) texts.push(text);
  }
  for (const text of texts) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    outer.append(inner);
    inner.append(`${text.data}\\u2026`);
    text.replaceWith(outer);
  }
  return texts.length;
}
"""
"""What Google Translate does to a page: each text goes, and two elements with its translation replace it.
Here every text gets dots."""
SHOWN = """
(translated) => [...document.querySelectorAll("header, .act, .side.left, .log")]
  .map((one) => one.innerText.replaceAll("\\u2026", "").replace(/\\s+/g, " ").trim())
"""
ANSWERS = 6


async def shown(page: Page) -> list[str]:
    await settle(page)
    return list(await page.evaluate(SHOWN))


async def test_translated_page_shows_what_a_fresh_one_shows(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()  # a loaded document may still be empty
    assert await page.evaluate(TRANSLATE) > 20
    await page.get_by_role("button", name="Play now").click()
    await expect(page.locator('.act:not([data-decision=""])')).to_have_count(1)
    for number in range(ANSWERS):
        assert await page.evaluate(TRANSLATE) > 0, "nothing new was translated"
        await show(page, f"translated-{number}")
        await draw(page)
        await answer(page)
        await open_question(page)
    translated = await shown(page)
    await page.reload()
    await open_question(page)
    fresh = await shown(page)
    assert len(fresh) > 4
    assert translated == fresh
    assert faults == []
