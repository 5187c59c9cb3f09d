"""The ruler and the rings of the table, compared with the engine."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import position, sight
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from tests.browser.clicks import bar, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import draw, open_page

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


def circle_of(board: Board, disk: Disk) -> geometry.Circle:
    return disk.x, disk.y, board.profiles[disk.profile].radius


async def open_activation(page: Page, url: str) -> ScriptedServer:
    server = ScriptedServer(find_question("activation"))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    return server


async def test_ruler_measures_between_disks_as_the_engine_does(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    board = (await open_activation(page, shared_url)).playing.board
    first, *others = position.fielded_disks(board)
    await page.keyboard.press("d")
    status = page.locator(".zoom [role=status]")
    await expect(status).to_contain_text("Drag between two points")
    for other in others:
        for disk in (first, other):
            await page.locator(f"#disk-{disk.id}").focus()
            await page.keyboard.press("Enter")
        gap = geometry.disk_gap(*circle_of(board, first), *circle_of(board, other))
        await expect(status).to_have_attribute("data-gap", str(gap))
        await expect(status).to_contain_text("In sight" if sight.sees(board, first.id, other.id) else "Hidden by")
    await page.keyboard.press("Escape")
    await expect(status).to_have_count(0)
    assert others


async def test_ruler_is_drawn_by_dragging_and_plans_nothing(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    server = await open_activation(page, shared_url)
    disk = position.fielded_disks(server.playing.board)[0]
    await page.get_by_role("button", name="Measure").click()
    box = await page.locator(f"#disk-{disk.id}").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 300, box["y"] + 200, steps=5)
    await draw(page)
    await page.mouse.up()
    status = page.locator(".zoom [role=status]")
    await expect(status).to_contain_text(re.compile(r"From .+ to .+: \d+\.\d in \(\d+\.\d{3} mm\), \w+ range\."))
    await expect(page.locator(".overlay .ring")).to_have_count(3)
    await expect(page.locator(".dial")).to_have_count(0)
    await page.get_by_role("button", name="Measure").click()
    await expect(page.locator(".overlay .ring")).to_have_count(0)
    assert server.answers == []


async def test_chosen_disk_shows_how_far_it_gets(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await open_activation(page, shared_url)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".dial")).to_be_visible()
    ring = page.locator(".overlay .tag.quiet").filter(has_text="flips")
    await expect(ring).to_have_count(1)
    before = await ring.text_content() or ""
    assert before.strip()
    await page.get_by_role("button", name="Add flip").click()
    await expect(ring).not_to_have_text(before)
