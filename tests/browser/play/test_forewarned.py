"""Warnings before an answer is sent, and acts of keys: places that misled newcomers."""

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.clicks import bar, primary, ready_disks
from tests.browser.play.test_answer_bar import OWN_DISK, open_moment
from tests.browser.play.test_questions import answers_of
from tests.browser.scripted_match import find_moment, question_type
from tests.browser.web_page import collect_faults, settle
from tests.engine.played_match import PlayedMatch

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def place(page: Page, count: int) -> None:
    """Take disks from the tray and put each into the middle of the first zone."""
    zone = page.locator(".overlay polygon.legal").first
    for _ in range(count):
        await page.locator(".tray button:not(.off)").first.click()
        box = await zone.bounding_box()
        assert box is not None
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await settle(page)


async def test_disks_that_are_deployed_on_own_ones_are_said_to_pin_them(browser: Browser, shared_url: str) -> None:
    page, _ = await open_moment(
        browser, shared_url, find_moment(lambda _, decision: question_type(decision) == "deployment")
    )
    faults = collect_faults(page)
    notes = page.get_by_role("region", name="If you commit")
    await place(page, 1)
    await expect(notes).not_to_contain_text("pins your own")
    await place(page, 1)
    await expect(notes.locator(".bad", has_text="pins your own")).to_have_count(1)
    assert faults == []


async def test_enter_after_a_click_on_a_disk_answers_a_question_that_is_not_about_it(
    browser: Browser, shared_url: str
) -> None:
    moment = find_moment(lambda _, decision: question_type(decision) == "command_card")
    page, server = await open_moment(browser, shared_url, moment)
    await page.locator(".disk .handle").first.click()
    await page.keyboard.press("1")
    await expect(primary(page)).to_be_enabled()
    await page.keyboard.press("Enter")
    [locked] = await answers_of(server)
    assert isinstance(locked, a.LockCard)


def mixed_shots(playing: PlayedMatch, decision: Decision[a.Question]) -> list[a.Shoot]:
    """Return the shots of a disk that may strike enemies and own disks; none where no disk can."""
    board = playing.state.board
    assert board is not None
    shots = [one for one in playing.rules.options(playing.state, decision).actions if isinstance(one, a.Shoot)]
    for disk in dict.fromkeys(one.disk for one in shots):
        own = [one for one in shots if one.disk == disk and one.shot == 0]
        if len({board.disks[one.target].seat == decision.seat for one in own}) == 2:
            return own
    return []


async def test_tab_goes_through_enemies_and_passes_over_own_disks(browser: Browser, shared_url: str) -> None:
    moment = find_moment(
        lambda playing, decision: question_type(decision) == "activation" and bool(mixed_shots(playing, decision))
    )
    shots = mixed_shots(moment.playing, moment.decision)
    page, _ = await open_moment(browser, shared_url, moment)
    faults = collect_faults(page)
    await page.locator(f"#disk-{shots[0].disk}").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("s")
    for _ in shots:
        await page.keyboard.press("Tab")
        await settle(page)
        await expect(page.locator(".overlay .line")).to_have_count(1)
        await expect(page.locator(".overlay .tag", has_text=OWN_DISK)).to_have_count(0)
    assert faults == []


def moves_after_its_shot(playing: PlayedMatch, decision: Decision[a.Question]) -> bool:
    question, board = decision.question, playing.state.board
    if not isinstance(question, a.ContinuationQuestion) or board is None:
        return False
    is_mobile = any(keyword.id == "mobile" for keyword in board.profile(question.disk).keywords)
    return is_mobile and question.flips_left > 0 and set(question.allowed) == {"move"}


async def test_mobile_disk_that_has_shot_is_not_said_to_shoot_again(browser: Browser, shared_url: str) -> None:
    page, _ = await open_moment(browser, shared_url, find_moment(moves_after_its_shot))
    faults = collect_faults(page)
    await bar(page).get_by_role("button", name="Add flip").click()
    await expect(primary(page)).to_contain_text("Commit 1 flip")
    notes = page.get_by_role("region", name="If you commit")
    await expect(notes).not_to_contain_text("Mobile")
    await expect(bar(page).get_by_role("switch", name="then act again")).to_have_count(0)
    await expect(ready_disks(page)).to_have_count(0)
    assert faults == []
