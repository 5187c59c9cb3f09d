"""Links that lead nowhere, and what a browser does not allow: each is said, and there is a way on."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import open_question
from tests.browser.screens.test_lobby import create_match
from tests.browser.web_page import PHONE, TOUCH_PX, accessibility_findings, collect_faults, open_page

NO_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
document.execCommand = () => false;
"""
NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied.", "SecurityError"); } });
"""
SMALL_LABELS = """
(least) => [...document.querySelectorAll("label:has(> input[type=checkbox])")]
  .filter((one) => one.getBoundingClientRect().height < least - 0.5).map((one) => one.textContent)
"""

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("path", ["nothing", "m/UPPER", "armies/a/b"])
async def test_address_that_leads_nowhere_is_said_and_leads_on(browser: Browser, shared_url: str, path: str) -> None:
    page = await open_page(browser)
    answer = await page.goto(f"{shared_url}{path}")
    assert answer is not None
    assert answer.status == 404
    await expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    assert not await accessibility_findings(page)
    await page.get_by_role("main").get_by_role("link", name="Play").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()


async def test_page_without_storage_warns_that_a_reload_loses_the_seat(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.add_init_script(NO_STORAGE)
    await page.goto(url)
    warning = page.get_by_role("status").filter(has_text="A reload or a closed tab loses your seat")
    await expect(warning).to_be_visible()
    await warning.get_by_role("button", name="OK").click()
    await expect(warning).to_have_count(0)
    await page.get_by_role("button", name="Play now").click()
    assert await open_question(page)
    assert not faults


async def test_invite_that_opens_nothing_is_said_beside_the_password(browser: Browser, url: str) -> None:
    host = await open_page(browser)
    link = await create_match(host, url, password="under the hill")
    guest = await open_page(browser)
    faults = collect_faults(guest)
    await guest.goto(f"{link.partition('?')[0]}?invite=invite-aaaaaaaaaaaaaaaa")
    await expect(guest.get_by_label("Password")).to_be_visible()
    await expect(guest.get_by_role("alert")).to_contain_text("invite")
    assert not faults


async def copy_first_army(page: Page, url: str) -> str:
    """Open a copy of the first starter army in the builder and return its name."""
    await page.goto(f"{url}armies")
    await page.get_by_role("button", name="Change a copy").first.click()
    return await page.get_by_label("Name of the army").input_value()


async def test_link_to_an_army_is_left_by_going_back_and_a_cut_one_is_said(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    name = await copy_first_army(page, shared_url)
    army = await page.evaluate("localStorage.getItem('diskwars.armies')")
    coded = await page.evaluate("(text) => btoa(text)", arg=str(army)[1:-1])
    await page.goto(f"{shared_url}settings")
    await page.goto(f"{shared_url}armies/link#{coded}")
    await expect(page.get_by_label("Name of the army")).to_have_value(name)
    await page.go_back()
    await expect(page).to_have_url(re.compile("/settings$"))
    await page.goto(f"{shared_url}armies/link#cut")
    await expect(page.get_by_role("alert")).to_contain_text("holds no army")
    await page.goto(f"{shared_url}armies/own-of-a-friend")
    await expect(page.get_by_role("alert")).to_contain_text("not kept in this browser")
    assert not faults


async def test_army_that_was_removed_is_taken_back(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    name = await copy_first_army(page, shared_url)
    await page.get_by_role("link", name="Armies").click()
    await page.get_by_role("button", name=f"Remove {name}").click()
    await expect(page.get_by_role("status").filter(has_text=name)).to_be_visible()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("region", name="Your armies").get_by_text(name)).to_be_visible()
    assert not faults


async def test_link_that_cannot_be_copied_is_shown_instead(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.add_init_script(NO_CLIPBOARD)
    link = await create_match(page, url)
    await page.get_by_role("button", name="Copy", exact=True).click()
    await expect(page.get_by_label("The browser does not let the page copy.")).to_have_value(link)
    await expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    await page.get_by_role("button", name="OK").click()
    await expect(page.get_by_label("The browser does not let the page copy.")).to_have_count(0)
    assert not faults


async def test_check_boxes_and_contents_take_a_finger(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    await page.goto(f"{shared_url}new")
    await expect(page.get_by_label("draw offers")).to_be_attached()
    assert await page.evaluate(SMALL_LABELS, TOUCH_PX) == []
    await page.goto(f"{shared_url}rules")
    first = page.get_by_role("navigation", name="Contents").get_by_role("link").first
    box = await first.bounding_box()
    assert box is not None
    assert box["height"] >= TOUCH_PX - 0.5
