"""How many durable actions of Diskwars a second, and how late does the other player hear of one?

Whole matches of greedy bots, recorded beforehand and replayed by the load generator. Must not know rules.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from bench import processes
from bench.load import Measured, Plan
from bench.overhead import LOOP, OURS, REFERENCE, loop_figures, once
from bench.processes import Cluster, open_files
from bench.tables import Bound, Effort, Table, median, spread
from bench.traces import Trace, recorded

SIZES = {2: (1, 50, 200, 500), 4: (1, 50, 200, 500)}
TRACES = 6
LATE = 3.0
GROWTH = 1.2
LONG = 500  # actions of two records each: the match has more than a thousand records then
LONG_GAMES = 10

Runs = dict[tuple[int, int], list[Measured]]


def tables(effort: Effort) -> Iterator[Table]:
    """One after another, each as soon as it is measured."""
    kinds = effort.upto(tuple(SIZES), 2)
    traces = {seats: tuple(recorded(n, seats) for n in range(TRACES if effort.full else 1)) for seats in kinds}
    with processes.cluster() as base:
        closed, left_out = _closed(effort, base, traces)
        yield _rates(closed, traces, base.version, left_out)
        yield _paced(effort, base, traces[2])
        yield _growth(effort, base, closed)


def plan_of(games: int, seconds: float, traces: tuple[Trace, ...], windows: int = 1) -> Plan:
    """Matches at every stage, in a closed loop."""
    lead = max(len(trace.acts) for trace in traces) - 1
    return Plan(OURS, "", games, seconds, 0, 0, traces, lead=lead, windows=windows)


def _closed(effort: Effort, base: Cluster, traces: dict[int, tuple[Trace, ...]]) -> tuple[Runs, list[str]]:
    """One server for each size, measured several times; and what there are too few open files for."""
    found: Runs = {}
    left_out: list[str] = []
    for seats in traces:
        for games in effort.upto(SIZES[seats], 3):
            if not open_files(games * seats):
                left_out.append(f"{games} matches of {seats} seats are not measured: too few files may be open.")
                continue
            plan = plan_of(games, effort.seconds, traces[seats], effort.runs)
            found[seats, games] = once(base, OURS, plan)
    return found, left_out


def _rates(found: Runs, traces: dict[int, tuple[Trace, ...]], version: str, left_out: list[str]) -> Table:
    columns = (
        "seats",
        "matches",
        *LOOP,
    )
    rows = [
        (
            str(seats),
            games,
            *loop_figures(runs),
        )
        for (seats, games), runs in found.items()
    ]
    notes = [
        f"Closed loop: as soon as another player has received an action, the next is sent. PostgreSQL {version}, every "
        "action durable before anybody hears of it. Matches are met at every stage; after one ends comes a new one.",
        *left_out,
    ]
    for seats, several in traces.items():
        acts, records = sum(len(trace.acts) for trace in several), sum(trace.acts[-1].last for trace in several)
        notes.append(
            f"{seats} seats: {acts / len(several):.0f} actions a match, {records / acts:.1f} records an action."
        )
    return Table("Diskwars, greedy bots' matches replayed", columns, tuple(rows), notes=("\n".join(notes),))


def _paced(effort: Effort, base: Cluster, traces: tuple[Trace, ...]) -> Table:
    """A fixed rate, far below what either can do."""
    games = effort.upto((200,), 4)[0]
    found: dict[str, list[Measured]] = {OURS: [], REFERENCE: []}
    pace = 1.0 if effort.full else effort.seconds
    seconds = max(2 * pace, effort.seconds)
    for _ in range(effort.runs):
        for kind, runs in found.items():
            plan = Plan(kind, "", games, seconds, 0, 0, pace=pace, settle=1.5 * pace)
            if kind == OURS:
                plan = replace(plan, traces=traces, lead=len(traces[0].acts) // 2)
            runs += once(base, kind, plan)
    late = {kind: median(run.p99 for run in runs) for kind, runs in found.items()}
    rows = tuple(
        (
            kind,
            median(run.rate for run in runs),
            median(run.p50 for run in runs),
            spread(run.p99 for run in runs),
            late[kind] / late[REFERENCE],
        )
        for kind, runs in found.items()
    )
    bound = Bound(
        f"p99 of {games} matches with an action a second each, times the reference's",
        late[OURS] / late[REFERENCE],
        LATE,
    )
    title = "Diskwars at a fixed rate: from sending to the other player's receipt"
    return Table(title, ("server", "actions/s", "p50 ms", "p99 ms", "p99 ratio"), rows, (bound,))


def _growth(effort: Effort, base: Cluster, closed: Runs) -> Table:
    """Does an action cost more with many matches, or late in a match?"""
    late: dict[int, list[Measured]] = {0: [], LONG: []}
    games = effort.upto((LONG_GAMES,), 2)[0]
    for _ in range(effort.runs):
        for lead, runs in late.items():
            plan = Plan(
                OURS, "", games, min(effort.seconds, 1.0), 0, 0, lead=lead if effort.full else lead // 50, settle=0.0
            )
            runs += once(base, OURS, plan)
    sizes = [games for seats, games in closed if seats == 2]
    few, many = (median(run.cost for run in closed[2, games]) for games in (min(sizes), max(sizes)))
    early, old = (median(run.cost for run in runs) for runs in late.values())
    rows = (
        ("Diskwars, from the fewest to the most matches", few, many, many / few),
        ("a ruleset that does nothing, from event 10 on and from event 1,000 on", early, old, old / early),
    )
    bounds = (
        Bound(f"CPU for an action, from {min(sizes)} to {max(sizes)} matches", many / few, GROWTH),
        Bound("CPU for an action, from event 10 to event 1,000 of a match", old / early, GROWTH),
    )
    return Table("Growth of the CPU for one action", ("of what", "µs before", "µs after", "ratio"), rows, bounds)
