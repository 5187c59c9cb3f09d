"""The table on a phone, upright and on its side: what answers the question is always within reach."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, open_page, serious_findings, settle, sideways_overflow

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="module")]

VIEWPORTS = {"upright": {"width": 390, "height": 844}, "on its side": {"width": 844, "height": 390}}
TOUCH_PX = 44


async def open_phone(browser: Browser, url: str, viewport: dict[str, int]) -> Page:
    page = await open_page(browser, **{**PHONE, "viewport": viewport})
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await settle(page)
    return page


@pytest.mark.parametrize("held", VIEWPORTS)
async def test_table_and_answer_are_in_view_together(browser: Browser, shared_url: str, held: str) -> None:
    viewport = VIEWPORTS[held]
    page = await open_phone(browser, shared_url, viewport)
    table, button = await page.locator(".stage").bounding_box(), await primary(page).bounding_box()
    assert table is not None
    assert button is not None
    # The table takes most of one side of the window, and the button lies beside it or below it.
    assert min(table["width"], table["height"]) >= 0.9 * min(viewport["width"], viewport["height"])
    assert table["y"] + table["height"] <= button["y"] or table["x"] + table["width"] <= button["x"]
    assert button["y"] + button["height"] <= viewport["height"]
    assert button["height"] >= TOUCH_PX
    panel = await page.locator(".side.left .panel").first.bounding_box()
    assert panel is not None
    assert panel["height"] >= TOUCH_PX
    assert await sideways_overflow(page) == 0
    assert await serious_findings(page) == []


@pytest.mark.parametrize("held", VIEWPORTS)
async def test_answer_stays_in_view_while_the_page_is_scrolled(browser: Browser, shared_url: str, held: str) -> None:
    page = await open_phone(browser, shared_url, VIEWPORTS[held])
    await page.locator(".app").evaluate("app => app.scrollTo(0, app.scrollHeight)")
    await settle(page)
    await expect(primary(page)).to_be_in_viewport(ratio=1)
    assert await page.get_by_role("button", name="Resign").is_visible()
