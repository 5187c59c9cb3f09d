"""Stacks, engagements, and the way around a table of which only a part is in view."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.rulesets.diskwars.board import Board
from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import accessibility_findings, collect_faults, draw, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def open_engagements(browser: Browser, url: str) -> tuple[Page, Board]:
    page = await open_page(browser)
    server = ScriptedServer(find_question("engagement"))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "engagement")
    return page, server.playing.board


async def test_held_disk_shows_its_stack_and_what_lies_above_fades(browser: Browser, shared_url: str) -> None:
    page, board = await open_engagements(browser, shared_url)
    faults = collect_faults(page)
    pin = board.pins[0]
    await page.locator(f"#disk-{pin.bottom}").focus()
    await page.keyboard.down("v")
    fan = page.locator(".fan")
    await expect(fan.get_by_role("listitem")).not_to_have_count(0)
    assert await fan.get_by_role("listitem").count() > 1
    await expect(fan).to_contain_text("pinned by")
    await expect(page.locator(".disk.lifted")).not_to_have_count(0)
    await page.keyboard.up("v")
    await expect(fan).to_have_count(0)
    await page.get_by_role("tab", name="Stacks").click()
    await expect(page.locator(".stacks")).to_contain_text("pinned by")
    assert await accessibility_findings(page) == []
    await page.locator(".stacks button").last.click()
    await expect(page.locator(".stacks .on")).to_have_count(1)
    assert faults == []


async def test_stack_is_fanned_out_while_the_pointer_holds_a_disk(browser: Browser, shared_url: str) -> None:
    page, board = await open_engagements(browser, shared_url)
    await page.keyboard.press("0")  # the whole table: the camera follows the engagements that are asked about
    await settle(page)
    box = await page.locator(f"#disk-{board.pins[0].top}").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await expect(page.locator(".fan")).to_be_visible()
    await page.mouse.up()
    await expect(page.locator(".fan")).to_have_count(0)


async def test_engaged_disks_wear_rings_and_those_of_the_chosen_engagement_are_marked(
    browser: Browser, shared_url: str
) -> None:
    page, board = await open_engagements(browser, shared_url)
    engaged = {disk for one in board.engagements for link in one.links for disk in (link.attacker, link.defender)}
    assert engaged
    for disk in engaged:
        ring = page.locator(f".disk:has(#disk-{disk})").locator(".engaged, .mark")
        await expect(ring.first).to_be_attached()
    await expect(page.locator(".disk .engaged")).not_to_have_count(0)
    await page.locator(f"#disk-{board.engagements[0].links[0].attacker}").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".link.marked")).not_to_have_count(0)


async def test_minimap_shows_what_is_in_view_and_moves_it(browser: Browser, shared_url: str) -> None:
    page, _ = await open_engagements(browser, shared_url)
    minimap = page.get_by_role("img", name="The whole table")
    await page.keyboard.press("0")
    await expect(minimap).to_have_count(0)
    for _ in range(3):
        await page.keyboard.press("+")
    await expect(minimap).to_be_visible()
    view = page.locator(".board")
    before = await view.get_attribute("viewBox") or ""
    assert before
    await minimap.click(position={"x": 10, "y": 10})
    await draw(page)
    await expect(view).not_to_have_attribute("viewBox", before)
    # A disk that is reached by keys is brought into view.
    last = page.locator(".disk .handle").last
    await last.focus()
    await expect(last).to_be_in_viewport()
    await page.keyboard.press("0")
    await expect(minimap).to_have_count(0)
    await expect(view).to_have_attribute("viewBox", re.compile(r"^-"))
