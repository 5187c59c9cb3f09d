"""Every question of Diskwars is answered by clicks, and the rules take the answer."""

import asyncio

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.clicks import ANSWER_MS, answer_with_clicks, bar, primary, ready_disks
from tests.browser.scripted_match import QUESTION_TYPES, ScriptedServer, find_moment, find_question
from tests.browser.web_page import collect_faults, draw, open_page, settle
from tests.engine.played_match import PlayedMatch

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def open_at(browser: Browser, url: str, question: str) -> tuple[Page, ScriptedServer]:
    page = await open_page(browser)
    server = ScriptedServer(find_question(question))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    return page, server


async def answers_of(server: ScriptedServer) -> list[a.Action]:
    """Wait for the answer that the page sends, and return what the rules took."""
    async with asyncio.timeout(ANSWER_MS / 1000):
        while not server.answers and not server.refusals:
            await asyncio.sleep(0.02)
    assert server.refusals == []
    return server.answers


@pytest.mark.parametrize("question", QUESTION_TYPES)
async def test_question_is_answered_by_clicks(browser: Browser, shared_url: str, question: str) -> None:
    page, server = await open_at(browser, shared_url, question)
    faults = collect_faults(page)
    await expect(page).to_have_title("● Your move")
    await expect(page.locator('link[rel="icon"]')).to_have_attribute("href", "/icon-turn.svg")
    await answer_with_clicks(page, question)
    assert len(await answers_of(server)) == 1
    assert faults == []


def is_last_card(playing: PlayedMatch, decision: Decision[a.Question]) -> bool:
    """Return whether a seat with the usual two regiments is asked for the only card that its hand still has."""
    settings = playing.state.settings
    return (
        isinstance(decision.question, a.CommandCardQuestion)
        and settings == replace(a.DiskwarsSettings(), setup=settings.setup)
        and len(playing.rules.options(playing.state, decision).actions) == 1
    )


async def test_last_card_of_a_hand_is_locked_without_a_click(browser: Browser, shared_url: str) -> None:
    """Everybody sees which of the own cards is left, so the player has nothing to choose."""
    moment = find_moment(is_last_card)
    page, server = await open_page(browser), ScriptedServer(moment)
    faults = collect_faults(page)
    await server.open(page, shared_url)
    [locked] = await answers_of(server)
    board = moment.playing.board
    assert isinstance(locked, a.LockCard)
    assert board.sides[moment.decision.seat].hand == (locked.card,)
    assert faults == []


async def test_disks_are_deployed_by_drag(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "deployment")
    zones = page.locator("polygon.legal")
    for number in range(await zones.count()):
        box = await zones.nth(number).bounding_box()
        assert box is not None
        while await page.locator(".tray button:not(.off)").count() and await primary(page).is_disabled():
            before = await page.locator(".tray button.off").count()
            tray = page.locator(".tray button:not(.off)").first
            await tray.scroll_into_view_if_needed()
            if before % 2:
                await tray.click()  # to read what it is: it can be carried all the same
            start = await tray.bounding_box()
            assert start is not None
            await page.mouse.move(start["x"] + 20, start["y"] + 20)
            await page.mouse.down()
            await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
            await page.mouse.up()
            await draw(page)
            if await page.locator(".tray button.off").count() == before:
                await page.keyboard.press("Escape")
                break
    await primary(page).click()
    [deployed] = await answers_of(server)
    assert isinstance(deployed, a.Deploy)


async def choose_first_disk(page: Page) -> None:
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".insp")).to_be_visible()


async def test_plan_lasts_while_the_language_changes_and_what_is_aimed_is_shown_apart(
    browser: Browser, shared_url: str
) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    await choose_first_disk(page)
    aimed = page.get_by_role("region", name="If you add this flip")
    planned = page.get_by_role("region", name="If you commit")
    await expect(aimed).to_be_visible()
    await expect(planned).to_have_count(0)
    await page.keyboard.press("a")
    await expect(planned).to_be_visible()
    await page.get_by_role("combobox", name="Language").select_option("de")
    await expect(page.get_by_role("region", name="Wenn du bestätigst")).to_be_visible()
    await primary(page).click()
    [moved] = await answers_of(server)
    assert isinstance(moved, a.MoveDisk)
    assert len(moved.path) == 1


async def test_escape_puts_a_disk_down(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    await choose_first_disk(page)
    await page.keyboard.press("Escape")
    await expect(page.locator(".insp")).to_have_count(0)
    await expect(page.locator(".overlay .ring")).to_have_count(0)
    assert server.answers == []


async def test_pass_is_sent_only_once_it_is_committed(browser: Browser, shared_url: str) -> None:
    """The key and the button beside Move once spent the activation at once."""
    page, server = await open_at(browser, shared_url, "activation")
    await choose_first_disk(page)
    await page.keyboard.press("p")
    await expect(bar(page)).to_contain_text("Spends this activation")
    await page.keyboard.press("Escape")
    await expect(bar(page).locator(".seg")).to_have_count(0)
    await choose_first_disk(page)
    await bar(page).locator(".seg").get_by_role("button", name="Pass", exact=True).click()
    await expect(bar(page)).to_contain_text("does nothing")
    await expect(primary(page)).to_contain_text("Pass")
    await draw(page)
    assert server.answers == []
    await page.keyboard.press("Enter")
    [passed] = await answers_of(server)
    assert isinstance(passed, a.PassDisk)


async def test_card_with_unused_activations_ends_only_when_asked_twice(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    command = page.get_by_label("Command line")
    await command.fill("end")
    await command.press("Enter")
    await expect(page.locator(".command")).to_contain_text("unused")
    await command.press("Escape")
    await page.keyboard.press("e")
    await expect(bar(page).get_by_role("button", name="unused")).to_be_visible()
    await bar(page).get_by_role("button", name="Play on").click()
    assert server.answers == []
    for _ in range(2):
        await page.keyboard.press("e")
    assert await answers_of(server) == [a.EndCard()]


async def test_help_lists_the_keys_of_the_table(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    await page.keyboard.press("?")
    keys = page.get_by_role("region", name="Keys")
    await expect(keys).to_contain_text("next disk that can act")
    await page.get_by_role("button", name="Keys and help").click()
    await expect(keys).to_have_count(0)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(bar(page).get_by_role("button", name="Add flip")).to_be_visible()
    await page.keyboard.press("?")
    await page.keyboard.press("Escape")
    await expect(keys).to_have_count(0)
    await expect(bar(page).get_by_role("button", name="Add flip")).to_be_visible()  # what was planned stays
    assert server.answers == []


async def test_terrain_and_cards_are_read_by_a_click(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    assert server.playing.state.board is not None
    piece = server.playing.state.board.terrain[0].terrain
    await settle(page)
    # Its name is broken into lines by the fonts of the machine, so the first outline is clicked.
    await page.locator(".terrain polygon").first.click(force=True)
    await expect(page.get_by_role("region", name=piece.name)).to_contain_text("R10")
    hand = page.get_by_role("list", name="Your hand")
    await hand.locator("summary").first.click()
    await expect(hand.locator(".text").first).to_contain_text("R7.17")
    assert server.answers == []
