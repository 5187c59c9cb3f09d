"""Names and values of all disks: a switch among the tools of the table, and the key N while it is held."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_played_end, find_question
from tests.browser.web_page import (
    PHONE,
    TOUCH_PX,
    accessibility_findings,
    collect_faults,
    open_page,
    settle,
    show,
)

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

MAX_OVERLAPS = 2
"""Pairs of signs where a dozen disks lie close together."""
SWITCH = "Names and values of all disks"
READ_SIGNS = """
() => Object.fromEntries([...document.querySelectorAll("g.name")].map((one) =>
  [one.dataset.disk, [...one.querySelectorAll("text")].map((text) => text.textContent)]))
"""
OVERLAPS = """
() => {
  const boxes = [...document.querySelectorAll("g.name rect.card")].map((one) => one.getBoundingClientRect());
  const across = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = (one, other) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return boxes.flatMap((one, k) => boxes.slice(k + 1).filter((other) => across(one, other) > 2 && down(one, other) > 2))
    .length;
}
"""


async def open_activation(page: Page, url: str) -> ScriptedServer:
    server = ScriptedServer(find_question("activation"))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    return server


@pytest.mark.parametrize("window", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_switch_names_every_disk_on_the_table_with_its_values(
    browser: Browser, shared_url: str, window: dict[str, Any], theme: str
) -> None:
    page = await open_page(browser, **window, color_scheme=theme)
    faults = collect_faults(page)
    server = await open_activation(page, shared_url)
    assert await page.evaluate(READ_SIGNS) == {}
    if window is PHONE:
        await page.get_by_role("button", name="Tools of the table").click()
    switch = page.get_by_role("button", name=SWITCH)
    box = await switch.bounding_box()
    assert box is not None
    assert window is not PHONE or min(box["width"], box["height"]) >= TOUCH_PX
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "true")
    board = server.playing.board
    await expect(page.locator("g.name")).to_have_count(sum(disk.place == "battlefield" for disk in board.disks))
    signs = await page.evaluate(READ_SIGNS)
    assert set(signs) == {str(disk.id) for disk in board.disks if disk.place == "battlefield"}
    for id, texts in signs.items():
        profile = board.profile(int(id))
        assert texts[-2:] == [str(profile.toughness), str(profile.movement)]
    assert await page.evaluate(OVERLAPS) <= MAX_OVERLAPS
    await show(page, f"names-{'phone' if window is PHONE else 'desktop'}-{theme}")
    assert await accessibility_findings(page) == []
    await switch.click()
    await expect(page.locator("g.name")).to_have_count(0)
    assert faults == []


async def test_held_key_shows_names_and_a_short_press_still_takes_the_next_disk(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    await open_activation(page, shared_url)
    chosen = page.locator('.handle[aria-pressed="true"]')
    assert await chosen.count() == 0
    await page.keyboard.down("n")
    await expect(page.locator("g.name").first).to_be_attached()
    await page.keyboard.down("n")  # as a keyboard repeats a key that is held
    await page.keyboard.up("n")
    await expect(page.locator("g.name")).to_have_count(0)
    assert await chosen.count() == 0, "a key that was held chose nothing"
    await page.keyboard.press("n")
    await expect(chosen).to_have_count(1)
    first = await chosen.get_attribute("id")
    await page.keyboard.press("N")
    await expect(chosen).not_to_have_attribute("id", first or "")
    await page.keyboard.press("/")
    await page.keyboard.type("next n")
    assert await page.get_by_role("textbox", name="Command line").input_value() == "next n"


async def test_key_sheets_of_table_and_replay_name_the_switch(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await open_activation(page, shared_url)
    await page.keyboard.press("?")
    keys = page.get_by_role("region", name="Keys")
    assert "names and values of all disks, while held" in await keys.inner_text()
    page = await open_page(browser)
    await ScriptedServer(find_played_end()).open(page, shared_url, "/1")
    await expect(page.get_by_role("slider")).to_be_visible()
    await page.keyboard.press("?")
    assert "names and values" in await page.get_by_role("region", name="Keys").inner_text()
    await page.keyboard.press("End")  # at first there are no disks
    await expect(page.locator(".stage .disk").first).to_be_attached()
    await page.keyboard.down("n")
    await expect(page.locator("g.name").first).to_be_attached()
    await page.keyboard.up("n")
    await expect(page.locator("g.name")).to_have_count(0)
