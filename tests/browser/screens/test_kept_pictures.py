"""Every screen looks as the picture that is kept of it, in both themes.

`./dev golden tests/browser/screens/test_kept_pictures.py` takes the pictures again; look at them before
committing. The bounds are in `kept_pictures`.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from diskwars_cli.look_back.picture_process import draw_file
from tests.browser.canned_server import START_MS, CannedServer
from tests.browser.clicks import bar, ready_disks
from tests.browser.kept_pictures import FOLDER, SHARE_TOLERANCE, PictureTool, take
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, answer_board_pictures, draw, open_page, settle

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "files"
SIZE = {"viewport": {"width": 1280, "height": 800}}

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

ARE_BOARDS_PAINTED = """
() => {
  const boards = [...document.querySelectorAll(".felt img")];
  return boards.length > 0 && boards.every((one) => one.complete && one.naturalWidth > 0);
}
"""
Screen = Callable[[Page, str], Awaitable[None]]


@pytest.fixture(scope="module")
def chromium(whole_chromium: Browser) -> Browser:
    """The Chromium that people use, which draws letters a little differently."""
    return whole_chromium


def screen_at(path: str, heading: str) -> Screen:
    async def show(page: Page, url: str) -> None:
        await CannedServer().attach(page)
        await page.goto(f"{url}{path}")
        await expect(page.get_by_role("heading", name=heading, exact=True).first).to_be_visible()

    return show


async def lobby(page: Page, url: str) -> None:
    await screen_at("", "Open matches")(page, url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await expect(page.get_by_text("Ilse of the Hills").first).to_be_visible()


async def new_match(page: Page, url: str) -> None:
    await screen_at("new", "New match")(page, url)
    await expect(page.get_by_role("button", name="Create match and get the link")).to_be_enabled()


async def army_builder(page: Page, url: str) -> None:
    await screen_at("armies", "Armies")(page, url)
    await page.get_by_role("button", name="Change a copy").first.click()
    await expect(page.get_by_text("Nothing is wrong with this army.")).to_be_visible()


async def history(page: Page, url: str) -> None:
    file = (GOLDEN / "diskwars-points.match.jsonl").read_bytes()
    await answer_board_pictures(page, draw_file(file, len(file.splitlines()) - 1).decode())
    await screen_at("history", "History")(page, url)
    await expect(page.get_by_text("Ilse of the Hills").first).to_be_visible()
    await page.wait_for_function(ARE_BOARDS_PAINTED)


async def leaderboard(page: Page, url: str) -> None:
    await screen_at("leaderboard", "Leaderboard")(page, url)
    await expect(page.get_by_role("cell", name="Ilse of the Hills")).to_be_visible()


async def profile(page: Page, url: str) -> None:
    await history(page, url)
    await page.get_by_role("link", name="Ilse of the Hills").first.click()
    await expect(page.get_by_role("heading", name="Ilse of the Hills")).to_be_visible()


def table_at(question: str) -> Screen:
    async def show(page: Page, url: str) -> None:
        await ScriptedServer(find_question(question)).open(page, url)
        await expect(bar(page)).to_have_attribute("data-question", question)

    return show


async def chat(page: Page, url: str) -> None:
    at = {"channel": "players", "at_ms": START_MS}
    said = [
        {**at, "number": 1, "player": "player-a", "name": "Marek", "text": "Good luck! Mind the Steam Tank."},
        {**at, "number": 2, "player": "player-b", "name": "Vera", "text": "It will not get far."},
        {**at, "number": 3, "player": "player-a", "name": "Marek"},
    ]
    joined = {"type": "chat_joined", "channels": ["players"], "messages": said}
    muted = {"type": "muted_players", "players": []}
    server = ScriptedServer(find_question("deployment_card"), {"join_chat": joined, "list_muted_players": muted})
    await server.open(page, url)
    await page.get_by_role("tab", name="Chat").click()
    await expect(page.get_by_role("log", name="Players")).to_contain_text("This message was erased.")


async def aimed_move(page: Page, url: str) -> None:
    await table_at("activation")(page, url)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    # By key: a pointer would aim wherever the bar leaves it above the table.
    await expect(bar(page).get_by_role("button", name="Add flip")).to_be_visible()
    # The table makes room for the highest bar that was drawn, so each is drawn.
    await settle(page)
    for _ in range(2):
        await page.keyboard.press("a")
        await draw(page)
    await page.evaluate("document.activeElement.blur()")


async def open_file(page: Page, url: str, name: str, key: str = "[") -> None:
    await page.goto(f"{url}open")
    await page.locator("input[type=file]").set_input_files(GOLDEN / f"{name}.match.jsonl")
    await expect(page.get_by_role("slider")).to_be_visible()
    before = await page.get_by_role("slider").input_value()
    if key:
        await page.locator("body").press(key)
        await expect(page.get_by_role("slider")).not_to_have_value(before)


def replay_of(name: str, key: str = "[") -> Screen:
    """Open a golden file: at the beginning of its last round, or at its end without a key."""

    async def show(page: Page, url: str) -> None:
        await open_file(page, url, name, key)

    return show


async def bad_file(page: Page, url: str) -> None:
    await page.goto(f"{url}open")
    await page.locator("input[type=file]").set_input_files(
        {"name": "no.jsonl", "mimeType": "text/plain", "buffer": b"no match\n"}
    )
    await expect(page.get_by_role("alert")).to_be_visible()


async def show_whole_table(page: Page) -> None:
    """Fit the table once more: where it stands depends on whether the bar below grew before or after it was drawn."""
    fit = page.get_by_role("button", name="Whole table")
    if await fit.count():
        await settle(page)
        await fit.click()


SCREENS: dict[str, Screen] = {
    "lobby": lobby,
    "new-match": new_match,
    "armies": screen_at("armies", "Armies"),
    "army-builder": army_builder,
    "history": history,
    "leaderboard": leaderboard,
    "profile": profile,
    "settings": screen_at("settings", "Settings"),
    "rules": screen_at("rules/R2.4", "Rules"),
    "learn": screen_at("learn", "First match"),
    "bad-file": bad_file,
    "table-deployment-card": table_at("deployment_card"),
    "table-terrain": table_at("terrain"),
    "table-deployment": table_at("deployment"),
    "table-scout": table_at("scout"),
    "table-activation": table_at("activation"),
    "table-aimed-move": aimed_move,
    "table-continuation": table_at("continuation"),
    "table-reinforcement": table_at("reinforcement"),
    "table-command-card": table_at("command_card"),
    "table-engagement": table_at("engagement"),
    "table-melee-targets": table_at("melee_targets"),
    "table-phone": table_at("activation"),
    "chat": chat,
    "replay": replay_of("diskwars-elimination"),
    "replay-end": replay_of("diskwars-points", ""),
    "replay-four-seats": replay_of("diskwars-four"),
    "pit": replay_of("pit-four"),
    "close-quarters": replay_of("close-quarters-barricade"),
    "regiments": replay_of("regiments-destroyed"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tool(whole_chromium: Browser) -> PictureTool:
    """Compares pictures in a page of its own, which stays open for all of them."""
    return await PictureTool.open(whole_chromium)


async def change_theme(page: Page) -> None:
    """Change between dark and light: at the table of a phone, in its menu."""
    menu = page.get_by_role("button", name="Menu", exact=True)
    if await menu.count():
        await menu.click()
    # The sheet of a new match makes the header inert: no pointer clicks there.
    await page.get_by_role("button", name="Change between dark and light").dispatch_event("click")
    if await menu.count():
        await page.keyboard.press("Escape")


@pytest.mark.parametrize("name", SCREENS)
async def test_screen_looks_as_its_kept_pictures(
    browser: Browser, tool: PictureTool, shared_url: str, name: str, tmp_path: Path
) -> None:
    size = PHONE if name.endswith("-phone") else SIZE
    page = await open_page(browser, **size, reduced_motion="reduce")
    await page.clock.set_fixed_time(START_MS)
    await SCREENS[name](page, shared_url)
    await show_whole_table(page)
    for theme in ("dark", "light"):
        if theme == "light":
            await change_theme(page)
        found = await tool.compare(f"{name}-{theme}", await take(page), tmp_path)
        assert found.share <= SHARE_TOLERANCE, f"{found.share:.2%} of {name}-{theme} differs: see {found.taken}"


async def test_no_picture_is_kept_of_a_screen_that_is_gone() -> None:
    wanted = {f"{name}-{theme}.webp" for name in SCREENS for theme in ("dark", "light")}
    assert {path.name for path in FOLDER.iterdir()} == wanted


async def test_changed_button_is_noticed(browser: Browser, tool: PictureTool, shared_url: str) -> None:
    page = await open_page(browser, **SIZE)
    await page.goto(f"{shared_url}open")
    await expect(page.get_by_text("Choose").first).to_be_visible()
    before = await tool.shrink(await take(page))
    await page.evaluate("document.querySelector('main .btn').style.translate = '0 24px'")
    after = await tool.shrink(await take(page))
    assert await tool.share_of_other_pixels(before, before) == 0
    assert await tool.share_of_other_pixels(before, after) > SHARE_TOLERANCE
