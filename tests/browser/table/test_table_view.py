"""The part of the table in view can be read without zooming."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import ANSWER_MS, bar, primary, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

LEAST_FIGURE_PX = 9.5
LARGE = {"width": 1440, "height": 900}
FIGURES = """
() => [...document.querySelectorAll(".disk")].map((disk) => {
  const texts = [...disk.querySelectorAll("text")].filter((text) => /^[0-9]+$/.test(text.textContent));
  const shown = texts.map((text) => text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize));
  return { count: shown.length, least: Math.min(...shown) };
})
"""
"""For each disk, its figures and the smallest size of one in pixels of the window."""


async def open_table(browser: Browser, url: str, question: str) -> Page:
    page = await open_page(browser, viewport=LARGE)
    await ScriptedServer(find_question(question)).open(page, url)
    await expect(bar(page)).to_have_attribute("data-question", question, timeout=ANSWER_MS)
    await settle(page)
    return page


async def view_of(page: Page) -> list[float]:
    text = await page.locator(".board").get_attribute("viewBox") or ""
    return [float(part) for part in text.split()]


async def begin_move(page: Page) -> None:
    await ready_disks(page).nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(primary(page)).to_contain_text("Commit")
    await settle(page)


async def test_whole_table_shows_readable_strength_and_toughness_of_every_disk(
    browser: Browser, shared_url: str
) -> None:
    page = await open_table(browser, shared_url, "activation")
    await page.keyboard.press("0")
    await settle(page)
    figures = await page.evaluate(FIGURES)
    assert figures
    for figure in figures:
        assert figure["count"] >= 2
        assert figure["least"] >= LEAST_FIGURE_PX


PARTS_OF_BAR = """
() => {
  const box = (one) => one.getBoundingClientRect();
  const title = document.querySelector(".act .q b");
  const bar = box(document.querySelector(".bar"));
  const isOutside = ({ left, right, top, bottom }) =>
    left < bar.left || right > bar.right + 0.5 || top < bar.top || bottom > bar.bottom;
  const parts = [...document.querySelectorAll(".bar button, .bar b")];
  const overlaps = parts.some((one, place) => parts.slice(place + 1).some((other) => {
    const [a, c] = [box(one), box(other)];
    return a.left < c.right - 1 && c.left < a.right - 1 && a.top < c.bottom - 1 && c.top < a.bottom - 1;
  }));
  return {
    height: bar.height,
    width: box(title).width,
    isCut: title.scrollWidth > title.clientWidth + 1 || title.scrollHeight > title.clientHeight + 2,
    outside: parts.filter((one) => isOutside(box(one))).map((one) => one.textContent.trim()),
    overlaps,
  };
}
"""
LEAST_TITLE_PX = 140
BAR_PX = 104


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 800), (1024, 768)])
@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
async def test_bar_of_a_move_with_all_its_buttons_is_readable_and_no_higher(
    browser: Browser, shared_url: str, width: int, height: int, locale: str
) -> None:
    page = await open_page(browser, viewport={"width": width, "height": height}, locale=locale)
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    # The first disk is mobile: once a flip is planned, it may also move and act again.
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(bar(page).locator(".tools .tool")).to_have_count(4)
    await page.keyboard.press("a")
    await expect(bar(page).locator(".choices button")).to_have_count(2)
    await settle(page)
    parts = await page.evaluate(PARTS_OF_BAR)
    assert parts["height"] == BAR_PX
    assert parts["width"] >= LEAST_TITLE_PX
    assert not parts["isCut"]
    assert parts["outside"] == []
    assert not parts["overlaps"]


async def test_camera_follows_the_chosen_disk_until_the_player_wants_the_whole_table(
    browser: Browser, shared_url: str
) -> None:
    page = await open_table(browser, shared_url, "activation")
    faults = collect_faults(page)
    whole = await view_of(page)
    await begin_move(page)
    followed = await view_of(page)
    assert followed[2] < 0.8 * whole[2]
    follow = page.get_by_role("button", name="Follow the question")
    await expect(follow).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="Whole table").click()
    await settle(page)
    assert await view_of(page) == pytest.approx(whole, abs=30)
    await page.keyboard.press("Escape")
    await begin_move(page)
    assert (await view_of(page))[2] > 0.9 * whole[2]
    await page.locator("body").press("c")
    await settle(page)
    assert await view_of(page) == pytest.approx(followed, abs=1)
    assert faults == []


OUT_OF_VIEW = """
(disks) => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  return disks.map((disk) => {
    const box = disk.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x < stage.left || x > stage.right || y < stage.top || y > stage.bottom;
  });
}
"""


async def test_disk_that_is_chosen_comes_into_the_view_that_the_player_holds(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url, "activation")
    faults = collect_faults(page)
    for _ in range(5):
        await page.locator("body").press("+")
    await settle(page)
    assert any(await ready_disks(page).evaluate_all(OUT_OF_VIEW))
    chosen = page.locator('.disk .handle[aria-pressed="true"]')
    for _ in range(await ready_disks(page).count()):
        await page.locator("body").press("n")
        await expect(chosen).to_have_count(1)
        await settle(page)
        assert await chosen.evaluate_all(OUT_OF_VIEW) == [False]
    assert faults == []


async def test_set_up_shows_the_whole_table(browser: Browser, shared_url: str) -> None:
    page = await open_table(browser, shared_url, "terrain")
    before = await view_of(page)
    await page.get_by_role("button", name="Whole table").click()
    assert await view_of(page) == pytest.approx(before, abs=1)


async def test_landing_shows_the_face_of_the_disk_and_says_what_the_flip_would_do(
    browser: Browser, shared_url: str
) -> None:
    page = await open_table(browser, shared_url, "activation")
    await begin_move(page)
    assert await page.locator(".moving .ghost use").count() > 0
    bubble = page.locator(".moving .bubble")
    await expect(bubble).to_contain_text("°")
    before = await bubble.inner_text()
    await page.keyboard.press("ArrowRight")
    await expect(bubble).not_to_have_text(before)


async def test_deployment_cards_lie_on_the_rail_beside_their_zones(browser: Browser, shared_url: str) -> None:
    question = find_question("activation")
    page = await open_table(browser, shared_url, "activation")
    board = question.playing.board
    names = {card.id: card.name for card in board.layout.deployments}
    assert board.layout.laid_cards
    for laid in board.layout.laid_cards:
        card = page.locator(".board title", has_text=names[laid.card])
        await expect(card).to_have_count(1)


async def test_table_is_printed_on_one_page_with_round_disks(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, viewport={"width": 1440, "height": 900})
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(ready_disks(page).first).to_be_visible()
    view = [float(part) for part in (await page.locator(".board").get_attribute("viewBox") or "").split()]
    await page.emulate_media(media="print")
    stage = await page.locator(".stage").bounding_box()
    assert stage is not None
    assert stage["width"] / stage["height"] == pytest.approx(view[2] / view[3], rel=0.01)
    assert stage["x"] + stage["width"] <= 1440
    assert stage["y"] + stage["height"] <= 900
    for part in (".top", ".side.left", ".side.right", ".act", ".stage .zoom"):
        await expect(page.locator(part).first).to_be_hidden()
    await expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    paper = await page.pdf(format="A4", landscape=True, print_background=True)
    assert paper.count(b"/Type /Page\n") == 1
