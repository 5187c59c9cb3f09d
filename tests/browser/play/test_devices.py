"""One account on two devices: the second takes a match over and plays a card; the first takes it back."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import ANSWER_MS, answer, bar, open_question, play_until
from tests.browser.web_page import PHONE, accessibility_findings, collect_faults, open_page, sideways_overflow

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

NAME, PASSWORD = "Ann of Nuln", "under the hill 42"


async def sign_in(page: Page, url: str, button: str) -> None:
    await page.goto(f"{url}settings")
    await page.get_by_label("Name").fill(NAME)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name=button).click()
    await expect(page.get_by_text(f"You play as {NAME}.")).to_be_visible()


def elsewhere(page: Page) -> Locator:
    return page.get_by_role("status").filter(has_text="You play on another device.")


async def play_here(page: Page) -> None:
    await elsewhere(page).get_by_role("button", name="Play here").click()
    await expect(elsewhere(page)).to_have_count(0, timeout=ANSWER_MS)


async def test_second_device_takes_over_plays_a_card_and_the_first_takes_back(browser: Browser, url: str) -> None:
    laptop, phone = await open_page(browser), await open_page(browser)
    faults = [collect_faults(page) for page in (laptop, phone)]
    await sign_in(laptop, url, "Make an account")
    await laptop.goto(url)
    await laptop.get_by_role("button", name="Play now").click()
    await play_until(laptop, "command_card")

    await sign_in(phone, url, "Log in")
    await phone.goto(laptop.url)
    await expect(elsewhere(phone)).to_be_visible()
    await expect(bar(phone)).to_contain_text("Play here to answer on this device.")
    await expect(phone.locator(".fan")).to_have_count(0)
    await expect(elsewhere(laptop)).to_have_count(0)

    await play_here(phone)
    await expect(elsewhere(laptop)).to_be_visible()
    assert await answer(phone) == "command_card"
    for page in (laptop, phone):
        await expect(page.get_by_role("alert")).to_have_count(0)

    # Both may answer what needs no secret; the laptop takes everything back and goes on.
    await play_here(laptop)
    await expect(elsewhere(phone)).to_be_visible()
    await open_question(laptop)
    await answer(laptop)
    await expect(laptop.get_by_role("list", name="Log")).to_contain_text("plays on another device")
    for page in (laptop, phone):
        await expect(page.locator(".frozen")).to_have_count(0)
    assert not any(faults)


async def test_state_of_the_ousted_device_fits_a_phone_and_has_no_serious_finding(browser: Browser, url: str) -> None:
    laptop, phone = await open_page(browser), await open_page(browser, **PHONE)
    await sign_in(laptop, url, "Make an account")
    await laptop.goto(url)
    await laptop.get_by_role("button", name="Play now").click()
    await open_question(laptop)
    await sign_in(phone, url, "Log in")
    await phone.goto(laptop.url)
    await expect(elsewhere(phone)).to_be_visible()
    assert await sideways_overflow(phone) == 0
    assert await accessibility_findings(phone) == []
