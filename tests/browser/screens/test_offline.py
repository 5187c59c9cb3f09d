"""The page without its server: the service worker answers for the shell, and kept matches are replayed."""

import asyncio
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, expect

from diskwars_server.limits.address_quotas import REQUEST_BURST
from tests.browser.web_page import WAIT_MS, built_page, open_browser, open_page, serving_page

pytestmark = pytest.mark.timeout(240)


GAMES = ("Diskwars", "The pit", "Close quarters", "Regiments")
KEPT = """
caches.open('diskwars-matches-1').then((kept) => kept.keys()).then((all) => all.map(({ url }) => url))
"""
SHELL = """
caches.keys()
  .then((all) => Promise.all(all.filter((name) => name.startsWith('diskwars-shell-')).map((name) => caches.open(name))))
  .then((builds) => Promise.all(builds.map((build) => build.keys())))
  .then((all) => all.flat().map(({ url }) => url))
"""


async def play_until_it_is_kept(page: Page, url: str, game: str) -> str:
    """Begin a match of a game, wait until the page has kept it, and return its address."""
    await page.goto(url)
    await page.get_by_label("Game").first.select_option(label=game)
    await page.get_by_role("button", name="Play now").click()
    await expect(page.locator(".act .q b")).not_to_contain_text("Ready")
    address = page.url
    async with asyncio.timeout(WAIT_MS / 1000):
        while not any(address.rsplit("/", 1)[-1] in one for one in await page.evaluate(KEPT)):
            await asyncio.sleep(0.1)
    return address


async def test_kept_match_of_each_game_is_replayed_when_the_server_is_gone() -> None:
    async with open_browser() as browser:
        page = await open_page(browser, service_workers="allow")
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        async with serving_page(built_page()) as url:
            await page.goto(url)
            await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            matches = [await play_until_it_is_kept(page, url, game) for game in GAMES]
        for match in matches:
            await page.goto(match)
            await expect(page.get_by_text("Reconnecting")).to_be_visible()
            await expect(page.get_by_text("one hash chain")).to_be_visible()
            await expect(page.locator("svg.board")).to_be_visible()
            await page.locator("body").press("Home")
            await expect(page.get_by_role("slider")).to_have_value("1")
        await page.goto(url)
        await expect(page.get_by_role("heading", name="Play a bot")).to_be_visible()
        assert await page.evaluate("caches.keys()") != []
        assert faults == []


async def test_first_visit_keeps_the_whole_page_and_five_at_one_address_are_served_at_once() -> None:
    async with open_browser() as browser, serving_page(built_page()) as url:
        page = await open_page(browser, service_workers="allow")
        await page.goto(url)
        await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        shell = {urlsplit(address).path for address in await page.evaluate(SHELL)}
        files = {path for path in built_page() if path.endswith((".js", ".css", ".woff2")) and path != "/worker.js"}
        parts = {path for path in files if not path.startswith("/assets/embed-")}
        assert len(files - parts) == 2, "the embed is for other sites, and no device keeps it"
        assert len(parts) > 60
        assert parts - shell == set()
        kept = len(shell)
        loaded = await page.evaluate("performance.getEntriesByType('resource').length")
        assert kept > loaded > 10
        assert 5 * (loaded + kept) <= REQUEST_BURST, (kept, loaded)
        await page.close()


async def test_manifest_makes_the_page_installable() -> None:
    page = built_page()
    assert b'"display": "standalone"' in page["/app.webmanifest"].body
    assert page["/icon-192.png"].body.startswith(b"\x89PNG")
    assert b'rel="manifest"' in page["/index.html"].body
