"""In every language each page is headed, its words fit their controls, and axe finds nothing, in either theme."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CannedServer
from tests.browser.catalogues import LANGUAGES, OTHER_LANGUAGES, common_texts
from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import (
    CONTRAST,
    PHONE,
    accessibility_findings,
    answer_board_pictures,
    collect_faults,
    go_to,
    open_page,
    settle,
    sideways_overflow,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

WINDOWS: dict[str, dict[str, Any]] = {"desktop": {"viewport": {"width": 1440, "height": 900}}, "phone": PHONE}
# Each test that opens all of these has a server of its own, which would refuse an address that loads more often.
PATHS = (
    *("", "new", "watch", "armies", "history", "leaderboard", "players/p-ilse"),
    *("tournaments", "clubs", "rules", "settings"),
    *("learn", "puzzles", "figures/F1", "open", "nowhere"),
)
OUTSIDE = """
() => {
  const found = new Set();
  for (const one of document.querySelectorAll("button, a.btn, summary, .chip, [role=tab], .seg > *")) {
    if (one.closest("[inert], .sr, svg") || !one.checkVisibility({ visibilityProperty: true })) continue;
    const box = one.getBoundingClientRect();
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // What people name may be of any length: it is cut, and whole in a title.
      if (!node.textContent.trim() || node.parentElement.closest(".cut, .sr, svg")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.width < 2) continue;
        const isOut = rect.left < box.left - 1 || rect.right > box.right + 1 || rect.bottom > box.bottom + 3;
        if (isOut) found.add(`${one.className}: ${node.textContent.trim()}`);
      }
    }
  }
  return [...found];
}
"""
"""Texts that reach beyond the control which they are the label of."""
KEY = re.compile(r"[a-z_]+(?:\.[a-z_]+)+")


async def find_misfits(page: Page) -> list[str]:
    """Return texts outside their controls, keys and gaps that are shown, and whether the page scrolls sideways."""
    await settle(page)
    shown = await page.inner_text("body")
    keys = common_texts("en").keys() & set(KEY.findall(shown))
    gaps = re.findall(r".*(?:[{}]|undefined).*", shown)
    wider = await sideways_overflow(page)
    return [*await page.evaluate(OUTSIDE), *sorted(keys), *gaps, *([f"{wider} px too wide"] if wider > 0 else [])]


async def open_in(browser: Browser, language: str, window: str = "desktop") -> Page:
    return await open_page(browser, locale=language, **WINDOWS[window])


async def change_theme(page: Page, language: str) -> None:
    """Change between dark and light. The sheet of a new match makes the header inert: no pointer clicks there."""
    await page.get_by_role("button", name=common_texts(language)["nav.theme"]).first.dispatch_event("click")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_headed_fits_and_keeps_nobody_out(browser: Browser, url: str, language: str) -> None:
    page, phone = await open_in(browser, language, "desktop"), await open_in(browser, language, "phone")
    faults = [collect_faults(one) for one in (page, phone)]
    failures = [await answer_board_pictures(one) for one in (page, phone)]
    for one in (page, phone):
        await CannedServer().attach(one)
    for path in PATHS:
        for one in (page, phone):
            await go_to(one, f"{url}{path}")
            await expect(one.locator("main")).to_be_visible()
            assert await one.evaluate("document.documentElement.lang") == language
            assert await find_misfits(one) == [], path
        await expect(page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(page.get_by_role("heading", level=1)).not_to_be_empty()
        assert await accessibility_findings(page) == [], path
        # What a theme changes are colours.
        await change_theme(page, language)
        assert await accessibility_findings(page, CONTRAST) == [], path
    assert [*faults, *failures] == [[], [], [], []]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question", ["command_card", "activation"])
async def test_texts_of_a_match_fit(
    browser: Browser, shared_url: str, question: str, language: str, window: str
) -> None:
    page = await open_in(browser, language, window)
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    assert await find_misfits(page) == []
    assert await accessibility_findings(page) == []


async def test_a_language_is_chosen_in_the_header_and_kept(browser: Browser, shared_url: str) -> None:
    page = await open_in(browser, "fr-FR")
    await page.goto(shared_url)
    choice = page.get_by_role("combobox", name="Language")
    await expect(choice).to_be_visible()
    assert await choice.locator("option").all_text_contents() == ["English", "Deutsch", "Polski"]
    for language in OTHER_LANGUAGES:
        await choice.select_option(language)
        choice = page.get_by_role("combobox", name=common_texts(language)["settings.language"])
        await expect(page.get_by_role("link", name=common_texts(language)["nav.rules"]).first).to_be_visible()
    await page.reload()
    await expect(page.locator(f"html[lang={OTHER_LANGUAGES[-1]}]")).to_be_attached()
