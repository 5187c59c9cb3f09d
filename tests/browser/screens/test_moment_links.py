"""Links to a moment, opened by somebody else: the same record, seen from the same seat."""

import re

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import resign, wait_for_any
from tests.browser.play.test_two_players import MAX_ANSWERS, answer_if_asked, open_match
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

GO = """address => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
"""Goes to an address as Back and Forward do, without loading the page."""
MOMENT = re.compile(r"/m/[a-z0-9]+/(\d+)\?as=([a-z]+)$")


def asked(page: Page) -> Locator:
    """Return the bar of a page that asks for something."""
    return page.locator('.act:not([data-decision=""])')


async def look_as(page: Page, place: int, word: str) -> str:
    """Look through the eyes of a viewpoint and return the address that names the moment."""
    await page.get_by_role("group", name="Seen as").get_by_role("button").nth(place).click()
    await expect(page).to_have_url(re.compile(f"{word}$"))
    return page.url


async def assert_seen_by_somebody_else(browser: Browser, address: str, viewpoint: str, cards: int) -> None:
    """Assert which record a stranger sees at an address, from which viewpoint, and how many cards of hands."""
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(address)
    found = MOMENT.search(address)
    assert found is not None
    await expect(page.get_by_role("slider")).to_have_value(found[1])
    pressed = page.get_by_role("group", name="Seen as").locator('[aria-pressed="true"]')
    await expect(pressed).to_have_text([viewpoint])
    await expect(page.locator(".hand li")).to_have_count(cards)
    await settle(page)
    await expect(page.locator(".hand li")).to_have_count(cards)
    assert faults == []
    await page.context.close()


async def test_link_to_a_moment_shows_a_stranger_what_its_viewpoint_saw(browser: Browser, url: str) -> None:
    host, guest = await open_page(browser), await open_page(browser)
    await open_match(host, guest, url, "Diskwars")
    begun = host.get_by_text("Round 1 of")
    for _ in range(MAX_ANSWERS):
        if await begun.count():
            break
        if not any([await answer_if_asked(host), await answer_if_asked(guest)]):
            await wait_for_any(begun, asked(host), asked(guest))
    await expect(begun).to_be_visible()
    await resign(host)
    await host.get_by_role("button", name="Replay").first.click()
    await expect(host.get_by_role("group", name="Seen as")).to_be_visible()
    # After round 1 has begun both hold their hands.
    await host.locator("body").press("Home")
    await host.locator("body").press("]")
    names = await host.get_by_role("group", name="Seen as").get_by_role("button").all_inner_texts()
    for place, word, has_cards in ((1, "a", True), (2, "b", True), (3, "public", False)):
        address = await look_as(host, place, f"as={word}")
        await settle(host)
        cards = await host.locator(".hand li").count()
        assert (cards > 0) is has_cards
        await assert_seen_by_somebody_else(browser, address, names[place], cards)


@pytest.mark.parametrize("game", ["Diskwars", "The pit", "Close quarters", "Regiments"])
async def test_addresses_of_moments_lead_to_them_and_back(browser: Browser, url: str, game: str) -> None:
    """Another moment of the same match left the match, and what was shown was "Loading the match"."""
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_label("Game").first.select_option(label=game)
    await page.get_by_role("button", name="Play now").click()
    await resign(page)
    await page.get_by_role("button", name="Replay").first.click()
    slider = page.get_by_role("slider")
    await expect(slider).to_be_visible()
    head = int(await slider.get_attribute("max") or 0)
    address = re.sub(r"(/m/[a-z0-9]+).*", r"\1", page.url)
    for moment in (head, 1, 2, head // 2):
        await page.evaluate(GO, f"{address}/{moment}")
        await expect(slider).to_have_value(str(moment))
        await page.locator("body").press("Home")
        await expect(slider).to_have_value("1")
        await expect(page).to_have_url(f"{address}/1")
    await page.go_back()
    await expect(slider).to_have_value("1")
    # A moment that the match does not have is the last one, from which the keys go on.
    for beyond in (head + 1, 9999):
        await page.goto(f"{address}/{beyond}")
        await expect(slider).to_have_value(str(head))
        await page.locator("body").press("ArrowLeft")
        await expect(slider).to_have_value(str(head - 1))
    assert faults == []
