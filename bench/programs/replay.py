"""Benchmark of a replay: time to open a long match, and to seek to any record of it from anywhere.

The match is the one of `fold`, with its middle repeated: no played match is that long. Opening is CPU time; a seek is
measured by the clock on the wall, as somebody waits for it.
"""

import random
from collections.abc import Sequence
from time import perf_counter_ns, thread_time_ns

from bench.matches.played_matches import RULES
from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median
from bench.programs.fold import recorded_log
from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.match.ids import ALL
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.records.records import WireRecord

LENGTHS = (400, 10_000)
"""Records of each match."""
SEEKS = 400
"""Seeks of each run, to records drawn at random; the last record and the one before each snapshot are among them."""
SEEK_BOUND_MS = 30


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    rows, worst = [], 0.0
    for length in effort.sizes(LENGTHS, LENGTHS[0]):
        records = [SealedRecord.of(record).shown_to(ALL) for record in recorded_log(length)]
        opened, seeks = [], []
        for run in range(effort.runs):
            one_opened, some_seeks = _measure(records, random.Random(run))
            opened.append(one_opened)
            seeks += some_seeks
        worst = max(worst, *seeks)
        rows.append((length, median(opened), median(seeks), sorted(seeks)[len(seeks) * 99 // 100], max(seeks)))
    return [
        ResultTable(
            "Replaying a match, in memory",
            ("records", "ms to open", "ms to seek, median", "99 %", "worst"),
            tuple(rows),
            bounds=(FigureBound("ms to seek, the worst", worst, SEEK_BOUND_MS, "at most"),),
            notes=(f"{SEEKS} seeks a run, at random and to the places farthest from a snapshot.",),
        )
    ]


def _measure(records: Sequence[WireRecord], rng: random.Random) -> tuple[float, list[float]]:
    """Return the milliseconds to open a replay, and those of each seek."""
    start = thread_time_ns()
    replay = Replay(RULES.vocabulary, records)
    opened = (thread_time_ns() - start) / 1e6
    farthest = [len(records) - step for step in range(1, 40)]
    targets = [*farthest, *(rng.randint(1, len(records)) for _ in range(SEEKS - len(farthest)))]
    rng.shuffle(targets)
    seeks = []
    for seq in targets:
        start = perf_counter_ns()
        replay.state(seq)
        seeks.append((perf_counter_ns() - start) / 1e6)
    return opened, seeks
