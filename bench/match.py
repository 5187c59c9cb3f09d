"""How many durable actions of Diskwars a second, and how late does the other player hear of one?

Whole matches of greedy bots, recorded beforehand and replayed by the load generator. Must not know rules.
"""

import contextlib
from collections.abc import Iterator

from bench import processes
from bench.load import Measured, Plan, Window
from bench.load_runs import LOOP, OURS, REFERENCE, loaded, loop_figures
from bench.processes import Cluster, open_files
from bench.tables import Bound, Effort, Table, median, shown, spread
from bench.traces import Trace, recorded

SIZES = {2: (1, 50, 200, 500), 4: (1, 50, 200, 500)}
TRACES = 6
MANY = (2, 200)  # of which a sentence is said
LATE = 3.0
GROWTH = 1.2
LONG = 500  # actions of two records each: the match has more than a thousand records then
LONG_GAMES = 50

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


def window_of(games: int, seconds: float, traces: tuple[Trace, ...]) -> Window:
    """Matches at every stage, in a closed loop."""
    return Window(games, seconds, lead=max(len(trace.acts) for trace in traces) - 1)


def _closed(effort: Effort, base: Cluster, traces: dict[int, tuple[Trace, ...]]) -> tuple[Runs, list[str]]:
    """One server for each number of seats, to whose matches more come; and what there are too few open files for."""
    found: Runs = {}
    left_out: list[str] = []
    for seats, several in traces.items():
        sizes = [games for games in effort.upto(SIZES[seats], 3) if open_files(games * seats)]
        left_out += [
            f"{games} matches of {seats} seats are not measured: too few files may be open."
            for games in effort.upto(SIZES[seats], 3)
            if games not in sizes
        ]
        with loaded(base, Plan(OURS, traces=several)) as measure:
            for games in sizes:
                window = window_of(games, effort.seconds, several)
                found[seats, games] = [measure(window) for _ in range(effort.runs)]
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
    short = tuple(
        f"Diskwars: {shown(median(run.rate for run in runs))} durable actions a second with {games} matches of {seats}."
        for (seats, games), runs in found.items()
        if (seats, games) == MANY
    )
    return Table(
        "Diskwars, greedy bots' matches replayed", columns, tuple(rows), notes=("\n".join(notes),), short=short
    )


def _paced(effort: Effort, base: Cluster, traces: tuple[Trace, ...]) -> Table:
    """A fixed rate, far below what either can do."""
    games = effort.upto((200,), 4)[0]
    pace = 1.0 if effort.full else effort.seconds
    lead = len(traces[0].acts) // 2
    window = Window(games, max(2 * pace, effort.seconds), lead=lead, pace=pace, settle=1.5 * pace)
    found: dict[str, list[Measured]] = {OURS: [], REFERENCE: []}
    with contextlib.ExitStack() as stack:
        plans = (Plan(OURS, traces=traces), Plan(REFERENCE))
        both = {plan.kind: stack.enter_context(loaded(base, plan)) for plan in plans}
        for _ in range(effort.runs):
            for kind, measure in both.items():
                found[kind].append(measure(window))
    return _late(games, found)


def _late(games: int, found: dict[str, list[Measured]]) -> Table:
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
    usual = median(run.p50 for run in found[OURS])
    short = (
        f"With an action a second in each of {games} matches of Diskwars, the other player has it after "
        f"{shown(usual)} ms (median), {shown(late[OURS])} ms (p99).",
    )
    return Table(title, ("server", "actions/s", "p50 ms", "p99 ms", "p99 ratio"), rows, (bound,), short=short)


def _growth(effort: Effort, base: Cluster, closed: Runs) -> Table:
    """Does an action cost more with many matches, or late in a match?"""
    late: dict[int, list[Measured]] = {0: [], LONG: []}
    games = effort.upto((LONG_GAMES,), 2)[0]
    seconds = min(effort.seconds, 1.0)
    with loaded(base, Plan(OURS)) as measure:
        for run in range(effort.runs):
            # those that are at their beginning are others each time
            late[0].append(measure(Window(games, seconds, first=(run + 1) * games, settle=0.0)))
            late[LONG].append(measure(Window(games, seconds, lead=LONG if effort.full else LONG // 50, settle=0.0)))
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
