"""Answers to the questions of Diskwars by clicks and keys on the page, one function for each question."""

import asyncio
import re
from collections.abc import Awaitable, Callable

from playwright.async_api import Locator, Page, expect

ANSWER_MS = 40_000
"""Longer than a busy machine needs for an answer, the bot's turn included."""
FLIPS = re.compile(r": \d+ flips?\b")
"""The text of the log about a disk that was moved."""
CLICKS = 3
"""A click that ends what is being shown may come to nothing else: a person clicks again."""
MAX_ANSWERS = 400
"""More than a match of Diskwars with the smallest armies asks of one seat."""


def bar(page: Page) -> Locator:
    return page.locator(".act")


def primary(page: Page) -> Locator:
    return bar(page).locator(".primary")


async def resign(page: Page) -> None:
    """Resign, and say in the dialog that it is meant."""
    await page.get_by_role("button", name="Resign").click()
    dialog = page.get_by_role("dialog", name="Resign for good?")
    await expect(dialog).to_be_in_viewport(ratio=1)
    await dialog.get_by_role("button", name="Resign").click()


async def lose_the_pit(page: Page, url: str) -> None:
    """Play the pit against a bot, and resign at once."""
    await page.goto(url)
    await page.get_by_label("Game").first.select_option(label="The pit")
    await page.get_by_role("button", name="Play now").click()
    await resign(page)


def ready_disks(page: Page) -> Locator:
    return page.locator('.disk:has(circle[fill="url(#g-ready)"]) .handle')


OPEN_QUESTION = """
() => {
  const bar = document.querySelector(".act");
  if (bar?.dataset.status === "ended") return "";
  return bar?.dataset.decision && bar.ariaBusy === "false" ? bar.dataset.question ?? "" : null;
}
"""
"""Reads all at one moment; null if nothing is asked, or an answer to it is under way."""


ASKED = '.act[aria-busy="false"][data-decision]:not([data-decision=""])'
"""The bar of a seat that is asked, and has not answered yet."""


async def wait_for_any(*ones: Locator) -> None:
    """Wait until one of these is there. They may be of several pages, which `Locator.or_` refuses."""
    async with asyncio.timeout(ANSWER_MS / 1000):
        while not any([await one.count() for one in ones]):
            await asyncio.sleep(0.02)


async def open_question(page: Page) -> str:
    """Wait until this seat is asked, and return the question; empty once the match is over."""
    asking = page.locator(f'{ASKED}, .act[data-status="ended"]')
    for _ in range(MAX_ANSWERS):
        await expect(asking).to_have_count(1, timeout=ANSWER_MS)
        asked: str | None = await page.evaluate(OPEN_QUESTION)
        if asked is not None:
            return asked
    raise AssertionError("what is asked changes each time that it is read")


async def answer(page: Page) -> str:
    """Answer the open question by clicks and return it; empty once the match is over."""
    question = await open_question(page)
    if not question:
        return ""
    decision = await bar(page).get_attribute("data-decision") or ""
    used = await answer_with_clicks(page, question)
    await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=ANSWER_MS)
    return used or question


async def play_until(page: Page, question: str) -> None:
    """Answer by clicks until this question is open."""
    for _ in range(MAX_ANSWERS):
        asked = await open_question(page)
        assert asked, f"the match ended before {question}"
        if asked == question:
            return
        await answer(page)
    raise AssertionError(f"{question} is not asked within {MAX_ANSWERS} answers")


async def answer_with_clicks(page: Page, question: str) -> str:
    """Click an answer to a question. Return what was done where the question leaves a choice of that."""
    return await ANSWERS.get(question, press_primary)(page)


async def press_primary(page: Page) -> str:
    await primary(page).click()
    return ""


async def click_card(page: Page) -> Locator:
    """Click the first card of the hand where it is in view: the bar covers most of it."""
    card = page.locator(".fan button").first
    await card.click(position={"x": 30, "y": 20})
    return card


async def lock_card(page: Page) -> str:
    await click_card(page)
    return await press_primary(page)


async def deploy(page: Page) -> str:
    await bar(page).get_by_role("button", name="Suggest places").click()
    return await press_primary(page)


async def choose_first(page: Page) -> str:
    """Choose the first answer, where none that harms an own disk is chosen beforehand."""
    await bar(page).locator(".choices button").first.click()
    return await press_primary(page)


async def end_scouting(page: Page) -> str:
    await bar(page).get_by_role("button", name="End scouting").click()
    return ""


async def activate(page: Page) -> str:
    """Shoot if a disk can; else do what is left to do."""
    ready = ready_disks(page)
    for number in range(await ready.count()):
        await ready.nth(number).focus()
        await page.keyboard.press("Enter")
        if await shoot(page):
            return "shot"
        await page.keyboard.press("Escape")
        await expect(bar(page).locator(".seg")).to_have_count(0)
    return await activate_without_shot(page)


async def activate_without_shot(page: Page) -> str:
    """Go straight at an enemy, use the battle ability, or bring in a disk of the reserve."""
    ready = ready_disks(page)
    if await ready.count():
        await ready.first.focus()
        await page.keyboard.press("Enter")
        # Without activations left, it is the battle ability that lights disks.
        is_moving = await bar(page).get_by_role("button", name="Add flip").count()
        return await move(page) if is_moving else await use_ability(page)
    # The disk that goes on is chosen already.
    if await page.locator(".tray").count():
        return await bring_in(page)
    if await bar(page).get_by_role("button", name="Add flip").count():
        return await move(page)
    reserve = bar(page).get_by_role("button", name="Reserve")
    if await reserve.count():
        await reserve.click()
        return await bring_in(page)
    if await battle_ability(page).or_(bar(page).locator(".primary:enabled")).count():
        return await use_ability(page)
    await bar(page).get_by_role("button", name="End the card").click()
    return ""


async def shoot(page: Page) -> bool:
    """Shoot at a target with the chosen disk if it has a ranged attack now."""
    shooting = bar(page).get_by_role("button", name="Shoot", exact=True)
    if not await shooting.count():
        return False
    for _ in range(CLICKS):
        await shooting.click()
        if await shooting.get_attribute("aria-pressed") == "true":
            break
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("region", name="If you commit")).to_contain_text("damage on average")
    await primary(page).click()
    return True


async def move(page: Page) -> str:
    """Go straight at an enemy, or by one flip where the question allows no more."""
    enemy = page.locator('.handle:not([aria-label*="yours"])').first
    if await enemy.count():
        await enemy.focus()
        await page.keyboard.press("Enter")
    if await primary(page).is_disabled():
        add = bar(page).get_by_role("button", name="Add flip")
        if await add.is_disabled():
            await bar(page).get_by_role("button", name=re.compile(r"\+5°")).click()
        await add.click()
    await primary(page).click()
    return "move"


def battle_ability(page: Page) -> Locator:
    return bar(page).get_by_role("button", name="Battle ability", exact=True)


async def use_ability(page: Page) -> str:
    """Use the battle ability with the chosen disk, on the first target that it can have."""
    if await battle_ability(page).count():
        await battle_ability(page).click()
    if await primary(page).is_disabled():
        await page.keyboard.press("Tab")
    await primary(page).click()
    return "ability"


async def flip_as_offered(page: Page) -> str:
    await bar(page).get_by_role("button", name="Add flip").click()
    return await press_primary(page)


async def bring_in(page: Page) -> str:
    await page.locator(".tray button").first.click()
    await primary(page).click()
    return "reinforce"


async def go_on(page: Page) -> str:
    """Shoot if that is left to do; else the activation ends."""
    if await shoot(page):
        return "shot"
    passing = bar(page).get_by_role("button", name="Pass", exact=True)
    if await passing.count():
        await passing.click()
        return await press_primary(page)
    return await move(page)


ANSWERS: dict[str, Callable[[Page], Awaitable[str]]] = {
    "command_card": lock_card,
    "deployment": deploy,
    "scout": end_scouting,
    "scatter": choose_first,
    "activation": activate,
    "continuation": go_on,
    "rampage": flip_as_offered,
    "reinforcement": bring_in,
}
