"""How few clicks a first evening takes, counted by the page: a first move against a bot, and two people at a table."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, click_card, open_question, primary, ready_disks
from tests.browser.web_page import collect_faults, draw, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

CLICKS_TO_A_MOVE = 6
CLICKS_OF_A_GUEST = 2
COUNT_CLICKS = """
addEventListener("pointerdown", () => {
  sessionStorage.setItem("clicks", 1 + Number(sessionStorage.getItem("clicks")));
}, true);
"""
FRAMES_WITHOUT_CARDS = 60
ARE_CARDS_GONE = """
(frames) => new Promise((done) => {
  let free = 0;
  const look = () => {
    free = document.querySelector(".reveal") ? 0 : free + 1;
    free > frames ? done() : requestAnimationFrame(look);
  };
  look();
})
"""
"""Revealed cards lie over the table for a while, and go by themselves."""


async def clicks_of(page: Page) -> int:
    return int(await page.evaluate("Number(sessionStorage.getItem('clicks'))"))


async def press_and_wait(page: Page) -> None:
    """Press the primary button, and wait until its question is answered."""
    before = await bar(page).get_attribute("data-decision") or ""
    await primary(page).click()
    await expect(bar(page)).not_to_have_attribute("data-decision", before, timeout=ANSWER_MS)


async def open_counting(browser: Browser) -> Page:
    """Open a page that counts each press of its pointer."""
    page = await open_page(browser, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    await page.add_init_script(COUNT_CLICKS)
    return page


async def test_first_move_against_a_bot_takes_six_clicks(browser: Browser, url: str) -> None:
    page = await open_counting(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    # Who wins the roll for it decides who goes first: one more click in half of the matches.
    has_won_initiative = await open_question(page) == "first_player"
    if has_won_initiative:
        await press_and_wait(page)
    assert await open_question(page) == "deployment"
    await press_and_wait(page)
    assert await open_question(page) == "command_card"
    await click_card(page)
    await primary(page).click()
    # The bot may go first: its card is resolved before.
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    await page.evaluate(ARE_CARDS_GONE, FRAMES_WITHOUT_CARDS)
    await settle(page)
    box = await ready_disks(page).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # One press: the drag chooses the disk and aims its flip.
    await page.mouse.move(x, y)
    await page.mouse.down()
    for far in (20, 60, 100):
        await page.mouse.move(x, y - far)
        await draw(page)
    await page.mouse.up()
    await expect(primary(page)).to_contain_text("Commit 1 flip")
    await press_and_wait(page)
    await expect(page.get_by_role("list", name="Log")).to_contain_text("flip")
    assert await clicks_of(page) == CLICKS_TO_A_MOVE + has_won_initiative
    assert faults == []


async def test_guest_of_an_invitation_needs_two_clicks(browser: Browser, url: str) -> None:
    host, guest = await open_page(browser), await open_counting(browser)
    faults = [collect_faults(host), collect_faults(guest)]
    await host.goto(f"{url}new")
    await host.get_by_role("button", name="Create match and get the link").click()
    await guest.goto(await host.get_by_label("Link", exact=True).input_value())
    await guest.get_by_role("button", name="Take seat 2").click()
    await guest.get_by_role("button", name="I am ready").click()
    await expect(bar(guest)).to_contain_text("Waiting for")
    assert await clicks_of(guest) == CLICKS_OF_A_GUEST
    assert not any(faults)
