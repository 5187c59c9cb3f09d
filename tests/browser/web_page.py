"""The built page, a server that has it, and a real Chromium that opens it."""

import asyncio
import base64
import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Error, Page, async_playwright

from diskwars_cli.own_server.page_build import BUILT_PAGE, SOURCES, BuildError, build_if_stale
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.plugs.file_programs import file_programs
from diskwars_server.app import start_server
from diskwars_server.http.page_files import StaticFile, load_page
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

DISABLED_FEATURES = (
    # The two panels below the address bar: pages of their own that every window of a full Chromium loads, also where it
    # is headless. They took a third of what it takes to open a page.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright switches off by the same flag, of which only the last one counts.
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A process of its own for each page of a test costs more time than the page.
    "--renderer-process-limit=1",
    # Nor a process for graphics, which without a GPU only passes on what is painted: a sixteenth less.
    "--in-process-gpu",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
)
WAIT_MS = 40_000
"""Longer than a busy machine needs."""
DESKTOP = {"viewport": {"width": 1200, "height": 750}, "color_scheme": "dark"}
"""A small laptop: what Chromium paints takes a third less than on a large one, and everything has to fit here too."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
IS_SETTLED = """
() => document.fonts.status === "loaded" && document.querySelector("main") !== null
  && document.querySelector('[aria-busy="true"]') === null
  && document.getAnimations().every((one) => one.playState !== "running")
"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
GO_TO = "(address) => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }"
TOUCH_PX = 44
EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" />'
TEXT_UNDER_CONTROLS = """() => {
    // What is left of a rectangle within everything around it that cuts off what is too long.
    const visible = (element, rect) => {
        let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
        for (let around = element; around; around = around.parentElement) {
            if (getComputedStyle(around).overflow === "visible") continue;
            const box = around.getBoundingClientRect();
            [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
            [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return { left, top, right, bottom };
    };
    const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const controls = [...document.querySelectorAll("button, a[href], input, select, textarea")]
        .filter((one) => !one.closest("[inert]") && isShown(one))
        .map((one) => ({ one, box: visible(one, one.getBoundingClientRect()) }));
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent.trim(), parent = node.parentElement;
        if (!text || parent.closest("[inert]")) continue;
        if (!isShown(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            const seen = visible(parent, rect);
            if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
            for (const { one, box } of controls) {
                if (one.contains(parent) || parent.contains(one)) continue;
                const across = Math.min(seen.right, box.right) - Math.max(seen.left, box.left);
                const down = Math.min(seen.bottom, box.bottom) - Math.max(seen.top, box.top);
                if (across > 2 && down > 2)
                    found.add(`"${text}" under ${one.getAttribute("aria-label") || one.textContent.trim()}`);
            }
        }
    }
    return [...found];
}"""
SMALL_TARGETS = """
(least) => [...document.querySelectorAll("button, a, summary, select, input:not([type=checkbox]):not([type=range])")]
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const isInside = box.width > 1 && box.top >= 0 && box.bottom <= innerHeight;
    const shown = isInside && getComputedStyle(one).visibility === "visible";
    return shown && !one.closest(".sr, .rule") && (box.height < least - 0.5 || box.width < least - 0.5);
  })
  .map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 20)}`
    + ` ${Math.round(one.getBoundingClientRect().width)}x${Math.round(one.getBoundingClientRect().height)}`)
"""
"""Targets in view that are smaller than a finger, with their sizes."""
AXE = Path(SOURCES) / "node_modules" / "axe-core" / "axe.min.js"
CONTRAST = "color-contrast"
VIOLATIONS = """
(rules) => axe.run({ resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) })
  .then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))
"""
"""What they pass is not described: that takes three times as long as the rules do."""
REQUIRED_VARIABLE = "DISKWARS_BROWSER_TESTS"
"""With the value "required", nothing is skipped: `.ci/run` sets it."""
SHOWS_VARIABLE = "DISKWARS_SHOWS"
"""Names a folder for pictures that some tests take of what they do."""


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


def headless_shell() -> str:
    """Return the path of Chromium without windows; of the whole where that is not installed.

    The same engine draws the same page. It takes a fifth less time, for nobody looks at the windows around the page.
    """
    return shutil.which("chromium-headless-shell") or chromium()


def built_page() -> dict[str, StaticFile]:
    """Build the page unless that was done, and return its files."""
    try:
        build_if_stale(SOURCES, BUILT_PAGE, lambda line: None)
    except BuildError as error:
        skip_or_fail(str(error))
    return load_page(BUILT_PAGE)


@contextlib.asynccontextmanager
async def serving_page(
    page: dict[str, StaticFile], *packs: str, database: MemoryDatabase | None = None, **more: Any
) -> AsyncIterator[str]:
    """Provide the address of a page whose server has these packs, can seat bots and draws boards.

    `more` are other settings of the server.
    """
    settings = ServerSettings(port=0, bot_workers=1, seed=5, pack=packs, **more)
    async with (
        database or MemoryDatabase() as opened,
        start_server(settings, opened, bots=bot_program(), page=page, files=file_programs()) as transport,
    ):
        yield transport.url.replace("ws", "http", 1).removesuffix("ws")


@contextlib.asynccontextmanager
async def open_browser(program: str | None = None) -> AsyncIterator[Browser]:
    """Start this program, or else the whole Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program or chromium(), args=list(CHROMIUM_FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


async def open_page(browser: Browser, **options: Any) -> Page:
    """Open a page of somebody new: nothing is shared with the other pages.

    Without a service worker, which reads every file of the page once more: that takes as long as the page itself. And
    without motion: what is in view and where does not depend on time then.
    """
    still: dict[str, Any] = {"service_workers": "block", "reduced_motion": "reduce"}
    page = await browser.new_page(**{**DESKTOP, **still, **options})
    page.set_default_timeout(WAIT_MS)
    return page


async def go_to(page: Page, address: str) -> None:
    """Go to a screen without loading the page again, as a link of the page does; open it where it is not open yet.

    Nothing of the screen before is left once this returns; the parts of the new one may still be on their way.
    """
    if page.url == "about:blank":
        await page.goto(address)
        return
    await page.evaluate(GO_TO, address)
    await draw(page)


async def answer_board_pictures(page: Page, svg: str = EMPTY_PICTURE) -> list[Error]:
    """Answer what the page asks for pictures of boards with this one. Returns a list that grows with what went wrong.

    `Page.route` would switch off the cache of the page: each screen after the first takes three times as long then.
    """
    session = await page.context.new_cdp_session(page)
    headers = [{"name": "Content-Type", "value": "image/svg+xml"}]
    found = {"responseCode": 200, "responseHeaders": headers, "body": base64.b64encode(svg.encode()).decode()}
    answering: set[asyncio.Task[None]] = set()
    failures: list[Error] = []

    async def send(request: str) -> None:
        try:
            await session.send("Fetch.fulfillRequest", {"requestId": request, **found})
        except Error as error:
            # A request ends with the screen that made it, and all of them with the page.
            if "InterceptionId" not in error.message and not page.is_closed():
                failures.append(error)

    def on_paused(event: dict[str, Any]) -> None:
        task = asyncio.create_task(send(event["requestId"]))
        answering.add(task)
        task.add_done_callback(answering.discard)

    session.on("Fetch.requestPaused", on_paused)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*/board.svg*"}]})
    return failures


async def token_of(page: Page) -> str:
    """Return the token of the player of a page, as it is kept on the device."""
    token: str = await page.evaluate("localStorage.getItem('diskwars.token')")
    return token


async def continue_as(page: Page, token: str) -> None:
    """Let the device of a page be one more of a player, from its next address on, as if it had never been another's."""
    await page.evaluate("token => { localStorage.clear(); localStorage.setItem('diskwars.token', token); }", token)


async def show(page: Page, name: str) -> None:
    """Take a picture of what a test shows, where somebody wants to see it; see docs/contributing.md."""
    if folder := os.environ.get(SHOWS_VARIABLE):
        await page.screenshot(path=Path(folder) / f"{name}.png")


async def settle(page: Page) -> None:
    """Wait until a screen is drawn: nothing of it is still on its way, its fonts are there, nothing moves, and what
    follows of that is painted."""
    await page.wait_for_function(IS_SETTLED)
    await draw(page)


async def draw(page: Page) -> None:
    """Wait until the page has drawn what its last input has changed."""
    await page.evaluate(TWO_FRAMES)


async def text_under_controls(page: Page) -> list[str]:
    """Return the texts in view that run under a control or a text field that they are no part of."""
    return list(await page.evaluate(TEXT_UNDER_CONTROLS))


async def sideways_overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    return int(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


async def small_targets(page: Page) -> list[str]:
    """Return what can be tapped in view and is smaller than a finger."""
    return list(await page.evaluate(SMALL_TARGETS, TOUCH_PX))


async def accessibility_findings(page: Page, *rules: str) -> list[str]:
    """Return what axe finds on a screen, whatever its impact: by all its rules, or by these."""
    await settle(page)
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text("utf-8"))
    return list(await page.evaluate(VIOLATIONS, list(rules)))


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
