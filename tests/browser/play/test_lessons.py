"""The five boards of a first match, done by somebody who follows the arrow and by somebody who never does."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.lesson_boards import MAX_STEPS, click_felt, follow_arrow, next_button, open_boards, read_arrow
from tests.browser.web_page import (
    DESKTOP,
    PHONE,
    accessibility_findings,
    continue_as,
    draw,
    open_page,
    show,
    token_of,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

BOARDS = ("Turn a disk", "Land on one", "A melee", "The secret card", "What scores")
SWORDSMEN = '[aria-label^="Marienburg Swordsmen"]'


async def open_lessons(browser: Browser, url: str, **options: Any) -> tuple[Page, list[str]]:
    return await open_boards(browser, f"{url}learn", **options)


async def go_on(page: Page, place: int) -> None:
    """Go to the board after this one, or to the match."""
    await next_button(page).click()
    if place + 1 < len(BOARDS):
        await expect(page.get_by_text(f"Board {place + 2} of 5")).to_be_visible()
        await expect(page.locator(".said")).to_be_visible()


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_following_the_arrow_leads_through_five_boards_to_the_match(
    browser: Browser, url: str, window: dict[str, Any]
) -> None:
    page, faults = await open_lessons(browser, url, **window)
    for place, name in enumerate(BOARDS):
        told = await follow_arrow(page, f"{place}-{len(window)}")
        assert told[0].startswith("First try"), "each board has something that is refused"
        await expect(page.locator(".over b")).to_have_text(name)
        assert await accessibility_findings(page) == []
        await go_on(page, place)
    await expect(page).to_have_url(re.compile("/m/"))
    await expect(bar(page)).to_be_visible()
    assert faults == []


async def do_otherwise(page: Page) -> None:
    """Do something else than what the arrow is at."""
    text, _ = await read_arrow(page)
    question = await bar(page).get_attribute("data-question")
    if text.startswith("First try"):
        await click_felt(page)
    elif question == "melee_targets":
        await page.keyboard.press("Enter")  # strikes the other one
    elif question == "command_card":
        await page.keyboard.press("2")
        await page.keyboard.press("Enter")
    else:
        await page.locator(SWORDSMEN).first.focus()
        await page.keyboard.press("Enter")
        for _ in range(12):
            await page.keyboard.press("ArrowRight")
        await page.keyboard.press("a")
        await page.keyboard.press("Enter")
    await draw(page)


async def test_always_doing_something_else_leads_to_the_match_too(browser: Browser, url: str) -> None:
    page, faults = await open_lessons(browser, url)
    told: list[str] = []
    for place in range(len(BOARDS)):
        for step in range(MAX_STEPS):
            if await next_button(page).count():
                break
            told += await page.locator(".said .before").all_inner_texts()
            await do_otherwise(page)
            await show(page, f"lesson-otherwise-{place}-{step}")
        told.append(await page.locator(".over p").inner_text())
        await go_on(page, place)
    await expect(page).to_have_url(re.compile("/m/"))
    assert any("That is something else" in text for text in told)
    assert any("In a match you might" in text for text in told)
    assert sum(text.startswith("This is what the arrow meant") for text in told) == 3, "moves are shown"
    assert faults == []


async def test_boards_go_on_where_they_were_left(browser: Browser, shared_url: str) -> None:
    page, faults = await open_lessons(browser, shared_url)
    for place in range(2):
        await follow_arrow(page, f"leaving-{place}")
        await go_on(page, place)
    await page.goto(shared_url)
    await page.goto(f"{shared_url}learn")
    await expect(page.get_by_text("Board 3 of 5")).to_be_visible()
    steps = page.get_by_role("complementary", name="Five boards").get_by_role("link")
    await expect(steps.filter(has_text="done")).to_have_count(2)
    await expect(steps.nth(2)).to_have_attribute("aria-current", "step")
    # On another device of this player too, but not for anybody else there.
    phone = await open_page(browser, **PHONE)
    await phone.goto(f"{shared_url}learn")
    await expect(phone.get_by_text("Board 1 of 5")).to_be_attached()
    await continue_as(phone, await token_of(page))
    await phone.goto(f"{shared_url}learn")
    await expect(phone.get_by_text("Board 3 of 5")).to_be_attached()
    assert faults == []


async def test_refusal_is_said_with_its_rule_and_the_board_begins_again(browser: Browser, shared_url: str) -> None:
    page, faults = await open_lessons(browser, shared_url)
    await page.goto(f"{shared_url}learn/2")
    _, at = await read_arrow(page)
    await page.mouse.click(*at)
    await expect(bar(page).locator(".bad")).to_contain_text("Karl Franz is pinned")
    await expect(bar(page).locator(".bad")).to_contain_text("R6.3")
    await expect(page.locator(".said .before")).to_contain_text("Refused: Karl Franz is pinned")
    await page.get_by_role("button", name="Begin again").click()
    text, _ = await read_arrow(page)
    assert text.startswith("First try")
    assert faults == []
