"""Pictures for README and docs, taken from a real match against a bot: `./dev pictures`."""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import MAX_ANSWERS, answer, bar, open_question, ready_disks
from tests.browser.kept_pictures import PictureTool, take
from tests.browser.web_page import built_page, open_browser, open_page, serving_page

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = {"viewport": {"width": 1280, "height": 800}}
QUALITY = 0.82
MAX_STEPS = 400
MAX_MATCHES = 3
"""Not every match asks every question."""
PHASES = {
    "deployment_card": "deployment-cards",
    "terrain": "terrain",
    "deployment": "deployment",
    "command_card": "command-card",
    "activation": "move",
}
"""The questions that are shown, and the picture of each."""
WANTED = {*PHASES.values(), "melee"}


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
    await page.get_by_role("button", name="I am ready").click()


async def aim(page: Page) -> bool:
    """Plan two flips of a disk that can move; return whether there is one."""
    if not await ready_disks(page).count():
        return False
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    add = bar(page).get_by_role("button", name="Add flip")
    for _ in range(2):
        if not await add.count() or await add.is_disabled():
            return False
        await add.click()
    await page.evaluate("document.activeElement.blur()")
    return True


async def show(page: Page, camera: Camera, question: str) -> None:
    """Take the picture of an open question, and leave the question as it was."""
    name = PHASES.get(question)
    if name is None or name in camera.taken:
        return
    if question == "command_card":
        await page.locator(".fan button").first.click()
    if question != "activation" or await aim(page):
        await camera.take(page, name)
    for _ in range(3 if question == "activation" else 0):
        await page.keyboard.press("Escape")


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
    await page.get_by_role("button", name="Replay").click()
    await look_back(page, camera)
    await page.close()


async def look_back(page: Page, camera: Camera) -> None:
    """Take a melee, and the replay with its checks."""
    for _ in range(MAX_STEPS):
        if await page.locator(".phase .on", has_text="Melee").count() and await page.locator(".scrum, .melee").count():
            await camera.take(page, "melee")
            break
        await page.locator("body").press("ArrowLeft")
    await page.get_by_role("button", name="Check the match").click()
    await expect(page.locator(".reports li.good")).to_have_count(4)
    await camera.take(page, "replay")
    await page.get_by_role("button", name="Change between dark and light").click()
    await camera.take(page, "replay-light")


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
