"""Motion on the table: flips, revealed cards, dice with their proof; and the hand that is hidden.

The clock of the page stands still while something plays, so that nothing here depends on time.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, accessibility_findings, collect_faults, open_page, settle

GOLDEN = Path(__file__).parents[2] / "golden" / "files" / "diskwars-points.match.jsonl"
ARE_INERT = "all => all.map((one) => one.inert)"
LATER_MS = 60_000
"""More than anything of one record plays."""
SEEK = "(slider, seq) => { slider.value = String(seq); slider.dispatchEvent(new Event('input', { bubbles: true })); }"

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


def first_record(kind: str) -> int:
    """Return the number of the first record with an event of a type."""
    lines = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()[1:]]
    return next(
        int(line["seq"]) for line in lines if any(event["type"] == kind for event in line["body"].get("events", []))
    )


async def step_to(browser: Browser, url: str, kind: str, motion: str = "no-preference", **options: Any) -> Page:
    """Open the golden match before the first event of a type, stop the clock, and step on."""
    page = await open_page(browser, reduced_motion=motion, **options)
    await page.clock.install()
    await page.goto(f"{url}open")
    await page.locator("input[type=file]").set_input_files(GOLDEN)
    slider = page.get_by_role("slider")
    await expect(slider).to_be_visible(timeout=ANSWER_MS)
    seq = first_record(kind)
    await slider.evaluate(SEEK, seq - 1)
    await expect(page.locator(".log")).to_have_attribute("aria-busy", "false", timeout=ANSWER_MS)
    now: Any = await page.evaluate("Date.now()")
    await page.clock.pause_at(now / 1000 + 1)
    await page.locator("body").press("ArrowRight")
    await expect(slider).to_have_value(str(seq))
    return page


async def test_flip_is_drawn_by_the_motion_layer_until_it_has_landed(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "disk_flipped")
    faults = collect_faults(page)
    flying = page.locator(".motion [data-flip]")
    await expect(flying).to_have_count(1)
    disk = await flying.get_attribute("data-flip")
    turning = page.locator(".disk.away", has=page.locator(f"#disk-{disk}"))
    await expect(turning).to_have_count(1)
    before = await turning.get_attribute("transform")
    await page.clock.run_for(LATER_MS)
    await expect(flying).to_have_count(0)
    await expect(page.locator(".disk.away")).to_have_count(0)
    landed = page.locator(".disk", has=page.locator(f"#disk-{disk}"))
    assert await landed.get_attribute("transform") != before
    assert faults == []


async def test_any_key_ends_what_plays(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "disk_flipped")
    await expect(page.locator(".motion [data-flip]")).to_have_count(1)
    await page.keyboard.press("Shift")
    await expect(page.locator(".motion [data-flip]")).to_have_count(0)
    assert await page.locator(".disk.away").count() == 0


async def test_reduced_motion_turns_nothing_over(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "disk_flipped", motion="reduce")
    # What was there fades, over the table as it is now.
    await expect(page.locator(".motion .piece")).not_to_have_count(0)
    assert await page.locator(".motion [data-flip], .disk.away").count() == 0
    await page.clock.run_for(LATER_MS)
    await expect(page.locator(".motion .piece")).to_have_count(0)


async def test_reveal_shows_the_cards_in_their_order_with_reason_and_proof(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "cards_revealed", motion="reduce")
    reveal = page.get_by_role("region", name="Cards revealed")
    await expect(reveal).to_contain_text("goes first", timeout=ANSWER_MS)
    await expect(reveal).to_contain_text("goes second")
    await expect(reveal.get_by_text("matches the locked card")).to_have_count(2)
    assert await reveal.get_by_role("link", name="R7.").count() > 0
    await page.keyboard.press("Escape")
    await expect(reveal).to_have_count(0)


async def test_reveal_on_a_phone_leaves_nothing_behind_it_in_use(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "cards_revealed", motion="reduce", **PHONE)
    faults = collect_faults(page)
    reveal = page.get_by_role("dialog", name="Cards revealed")
    await expect(reveal).to_be_focused(timeout=ANSWER_MS)
    assert await page.locator("header.top, .replay, .strip-of, .tabs-of").evaluate_all(ARE_INERT) == [True] * 4
    await page.keyboard.press("Escape")
    await expect(reveal).to_have_count(0)
    assert await page.locator("header.top, .replay, .strip-of, .tabs-of").evaluate_all(ARE_INERT) == [False] * 4
    assert faults == []


async def test_dice_are_shown_where_they_are_rolled_and_open_their_proof(browser: Browser, shared_url: str) -> None:
    page = await step_to(browser, shared_url, "shot_fired", motion="reduce")
    faults = collect_faults(page)
    tray = page.get_by_role("status").filter(has_text="chance")
    for _ in range(20):
        if await tray.count():
            break
        await page.clock.run_for(100)
    await expect(tray.locator("svg.face")).not_to_have_count(0)
    await expect(tray).to_contain_text("expected")
    await tray.get_by_role("button", name="Open the proof").click()
    proof = page.get_by_role("region", name="Proof of the dice")
    await expect(proof).to_contain_text("These faces follow from the nonces of all.", timeout=ANSWER_MS)
    await expect(proof).to_be_focused()
    await page.keyboard.press("?")
    await expect(page.get_by_role("region", name="Keys")).to_have_count(0)
    rolled, computed = [await proof.locator("dd.dice").nth(row).inner_html() for row in (0, 1)]
    assert rolled == computed
    await page.keyboard.press("Escape")
    await expect(proof).to_have_count(0)
    assert faults == []


async def test_hidden_hand_shows_a_card_only_while_it_is_held(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    card = page.locator(".hand li").first
    name = await card.locator("span").inner_text()
    await page.keyboard.press("h")
    await expect(card).to_contain_text("face down")
    await expect(card).not_to_contain_text(name)
    await card.scroll_into_view_if_needed()
    box = await card.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 30, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await expect(card).to_contain_text(name)
    await page.mouse.up()
    await expect(card).not_to_contain_text(name)
    await settle(page)
    assert await accessibility_findings(page) == []
    await page.keyboard.press("h")
    await expect(card).to_contain_text(name)
