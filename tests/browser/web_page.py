"""The built page, a server that has it, and a real Chromium that opens it."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from diskwars_cli.page_build import BUILT_PAGE, SOURCES, BuildError, build_if_stale
from diskwars_cli.server_bots import bot_program
from diskwars_server.app import start_server
from diskwars_server.memory import MemoryDatabase
from diskwars_server.page_files import StaticFile, load_page
from diskwars_server.settings import ServerSettings

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REQUIRED_VARIABLE = "DISKWARS_BROWSER_TESTS"
"""With the value "required", nothing is skipped: `.ci/run` sets it."""


def skip_or_fail(reason: str) -> None:
    """Skip, except where these tests are required."""
    if os.environ.get(REQUIRED_VARIABLE) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def chromium() -> str:
    """Return the path of Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        skip_or_fail("needs chromium, which is not installed")
    return str(found)


def built_page() -> dict[str, StaticFile]:
    """Build the page unless that was done, and return its files."""
    try:
        build_if_stale(SOURCES, BUILT_PAGE, lambda line: None)
    except BuildError as error:
        skip_or_fail(str(error))
    return load_page(BUILT_PAGE)


@contextlib.asynccontextmanager
async def serving_page(page: dict[str, StaticFile]) -> AsyncIterator[str]:
    """Provide the address of a page whose server can seat bots."""
    settings = ServerSettings(port=0, bot_workers=1, seed=5)
    async with (
        MemoryDatabase() as database,
        start_server(settings, database, bots=bot_program(), page=page) as transport,
    ):
        yield transport.url.replace("ws", "http", 1).removesuffix("ws")


@contextlib.asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


def collect_faults(page: Page) -> list[str]:
    """Return a list that grows with every error of the page, such as what its content policy blocks."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    return faults


async def run_npm(*words: str, url: str = "") -> str:
    """Run one of the page's own checks and return what it prints; raise where it fails."""
    built_page()  # installs the packages
    npm = shutil.which("npm")
    assert npm is not None
    process = await asyncio.create_subprocess_exec(
        npm,
        "run",
        "--silent",
        *words,
        cwd=SOURCES,
        env={**os.environ, "DISKWARS_URL": url, "NO_COLOR": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


AXE = Path(SOURCES) / "node_modules" / "axe-core" / "axe.min.js"
