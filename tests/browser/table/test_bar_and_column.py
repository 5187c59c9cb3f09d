"""The bar holds what fits, and pickers, numbers and the left column say what an answer is about."""

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.canned_server import CannedServer
from tests.browser.clicks import ANSWER_MS, bar, click_card, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_moment, find_question
from tests.browser.web_page import PHONE, collect_faults, draw, open_page
from tests.engine.played_match import PlayedMatch

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

LARGE = {"width": 1440, "height": 900}
OVERLAPS = """
(name) => {
  const boxes = [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
  const isOn = (one, other) => other.left < one.right && one.left < other.right;
  return boxes.flatMap((one, k) => boxes.slice(k + 1).filter((other) => isOn(one, other)))
    .length;
}
"""
RINGS = """
() => [...new Set([...document.querySelectorAll(".disk .engaged")].map((one) => getComputedStyle(one).stroke))]
"""


async def open_at(browser: Browser, url: str, question: str, **options: object) -> Page:
    page = await open_page(browser, **({"viewport": LARGE} | options))
    await ScriptedServer(find_question(question)).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    return page


async def test_engagements_are_numbered_alike_on_the_table_and_in_the_bar(browser: Browser, shared_url: str) -> None:
    page = await open_at(browser, shared_url, "engagement")
    faults = collect_faults(page)
    badges = page.locator(".badge text")
    await expect(badges).to_have_text(["1", "2"])
    numbers = bar(page).get_by_role("group").get_by_role("button")
    await expect(numbers).to_have_text(["1", "2"])
    await expect(primary(page)).to_contain_text("Resolve 1")
    box = await badges.nth(1).bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await expect(primary(page)).to_contain_text("Resolve 2")
    await expect(page.locator(".badge.chosen")).to_have_text("2")
    await numbers.first.click()
    await expect(primary(page)).to_contain_text("Resolve 1")
    # No seat has the colour of a ring: what is not chosen has one colour, and never that of a seat.
    assert await page.evaluate(RINGS) == ["rgb(239, 228, 204)"]
    assert faults == []


def melee_that_harms_both(playing: PlayedMatch, decision: Decision[a.Question]) -> bool:
    return isinstance(decision.question, a.EngagementQuestion) and len(decision.question.engagements) > 1


CUT_NAMES = "all => all.map((one) => one.querySelector('.name').scrollWidth > one.querySelector('.name').clientWidth)"
WHOLE_FATES = """
(all) => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one.querySelector(".fate").lastChild);
  return range.getBoundingClientRect().right <= one.getBoundingClientRect().right + 1;
})
"""
"""Whether what becomes of the disks is inside of their half of the line."""


async def test_one_line_of_a_phone_tells_the_fates_of_both_sides(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    faults = collect_faults(page)
    await ScriptedServer(find_moment(melee_that_harms_both)).open(page, shared_url)
    sides = bar(page).locator(".fates .side")
    await expect(sides).to_have_text(["Karl Franz: damage 3 of 5", "Arrer Boyz destroyed"], timeout=ANSWER_MS)
    await expect(sides.locator("svg")).to_have_count(2)
    await page.set_viewport_size({"width": 320, "height": 700})
    assert await sides.evaluate_all(CUT_NAMES) == [True, True], "there is no room for both names"
    assert await sides.evaluate_all(WHOLE_FATES) == [True, True]
    assert faults == []


async def test_left_column_tells_who_has_locked_and_what_a_card_goes_before(browser: Browser, shared_url: str) -> None:
    page = await open_at(browser, shared_url, "command_card")
    faults = collect_faults(page)
    slots = page.get_by_role("group", name="Locked cards")
    await expect(slots).to_contain_text("choosing")
    order = page.get_by_role("region", name="Order of cards")
    await expect(order).to_contain_text("Bold before steady")
    await click_card(page)
    await expect(order).to_contain_text("A bold card goes")
    rows = order.get_by_role("listitem")
    await expect(rows).to_have_text(
        ["against boldby initiative", "against steadybefore it", "against deviousafter it", "against slowbefore it"]
    )
    assert faults == []


async def test_cards_of_the_turn_have_no_chevron(browser: Browser, shared_url: str) -> None:
    page = await open_at(browser, shared_url, "activation")
    cards = page.locator(".turn summary")
    await expect(cards.first).to_be_visible()
    signs = await cards.evaluate_all("all => all.map((one) => getComputedStyle(one, '::before').display)")
    assert set(signs) == {"none"}


async def test_deployment_cards_lie_with_both_faces_over_the_table(browser: Browser, shared_url: str) -> None:
    page = await open_at(browser, shared_url, "deployment_card")
    faults = collect_faults(page)
    faces = page.locator(".picker .face")
    await expect(page.locator(".picker .both")).to_have_count(3)
    await expect(faces).to_have_count(6)
    await faces.nth(1).click()
    await expect(faces.nth(1)).to_have_attribute("aria-pressed", "true")
    await expect(faces.nth(1)).to_contain_text("Scouting")
    # The own edge, along which the card is laid, stays free.
    picker, stage = await page.locator(".picker").bounding_box(), await page.locator(".center > .table").bounding_box()
    assert picker is not None
    assert stage is not None
    assert picker["y"] + picker["height"] < stage["y"] + 0.6 * stage["height"]
    assert faults == []


async def test_choices_of_a_mobile_disk_fit_into_the_bar_of_a_small_window(browser: Browser, shared_url: str) -> None:
    page = await open_at(browser, shared_url, "activation", viewport={"width": 1280, "height": 800})
    faults = collect_faults(page)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    second = bar(page).locator(".second")
    await expect(second.get_by_role("switch", name="then act again")).to_be_visible()
    await expect(second.get_by_role("button", name="Add flip")).to_be_visible()
    await expect(page.locator(".picker")).to_have_count(0)
    await page.keyboard.press("a")
    await second.get_by_role("switch").click()
    await expect(primary(page)).to_contain_text("Commit 1 flip")
    await draw(page)
    assert faults == []


@pytest.mark.parametrize("game", ["regiments-destroyed", "pit-four"])
async def test_names_of_rounds_do_not_lie_on_one_another(browser: Browser, shared_url: str, game: str) -> None:
    page = await open_page(browser, viewport={"width": 1280, "height": 800})
    await CannedServer().attach(page)
    await page.goto(f"{shared_url}open")
    await page.locator("input[type=file]").set_input_files(f"tests/golden/files/{game}.match.jsonl")
    labels = page.locator(".replay .rounds span")
    await expect(labels.first).to_have_text("Round 1")
    assert await labels.count() > 3
    assert await page.evaluate(OVERLAPS, ".replay .rounds span") == 0
