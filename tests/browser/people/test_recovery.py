"""A lost password in the page: codes of a new account, and a new password with one of them on another computer."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.web_page import DESKTOP, WAIT_MS, collect_faults, show

pytestmark = [pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="session")]


async def open_settings(browser: Browser, url: str) -> Page:
    usual: dict[str, Any] = {**DESKTOP, "reduced_motion": "reduce"}
    context = await browser.new_context(**usual)
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    await page.goto(f"{url}settings")
    return page


async def test_code_of_a_new_account_sets_a_new_password(browser: Browser, url: str) -> None:
    page = await open_settings(browser, url)
    faults = collect_faults(page)
    await page.get_by_label("Name").fill("Ann of Nuln")
    await page.get_by_label("Password").fill("correct horse battery")
    await page.get_by_role("button", name="Make an account").click()
    await expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    codes = await page.locator(".codes li").all_inner_texts()
    assert len(codes) == 10
    await page.locator(".codes").scroll_into_view_if_needed()
    await show(page, "recovery-codes")
    await page.get_by_role("button", name="I have kept them").click()
    await expect(page.locator(".codes")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_text("You play as Ann of Nuln")).to_be_visible()
    await expect(page.locator(".codes")).to_have_count(0)

    other = await open_settings(browser, url)
    await other.get_by_role("button", name="Lost the password?").click()
    await other.get_by_label("Name").fill("Ann of Nuln")
    await other.get_by_label("New password").fill("battery horse correct")
    await other.get_by_label("Recovery code").fill("none of them")
    await other.get_by_role("button", name="Set the new password").click()
    await expect(other.get_by_role("alert")).to_contain_text("account has this name and code")
    await show(other, "recovery-refused")
    await other.get_by_label("Recovery code").fill(codes[4].upper())
    await other.get_by_role("button", name="Set the new password").click()
    await expect(other.get_by_text("You play as Ann of Nuln")).to_be_visible()
    # The computer that was logged in is a guest now, and says so.
    await expect(page.get_by_text("You play as Ann of Nuln")).to_have_count(0)
    assert faults == []
