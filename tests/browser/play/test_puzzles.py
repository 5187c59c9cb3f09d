"""The puzzle of the day, from the lobby to its solution, and every shipped puzzle as the page shows it."""

from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from diskwars_content.puzzles import Puzzle, load_puzzle, puzzle_ids, puzzle_of_day
from tests.browser.web_page import (
    DESKTOP,
    PHONE,
    accessibility_findings,
    collect_faults,
    go_to,
    open_page,
    settle,
    show,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

GAMES = {"diskwars": "Diskwars", "pit": "The pit", "close_quarters": "Close quarters", "regiments": "Regiments"}


def answers(page: Page) -> Locator:
    return page.get_by_role("region", name="Puzzle").get_by_role("listitem").get_by_role("button")


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_puzzle_of_the_day_is_solved_from_the_lobby(
    browser: Browser, shared_url: str, window: dict[str, Any]
) -> None:
    page = await open_page(browser, **window)
    faults = collect_faults(page)
    puzzle = load_puzzle(puzzle_of_day())
    await page.goto(shared_url)
    tile = page.get_by_role("region", name="Puzzle of the day")
    await expect(tile).to_contain_text(GAMES[puzzle.ruleset])
    await tile.get_by_role("button", name="Try it").click()
    await expect(answers(page)).to_have_count(len(puzzle.choices))
    await expect(page.get_by_text("%", exact=False)).to_have_count(0)
    await settle(page)
    await show(page, f"puzzle-{'phone' if window is PHONE else 'desktop'}")
    assert await accessibility_findings(page) == []
    await answers(page).nth(puzzle.best).click()
    await expect(page.get_by_role("status").get_by_text("Solved")).to_be_visible()
    for place, choice in enumerate(puzzle.choices):
        await expect(answers(page).nth(place)).to_contain_text(f"{round(choice.wins / 10)}\N{NO-BREAK SPACE}%")
        await expect(answers(page).nth(place)).to_be_disabled()
    await show(page, f"puzzle-solved-{'phone' if window is PHONE else 'desktop'}")
    await go_to(page, "/")
    await expect(tile.get_by_role("button", name="Solved")).to_be_visible()
    assert faults == []
    await page.context.close()


async def test_wrong_answer_shows_the_best_one_and_the_first_answer_counts(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    puzzle = load_puzzle(puzzle_of_day())
    await page.goto(f"{shared_url}puzzles")
    await expect(answers(page)).to_have_count(len(puzzle.choices))
    wrong = (puzzle.best + 1) % len(puzzle.choices)
    await page.get_by_role("button", name="Show the table").click()
    await page.keyboard.press(str(puzzle.best + 1))  # a card that is folded takes no answer
    await page.get_by_role("button", name="Show the answers").click()
    await answers(page).nth(wrong).focus()
    await page.keyboard.press(str(wrong + 1))
    await expect(answers(page).nth(wrong)).to_be_focused()
    await expect(page.get_by_role("status").get_by_text("Better: ")).to_be_visible()
    await page.reload()
    await answers(page).nth(puzzle.best).click()
    await go_to(page, "/")
    await expect(page.get_by_role("button", name="Look again")).to_be_visible()
    assert faults == []
    await page.context.close()


async def test_every_puzzle_has_different_answers_in_words_and_leads_to_the_next(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}puzzles/{puzzle_ids()[0]}")
    for number, id in enumerate(puzzle_ids()):
        puzzle: Puzzle = load_puzzle(id)
        await expect(page).to_have_url(f"{shared_url}puzzles/{id}")
        await expect(answers(page)).to_have_count(len(puzzle.choices))
        words = [text.strip() for text in await answers(page).all_inner_texts()]
        named = {text.lstrip("1234").strip() for text in words}
        assert len(named) == len(puzzle.choices), (id, words)
        assert "" not in named, (id, words)
        await page.keyboard.press("1")
        await page.get_by_role("button", name="Next puzzle").click()
        assert number < len(puzzle_ids())
    await expect(page).to_have_url(f"{shared_url}puzzles/{puzzle_ids()[0]}")
    assert faults == []
    await page.context.close()


async def test_unknown_puzzle_leads_to_that_of_the_day(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}puzzles/chess-01")
    await expect(page.get_by_role("heading", name="There is no such puzzle")).to_be_visible()
    await page.get_by_role("button", name="Puzzle of the day").click()
    await expect(answers(page)).not_to_have_count(0)
    assert faults == []
    await page.context.close()
