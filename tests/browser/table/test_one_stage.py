"""The table keeps its rectangle, and the primary button its place, at every question, while watching and in replays."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_end, find_question
from tests.browser.stages import Rectangle, rectangles
from tests.browser.web_page import collect_faults, draw, open_page

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

RECTANGLES: dict[tuple[int, int], tuple[Rectangle, Rectangle]] = {
    (1440, 900): ((272, 52, 840, 744), (884, 806, 216, 48)),
    (1280, 800): ((240, 52, 740, 644), (752, 706, 216, 48)),
    (1920, 1080): ((300, 52, 1240, 924), (1312, 986, 216, 48)),
    (1024, 768): ((64, 52, 660, 612), (544, 674, 168, 48)),
    (768, 1024): ((0, 52, 768, 748), (564, 874, 192, 50)),
    (390, 844): ((0, 52, 390, 564), (186, 690, 192, 50)),
    (844, 390): ((0, 0, 476, 390), (662, 272, 170, 50)),
    (720, 450): ((0, 0, 403.2, 450), (589.2, 332, 118.8, 50)),
}
"""Of `docs/design.md`: x, y, width and height of stage and primary button in a window."""
QUESTIONS = ("scenario", "deployment_card", "terrain", "deployment", "command_card", "activation", "continuation")
MORE_QUESTIONS = ("reinforcement", "scatter", "trigger_order", "engagement", "melee_targets")


async def check_all_windows(page: Page) -> None:
    for (width, height), (stage, button) in RECTANGLES.items():
        await page.set_viewport_size({"width": width, "height": height})
        await draw(page)
        found, pressed = await rectangles(page)
        assert found == stage, (width, height)
        assert pressed in (None, button), (width, height)


@pytest.mark.parametrize("question", QUESTIONS + MORE_QUESTIONS)
async def test_stage_and_primary_button_stay_at_every_question(
    browser: Browser, shared_url: str, question: str
) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    faults = collect_faults(page)
    await ScriptedServer(find_question(question)).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    await check_all_windows(page)
    if question == "activation":
        await ready_disks(page).first.focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("a")
        await expect(primary(page)).to_contain_text("Commit 1 flip")
        await check_all_windows(page)
    assert faults == []


async def test_stage_stays_at_the_end_and_in_the_replay(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    faults = collect_faults(page)
    await ScriptedServer(find_end()).open(page, shared_url)
    result = page.get_by_role("region", name="Result")
    await expect(result).to_be_visible(timeout=ANSWER_MS)
    await check_all_windows(page)
    await page.set_viewport_size({"width": 1440, "height": 900})
    await result.get_by_role("button", name="Replay").click()
    await expect(page.get_by_role("slider")).to_be_visible()
    await check_all_windows(page)
    assert faults == []


async def test_cards_lie_over_the_table_and_are_lowered(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await ScriptedServer(find_question("command_card")).open(page, shared_url)
    card = page.locator(".fan button").first
    await expect(card).to_be_visible(timeout=ANSWER_MS)

    async def shown() -> float:
        await draw(page)
        box, stage = await card.bounding_box(), await page.locator(".center > .table").bounding_box()
        assert box is not None
        assert stage is not None
        return stage["y"] + stage["height"] - box["y"]

    assert await shown() == pytest.approx(74, abs=1)
    await card.focus()
    await card.press("Enter")
    assert await shown() == pytest.approx(186, abs=1)
    await page.locator("body").click(position={"x": 5, "y": 5})
    await page.keyboard.down("t")
    assert await shown() == pytest.approx(28, abs=1)
    await page.keyboard.up("t")
    assert await shown() == pytest.approx(186, abs=1)
    await page.get_by_role("button", name="Show the table").click()
    assert await shown() == pytest.approx(28, abs=1)


async def test_tray_says_how_many_disks_it_does_not_show(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 390, "height": 844})
    faults = collect_faults(page)
    await ScriptedServer(find_question("deployment")).open(page, shared_url)
    disks = page.locator(".tray .row button")
    await expect(disks.first).to_be_visible(timeout=ANSWER_MS)
    rest = page.locator(".tray .rest")
    await expect(rest).to_have_text(f"+{await disks.count() - 3}")
    while await rest.count():
        await rest.click()
        await draw(page)
    await expect(disks.last).to_be_in_viewport(ratio=0.9)
    assert faults == []


async def test_click_on_the_acting_disk_aims_at_nothing(browser: Browser, shared_url: str) -> None:
    """The last lit disk was taken beforehand, and the click on it added a flip."""
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    disk = ready_disks(page).first
    box = await disk.bounding_box()
    assert box is not None
    await disk.focus()
    await page.keyboard.press("Enter")
    await draw(page)
    acting = page.locator('.handle[aria-pressed="true"]')
    box = await acting.bounding_box()
    assert box is not None
    for part in (0.5, 0.75):
        await page.mouse.click(box["x"] + box["width"] * part, box["y"] + box["height"] / 2)
        await expect(primary(page)).to_be_disabled()
    await page.keyboard.press("a")
    await expect(primary(page)).to_contain_text("Commit 1 flip")
