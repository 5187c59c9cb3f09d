"""What does a connection weigh that nobody uses, and how fast are connections made?"""

from collections.abc import Iterator

from bench import processes
from bench.fanout import once
from bench.spectators import Measured, Plan
from bench.tables import Bound, Effort, Table, median, shown, spread

CONNECTIONS = 1000
BOUND = 20
FLOOR, OURS = "websockets alone", "ours, said hello"


def tables(effort: Effort) -> Iterator[Table]:
    number = effort.upto((CONNECTIONS,), 20)[0]
    found: dict[str, list[Measured]] = {FLOOR: [], OURS: []}
    with processes.cluster() as base:
        for _ in range(effort.runs):
            for runs, kind in zip(found.values(), ("floor", "ours"), strict=True):
                runs.append(once(base, kind, Plan(kind, "", 0, number)))
    yield _table(number, found)


def _table(number: int, found: dict[str, list[Measured]]) -> Table:
    weights = {name: [(run.after_kib - run.before_kib) / number for run in runs] for name, runs in found.items()}
    rows = tuple(
        (
            name,
            spread(weights[name]),
            median(run.after_kib / 1024 for run in runs),
            median(number / run.connecting for run in runs),
        )
        for name, runs in found.items()
    )
    weight = median(weights[OURS])
    bound = Bound(f"KiB for a connection at {number:,}", weight, BOUND)
    short = (f"A connection that nobody uses weighs {shown(weight)} KiB.",)
    columns = ("server", "KiB/connection", "MiB in all", "connections/s")
    return Table(f"{number:,} idle connections", columns, rows, (bound,), short=short)
