"""The page in a real Chromium: a round against a bot by clicks, a lost line, a replay, a phone, accessibility."""

import asyncio
import gzip
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from diskwars_protocol.records.match_file import BYTE_ORDER_MARK
from diskwars_server.http.page_files import StaticFile
from tests.browser.clicks import FLIPS, answer, play_until, ready_disks
from tests.browser.web_page import (
    PHONE,
    WAIT_MS,
    accessibility_findings,
    collect_faults,
    open_page,
    sideways_overflow,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "files"
MAX_SCRIPT_BYTES = 150 * 1024
MAX_ANSWERS = 60

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def begin(page: Page, url: str) -> None:
    """Two clicks from the lobby to a match against a bot, and one more to begin."""
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()


async def test_round_against_a_bot_is_played_by_clicks(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await begin(page, url)
    asked = set()
    for _ in range(MAX_ANSWERS):
        asked.add(await answer(page))
        if await page.get_by_text("Round 2 of").count():
            break
    await expect(page.get_by_text("Round 2 of")).to_be_visible()
    assert {"deployment", "command_card"} <= asked
    assert asked & {"move", "shot"}
    log = page.get_by_role("list", name="Log")
    await expect(log).to_contain_text(FLIPS)
    await expect(log.locator(".rule").first).to_be_visible()
    # Each line of the log leads to its moment, and back.
    earlier = log.get_by_role("button", name="Earlier entries")
    while await earlier.count():
        await earlier.click()
    await log.get_by_role("button").first.click()
    await expect(page.get_by_role("slider")).to_have_value("1")
    await page.get_by_role("button", name="Back to live").click()
    await expect(page.get_by_role("slider")).to_have_count(0)
    assert faults == []


async def test_cut_connection_is_resumed_and_the_plan_is_kept(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    routes: list[WebSocketRoute] = []

    def relay(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    await page.route_web_socket("**/ws", relay)
    await begin(page, url)
    await play_until(page, "activation")
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Add flip").click()
    await expect(page.get_by_role("button", name="Commit 1 flip")).to_be_enabled()
    await routes[-1].close(code=4000, reason="cut")
    async with asyncio.timeout(WAIT_MS / 1000):
        while len(routes) < 2:
            await asyncio.sleep(0.05)
    assert len(routes) > 1
    await expect(page.get_by_role("button", name="Commit 1 flip")).to_be_enabled()
    await page.get_by_role("button", name="Commit 1 flip").click()
    await expect(page.get_by_role("list", name="Log")).to_contain_text(FLIPS)
    await expect(page.get_by_text("Reconnecting")).to_have_count(0)


async def test_match_file_is_checked_and_replayed(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}open")
    chosen = page.locator("input[type=file]")
    await chosen.set_input_files({"name": "no.jsonl", "mimeType": "text/plain", "buffer": b"no match\n"})
    await expect(page.get_by_role("alert")).to_contain_text("not a match file")
    raw = (GOLDEN / "diskwars-elimination.match.jsonl").read_bytes()
    changed = raw.replace(b'"damage_dealt"', b'"damage_dealT"', 1)
    await chosen.set_input_files({"name": "changed.jsonl", "mimeType": "text/plain", "buffer": changed})
    await expect(page.get_by_role("alert")).to_contain_text("hash does not follow")
    saved = BYTE_ORDER_MARK + raw.replace(b"\n", b"\r\n")  # as an editor on Windows saves it
    await chosen.set_input_files({"name": "match.json", "mimeType": "application/json", "buffer": saved})
    records = raw.count(b"\n") - 1
    await expect(page.get_by_text(f"{records} records, one hash chain")).to_be_visible()
    slider = page.get_by_role("slider")
    await expect(slider).to_have_value(str(records))
    await page.locator("body").press("Home")
    await expect(slider).to_have_value("1")
    for _ in range(2):
        await page.locator("body").press("]")
    await expect(page.get_by_text("Round 2 of")).to_be_visible()
    assert await page.locator(".disk").count() > 3
    await page.locator("body").press("End")
    await expect(slider).to_have_value(str(records))
    assert faults == []


async def test_phone_shows_lobby_and_table_without_scrolling_sideways(browser: Browser, url: str) -> None:
    page = await open_page(browser, **PHONE)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    assert await sideways_overflow(page) == 0
    await page.get_by_role("button", name="Play now").tap()
    await play_until(page, "command_card")
    assert await sideways_overflow(page) == 0
    lowest = await page.locator(".act .primary").bounding_box()
    assert lowest is not None
    assert lowest["height"] >= 44


async def test_nothing_serious_keeps_anybody_from_playing(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await begin(page, url)
    await play_until(page, "activation")
    for _ in range(2):
        assert await accessibility_findings(page) == []
        await page.get_by_role("button", name="Change between dark and light").click()


SAVE_DATA = 'Object.defineProperty(navigator, "connection", { value: { saveData: true } })'
"""Without this the lobby goes on, while the browser is idle, with the table of a match."""


async def test_first_load_has_little_script(browser: Browser, url: str, files: dict[str, StaticFile]) -> None:
    page = await open_page(browser)
    await page.add_init_script(SAVE_DATA)
    fetched: set[str] = set()
    page.on("request", lambda request: fetched.add(request.url.removeprefix(url.rstrip("/"))))
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    scripts = [file.body for path, file in files.items() if path.endswith(".js") and path in fetched]
    assert 0 < sum(len(gzip.compress(body)) for body in scripts) <= MAX_SCRIPT_BYTES
