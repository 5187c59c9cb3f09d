"""The five boards and a guided match are in the accessibility tree: what a screen reader would say of them.

Where DISKWARS_SHOWS names a folder, it is written there.
"""

import os
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import MAX_ANSWERS, answer, bar, open_question
from tests.browser.lesson_boards import MAX_STEPS, next_button, open_boards, read_arrow
from tests.browser.play.test_guided_match import read_hints
from tests.browser.web_page import SHOWS_VARIABLE, collect_faults, draw, open_page

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]

BOARDS = 5
LISTEN = """
() => {
  window.spoken = [];
  const isLive = (node) => (node.nodeType === 1 ? node : node.parentElement)
    ?.closest("[aria-live], [role=status], [role=alert], [role=log]");
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = isLive(target);
      const text = region?.textContent.replaceAll(/\\s+/g, " ").trim();
      if (text && window.spoken.at(-1) !== text) window.spoken.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
"""


def write(name: str, parts: list[str]) -> None:
    if folder := os.environ.get(SHOWS_VARIABLE):
        (Path(folder) / f"{name}.txt").write_text("\n\n".join(parts) + "\n", "utf-8")


async def tree(page: Page) -> str:
    """Return the page as the accessibility tree has it."""
    return await page.locator("body").aria_snapshot()


async def spoken(page: Page) -> list[str]:
    """Return what the live regions have said since this was asked last."""
    return list(await page.evaluate("window.spoken.splice(0)"))


async def test_boards_of_the_first_match_are_read_aloud(browser: Browser, url: str) -> None:
    page, faults = await open_boards(browser, f"{url}learn")
    read: list[str] = []
    for place in range(BOARDS):
        for _ in range(MAX_STEPS):
            if await next_button(page).count():
                break
            text, at = await read_arrow(page)
            heard = await tree(page)
            read.append(heard)
            assert text in heard, "what the arrow says is said"
            assert await bar(page).get_by_role("heading", level=2).inner_text() in heard
            await page.mouse.click(*at)
            await draw(page)
        read.append(await tree(page))
        assert await page.locator(".over b").inner_text() in read[-1], "the end of a board is said"
        if place + 1 < BOARDS:
            await next_button(page).click()
            await expect(page.get_by_text(f"Board {place + 2} of 5")).to_be_visible()
            await expect(page.locator(".said")).to_be_visible()
    write("read-aloud-boards", read)
    assert faults == []


async def test_guided_match_is_read_aloud(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.add_init_script(f"({LISTEN})()")
    await page.goto(f"{url}learn")
    await page.get_by_role("button", name="Skip to the match").click()
    await expect(page.get_by_role("complementary", name="Hint")).to_be_visible()
    read: list[str] = []
    for _ in range(MAX_ANSWERS):
        if not await open_question(page):
            break
        hints: list[str] = []
        await read_hints(page, hints)
        title = await bar(page).get_by_role("heading", level=2).inner_text()
        done = await answer(page)
        await page.wait_for_function("() => window.spoken.length > 0")
        said = await spoken(page)
        read.append("\n".join([f"# {title}", *(f"Hint: {one}" for one in hints), f"[{done}]", *said]))
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    read.append(await tree(page))
    assert 'region "Result"' in read[-1]
    write("read-aloud-match", read)
    assert len(read) > 10
    heard = "\n".join(read)
    for deed in ("locks a command card", "Your move.", "deploys"):
        assert deed in heard, deed
    assert faults == []
