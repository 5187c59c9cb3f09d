"""Choices that the bar makes beforehand, and its texts and buttons where little is left to do."""

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.clicks import ANSWER_MS, bar, primary, ready_disks
from tests.browser.play.test_questions import answers_of
from tests.browser.scripted_match import OpenQuestion, ScriptedServer, find_moment, question_type
from tests.browser.web_page import draw, open_page, settle, show
from tests.engine.played_match import PlayedMatch

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

OWN_DISK = "your own disk"


async def open_moment(browser: Browser, url: str, moment: OpenQuestion) -> tuple[Page, ScriptedServer]:
    page = await open_page(browser)
    server = ScriptedServer(moment)
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question_type(moment.decision), timeout=ANSWER_MS)
    await expect(bar(page)).to_have_attribute("aria-busy", "false")
    return page, server


def shots_at_own_disks(playing: PlayedMatch, decision: Decision[a.Question]) -> list[a.Shoot]:
    """Return a shot for each disk that can shoot at one disk only, which is its own player's."""
    assert playing.state.board is not None
    shots = [one for one in playing.rules.options(playing.state, decision).actions if isinstance(one, a.Shoot)]
    alone = [one for one in shots if sum(other.disk == one.disk for other in shots) == 1]
    return [one for one in alone if playing.state.board.disks[one.target].seat == decision.seat]


async def test_own_disk_is_no_target_before_it_is_chosen(browser: Browser, shared_url: str) -> None:
    """An own disk that was the only target was chosen, Enter shot at it, and the chance of its wound was green."""
    moment = find_moment(
        lambda playing, decision: (
            question_type(decision) == "activation" and bool(shots_at_own_disks(playing, decision))
        )
    )
    shot = shots_at_own_disks(moment.playing, moment.decision)[0]
    page, server = await open_moment(browser, shared_url, moment)
    await page.locator(f"#disk-{shot.disk}").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("s")
    await expect(primary(page)).to_be_disabled()
    await expect(bar(page)).to_contain_text("Only your own disks")
    await page.keyboard.press("Enter")
    await draw(page)
    assert server.answers == []
    await expect(page.locator(".disk:has(.mark.harm)")).to_have_count(1)
    await page.keyboard.press("Tab")
    await expect(page.locator(".overlay .tag.harm")).to_contain_text(OWN_DISK)
    await expect(page.locator(".overlay .line.own")).to_have_count(1)
    notes = page.get_by_role("region", name="If you commit")
    await expect(notes.locator(".bad", has_text=OWN_DISK)).to_have_count(1)
    await expect(
        notes.locator(".bad", has_text="Wounded").or_(notes.locator(".bad", has_text="Destroyed"))
    ).to_have_count(1)
    await expect(notes.locator(".good")).to_have_count(0)
    await primary(page).click()
    assert await answers_of(server) == [shot]


def is_won_in_second_seat(_: PlayedMatch, decision: Decision[a.Question]) -> bool:
    return question_type(decision) == "first_player" and decision.seat == 1


async def test_winner_of_the_initiative_goes_first_unless_another_is_chosen(browser: Browser, shared_url: str) -> None:
    page, server = await open_moment(browser, shared_url, find_moment(is_won_in_second_seat))
    emblems = bar(page).locator(".choices .btn svg[viewBox='-17 -17 34 34']")
    fills = await emblems.evaluate_all("all => all.map((one) => one.getAttribute('fill'))")
    assert fills == ["var(--seat-a)", "var(--seat-b)"]
    await expect(primary(page).locator("svg")).to_have_attribute("fill", "var(--seat-b)")
    await show(page, "first-player")
    await page.keyboard.press("Enter")
    assert await answers_of(server) == [a.ChooseFirstPlayer(1)]


def moves_no_more(_: PlayedMatch, decision: Decision[a.Question]) -> bool:
    return isinstance(decision.question, a.ContinuationQuestion) and decision.question.flips_left == 0


async def test_disk_that_goes_on_stays_chosen_when_its_plan_is_cancelled(browser: Browser, shared_url: str) -> None:
    """Nothing could be pressed after Cancel, and the bar said that 0 flips were left."""
    page, server = await open_moment(browser, shared_url, find_moment(moves_no_more))
    assert isinstance(server.decision.question, a.ContinuationQuestion)
    modes = bar(page).locator(".seg button")
    await expect(modes).not_to_have_count(0)
    offered = await modes.all_inner_texts()
    await bar(page).get_by_role("button", name="Cancel").click()
    await page.keyboard.press("Escape")
    await page.locator(".disk:not(:has(.casing)) .handle").first.focus()
    await page.keyboard.press("Enter")
    await draw(page)
    assert await modes.all_inner_texts() == offered
    await expect(bar(page)).not_to_contain_text("0 flips")
    await page.keyboard.press("p")
    await expect(bar(page)).to_contain_text("Ends this activation")
    await primary(page).click()
    assert await answers_of(server) == [a.PassDisk(server.decision.question.disk)]


def disk_action_types(playing: PlayedMatch, decision: Decision[a.Question]) -> set[str]:
    """Return the types of the answers that name a disk."""
    options = playing.rules.options(playing.state, decision)
    answers = [*options.actions, *(one.example for one in options.parametric)]
    return {str(type(one).__struct_config__.tag) for one in answers if hasattr(one, "disk")}


@pytest.mark.parametrize(("left", "wanted"), [("use_ability", "battle ability"), ("reinforce", "reserve")])
async def test_bar_says_what_is_left_where_no_disk_is_lit(
    browser: Browser, shared_url: str, left: str, wanted: str
) -> None:
    moment = find_moment(
        lambda playing, decision: (
            question_type(decision) == "activation" and disk_action_types(playing, decision) == {left}
        )
    )
    page, server = await open_moment(browser, shared_url, moment)
    for _ in range(2):
        await expect(bar(page)).to_contain_text(wanted)
        assert (
            "lit disk" not in await bar(page).inner_text()
            or await page.locator(".disk circle[fill='url(#g-ready)']").count()
        )
        await page.keyboard.press("Escape")
        await draw(page)
    assert server.answers == []


async def test_enter_after_a_click_in_the_bar_is_the_primary_answer(browser: Browser, shared_url: str) -> None:
    """The button that was clicked has the focus, and Enter added another flip instead of committing."""
    moment = find_moment(lambda playing, decision: question_type(decision) == "activation")
    page, server = await open_moment(browser, shared_url, moment)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    add = bar(page).get_by_role("button", name="Add flip")
    await add.click()
    await expect(primary(page)).to_contain_text("Commit 1 flip")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Shift+Tab")
    await expect(add).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(primary(page)).to_contain_text("Commit 2 flips")
    assert server.answers == [], "a button that is reached by the keyboard is pressed"
    await add.click()
    await expect(primary(page)).to_contain_text("Commit 3 flips")
    await page.keyboard.press("Enter")
    [moved] = await answers_of(server)
    assert isinstance(moved, a.MoveDisk)
    assert len(moved.path) == 3


def shots_at_enemies(playing: PlayedMatch, decision: Decision[a.Question]) -> list[a.Shoot]:
    """Return the shots of one disk at its enemies; none where each disk has fewer than two."""
    assert playing.state.board is not None
    shots = [one for one in playing.rules.options(playing.state, decision).actions if isinstance(one, a.Shoot)]
    shots = [one for one in shots if one.shot == 0 and playing.state.board.disks[one.target].seat != decision.seat]
    by_disk = [[one for one in shots if one.disk == disk] for disk in dict.fromkeys(one.disk for one in shots)]
    return next((one for one in by_disk if len(one) > 1), [])


@pytest.mark.parametrize("is_listed", [False, True])
async def test_enter_after_a_click_on_a_target_is_the_primary_answer(
    browser: Browser, shared_url: str, is_listed: bool
) -> None:
    """The disk or the row that was clicked has the focus, and Enter chose it once more instead of shooting."""
    moment = find_moment(
        lambda playing, decision: question_type(decision) == "activation" and bool(shots_at_enemies(playing, decision))
    )
    shots = shots_at_enemies(moment.playing, moment.decision)
    page, server = await open_moment(browser, shared_url, moment)
    await page.locator(f"#disk-{shots[0].disk}").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("s")
    await page.get_by_role("tab", name="Disks").click()
    # The whole table: otherwise the view moves to the targets, and controls lie over one.
    await page.keyboard.press("0")
    await settle(page)
    for shot in shots:
        disk = page.locator(f"#disk-{shot.target}")
        name = (await disk.get_attribute("aria-label") or "").split(",")[0]
        row = page.locator(".twin").get_by_role("button", name=name, exact=True)
        await (row if is_listed else disk).click()
        await expect(page.get_by_text(f"To {name}:")).to_be_visible()
    await page.keyboard.press("Enter")
    assert await answers_of(server) == [shots[-1]]
