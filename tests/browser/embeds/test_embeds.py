"""A board in a page of another origin shows a match, needs no login, keeps nothing, and leaves the page its keys."""

import contextlib
import gzip
import http.server
import re
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Frame, Page, expect

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.http.page_files import StaticFile
from tests.browser.embeds.played_matches import NAMES, play_quick_match
from tests.browser.web_page import (
    accessibility_findings,
    collect_faults,
    open_page,
    serving_page,
    settle,
    show,
    sideways_overflow,
    text_under_controls,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

MAX_SCRIPT_BYTES = 40_000
SIZE = {"width": 640, "height": 420}
FOREIGN_PAGE = """<!doctype html><html lang="en"><title>A site of somebody else</title>
<body style="background:#456;margin:20px"><h1>A report</h1><input id="field" aria-label="A field">
{frame}</body></html>"""
FRAME = '<iframe src="{source}" width="640" height="420" title="A board" style="border:0"></iframe>'
COUNT_CHANGES = """() => {
  window.changeCount = 0;
  new MutationObserver((changes) => (window.changeCount += changes.length))
    .observe(document.querySelector("[aria-live]"), { childList: true, characterData: true, subtree: true });
}"""
KEPT = "() => [document.cookie, localStorage.length, sessionStorage.length]"


@contextlib.contextmanager
def foreign_site(source: str, frame: str = FRAME) -> Iterator[str]:
    """Provide the address of a site of another host and port, whose page has a frame."""
    body = FOREIGN_PAGE.format(frame=frame.format(source=source)).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://localhost:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join(10)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def site(files: dict[str, StaticFile]) -> AsyncIterator[tuple[str, str]]:
    """The address of a server, and a match that was played on it."""
    async with serving_page(files) as address:
        yield address, await play_quick_match(address)


async def open_embed(browser: Browser, address: str, **options: object) -> Page:
    page = await open_page(browser, viewport=SIZE, **options)
    await page.goto(address)
    await expect(page.locator(".board .piece").first).to_be_visible()
    await settle(page)
    return page


async def framed(page: Page) -> Frame:
    handle = await page.locator("iframe").element_handle()
    frame = await handle.content_frame()
    assert frame is not None
    return frame


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_foreign_page_shows_a_match(browser: Browser, site: tuple[str, str], theme: str) -> None:
    address, match = site
    with foreign_site(f"{address}embed/{match}/40?theme={theme}") as foreign:
        page = await open_page(browser, viewport={"width": 700, "height": 560})
        faults = collect_faults(page)
        await page.goto(foreign)
        frame = await framed(page)
        await expect(frame.locator(".board .piece").first).to_be_visible()
        assert await frame.evaluate("document.documentElement.dataset.theme") == theme
        assert [await frame.locator(".name").nth(seat).inner_text() for seat in (0, 1)] == list(NAMES)
        await show(page, f"embed-foreign-{theme}")
        record = int(await frame.locator(".count b").inner_text())
        assert 20 < record <= 40
        await frame.get_by_role("button", name="Step forward").click()
        await expect(frame.locator(".count b")).not_to_have_text(str(record))
        link = frame.get_by_role("link", name="Open this moment in a new tab")
        later = await frame.locator(".count b").inner_text()
        assert (await link.get_attribute("href"), await link.get_attribute("target")) == (
            f"/m/{match}/{later}",
            "_blank",
        )
        assert await link.get_attribute("rel") == "noopener"
        assert await frame.evaluate(KEPT) == ["", 0, 0]
        assert await page.context.cookies() == []
        assert faults == []


async def test_keys_are_those_of_the_embed_only_while_it_has_the_focus(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    with foreign_site(f"{address}embed/{match}/1") as foreign:
        page = await open_page(browser, viewport={"width": 700, "height": 560})
        await page.goto(foreign)
        frame = await framed(page)
        slider = frame.get_by_role("slider", name="Moment")
        await expect(slider).to_have_value("0")
        await page.locator("#field").focus()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("End")
        await page.keyboard.type("a b")
        await expect(slider).to_have_value("0")
        assert await page.locator("#field").input_value() == "a b"
        await slider.focus()
        await page.keyboard.press("ArrowRight")
        await expect(slider).to_have_value("1")
        await page.keyboard.press("End")
        await expect(slider).to_have_value(str(await slider.get_attribute("max")))
        await page.keyboard.press("Home")
        await page.keyboard.press("Space")
        await expect(frame.get_by_role("button", name="Pause")).to_be_visible()
        await expect(slider).not_to_have_value("0")
        await page.keyboard.press("Space")
        await expect(frame.get_by_role("button", name="Play")).to_be_visible()


async def test_no_other_document_of_the_site_is_shown_in_a_frame(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    for path in ("", f"m/{match}", "settings", "embed.html"):
        with foreign_site(f"{address}{path}") as foreign:
            page = await open_page(browser)
            faults = collect_faults(page)
            await page.goto(foreign)
            assert (await framed(page)).url.startswith("chrome-error:"), path
            assert any("frame-ancestors" in fault for fault in faults), path
            await page.context.close()


@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_embed_reads_well_to_those_who_cannot_see_it(browser: Browser, site: tuple[str, str], theme: str) -> None:
    address, match = site
    page = await open_embed(browser, f"{address}embed/{match}/40?theme={theme}")
    assert await accessibility_findings(page) == []
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Diskwars: {' – '.join(NAMES)}")
    board = page.get_by_role("img", name=re.compile(r"^Board after record \d+: "))
    await expect(board).to_be_visible()
    slider = page.get_by_role("slider", name="Moment")
    assert re.match(r"Record \d+ of \d+: .+", await slider.get_attribute("aria-valuetext") or "")
    assert await page.locator(".side .spoken").all_inner_texts() == [
        f"{name}: {await page.locator('.score').nth(seat).inner_text()} left" for seat, name in enumerate(NAMES)
    ]
    for name in ("Step back", "Play", "Step forward"):
        await expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en-GB", "Won by Marek|Won by Ilse"), ("de-CH", "Gewonnen: Marek|Gewonnen: Ilse"), ("pl-PL", "Wygrywa: .+")],
)
async def test_embed_speaks_the_language_of_the_reader(
    browser: Browser, site: tuple[str, str], locale: str, words: str
) -> None:
    address, match = site
    page = await open_embed(browser, f"{address}embed/{match}", locale=locale)
    assert await page.evaluate("document.documentElement.lang") == locale[:2]
    await expect(page.locator(".caption")).to_have_text(re.compile(words))
    assert await sideways_overflow(page) == 0
    assert await text_under_controls(page) == []
    await show(page, f"embed-{locale[:2]}")


async def test_theme_is_that_of_the_reader_unless_asked_for(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    for scheme, query, theme in (("light", "", "light"), ("dark", "", "dark"), ("light", "?theme=dark", "dark")):
        page = await open_embed(browser, f"{address}embed/{match}{query}", color_scheme=scheme)
        assert await page.evaluate("document.documentElement.dataset.theme") == theme
        await page.context.close()


async def test_small_frame_has_what_one_needs(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    page = await open_embed(browser, f"{address}embed/{match}/40")
    await page.set_viewport_size({"width": 340, "height": 260})
    await settle(page)
    assert await sideways_overflow(page) == 0
    await expect(page.get_by_role("slider", name="Moment")).to_be_visible()
    await expect(page.locator(".open")).to_be_visible()
    await show(page, "embed-small")


async def test_match_that_is_not_shown_is_said_in_words(browser: Browser, files: dict[str, StaticFile]) -> None:
    async with serving_page(files) as address:
        hidden = await play_quick_match(address, MatchOptions(watchers="after_end"), acts=12)
        page = await open_page(browser, viewport=SIZE)
        faults = collect_faults(page)
        await page.goto(f"{address}embed/{hidden}")
        await expect(page.get_by_role("status")).to_have_text("Not everybody may watch this match, or not yet")
        await page.goto(f"{address}embed/c9dk2n5ytxgw")
        await expect(page.get_by_role("status")).to_have_text("There is no such match on this server")
        await show(page, "embed-unknown")
        assert not [fault for fault in faults if "status of 40" not in fault]
        await page.context.close()


async def test_match_under_way_is_shown_as_the_public_sees_it(browser: Browser, files: dict[str, StaticFile]) -> None:
    async with serving_page(files) as address:
        match = await play_quick_match(address, acts=40)
        page = await open_embed(browser, f"{address}embed/{match}")
        assert await page.locator(".won").count() == 0
        assert int(await page.locator(".count b").inner_text()) >= 30
        await expect(page.locator(".when")).to_have_text(re.compile(r"Round \d of 5"))
        await page.context.close()


async def test_embed_keeps_the_focus_and_reads_no_text_twice(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    page = await open_embed(browser, f"{address}embed/{match}/40")
    await page.locator(".site").focus()
    record = await page.locator(".count b").inner_text()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".count b")).not_to_have_text(record)
    assert await page.evaluate("document.activeElement.className") == "site"
    await page.evaluate(COUNT_CHANGES)
    await page.set_viewport_size({"width": 600, "height": 400})  # it is drawn again, with the same text
    await settle(page)
    assert await page.evaluate("window.changeCount") == 0
    await page.keyboard.press("ArrowRight")
    await page.wait_for_function("window.changeCount > 0", timeout=10_000)
    await page.context.close()


async def test_match_without_a_board_appears_once_it_has_one(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    page = await open_page(browser, viewport=SIZE)
    await page.clock.install()
    path = f"**/api/v1/matches/{match}/scenes"
    await page.route(path, lambda route: route.fulfill(status=404, json={"code": "no_board"}))
    await page.goto(f"{address}embed/{match}")
    await expect(page.get_by_role("status")).to_have_text("There is no board to show yet")
    await page.unroute(path)
    await page.clock.run_for(21_000)
    await expect(page.locator(".board .piece").first).to_be_visible()
    assert await page.get_by_role("status").count() == 0
    await page.context.close()


async def test_script_of_the_embed_is_small(files: dict[str, StaticFile]) -> None:
    document = files["/embed.html"].body.decode()
    scripts = re.findall(r'(?:src|href)="(/assets/[^"]+\.js)"', document)
    assert len(scripts) == 1, "no part of the page is loaded with it"
    body = files[scripts[0]].body
    assert b"import(" not in body
    assert (len(body) <= MAX_SCRIPT_BYTES, len(gzip.compress(body)) <= MAX_SCRIPT_BYTES // 4) == (True, True)
    assert b"localStorage" not in body
    assert b"cookie" not in body


async def test_replay_of_an_ended_match_copies_its_frame(browser: Browser, site: tuple[str, str]) -> None:
    address, match = site
    page = await open_page(browser, permissions=["clipboard-read", "clipboard-write"])
    await page.goto(f"{address}m/{match}/40")
    button = page.get_by_role("button", name="Embed this moment")
    await button.click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = str(await page.evaluate("navigator.clipboard.readText()"))
    assert f'src="{address}embed/{match}/40"' in copied
    assert not [found for found in await text_under_controls(page) if "Moment of the match" not in found]
    await show(page, "replay-with-embed")
    with foreign_site("", copied) as foreign:
        other = await open_page(browser)
        await other.goto(foreign)
        await expect(other.get_by_title("A match of Diskwars")).to_be_visible()
        embedded = other.frame_locator("iframe")
        await expect(embedded.locator(".board .piece").first).to_be_visible()
        await expect(embedded.locator(".count b")).to_have_text(re.compile(r"^(?:3\d|40)$"))


@pytest.mark.parametrize("width", [1024, 1280, 1440])
async def test_no_word_of_the_bar_of_a_replay_is_cut(browser: Browser, site: tuple[str, str], width: int) -> None:
    address, match = site
    page = await open_page(browser, viewport={"width": width, "height": 800})
    await page.goto(f"{address}m/{match}/40")
    await expect(page.get_by_role("button", name="Embed this moment")).to_be_visible()
    cut = "[...document.querySelectorAll('.replay .btn span')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    assert await page.evaluate(f"{cut}.map((one) => one.textContent)") == []


async def test_match_under_way_offers_no_frame(browser: Browser, files: dict[str, StaticFile]) -> None:
    async with serving_page(files) as address:
        match = await play_quick_match(address, acts=20)
        page = await open_page(browser)
        await page.goto(f"{address}m/{match}/10")
        await expect(page.get_by_role("slider", name="Moment of the match")).to_be_visible()
        assert await page.get_by_role("button", name="Embed this moment").count() == 0
        await page.context.close()
