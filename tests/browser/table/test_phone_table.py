"""The table on a phone, upright and on its side: the answer is always in view, and everything else one tap away."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import bar, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    collect_faults,
    draw,
    open_page,
    settle,
    sideways_overflow,
    small_targets,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

VIEWPORTS = {"upright": {"width": 390, "height": 844}, "on its side": {"width": 844, "height": 390}}


async def open_phone(browser: Browser, url: str, viewport: dict[str, int]) -> Page:
    page = await open_page(browser, **{**PHONE, "viewport": viewport})
    await ScriptedServer(find_question("activation")).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await settle(page)
    return page


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("tablist", name="Table and sheets").get_by_role("tab", name=name)


@pytest.mark.parametrize("held", VIEWPORTS)
async def test_table_and_answer_are_in_view_together(browser: Browser, shared_url: str, held: str) -> None:
    viewport = VIEWPORTS[held]
    page = await open_phone(browser, shared_url, viewport)
    table, button = await page.locator(".stage").bounding_box(), await primary(page).bounding_box()
    assert table is not None
    assert button is not None
    # The table takes most of one side of the window, and the button lies beside it or below it.
    assert min(table["width"], table["height"]) >= 0.9 * min(viewport["width"], viewport["height"])
    assert table["y"] + table["height"] <= button["y"] or table["x"] + table["width"] <= button["x"]
    assert button["y"] + button["height"] <= viewport["height"]
    assert await small_targets(page) == []
    assert await sideways_overflow(page) == 0
    assert await accessibility_findings(page) == []


async def test_mobile_disk_may_act_again_without_a_search_for_the_button(browser: Browser, shared_url: str) -> None:
    """The button stood at the end of a row that scrolls, and what else was pressed gave the shot away."""
    page = await open_phone(browser, shared_url, VIEWPORTS["upright"])
    keep = bar(page).get_by_role("switch", name="then act again")
    await expect(keep).not_to_be_checked()
    add = bar(page).get_by_role("button", name="Add flip")
    before = await add.bounding_box()
    await add.click()
    await expect(keep).to_be_in_viewport(ratio=1)
    await keep.click()
    await expect(keep).to_be_checked()
    assert await add.bounding_box() == before, "the next tap at the same place adds another flip"


async def test_log_opens_at_its_last_entry(browser: Browser, shared_url: str) -> None:
    page = await open_phone(browser, shared_url, VIEWPORTS["upright"])
    faults = collect_faults(page)
    await tab(page, "Log").click()
    entries = page.get_by_role("list", name="Log").get_by_role("listitem")
    await expect(entries.last).to_be_in_viewport()
    await expect(entries.first).not_to_be_in_viewport()
    assert faults == []


async def test_words_beside_an_aim_are_whole(browser: Browser, shared_url: str) -> None:
    """In the middle of a narrow table neither side is wide enough for them."""
    page = await open_phone(browser, shared_url, VIEWPORTS["upright"])
    faults = collect_faults(page)
    stage = await page.locator(".stage").bounding_box()
    assert stage is not None
    bubble = page.locator(".moving .bubble")
    for part in range(2, 9):
        await page.mouse.move(stage["x"] + stage["width"] * part / 10, stage["y"] + stage["height"] / 2)
        await expect(bubble).to_be_visible()
        await draw(page)
        box = await bubble.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= VIEWPORTS["upright"]["width"]
    assert faults == []


@pytest.mark.parametrize("question", ["command_card", "deployment"])
async def test_what_is_chosen_from_and_the_answer_fit_on_a_phone_on_its_side(
    browser: Browser, shared_url: str, question: str
) -> None:
    page = await open_page(browser, **{**PHONE, "viewport": VIEWPORTS["on its side"]})
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    await settle(page)
    await expect(page.locator(".fan button, .tray button").first).to_be_in_viewport(ratio=0.35)
    await expect(primary(page)).to_be_in_viewport(ratio=1)
    assert await small_targets(page) == []


@pytest.mark.parametrize("held", VIEWPORTS)
async def test_everything_beside_the_table_is_one_tap_away(browser: Browser, shared_url: str, held: str) -> None:
    page = await open_phone(browser, shared_url, VIEWPORTS[held])
    hand = page.get_by_role("list", name="Your hand")
    objective = page.get_by_text("Your secret objective")
    log = page.get_by_role("list", name="Log")
    for one in (hand, objective, log):
        await expect(one).not_to_be_visible()
    await tab(page, "Cards").click()
    await objective.scroll_into_view_if_needed()
    await expect(objective).to_be_in_viewport()
    await hand.scroll_into_view_if_needed()
    await hand.locator("summary").first.click()
    await expect(hand.locator(".text").first).to_contain_text("activation")
    assert await small_targets(page) == []
    await tab(page, "Details").click()
    await expect(page.locator(".insp dl")).to_be_in_viewport()
    await tab(page, "Log").click()
    await expect(log).to_be_in_viewport()
    assert await small_targets(page) == []
    await expect(page.get_by_role("button", name="Resign")).to_be_in_viewport()
    await tab(page, "Table").click()
    await expect(primary(page)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("held", VIEWPORTS)
async def test_sheets_are_tabs_and_what_one_covers_is_not_found(browser: Browser, shared_url: str, held: str) -> None:
    page = await open_phone(browser, shared_url, VIEWPORTS[held])
    await tab(page, "Table").press("ArrowRight")
    await expect(tab(page, "Cards")).to_be_focused()
    panel = page.get_by_role("tabpanel", name="Cards", exact=True)
    await expect(panel).to_contain_text("Your secret objective")
    await expect(tab(page, "Cards")).to_have_attribute("aria-controls", await panel.get_attribute("id") or "")
    await expect(primary(page)).to_be_hidden()
    table = page.get_by_role("tabpanel", name="Table", exact=True)
    await expect(table).to_have_count(0 if held == "upright" else 1)
    await tab(page, "Cards").press("End")
    await expect(page.get_by_role("tabpanel", name="Log", exact=True).last).to_be_in_viewport()
    await page.keyboard.press("Home")
    await expect(tab(page, "Table")).to_be_focused()
    await expect(primary(page)).to_be_in_viewport(ratio=1)
    assert await accessibility_findings(page) == []


BETWEEN_TWO_DISKS = """
() => {
  const centres = [...document.querySelectorAll(".disk .focusring")].map((one) => one.getBoundingClientRect())
    .map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
  let found = null;
  for (const [place, [x, y]] of centres.entries()) for (const [other, more] of centres.slice(place + 1)) {
    const far = Math.hypot(x - other, y - more);
    if (found === null || far < found.far) found = { far, x: (x + other) / 2, y: (y + more) / 2 };
  }
  return found;
}
"""


async def test_finger_between_two_disks_is_asked_which_it_meant(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    between = await page.evaluate(BETWEEN_TWO_DISKS)
    await page.touchscreen.tap(between["x"], between["y"])
    asked = page.get_by_role("group", name="Which one?")
    meant = asked.get_by_role("button").last
    await expect(meant).to_be_in_viewport(ratio=1)
    assert await asked.get_by_role("button").count() >= 2
    name = await meant.inner_text()
    await meant.click()
    await expect(asked).to_have_count(0)
    await tab(page, "Details").click()
    await expect(page.locator(".insp")).to_have_attribute("aria-label", name)


async def test_names_of_disks_to_deploy_are_whole(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    await ScriptedServer(find_question("deployment")).open(page, shared_url)
    names = page.locator(".tray button span:first-of-type")
    await expect(names.first).to_be_visible()
    cut_off = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert await names.evaluate_all(cut_off) == []


ORDER_NUMBERS = """
() => {
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.width / 2];
  };
  const disks = [...document.querySelectorAll(".overlay circle.ghost")].map(middle);
  const numbers = [...document.querySelectorAll(".overlay .number circle")].map(middle);
  return numbers.map(([x, y, r], place) => Math.hypot(x - disks[place][0], y - disks[place][1]) - r);
}
"""
"""The distance of each number from the middle of its disk, in px; below 0 it covers the middle."""


async def test_numbers_of_deployed_disks_leave_the_disks_in_view(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **PHONE)
    await ScriptedServer(find_question("deployment")).open(page, shared_url)
    await bar(page).get_by_role("button", name="Suggest places").click()
    await settle(page)
    numbers = await page.evaluate(ORDER_NUMBERS)
    assert len(numbers) >= 3
    assert min(numbers) > 0


ZONES_OUT_OF_REACH = """
() => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const tools = [...document.querySelectorAll(".stage .zoom")].map((one) => one.getBoundingClientRect());
  const isAcross = (zone) => zone.left >= stage.left - 1 && zone.right <= stage.right + 1;
  const isInside = (zone) => isAcross(zone) && zone.top >= stage.top - 1 && zone.bottom <= stage.bottom + 1;
  // The own half: a disk that may come in anywhere may also do so below a tool, after a move of the table.
  const middle = (stage.top + stage.bottom) / 2;
  const meets = (zone, box) =>
    zone.left < box.right && box.left < zone.right && Math.max(middle, zone.top) < box.bottom && box.top < zone.bottom;
  const zones = [...document.querySelectorAll(".overlay polygon.legal")].map((one) => one.getBoundingClientRect());
  const isCut = (zone) => !isInside(zone) || tools.some((box) => meets(zone, box));
  return { zones: zones.length, cut: zones.filter(isCut).length };
}
"""


@pytest.mark.parametrize("question", ["deployment_card", "deployment", "reinforcement"])
@pytest.mark.parametrize("held", VIEWPORTS)
async def test_where_something_is_to_be_placed_is_in_view_and_covered_by_no_tool(
    browser: Browser, shared_url: str, held: str, question: str
) -> None:
    page = await open_page(browser, **{**PHONE, "viewport": VIEWPORTS[held]})
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    if question == "reinforcement":
        await page.locator(".tray button").first.click()
    await settle(page)
    found = await page.evaluate(ZONES_OUT_OF_REACH)
    assert found["zones"] >= 1
    assert found["cut"] == 0


TAG_OVER_PIECE = """
() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  return box(".overlay .tag rect").bottom - box(".overlay polygon.plan, .overlay polygon.illegal").top;
}
"""
"""The overlap of the name of the piece that is placed with the piece, in px."""


@pytest.mark.parametrize("question", ["terrain", "deployment_card"])
async def test_name_of_what_is_placed_does_not_hide_it(browser: Browser, shared_url: str, question: str) -> None:
    page = await open_page(browser, **PHONE)
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    await settle(page)
    assert await page.evaluate(TAG_OVER_PIECE) <= 0
