"""Boards of a first match in the browser: what the arrow says and where it is, and boards done by following it."""

import re
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.web_page import collect_faults, draw, open_page, settle, show

MAX_STEPS = 8
"""More than any board has."""
MAX_LETTERS = 70
HIDES_TARGET = """([x, y]) => {
  const box = document.querySelector(".said").getBoundingClientRect();
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}"""


async def open_boards(browser: Browser, address: str, **options: Any) -> tuple[Page, list[str]]:
    """Return a page of boards, and a list that fills with what goes wrong there."""
    page = await open_page(browser, **options)
    faults = collect_faults(page)
    await page.goto(address)
    await expect(page.locator(".said")).to_be_visible()
    return page, faults


def next_button(page: Page) -> Locator:
    return page.locator(".over .primary")


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
        assert len(text) <= MAX_LETTERS, text
        await show(page, f"lesson-{name}-{step}")
        told.append(text)
        await page.mouse.click(*at)
        await draw(page)
    raise AssertionError(f"not done after {told}")


async def click_felt(page: Page) -> None:
    """Click a place of the table where nothing lies."""
    felt = await page.locator(".stage").bounding_box()
    assert felt is not None
    await page.mouse.click(felt["x"] + felt["width"] / 2, felt["y"] + 0.3 * felt["height"])
