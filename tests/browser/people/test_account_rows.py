"""An account is changed on the page: its name, its password, its devices, its codes, and its end."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.people.test_recovery import open_settings
from tests.browser.web_page import collect_faults, serious_findings, show

pytestmark = [pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="session")]
FIRST, SECOND = "correct horse battery", "battery horse correct"


async def test_account_changes_name_password_and_devices_and_ends(browser: Browser, url: str) -> None:
    page, other = await open_settings(browser, url), await open_settings(browser, url)
    faults = collect_faults(page)
    await page.get_by_label("Name").fill("Ann of Nuln")
    await page.get_by_label("Password").fill(FIRST)
    await page.get_by_role("button", name="Make an account").click()
    await page.get_by_role("button", name="I have kept them").click()
    await other.get_by_label("Name").fill("Ann of Nuln")
    await other.get_by_label("Password").fill(FIRST)
    await other.get_by_role("button", name="Log in").click()
    await expect(other.get_by_text("You play as Ann of Nuln")).to_be_visible()

    await page.reload()
    account = page.get_by_role("region", name="Ann of Nuln")
    await expect(account.get_by_role("listitem")).to_have_count(2)
    assert await serious_findings(page) == []
    await show(page, "account")
    await account.get_by_label("Name").fill("Anna of Nuln")
    await account.get_by_role("button", name="Change the name").click()
    account = page.get_by_role("region", name="Anna of Nuln")
    await expect(account.get_by_role("status")).to_contain_text("changed")
    await expect(page.get_by_role("link", name="Anna of Nuln")).to_be_visible()
    await account.get_by_role("button", name="Log out there").click()
    await expect(account.get_by_role("listitem")).to_have_count(1)
    await expect(other.get_by_text("You play as Ann of Nuln")).to_have_count(0)

    await account.get_by_role("button", name="Change the password").click()
    await account.get_by_label("Password of today").fill("none of them")
    await account.get_by_label("New password").fill(SECOND)
    await account.get_by_role("button", name="Change the password").click()
    await expect(account.get_by_role("alert")).to_contain_text("password")
    await account.get_by_label("Password of today").fill(FIRST)
    await account.get_by_role("button", name="Change the password").click()
    await expect(account.get_by_role("status")).to_contain_text("The password is changed")

    await account.get_by_role("button", name="Make new codes").click()
    await account.get_by_label("Password of today").fill(SECOND)
    await account.get_by_role("button", name="Make new codes").click()
    await expect(account.get_by_label("Password of today")).to_have_count(0)
    await expect(page.locator(".codes li")).to_have_count(10)

    await account.get_by_role("button", name="Delete …").click()
    await account.get_by_label("Password of today").fill(SECOND)
    await account.get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect(page.get_by_label("Your name")).to_have_value("")
    assert faults == []
