"""A German player plays a round: nothing that the page says is an English sentence of the server."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.rulesets.diskwars.actions import MoveDisk
from tests.browser.clicks import bar, click_card, open_question, primary
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

PACKS = Path(__file__).resolve().parents[3] / "server/diskwars_content/rulesets/diskwars"
NAMES = sorted(
    {name for file in PACKS.rglob("*.toml") for name in re.findall(r'name = "([^"]+)"', file.read_text("utf-8"))},
    key=len,
    reverse=True,
)
"""Names in the packs of disks, cards, scenarios and armies, the same in every language."""
ENGLISH = re.compile(
    r"\b(the|your|you|with|within|would|and|damage|disks?|flips?|range|strength|toughness|activations?|pinned|enemy|it)\b",
    re.IGNORECASE,
)


async def english_words(page: Page) -> list[str]:
    return find_english((await page.inner_text("body")).splitlines())


def find_english(lines: Iterable[str]) -> list[str]:
    """Return the lines that have an English word other than in a name."""
    found = []
    for line in lines:
        text = line
        for name in NAMES:
            text = text.replace(name, "")
        if ENGLISH.search(text):
            found.append(text)
    return found


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


async def test_every_tab_of_the_table_is_in_view_in_german(browser: Browser, url: str) -> None:
    for width in (1000, 1366):
        page = await open_page(browser, locale="de-DE", viewport={"width": width, "height": 768})
        await page.goto(url)
        await page.get_by_role("button", name="Jetzt spielen").click()
        await expect(page.get_by_role("tab", name="Chat")).to_be_visible()
        tabs = await page.get_by_role("tablist").get_by_role("tab").all()
        replay = await page.get_by_role("button", name="Rückblick").first.bounding_box()
        assert replay is not None
        for tab in tabs:
            box = await tab.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
            is_apart = box["x"] + box["width"] <= replay["x"] or box["y"] + box["height"] <= replay["y"]
            assert is_apart, await tab.inner_text()
        await page.context.close()


async def test_a_frozen_match_says_in_german_what_the_server_contradicted_itself_in(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser, locale="de-DE")
    server = ScriptedServer(find_question("activation"))
    await server.open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    seq = len(server.playing.bodies) + 1
    record = {"seq": seq, "salt": "00" * 16, "body": {"at_ms": 1}, "hash": "00" * 32}
    server.push({"type": "records", "records": [record]})
    banner = page.locator(".frozen")
    await expect(banner).to_contain_text(f"der Hashwert von Eintrag {seq} stimmt nicht")
    assert find_english([await banner.inner_text()]) == []


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


async def test_rules_are_in_german_and_found_by_german_words(browser: Browser, url: str) -> None:
    page = await open_page(browser, locale="de-DE")
    faults = collect_faults(page)
    await page.goto(f"{url}rules/R13.4")
    rule = page.locator("#rule-R13\\.4")
    await expect(rule).to_be_in_viewport()
    await expect(rule).to_have_attribute("lang", "de")
    await expect(rule).to_contain_text("eine Instanz verursacht höchstens eine Wunde")
    await expect(rule).to_contain_text("Quelle: Artikel; Zusammenfassung; eigene Entscheidung")
    await page.get_by_role("searchbox").fill("überzähliger SCHADEN verfällt")
    await expect(page.locator("#rule-F1")).to_contain_text("Überzähliger Schaden verfällt")
    await expect(page.get_by_role("status")).to_have_text("1 Regel gefunden")
    await page.get_by_role("searchbox").fill("r13.4 schadensmarker")
    await expect(rule).to_be_visible()
    await page.get_by_role("searchbox").fill("surplus damage is lost")
    await expect(page.get_by_role("status")).to_have_text("0 Regeln gefunden")
    assert faults == []


@pytest.mark.parametrize("game", ["Diskwars", "Die Grube", "Nahkampf", "Regimenter"])
async def test_no_rule_of_a_game_is_in_english(browser: Browser, shared_url: str, game: str) -> None:
    page = await open_page(browser, locale="de-DE")
    await page.goto(f"{shared_url}rules")
    await page.get_by_role("button", name=game, exact=True).click()
    await settle(page)
    assert await page.locator(".text [lang=en]").count() == 0
    texts = await page.locator(".text h2, .text article p").all_text_contents()
    assert len(texts) > 10
    assert find_english(texts) == []


async def test_figure_shows_its_rules_in_german(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, locale="de-DE")
    await page.goto(f"{shared_url}figures/F1")
    await expect(page.locator("aside p", has_text="Aufprall X: X physischer Schaden")).to_be_visible()
    await settle(page)
    assert await english_words(page) == []


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
            await click_card(page)
        if question == "deployment":
            await bar(page).get_by_role("button", name="Plätze vorschlagen").click()
        if question == "activation":
            for _ in range(2):
                await page.keyboard.press("e")
        else:
            await primary(page).click()
        await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=40_000)
    assert await english_words(page) == []
    assert faults == []
