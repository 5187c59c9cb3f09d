"""Fixtures of the tests in a browser: the built page, a server that has it, and Chromium."""

import contextlib
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from diskwars_server.http.page_files import StaticFile
from tests.browser.web_page import WAIT_MS, built_page, headless_shell, open_browser, serving_page

# The five seconds that are usual are too short for a page that opens on a busy machine.
expect.set_options(timeout=WAIT_MS)


@contextlib.asynccontextmanager
async def closing_pages(browser: Browser) -> AsyncIterator[None]:
    """Close what is opened meanwhile."""
    before = list(browser.contexts)
    yield
    for context in list(browser.contexts):
        if context not in before:
            await context.close()


@pytest.fixture(scope="session")
def files() -> dict[str, StaticFile]:
    """The built page."""
    return built_page()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One Chromium for all tests of a worker, for each takes a second to start; `browser` keeps them apart.

    Modules whose tests depend on more than the engine take `whole_chromium` instead, by a fixture of this name.
    """
    async with open_browser(headless_shell()) as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def whole_chromium() -> AsyncIterator[Browser]:
    """The Chromium that people use."""
    async with open_browser() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """The Chromium of all tests; what a test opened is closed after it."""
    async with closing_pages(chromium):
        yield chromium


@pytest_asyncio.fixture(loop_scope="session")
async def url(chromium: Browser, files: dict[str, StaticFile]) -> AsyncIterator[str]:
    """The address of a server of this test alone. It ends after the pages, which would connect to it once more."""
    async with serving_page(files) as address, closing_pages(chromium):
        yield address


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_url(files: dict[str, StaticFile]) -> AsyncIterator[str]:
    """The address of a server for tests that open no match on it."""
    async with serving_page(files) as address:
        yield address
