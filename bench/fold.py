"""How fast do stored records become a state again? Events per second, in memory, for logs of several lengths.

    python -m bench.fold [--rounds N]

Each log is read as the server reads one that it restores: held against its hash chain, decoded, folded. The shorter
logs are matches as bots play them; longer ones tell the middle of a match again and again, for no match is that long.
All figures are time of the processor, the median over interleaved rounds.
"""

import argparse
import gc
from collections.abc import Callable, Sequence
from itertools import chain
from statistics import median
from time import thread_time_ns
from typing import TypeAlias

from bench.played import RULES, opened, play, salts_of, stamp
from diskwars_engine.ledger import Book, Ledger
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.records import Record

LENGTHS = (100, 400, 1_000, 10_000)
SEED = 3
PLAYERS = 4
SETTING_UP = 14
"""So many appends of the long match are told once only: seats, set-up, the first cards."""

Measured: TypeAlias = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast stored records become a state again.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each log is read (7)")
    options = parser.parse_args()
    rows = []
    for length in LENGTHS:
        records = log(length)
        gc.collect()
        costs = [_measured(records) for _ in range(options.rounds)]
        whole, decoding, folding = (median(several) for several in zip(*costs, strict=True))
        rows.append(
            [f"{len(records)}", f"{whole / 1e6:.1f}", *(_rate(records, one) for one in (whole, decoding, folding))]
        )
    heads = ["events", "ms to restore", "restored/s", "decoded/s", "folded/s"]
    for row in (heads, *rows):
        print("  ".join(cell.rjust(width) for cell, width in zip(row, (7, 13, 10, 10, 10), strict=True)))


def log(length: int) -> list[Record]:
    """About so many records of a match, the last of them the end of an append."""
    played = play(SEED, PLAYERS)
    book, page = opened(played)
    middle = played.appends[SETTING_UP:-1]
    appends = chain(played.appends[:SETTING_UP], middle * (1 + length // sum(len(append) for append in middle)))
    records, salts = [line.record for line in page], salts_of(played)
    for number, append in enumerate(appends):
        if len(records) >= length:
            break
        by = stamp(PlayerId(f"bot-{append[0].seat}"), str(number))
        page = book.ledger.seal(append, len(records), records[-1].hash, by, salts)
        records.extend(line.record for line in page)
    return records


def _measured(records: Sequence[Record]) -> tuple[int, int, int]:
    """Nanoseconds to restore, to decode alone, to fold alone."""
    match = MatchId("seed-3")
    ledger = Ledger(RULES, match, PLAYERS)
    events = [ledger.decode(record) for record in records]
    return (
        _cost(lambda: Book.of(RULES, match, records)),
        _cost(lambda: [ledger.decode(record) for record in records]),
        _cost(lambda: RULES.fold_all(events)),
    )


def _cost(what: Measured) -> int:
    start = thread_time_ns()
    what()
    return thread_time_ns() - start


def _rate(records: Sequence[Record], nanoseconds: float) -> str:
    return f"{len(records) * 1e9 / nanoseconds:,.0f}"


if __name__ == "__main__":
    main()
