"""Back closes what is open over the table before it leaves the table."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.screens.test_replay import open_file
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, collect_faults, open_page

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def open_table(browser: Browser, url: str, **context: object) -> Page:
    """Open a match as its player, from the lobby."""
    page = await open_page(browser, **context)
    await page.goto(url)
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    return page


async def test_back_closes_a_dialog_and_a_panel_and_only_then_leaves_the_table(
    browser: Browser, shared_url: str
) -> None:
    page = await open_table(browser, shared_url)
    faults, address = collect_faults(page), page.url
    question = page.get_by_role("dialog", name="Resign for good?")
    await page.get_by_role("button", name="Resign").first.click()
    await expect(question).to_be_visible()
    await page.go_back()
    await expect(question).to_be_hidden()
    keys = page.get_by_role("region", name="Keys")
    await page.locator("body").press("?")
    await expect(keys).to_be_visible()
    await page.go_back()
    await expect(keys).to_be_hidden()
    assert page.url == address
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await page.go_back()
    await expect(page).to_have_url(shared_url)
    assert faults == []


async def test_panel_that_is_closed_by_its_button_leaves_no_entry_behind(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url)
    faults = collect_faults(page)
    for _ in range(3):
        await page.get_by_role("button", name="Resign").first.click()
        await page.get_by_role("dialog").get_by_role("button").first.click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await page.wait_for_function("history.state === null")
    await page.go_back()
    await expect(page).to_have_url(shared_url)
    assert faults == []


async def test_back_closes_a_sheet_of_the_phone(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url, **PHONE)
    tabs = page.get_by_role("tablist", name="Table and sheets")
    address = page.url
    await tabs.get_by_role("tab", name="Log").click()
    await expect(page.get_by_role("list", name="Log")).to_be_in_viewport()
    # One sheet takes the place of another.
    await tabs.get_by_role("tab", name="Details").click()
    await page.go_back()
    await expect(tabs.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    assert page.url == address


async def test_moment_stays_where_it_is_as_back_closes_a_panel(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    faults, slider = collect_faults(page), page.get_by_role("slider")
    branch = page.get_by_role("region", name="Keys")
    await page.locator("body").press("?")
    await expect(branch).to_be_visible()
    await page.locator("body").press("Home")
    await page.locator("body").press("ArrowRight")
    await expect(slider).to_have_value("2")
    await page.go_back()
    await expect(branch).to_be_hidden()
    await expect(slider).to_have_value("2")
    assert faults == []
