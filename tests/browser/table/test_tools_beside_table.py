"""The tools and the map of the table keep off the field and what a question is about, in every window and ruleset."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import draw, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

GOLDEN = Path(__file__).parents[2] / "golden" / "files"
FILES = ("diskwars-elimination", "diskwars-four", "pit-four", "close-quarters-barricade", "regiments-destroyed")
WINDOWS = ((1440, 900), (1280, 800), (1024, 768), (390, 844), (844, 390))
COVERED = """
() => {
  const tools = [...document.querySelectorAll(".stage .zoom")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => one.getBoundingClientRect());
  const meets = (box) => tools.some((tool) =>
    box.left < tool.right - 1 && tool.left < box.right - 1 && box.top < tool.bottom - 1 && tool.top < box.bottom - 1);
  // A disk is round: the corners of its box are none of it.
  const isCovered = (ring) => {
    const box = ring.getBoundingClientRect();
    const [x, y, r] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width / 2.16];
    return tools.some((tool) =>
      Math.hypot(Math.max(tool.left - x, 0, x - tool.right), Math.max(tool.top - y, 0, y - tool.bottom)) < r - 1);
  };
  return {
    tools: tools.length,
    field: meets(document.querySelector(".board .felt").getBoundingClientRect()),
    disks: [...document.querySelectorAll(".disk .focusring")].filter(isCovered).length,
    asked: [...document.querySelectorAll(".disk:has(.mark) .focusring, .ghost")].filter(isCovered).length,
    spots: [...document.querySelectorAll(".board .spot")].filter((one) => meets(one.getBoundingClientRect())).length,
  };
}
"""


async def resize(page: Page, size: tuple[int, int]) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await draw(page)
    await settle(page)


@pytest.mark.parametrize("name", FILES)
async def test_whole_table_lies_clear_of_the_tools(browser: Browser, shared_url: str, name: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await page.goto(f"{shared_url}open")
    await page.locator("input[type=file]").set_input_files(GOLDEN / f"{name}.match.jsonl")
    await expect(page.get_by_role("slider")).to_be_visible()
    for size in WINDOWS:
        await resize(page, size)
        fit = page.get_by_role("button", name="Whole table")
        if await fit.count():
            await fit.click()
            await settle(page)
        found = await page.evaluate(COVERED)
        assert found["tools"] == 1, size
        assert not found["field"], size
        assert (found["disks"], found["spots"]) == (0, 0), size
        await show(page, f"tools-{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize("question", ["activation", "engagement", "melee_targets", "reinforcement", "scatter"])
async def test_what_is_asked_about_lies_clear_of_the_tools(browser: Browser, shared_url: str, question: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    for size in WINDOWS:
        await resize(page, size)
        if question == "activation":
            await page.keyboard.press("Escape")
            await ready_disks(page).first.focus()
            await page.keyboard.press("Enter")
            await page.keyboard.press("a")
            await settle(page)
        found = await page.evaluate(COVERED)
        assert found["asked"] == 0, size
        await show(page, f"tools-{question}-{size[0]}x{size[1]}")


async def test_map_gives_way_to_disks(browser: Browser, shared_url: str) -> None:
    """Zooming in step by step brings disks below either corner."""
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    minimap = page.get_by_role("img", name="The whole table")
    places = set()
    for _ in range(6):
        await page.get_by_role("button", name=re.compile("Zoom in")).click()
        await page.mouse.move(700, 830)
        await settle(page)
        if not await minimap.count():
            places.add("gone")
            continue
        box = await minimap.bounding_box()
        assert box is not None
        places.add("left" if box["x"] < 600 else "right")
        tools = await page.evaluate(MAP_OVER_DISKS)
        assert tools == 0
    assert places & {"left", "right"}


MAP_OVER_DISKS = """
() => {
  const map = document.querySelector(".stage .zoom.map").getBoundingClientRect();
  return [...document.querySelectorAll(".disk .focusring")].filter((ring) => {
    const box = ring.getBoundingClientRect();
    const [x, y, r] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width / 2.16];
    return Math.hypot(Math.max(map.left - x, 0, x - map.right), Math.max(map.top - y, 0, y - map.bottom)) < r - 1;
  }).length;
}
"""
