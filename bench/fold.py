"""How fast do stored records become a state again? Events per second, in memory, for logs of several lengths.

Each log is read as the server reads one that it restores: held against its hash chain, decoded, folded. The shorter
logs are matches as bots play them; longer ones tell the middle of a match again and again, for no match is that long.
All figures are time of the processor, the median over interleaved runs.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from time import thread_time_ns

from bench.played_matches import RULES, opened, play, salts_of, stamp
from bench.tables import USUAL, Bound, Effort, Table, median
from diskwars_engine.match_log import Book, Ledger
from diskwars_protocol.match import Acted, MatchId, PlayerId
from diskwars_protocol.records import Record

LENGTHS = (100, 400, 1_000, 10_000)
SEED = 3
PLAYERS = 4
SETTING_UP = 14
"""So many appends of the long match are told once only: seats, set-up, the first cards."""


def tables(effort: Effort = USUAL) -> list[Table]:
    logs = [log(length) for length in effort.upto(LENGTHS, LENGTHS[0])]
    runs = [[_measured(records) for records in logs] for _ in range(effort.runs)]
    costs = [[median(several) for several in zip(*same, strict=True)] for same in zip(*runs, strict=True)]
    rates = [[len(records) * 1e9 / one for one in cost] for records, cost in zip(logs, costs, strict=True)]
    slowest = min(rate[0] for rate in rates)
    return [
        Table(
            "From stored records to the state, in memory",
            ("events", "ms to restore", "restored a second", "decoded a second", "folded a second"),
            tuple((len(records), cost[0] / 1e6, *rate) for records, cost, rate in zip(logs, costs, rates, strict=True)),
            bounds=(Bound("events restored a second, the slowest log", slowest, 150_000, "at least"),),
            notes=("Restoring is to check the hash chain, to decode and to fold.",),
        )
    ]


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
        first = append[0]
        assert isinstance(first, Acted)
        by = stamp(PlayerId(f"bot-{first.seat}"), str(number))
        page = book.ledger.seal(append, len(records), records[-1].hash, by, salts)
        records.extend(line.record for line in page)
    return records


def _measured(records: Sequence[Record]) -> tuple[int, int, int]:
    """Nanoseconds to restore, to decode alone, to fold alone."""
    match = MatchId("seed-3")
    ledger = Ledger(RULES, match, PLAYERS)
    events = ledger.events(records)
    return (
        _cost(lambda: Book.of(RULES, match, records)),
        _cost(lambda: ledger.events(records)),
        _cost(lambda: RULES.fold_all(events)),
    )


def _cost(what: Callable[[], object]) -> int:
    start = thread_time_ns()
    what()
    return thread_time_ns() - start
