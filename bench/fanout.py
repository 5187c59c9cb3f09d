"""How long until the last of many watchers has an append, some of them reading nothing?

Our server, with its commit, against `websockets.broadcast` of as many bytes without one, in turn.
"""

from collections.abc import Iterator

import msgspec

from bench import processes
from bench.crowd import Measured, Plan
from bench.processes import Child, Cluster, answer, cores
from bench.tables import Bound, Effort, Table, median, percentile, spread

SIZES = (100, 1000, 5000)
MESSAGES = 20
SLOW = 50  # one watcher in so many reads nothing
BOUND = 1.3


def once(base: Cluster, kind: str, plan: Plan) -> Measured:
    """A fresh server and a fresh crowd."""
    words = ("house", base.fresh()) if kind == "ours" else ("floor",)
    with Child(*words, core=cores()[0]) as server:
        plan = msgspec.structs.replace(plan, kind=kind, url=server.said, server=server.pid)
        return msgspec.json.decode(answer("crowd", msgspec.json.encode(plan), cores()[1], 120), type=Measured)


def tables(effort: Effort) -> Iterator[Table]:
    found: dict[tuple[int, str], list[Measured]] = {}
    sizes = effort.upto(SIZES, 20)
    with processes.cluster() as base:
        for _ in range(effort.runs):
            for watchers in sizes:
                for name, kind, slow in (
                    ("broadcast", "floor", 0),
                    ("ours", "ours", 0),
                    ("ours, some slow", "ours", watchers // SLOW),
                ):
                    plan = Plan(kind, "", 0, watchers, slow, MESSAGES if effort.full else 2)
                    found.setdefault((watchers, name), []).append(once(base, kind, plan))
    yield _table(found, sizes[-1])


def _table(found: dict[tuple[int, str], list[Measured]], largest: int) -> Table:
    rows = []
    last = {key: median(median(run.last) for run in runs) for key, runs in found.items()}
    for (watchers, name), runs in found.items():
        heard = sum(len(run.last) * watchers for run in runs)
        rows.append(
            (
                watchers,
                name,
                spread(median(run.last) for run in runs),
                median(percentile(run.last, 0.99) for run in runs),
                1e6 * sum(run.cpu for run in runs) / heard,
                last[watchers, name] / last[watchers, "broadcast"],
            )
        )
    columns = ("watchers", "server", "last one has it, ms", "p99 ms", "CPU µs/watcher", "ratio")
    ratio = last[largest, "ours"] / last[largest, "broadcast"]
    bound = Bound(f"{largest:,} watchers, last one has it, times websockets.broadcast", ratio, BOUND)
    notes = ("Ours counts from the player's sending, and so with the decision and the commit; broadcast has neither.",)
    return Table("One append to many watchers", columns, tuple(rows), (bound,), notes)
