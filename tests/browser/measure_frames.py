"""Measure frames of a table of four and the opening of a long match: python -m tests.browser.measure_frames [BUILD …].

Each folder with a built page is measured in turn with this one. Times depend on the machine and what else it does; the
computing time of the page's main thread less so. `./dev bench pages` prints the same beside those of an earlier build.
"""

import argparse
import asyncio
import itertools
import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from playwright.async_api import Browser, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.events import RoundBegan
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_server.http.page_files import load_page
from tests.browser.clicks import bar, ready_disks
from tests.browser.measure_page import CPU_SLOWDOWN, GO, Answers, MainThread, answers_about, new_page
from tests.browser.scripted_match import BOTH_PACKS_ARMIES, question_type
from tests.browser.web_page import built_page, open_browser, serving_page, settle
from tests.engine.played_match import PlayedMatch, mixed_action
from tests.golden.write_files import begin_with

SEED = 1
STEPS = 120
OPENINGS = 7
RECORDS = 700
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
FIRST_BOARD = """
async (part) => {
  while (!document.querySelector(part)) {
    if (performance.now() > 20000) throw new Error("nothing was drawn");
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  return performance.now();
}
"""
"""Milliseconds from the navigation until a part of the page is drawn."""


class Frames(Struct, frozen=True):
    """The frames of one deed: times between them in ms, and the computing time of the page's main thread for each."""

    times: list[float]
    worked_ms: float

    @property
    def share_on_time(self) -> float:
        return sum(time <= FRAME_MS + JITTER_MS for time in self.times) / len(self.times)

    def words(self) -> str:
        longest = max(self.times)
        return (
            f"{self.share_on_time:.0%} within {FRAME_MS} ms, worst {longest:.0f} ms, computing {self.worked_ms:.1f} ms"
        )


class LongMatch(Struct, frozen=True):
    """A match of four players nearly to its end, and what a server answers to who watches it."""

    playing: PlayedMatch
    answers: Answers
    records: int

    @property
    def address(self) -> str:
        return f"/m/{self.playing.state.match}"


def long_match(records: int = RECORDS) -> LongMatch:
    """Return a match of four with this many records: the middle of a played one is repeated, for none is that long."""
    playing = begin_with(SEED, BOTH_PACKS_ARMIES * 2, regiments=2).play(mixed_action)
    played = playing.bodies[:-2]
    begun = next(number for number, body in enumerate(played) if any(isinstance(e, RoundBegan) for e in body.events))
    middle = itertools.cycle(played[begun:])
    bodies = [*played[:begun], *itertools.islice(middle, records - begun)]
    return LongMatch(playing, answers_about(playing, bodies, None), len(bodies))


def four_player_table() -> tuple[PlayedMatch, list[DiskwarsBody], Decision[a.Question]]:
    """Return a match of four at an activation of its second round."""
    playing = begin_with(SEED, BOTH_PACKS_ARMIES * 2, regiments=2)
    while True:
        for decision in playing.state.decisions:
            if question_type(decision) == "activation" and playing.board.round >= MIN_ROUND:
                return playing, list(playing.bodies), decision
        decision = playing.chance.choice(playing.state.decisions)
        playing.answer(decision, mixed_action(playing, decision))


async def measure_frames(browser: Browser, url: str, slowdown: int, steps: int = STEPS) -> dict[str, Frames]:
    """Drag, flip and zoom on a table of four players, and return the frames of each."""
    playing, bodies, decision = four_player_table()
    page = await new_page(browser, url, playing, answers_about(playing, bodies, decision))
    await open_table(page, str(playing.state.match))
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    found = {}
    for name, deed in DEEDS.items():
        await page.evaluate(RUN, [deed, steps // 4])
        thread = await MainThread.of(page)
        times = await page.evaluate(RUN, [deed, steps])
        found[name] = Frames(times, await thread.worked_ms() / steps)
    await page.close()
    return found


async def open_table(page: Page, match: str) -> None:
    await page.evaluate(GO, [f"/m/{match}", ".disk"])
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await settle(page)
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".dial")).to_be_visible()


async def open_from_lobby(browser: Browser, url: str, match: LongMatch) -> tuple[float, float]:
    """Open a match from the lobby, whose table has loaded; return how long it took and how long it computed, in ms."""
    page = await new_page(browser, url, match.playing, match.answers)
    await page.wait_for_load_state("networkidle")
    thread = await MainThread.of(page)
    taken = await page.evaluate(GO, [match.address, ".disk"])
    worked = await thread.worked_ms()
    await page.close()
    return taken, worked


async def open_by_link(browser: Browser, url: str, match: LongMatch) -> float:
    """Open a match by its address, with nothing of the page in the browser; return how long it took, in ms."""
    address = f"{url.removesuffix('/')}{match.address}"
    page = await new_page(browser, address, match.playing, match.answers, until="commit")
    taken = float(await page.evaluate(FIRST_BOARD, ".disk"))
    await page.close()
    return taken


async def measure(builds: Sequence[Path], slowdown: int) -> None:
    pages = [built_page(), *(load_page(folder) for folder in builds)]
    names = ["this", *(str(folder) for folder in builds)]
    match = long_match()
    print(f"{match.records} records", flush=True)
    async with open_browser() as browser:
        for name, files in zip(names, pages, strict=True):
            async with serving_page(files) as url:
                for deed, frames in (await measure_frames(browser, url, slowdown)).items():
                    print(f"{name}: {deed}: {frames.words()}", flush=True)
        async with serving_page(pages[0]) as first, serving_page(pages[-1]) as other:
            urls = [first, other][: len(pages)]
            opened: list[list[tuple[float, float, float]]] = [[] for _ in urls]
            for _ in range(OPENINGS):
                for place, url in enumerate(urls):
                    by_link = await open_by_link(browser, url, match)
                    opened[place].append((*await open_from_lobby(browser, url, match), by_link))
            for name, times in zip([names[0], names[-1]], opened, strict=False):
                taken, worked, by_link = (statistics.median(column) for column in zip(*times, strict=True))
                print(f"{name}: opening {taken:.0f} ms, computing {worked:.0f} ms; by its address {by_link:.0f} ms")
    print(f"load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="*", type=Path)
    parser.add_argument("--slowdown", type=int, default=CPU_SLOWDOWN)
    asked = parser.parse_args()
    asyncio.run(measure(asked.builds, asked.slowdown))


if __name__ == "__main__":
    main()
