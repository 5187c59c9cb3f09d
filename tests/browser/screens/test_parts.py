"""Parts of the page that are loaded later, from a server that has no time for them."""

import gzip
import re
import time

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect

from diskwars_server.http.page_files import INDEX, StaticFile
from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import open_page, settle

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

RULES_PART = re.compile(r"/assets/Rules-[\w-]+\.js$")
MAIN_SCRIPT = re.compile(r"/assets/first-[\w-]+\.js$")
FIRST_SCRIPT_BYTES = 101_877
"""Of the page before its second round, gzipped."""
RETRY_SECONDS = 2
MAX_REQUESTS = 24
"""Of a first visit, with the document, fonts and icons. With a file for each few modules there were 64."""


async def count_requests(page: Page, address: str, shown: Locator) -> int:
    """Return how many requests a first visit of a screen makes, with what the page loads ahead once it is idle."""
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    await page.goto(address)
    await expect(shown).to_be_visible()
    await settle(page)
    await page.evaluate("new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)))")
    return len(requests)


async def test_first_visit_makes_few_requests(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    lobby = await count_requests(page, shared_url, page.get_by_role("button", name="Play now"))
    assert 8 < lobby <= MAX_REQUESTS
    page = await open_page(browser)
    server = ScriptedServer(find_question("activation"))
    await page.route_web_socket("**/ws", server.serve)
    assert 8 < await count_requests(page, f"{shared_url}m/{server.match}", bar(page)) <= MAX_REQUESTS


async def test_first_script_is_no_larger_than_before_the_second_round(files: dict[str, StaticFile]) -> None:
    [first] = re.findall(r'(?:src|href)="(/assets/[^"]+\.js)"', files[INDEX].body.decode())
    assert 0 < len(gzip.compress(files[first].body)) <= FIRST_SCRIPT_BYTES


class BusyServer:
    """Answers a part of the page with HTTP 429 for some seconds, and counts how often the document was asked for."""

    def __init__(self, seconds: float, part: re.Pattern[str] = RULES_PART) -> None:
        self.refused, self.documents = 0, 0
        self._seconds, self._part, self._until = seconds, part, 0.0

    async def attach(self, page: Page) -> None:
        await page.route(self._part, self._answer)
        page.on("request", lambda request: self._count(request.is_navigation_request()))

    def _count(self, is_document: bool) -> None:
        self.documents += is_document

    async def _answer(self, route: Route) -> None:
        self._until = self._until or time.monotonic() + self._seconds
        if time.monotonic() >= self._until:
            await route.continue_()
            return
        self.refused += 1
        await route.fulfill(status=429, headers={"Retry-After": str(RETRY_SECONDS)}, body="")


async def open_rules(browser: Browser, url: str, server: BusyServer) -> Page:
    page = await open_page(browser)
    await server.attach(page)
    await page.goto(url)
    await page.get_by_role("link", name="Rules").first.click()
    return page


async def test_part_that_a_busy_server_refused_is_asked_for_again_when_it_says(
    browser: Browser, shared_url: str
) -> None:
    server = BusyServer(RETRY_SECONDS)
    page = await open_rules(browser, shared_url, server)
    await expect(page.get_by_text(f"The server is busy: {RETRY_SECONDS} s")).to_be_visible()
    await expect(page.get_by_role("heading", name="Rules").first).to_be_visible()
    await expect(page.get_by_text("The server is busy")).to_have_count(0)
    # At most one reload, for a browser that remembers what it could not load.
    assert server.documents <= 2


async def test_page_is_not_loaded_in_a_loop_by_a_server_that_stays_busy(browser: Browser, shared_url: str) -> None:
    server = BusyServer(1_000)
    page = await open_rules(browser, shared_url, server)
    await expect(page.get_by_role("alert").get_by_text("A part of the page could not be loaded")).to_be_visible()
    assert server.documents == 1
    assert server.refused <= 12


async def test_page_whose_script_was_refused_says_so_and_how_to_load_it_again(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    server = BusyServer(1_000, MAIN_SCRIPT)
    await server.attach(page)
    await page.goto(shared_url)
    again = page.get_by_role("link", name="load it again")
    await expect(again).to_be_visible()
    await expect(page.get_by_text("Die Seite wird geladen.")).to_be_visible()
    await page.unroute_all()
    await again.click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect(again).to_have_count(0)
    assert server.refused == 1
