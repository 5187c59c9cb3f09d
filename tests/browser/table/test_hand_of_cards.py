"""A hand of more command cards than the table is wide: each is reached and read by pointer, finger and keyboard."""

from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, primary
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, collect_faults, draw, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

CARDS = 9
"""Three heroes of command value 3 take as many (R2.6)."""
WINDOWS: dict[str, dict[str, Any]] = {
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
    "390x844": PHONE,
    "844x390": {**PHONE, "viewport": {"width": 844, "height": 390}},
}
STRIPS = """
() => {
  const fan = document.querySelector(".fan").getBoundingClientRect();
  return [...document.querySelectorAll(".fan .place")].map((place) => {
    const box = place.getBoundingClientRect();
    return [Math.max(box.left, fan.left), Math.min(box.right, fan.right), box.top, box.bottom];
  });
}
"""
CUT = """
(card) => {
  const box = card.getBoundingClientRect();
  const stage = document.querySelector(".center > .table").getBoundingClientRect();
  const outside = box.left < stage.left || box.right > stage.right + 1 || box.top < stage.top;
  const unread = [card.querySelector(".name"), card.querySelector(".text")].filter((part) => {
    const own = part.getBoundingClientRect();
    const at = (x, y) => part.contains(document.elementFromPoint(x, y)) || document.elementFromPoint(x, y) === part;
    const isCovered = ![[own.left + 2, own.top + 2], [own.right - 2, own.bottom - 2]].every(([x, y]) => at(x, y));
    const isCut = part.matches(".text") && part.scrollHeight > part.clientHeight + 1;
    return isCovered || isCut || own.bottom > stage.bottom;
  });
  return [outside, unread.map((part) => part.textContent)];
}
"""


class WideHand(ScriptedServer):
    """Offers more cards of the match's pack than its player holds."""

    def _options(self) -> dict[str, Any]:
        message = super()._options()
        board = self.playing.board
        first = message["options"]["actions"][0]
        longest = sorted(board.cards, key=lambda card: -len(msgspec.json.encode(card)))[:CARDS]
        message["options"]["actions"] = [{**first, "card": card.id} for card in longest]
        return message


async def open_hand(browser: Browser, url: str, window: str) -> Page:
    page = await open_page(browser, **WINDOWS[window])
    await WideHand(find_question("command_card")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "command_card", timeout=ANSWER_MS)
    await settle(page)
    return page


@pytest.mark.parametrize("window", WINDOWS)
async def test_each_card_of_a_wide_hand_is_chosen_and_read(browser: Browser, shared_url: str, window: str) -> None:
    page = await open_hand(browser, shared_url, window)
    faults = collect_faults(page)
    cards = page.locator(".fan .cc")
    await expect(cards).to_have_count(CARDS)
    await show(page, f"hand-{window}")
    names = []
    for place in range(CARDS):
        await cards.nth(place).scroll_into_view_if_needed()
        await draw(page)
        left, right, top, _ = (await page.evaluate(STRIPS))[place]
        assert right - left >= 24, (window, place)
        x, y = left + min(22, (right - left) / 2), top + 20
        if window == "1280x800":
            await page.mouse.click(x, y)
        else:
            await page.touchscreen.tap(x, y)
        await expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
        await settle(page)
        assert await cards.nth(place).evaluate(CUT) == [False, []], (window, place)
        names.append(await primary(page).inner_text())
    assert len(set(names)) == CARDS
    await show(page, f"hand-{window}-chosen")
    assert faults == []


async def test_pointer_reads_each_card_on_its_way_along_the_hand(browser: Browser, shared_url: str) -> None:
    """A raised card covered its neighbours to the right, so that the pointer came to every third one."""
    page = await open_hand(browser, shared_url, "1280x800")
    cards = page.locator(".fan .cc")
    strips = await page.evaluate(STRIPS)
    for place, (left, _, top, _) in enumerate(strips):
        await page.mouse.move(left + 20, top + 20, steps=4)
        await settle(page)
        raised = await cards.evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().top)")
        assert raised.index(min(raised)) == place
        assert await cards.nth(place).evaluate(CUT) == [False, []], place


async def test_keys_choose_and_show_each_card(browser: Browser, shared_url: str) -> None:
    page = await open_hand(browser, shared_url, "390x844")
    cards = page.locator(".fan .cc")
    for place in range(CARDS):
        await page.keyboard.press(str(place + 1))
        await expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
        await settle(page)
        assert await cards.nth(place).evaluate(CUT) == [False, []], place
    await cards.first.focus()
    for place in range(CARDS):
        await expect(cards.nth(place)).to_be_focused()
        await page.keyboard.press("Tab")
