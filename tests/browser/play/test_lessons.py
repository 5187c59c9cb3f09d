"""The five boards of a first match, done by somebody who follows the arrow and by somebody who never does."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import bar
from tests.browser.web_page import DESKTOP, PHONE, collect_faults, draw, open_page, serious_findings, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

BOARDS = ("Turn a disk", "Land on one", "A melee", "The secret card", "What scores")
MAX_STEPS = 8
SWORDSMEN = '[aria-label^="Marienburg Swordsmen"]'
HIDES_TARGET = """([x, y]) => {
  const box = document.querySelector(".said").getBoundingClientRect();
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}"""


async def open_lessons(browser: Browser, url: str, **options: Any) -> tuple[Page, list[str]]:
    page = await open_page(browser, **options)
    faults = collect_faults(page)
    await page.goto(f"{url}learn")
    await expect(page.locator(".said")).to_be_visible()
    return page, faults


def next_button(page: Page) -> Locator:
    return page.locator(".over .primary")


async def go_on(page: Page, place: int) -> None:
    """Go to the board after this one, or to the match."""
    await next_button(page).click()
    if place + 1 < len(BOARDS):
        await expect(page.get_by_text(f"Board {place + 2} of 5")).to_be_visible()
        await expect(page.locator(".said")).to_be_visible()


async def read_arrow(page: Page) -> tuple[str, tuple[float, float]]:
    """Return the sentence and the middle of the thing that the arrow is at."""
    said = page.locator(".said")
    await expect(said).to_have_attribute("data-at", re.compile(r"\d"))
    await settle(page)
    x, y = (float(part) for part in (await said.get_attribute("data-at") or "").split())
    return await said.locator("[role=status]").inner_text(), (x, y)


async def follow_arrow(page: Page, name: str) -> list[str]:
    """Click what the arrow is at until the board is done; return the sentences."""
    told: list[str] = []
    for step in range(MAX_STEPS):
        if await next_button(page).count():
            return told
        text, at = await read_arrow(page)
        assert not await page.evaluate(HIDES_TARGET, at), f"{text!r} lies over its subject"
        await show(page, f"lesson-{name}-{step}")
        told.append(text)
        await page.mouse.click(*at)
        await draw(page)
    raise AssertionError(f"not done after {told}")


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_following_the_arrow_leads_through_five_boards_to_the_match(
    browser: Browser, url: str, window: dict[str, Any]
) -> None:
    page, faults = await open_lessons(browser, url, **window)
    for place, name in enumerate(BOARDS):
        told = await follow_arrow(page, f"{place}-{len(window)}")
        assert told[0].startswith("First try"), "each board has something that is refused"
        assert all(len(text) <= 70 for text in told), told
        await expect(page.locator(".over b")).to_have_text(name)
        assert await serious_findings(page) == []
        await go_on(page, place)
    await expect(page).to_have_url(re.compile("/m/"))
    await expect(bar(page)).to_be_visible()
    assert faults == []


async def do_otherwise(page: Page) -> None:
    """Do something else than what the arrow is at."""
    text, _ = await read_arrow(page)
    question = await bar(page).get_attribute("data-question")
    if text.startswith("First try"):
        felt = await page.locator(".stage").bounding_box()
        assert felt is not None
        await page.mouse.click(felt["x"] + felt["width"] / 2, felt["y"] + 0.3 * felt["height"])
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
