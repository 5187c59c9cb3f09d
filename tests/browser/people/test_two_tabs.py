"""Two tabs of one browser: after every act on the account in one of them, both show the player that they are."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from diskwars_server.http.page_files import StaticFile
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.operator_acts import OperatorAct
from tests.browser.clicks import answer, open_question
from tests.browser.conftest import closing_pages
from tests.browser.web_page import DESKTOP, WAIT_MS, collect_faults, serving_page

NAME, PASSWORD = "Tabby of Nuln", "under the hill 42"
TOKEN = "localStorage.getItem('diskwars.token')"
SEATS = "Object.keys(localStorage).filter((key) => key.startsWith('diskwars.seat.'))"
REQUEST = """
async ({ address, token, request }) => {
  const socket = new WebSocket(address);
  await new Promise((done) => (socket.onopen = done));
  return await new Promise((done) => {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") socket.send(JSON.stringify({ id: "1", ...request }));
      if (message.id === "1" || message.type === "closing") {
        done(message);
        socket.close();
      }
    };
    socket.send(JSON.stringify({ type: "hello", versions: [1], ...(token ? { token } : {}) }));
  });
}
"""
"""Sends one request on a connection of its own and returns its answer."""

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def database() -> MemoryDatabase:
    """The store of the server of a test: operators write their acts there."""
    return MemoryDatabase()


@pytest_asyncio.fixture(loop_scope="session")
async def url(browser: Browser, files: dict[str, StaticFile], database: MemoryDatabase) -> AsyncIterator[str]:
    async with serving_page(files, database=database) as address, closing_pages(browser):
        yield address


async def open_tabs(browser: Browser) -> tuple[Page, Page]:
    """Open two empty tabs of one browser that nobody has used."""
    options: dict[str, Any] = {**DESKTOP, "service_workers": "block", "reduced_motion": "reduce"}
    context = await browser.new_context(**options)
    context.set_default_timeout(WAIT_MS)
    return await context.new_page(), await context.new_page()


@pytest_asyncio.fixture(loop_scope="session")
async def tabs(browser: Browser, url: str) -> tuple[Page, Page]:
    """Two tabs of one guest: the first in the settings, the second in the lobby."""
    first, second = await open_tabs(browser)
    await open_settings(first, url)
    await second.goto(url)
    await expect(second.get_by_role("button", name="Play now")).to_be_enabled()
    return first, second


async def open_settings(page: Page, url: str) -> None:
    await page.goto(f"{url}settings")
    await expect(page.get_by_role("button", name="My profile")).to_be_visible()


async def sign(page: Page, button: str, name: str = NAME) -> None:
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name=button).click()


async def request(page: Page, url: str, fields: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    """Send a request beside the page, as another program of this player or of somebody new."""
    address = url.replace("http", "ws", 1) + "ws"
    return dict(await page.evaluate(REQUEST, {"address": address, "token": token, "request": fields}))


async def show_account(page: Page, name: str | None = NAME) -> None:
    """Look in the settings at who a page plays as; it is not loaded again."""
    await page.evaluate("history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))")
    text = "You play as a guest of this browser" if name is None else f"You play as {name}."
    await expect(page.get_by_text(text)).to_be_visible()


async def player_of(page: Page) -> str:
    """Return the player to whom the page leads from its settings."""
    await page.get_by_role("button", name="My profile").click()
    await page.wait_for_url("**/players/*")
    player = page.url.rsplit("/", 1)[1]
    await page.evaluate("history.pushState(null, '', '/settings'); dispatchEvent(new PopStateEvent('popstate'))")
    return player


async def expect_one_player(first: Page, second: Page, url: str, name: str | None) -> str:
    """Expect that both tabs show this player, also after they are loaded again."""
    await show_account(first, name)
    await show_account(second, name)
    player = await player_of(first)
    assert await player_of(second) == player
    for page in (first, second):
        await open_settings(page, url)
        await show_account(page, name)
        assert await player_of(page) == player
    return player


async def test_account_made_in_one_tab_is_that_of_both(tabs: tuple[Page, Page], url: str) -> None:
    first, second = tabs
    faults = collect_faults(second)
    await second.get_by_role("button", name="Play now").click()
    question = await open_question(second)
    guest = await player_of(first)
    await sign(first, "Make an account")
    await show_account(first)
    # The match goes on in the tab whose token was replaced: with its seat and the secrets of it.
    assert await open_question(second) == question
    await answer(second)
    await expect(second.get_by_text("You are another player now")).to_have_count(0)
    assert len(await second.evaluate(SEATS)) == 1
    assert await expect_one_player(first, second, url, NAME) == guest
    assert faults == []


async def test_login_and_logout_in_one_tab_are_those_of_both(tabs: tuple[Page, Page], url: str) -> None:
    first, second = tabs
    registered = await request(first, url, {"type": "register", "name": NAME, "password": PASSWORD})
    await second.get_by_role("button", name="Play now").click()
    await open_question(second)
    seats = await second.evaluate(SEATS)
    guest = await player_of(first)
    await sign(first, "Log in")
    await show_account(first)
    # The seat belongs to the former player: the account sees the match without it, and the reason.
    await expect(second.get_by_text("Another tab of this browser is this player now")).to_be_visible()
    await expect(second.locator(".act .primary")).to_have_count(0)
    assert await expect_one_player(first, second, url, NAME) == registered["player"]
    assert await second.evaluate(SEATS) == seats
    await first.get_by_role("button", name="Log out", exact=True).click()
    await expect(second.get_by_text("Your login has ended")).to_be_visible()
    await first.wait_for_url(url)
    player = await expect_one_player(first, second, url, None)
    assert player not in (guest, registered["player"])
    assert await second.evaluate(SEATS) == seats
    await sign(second, "Log in")
    await show_account(second)
    assert await expect_one_player(second, first, url, NAME) == registered["player"]


async def test_account_deleted_elsewhere_makes_both_tabs_the_same_guest(tabs: tuple[Page, Page], url: str) -> None:
    first, second = tabs
    await sign(first, "Make an account")
    await show_account(second)
    token = await first.evaluate(TOKEN)
    answer = await request(first, url, {"type": "delete_account", "password": PASSWORD}, token)
    assert answer["type"] == "account_changed", json.dumps(answer)
    for page in tabs:
        await expect(page.get_by_text("Your login has ended")).to_be_visible()
    await expect_one_player(first, second, url, None)


async def test_token_that_the_server_refuses_makes_both_tabs_the_same_guest(tabs: tuple[Page, Page], url: str) -> None:
    first, second = tabs
    guest = await player_of(first)
    await first.evaluate("localStorage.setItem('diskwars.token', 'no-token-at-all')")
    for page in tabs:
        await expect(page.get_by_text("You are another player now")).to_be_visible()
    assert await expect_one_player(first, second, url, None) != guest


async def test_ban_is_shown_in_both_tabs_and_takes_no_account_away(
    tabs: tuple[Page, Page], url: str, database: MemoryDatabase
) -> None:
    first, second = tabs
    await sign(first, "Make an account")
    player = await expect_one_player(first, second, url, NAME)
    ban = OperatorAct("ban", "olga", player, 1, "threats")
    await database.operator_acts.add(ban)
    for page in tabs:
        await expect(page.get_by_text("you are banned from this server: threats")).to_be_visible()
    await second.reload()
    await expect(second.get_by_text("you are banned from this server: threats")).to_be_visible()
    await database.operator_acts.add(replace(ban, kind="unban"))
    for page in tabs:
        await page.get_by_role("button", name="Reload").click()
    assert await expect_one_player(first, second, url, NAME) == player


async def test_tabs_opened_at_once_are_one_guest(browser: Browser, url: str) -> None:
    pages = await open_tabs(browser)
    for page in pages:
        await page.goto(url, wait_until="commit")
    for page in pages:
        await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect_one_player(pages[0], pages[1], url, None)


KEPT_ARMIES = "JSON.parse(localStorage.getItem('diskwars.armies') ?? '[]').map(({ name }) => name)"


async def test_armies_built_in_two_tabs_are_both_kept(browser: Browser, url: str) -> None:
    first, second = await open_tabs(browser)
    for tab in (first, second):
        await tab.goto(f"{url}armies")
        await expect(tab.get_by_role("button", name="Change a copy").first).to_be_visible()
    await first.get_by_role("button", name="Change a copy").first.click()
    await first.wait_for_function(f"{KEPT_ARMIES}.length === 1")
    await second.get_by_role("button", name="Change a copy").nth(1).click()
    await second.wait_for_function(f"{KEPT_ARMIES}.length === 2")
    assert len({*await first.evaluate(KEPT_ARMIES)}) == 2


async def test_settings_changed_in_two_tabs_are_both_kept(browser: Browser, url: str) -> None:
    first, second = await open_tabs(browser)
    for tab in (first, second):
        await open_settings(tab, url)
    await first.get_by_label("Sound when it is my turn").check()
    await second.get_by_label("Keyboard shortcuts at the table").uncheck()
    kept = json.loads(await first.evaluate("localStorage.getItem('diskwars.settings')"))
    assert (kept["sound"], kept["keys"]) == (True, False)
