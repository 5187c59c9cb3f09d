"""Where less motion is asked for nothing moves: on every screen, and while cards, sheets, dice and replays change."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, ready_disks
from tests.browser.embeds.played_matches import play_quick_match
from tests.browser.screens.test_kept_pictures import SCREENS, open_file
from tests.browser.scripted_match import ScriptedServer, find_end, find_question
from tests.browser.web_page import PHONE, draw, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

STEPS = 40
WATCH = """
() => {
  // Longer than this, something is seen to move. What leaves the table fades instead, as docs/design.md says.
  const [SHORT_MS, FADE_MS] = [10, 120];
  const isFade = (effect) => effect.getKeyframes().every((frame) =>
    Object.keys(frame).every((key) => ["opacity", "offset", "easing", "composite", "computedOffset"].includes(key)));
  window.motions = new Set();
  const look = () => {
    for (const animation of document.getAnimations()) {
      const { effect, playState } = animation;
      const ms = Number(effect.getComputedTiming().duration);
      if (playState !== "running" || ms <= SHORT_MS || (ms <= FADE_MS && isFade(effect))) continue;
      const name = animation.animationName ?? animation.transitionProperty ?? "script";
      window.motions.add(`${name} of .${effect.target?.className?.baseVal ?? effect.target?.className}: ${ms} ms`);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const scroll = Element.prototype.scrollIntoView;
  Element.prototype.scrollIntoView = function (options) {
    if (options?.behavior === "smooth") window.motions.add("smooth scroll");
    return scroll.call(this, options);
  };
}
"""


async def open_watched(browser: Browser, motion: str = "reduce", **options: Any) -> Page:
    page = await open_page(browser, reduced_motion=motion, **options)
    await page.add_init_script(f"({WATCH})()")
    return page


async def motions(page: Page) -> list[str]:
    """Return what has moved since the page was opened."""
    await draw(page)
    found: list[str] = await page.evaluate("[...window.motions]")
    return found


@pytest.mark.parametrize("name", SCREENS)
async def test_nothing_moves_on_a_screen(browser: Browser, shared_url: str, name: str) -> None:
    options: dict[str, Any] = PHONE if name.endswith("-phone") else {}
    page = await open_watched(browser, **options)
    await SCREENS[name](page, shared_url)
    for place in range(min(12, await page.locator("a:visible, button:visible").count())):
        await page.locator("a:visible, button:visible").nth(place).hover(force=True)
    assert await motions(page) == []


async def step_through(page: Page, url: str) -> None:
    """Step through a replay: flips, revealed cards, dice, losses and the result."""
    await open_file(page, url, "diskwars-points", "")
    await page.locator("body").press("Home")
    for _ in range(STEPS):
        await page.locator("body").press("ArrowRight")
        await draw(page)
    await page.locator("body").press("End")
    await draw(page)


async def plan_and_choose(page: Page, url: str) -> None:
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    await ready_disks(page).first.focus()
    for key in ("Enter", "a", "a", "ArrowRight", "Backspace", "+", "+", "0", "c", "n", "v", "Escape", "?"):
        await page.keyboard.press(key)
        await draw(page)


async def choose_card(page: Page, url: str) -> None:
    await ScriptedServer(find_question("command_card")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "command_card", timeout=ANSWER_MS)
    cards = page.locator(".fan .cc")
    for place in range(await cards.count()):
        await cards.nth(place).hover(position={"x": 20, "y": 20})
        await cards.nth(place).click(position={"x": 20, "y": 20})
        await draw(page)
    await page.get_by_role("button", name="Show the table").click()
    await draw(page)


async def open_sheets(page: Page, url: str) -> None:
    await ScriptedServer(find_question("deployment")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "deployment", timeout=ANSWER_MS)
    await bar(page).get_by_role("button", name="Suggest places").click()
    for name in ("Cards", "Details", "Log", "Table"):
        await page.get_by_role("tablist", name="Table and sheets").get_by_role("tab", name=name).click()
        await draw(page)
    await page.get_by_role("button", name="Menu", exact=True).click()
    await draw(page)


async def read_result(page: Page, url: str) -> None:
    await ScriptedServer(find_end()).open(page, url)
    await expect(page.get_by_role("region", name="Result")).to_be_visible(timeout=ANSWER_MS)
    await page.get_by_role("region", name="Result").get_by_role("button", name="Replay").click()
    await page.locator("body").press("ArrowLeft")


async def learn(page: Page, url: str) -> None:
    await page.goto(f"{url}learn/1")
    await expect(page.locator(".said")).to_be_visible()
    await page.mouse.click(500, 400)
    await draw(page)


async def solve_puzzle(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_role("region", name="Puzzle of the day").get_by_role("button", name="Try it").click()
    answers = page.get_by_role("region", name="Puzzle").get_by_role("listitem").get_by_role("button")
    await answers.first.click()
    await draw(page)


WALKS: dict[str, tuple[Callable[[Page, str], Awaitable[None]], dict[str, Any]]] = {
    "replay": (step_through, {}),
    "replay on a phone": (step_through, PHONE),
    "plan": (plan_and_choose, {}),
    "plan on a phone": (plan_and_choose, PHONE),
    "hand": (choose_card, {}),
    "sheets": (open_sheets, PHONE),
    "result": (read_result, {}),
    "lesson": (learn, {}),
    "puzzle": (solve_puzzle, {}),
}


@pytest.mark.parametrize("name", WALKS)
async def test_nothing_moves_while_somebody_plays(browser: Browser, shared_url: str, name: str) -> None:
    walk, options = WALKS[name]
    page = await open_watched(browser, **options)
    await walk(page, shared_url)
    assert await motions(page) == []


async def test_nothing_moves_in_an_embed(browser: Browser, url: str) -> None:
    match = await play_quick_match(url)
    page = await open_watched(browser)
    await page.goto(f"{url}embed/{match}/1")
    await expect(page.locator("svg").first).to_be_visible()
    for key in ("ArrowRight",) * 12 + ("End", "Home"):
        await page.keyboard.press(key)
        await draw(page)
    assert await motions(page) == []


async def test_motion_is_noticed_where_it_is_not_reduced(browser: Browser, shared_url: str) -> None:
    page = await open_watched(browser, motion="no-preference")
    await step_through(page, shared_url)
    assert await motions(page) != []
    page = await open_watched(browser, motion="no-preference")
    await choose_card(page, shared_url)
    await settle(page)
    assert any("translate" in motion for motion in await motions(page))
