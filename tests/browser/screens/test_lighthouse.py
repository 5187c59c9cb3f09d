"""Lighthouse finds little to improve in accessibility and best practices, on a desktop and on a phone of somebody new.

Its figure for performance depends on what else a machine does, so it is not asserted: `./dev bench pages` reports it.
`python -m tests.browser.screens.test_lighthouse` prints all figures of all screens as the table of docs/page.md.
"""

import asyncio
import sys

import pytest
from playwright.async_api import Browser

from tests.browser.lighthouse import ASSERTED, CATEGORIES, DEVICES, LEAST, LighthouseRun, open_match, run_lighthouse
from tests.browser.web_page import built_page, open_browser, serving_page

PATHS = ("", "new", "armies", "history", "leaderboard", "tournaments", "clubs", "rules", "settings", "learn", "open")

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]


async def test_lobby_and_table_have_high_figures_on_a_desktop_and_a_phone(browser: Browser, url: str) -> None:
    match = await open_match(browser, url)
    runs = [LighthouseRun(f"{url}{path}", device) for device in DEVICES for path in ("", match)]
    for run, found in zip(runs, await run_lighthouse(runs), strict=True):
        assert all(found.scores[name] >= LEAST for name in ASSERTED), (run, found)


async def print_table() -> None:
    """Print the figures of all screens, on a desktop and on a phone, as a table."""
    async with serving_page(built_page()) as url:
        async with open_browser() as browser:
            match = await open_match(browser, url)
        print(f"| screen | {' | '.join(CATEGORIES)} |\n|---|{'--:|' * len(CATEGORIES)}", flush=True)
        for path in (*PATHS, match):
            name = "a match in progress" if path == match else f"`/{path}`"
            both = await run_lighthouse([LighthouseRun(f"{url}{path}", device) for device in DEVICES], CATEGORIES)
            figures = [" / ".join(str(found.scores[one]) for found in both) for one in CATEGORIES]
            print(f"| {name} | {' | '.join(figures)} |", flush=True)
            for device, found in zip(DEVICES, both, strict=True):
                print(f"{device}: {', '.join(found.wanting) or 'nothing'}", file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(print_table())
