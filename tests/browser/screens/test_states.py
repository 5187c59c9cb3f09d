"""States of the page when something is wrong: a second tab, a server that is gone, a slow line."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.canned_server import CannedServer
from tests.browser.clicks import bar, click_card, play_until, primary
from tests.browser.web_page import WAIT_MS, open_page

PATHS = ("", "new", "watch", "armies", "history", "leaderboard", "players/p-ilse", "rules", "settings", "learn", "open")

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def test_second_tab_shows_the_same_match_and_follows_the_first(browser: Browser, url: str) -> None:
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAIT_MS)
    first = await context.new_page()
    await first.goto(url)
    await first.get_by_role("button", name="Play now").click()
    await play_until(first, "command_card")
    second = await context.new_page()
    await second.goto(first.url)
    await expect(bar(second)).to_have_attribute("data-question", "command_card", timeout=WAIT_MS)
    # Both tabs have the secrets of the seat: the second answers, and the first goes on.
    await click_card(second)
    await primary(second).click()
    await expect(bar(first)).not_to_have_attribute("data-question", "command_card", timeout=WAIT_MS)
    await expect(second.locator(".act .bad")).to_have_count(0)
    assert await first.locator(".frozen").count() == 0


async def test_server_that_is_gone_is_said_and_found_again(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    is_gone = True

    async def relay(route: WebSocketRoute) -> None:
        if is_gone:
            await route.close(code=1001, reason="gone")
        else:
            route.connect_to_server()

    await page.route_web_socket("**/ws", relay)
    await page.goto(url)
    notice = page.get_by_role("status").filter(has_text="Reconnecting")
    await expect(notice).to_be_visible(timeout=WAIT_MS)
    await expect(page.get_by_role("button", name="Play now")).to_be_disabled()
    is_gone = False
    await notice.get_by_role("button").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled(timeout=WAIT_MS)
    assert await notice.count() == 0


async def test_slow_line_sends_an_answer_once(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    acts: list[str] = []

    def relay(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        async def later(raw: str | bytes) -> None:
            text = raw if isinstance(raw, str) else raw.decode()
            if '"act"' in text:
                acts.append(text)
                await asyncio.sleep(1.5)
            server.send(raw)

        route.on_message(later)

    await page.route_web_socket("**/ws", relay)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await play_until(page, "command_card")
    await click_card(page)
    lock = primary(page)
    await lock.click()
    # Until the answer is there, the button cannot be pressed again.
    await expect(lock).to_be_disabled()
    await expect(page.locator('.act[data-question="command_card"]')).to_have_count(0, timeout=WAIT_MS)
    assert sum('"lock_card"' in text for text in acts) == 1


async def test_part_of_the_page_that_cannot_be_loaded_is_said(browser: Browser, shared_url: str) -> None:
    page, loads = await open_without_armies(browser, shared_url, lambda route: route.abort())
    await expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    await expect(page.get_by_role("button", name="Reload")).to_be_visible()
    assert len(loads) == 1, "nothing says that another page would have the part"


async def test_part_that_an_update_has_removed_brings_the_new_page_once(browser: Browser, shared_url: str) -> None:
    page, loads = await open_without_armies(browser, shared_url, lambda route: route.fulfill(status=404, body=""))
    await expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    await expect(page.get_by_role("button", name="Reload")).to_be_visible()
    assert len(loads) == 2, "once, and not for ever"


async def open_without_armies(
    browser: Browser, url: str, answer: Callable[[Route], Awaitable[None]]
) -> tuple[Page, list[str]]:
    """Open a page whose part for armies is answered in another way. Return it, and a list that grows with its loads."""
    page = await open_page(browser)
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    await CannedServer().attach(page)
    await page.route("**/assets/Armies*.js", answer)
    await page.goto(f"{url}armies")
    return page, loads
