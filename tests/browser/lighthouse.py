"""Lighthouse on addresses of the page, as on a desktop and on a phone, in one Chrome."""

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from playwright.async_api import Browser

from tests.browser.clicks import play_until
from tests.browser.web_page import CHROMIUM_FLAGS, chromium, open_page
from tests.node_packages import node_packages

PACKAGE = "lighthouse@12.8.2"
PROGRAM = Path(__file__).with_name("lighthouse_runs.mjs")
ASSERTED = ("accessibility", "best-practices")
CATEGORIES = (*ASSERTED, "performance")
LEAST = 95
RUN_SECONDS = 150
Device = Literal["desktop", "phone"]
DEVICES: tuple[Device, ...] = ("desktop", "phone")


class LighthouseRun(NamedTuple):
    """An address, and the device on which somebody new opens it."""

    address: str
    device: Device


class LighthouseScores(msgspec.Struct, frozen=True):
    """The figure of each category, of 100, and the audits that are below their best."""

    scores: dict[str, int]
    wanting: tuple[str, ...]


async def open_match(browser: Browser, url: str) -> str:
    """Let somebody open a match against a bot and play until disks act, and return its path."""
    page = await open_page(browser)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await page.wait_for_url(re.compile("/m/"))
    await play_until(page, "activation")
    path = page.url.removeprefix(url)
    await page.close()
    return path


async def run_lighthouse(runs: Sequence[LighthouseRun], categories: Sequence[str] = ASSERTED) -> list[LighthouseScores]:
    """Run it on each address, one after the other, and return what it found of each.

    Loading is slowed down as on a usual line only where performance is one of the categories.
    """
    asked = {
        "runs": runs,
        "categories": categories,
        "flags": ["--headless=new", *CHROMIUM_FLAGS],
        "chrome": chromium(),
    }
    process = await asyncio.create_subprocess_exec(
        "node",
        str(PROGRAM),
        str(node_packages((PACKAGE,))),
        msgspec.json.encode(asked).decode(),
        env={**os.environ, "CHROME_PATH": chromium()},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(RUN_SECONDS * len(runs)):
            output, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, errors.decode()
    return msgspec.json.decode(output, type=list[LighthouseScores])
