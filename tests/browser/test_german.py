"""A German player plays a round: nothing that the page says is an English sentence of the server."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.rulesets.diskwars.actions import MoveDisk
from tests.browser.clicks import bar, open_question, primary
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="module")]

PACKS = Path(__file__).resolve().parents[2] / "server/diskwars_content/rulesets/diskwars"
NAMES = sorted(
    {name for file in PACKS.rglob("*.toml") for name in re.findall(r'name = "([^"]+)"', file.read_text("utf-8"))},
    key=len,
    reverse=True,
)
"""What the packs call disks, cards, scenarios and armies: names, in every language."""
ENGLISH = re.compile(
    r"\b(the|your|you|with|within|would|and|damage|disks?|flips?|range|strength|toughness|activations?|pinned|enemy|it)\b",
    re.IGNORECASE,
)


async def english_words(page: Page) -> list[str]:
    text = await page.inner_text("body")
    for name in NAMES:
        text = text.replace(name, "")
    return [line for line in text.splitlines() if ENGLISH.search(line)]


@pytest.mark.parametrize("question", ["scenario", "terrain", "activation", "engage_ability", "engagement"])
async def test_question_is_put_in_german(browser: Browser, shared_url: str, question: str) -> None:
    page = await open_page(browser, locale="de-DE")
    server = ScriptedServer(find_question(question))
    await server.open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    for disk in await page.locator(".disk .handle").all():
        # The panel of a disk, and why it cannot act.
        await disk.focus()
        await page.keyboard.press("Enter")
        await settle(page)
        assert await english_words(page) == []
        await page.keyboard.press("Escape")


async def test_refusal_of_the_rules_is_said_in_german(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, locale="de-DE")
    server = ScriptedServer(find_question("activation"))
    await server.open(page, shared_url)
    command = page.get_by_label("Befehlszeile")
    assert server.playing.state.board is not None
    name = server.playing.state.board.profile(server_disk(server)).name
    await command.fill(f"move {name} W x9")
    await command.press("Enter")
    await expect(page.locator(".act .bad")).to_be_visible()
    assert len(server.refusals) == 1
    assert server.refusals[0].text not in await page.inner_text("body")
    assert await english_words(page) == []


def server_disk(server: ScriptedServer) -> int:
    """Return a disk that can be activated."""
    options = server.playing.rules.options_with_unavailable(server.playing.state, server.decision)
    return next(option.example.disk for option in options.parametric if isinstance(option.example, MoveDisk))


async def test_round_is_played_in_german(browser: Browser, url: str) -> None:
    page = await open_page(browser, locale="de-DE")
    faults = collect_faults(page)
    await page.goto(url)
    assert await english_words(page) == []
    await page.locator(".tile.bot .primary, .primary.big").first.click()
    while not await page.get_by_text("Runde 2 von").count():
        question = await open_question(page)
        decision = await bar(page).get_attribute("data-decision") or ""
        await settle(page)
        assert await english_words(page) == []
        if question == "command_card":
            await page.locator(".fan button").first.click()
        if question == "deployment":
            await bar(page).get_by_role("button", name="Wie vorgeschlagen aufstellen").click()
        if question == "activation":
            for _ in range(2):
                await page.keyboard.press("e")
        else:
            await primary(page).click()
        await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=40_000)
    assert await english_words(page) == []
    assert faults == []
