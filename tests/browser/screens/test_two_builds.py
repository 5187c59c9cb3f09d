"""Two nodes with pages of different builds behind a proxy that sends each request to the next: every visit works."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, expect

from diskwars_server.app import start_server
from diskwars_server.http.page_files import COMPRESSIBLE_SUFFIXES, HASHED_FOLDER, StaticFile
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

VISITS = 10
HASHED_NAME = re.compile(rb"([\w.-]+)-([\w-]{8})\.(js|css|woff2)")


def another_build(page: dict[str, StaticFile]) -> dict[str, StaticFile]:
    """Return the page as a build of other sources would be: each part has another name everywhere."""
    names = [path.removeprefix(HASHED_FOLDER).encode() for path in page if path.startswith(HASHED_FOLDER)]
    renamed = {name: HASHED_NAME.sub(rb"\1-0\2.\3", name) for name in names}
    pattern = re.compile(b"|".join([re.escape(name) for name in sorted(renamed, key=lambda name: -len(name))]))

    def rename(text: bytes) -> bytes:
        return pattern.sub(lambda found: renamed[found[0]], text)

    def rebuilt(path: str, file: StaticFile) -> StaticFile:
        is_text = path.endswith(COMPRESSIBLE_SUFFIXES)
        body = rename(file.body) if is_text else file.body
        return StaticFile.of(body, file.content_type, is_text=is_text, cache_control=file.cache_control)

    return {rename(path.encode()).decode(): rebuilt(path, file) for path, file in page.items()}


class TurnTakingProxy:
    """A proxy that gives each connection to the next node. A node answers one request on a connection, or a socket."""

    def __init__(self, *nodes: str) -> None:
        self.nodes = [urlsplit(node) for node in nodes]
        self.connections = 0
        self.url = ""

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["TurnTakingProxy"]:
        async with await asyncio.start_server(self._relay, "127.0.0.1", 0) as listening:
            self.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
            yield self

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        node = self.nodes[self.connections % len(self.nodes)]
        self.connections += 1
        try:
            there_reader, there_writer = await asyncio.open_connection(node.hostname, node.port)
        except ConnectionError:  # a page that is closing asks once more while its node is gone
            writer.close()
            return
        ways = [
            asyncio.create_task(forward(reader, there_writer)),
            asyncio.create_task(forward(there_reader, writer)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for closing in (writer, there_writer):
            closing.close()


async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(1 << 16):
            writer.write(chunk)
            await writer.drain()


@contextlib.asynccontextmanager
async def two_nodes(page: dict[str, StaticFile]) -> AsyncIterator[TurnTakingProxy]:
    settings = ServerSettings(port=0, bot_workers=0)
    async with (
        MemoryDatabase() as database,
        start_server(settings, database, page=page) as one,
        start_server(settings, database, page=another_build(page)) as other,
        TurnTakingProxy(one.url, other.url).run() as proxy,
    ):
        yield proxy


async def test_every_visit_works_while_two_builds_take_turns(browser: Browser, files: dict[str, StaticFile]) -> None:
    hashed = [{path for path in build if path.startswith(HASHED_FOLDER)} for build in (files, another_build(files))]
    assert len(hashed[0]) == len(hashed[1]) > 20
    assert not hashed[0] & hashed[1], "the two have no part in common"
    async with two_nodes(files) as proxy:
        for visit in range(VISITS):
            page = await open_page(browser)
            faults = collect_faults(page)
            await page.goto(proxy.url + ("", "rules", "learn", "armies")[visit % 4])
            await expect(page.get_by_role("link", name="Diskwars").first).to_be_visible()
            await page.get_by_role("link", name="Rules").first.click()
            await expect(page.get_by_role("heading", name="Worked examples").first).to_be_visible()
            await settle(page)
            assert not faults, f"visit {visit}: {faults}"
            await page.context.close()
        assert proxy.connections > 10 * VISITS


async def test_page_that_was_open_before_a_release_loads_the_rest_of_its_parts(
    browser: Browser, files: dict[str, StaticFile]
) -> None:
    """Also once no node of its release is left."""
    async with two_nodes(files) as proxy:
        old, new = proxy.nodes
        proxy.nodes = [old]
        page = await open_page(browser)
        faults = collect_faults(page)
        await page.goto(proxy.url)
        await expect(page.get_by_role("link", name="Rules").first).to_be_visible()
        await settle(page)
        proxy.nodes = [new]
        await page.get_by_role("link", name="Rules").first.click()
        await expect(page.get_by_role("heading", name="Worked examples").first).to_be_visible()
        assert not faults
