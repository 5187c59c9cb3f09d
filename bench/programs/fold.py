"""Benchmark of restoring in memory: records per second from what is stored to the state, for logs of several lengths.

Each log is read as the server reads one that it restores: checked against its hash chain, decoded, folded. The shorter
logs are matches of bots; longer ones repeat the middle of a match, because no match is that long. All figures are CPU
time, the median over interleaved runs.
"""

from collections.abc import Callable, Sequence
from itertools import chain, islice
from time import thread_time_ns

from bench.matches.played_matches import RULES, count_events, meta, opened_match, play_recorded, record_salts
from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordCodec
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.records.records import Record

LENGTHS = (100, 400, 1_000, 10_000)
"""Records of each log."""
RESTORED_BOUND = 25_000
"""Records a second: of 150,000 facts a second, six to a record (the action, its events, the decisions after it)."""
SEED = 3
PLAYERS = 4
SETUP_RECORDS = 14
"""The number of records at the start of a match that cannot be repeated: seats, setup, the first cards."""


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    logs = [recorded_log(length) for length in effort.sizes(LENGTHS, LENGTHS[0])]
    runs = [[_measure(records) for records in logs] for _ in range(effort.runs)]
    costs = [[median(several) for several in zip(*same, strict=True)] for same in zip(*runs, strict=True)]
    counts = [count_events(records) for records in logs]
    rates = [
        [len(records) * 1e9 / nanoseconds for nanoseconds in cost] for records, cost in zip(logs, costs, strict=True)
    ]
    slowest = min(rate[0] for rate in rates)
    return [
        ResultTable(
            "From stored records to the state, in memory",
            ("records", "events", "ms to restore", "restored a second", "decoded a second", "folded a second"),
            tuple(
                (len(records), count, cost[0] / 1e6, *rate)
                for records, count, cost, rate in zip(logs, counts, costs, rates, strict=True)
            ),
            bounds=(FigureBound("records restored a second, the slowest log", slowest, RESTORED_BOUND, "at least"),),
            notes=("Restoring is to check the hash chain, to decode and to fold.",),
        )
    ]


def recorded_log(length: int) -> list[Record]:
    """Build a log of that many records by repeating the middle of a match."""
    played = play_recorded(SEED, PLAYERS)
    started, first = opened_match(played)
    middle = played.records[SETUP_RECORDS:-1]
    bodies = chain(played.records[:SETUP_RECORDS], middle * (1 + length // len(middle)))
    records, salts = [first.record], record_salts(played)
    for number, body in enumerate(islice(bodies, length - 1)):
        by = meta(PlayerId(f"bot-{body.seat}"), str(number))
        records.append(started.codec.seal(body, len(records) + 1, records[-1].hash, by, salts).record)
    return records


def _measure(records: Sequence[Record]) -> tuple[int, int, int]:
    """Return the nanoseconds to restore, to decode alone, and to fold alone."""
    match = MatchId("seed-3")
    codec = RecordCodec(RULES, match, PLAYERS)
    bodies = codec.bodies(records)
    return (
        _time_ns(lambda: MatchLog.load(RULES, match, records)),
        _time_ns(lambda: codec.bodies(records)),
        _time_ns(lambda: RULES.fold_log(bodies)),
    )


def _time_ns(what: Callable[[], object]) -> int:
    start = thread_time_ns()
    what()
    return thread_time_ns() - start
