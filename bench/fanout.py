"""How long until the last of many watchers has an append, some of them reading nothing?

Our server, with its commit, against `websockets.broadcast` of as many bytes without one, in turn.
"""

from collections.abc import Iterator, Sequence

import msgspec

from bench import processes
from bench.processes import Child, Cluster, answer, cores, open_files
from bench.spectators import Measured, Plan, Told
from bench.tables import Bound, Cell, Effort, Table, median, percentile, shown, spread

SIZES = (100, 1000, 5000)
MESSAGES = 20
SLOW = 50  # one watcher in so many reads nothing
BOUND = 1.3
PATIENCE = 240  # seconds
FLOOR, OURS = "broadcast", "ours"
FEW_FILES = "More watchers are not measured: too few files may be open."


def once(base: Cluster, kind: str, plan: Plan) -> Measured:
    """A fresh server and a fresh crowd."""
    words = ("house", base.fresh()) if kind == "ours" else ("floor",)
    with Child(*words, core=cores()[0]) as server:
        plan = msgspec.structs.replace(plan, kind=kind, url=server.said, server=server.pid)
        return msgspec.json.decode(answer("crowd", msgspec.json.encode(plan), cores()[1], PATIENCE), type=Measured)


def tables(effort: Effort) -> Iterator[Table]:
    found: dict[tuple[int, str], list[Measured]] = {}
    sizes = [watchers for watchers in effort.upto(SIZES, 20) if open_files(watchers + watchers // SLOW)]
    with processes.cluster() as base:
        for _ in range(effort.runs):
            for watchers in sizes:
                for name, kind in ((FLOOR, "floor"), (OURS, "ours")):
                    slow = max(2, watchers // SLOW) if kind == "ours" else 0
                    plan = Plan(kind, "", 0, watchers, slow, MESSAGES if effort.full else 2)
                    found.setdefault((watchers, name), []).append(once(base, kind, plan))
    yield _table(found, sizes, [] if len(sizes) == len(effort.upto(SIZES, 20)) else [FEW_FILES])


def _table(found: dict[tuple[int, str], list[Measured]], sizes: Sequence[int], left_out: list[str]) -> Table:
    rows = []
    for watchers in sizes:
        floor, ours = found[watchers, FLOOR], found[watchers, OURS]
        base = _last(floor)
        closed = f"{sum(run.closed for run in ours)} of {len(ours) * max(2, watchers // SLOW)}"
        rows += [
            _row(watchers, FLOOR, [run.plain for run in floor], base, "–"),
            _row(watchers, OURS, [run.plain for run in ours], base, "–"),
            _row(watchers, f"{OURS}, beside slow ones", [run.beside for run in ours], base, closed),
        ]
    columns = ("watchers", "server", "last one has it, ms", "p99 ms", "CPU µs/watcher", "slow ones closed", "ratio")
    bounds, short = [], []
    for watchers in sizes[-1:]:
        ms = _last(found[watchers, OURS])
        share = ms / _last(found[watchers, FLOOR])
        bounds.append(Bound(f"{watchers:,} watchers, last one has it, times websockets.broadcast", share, BOUND))
        short.append(f"All of {watchers:,} watchers of a match have an append after {shown(ms)} ms.")
    warned = sum(run.warned for runs in found.values() for run in runs)
    notes = (
        "Ours counts from the player's sending, and so with the decision and the commit; broadcast has neither.",
        f"To those who read come one in {SLOW} who read nothing, on narrow lines, and watch a loud match besides: the "
        "server closes them while the others are served, and its CPU for the loud match is counted too. "
        f"{warned} of them, when they read again, found that they were told to resume.",
        *left_out,
    )
    return Table("One append to many watchers", columns, tuple(rows), tuple(bounds), ("\n".join(notes),), tuple(short))


def _last(runs: Sequence[Measured]) -> float:
    """Milliseconds until everybody who reads has a message."""
    return median(median(run.plain.last) for run in runs)


def _row(watchers: int, name: str, runs: Sequence[Told], floor: float, closed: str) -> tuple[Cell, ...]:
    last = [median(run.last) for run in runs]
    late = median(percentile(run.last, 0.99) for run in runs)
    cost = 1e6 * sum(run.cpu for run in runs) / sum(len(run.last) * watchers for run in runs)
    return (watchers, name, spread(last), late, cost, closed, median(last) / floor)
