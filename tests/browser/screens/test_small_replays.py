"""Replays of the smaller games: orders as one list, dice as what they are, and turns where a game has turns."""

import itertools

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import CannedServer
from tests.browser.web_page import collect_faults, open_page, settle, show

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

MAX_STEPS = 40
ROWS = """
(all) => all.map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  const name = one.querySelector(".name");
  const isCut = name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1;
  const inner = one.querySelector(".place").getBoundingClientRect();
  const indent = inner.left - one.getBoundingClientRect().left;
  return { top, bottom, isCut, indent, emblems: one.querySelectorAll("svg").length, name: name.textContent };
})
"""


async def open_replay(browser: Browser, url: str, game: str) -> tuple[Page, list[str]]:
    page = await open_page(browser, viewport={"width": 1280, "height": 800})
    await CannedServer().attach(page)
    faults = collect_faults(page)
    await page.goto(f"{url}open")
    await page.locator("input[type=file]").set_input_files(f"tests/golden/files/{game}.match.jsonl")
    await expect(page.get_by_role("slider")).to_be_visible()
    return page, faults


@pytest.mark.parametrize("game", ["pit-four", "close-quarters-barricade", "regiments-destroyed"])
async def test_order_is_one_list_with_the_sign_of_the_seat_and_the_whole_name(
    browser: Browser, shared_url: str, game: str
) -> None:
    page, faults = await open_replay(browser, shared_url, game)
    rows = page.locator(".strip li")
    await page.keyboard.press("Home")
    for _ in range(MAX_STEPS):
        await page.keyboard.press("ArrowRight")
        await settle(page)
        if await rows.count() > 1:
            break
    found = await rows.evaluate_all(ROWS)
    assert len(found) > 1
    assert all(row["emblems"] == 1 and not row["isCut"] and row["name"] for row in found)
    gaps = [lower["top"] - upper["bottom"] for upper, lower in itertools.pairwise(found)]
    assert max(gaps) < 1.5, "the rows lie on one another"
    assert max(row["indent"] for row in found) < 16
    assert max(row["bottom"] - row["top"] for row in found) < 60
    await show(page, f"order-{game}")
    assert faults == []


@pytest.mark.parametrize(("game", "die"), [("pit-four", "d20"), ("regiments-destroyed", "d12")])
async def test_dice_are_drawn_as_what_they_are(browser: Browser, shared_url: str, game: str, die: str) -> None:
    page, faults = await open_replay(browser, shared_url, game)
    await page.get_by_role("button", name="Dice", exact=True).click()
    dice = page.locator(f".log .face.{die}")
    await expect(dice.first).to_be_visible()
    numbers = [int(number) for number in await dice.locator("text").all_text_contents()]
    assert max(numbers) > 6
    await show(page, f"dice-{game}")
    assert faults == []


@pytest.mark.parametrize(("game", "mark"), [("close-quarters-barricade", "Turn 1"), ("regiments-destroyed", "Round 1")])
async def test_marks_of_a_replay_are_turns_where_the_game_has_turns(
    browser: Browser, shared_url: str, game: str, mark: str
) -> None:
    page, faults = await open_replay(browser, shared_url, game)
    await expect(page.locator(".replay .rounds span").first).to_have_text(mark)
    assert faults == []
