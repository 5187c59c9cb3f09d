"""An account is changed on the page: its name, its password, its devices, its codes, and its end."""

import asyncio
import json
from urllib.request import Request, urlopen

import pytest
from playwright.async_api import Browser, expect

from tests.browser.catalogues import common_texts
from tests.browser.people.test_recovery import open_settings
from tests.browser.web_page import accessibility_findings, collect_faults, show

pytestmark = [pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="session")]
PARTS = (
    "Name and password",
    "Devices",
    "Programs",
    "Ways back in",
    "Notices",
    "Other players",
    "Looks and language",
    "Sound and notices",
    "Board",
    "Your data",
)
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
    devices = page.get_by_role("region", name="Devices")
    await expect(devices.get_by_role("listitem")).to_have_count(2)
    assert await accessibility_findings(page) == []
    await show(page, "account")
    own = page.get_by_role("region", name="Name and password")
    await own.get_by_label("Name").fill("Anna of Nuln")
    await own.get_by_role("button", name="Change the name").click()
    await expect(own.get_by_role("status")).to_contain_text("changed")
    await expect(page.get_by_role("link", name="Anna of Nuln")).to_be_visible()
    await devices.get_by_role("button", name="Log out there").click()
    await expect(devices.get_by_role("listitem")).to_have_count(1)
    await expect(other.get_by_text("You play as Ann of Nuln")).to_have_count(0)

    await own.get_by_role("button", name="Change the password").click()
    await own.get_by_label("Current password").fill("none of them")
    await own.get_by_label("New password").fill(SECOND)
    await own.get_by_role("button", name="Change the password").click()
    await expect(own.get_by_role("alert")).to_contain_text("password")
    await own.get_by_label("Current password").fill(FIRST)
    await own.get_by_role("button", name="Change the password").click()
    await expect(own.get_by_role("status")).to_contain_text("The password is changed")

    back = page.get_by_role("region", name="Ways back in")
    await back.get_by_role("button", name="Make new codes").click()
    await back.get_by_label("Current password").fill(SECOND)
    await back.get_by_role("button", name="Make new codes").click()
    await expect(back.get_by_label("Current password")).to_have_count(0)
    await expect(page.locator(".codes li")).to_have_count(10)

    data = page.get_by_role("region", name="Your data")
    async with page.expect_download() as saved:
        await data.get_by_role("button", name="Save the file").click()
    file = json.loads((await (await saved.value).path()).read_text(encoding="utf-8"))
    assert (file["account"]["name"], len(file["devices"]["devices"])) == ("Anna of Nuln", 1)
    assert (file["statistics"]["name"], file["rating_history"]) == ("Anna of Nuln", {})
    await show(page, "account-data")
    await data.get_by_role("button", name="Delete …").click()
    await data.get_by_label("Current password").fill(SECOND)
    await data.get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect(page.get_by_label("Your name")).to_have_value("")
    assert faults == []


async def test_list_beside_the_account_leads_to_each_part_and_is_above_it_on_a_phone(
    browser: Browser, url: str
) -> None:
    page = await open_settings(browser, url)
    faults = collect_faults(page)
    await page.get_by_label("Name").fill("Ann of Nuln")
    await page.get_by_label("Password").fill(FIRST)
    await page.get_by_role("button", name="Make an account").click()
    await page.get_by_role("button", name="I have kept them").click()
    parts = page.get_by_role("navigation", name="Parts of this page")
    links = parts.get_by_role("link")
    await expect(links).to_have_text(PARTS)
    for index, name in enumerate(PARTS):
        heading = page.locator(f"h2{await links.nth(index).get_attribute('href')}")
        await links.nth(index).click()
        await expect(heading).to_be_in_viewport()
        await expect(heading).to_be_focused()
        await expect(parts.locator("[aria-current]")).to_have_text(name)
    beside, first = await parts.bounding_box(), await page.get_by_role("region", name=PARTS[0]).bounding_box()
    assert beside is not None
    assert first is not None
    assert beside["x"] + beside["width"] <= first["x"]
    assert beside["y"] >= 52, "it stays in view while the page is scrolled"

    await page.set_viewport_size({"width": 390, "height": 844})
    await page.evaluate("document.querySelector('main').scrollTo(0, 0)")
    beside, first = await parts.bounding_box(), await page.get_by_role("region", name=PARTS[0]).bounding_box()
    assert beside is not None
    assert first is not None
    assert beside["y"] + beside["height"] <= first["y"]
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await show(page, "account-phone")
    assert faults == []


async def test_programs_get_tokens_by_hand_and_by_code(browser: Browser, url: str) -> None:
    page = await open_settings(browser, url)
    faults = collect_faults(page)
    await page.get_by_label("Name").fill("Ann of Nuln")
    await page.get_by_label("Password").fill(FIRST)
    await page.get_by_role("button", name="Make an account").click()
    await page.get_by_role("button", name="I have kept them").click()
    programs = page.get_by_role("region", name="Programs")
    await programs.get_by_label("New token").fill("my bot")
    await programs.get_by_label("import match files").check()
    await programs.get_by_role("button", name="Make a token").click()
    await expect(programs.locator("code")).to_contain_text("api_")
    await expect(programs.get_by_role("listitem")).to_contain_text("play, see matches as you do, import match files")
    await expect(page.get_by_role("region", name="Devices").get_by_role("listitem")).to_have_count(1)
    await programs.get_by_role("button", name="I have kept it").click()
    await expect(programs.locator("code")).to_have_count(0)

    codes = await ask_for_codes(url, "shed")
    await page.goto(f"{url}settings?code={codes['user_code']}")
    field = programs.get_by_label("Code of a program")
    await expect(field).to_have_value(codes["user_code"])
    await expect(field).to_be_focused()
    await expect(field).to_be_in_viewport()
    await programs.get_by_role("button", name="Look it up").click()
    question = programs.get_by_role("form", name="A program waits for your answer")
    await expect(question).to_be_focused()
    await expect(question.get_by_role("definition")).to_have_text(["shed", codes["user_code"], "play"])
    await field.fill("BCDF-GHJK")
    await expect(question).to_have_count(0)
    await field.fill(codes["user_code"])
    await programs.get_by_role("button", name="Look it up").click()
    assert await accessibility_findings(page) == []
    await programs.scroll_into_view_if_needed()
    await show(page, "programs")
    theme = page.get_by_role("button", name=common_texts("en")["nav.theme"]).first
    await theme.click()
    assert await accessibility_findings(page) == []
    await show(page, "programs-light")
    await page.set_viewport_size({"width": 390, "height": 844})
    await programs.get_by_role("button", name="Refuse").scroll_into_view_if_needed()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await show(page, "programs-phone-light")
    await theme.click()
    await programs.get_by_role("button", name="Refuse").scroll_into_view_if_needed()
    await show(page, "programs-phone")
    await programs.get_by_role("button", name="Agree").click()
    await expect(programs.get_by_role("status")).to_contain_text("goes on by itself")

    await programs.get_by_role("button", name="End it").click()
    await expect(programs.get_by_role("listitem")).to_have_count(0)
    await programs.get_by_label("Code of a program").fill("BCDF-GHJK")
    await programs.get_by_role("button", name="Look it up").click()
    await expect(programs.get_by_role("alert")).to_contain_text("no program waits with this code")
    assert faults == []


async def ask_for_codes(url: str, name: str) -> dict[str, str]:
    def post() -> dict[str, str]:
        body = json.dumps({"client_id": name, "scope": "play"}).encode()
        request = Request(f"{url}api/v1/device/code", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=30) as response:
            codes: dict[str, str] = json.load(response)
            return codes

    return await asyncio.to_thread(post)
