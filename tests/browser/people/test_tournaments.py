"""Tournaments in the page: one is opened, bots play it to its end, and the page shows it live."""

import json
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.web_page import DESKTOP, PHONE, SMALL_TARGETS, TOUCH_PX, WAIT_MS, collect_faults, show

pytestmark = [pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="session")]


async def open_page(browser: Browser, address: str, size: dict[str, Any]) -> Page:
    usual: dict[str, Any] = {**size, "reduced_motion": "reduce"}
    context = await browser.new_context(**usual)
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    await page.goto(address)
    return page


async def register(page: Page, name: str) -> None:
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill("correct horse battery")
    await page.get_by_role("button", name="Make an account").click()
    await page.get_by_role("button", name="I have kept them").click()


async def test_tournament_of_bots_is_opened_played_and_shown_on_every_size(browser: Browser, url: str) -> None:
    page = await open_page(browser, f"{url}settings", DESKTOP)
    faults = collect_faults(page)
    await register(page, "Olga of Nuln")
    await page.get_by_role("link", name="Tournaments").click()
    await page.get_by_role("button", name="New tournament").click()
    await page.get_by_role("textbox", name="Name").fill("Autumn Swiss")
    await page.get_by_label("Game").select_option("pit")
    await page.get_by_label("Rounds").select_option("3")
    await page.get_by_label("Final of the best").select_option("4")
    await page.get_by_label("Bots may play").check()
    await show(page, "tournament-new")
    await page.get_by_role("button", name="Open the tournament").click()
    await expect(page.get_by_role("heading", name="Autumn Swiss")).to_be_visible()
    for count in range(1, 7):
        await page.get_by_label("Add a bot").select_option("random")
        await expect(page.locator("tbody tr")).to_have_count(count)
    stranger = await open_page(browser, page.url, PHONE)
    await page.get_by_role("button", name="Start").click()
    await expect(page.get_by_text("Over")).to_be_visible(timeout=4 * WAIT_MS)

    await expect(page.locator(".tree .match")).to_have_count(4)
    await expect(page.get_by_role("heading", name="Cross-table")).to_be_visible()
    await show(page, "tournament-over")
    await page.emulate_media(media="print")
    await show(page, "tournament-print")
    await expect(stranger.get_by_text("Over")).to_be_visible()
    assert await stranger.evaluate("document.documentElement.scrollWidth") <= 390
    await show(stranger, "tournament-phone")
    assert await stranger.evaluate(SMALL_TARGETS, TOUCH_PX) == []
    for tab in ("Cross-table", "Bracket", "Round 5"):
        await stranger.get_by_role("button", name=tab).click()
        await show(stranger, f"tournament-phone-{tab.lower().replace(' ', '-')}")
    async with page.expect_download() as download:
        await page.emulate_media(media="screen")
        await page.get_by_role("button", name="JSON").click()
    kept = json.loads((await (await download.value).path()).read_text("utf-8"))
    assert len(kept["standings"]) == 6
    assert faults == []


async def test_list_shows_a_tournament_and_a_guest_is_asked_for_an_account(browser: Browser, url: str) -> None:
    page = await open_page(browser, f"{url}settings", PHONE)
    await register(page, "Pavel")
    await page.goto(f"{url}tournaments")
    await page.get_by_role("button", name="New tournament").click()
    await page.get_by_role("textbox", name="Name").fill("Club evening")
    await page.get_by_label("Game").select_option("pit")
    await page.get_by_role("button", name="Open the tournament").click()
    await page.get_by_role("button", name="Enter").click()
    await expect(page.get_by_text("You are in.")).to_be_visible()
    await show(page, "tournament-phone-entered")

    guest = await open_page(browser, f"{url}tournaments", PHONE)
    await expect(guest.get_by_text("needs an account")).to_be_visible()
    await guest.get_by_role("link", name="Club evening").click()
    await expect(guest.get_by_role("heading", name="Club evening")).to_be_visible()
    assert await guest.get_by_role("button", name="Enter").count() == 0
