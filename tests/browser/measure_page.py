"""Measure the page in a real Chromium and print a table: python -m tests.browser.measure_page.

Nothing is asserted here: speed depends on the machine, so that the figures are for readers.
"""

import asyncio
import gzip
import json
import os
import re
import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from playwright.async_api import Browser, CDPSession, Page, expect

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.records.records import genesis_hash
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_server.http.page_files import INDEX, StaticFile
from tests.browser.clicks import ANSWER_MS, bar, ready_disks
from tests.browser.scripted_match import BOTH_PACKS_ARMIES, WELCOME, find_question, keep_seat
from tests.browser.web_page import built_page, open_browser, serving_page, settle
from tests.engine.played_match import PlayedMatch, mixed_action, player_of
from tests.golden.write_files import begin_with, diskwars_file, write_match

CPU_SLOWDOWN = 4
DRAG_STEPS = 180
SEEKS = 40
SEED = 1
OPENINGS = 5
MIN_EVENTS = 1_000
MEMORY_EVENTS = 10_000
CROWD = 80
LOBBY = ".quick"
RECORDS_TO_THE_END = 2
"""Left out of a match that is to be under way."""
DRAG = """
async (steps) => {
  const stage = document.querySelector(".stage");
  const dial = document.querySelector(".dial").getBoundingClientRect();
  const [x, y] = [dial.x + dial.width / 2, dial.y + dial.height / 2];
  for (let step = 0; step < steps; step += 1) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const at = { clientX: x + 60 - (step % 120), clientY: y - 40 + (step % 80), pointerType: "mouse", altKey: true };
    stage.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
  }
}
"""
"""Aim in every frame, each time elsewhere: `Alt` aims without snapping."""
SEEK = """
async (places) => {
  const slider = document.querySelector("input[type=range]");
  const times = [];
  for (const place of places) {
    const start = performance.now();
    slider.value = String(place);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times;
}
"""
"""Seek to one place after another; each counts until its frame is drawn."""
OPEN_FILE = """
async ([text, part]) => {
  const chosen = new DataTransfer();
  chosen.items.add(new File([text], "match.jsonl"));
  const input = document.querySelector("input[type=file]");
  input.files = chosen.files;
  const start = performance.now();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  while (!document.querySelector(part)) {
    if (performance.now() > start + 20000) throw new Error("nothing was drawn");
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  return performance.now() - start;
}
"""
GO = """
async ([address, part]) => {
  const start = performance.now();
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  while (!document.querySelector(part)) {
    if (performance.now() > start + 20000) throw new Error("nothing was drawn");
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  return performance.now() - start;
}
"""
LOCAL_SERVER = """
(answers) => {
  class LocalSocket extends EventTarget {
    constructor() { super(); setTimeout(() => this.onopen?.({})); }
    close() {}
    send(text) {
      const { type, id } = JSON.parse(text);
      const refusal = { type: "refused", id: "", code: "fault", text: "not served here" };
      for (const answer of answers[type] ?? [JSON.stringify(refusal)]) {
        setTimeout(() => this.onmessage?.({ data: answer.replace('"id":""', `"id":"${id}"`) }));
      }
    }
  }
  window.WebSocket = LocalSocket;
}
"""
"""A server in the page itself, so that only the page is measured: it answers each type of request with texts."""
Row = tuple[str, str]
Answers = dict[str, list[str]]


async def measure() -> list[Row]:
    """Return what was measured, each with its unit."""
    files = built_page()
    playing = begin_with(SEED, BOTH_PACKS_ARMIES * 2, regiments=2).play(mixed_action)
    assert len(playing.events) >= MIN_EVENTS
    rows = script_sizes(files)
    async with serving_page(files) as url, open_browser() as browser:
        rows += await measure_drag(browser, url)
        rows += await measure_file(browser, url, playing)
        rows += await measure_match(browser, url, playing)
    return [*rows, ("load of the machine, mean of one minute", f"{os.getloadavg()[0]:.1f}")]


def script_sizes(files: dict[str, StaticFile]) -> list[Row]:
    sizes = {path: len(gzip.compress(file.body)) for path, file in files.items() if path.endswith(".js")}
    # The build splits what a first load needs: the page names the entry and all that it imports.
    first = [path for path in re.findall(r'(?:src|href)="([^"]+\.js)"', files[INDEX].body.decode()) if path in sizes]
    return [
        (f"{len(first)} scripts of the first load, gzipped", f"{sum(sizes[path] for path in first) / 1024:.1f} KiB"),
        (f"all {len(sizes)} scripts, gzipped", f"{sum(sizes.values()) / 1024:.1f} KiB"),
    ]


def spread(times: Sequence[float]) -> str:
    return f"{statistics.median(times):.1f} ms, worst {max(times):.1f} ms"


async def new_page(
    browser: Browser,
    address: str,
    playing: PlayedMatch | None = None,
    answers: Answers | None = None,
    until: Literal["commit", "load"] = "load",
) -> Page:
    """Open an address, on the device of a match's players; answers about it are taken for those of the server.

    Without a service worker: it reads every file of the build once more, and a dozen openings in a row would ask for
    more than the server gives one address. A part that is refused makes the page load itself again.
    """
    page = await browser.new_page(viewport={"width": 1440, "height": 900}, service_workers="block")
    page.set_default_timeout(ANSWER_MS)
    if playing is not None:
        await keep_seat(page, playing)
        await page.add_init_script(f"({LOCAL_SERVER})({json.dumps(answers)})")
    await page.goto(address, wait_until=until)
    return page


class MainThread:
    """The computing time of a page's main thread: unlike the time that passes, it depends little on other programs."""

    def __init__(self, session: CDPSession) -> None:
        self._session, self._seen = session, 0.0

    @classmethod
    async def of(cls, page: Page) -> "MainThread":
        session = await page.context.new_cdp_session(page)
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        thread = cls(session)
        await thread.worked_ms()
        return thread

    async def worked_ms(self) -> float:
        """Return how long it has worked since this was asked last."""
        metrics = (await self._session.send("Performance.getMetrics"))["metrics"]
        before, self._seen = (
            self._seen,
            next(1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration"),
        )
        return self._seen - before


# ---------------------------------------------------------------- dragging


async def measure_drag(browser: Browser, url: str) -> list[Row]:
    """Aim a flip round a disk of a full table, and return the times between the frames of a trace."""
    question = find_question("activation")
    playing, match = question.playing, str(question.playing.state.match)
    answers = answers_about(playing, crowd(playing, question.bodies), question.decision)
    page = await new_page(browser, url, playing, answers)
    await page.evaluate(GO, [f"/m/{match}", ".disk"])
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await ready_disks(page).first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".dial")).to_be_visible()
    disks = await page.locator(".disk").count()
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    thread = await MainThread.of(page)
    await page.evaluate(DRAG, DRAG_STEPS)
    worked = await thread.worked_ms() / DRAG_STEPS
    await browser.start_tracing(page=page, categories=["benchmark"])
    await page.evaluate(DRAG, DRAG_STEPS)
    trace = json.loads(await browser.stop_tracing())
    await page.close()
    drawn = sorted(event["ts"] / 1000 for event in trace["traceEvents"] if event["name"] == "DirectRenderer::DrawFrame")
    frames = [after - before for before, after in pairwise(drawn)]
    return [
        (f"frame while aiming, {disks} disks, CPU slowed {CPU_SLOWDOWN} times, {len(frames)} frames", spread(frames)),
        ("of it, computing time of the page's thread for an aim, mean", f"{worked:.1f} ms"),
    ]


def crowd(playing: PlayedMatch, bodies: Sequence[DiskwarsBody]) -> list[DiskwarsBody]:
    """Return the records of a match with enough more disks on its table to make `CROWD`."""
    events = [event for body in bodies for event in body.events]
    started = next(event for event in events if isinstance(event, e.MatchStarted))
    deployed = next(event for event in events if isinstance(event, e.DisksDeployed))
    have, fielded = len(started.disks), sum(disk.place == BATTLEFIELD for disk in playing.board.disks)
    columns, rows = 10, -(-(CROWD - fielded) // 10)
    placed = [
        replace(
            deployed.disks[0],
            disk=have + k,
            x=started.field.width * (1 + k % columns) // (columns + 1),
            y=started.field.height * (1 + k // columns) // (rows + 1),
            z=1000 + k,
        )
        for k in range(CROWD - fielded)
    ]
    larger = {
        id(started): replace(started, disks=(*started.disks, *(started.disks[k % have] for k in range(len(placed))))),
        id(deployed): replace(deployed, disks=(*deployed.disks, *placed)),
    }
    return [replace(body, events=tuple(larger.get(id(event), event) for event in body.events)) for body in bodies]


# ---------------------------------------------------------------- opening, seeking, memory


async def measure_file(browser: Browser, url: str, playing: PlayedMatch) -> list[Row]:
    """Open a long match from a file, and seek in it."""
    size = f"{len(playing.events)} events in {len(playing.bodies)} records"
    text = diskwars_file(playing).decode()
    opened, worked, times, seek_work = [], [], [], []
    for _ in range(OPENINGS):
        page = await new_page(browser, f"{url}open")
        await expect(page.locator("input[type=file]")).to_be_attached()
        await page.wait_for_load_state("networkidle")
        thread = await MainThread.of(page)
        opened.append(await page.evaluate(OPEN_FILE, [text, ".disk"]))
        worked.append(await thread.worked_ms())
        await expect(page.get_by_role("slider")).to_be_visible()
        last = len(playing.bodies)
        await settle(page)  # log and lists, which follow the table, belong to the opening
        await thread.worked_ms()
        times += await page.evaluate(SEEK, [1 + (37 * k) % last for k in range(SEEKS)])
        seek_work.append(await thread.worked_ms() / SEEKS)
        await page.close()
    return [
        (f"opening a match file of {size}, median of {OPENINGS}", spread(opened)),
        ("of it, computing time of the page's thread", spread(worked)),
        (f"seek in it, median of {len(times)}", spread(times)),
        ("of it, computing time of the page's thread", spread(seek_work)),
    ]


async def measure_match(browser: Browser, url: str, playing: PlayedMatch) -> list[Row]:
    """Open a match under way from the lobby, and the same again and again: what is left in memory."""
    bodies = playing.bodies[:-RECORDS_TO_THE_END]
    events = sum(len(body.events) for body in bodies)
    address, answers = f"/m/{playing.state.match}", answers_about(playing, bodies, None)
    opened, worked, heaps = [], [], []
    for _ in range(OPENINGS):
        page = await new_page(browser, url, playing, answers)
        await page.wait_for_load_state("networkidle")
        thread = await MainThread.of(page)
        opened.append(await page.evaluate(GO, [address, ".disk"]))
        worked.append(await thread.worked_ms())
        await page.close()
    page = await new_page(browser, url, playing, answers)
    session = await page.context.new_cdp_session(page)
    for _ in range(-(-MEMORY_EVENTS // events)):
        await page.evaluate(GO, [address, ".disk"])
        await page.evaluate(GO, ["/", LOBBY])
        await session.send("HeapProfiler.collectGarbage")
        heaps.append((await session.send("Runtime.getHeapUsage"))["usedSize"] / 2**20)
    await page.close()
    return [
        (f"opening a running match of {events} events, median of {OPENINGS}", spread(opened)),
        ("of it, computing time of the page's thread", spread(worked)),
        (f"memory after {events} events, one match opened and left", f"{heaps[0]:.1f} MiB"),
        (f"memory after {events * len(heaps)} events, {len(heaps)} matches", f"{heaps[-1]:.1f} MiB"),
    ]


def answers_about(
    playing: PlayedMatch, bodies: Sequence[DiskwarsBody], decision: Decision[a.Question] | None
) -> Answers:
    """Return what a server answers about these records of a match, each record in a message of its own."""
    match, seat = str(playing.state.match), {} if decision is None else {"seat": decision.seat}
    header, *lines = write_match(playing.rules, playing.state.match, len(playing.seats), bodies).splitlines()
    watching = {
        "type": "watching",
        "id": "",
        "match": match,
        "ruleset": "diskwars",
        "header": json.loads(header),
        **seat,
    }
    told: list[dict[str, Any]] = [{**watching, "after": 0, "head": len(lines), "hash": genesis_hash(header).hex()}]
    told += [{"type": "records", "match": match, "records": [json.loads(line)]} for line in lines]
    if decision is not None:
        options = msgspec.to_builtins(playing.rules.options_with_unavailable(playing.state, decision))
        told.append({"type": "options", "match": match, "decision": decision.id, "options": options})
    welcome = {"type": "welcome", "version": 1, "player": player_of(seat.get("seat", 0)), "token": "t" * 32, **WELCOME}
    unwatched = {"type": "unwatched", "id": "", "match": match}
    answers = {"hello": [welcome], "watch": told, "unwatch": [unwatched]}
    return {
        kind: [json.dumps(message, separators=(",", ":")) for message in messages] for kind, messages in answers.items()
    }


def main() -> None:
    print("| what | measured |\n|---|---|")
    for what, value in asyncio.run(measure()):
        print(f"| {what} | {value} |")


if __name__ == "__main__":
    main()
