"""Measure frames of a table of four and the opening of a long match: python -m tests.browser.measure_frames [BUILD …].

Each folder with a built page is measured in turn, this one first. Times depend on the machine and on what else it does;
the computing time of the page's main thread less so.
"""

import argparse
import asyncio
import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_server.http.page_files import load_page
from tests.browser.clicks import bar, ready_disks
from tests.browser.measure_page import CPU_SLOWDOWN, GO, MainThread, answers_about, new_page
from tests.browser.scripted_match import BOTH_PACKS_ARMIES, question_type
from tests.browser.web_page import built_page, open_browser, serving_page, settle
from tests.engine.played_match import PlayedMatch, mixed_action
from tests.golden.write_files import begin_with

SEED = 1
STEPS = 120
OPENINGS = 7
FRAME_MS, LONGEST_MS = 16.7, 50
JITTER_MS = 0.8
"""Frames of a display come by its own clock, which is not quite that of the page."""
MIN_ROUND = 2
DEEDS = {
    "drag": """(step) => {
      const dial = document.querySelector(".dial").getBoundingClientRect();
      const [x, y] = [dial.x + dial.width / 2, dial.y + dial.height / 2];
      const at = { clientX: x + 60 - (step % 120), clientY: y - 40 + (step % 80), pointerType: "mouse", altKey: true };
      document.querySelector(".stage").dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
    }""",
    "flip": """(step) => {
      const key = step % 8 === 7 ? "Backspace" : step % 8 === 3 ? "a" : "ArrowRight";
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""",
    "zoom": """(step) => {
      const box = document.querySelector(".stage").getBoundingClientRect();
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
      const deltaY = step % 60 < 30 ? -40 : 40;
      document.querySelector(".stage").dispatchEvent(new WheelEvent("wheel", { ...at, deltaY, bubbles: true }));
    }""",
}
"""What is done in each frame of a run."""
RUN = """
async ([deed, steps]) => {
  const act = (0, eval)(deed), times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < steps; step += 1) {
    act(step);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}
"""


class Frames(Struct, frozen=True):
    """The frames of one deed: times between them in ms, and the computing time of the page's main thread for each."""

    times: list[float]
    worked_ms: float

    def words(self) -> str:
        on_time = sum(time <= FRAME_MS + JITTER_MS for time in self.times) / len(self.times)
        return f"{on_time:.0%} within {FRAME_MS} ms, worst {max(self.times):.0f} ms, computing {self.worked_ms:.1f} ms"


def four_player_table() -> tuple[PlayedMatch, list[DiskwarsBody], Decision[a.Question]]:
    """Return a match of four at an activation of its second round."""
    playing = begin_with(SEED, BOTH_PACKS_ARMIES * 2, regiments=2)
    while True:
        for decision in playing.state.decisions:
            if question_type(decision) == "activation" and playing.board.round >= MIN_ROUND:
                return playing, list(playing.bodies), decision
        decision = playing.chance.choice(playing.state.decisions)
        playing.answer(decision, mixed_action(playing, decision))


async def measure_frames(browser: Browser, url: str, slowdown: int) -> dict[str, Frames]:
    """Drag, flip and zoom on a table of four players, and return the frames of each."""
    playing, bodies, decision = four_player_table()
    page = await new_page(browser, url, playing, answers_about(playing, bodies, decision))
    await open_table(page, str(playing.state.match))
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    found = {}
    for name, deed in DEEDS.items():
        await page.evaluate(RUN, [deed, STEPS // 4])
        thread = await MainThread.of(page)
        times = await page.evaluate(RUN, [deed, STEPS])
        found[name] = Frames(times, await thread.worked_ms() / STEPS)
    await page.close()
    return found


async def open_table(page: Page, match: str) -> None:
    await page.evaluate(GO, [f"/m/{match}", ".disk"])
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".dial")).to_be_visible()


async def measure_openings(browser: Browser, urls: Sequence[str]) -> list[list[tuple[float, float]]]:
    """Open a long match from the lobby of each build in turn; return how long each took and computed, in ms."""
    playing = begin_with(SEED, BOTH_PACKS_ARMIES * 2, regiments=2).play(mixed_action)
    address, answers = f"/m/{playing.state.match}", answers_about(playing, playing.bodies[:-2], None)
    print(f"{len(playing.bodies)} records", flush=True)
    found: list[list[tuple[float, float]]] = [[] for _ in urls]
    for _ in range(OPENINGS):
        for place, url in enumerate(urls):
            page = await new_page(browser, url, playing, answers)
            await page.wait_for_load_state("networkidle")
            thread = await MainThread.of(page)
            taken = await page.evaluate(GO, [address, ".disk"])
            found[place].append((taken, await thread.worked_ms()))
            await page.close()
    return found


async def measure(builds: Sequence[Path], slowdown: int) -> None:
    pages = [built_page(), *(load_page(folder) for folder in builds)]
    names = ["this", *(str(folder) for folder in builds)]
    async with open_browser() as browser:
        for name, files in zip(names, pages, strict=True):
            async with serving_page(files) as url:
                for deed, frames in (await measure_frames(browser, url, slowdown)).items():
                    print(f"{name}: {deed}: {frames.words()}", flush=True)
        async with serving_page(pages[0]) as first, serving_page(pages[-1]) as other:
            for name, times in zip(names, await measure_openings(browser, [first, other][: len(pages)]), strict=True):
                taken, worked = zip(*times, strict=True)
                print(
                    f"{name}: opening {statistics.median(taken):.0f} ms, computing {statistics.median(worked):.0f} ms"
                )
    print(f"load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="*", type=Path)
    parser.add_argument("--slowdown", type=int, default=CPU_SLOWDOWN)
    asked = parser.parse_args()
    asyncio.run(measure(asked.builds, asked.slowdown))


if __name__ == "__main__":
    main()
