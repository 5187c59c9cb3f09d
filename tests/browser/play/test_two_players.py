"""Two browsers play each other, and a third watches; what players agree on, in a small game."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, ASKED, FLIPS, activate_without_shot, answer_with_clicks, bar, wait_for_any
from tests.browser.web_page import collect_faults, open_page

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]

MAX_ANSWERS = 120
"""More than a round asks of both seats."""


async def open_match(host: Page, guest: Page, url: str, game: str, watching: str = "Live") -> str:
    """Open a match, let a guest take a seat, and begin. Returns its address."""
    await host.goto(f"{url}new")
    sheet = host.get_by_role("dialog")
    await sheet.get_by_label("Game").select_option(label=game)
    if game == "Diskwars":
        await sheet.get_by_role("group", name="Set-up").get_by_role("button", name="Quick").click()
    await sheet.get_by_role("group", name="Clock").get_by_role("button", name="Live").click()
    await sheet.get_by_role("group", name="Watchers").get_by_role("button", name=watching).click()
    await host.get_by_role("button", name="Create match and get the link").click()
    await guest.goto(await host.get_by_label("Link", exact=True).input_value())
    await guest.get_by_role("button", name="Take seat 2").click()
    for player in (host, guest):
        await player.get_by_role("button", name="I am ready").click()
    return host.url


async def answer_if_asked(page: Page) -> bool:
    """Answer the open question of a page, if there is one for its seat."""
    asked = page.locator(ASKED)
    if not await asked.count():
        return False
    decision = await asked.get_attribute("data-decision") or ""
    question = await bar(page).get_attribute("data-question") or ""
    if question == "activation":  # whether each disk can shoot is looked up in other tests: that takes a click a disk
        await activate_without_shot(page)
    else:
        await answer_with_clicks(page, question)
    await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=ANSWER_MS)
    return True


async def play_a_round(host: Page, guest: Page) -> int:
    """Play on to the second round; return how many answers both gave."""
    answers = 0
    while answers < MAX_ANSWERS and not await host.get_by_text("Round 2 of").count():
        given = [await answer_if_asked(host), await answer_if_asked(guest)]
        answers += sum(given)
        if not any(given):
            await wait_for_any(*(page.locator(ASKED) for page in (host, guest)), host.get_by_text("Round 2 of"))
    return answers


async def test_round_between_two_browsers_is_watched_by_a_third_a_round_later(browser: Browser, url: str) -> None:
    host, guest, watcher = [await open_page(browser) for _ in range(3)]
    faults = [collect_faults(page) for page in (host, guest, watcher)]
    address = await open_match(host, guest, url, "Diskwars", "A round later")
    await watcher.goto(address)
    await expect(watcher.get_by_text("Watching", exact=True)).to_be_visible()
    await answer_if_asked(host)
    assert await watcher.get_by_role("list", name="Log").get_by_text(FLIPS).count() == 0
    assert await play_a_round(host, guest) > 2
    for page in (host, guest):
        await expect(page.get_by_text("Round 2 of")).to_be_visible()
    log = watcher.get_by_role("list", name="Log")
    await expect(log).to_contain_text(FLIPS)
    earlier = log.get_by_role("button", name="Earlier entries")
    while await earlier.count():
        await earlier.click()
    await expect(log).to_contain_text("Round 1")
    await expect(watcher.locator(".act .primary")).to_have_count(0)
    assert not any(faults)


async def test_draw_is_agreed_on_in_a_smaller_game_with_clocks(browser: Browser, url: str) -> None:
    host, guest = await open_page(browser), await open_page(browser)
    await open_match(host, guest, url, "The pit")
    for page in (host, guest):
        await expect(page.get_by_role("timer")).to_have_count(2)
    await guest.get_by_role("button", name="Agree on").click()
    await guest.get_by_role("button", name="Offer a draw").click()
    await host.get_by_role("button", name="Agree", exact=True).click()
    for page in (host, guest):
        await expect(page.locator(".act .q b")).to_have_text("Nobody wins")
        assert await page.get_by_role("button", name="Agree on").count() == 0
