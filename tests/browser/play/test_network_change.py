"""A device that changes its network: the old line carries nothing more, and no socket of the browser notices."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page

from tests.browser.clicks import answer, open_question
from tests.browser.web_page import open_page, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

COPY_BYTES = 65_536
SILENCE_SECONDS = 30
"""After this long without a sign of life the page gives a line up by itself."""


class Relay:
    """Carries TCP connections to a server, until it silently stops to carry those that are open."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._carried: set[object] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.connections = 0

    def drop_open(self) -> None:
        """Swallow from now on what open connections send, both ways. They stay open."""
        self._carried.clear()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = object()
        self._carried.add(line)
        self.connections += 1
        server_reader, server_writer = await asyncio.open_connection(*self._target)
        self._writers += (writer, server_writer)
        for source, target in ((reader, server_writer), (server_reader, writer)):
            task = asyncio.ensure_future(self._copy(line, source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, line: object, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(COPY_BYTES):
                if line in self._carried:
                    target.write(data)
            if line in self._carried:
                target.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@contextlib.asynccontextmanager
async def relaying(url: str) -> AsyncIterator[tuple[Relay, str]]:
    address = urlsplit(url)
    relay = Relay(str(address.hostname), int(address.port or 0))
    listener = await asyncio.start_server(relay.carry, "127.0.0.1", 0)
    try:
        yield relay, f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/"
    finally:
        listener.close()
        await relay.close()


async def change_network(page: Page) -> None:
    """Let the browser tell the page that its network went and came back."""
    devtools = await page.context.new_cdp_session(page)
    for is_offline in (True, False):
        conditions = {"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        await devtools.send("Network.emulateNetworkConditions", conditions)
    await devtools.detach()


WAKES = {
    "online": "",
    "pageshow": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    "resume": "document.dispatchEvent(new Event('resume'))",
    "visible": "document.dispatchEvent(new Event('visibilitychange'))",
}
"""What a browser tells a page after its network, its device or its tab was away; the first by the browser itself."""


async def wake(page: Page, event: str) -> None:
    if script := WAKES[event]:
        await page.evaluate(script)
    else:
        await change_network(page)


@pytest.mark.parametrize("event", WAKES)
async def test_page_connects_again_by_itself_when_its_network_is_another(
    browser: Browser, url: str, event: str
) -> None:
    async with relaying(url) as (relay, address):
        page = await open_page(browser)
        await page.goto(address)
        await page.get_by_role("button", name="Play now").click()
        question = await open_question(page)
        await show(page, "network-before")
        relay.drop_open()
        before = relay.connections
        await wake(page, event)
        async with asyncio.timeout(SILENCE_SECONDS / 2):
            while relay.connections == before:
                await asyncio.sleep(0.05)
        await show(page, "network-changed")
        assert await open_question(page) == question
        await answer(page)
        await show(page, "network-again")
        assert relay.connections > before
        await page.close()
