"""Scenarios of the small games are chosen by pictures of their fields, which show what the engine sets up."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_content.rulesets import close_quarters, pit, regiments
from diskwars_engine.rulesets.close_quarters import scenario as close_quarters_scenario
from diskwars_engine.rulesets.pit import scenario as pit_scenario
from diskwars_engine.rulesets.regiments import scenario as regiments_scenario
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersSettings
from diskwars_protocol.rulesets.pit.actions import PitSettings
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from tests.browser.canned_server import CannedServer
from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    collect_faults,
    open_page,
    settle,
    show,
    sideways_overflow,
    small_targets,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

GAMES = {
    "pit": ("The pit", "the-pit"),
    "close_quarters": ("Close quarters", "boarding-action"),
    "regiments": ("Regiments", "field-trial"),
}
"""By ruleset: the name of the game, and its usual scenario."""
READ_FIELDS = """
() => Object.fromEntries([...document.querySelectorAll(".tiles label")].map((tile) => {
  const { width, height } = tile.querySelector("svg").viewBox.baseVal;
  const boxes = (kind) => [...tile.querySelectorAll(`rect.${kind}`)]
    .map((one) => ["x", "y", "width", "height"].map((name) => one[name].baseVal.value));
  const places = [...tile.querySelectorAll("circle")]
    .map(({ cx, cy }) => [cx.baseVal.value, height - cy.baseVal.value].map((one) => Math.round(one * 100)));
  const areas = { walls: boxes("wall"), task: boxes("task") };
  return [tile.querySelector("input").value, { size: [width, height], places, ...areas }];
}))
"""
"""By scenario: the size of its field, the places of the pieces in hundredths, counted from below, and areas."""


async def read_fields(page: Page, ruleset: str) -> dict[str, dict[str, Any]]:
    game, usual = GAMES[ruleset]
    await page.get_by_role("dialog").get_by_label("Game").select_option(label=game)
    await expect(page.locator(f'.tiles input[value="{usual}"]')).to_be_checked()
    return dict(await page.evaluate(READ_FIELDS))


def places_of_cells(pieces: Any) -> list[list[int]]:
    """Return the middles of the cells of pieces, in hundredths of a cell."""
    return sorted([100 * piece.x + 50, 100 * piece.y + 50] for piece in pieces)


async def test_tiles_show_the_fields_that_the_engine_sets_up(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}new")
    fields = await read_fields(page, "pit")
    content = pit.core_content()
    assert list(fields) == list(content.scenarios)
    for id, field in fields.items():
        fighting = pit_scenario.starting_event(content, PitSettings(id), 2)
        assert field["size"] == [fighting.width, fighting.height]
        assert sorted(field["places"]) == places_of_cells(fighting.fighters), id
        assert len(field["walls"]) == len(fighting.walls)
        assert bool(field["task"]) == bool(fighting.task and fighting.task.zone)
    fields = await read_fields(page, "close_quarters")
    squads = close_quarters.core_content()
    assert list(fields) == list(squads.scenarios)
    for id, field in fields.items():
        storming = close_quarters_scenario.starting_event(squads, CloseQuartersSettings(id), 2)
        assert field["size"] == [storming.width / 100, storming.height / 100]
        assert sorted(field["places"]) == sorted([model.x, model.y] for model in storming.models), id
        assert field["walls"] == [], "the barricade is an option"
    fields = await read_fields(page, "regiments")
    units = regiments.core_content()
    assert list(fields) == list(units.scenarios)
    for id, field in fields.items():
        battle = regiments_scenario.starting_event(units, RegimentsSettings(id), 2)
        assert field["size"] == [battle.width, battle.height]
        assert sorted(field["places"]) == places_of_cells(battle.units), id
        assert len(field["walls"]) == len(battle.obstacles)
    assert faults == []


async def test_more_seats_than_places_play_on_the_open_square_that_the_tile_shows(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    await page.goto(f"{shared_url}new")
    await read_fields(page, "pit")
    await page.get_by_role("group", name="Players").get_by_role("button", name="4", exact=True).click()
    for id, field in (await page.evaluate(READ_FIELDS)).items():
        fighting = pit_scenario.starting_event(pit.core_content(), PitSettings(id), 4)
        assert field["size"] == [fighting.width, fighting.height]
        assert sorted(field["places"]) == places_of_cells(fighting.fighters), id


@pytest.mark.parametrize("window", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_scenario_is_chosen_by_its_tile_and_played(
    browser: Browser, url: str, window: dict[str, Any], theme: str
) -> None:
    page = await open_page(browser, **window, color_scheme=theme)
    server = CannedServer(is_canned_player=False)
    await server.attach(page)
    await page.goto(f"{url}new")
    await read_fields(page, "pit")
    scenarios = page.get_by_role("group", name="Scenario")
    await expect(scenarios.get_by_role("radio", name="The living", exact=True)).to_be_checked()
    await expect(scenarios).to_contain_text("Both sides: Captain")
    await scenarios.get_by_text("Break through the gate").click()
    await expect(scenarios.get_by_role("radio", name="Break through the gate")).to_be_checked()
    await expect(scenarios).to_contain_text("against Grave knight, 2 × Bone warrior")
    await page.keyboard.press("ArrowRight")
    await expect(scenarios.get_by_role("radio", name="Rescue the captain")).to_be_checked()
    await page.keyboard.press("ArrowLeft")
    await settle(page)
    await show(page, f"scenario-tiles-{'phone' if window is PHONE else 'desktop'}-{theme}")
    assert await accessibility_findings(page) == []
    assert await sideways_overflow(page) == 0
    if window is PHONE:
        assert [one for one in await small_targets(page) if "LABEL" in one] == []
    await page.get_by_role("button", name="Create match and get the link").click()
    await expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    (opened,) = [message for message in server.requests if message["type"] == "open_match"]
    assert opened["settings"] == {"scenario": "the-gate"}


async def test_hill_and_barricade_are_drawn_with_their_options(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await page.goto(f"{shared_url}new")
    await read_fields(page, "close_quarters")
    hills = page.locator(".tiles rect.hill")
    await expect(hills).to_have_count(0)
    await page.get_by_text("Rule options").click()
    assert await page.get_by_role("combobox", name="Scenario").count() == 0
    for option in await page.locator(".rule-line input[type=checkbox]").all():
        await option.check()
    await expect(hills.first).to_be_attached()
    await expect(page.locator(".tiles rect.wall").first).to_be_attached()
