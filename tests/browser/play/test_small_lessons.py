"""The boards of the smaller games, done by somebody who follows the arrow and by somebody who never does."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.lesson_boards import MAX_STEPS, click_felt, follow_arrow, next_button, open_boards, read_arrow
from tests.browser.web_page import DESKTOP, PHONE, accessibility_findings, draw, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

BOARDS = {
    "pit": ("Run at one", "Strike"),
    "close_quarters": ("Come close", "Fire"),
    "regiments": ("March", "Charge"),
}


async def go_on(page: Page, place: int) -> None:
    """Go to the board after this one, or to the match."""
    await next_button(page).click()
    if place == 0:
        await expect(page.get_by_text("Board 2 of 2")).to_be_visible()
        await expect(page.locator(".said")).to_be_visible()


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", BOARDS)
async def test_following_the_arrow_leads_through_both_boards_to_the_match(
    browser: Browser, url: str, game: str, window: dict[str, Any]
) -> None:
    page, faults = await open_boards(browser, f"{url}learn/{game}", **window)
    for place, name in enumerate(BOARDS[game]):
        told = await follow_arrow(page, f"{game}-{place}-{len(window)}")
        assert told[0].startswith("First try"), "each board has something that is refused"
        await expect(page.locator(".over b")).to_have_text(name)
        await expect(page.locator(".over p")).not_to_contain_text("This is what the arrow meant")
        await show(page, f"lesson-{game}-{place}-{len(window)}-done")
        assert await accessibility_findings(page) == []
        await go_on(page, place)
    await expect(page).to_have_url(re.compile("/m/"))
    await expect(bar(page)).to_be_visible()
    assert faults == []


@pytest.mark.parametrize("game", BOARDS)
async def test_always_doing_something_else_leads_to_the_match_too(browser: Browser, url: str, game: str) -> None:
    page, faults = await open_boards(browser, f"{url}learn/{game}")
    told: list[str] = []
    for place in range(2):
        for _ in range(MAX_STEPS):
            if await next_button(page).count():
                break
            told += await page.locator(".said .before").all_inner_texts()
            text, _ = await read_arrow(page)
            if text.startswith("First try"):
                await click_felt(page)
            else:
                await answer_otherwise(page)
            await draw(page)
        told.append(await page.locator(".over p").inner_text())
        await go_on(page, place)
    await expect(page).to_have_url(re.compile("/m/"))
    assert any("That is something else" in text for text in told)
    assert any(text.startswith("This is what the arrow meant") for text in told), told
    assert faults == []


async def answer_otherwise(page: Page) -> None:
    """Answer what the arrow is not at: the first of the other answers, else what is offered from the beginning."""
    choices = bar(page).locator(".choices button")
    if await choices.count():
        await choices.first.click()
    await page.keyboard.press("Enter")


async def test_boards_of_a_game_go_on_where_they_were_left(browser: Browser, shared_url: str) -> None:
    page, faults = await open_boards(browser, f"{shared_url}learn/pit")
    await follow_arrow(page, "leaving-pit")
    await page.goto(f"{shared_url}learn/regiments")
    await expect(page.get_by_text("Board 1 of 2")).to_be_visible()
    await page.goto(f"{shared_url}learn/pit")
    await expect(page.get_by_text("Board 2 of 2")).to_be_visible()
    steps = page.get_by_role("complementary", name="Two boards").get_by_role("link")
    await expect(steps.filter(has_text="done")).to_have_count(1)
    assert faults == []


async def test_refusal_is_said_with_its_rule(browser: Browser, shared_url: str) -> None:
    page, faults = await open_boards(browser, f"{shared_url}learn/regiments-2")
    _, at = await read_arrow(page)
    await page.mouse.click(*at)
    await expect(bar(page).locator(".bad")).to_contain_text("A unit charges only what is in front of it")
    await expect(bar(page).locator(".bad")).to_contain_text("C-19")
    assert faults == []


async def test_lobby_leads_to_the_boards_of_the_chosen_game(browser: Browser, shared_url: str) -> None:
    page, faults = await open_boards(browser, f"{shared_url}learn/pit")
    await page.goto(shared_url)
    tile = page.locator("section.tile.play")
    await tile.get_by_label("Game").select_option("close_quarters")
    await tile.get_by_role("button", name="First match").click()
    await expect(page.get_by_text("Board 1 of 2")).to_be_visible()
    assert faults == []
