"""The page in a real Chromium: a round against a bot by clicks, a lost line, a replay, a phone, accessibility."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from diskwars_server.page_files import StaticFile
from tests.browser.web_page import AXE, built_page, collect_faults, open_browser, serving_page

GOLDEN = Path(__file__).parents[1] / "golden" / "files"
MAX_SCRIPT_BYTES = 150 * 1024
MAX_ANSWERS = 60
WAIT_MS = 40_000
"""Longer than a busy machine needs."""

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def files() -> dict[str, StaticFile]:
    return built_page()


@pytest_asyncio.fixture
async def url(files: dict[str, StaticFile]) -> AsyncIterator[str]:
    async with serving_page(files) as address:
        yield address


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser


async def new_page(browser: Browser, **options: Any) -> Page:
    page = await browser.new_page(**{"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark", **options})
    page.set_default_timeout(WAIT_MS)
    return page


async def begin(page: Page, url: str) -> None:
    """Two clicks from the lobby to a match against a bot, and one more to begin."""
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await page.get_by_role("button", name="I am ready").click()


async def answer(page: Page) -> str:
    """Answer the open question by clicks, and return its title."""
    bar = page.locator(".act")
    await expect(bar.locator(".q b")).not_to_contain_text("Waiting")
    title = await bar.locator(".q b").inner_text()
    cards = page.locator(".fan button")
    if await cards.count():
        await cards.first.click()
        await bar.locator(".primary").click()
    elif title.startswith("Move "):
        await bar.get_by_role("button", name="Add flip").click()
        await bar.locator(".primary").click()
    elif title == "Activate a disk":
        await ready_disk(page).focus()
        await page.keyboard.press("Enter")
        await expect(bar.locator(".q b")).not_to_have_text("Activate a disk")
    else:
        await bar.locator(".buttons button:enabled").last.click()
    await asyncio.sleep(0.05)
    return title


def ready_disk(page: Page) -> Any:
    return page.locator('.disk:has(circle[fill="url(#g-ready)"]) .handle').first


async def test_round_against_a_bot_is_played_by_clicks(browser: Browser, url: str) -> None:
    page = await new_page(browser)
    faults = collect_faults(page)
    await begin(page, url)
    asked = set()
    for _ in range(MAX_ANSWERS):
        asked.add((await answer(page)).split(" ")[0])
        if await page.get_by_text("Round 2 of").count():
            break
    await expect(page.get_by_text("Round 2 of")).to_be_visible()
    assert {"Deploy", "Choose", "Activate", "Move"} <= asked
    log = page.get_by_role("list", name="Log")
    await expect(log).to_contain_text("flips")
    await expect(log.locator(".rule").first).to_be_visible()
    # Each line of the log leads to its moment, and back.
    await log.get_by_role("button").first.click()
    await expect(page.get_by_role("slider")).to_have_value("1")
    await page.get_by_role("button", name="Back to live").click()
    await expect(page.get_by_role("slider")).to_have_count(0)
    assert faults == []


async def test_cut_connection_is_resumed_and_the_plan_is_kept(browser: Browser, url: str) -> None:
    page = await new_page(browser)
    routes: list[WebSocketRoute] = []

    def relay(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    await page.route_web_socket("**/ws", relay)
    await begin(page, url)
    while await ready_disk(page).count() == 0:
        await answer(page)
    await ready_disk(page).focus()
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
    await expect(page.get_by_role("list", name="Log")).to_contain_text("flips")
    await expect(page.get_by_text("Reconnecting")).to_have_count(0)


async def test_match_file_is_checked_and_replayed(browser: Browser, url: str) -> None:
    page = await new_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}open")
    chosen = page.locator("input[type=file]")
    await chosen.set_input_files({"name": "no.jsonl", "mimeType": "text/plain", "buffer": b"no match\n"})
    await expect(page.get_by_role("alert")).to_contain_text("not a match file")
    raw = (GOLDEN / "diskwars-elimination.match.jsonl").read_bytes()
    changed = raw.replace(b'"damage_dealt"', b'"damage_dealT"', 1)
    await chosen.set_input_files({"name": "changed.jsonl", "mimeType": "text/plain", "buffer": changed})
    await expect(page.get_by_role("alert")).to_contain_text("hash does not follow")
    await chosen.set_input_files({"name": "match.jsonl", "mimeType": "text/plain", "buffer": raw})
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
    page = await new_page(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    assert await overflow(page) == 0
    await page.get_by_role("button", name="Play now").tap()
    await page.get_by_role("button", name="I am ready").tap()
    while await page.locator(".fan button").count() == 0:
        await answer(page)
    assert await overflow(page) == 0
    lowest = await page.locator(".act .primary").bounding_box()
    assert lowest is not None
    assert lowest["height"] >= 44


async def overflow(page: Page) -> int:
    return int(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


async def test_nothing_serious_keeps_anybody_from_using_a_screen(browser: Browser, url: str) -> None:
    page = await new_page(browser)
    await begin(page, url)
    while await ready_disk(page).count() == 0:
        await answer(page)
    match = page.url
    for address in (match, url, f"{url}open"):
        await page.goto(address)
        await expect(page.locator("main")).to_be_visible()
        await asyncio.sleep(0.3)
        for _ in range(2):
            assert await serious_findings(page) == [], address
            await page.get_by_role("button", name="Change between dark and light").click()


async def serious_findings(page: Page) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text("utf-8"))
    found = await page.evaluate("axe.run()")
    return [
        f"{item['id']}: {item['nodes'][0]['html']}"
        for item in found["violations"]
        if item["impact"] in ("serious", "critical")
    ]


def test_first_load_has_little_script(files: dict[str, StaticFile]) -> None:
    scripts = [file.body for path, file in files.items() if path.endswith(".js")]
    assert 0 < sum(len(gzip.compress(body)) for body in scripts) <= MAX_SCRIPT_BYTES
