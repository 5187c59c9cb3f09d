"""A contact sheet of the page, `./dev pictures sheet DIR`: ten moments in three windows and both themes.

With `--beside REV` the same sixty pictures of the page of another revision are beside them. Both pages are served by
the server of this revision: the protocol between them is frozen.
"""

import argparse
import asyncio
import contextlib
import html
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, Error, expect

from diskwars_server.http.page_files import StaticFile
from tests.browser.built_revisions import page_of
from tests.browser.kept_pictures import take
from tests.browser.screens.test_kept_pictures import SCREENS
from tests.browser.web_page import PHONE, built_page, open_browser, open_page, serving_page

MOMENTS = (
    *("lobby", "new-match", "learn", "table-deployment-card", "table-command-card", "table-activation"),
    *("table-engagement", "table-melee-targets", "replay", "pit"),
)
WINDOWS: dict[str, dict[str, Any]] = {
    "1440x900": {"viewport": {"width": 1440, "height": 900}},
    "1280x800": {"viewport": {"width": 1280, "height": 800}},
    "390x844": PHONE,
}
THEMES = ("dark", "light")
WAIT_MS = 40_000
ROW_PX = 220
"""How high a picture is on the sheet."""


class Shot(NamedTuple):
    """One picture: of which page, moment, window and theme."""

    page: str
    moment: str
    window: str
    theme: str

    @property
    def name(self) -> str:
        return f"{self.page}-{self.moment}-{self.window}-{self.theme}.png"


def shots(page: str) -> Iterator[Shot]:
    for moment in MOMENTS:
        for window in WINDOWS:
            for theme in THEMES:
                yield Shot(page, moment, window, theme)


async def take_shots(browser: Browser, page: str, files: dict[str, StaticFile], folder: Path) -> list[str]:
    """Take the sixty pictures of a page; return which moments it does not come to."""
    missing = []
    async with serving_page(files) as url:
        for shot in shots(page):
            opened = await open_page(browser, **{**WINDOWS[shot.window], "color_scheme": shot.theme})
            opened.set_default_timeout(WAIT_MS)
            try:
                await SCREENS[shot.moment](opened, url)
            except (AssertionError, Error):
                # A page of long ago may have no such moment: the sheet shows what it has there.
                missing.append(shot.name)
            (folder / shot.name).write_bytes(await take(opened))
            await opened.close()
    return missing


def sheet_text(pages: tuple[str, ...]) -> str:
    """Return the sheet: a row for each moment and theme, the windows side by side, and the pages beside one another."""
    rows = []
    for moment in MOMENTS:
        for theme in THEMES:
            cells = "".join(
                f'<img src="{html.escape(Shot(page, moment, window, theme).name)}" height="{ROW_PX}" alt="">'
                for page in pages
                for window in WINDOWS
            )
            rows.append(f"<h2>{moment}, {theme}</h2><p>{cells}</p>")
    style = (
        "body{background:#777;font:14px sans-serif}p{display:flex;gap:6px;margin:0}h2{font-size:14px;margin:8px 0 2px}"
    )
    title = html.escape(" beside ".join(pages))
    return f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{style}</style>{''.join(rows)}\n"


@contextlib.asynccontextmanager
async def opened_sheet(browser: Browser, path: Path) -> AsyncIterator[Any]:
    page = await browser.new_page(viewport={"width": 1800, "height": 900})
    await page.goto(path.resolve().as_uri())
    yield page
    await page.close()


async def make_sheet(folder: Path, beside: str | None) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    pages: tuple[str, ...] = ("now",)
    async with open_browser() as browser:
        missing = await take_shots(browser, "now", built_page(), folder)
        if beside:
            pages = ("now", "beside")
            missing += await take_shots(browser, "beside", page_of(beside), folder)
        path = folder / "sheet.html"
        path.write_text(sheet_text(pages), "utf-8")
        async with opened_sheet(browser, path) as page:
            await page.screenshot(path=folder / "sheet.png", full_page=True)
    print(f"{folder / 'sheet.png'}: {len(pages) * len(list(shots('now')))} pictures")
    for name in missing:
        print(f"not reached: {name}", file=sys.stderr)
    return 1 if missing else 0


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./dev pictures sheet", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the pictures and the sheet are written")
    parser.add_argument("--beside", metavar="REV", help="also take those of the page of this revision")
    options = parser.parse_args(words)
    expect.set_options(timeout=WAIT_MS)
    return asyncio.run(make_sheet(options.folder, options.beside))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
