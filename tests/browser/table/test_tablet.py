"""A tablet on its side has a rail with a drawer for the seats; upright, a sheet above the bar at one of its stops."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, primary
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.stages import rectangles
from tests.browser.web_page import accessibility_findings, collect_faults, open_page, settle, show, small_targets

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

SIDEWAYS, UPRIGHT = {"width": 1024, "height": 768}, {"width": 768, "height": 1024}
BELOW_SHEET_PX = 224
"""The bar, the own seat and the tabs."""


async def open_tablet(browser: Browser, url: str, viewport: dict[str, int]) -> Page:
    page = await open_page(browser, viewport=viewport, has_touch=True, reduced_motion="reduce")
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    await settle(page)
    return page


async def box_of(part: Locator) -> tuple[float, float, float, float]:
    box = await part.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


async def test_rail_of_a_tablet_on_its_side_opens_the_panels_of_the_seats_over_the_table(
    browser: Browser, shared_url: str
) -> None:
    page = await open_tablet(browser, shared_url, SIDEWAYS)
    faults = collect_faults(page)
    rail, hand = page.get_by_role("navigation", name="Seats"), page.get_by_role("list", name="Your hand")
    assert await box_of(rail) == (0, 52, 64, 716)
    seats = rail.get_by_role("button")
    await expect(seats).to_have_count(3)
    await expect(hand).to_be_hidden()
    before = await rectangles(page)
    await show(page, "tablet-rail")

    await seats.last.click()
    await hand.scroll_into_view_if_needed()
    await expect(hand).to_be_in_viewport()
    await expect(seats.last).to_have_attribute("aria-expanded", "true")
    await expect(seats.last.locator(".hand")).to_have_text(str(await hand.get_by_role("listitem").count()))
    assert await box_of(page.locator(".side.left")) == (64, 52, 272, 612)
    assert await rectangles(page) == before
    assert await small_targets(page) == []
    assert await accessibility_findings(page) == []
    await show(page, "tablet-drawer")
    await page.keyboard.press("Escape")
    await expect(hand).to_be_hidden()
    await seats.first.click()
    await expect(hand).to_be_visible()
    await page.go_back()
    await expect(hand).to_be_hidden()
    await expect(primary(page)).to_be_visible()
    await seats.first.click()
    await page.locator(".center > .table").click(position={"x": 600, "y": 20})
    await expect(hand).to_be_hidden()
    assert faults == []


async def test_sheet_of_an_upright_tablet_has_three_stops_and_never_takes_the_bar(
    browser: Browser, shared_url: str
) -> None:
    page = await open_tablet(browser, shared_url, UPRIGHT)
    faults = collect_faults(page)
    before = await rectangles(page)
    tabs = page.get_by_role("tablist", name="Table and sheets")
    x, y, width, height = await box_of(tabs)
    strip = page.locator(".strip .shown")
    assert (await box_of(strip))[1] == UPRIGHT["height"] - 88, "the lowest stop has the own seat and the tabs"
    assert (x, width, y + height) == (0, 768, 1024)

    await tabs.get_by_role("tab", name="Log").click()
    sheet = page.locator(".side.right")
    lower = UPRIGHT["height"] - BELOW_SHEET_PX
    x, y, width, height = await box_of(sheet)
    assert (x, width) == (0, 768)
    assert height == pytest.approx(0.4 * UPRIGHT["height"], abs=1)
    assert y + height == lower
    await expect(page.get_by_role("list", name="Log")).to_be_in_viewport()
    await expect(primary(page)).to_be_in_viewport(ratio=1)
    await expect(page.locator(".center > .table")).to_be_visible()
    assert await rectangles(page) == before
    assert await small_targets(page) == []
    assert await accessibility_findings(page) == []
    await show(page, "tablet-sheet")

    edge = page.get_by_role("button", name="Sheet higher")
    await edge.click()
    assert (await box_of(sheet))[3] == pytest.approx(min(0.85 * UPRIGHT["height"], lower - 52), abs=1)
    edge = page.get_by_role("button", name="Sheet lower")
    x, y, width, height = await box_of(edge)
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, lower - 380, steps=4)
    await page.mouse.up()
    assert (await box_of(sheet))[3] == pytest.approx(0.4 * UPRIGHT["height"], abs=1)
    x, y, width, height = await box_of(page.get_by_role("button", name="Sheet higher"))
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, lower - 40, steps=4)
    await page.mouse.up()
    await expect(sheet).to_be_hidden()
    await expect(primary(page)).to_be_in_viewport(ratio=1)
    assert await rectangles(page) == before
    assert faults == []
