"""The three small games in a real Chromium: a whole match of each against a bot, played by clicks."""

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.stages import stages_seen, watch_stages
from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    collect_faults,
    open_page,
    settle,
    sideways_overflow,
    small_targets,
)

MAX_ANSWERS = 900
"""More than any of these matches asks of one seat."""

MAX_MATCHES = 8
"""A bot begins in all of them once in 256 runs, should it always win so early."""

pytestmark = [pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="session")]


async def begin(browser: Browser, url: str, game: str, **options: Any) -> tuple[Page, list[str]]:
    """Take a seat against a bot in two clicks, and begin."""
    page = await open_page(browser, **options)
    faults = collect_faults(page)
    await watch_stages(page)
    await page.goto(url)
    await page.get_by_label("Game").first.select_option(label=game)
    await page.get_by_role("button", name="Play now").click()
    return page, faults


async def play_to_the_end(page: Page) -> tuple[set[str], set[str]]:
    """Answer by clicks until somebody has won; return first words of questions, and all outlooks."""
    asked: set[str] = set()
    outlooks: set[str] = set()
    bar = page.locator(".act")
    for _ in range(MAX_ANSWERS):
        await expect(bar.locator(".q b")).not_to_contain_text("Waiting")
        await expect(bar).to_have_attribute("aria-busy", "false")  # the former answer is not under way any more
        title = await bar.locator(".q b").inner_text()
        if await bar.get_attribute("data-status") == "ended":
            return asked, outlooks
        asked.add(title.split(" ")[0])
        await answer(page, bar, title, outlooks)
    pytest.fail(f"no end after {MAX_ANSWERS} answers")


async def play_until_asked(
    browser: Browser, url: str, game: str, questions: set[str]
) -> tuple[Page, list[str], set[str], set[str]]:
    """Play whole matches until each of the questions was asked; return the last one's page and what all of them asked.

    Dice decide who begins, and a bot that begins may win before the first turn of the other seat.
    """
    asked: set[str] = set()
    outlooks: set[str] = set()
    for match in range(MAX_MATCHES):
        page, faults = await begin(browser, url, game)
        in_this_match, seen = await play_to_the_end(page)
        asked |= in_this_match
        outlooks |= seen
        if questions <= asked:
            return page, faults, asked, outlooks
        assert not faults, f"match {match + 1}"
        await page.context.close()
    raise AssertionError(f"{questions - asked} not asked in {MAX_MATCHES} matches")


async def answer(page: Page, bar: Locator, title: str, outlooks: set[str]) -> None:
    """Answer one question: through a lit piece and a marked place, through a way to move, or by a button."""
    before = await page.locator(".log .entry").count()
    primary = bar.locator(".primary")
    if await page.locator(".spot").count():
        await page.locator(".spot").last.focus()
        await page.keyboard.press("Enter")
        await expect(primary).to_be_enabled()
        await page.keyboard.press("Enter")  # on the cell that is chosen, it sends
    elif await bar.locator(".seg button").count():
        await bar.locator(".seg button").first.click()
        await primary.click()
    elif title.startswith(("Who engages", "Who moves")) and await lit(page).count():
        await lit(page).first.focus()
        await page.keyboard.press("Enter")
        await expect(page.locator(".spot").first).to_be_visible()
        return
    elif await bar.locator(".primary:enabled").count():
        outlooks |= {*await page.locator(".outlook").all_inner_texts()}
        await primary.click()
    else:
        outlooks |= await choose_first(page, bar)
    # A record follows, or a refusal; then the first choice is always legal.
    for _ in range(100):
        if await page.locator(".log .entry").count() > before or await bar.locator(".q b").inner_text() != title:
            return
        if await bar.locator(".bad").count():
            await bar.get_by_role("button", name="Clear").click()
            await choose_first(page, bar)
            return
        await asyncio.sleep(0.05)


async def choose_first(page: Page, bar: Locator) -> set[str]:
    """Choose the first whole answer, take it back, choose it by its number, and send it; return its outlook."""
    first = bar.locator(".choices .btn").first
    await first.click()
    await expect(first).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await expect(bar.locator('.choices [aria-pressed="true"]')).to_have_count(0)
    await page.keyboard.press("1")
    await expect(bar.locator(".primary")).to_be_enabled()
    said = {*await page.locator(".outlook").all_inner_texts()}
    await page.keyboard.press("Enter")
    return said


def lit(page: Page) -> Locator:
    return page.locator('.disk:has(circle[fill="url(#g-ready)"]) .handle')


@pytest.mark.parametrize(
    ("game", "questions", "words", "rolls", "outlook"),
    [
        ("The pit", {"Who", "Engage", "Attacks"}, "attacks", "Melee", "It is taken out: "),
        ("Close quarters", {"Which", "What"}, "Close combat", "Saves", "At least one model falls: "),
        ("Regiments", {"Order"}, "marches", "To hit", "an attack wounds: "),
    ],
)
async def test_whole_match_is_played_by_clicks(
    browser: Browser, url: str, game: str, questions: set[str], words: str, rolls: str, outlook: str
) -> None:
    page, faults, asked, outlooks = await play_until_asked(browser, url, game, questions)
    assert questions <= asked
    assert any(outlook in one and "%" in one for one in outlooks)
    log = page.get_by_role("list", name="Log")
    earlier = log.get_by_role("button", name="Earlier entries")
    for _ in range(40):  # each click draws thirty more, of a log that is far shorter than 1,200
        if await earlier.count():
            await earlier.first.click()
    await expect(log).to_contain_text(words)
    await expect(log.locator(".rule").first).to_be_visible()
    result = page.get_by_role("region", name="Result")
    await expect(result).to_contain_text(re.compile("Only one side is left|is over"))
    # As players count: fighters, points of models, units; none is in the hundreds.
    scores = [float(one) for one in await result.locator(".num").all_inner_texts()]
    assert 0 < max(scores) < 100
    await result.get_by_role("button", name="Luck report").click()
    luck = page.get_by_role("table", name="Luck")
    await expect(luck.get_by_role("cell", name=re.compile(rf"^{rolls} \d")).first).to_be_visible()
    await page.locator("body").press("Home")
    await expect(page.get_by_role("slider")).to_have_value("1")
    await page.locator("body").press("]")
    assert await page.locator(".disk").count() > 3
    seen = await stages_seen(page)
    assert {"waiting", "ended"} < set(seen["questions"])
    assert len(seen["stages"]) == len(seen["primaries"]) == 1, seen
    assert faults == []


@pytest.mark.parametrize(
    ("game", "form", "wrong", "fault", "order", "logged"),
    [
        ("The pit", "end", "attack B1", "answers nothing that is asked now", "end", "Turn of"),
        ("Regiments", "march to 4 5 north", "march to 99 99", "ends there", "march forward", "marches to column"),
    ],
)
async def test_orders_of_the_terminal_are_typed(
    browser: Browser, url: str, game: str, form: str, wrong: str, fault: str, order: str, logged: str
) -> None:
    page, faults = await begin(browser, url, game)
    line = page.get_by_label("Command line")
    await expect(line).to_be_visible()
    await expect(page.locator(".act .primary")).to_be_visible()
    await page.keyboard.press("/")
    await expect(line).to_be_focused()
    await page.keyboard.type("help")
    await page.keyboard.press("Enter")
    answers = page.locator(".command .said")
    await expect(answers).to_contain_text(form)
    await line.fill(wrong)
    await line.press("Enter")
    await expect(answers).to_contain_text(fault)
    bar = page.locator(".act")
    decision = await bar.get_attribute("data-decision") or ""
    await line.fill(order)
    await line.press("Enter")
    await expect(bar).not_to_have_attribute("data-decision", decision)
    # The line stays where it is, and keeps the focus, while others are asked.
    await expect(answers).to_have_text(f"Done: {order}")
    await expect(line).to_be_focused()
    await expect(page.get_by_role("list", name="Log")).to_contain_text(logged)
    assert faults == []


@pytest.mark.parametrize(
    ("game", "piece"), [("The pit", "Captain"), ("Close quarters", "Guards"), ("Regiments", "Foot")]
)
async def test_phone_has_the_table_its_answer_and_one_sheet_at_a_time(
    browser: Browser, url: str, game: str, piece: str
) -> None:
    page, faults = await begin(browser, url, game, **PHONE)
    await expect(page.locator(".act[data-decision] .primary")).to_be_in_viewport(ratio=1)
    await expect(page.locator(".table svg.board")).to_be_in_viewport()
    tabs = page.get_by_role("tablist", name="Table and sheets")
    log = page.get_by_role("list", name="Log")
    await expect(log).to_be_hidden()
    await settle(page)
    assert await small_targets(page) == []
    await tabs.get_by_role("tab", name="Log").click()
    await expect(log).to_contain_text("The match begins")
    assert await small_targets(page) == []
    await tabs.get_by_role("tab", name="Sides").click()
    await expect(page.get_by_role("region", name="Mild bot")).to_be_in_viewport()
    await tabs.get_by_role("tab", name="Table").click()
    own = page.locator(f'.handle[aria-label*="{piece}"]').first
    await own.focus()
    await page.keyboard.press("Enter")
    await tabs.get_by_role("tab", name="Details").click()
    await expect(page.get_by_role("heading", name=piece).first).to_be_in_viewport()
    assert await small_targets(page) == []
    assert await sideways_overflow(page) == 0
    assert await accessibility_findings(page) == []
    await tabs.get_by_role("tab", name="Table").click()
    await page.set_viewport_size({"width": 844, "height": 390})
    await settle(page)
    for button in await page.locator(".act[data-decision] .btn").all():
        await expect(button).to_be_in_viewport(ratio=1)
    assert await small_targets(page) == []
    assert await sideways_overflow(page) == 0
    assert faults == []


async def test_scenario_with_a_task_says_what_decides(browser: Browser, url: str) -> None:
    """Its last round is its own and ends with the task, so nothing is said of most fighters after round 12."""
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="New match").click()
    sheet = page.get_by_role("dialog", name="New match")
    await sheet.get_by_label("Game").select_option("pit")
    await sheet.get_by_text("Bots", exact=True).click()
    await sheet.get_by_role("radio", name="Ambush").check(force=True)
    await sheet.get_by_role("button").last.click()
    goal = page.locator(".goal")
    await expect(goal).to_contain_text("wins with 4 of its fighters in the marked place")
    await expect(goal).to_contain_text("alone on the field")
    await expect(goal).not_to_contain_text("round 12")
    assert faults == []
