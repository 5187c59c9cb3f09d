"""Pictures for README and docs, taken from a real match against a bot: `./dev pictures`."""

import asyncio
import re
import sys
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import MAX_ANSWERS, answer, bar, click_card, open_question, ready_disks
from tests.browser.kept_pictures import PictureTool, take
from tests.browser.web_page import built_page, open_browser, open_page, serving_page, settle

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = {"viewport": {"width": 1280, "height": 800}}
QUALITY = 0.82
MAX_STEPS = 400
MAX_MATCHES = 8
"""Not every match asks every question, or has a melee."""
PHASES = {
    "deployment_card": "deployment-cards",
    "terrain": "terrain",
    "deployment": "deployment",
    "command_card": "command-card",
    "activation": "move",
}
"""The questions that are shown, and the picture of each."""
PHONES = {"phone-upright": {"width": 390, "height": 844}, "phone-on-its-side": {"width": 844, "height": 390}}
WANTED = {*PHASES.values(), *PHONES, "shooting", "reveal", "dice", "melee", "result", "replay"}
MAX_TARGETS = 8
PINS = re.compile(r"^Pins (?!nobody|your own)", re.MULTILINE)
"""The forecast of a move that ends on an enemy."""
ROLL_MS = 400
"""More than passes between the step to a record and the dice of its roll."""


class Camera:
    """Writes pictures, each once."""

    def __init__(self, tool: PictureTool) -> None:
        self._tool = tool
        self.taken: set[str] = set()

    async def take(self, page: Page, name: str) -> None:
        (FOLDER / f"{name}.webp").write_bytes(await self._tool.shrink(await take(page), 1, QUALITY))
        self.taken.add(name)
        print(f"docs/pictures/{name}.webp", flush=True)


async def begin(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_role("button", name="Full", exact=True).click()
    await page.get_by_role("button", name="Play now").click()


def forecast(page: Page) -> Locator:
    return page.get_by_role("region", name="If you commit")


async def aim(page: Page) -> bool:
    """Plan a move straight at an enemy that ends on it; return whether a disk can."""
    enemies = page.locator('.handle:not([aria-label*="yours"])')
    for place in range(await ready_disks(page).count()):
        for enemy in range(await enemies.count()):
            await ready_disks(page).nth(place).focus()
            await page.keyboard.press("Enter")
            await enemies.nth(enemy).focus()
            await page.keyboard.press("Enter")
            await settle(page)
            if await forecast(page).count() and PINS.search(await forecast(page).inner_text()):
                await page.evaluate("document.activeElement.blur()")
                return True
            await leave(page)
    return False


async def target(page: Page) -> bool:
    """Choose an enemy for a disk that can shoot; return whether there is one."""
    for place in range(await ready_disks(page).count()):
        await ready_disks(page).nth(place).focus()
        await page.keyboard.press("Enter")
        shooting = bar(page).get_by_role("button", name="Shoot", exact=True)
        if await shooting.count():
            await shooting.click()
            for _ in range(MAX_TARGETS):
                await page.keyboard.press("Tab")
                await expect(forecast(page)).to_contain_text("damage on average")
                if "your own disk" not in await forecast(page).inner_text():
                    await page.evaluate("document.activeElement.blur()")
                    return True
        await leave(page)
    return False


async def leave(page: Page) -> None:
    """Put down what is planned and chosen."""
    for _ in range(3):
        await page.keyboard.press("Escape")


async def take_phones(page: Page, camera: Camera) -> None:
    """Take what a phone shows of a planned move, upright and on its side."""
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for name, viewport in PHONES.items():
        await page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        await camera.take(page, name)
    await session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    width, height = SIZE["viewport"]["width"], SIZE["viewport"]["height"]
    await page.set_viewport_size({"width": width, "height": height})


async def show(page: Page, camera: Camera, question: str) -> None:
    """Take the picture of an open question, and leave the question as it was."""
    if question == "activation" and "shooting" not in camera.taken and await target(page):
        await camera.take(page, "shooting")
        await leave(page)
    name = PHASES.get(question)
    if name is None or name in camera.taken:
        return
    if question == "command_card":
        await click_card(page)
    if question != "activation":
        await camera.take(page, name)
        return
    if await aim(page):
        await camera.take(page, name)
        await take_phones(page, camera)
    await leave(page)


async def play(browser: Browser, url: str, camera: Camera) -> None:
    """Play a match by clicks, and take what has not been taken yet."""
    page = await open_page(browser, **SIZE, reduced_motion="reduce")
    await begin(page, url)
    for _ in range(MAX_ANSWERS):
        question = await open_question(page)
        if not question:
            break
        await show(page, camera, question)
        await answer(page)
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    await expect(page.get_by_role("status").filter(has_text="chance")).to_have_count(0)
    await camera.take(page, "result")
    await page.get_by_role("button", name="Replay").first.click()
    await look_back(page, camera)
    await page.close()


async def look_back(page: Page, camera: Camera) -> None:
    """Take revealed cards, dice, a melee, and the replay with its checks."""
    await step_on(page, camera)
    for _ in range(MAX_STEPS):
        if await page.locator(".phase .on", has_text="Melee").count() and await page.locator(".scrum, .melee").count():
            await camera.take(page, "melee")
            break
        await page.locator("body").press("ArrowLeft")
    else:
        return
    await page.get_by_role("button", name="Check the match").click()
    await expect(page.locator(".reports li.good")).to_have_count(4)
    await camera.take(page, "replay")
    await page.get_by_role("button", name="Change between dark and light").click()
    await camera.take(page, "replay-light")


async def step_on(page: Page, camera: Camera) -> None:
    """Step from the beginning to the end, and take the first cards that are revealed and the first dice."""
    await page.locator("body").press("Home")
    slider = page.get_by_role("slider")
    plays = {
        "reveal": page.get_by_role("region", name="Cards revealed"),
        "dice": page.get_by_role("status").filter(has_text="chance"),
    }
    for _ in range(int(await slider.get_attribute("max") or MAX_STEPS)):
        if camera.taken >= set(plays):
            break
        await page.locator("body").press("ArrowRight")
        await page.wait_for_timeout(ROLL_MS)
        for name, shown in plays.items():
            if name not in camera.taken and await shown.count():
                await camera.take(page, name)
    await page.locator("body").press("End")


async def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    async with serving_page(built_page()) as url, open_browser() as browser:
        camera = Camera(await PictureTool.open(browser))
        page = await open_page(browser, **SIZE, reduced_motion="reduce")
        await page.goto(url)
        await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
        await camera.take(page, "lobby")
        for _ in range(MAX_MATCHES):
            await play(browser, url, camera)
            if camera.taken >= WANTED:
                return 0
        print(f"not asked in {MAX_MATCHES} matches: {WANTED - camera.taken}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
