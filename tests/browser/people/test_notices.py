"""Notices of the page that the player is wanted: title, icon, sound and notifications of the system."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.browser.web_page import DESKTOP, WAIT_MS, collect_faults, show

pytestmark = [pytest.mark.timeout(180), pytest.mark.asyncio(loop_scope="session")]

RECORD = """
(() => {
  window.notes = []; window.notices = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...when) {
    notes.push(this.frequency.value);
    return start.apply(this, when);
  };
  const System = Notification;
  window.Notification = class extends System {
    constructor(title, options) { super(title, options); notices.push({ title, ...options }); }
  };
})();
"""
"""Records what is played and shown besides playing and showing it."""
ANDROID = """
window.Notification = class extends Notification {
  constructor() {
    throw new TypeError("Failed to construct 'Notification': Illegal constructor.");
  }
};
"""
"""What Chrome on Android does: only a service worker may notify."""
SHOWN = """
navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((all) => all.map(({ tag, body }) => [tag, body]))
"""
HIDDEN = 'Object.defineProperty(document, "hidden", { get: () => true });'
"""Headless Chromium takes every page for one that is in view."""
ICON = 'document.querySelector(\'link[rel="icon"]\').getAttribute("href")'


@pytest.fixture(scope="module")
def chromium(whole_chromium: Browser) -> Browser:
    """The Chromium that people use: the one without windows makes no notice."""
    return whole_chromium


async def open_person(browser: Browser, service_workers: str = "block") -> BrowserContext:
    options: dict[str, Any] = {**DESKTOP, "service_workers": service_workers, "reduced_motion": "reduce"}
    context = await browser.new_context(**options, permissions=["notifications"])
    context.set_default_timeout(WAIT_MS)
    return context


async def open_waiting_tab(context: BrowserContext, url: str, *, wants_notices: bool) -> Page:
    """Open a tab in the background that shows the lobby, after a look at the settings."""
    page = await context.new_page()
    await page.add_init_script(RECORD)
    await page.add_init_script(HIDDEN)
    await page.goto(f"{url}settings")
    sound, notices = page.get_by_label("Sound when it is my turn"), page.get_by_label("Notify me when it is my turn")
    await expect(sound).not_to_be_checked()
    await expect(notices).not_to_be_checked()
    if wants_notices:
        await sound.check()
        await notices.check()
        await expect(notices).to_be_checked()
        await page.evaluate("notes.length = 0")  # two were played when sound was switched on
    await page.get_by_role("link", name="Play", exact=True).click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    return page


async def begin_match(context: BrowserContext, url: str) -> Page:
    """Open a second tab and a match in it that asks the player."""
    page = await context.new_page()
    await page.goto(url)
    await page.get_by_label("Game").first.select_option(label="The pit")
    await page.get_by_role("button", name="Play now").click()
    await expect(page.locator(".act")).to_have_attribute("data-status", "running")
    await expect(page.locator('.act:not([data-decision=""])')).to_have_count(1)
    return page


async def test_title_and_icon_of_every_tab_say_that_the_player_is_wanted(browser: Browser, url: str) -> None:
    context = await open_person(browser)
    waiting = await open_waiting_tab(context, url, wants_notices=False)
    assert await waiting.evaluate(ICON) == "/icon.svg"
    table = await begin_match(context, url)
    await expect(table).to_have_title("● Your move")
    assert await table.evaluate(ICON) == "/icon-turn.svg"
    await expect(waiting).to_have_title("● Diskwars")
    assert await waiting.evaluate(ICON) == "/icon-turn.svg"
    # Nobody switched them on.
    assert await waiting.evaluate("[notes, notices]") == [[], []]
    await table.get_by_role("button", name="Resign").click()
    await table.get_by_role("dialog").get_by_role("button", name="Resign").click()
    await expect(table).to_have_title("Diskwars")
    await expect(waiting).to_have_title("Diskwars")
    assert await waiting.evaluate(ICON) == "/icon.svg"
    await context.close()


async def test_turn_in_a_hidden_tab_sounds_and_notifies_once_where_that_is_wanted(browser: Browser, url: str) -> None:
    context = await open_person(browser)
    waiting = await open_waiting_tab(context, url, wants_notices=True)
    requests: list[str] = []
    waiting.on("request", lambda request: requests.append(request.resource_type))
    table = await begin_match(context, url)
    await waiting.wait_for_function("() => notices.length > 0")
    assert await waiting.evaluate("notices.map(({ title, body }) => [title, body])") == [
        ["Diskwars", "It is your turn."]
    ]
    assert await waiting.evaluate("notes") == [660, 880]
    assert "media" not in requests  # the notes are made, not loaded
    assert table.url.endswith(await waiting.evaluate("notices[0].tag"))
    await context.close()


async def test_notice_comes_from_the_worker_where_the_page_may_not_make_one(browser: Browser, url: str) -> None:
    context = await open_person(browser, service_workers="allow")
    await context.add_init_script(ANDROID)
    waiting = await open_waiting_tab(context, url, wants_notices=True)
    faults = collect_faults(waiting)
    table = await begin_match(context, url)
    match = table.url.rsplit("/", 1)[-1]
    async with asyncio.timeout(WAIT_MS / 1000):
        while not (shown := await waiting.evaluate(SHOWN)):
            await asyncio.sleep(0.1)
    assert shown == [[match, "It is your turn."]]
    await show(waiting, "notice-elsewhere")
    await table.close()
    # No test can click what the system shows: this is what the worker does then. It may focus a tab only for a click.
    (worker,) = context.service_workers
    await worker.evaluate("(path) => openMatch(path).catch(({ name }) => name)", f"/m/{match}")
    await expect(waiting).to_have_url(f"{url}m/{match}")
    await show(waiting, "notice-opened")
    assert faults == []
    await context.close()
