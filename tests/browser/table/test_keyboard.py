"""The table by keys alone: typed orders, disks reached by arrows, and the live regions for screen readers."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.browser.clicks import ANSWER_MS, bar, click_card
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import accessibility_findings, collect_faults, open_page

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

MAX_TABS = 80
MAX_TURNS = 72
MAX_STEPS = 12


async def open_at(browser: Browser, url: str, question: str) -> tuple[Page, ScriptedServer]:
    page = await open_page(browser)
    server = ScriptedServer(find_question(question))
    await server.open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    return page, server


async def answer_of(server: ScriptedServer) -> a.Action:
    async with asyncio.timeout(ANSWER_MS / 1000):
        while not server.answers:
            await asyncio.sleep(0.02)
    return server.answers[0]


async def type_order(page: Page, line: str) -> None:
    """Type an order from wherever the focus is."""
    await page.keyboard.press("/")
    command = page.get_by_role("textbox", name="Command line")
    await expect(command).to_be_focused()
    await command.press("Control+a")
    await page.keyboard.type(line)
    await page.keyboard.press("Enter")
    await command.press("Escape")


def command_answer(page: Page) -> Locator:
    return page.locator("#command-answer")


async def names_that_can_move(page: Page, server: ScriptedServer) -> list[tuple[int, str]]:
    """Return the disks that can move, by number and by the name that the page gives them."""
    options = server.playing.rules.options(server.playing.state, server.decision)
    movers = [plan.example.disk for plan in options.parametric if isinstance(plan.example, a.MoveDisk)]
    labels = [await page.locator(f"#disk-{disk}").get_attribute("aria-label") or "" for disk in movers]
    return [(disk, label.split(",")[0]) for disk, label in zip(movers, labels, strict=True)]


async def test_activation_is_typed(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    faults = collect_faults(page)
    [(disk, name), *_] = await names_that_can_move(page, server)
    await type_order(page, "dance")
    await expect(command_answer(page)).to_contain_text("move")
    await type_order(page, f"move {name}")
    await expect(command_answer(page)).to_contain_text("Say where to")
    await type_order(page, f"move {name} 999")
    await expect(command_answer(page)).to_contain_text("no direction")
    await type_order(page, "move nobody N")
    await expect(command_answer(page)).to_contain_text(name)
    await type_order(page, "list")
    await expect(command_answer(page).locator("p").first).to_have_text(re.compile(r"^1 "))
    assert server.answers == []
    await type_order(page, f"move {name} 45 x2")
    answer = await answer_of(server)
    assert isinstance(answer, a.MoveDisk)
    assert answer.disk == disk
    assert len(answer.path) == 2
    assert answer.path[0] == answer.path[1]
    assert min(answer.path[0]) > 0
    await expect(command_answer(page)).to_contain_text("Done")
    assert faults == []


async def test_enter_on_the_chosen_card_locks_it(browser: Browser, shared_url: str) -> None:
    """A card that was clicked keeps the focus, and the button beside it says that Enter locks."""
    page, server = await open_at(browser, shared_url, "command_card")
    card = await click_card(page)
    await expect(card).to_have_attribute("aria-pressed", "true")
    assert server.answers == []
    await page.keyboard.press("Enter")
    assert isinstance(await answer_of(server), a.LockCard)


async def test_refused_order_names_the_rule(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "reinforcement")
    options = server.playing.rules.options(server.playing.state, server.decision)
    [disk, *_] = [plan.example.disk for plan in options.parametric if isinstance(plan.example, a.Reinforce)]
    board = server.playing.board
    name = board.profile(disk).name
    kind = board.disks[disk].seat, board.disks[disk].profile
    same = [one.id for one in board.disks if (one.seat, one.profile) == kind]
    await type_order(page, f"bring {name}{f' {same.index(disk) + 1}' if len(same) > 1 else ''} at 0 0")
    async with asyncio.timeout(ANSWER_MS / 1000):
        while not server.refusals:
            await asyncio.sleep(0.02)
    assert server.answers == []
    assert server.refusals[0].rule
    await expect(command_answer(page)).to_contain_text(str(server.refusals[0].rule))
    await expect(page.locator('[data-live="wanted"]')).to_contain_text("Refused.")


async def test_activation_is_made_with_arrows_and_enter(browser: Browser, shared_url: str) -> None:
    page, server = await open_at(browser, shared_url, "activation")
    movers = dict(await names_that_can_move(page, server))
    await expect(page.locator('[data-live="wanted"]')).to_contain_text("Your move. Activate a disk")
    for _ in range(MAX_TABS):
        if await focused_disk(page) is not None:
            break
        await page.keyboard.press("Tab")
    first = await focused_disk(page)
    assert first is not None
    reached = [first]
    for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown") * MAX_STEPS:
        if len(set(reached)) > 1 and reached[-1] in movers:
            break
        await page.keyboard.press(key)
        reached.append(await focused_disk(page) or first)
    disk = reached[-1]
    assert len(set(reached)) > 1
    assert disk in movers
    await page.keyboard.press("Enter")
    add = bar(page).get_by_role("button", name="Add flip")
    for _ in range(MAX_TURNS):
        if await add.is_enabled():
            break
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("A")
    await expect(bar(page).get_by_role("button", name="Commit 1 flip")).to_be_enabled()
    # What is planned is read aloud: the disk, how many flips, and what follows.
    plan = page.locator('[data-live="plan"]')
    await expect(plan).to_contain_text(await bar(page).get_by_role("heading").inner_text())
    await expect(plan).to_contain_text(await bar(page).locator(".q p").inner_text())
    await page.keyboard.press("Enter")
    answer = await answer_of(server)
    assert isinstance(answer, a.MoveDisk)
    assert answer.disk == disk
    assert len(answer.path) == 1


async def focused_disk(page: Page) -> int | None:
    """Return the number of the disk that has the focus, if one has."""
    found = re.fullmatch(r"disk-(\d+)", await page.evaluate("document.activeElement?.id ?? ''"))
    return int(found[1]) if found else None


async def test_tabs_beside_the_table_are_one_stop_and_arrows_choose(browser: Browser, shared_url: str) -> None:
    page, _ = await open_at(browser, shared_url, "activation")
    tabs = page.get_by_role("tablist", name="Log and lists").get_by_role("tab")
    names = [(await tab.inner_text()).strip() for tab in await tabs.all()]
    assert names[:3] == ["Log", "Disks", "Stacks"]
    await expect(page.get_by_role("tabpanel", name="Log").get_by_role("list", name="Log")).to_be_visible()
    await tabs.first.focus()
    for key, place in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("Home", 0),
        ("ArrowLeft", -1),
        ("ArrowRight", 0),
        ("End", -1),
    ):
        await page.keyboard.press(key)
        chosen = tabs.nth(place)
        await expect(chosen).to_be_focused()
        await expect(chosen).to_have_attribute("aria-selected", "true")
        panel = page.get_by_role("tabpanel", name=names[place])
        await expect(panel).to_be_visible()
        await expect(chosen).to_have_attribute("aria-controls", await panel.get_attribute("id") or "")
        assert await tabs.evaluate_all("all => all.filter(({ tabIndex }) => tabIndex === 0).length") == 1
    assert await accessibility_findings(page) == []


RECORD_SPEECH = """
() => {
  window.spoken = [];
  for (const region of document.querySelectorAll("[data-live]"))
    new MutationObserver(() => spoken.push([region.dataset.live, region.textContent]))
      .observe(region, { childList: true, subtree: true, characterData: true });
}
"""


PLAN_IS_READ = "() => spoken.some(([live, text]) => live === 'plan' && text)"
REFUSALS_ARE = """
(count) => spoken.filter(([live, text]) => live === "wanted" && text.startsWith("Refused.")).length === count
"""


class RefusingServer(ScriptedServer):
    """Refuses every action, always in the same words."""

    def _act(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield {"type": "refused", "id": message["id"], "code": "not_legal", "text": "not now"}


async def test_refusals_are_read_each_time_and_take_no_plan_away(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    server = RefusingServer(find_question("activation"))
    await server.open(page, shared_url)
    movers = dict(await names_that_can_move(page, server))
    await page.locator(f"#disk-{next(iter(movers))}").focus()
    await page.keyboard.press("Enter")
    add = bar(page).get_by_role("button", name="Add flip")
    for _ in range(MAX_TURNS):
        if await add.is_enabled():
            break
        await page.keyboard.press("ArrowRight")
    await page.evaluate(RECORD_SPEECH)
    await page.keyboard.press("A")
    for times in (1, 2):
        await page.keyboard.press("Enter")
        await page.wait_for_function(REFUSALS_ARE, arg=times)
    await page.wait_for_function(PLAN_IS_READ)
    assert server.answers == []
