"""The guided first match, played to its end as somebody new would: every hint is read when it comes."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, MAX_ANSWERS, answer, answer_with_clicks, bar, open_question, primary
from tests.browser.lesson_boards import HIDES_TARGET
from tests.browser.web_page import PHONE, collect_faults, continue_as, draw, open_page, token_of

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]

MAX_HINTS = 30
"""As many as there are kinds of questions and moments, of figures and of cards."""
MAX_PLACES = 12
"""More disks than a patrol has."""
IN_MATCH = re.compile("/m/")
"""The boards of the lessons ask too: what is open is read after the page has left them."""
LEAVES_AFTER = 3
"""After this many answers the player goes back to the lobby, and on."""

EVERY_MATCH = (
    "Your disks",
    "Choose a card for this turn",
    "Lit disks can act",
    "After round 5 the points count",
    "This is your zone. In a full match a deployment card",
)
"""Beginnings of the hints that no match goes without."""
NAMED = (
    r": movement \d",
    r"may shoot instead of moving\. Shot: \d dice, strength \d",
    r"has the keyword \w+",
    r": \d activations, (bold|steady|devious|slow)\.",
    r"has an ability as well as its figure\. \w+",
)
"""What no match goes without of the figures of disks and the kinds of cards, each with its value."""


async def read_hints(page: Page, read: list[str]) -> None:
    """Read each hint that is shown now, one after the other."""
    hint = page.get_by_role("complementary", name="Hint")
    for _ in range(MAX_HINTS):
        if not await hint.count():
            return
        read.append(await hint.locator("p").inner_text())
        # An arrow leads to what it is about, and the hint does not cover the end of the arrow.
        await expect(hint).to_have_attribute("data-at", re.compile(r"\d"))
        at = [float(part) for part in (await hint.get_attribute("data-at") or "").split()]
        assert not await page.evaluate(HIDES_TARGET, at), f"{read[-1]!r} lies over its subject"
        if (named := re.match(r"(.+): movement \d", read[-1])) is not None:
            disk = await page.locator(f'.stage .handle[aria-label^="{named[1]}"]').bounding_box()
            assert disk is not None
            assert 0 < at[0] - disk["x"] < disk["width"], "the figure is named at its disk"
        await hint.get_by_role("button", name="Understood").click()
        await expect(hint.get_by_text(read[-1])).to_have_count(0)


async def go_on_elsewhere(browser: Browser, url: str, page: Page) -> None:
    """Go on with the match on another device of the player: no hint that was read comes again there."""
    phone = await open_page(browser, **PHONE)
    await phone.goto(url)
    await expect(phone.get_by_role("button", name="Play now")).to_be_enabled()
    await continue_as(phone, await token_of(page))
    await phone.goto(f"{url}learn")
    await phone.get_by_role("button", name="Go on with the match").click()
    await expect(phone).to_have_url(page.url)
    await expect(bar(phone)).to_be_visible()
    await expect(phone.get_by_role("complementary", name="Hint")).to_have_count(0)
    await phone.close()


async def test_guided_match_ends_with_every_hint_read_once(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}learn")
    await page.get_by_role("button", name="Skip to the match").click()
    await expect(page.get_by_role("complementary", name="Hint")).to_be_visible()
    read: list[str] = []
    await read_hints(page, read)
    await go_on_elsewhere(browser, url, page)
    for _ in range(MAX_ANSWERS):
        if not await open_question(page):
            break
        await read_hints(page, read)
        await answer(page)
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    await read_hints(page, read)
    await expect(page.get_by_role("complementary", name="Hint")).to_have_count(0)
    assert len(read) == len(set(read))
    for beginning in EVERY_MATCH:
        assert any(one.startswith(beginning) for one in read), beginning
    for value in NAMED:
        assert any(re.search(value, one) for one in read), (value, read)
    assert faults == []


async def try_first(page: Page, question: str) -> None:
    """Do what the hint does not mention: click the felt, read an enemy."""
    stage = page.locator(".center .table")
    box = await stage.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if question in ("activation", "continuation"):
        enemy = page.locator('.handle:not([aria-label*="yours"])').first
        if await enemy.count():
            await enemy.focus()
            await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")


async def deploy_oneself(page: Page) -> None:
    """Lay the disks one beside the other, whatever was suggested."""
    zone = await page.locator(".overlay polygon.legal").first.bounding_box()
    assert zone is not None
    for place in range(MAX_PLACES):
        if await primary(page).is_enabled():
            break
        await page.locator(".tray button:not(.off)").first.click()
        await page.mouse.click(zone["x"] + 20 + 40 * place % (zone["width"] - 40), zone["y"] + zone["height"] / 2)
        await page.keyboard.press("Escape")
    if not await primary(page).is_enabled():
        await bar(page).get_by_role("button", name="Suggest places").click()
    await primary(page).click()


async def lock_last_card(page: Page) -> None:
    """Try to commit nothing, then lock the card at the end of the hand."""
    cards = await page.locator(".fan button").count()
    assert cards > 1, "the page locks the only card of a hand by itself, and asks nobody"
    assert await primary(page).is_disabled(), "nothing is chosen for the player"
    await page.keyboard.press(str(cards))
    await primary(page).click()


async def end_card(page: Page) -> None:
    """Let no disk act; the page asks once more while one could."""
    for _ in range(2):
        if not await bar(page).get_by_role("button", name=re.compile(r"^End ")).count():
            return
        await page.keyboard.press("e")


async def answer_otherwise(page: Page, question: str) -> None:
    """Do something else than what the hint says, where the question leaves another answer."""
    await try_first(page, question)
    ending = bar(page).get_by_role("button", name=re.compile(r"^(End the card|Pass$)")).first
    if question == "deployment":
        await deploy_oneself(page)
    elif question == "command_card":
        await lock_last_card(page)
    elif question == "activation" and await ending.count():
        await end_card(page)
    else:
        await answer_with_clicks(page, question)


async def test_guided_match_ends_for_a_player_who_never_does_what_the_hints_say(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}learn")
    await page.get_by_role("button", name="Skip to the match").click()
    await expect(page).to_have_url(IN_MATCH)
    hint = page.get_by_role("complementary", name="Hint")
    seen: set[str] = set()
    for count in range(MAX_ANSWERS):
        question = await open_question(page)
        if not question:
            break
        await expect(hint).to_be_visible()
        seen.add(await hint.locator("p").inner_text())
        if count == LEAVES_AFTER:
            await page.goto(url)
            await page.goto(f"{url}learn")
            await page.get_by_role("button", name="Go on with the match").click()
            await expect(page).to_have_url(IN_MATCH)
            question = await open_question(page)
        decision = await bar(page).get_attribute("data-decision") or ""
        await answer_otherwise(page, question)
        await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=ANSWER_MS)
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    assert len(seen) > 1, "each question has its hint, though none was ever said to be understood"
    await hint.get_by_role("button", name="No more hints").click()
    await expect(hint).to_have_count(0)
    assert faults == []


async def test_a_match_that_is_not_guided_sends_nothing_of_the_first_one(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    server = CannedServer(is_canned_player=False)
    await server.attach(page)
    await page.goto(f"{url}learn")
    await page.get_by_role("button", name="Skip to the match").click()
    hint = page.get_by_role("complementary", name="Hint")
    await expect(hint).to_be_visible()
    guided = page.url.rpartition("/")[2]
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await open_question(page)
    before = len(server.requests)
    await page.reload()
    await open_question(page)
    await draw(page)
    sent = [one for one in server.requests[before:] if one["type"] == "add_lesson_progress"]
    assert [(one.get("lessons", []), one.get("guided")) for one in sent] == [([], None)], "it is only asked for"
    before = len(server.requests)
    await page.goto(f"{url}m/{guided}")
    await expect(hint).to_be_visible()
    sent = [one for one in server.requests[before:] if one["type"] == "add_lesson_progress"]
    assert [one["guided"]["match"] for one in sent] == [guided]
