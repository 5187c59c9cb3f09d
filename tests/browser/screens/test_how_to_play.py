"""The page of the rules tells in a few steps how each game is played, with a board, one click from the lobby."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    collect_faults,
    open_page,
    settle,
    show,
    sideways_overflow,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

GAMES = {"diskwars": "Diskwars", "pit": "The pit", "close_quarters": "Close quarters", "regiments": "Regiments"}
TITLES = {"en": "How to play", "de": "So wird gespielt", "pl": "Jak grać"}


@pytest.mark.parametrize("game", GAMES)
async def test_steps_name_their_rules_and_a_board_is_drawn(browser: Browser, shared_url: str, game: str) -> None:
    page = await open_page(browser, **PHONE)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}rules/{game}")
    guide = page.get_by_role("region", name="How to play")
    await expect(guide.get_by_role("listitem")).to_have_count(5)
    for step in range(5):
        await expect(guide.get_by_role("listitem").nth(step).get_by_role("link")).not_to_have_count(0)
    await expect(guide.get_by_role("img")).to_be_visible()
    await expect(guide.locator(".disk")).not_to_have_count(0)
    await expect(page.get_by_role("button", name=GAMES[game], exact=True)).to_have_attribute("aria-pressed", "true")
    await settle(page)
    drawn = page.locator("svg.board")
    view = await drawn.get_attribute("viewBox")
    await page.keyboard.press("+")
    await settle(page)
    assert await drawn.get_attribute("viewBox") == view, "keys of the page are not those of a picture"
    await show(page, f"how-to-play-{game}")
    assert await sideways_overflow(page) == 0
    assert await accessibility_findings(page) == []
    rule = await guide.get_by_role("link").first.inner_text()
    await guide.get_by_role("link").first.click()
    await expect(page.locator(f'[id="rule-{rule}"]')).to_be_in_viewport()
    assert faults == []


@pytest.mark.parametrize("language", TITLES)
async def test_steps_are_linked_from_the_lobby_and_the_sheet(browser: Browser, shared_url: str, language: str) -> None:
    page = await open_page(browser, locale=language)
    await page.goto(shared_url)
    await page.locator("main select").first.select_option("pit")
    await page.get_by_role("button", name=TITLES[language]).click()
    await expect(page.get_by_role("region", name=TITLES[language])).to_be_visible()
    assert page.url == f"{shared_url}rules/pit"
    await page.goto(f"{shared_url}new")
    await expect(page.get_by_role("link", name=TITLES[language])).to_have_attribute("href", "/rules/diskwars")
