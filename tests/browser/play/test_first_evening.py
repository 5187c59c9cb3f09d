"""How few clicks a first evening takes, counted by the page: a first move against a bot, and two people at a table."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, WebSocket, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, bar, click_card, open_question, primary, ready_disks, resign
from tests.browser.web_page import collect_faults, draw, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

CLICKS_TO_A_MOVE = 6
CLICKS_OF_A_HOST, CLICKS_OF_A_GUEST = 3, 2
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
    log = page.get_by_role("list", name="Log")
    await expect(log).to_contain_text("flip")
    # Names are what is read first, beside the sign of the seat.
    await expect(log.locator(".entry b").first).to_be_attached()
    await expect(log.locator(".entry .emblem").first).to_be_attached()
    assert await clicks_of(page) == CLICKS_TO_A_MOVE + has_won_initiative
    assert faults == []


async def test_invitation_takes_three_clicks_to_open_and_two_to_accept(browser: Browser, url: str) -> None:
    host, guest = await open_counting(browser), await open_counting(browser)
    faults = [collect_faults(host), collect_faults(guest)]
    await host.goto(url)
    await host.get_by_role("button", name="New match").click()
    await host.get_by_role("button", name="Create match and get the link").click()
    await expect(host.get_by_text("The link is copied")).to_be_visible()
    await show(host, "invitation-host")
    await guest.goto(await host.get_by_label("Link", exact=True).input_value())
    await show(guest, "invitation-guest")
    await guest.get_by_role("button", name="Take seat 2").click()
    for page in (host, guest):
        await page.get_by_role("button", name="I am ready").click()
    for page in (host, guest):
        await expect(bar(page)).to_have_attribute("data-status", "running")
    assert (await clicks_of(host), await clicks_of(guest)) == (CLICKS_OF_A_HOST, CLICKS_OF_A_GUEST)
    assert not any(faults)


async def test_match_against_a_bot_is_opened_and_seated_in_one_request(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    sent: list[dict[str, Any]] = []

    def follow(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(json.loads(frame)))

    page.on("websocket", follow)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    assert await open_question(page)
    opening = [message for message in sent if message["type"] in ("open_match", "seat_bot")]
    assert [(message["type"], len(message.get("bots", ()))) for message in opening] == [("open_match", 1)]


@pytest.mark.parametrize(
    ("path", "button"), [("", "Play now"), ("new", "Create match and play"), ("learn", "Skip to the match")]
)
async def test_too_many_matches_with_bots_are_said_with_a_way_to_the_oldest(
    browser: Browser, url: str, path: str, button: str
) -> None:
    page = await open_page(browser)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    assert await open_question(page)
    oldest = page.url.rpartition("/")[2]
    refused = {"type": "refused", "code": "too_many_bots", "text": "full", "numbers": {"matches": 8}}
    await CannedServer({"open_match": {**refused, "oldest_match": oldest}}).attach(page)
    await page.goto(f"{url}{path}")
    if path == "new":
        await page.get_by_role("button", name="Bots", exact=True).click()
    await page.get_by_role("button", name=re.compile(button)).last.click()
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("8 of your matches with bots have not ended")
    await alert.get_by_role("button", name="Go to the oldest").click()
    assert await open_question(page)
    assert page.url.endswith(f"/m/{oldest}")


async def test_own_matches_are_left_and_resigned_from_the_lobby(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    assert await open_question(page)
    await page.goto(f"{url}new")
    await page.get_by_role("button", name="Create match and get the link").click()
    await expect(page.get_by_label("Link", exact=True)).to_be_visible()
    await page.goto(url)
    cards = page.get_by_role("region", name="Your matches").get_by_role("listitem")
    await expect(cards).to_have_count(2)
    await show(page, "own-matches")
    await cards.get_by_role("button", name="Leave", exact=True).click()
    await expect(cards).to_have_count(1)
    await resign(page)
    await expect(cards).to_have_count(0)
    await expect(page.get_by_role("region", name="Ended")).to_contain_text("bot wins")
    assert faults == []
