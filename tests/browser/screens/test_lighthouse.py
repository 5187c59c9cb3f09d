"""Lighthouse finds little to improve: accessibility and best practices of the screens, each opened by somebody new.

Its figure for performance depends on what else a machine does, so it is not asserted. `python -m
tests.browser.screens.test_lighthouse` prints all figures as the table of docs/page.md.
"""

import asyncio
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.browser.clicks import play_until
from tests.browser.web_page import CHROMIUM_FLAGS, built_page, chromium, open_browser, open_page, serving_page
from tests.node_packages import node_packages

PACKAGE = "lighthouse@12.8.2"
LEAST = 95
ASSERTED = ("accessibility", "best-practices")
CATEGORIES = (*ASSERTED, "performance")
"""Those of the table; tests leave out what they do not assert, which takes longest."""
PATHS = ("", "new", "armies", "history", "leaderboard", "rules", "settings", "learn", "open")
RUN_SECONDS = 150

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]


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


async def scores_of(address: str, folder: Path, categories: Sequence[str] = ASSERTED) -> dict[str, int]:
    """Run Lighthouse on a page, as on a desktop, and return the figure of each category, of 100."""
    report = folder / "report.json"
    process = await asyncio.create_subprocess_exec(
        "node",
        str(node_packages((PACKAGE,)) / "node_modules" / "lighthouse" / "cli" / "index.js"),
        address,
        "--quiet",
        "--preset=desktop",
        "--output=json",
        f"--output-path={report}",
        f"--only-categories={','.join(categories)}",
        f"--chrome-flags=--headless=new {' '.join(CHROMIUM_FLAGS)}",
        env={**os.environ, "CHROME_PATH": chromium()},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(RUN_SECONDS):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert report.exists(), errors.decode()
    found = json.loads(report.read_text("utf-8"))["categories"]
    return {name: round(100 * found[name]["score"]) for name in categories}


async def test_lobby_has_high_figures(shared_url: str, tmp_path: Path) -> None:
    scores = await scores_of(shared_url, tmp_path)
    assert all(scores[name] >= LEAST for name in ASSERTED), scores


async def test_table_has_high_figures(browser: Browser, url: str, tmp_path: Path) -> None:
    path = await open_match(browser, url)
    scores = await scores_of(f"{url}{path}", tmp_path)
    assert all(scores[name] >= LEAST for name in ASSERTED), scores


async def print_table(folder: Path) -> None:
    """Print the figures of all screens as a table."""
    async with serving_page(built_page()) as url:
        async with open_browser() as browser:
            match = await open_match(browser, url)
        print(f"| screen | {' | '.join(CATEGORIES)} |\n|---|{'--:|' * len(CATEGORIES)}", flush=True)
        for path in (*PATHS, match):
            scores = await scores_of(f"{url}{path}", folder, CATEGORIES)
            name = "a match in progress" if path == match else f"`/{path}`"
            print(f"| {name} | {' | '.join(str(scores[one]) for one in CATEGORIES)} |", flush=True)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as written:
        asyncio.run(print_table(Path(written)))
