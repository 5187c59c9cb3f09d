"""Gestures on the table: a flip aimed by dragging the rim of a disk, and two fingers that zoom."""

import math
import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, collect_faults, draw, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

STEPS = 6
ACTING = """
() => {
  const box = document.querySelector(".disk:has(.casing) .focusring").getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2, box.width / 2];
}
"""
"""The centre of the disk that acts, and its radius with the ring around it."""


async def open_table(browser: Browser, url: str, **options: object) -> Page:
    page = await open_page(browser, **options)
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    return page


async def view_of(page: Page) -> list[float]:
    text = await page.locator(".board").get_attribute("viewBox") or ""
    return [float(part) for part in text.split()]


async def test_rim_of_a_disk_is_dragged_to_aim_a_flip_and_released_to_add_it(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url)
    faults = collect_faults(page)
    await ready_disks(page).nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(primary(page)).to_contain_text("Commit")
    await settle(page)
    view, (x, y, r) = await view_of(page), await page.evaluate(ACTING)
    bubble = page.locator(".moving .bubble")
    await page.mouse.move(x + 0.9 * r, y)
    await page.mouse.down()
    aimed = []
    for step in range(1, STEPS + 1):
        bearing = math.pi / 2 * step / STEPS
        await page.mouse.move(x + 1.2 * r * math.cos(bearing), y - 1.2 * r * math.sin(bearing), steps=3)
        await draw(page)
        aimed.append(await bubble.inner_text())
    # The ghost follows the pointer, and neither the view nor the choice of a disk does.
    assert len(set(aimed)) > STEPS // 2, aimed
    assert await view_of(page) == view
    await expect(primary(page)).not_to_contain_text(re.compile(r"\b1 flip\b"))
    await page.mouse.up()
    await expect(primary(page)).to_contain_text(re.compile(r"\b1 flip\b"))
    assert faults == []


async def test_click_anywhere_on_the_field_adds_the_flip_that_the_ghost_shows(
    browser: Browser, shared_url: str
) -> None:
    """The ghost follows the pointer however far away: a click there once put the disk down instead."""
    page = await open_table(browser, shared_url)
    await ready_disks(page).nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(primary(page)).to_contain_text("Commit flips")
    await settle(page)
    view, (x, y, r) = await view_of(page), await page.evaluate(ACTING)
    await page.mouse.move(x, y - 5 * r)
    await expect(page.locator(".moving .bubble")).to_contain_text("Click to add this flip.")
    await page.mouse.click(x, y - 5 * r)
    await expect(primary(page)).to_contain_text("Commit 1 flip")
    await expect(page.locator(".moving .bubble")).not_to_contain_text("Click to add")
    assert await view_of(page) == view


async def test_two_fingers_zoom_where_they_are_and_plan_nothing(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url, **PHONE)
    faults = collect_faults(page)
    box = await page.locator(".stage").bounding_box()
    assert box is not None
    session = await page.context.new_cdp_session(page)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    async def touch(kind: str, apart: float) -> None:
        points = [
            {"x": middle[0] + side * apart / 2, "y": middle[1], "id": place} for place, side in enumerate((-1, 1))
        ]
        await session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if kind != "touchEnd" else []}
        )

    async def pinch(start: float, end: float) -> list[float]:
        await touch("touchStart", start)
        for step in range(1, STEPS + 1):
            await touch("touchMove", start + (end - start) * step / STEPS)
        await touch("touchEnd", end)
        await draw(page)
        return await view_of(page)

    before = await view_of(page)
    nearer = await pinch(80, 200)
    assert nearer[2] == pytest.approx(before[2] * 80 / 200, rel=0.05)
    # What was between the fingers still is.
    assert nearer[0] + nearer[2] / 2 == pytest.approx(before[0] + before[2] / 2, abs=0.05 * before[2])
    assert nearer[1] + nearer[3] / 2 == pytest.approx(before[1] + before[3] / 2, abs=0.05 * before[3])
    farther = await pinch(200, 100)
    assert farther[2] == pytest.approx(2 * nearer[2], rel=0.05)
    assert await page.evaluate("visualViewport.scale") == 1
    await expect(page.locator(".choose")).to_have_count(0)
    await expect(page.locator(".disk:has(.casing)")).to_have_count(0)
    assert faults == []


async def test_pointer_on_the_tools_of_the_table_aims_nothing(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url)
    await ready_disks(page).nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(primary(page)).to_contain_text("Commit")
    ghost = page.locator(".moving .ghost")
    await page.mouse.move(640, 300)
    await draw(page)
    aimed = await ghost.get_attribute("data-x")
    for tool in await page.locator(".stage .zoom button:visible").all():
        await tool.hover()
        await draw(page)
        assert await ghost.get_attribute("data-x") == aimed
    await page.mouse.move(640, 240)
    await draw(page)
    assert await ghost.get_attribute("data-x") != aimed, "the table follows the pointer again"


TURN_WHEEL = """
async (turns) => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const at = { clientX: stage.x + stage.width / 3, clientY: stage.y + stage.height / 3 };
  const board = document.querySelector(".board"), views = new Set();
  const places = () => [...document.querySelectorAll(".disk .focusring")].map((one) => {
    const { x, y, width } = one.getBoundingClientRect();
    return [x, y, width];
  });
  const before = board.getAttribute("viewBox"), [start] = places();
  for (let turn = 0; turn < turns; turn += 1) {
    document.querySelector(".stage").dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: -40, bubbles: true }));
    await new Promise(requestAnimationFrame);
    views.add(board.getAttribute("viewBox"));
  }
  const moved = places();
  while (board.getAttribute("viewBox") === before || document.querySelector(".view").style.transform !== "none")
    await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const drawn = places();
  const off = moved.map((place, k) => Math.max(...place.map((value, n) => Math.abs(value - drawn[k][n]))));
  return { views: views.size, grown: moved[0][2] / start[2], off: Math.max(...off) };
}
"""


async def test_table_is_drawn_once_for_a_turn_of_the_wheel_and_moved_meanwhile(
    browser: Browser, shared_url: str
) -> None:
    """Drawn at each step, it took four frames of a slow computer for one."""
    page = await open_table(browser, shared_url)
    found = await page.evaluate(TURN_WHEEL, 5)
    assert found["views"] == 1
    assert found["grown"] > 1.3
    assert found["off"] < 1, "disks stay where they are when the table is drawn for the new view"
