"""A player of another language than English plays a round: nothing that the page says is an English sentence."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.rulesets.diskwars.actions import MoveDisk
from tests.browser.catalogues import OTHER_LANGUAGES, common_texts
from tests.browser.clicks import bar, click_card, open_question, primary
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

PACKS = Path(__file__).resolve().parents[3] / "server/diskwars_content/rulesets/diskwars"
MIN_LINES = 5
"""Each page has as many, in whatever language."""
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
READ_PANELS = """
async () => {
  const draw = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const lines = new Set(), read = () => document.body.innerText.split("\\n").forEach((line) => lines.add(line));
  read();
  for (const disk of document.querySelectorAll(".disk .handle")) {
    const press = (key) => disk.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    disk.focus();
    press("Enter");
    await draw();
    read();
    press("Escape");
    await draw();
  }
  return [...lines];
}
"""
"""All that a table says, with the panel of each disk and why it cannot act."""
RULES: dict[str, tuple[str, str]] = {
    "de": ("überzähliger SCHADEN verfällt", "Überzähliger Schaden verfällt"),
    "pl": ("nadmiar OBRAŻEŃ przepada", "Nadmiar obrażeń przepada"),
}
"""What to search for in the rules of each language, and what is found."""


async def english_words(page: Page) -> list[str]:
    """Return the lines of a page with an English word, once it is drawn: an empty one would have none."""
    await settle(page)
    lines = (await page.inner_text("body")).splitlines()
    assert len(lines) > MIN_LINES
    return find_english(lines)


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


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
@pytest.mark.parametrize("question", ["scenario", "terrain", "engage_ability", "engagement"])
async def test_question_is_put_without_an_english_word(
    browser: Browser, shared_url: str, question: str, language: str
) -> None:
    page = await open_page(browser, locale=language)
    server = ScriptedServer(find_question(question))
    await server.open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question)
    await settle(page)
    assert find_english(await page.evaluate(READ_PANELS)) == []


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
async def test_disks_a_refusal_and_a_frozen_match_have_no_english_word(
    browser: Browser, shared_url: str, language: str
) -> None:
    texts = common_texts(language)
    page = await open_page(browser, locale=language)
    server = ScriptedServer(find_question("activation"))
    await server.open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    lines = await page.evaluate(READ_PANELS)
    assert len(lines) > 60
    assert find_english(lines) == []

    command = page.get_by_label(texts["cmd.label"])
    assert server.playing.state.board is not None
    name = server.playing.state.board.profile(server_disk(server)).name
    await command.fill(f"move {name} W x9")
    await command.press("Enter")
    await expect(page.locator(".act .bad")).to_be_visible()
    assert len(server.refusals) == 1
    assert server.refusals[0].text not in await page.inner_text("body")
    assert await english_words(page) == []

    seq = len(server.playing.bodies) + 1
    record = {"seq": seq, "salt": "00" * 16, "body": {"at_ms": 1}, "hash": "00" * 32}
    server.push({"type": "records", "records": [record]})
    banner = page.locator(".frozen")
    await expect(banner).to_contain_text(texts["frozen.wrong_hash"].replace("{seq}", str(seq)))
    assert find_english([await banner.inner_text()]) == []


def server_disk(server: ScriptedServer) -> int:
    """Return a disk that can be activated."""
    options = server.playing.rules.options_with_unavailable(server.playing.state, server.decision)
    return next(option.example.disk for option in options.parametric if isinstance(option.example, MoveDisk))


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
async def test_rules_of_every_game_are_translated_and_found_by_their_words(
    browser: Browser, shared_url: str, language: str
) -> None:
    page = await open_page(browser, locale=language)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}rules/R13.4")
    rule = page.locator("#rule-R13\\.4")
    await expect(rule).to_be_in_viewport()
    await expect(rule).to_have_attribute("lang", language)
    searched, found = RULES[language]
    search = page.get_by_role("searchbox")
    await search.fill(searched)
    await expect(page.locator("#rule-F1")).to_contain_text(found)
    await expect(page.get_by_role("status")).to_have_text(re.compile(r"\b1\b"))
    await search.fill("surplus damage is lost")
    await expect(page.get_by_role("status")).to_have_text(re.compile(r"\b0\b"))
    await search.fill("")
    for game in ("diskwars", "pit", "close_quarters", "regiments"):
        await page.get_by_role("button", name=common_texts(language)[f"ruleset.{game}"], exact=True).click()
        await settle(page)
        assert await page.locator(".text [lang=en]").count() == 0
        texts = await page.locator(".text h2, .text article p").all_text_contents()
        assert len(texts) > 10
        assert find_english(texts) == []
    await page.goto(f"{shared_url}figures/F1")
    await expect(page.locator("aside p").first).to_be_visible()
    await settle(page)
    assert await english_words(page) == []
    assert faults == []


async def check_tabs(page: Page, language: str) -> None:
    """Every tab of the table is in view, apart from the button of the replay."""
    texts = common_texts(language)
    for width in (1000, 1366):
        await page.set_viewport_size({"width": width, "height": 768})
        await settle(page)
        replay = await page.get_by_role("button", name=texts["table.replay"]).first.bounding_box()
        assert replay is not None
        for tab in await page.get_by_role("tablist").get_by_role("tab").all():
            box = await tab.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
            is_apart = box["x"] + box["width"] <= replay["x"] or box["y"] + box["height"] <= replay["y"]
            assert is_apart, await tab.inner_text()
    await page.set_viewport_size({"width": 1200, "height": 750})


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
async def test_round_is_played_without_an_english_word(browser: Browser, url: str, language: str) -> None:
    texts = common_texts(language)
    page = await open_page(browser, locale=language)
    faults = collect_faults(page)
    await page.goto(url)
    assert await english_words(page) == []
    await page.get_by_role("button", name=texts["lobby.bot.start"]).click()
    await open_question(page)
    await check_tabs(page, language)
    second_round = re.compile(texts["table.round"].replace("{round}", "2").replace("{rounds}", r"\d"))
    while not await page.get_by_text(second_round).count():
        question = await open_question(page)
        decision = await bar(page).get_attribute("data-decision") or ""
        await settle(page)
        assert await english_words(page) == []
        if question == "command_card":
            await click_card(page)
        if question == "deployment":
            await bar(page).get_by_role("button", name=texts["bar.deploy.suggest"]).click()
        if question == "activation":
            for _ in range(2):
                await page.keyboard.press("e")
        else:
            await primary(page).click()
        await expect(bar(page)).not_to_have_attribute("data-decision", decision, timeout=40_000)
    assert await english_words(page) == []
    assert faults == []
