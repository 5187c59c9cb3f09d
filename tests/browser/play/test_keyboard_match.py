"""A whole match of Diskwars by keys alone: from the lobby to the result, against a bot on a real server."""

import asyncio
import json
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Page, WebSocket, expect

from tests.browser.clicks import ANSWER_MS, MAX_ANSWERS, bar, open_question, primary
from tests.browser.scripted_match import QUESTION_TYPES, ScriptedServer, find_question
from tests.browser.web_page import collect_faults, open_page

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]

MAX_TABS = 90
MAX_FLIPS = 6
MAX_TURNS = 72
POLL_SECONDS = 0.05
MAX_POLLS = int(ANSWER_MS / 1000 / POLL_SECONDS)
COUNT_POINTERS = 'window.pointers = 0; addEventListener("pointerdown", () => (pointers += 1), true);'
FOCUSED = """
() => {
  const { activeElement: one } = document;
  return one?.matches("button, a") ? (one.getAttribute("aria-label") ?? one.textContent).trim() : "";
}
"""


class Sent:
    """Counts the answers that a page sends, so that a key which means nothing differs from one that answered."""

    def __init__(self, page: Page) -> None:
        self.count = 0
        page.on("websocket", self._follow)

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framesent", self._take)

    def _take(self, frame: bytes | str) -> None:
        self.count += json.loads(frame).get("type") == "act"


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until a button or link of this name has the focus."""
    for _ in range(MAX_TABS):
        if str(await page.evaluate(FOCUSED)).startswith(name):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"no Tab reaches {name}")


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def plan_move(page: Page) -> None:
    """Go straight on with the next disk that can act, as far as it can, after turning to where it may go."""
    await press(page, "n")
    add = bar(page).get_by_role("button", name="Add flip")
    if not await add.count():
        return
    for _ in range(MAX_TURNS):
        if await add.is_enabled():
            break
        await press(page, "ArrowRight")
    for _ in range(MAX_FLIPS):
        if await add.is_disabled():
            break
        await press(page, "a")
    await press(page, "Enter")


WAYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "command_card": (("1", "Enter"),),
    "activation": (("Escape", "e"), ("e",)),
    "continuation": (("p", "Enter"),),
    "reinforcement": (("n", "Enter"),),
}
"""The keys to try for a question, one group after the other until an answer is sent."""
OTHER_WAYS = (("Enter",), ("1",), ("Enter",), ("a", "Enter"))


async def send_by_keys(page: Page, count: Callable[[], int], question: str) -> None:
    """Press keys until an answer to the open question is on its way: until there is one more to count."""
    before = count()
    if question == "activation":
        await plan_move(page)
    if question == "deployment":
        await tab_to(page, "Suggest places")
        await press(page, "Enter")
        await tab_to(page, (await primary(page).inner_text()).splitlines()[0])
    for keys in WAYS.get(question, OTHER_WAYS):
        if count() > before:
            break
        await press(page, *keys)
    for _ in range(MAX_POLLS):
        if count() > before:
            return
        await asyncio.sleep(POLL_SECONDS)
    raise AssertionError(f"no key answers {question}: {await bar(page).inner_text()}")


async def answer_by_keys(page: Page, sent: Sent, question: str) -> None:
    decision = await bar(page).get_attribute("data-decision") or ""
    await send_by_keys(page, lambda: sent.count, question)
    await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=ANSWER_MS)


async def test_whole_match_is_played_without_a_mouse(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.add_init_script(COUNT_POINTERS)
    sent = Sent(page)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await tab_to(page, "Play now")
    await press(page, "Enter")
    await expect(primary(page)).to_be_visible()
    asked: set[str] = set()
    for _ in range(MAX_ANSWERS):
        question = await open_question(page)
        if not question:
            break
        asked.add(question)
        await answer_by_keys(page, sent, question)
    result = page.get_by_role("region", name="Result")
    await expect(result).to_be_visible()
    await expect(result).to_be_focused()
    assert {"command_card", "activation"} <= asked
    await tab_to(page, "Luck report")
    await press(page, "Enter")
    await expect(page.get_by_role("table", name="Luck")).to_be_visible()
    assert await page.evaluate("pointers") == 0
    assert faults == []


@pytest.mark.parametrize("question", QUESTION_TYPES)
async def test_every_question_is_answered_without_a_mouse(browser: Browser, shared_url: str, question: str) -> None:
    page = await open_page(browser)
    await page.add_init_script(COUNT_POINTERS)
    server = ScriptedServer(find_question(question))
    await server.open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    await expect(bar(page)).to_have_attribute("aria-busy", "false")
    await send_by_keys(page, lambda: len(server.answers), question)
    assert server.refusals == []
    assert await page.evaluate("pointers") == 0
