"""Every question of Diskwars is answered by clicks, and the rules take the answer."""

import asyncio

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.clicks import ANSWER_MS, answer_with_clicks, bar, primary
from tests.browser.scripted_match import QUESTION_TYPES, ScriptedServer, find_question
from tests.browser.web_page import collect_faults, draw, open_page

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="module")]


async def open_at(browser: Browser, url: str, question: str) -> tuple[Page, ScriptedServer]:
    page = await open_page(browser)
    server = ScriptedServer(find_question(question))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    return page, server


async def answers_of(server: ScriptedServer) -> list[a.Action]:
    """Wait for the answer that the page sends, and return what the rules took."""
    async with asyncio.timeout(ANSWER_MS / 1000):
        while not server.answers and not server.refusals:
            await asyncio.sleep(0.02)
    assert server.refusals == []
    return server.answers


@pytest.mark.parametrize("question", QUESTION_TYPES)
async def test_question_is_answered_by_clicks(browser: Browser, shared_url: str, question: str) -> None:
    page, server = await open_at(browser, shared_url, question)
    faults = collect_faults(page)
    await answer_with_clicks(page, question)
    assert len(await answers_of(server)) == 1
    assert faults == []


async def test_disks_are_deployed_by_drag(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "deployment")
    zones = page.locator("polygon.legal")
    for number in range(await zones.count()):
        box = await zones.nth(number).bounding_box()
        assert box is not None
        while await page.locator(".tray button:not(.off)").count() and await primary(page).is_disabled():
            before = await page.locator(".tray button.off").count()
            tray = page.locator(".tray button:not(.off)").first
            await tray.scroll_into_view_if_needed()
            start = await tray.bounding_box()
            assert start is not None
            await page.mouse.move(start["x"] + 20, start["y"] + 20)
            await page.mouse.down()
            await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
            await page.mouse.up()
            await draw(page)
            if await page.locator(".tray button.off").count() == before:
                await page.keyboard.press("Escape")
                break
    await primary(page).click()
    [deployed] = await answers_of(server)
    assert isinstance(deployed, a.Deploy)
