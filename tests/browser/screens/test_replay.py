"""A replay in a real Chromium: keys, viewpoints, checks by the page's own code, luck, and links to moments."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.web_page import collect_faults, open_page, settle

GOLDEN = Path(__file__).parents[2] / "golden" / "files" / "diskwars-elimination.match.jsonl"

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def open_file(browser: Browser, url: str) -> Page:
    page = await open_page(browser)
    await page.goto(f"{url}open")
    await page.locator("input[type=file]").set_input_files(GOLDEN)
    await expect(page.get_by_role("slider")).to_be_visible()
    return page


async def test_match_is_checked_row_by_row_and_its_luck_reported(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    faults = collect_faults(page)
    await page.get_by_role("button", name="Check the match").click()
    for row in ("one hash chain", "fit their seals", "match all nonces", "match their locks"):
        await expect(page.locator(".reports li.good", has_text=row)).to_be_visible()
    await page.get_by_role("button", name="Luck report").click()
    await expect(page.get_by_role("cell", name="Ranged attacks").first).to_be_visible()
    # The chart comes first, and each player has a name, also one who rolled little.
    chart, table = page.locator(".reports figure"), page.get_by_role("table", name="Luck")
    await expect(chart.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"Guest ER-[AB] [+−]\d"))
    players = page.locator(".reports li b.cut")
    await expect(players).to_have_text(["Guest ER-A", "Guest ER-B"])
    above, below = await chart.bounding_box(), await table.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    # Dice are dice, with the place of their draw and its proof.
    await page.get_by_role("button", name="Dice", exact=True).click()
    await expect(page.locator(".log .dice svg").first).to_be_visible()
    await expect(page.locator('.log .good[title*="nonces"]').first).to_be_visible()
    assert faults == []


async def test_keys_move_through_a_replay(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    slider, body = page.get_by_role("slider"), page.locator("body")
    last = await slider.input_value()
    await body.press("Home")
    await body.press("ArrowRight")
    await expect(slider).to_have_value("2")
    await body.press("]")
    await expect(page.get_by_text("Round 1 of")).to_be_visible()
    first = int(await slider.input_value())
    await body.press("Shift+ArrowRight")
    assert int(await slider.input_value()) > first
    await body.press("Space")
    await expect(slider).not_to_have_value(str(first))
    await body.press("Space")
    await body.press("End")
    await expect(slider).to_have_value(last)
    await body.press("?")
    await expect(page.get_by_role("region", name="Keys")).to_contain_text("viewpoint")


async def test_table_keeps_its_size_from_before_the_field_to_the_end(browser: Browser, shared_url: str) -> None:
    """With another size it would be drawn twice: that was most of what the slowest seeks took."""
    page = await open_file(browser, shared_url)
    chart = page.locator(".strength")
    await expect(chart).to_be_visible()
    stage = page.locator(".stage")
    size = await stage.bounding_box()
    await page.locator("body").press("Home")
    await expect(page.get_by_role("slider")).to_have_value("1")
    await settle(page)
    await expect(chart).to_be_visible()
    assert await stage.bounding_box() == size


async def test_characters_are_no_keys_where_the_player_has_turned_them_off(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    slider, body = page.get_by_role("slider"), page.locator("body")
    last = await slider.input_value()
    await page.evaluate("localStorage.setItem('diskwars.settings', JSON.stringify({ keys: false }))")
    await page.reload()
    await page.locator("input[type=file]").set_input_files(GOLDEN)
    await expect(slider).to_have_value(last)
    await body.press("[")
    await body.press("?")
    await body.press("ArrowLeft")
    await expect(slider).to_have_value(str(int(last) - 1))
    assert await page.get_by_role("region", name="Keys").count() == 0


async def test_live_region_reads_the_moment_of_a_replay(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    events = page.locator('[data-live="events"]')
    await page.locator("body").press("Home")
    await page.locator("body").press("]")
    await expect(events).to_contain_text("Round 1")
    await page.locator("body").press("]")
    await expect(events).to_contain_text("Round 2")
    assert "Round 1" not in await events.inner_text()


async def test_viewpoint_hides_hands_of_others(browser: Browser, shared_url: str) -> None:
    page = await open_file(browser, shared_url)
    await page.locator("body").press("Home")
    await page.locator("body").press("]")
    views = page.get_by_role("group", name="Seen as")
    await expect(views.get_by_role("button", name="Everything")).to_have_attribute("aria-pressed", "true")
    await views.get_by_role("button", name="The public").click()
    await expect(page.locator(".hand li")).to_have_count(0)
    await views.get_by_role("button").nth(1).click()
    await expect(page.locator(".hand li").first).to_be_visible()
    assert await page.locator(".hand li").count() > 0


async def test_watcher_of_a_quick_set_up_reads_once_what_all_score(browser: Browser, shared_url: str) -> None:
    """The parts were listed for the reader's own seat only, and other seats had a heading above nothing."""
    page = await open_file(browser, shared_url)
    faults = collect_faults(page)
    scores = page.locator(".well.score")
    await expect(scores.first).to_contain_text("What Guest ER-A scores")
    await expect(scores.first).to_contain_text("5 points for each enemy hero destroyed")
    await expect(scores.nth(1)).to_contain_text("scores in the same way")
    await expect(scores.nth(1).locator("p")).to_have_count(1)
    assert faults == []
