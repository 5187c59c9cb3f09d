"""What a player waits for on the page, in a real Chromium: the first board of a long match, and frames of a full table.

An earlier page is measured in turn with this one, by the server of today: the protocol between them is frozen.
"""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from playwright.async_api import Browser

from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median, median_with_range
from diskwars_server.http.page_files import StaticFile
from tests.browser.built_revisions import RevisionError, page_of
from tests.browser.lighthouse import DEVICES, LighthouseRun, open_match, run_lighthouse
from tests.browser.measure_frames import (
    FRAME_MS,
    LONGEST_MS,
    RECORDS,
    STEPS,
    Frames,
    LongMatch,
    long_match,
    measure_frames,
    open_by_link,
    open_from_lobby,
)
from tests.browser.measure_page import CPU_SLOWDOWN
from tests.browser.web_page import built_page, open_browser, serving_page

BEFORE = "67239d39"
"""The page before its second round (a table that stands still, other languages, lessons)."""
OPENINGS = 20
OPENING_BOUND = 0.7
ON_TIME_BOUND = 0.95


class FirstBoardTimes(Struct, frozen=True):
    """Milliseconds to the first board: from the lobby, the computing part of that, and by the address of the match."""

    from_lobby: float
    computing: float
    by_link: float


def page_tables(effort: BenchEffort) -> Iterator[ResultTable]:
    if shutil.which("chromium") is None:
        return
    pages = {"now": built_page()}
    notes: tuple[str, ...] = ()
    if effort.full:
        try:
            pages = {f"at {BEFORE}": page_of(BEFORE), **pages}
        except RevisionError as missing:
            notes = (f"The page at {BEFORE} was not measured: {missing}.",)
    yield from asyncio.run(_measure(effort, pages, notes))


async def _measure(
    effort: BenchEffort, pages: Mapping[str, Mapping[str, StaticFile]], notes: tuple[str, ...]
) -> list[ResultTable]:
    match = long_match(effort.sizes((RECORDS,), 120)[0])
    openings = effort.sizes((OPENINGS,), 1)[0]
    async with open_browser() as browser:
        opened = await _open(browser, pages, match, openings)
        async with serving_page(dict(pages["now"])) as url:
            runs = [
                await measure_frames(browser, url, CPU_SLOWDOWN, effort.sizes((STEPS,), 8)[0])
                for _ in range(effort.runs)
            ]
        tables = [_openings_table(match, opened, notes), _frames_table(runs)]
        if effort.full:
            tables.append(await _lighthouse_table(browser, effort.runs, dict(pages["now"])))
    return tables


# ---------------------------------------------------------------- opening a match


async def _open(
    browser: Browser, pages: Mapping[str, Mapping[str, StaticFile]], match: LongMatch, count: int
) -> dict[str, list[FirstBoardTimes]]:
    """Open the match `count` times on each page, in turn, each time as a first visitor of its server."""
    opened: dict[str, list[FirstBoardTimes]] = {name: [] for name in pages}
    for _ in range(count):
        for name, files in pages.items():
            async with serving_page(dict(files)) as url:
                from_lobby, computing = await open_from_lobby(browser, url, match)
                opened[name].append(FirstBoardTimes(from_lobby, computing, await open_by_link(browser, url, match)))
    return opened


def _openings_table(
    match: LongMatch, opened: Mapping[str, Sequence[FirstBoardTimes]], notes: tuple[str, ...]
) -> ResultTable:
    rows: list[tuple[str, ...]] = [
        (
            name,
            *(median_with_range(getattr(one, column) for one in times) for column in FirstBoardTimes.__struct_fields__),
        )
        for name, times in opened.items()
    ]
    bounds: tuple[FigureBound, ...] = ()
    summary: tuple[str, ...] = ()
    if len(opened) == 2:
        ratios = {
            column: [
                getattr(now, column) / getattr(before, column) for before, now in zip(*opened.values(), strict=True)
            ]
            for column in FirstBoardTimes.__struct_fields__
        }
        rows.append(("ratio, median of the pairs", *(format_figure(median(found)) for found in ratios.values())))
        ratio = median(ratios["from_lobby"])
        label = f"first board of {match.records} records from the lobby, times that at {BEFORE}"
        bounds = (FigureBound(label, ratio, OPENING_BOUND),)
        shown = format_figure(median(one.from_lobby for one in opened["now"]))
        summary = (f"The page shows the first board of a match of {match.records} records after {shown} ms.",)
    count = len(opened["now"])
    how = (
        f"{count} openings of each page in turn. From the lobby the table of the match has been loaded; by its address",
        "nothing has: there the scripts come from the server. The records are answered within the page.",
    )
    columns = ("page", "from the lobby, ms", "of it computing, ms", "by its address, ms")
    return ResultTable("First board of a match", columns, tuple(rows), bounds, (" ".join(how), *notes), summary)


# ---------------------------------------------------------------- frames


def _frames_table(runs: Sequence[Mapping[str, Frames]]) -> ResultTable:
    rows, bounds = [], []
    for deed in runs[0]:
        frames = [run[deed] for run in runs]
        on_time, longest = median(one.share_on_time for one in frames), max(max(one.times) for one in frames)
        rows.append((deed, f"{on_time:.1%}", longest, median(one.worked_ms for one in frames)))
        bounds += [
            FigureBound(f"{deed}: share of frames within {FRAME_MS} ms", on_time, ON_TIME_BOUND, "at least"),
            FigureBound(f"{deed}: the longest frame", longest, LONGEST_MS, unit="ms"),
        ]
    return ResultTable(
        f"Frames of a table of four players, CPU slowed {CPU_SLOWDOWN} times",
        ("deed in each frame", f"within {FRAME_MS} ms", "longest, ms", "computing, ms a frame"),
        tuple(rows),
        tuple(bounds),
        (f"{len(runs[0]['drag'].times)} frames of each deed in each of {len(runs)} runs.",),
    )


# ---------------------------------------------------------------- Lighthouse


async def _lighthouse_table(browser: Browser, count: int, files: dict[str, StaticFile]) -> ResultTable:
    rows = []
    async with serving_page(files) as url:
        match = await open_match(browser, url)
        for name, path in (("lobby", ""), ("a match in progress", match)):
            for device in DEVICES:
                found = await run_lighthouse([LighthouseRun(f"{url}{path}", device)] * count, ("performance",))
                rows.append((name, device, median_with_range(one.scores["performance"] for one in found)))
    note = "Somebody new opens each; scripts, lines and processors are slowed as Lighthouse does it for the device."
    return ResultTable("Performance by Lighthouse", ("screen", "device", "of 100"), tuple(rows), (), (note,))
