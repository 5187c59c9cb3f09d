"""Benchmark of Diskwars: durable actions per second, and the delay until the other player receives one.

The load generator replays whole matches of greedy bots, recorded beforehand.
"""

import contextlib
from collections.abc import Iterator

from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_runs import LOOP_COLUMNS, OURS, REFERENCE, loop_cells, start_loaded_server
from bench.matches.traces import Trace, record_match
from bench.measuring import processes
from bench.measuring.processes import PostgresCluster, raise_file_limit
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, format_figure, median, median_with_range

SIZES = {2: (1, 50, 200, 500), 4: (1, 50, 200, 500)}
TRACE_COUNT = 6
MANY_MATCHES = (2, 200)  # seats and matches of the row that the summary quotes
LATENCY_BOUND_MS = 3.0
GROWTH_BOUND = 1.2
LONG_MATCH_ACTIONS = 500  # actions of two records each: the match has more than a thousand records then
LONG_MATCHES = 50

RunsBySize = dict[tuple[int, int], list[LoadMeasurement]]


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Yield each table as soon as it is measured."""
    kinds = effort.sizes(tuple(SIZES), 2)
    traces = {seats: tuple(record_match(n, seats) for n in range(TRACE_COUNT if effort.full else 1)) for seats in kinds}
    with processes.temporary_cluster() as base:
        closed, left_out = _measure_closed_loop(effort, base, traces)
        yield _rates_table(closed, traces, base.version, left_out)
        yield _measure_fixed_rate(effort, base, traces[2])
        yield _growth_table(effort, base, closed)


def load_window(games: int, seconds: float, traces: tuple[Trace, ...]) -> LoadWindow:
    """Return a window of matches at every stage, in a closed loop."""
    return LoadWindow(games, seconds, lead_actions=max(len(trace.actions) for trace in traces) - 1)


def _measure_closed_loop(
    effort: BenchEffort, base: PostgresCluster, traces: dict[int, tuple[Trace, ...]]
) -> tuple[RunsBySize, list[str]]:
    """Measure growing numbers of matches on one server per number of seats; return notes on sizes left out."""
    measured: RunsBySize = {}
    left_out: list[str] = []
    for seats, several in traces.items():
        sizes = [games for games in effort.sizes(SIZES[seats], 3) if raise_file_limit(games * seats)]
        left_out += [
            f"{games} matches of {seats} seats are not measured: too few files may be open."
            for games in effort.sizes(SIZES[seats], 3)
            if games not in sizes
        ]
        with start_loaded_server(base, LoadPlan(OURS, traces=several)) as measure:
            for games in sizes:
                window = load_window(games, effort.seconds, several)
                measured[seats, games] = [measure(window) for _ in range(effort.runs)]
    return measured, left_out


def _rates_table(
    measured: RunsBySize, traces: dict[int, tuple[Trace, ...]], version: str, left_out: list[str]
) -> ResultTable:
    columns = (
        "seats",
        "matches",
        *LOOP_COLUMNS,
    )
    rows = [
        (
            str(seats),
            games,
            *loop_cells(runs),
        )
        for (seats, games), runs in measured.items()
    ]
    notes = [
        f"Closed loop: as soon as another player has received an action, the next is sent. PostgreSQL {version}, every "
        "action durable before anybody sees it. Matches are sampled at every stage; when one ends, a new one begins.",
        *left_out,
    ]
    for seats, several in traces.items():
        acts, records = (
            sum(len(trace.actions) for trace in several),
            sum(trace.actions[-1].last_seq for trace in several),
        )
        notes.append(
            f"{seats} seats: {acts / len(several):.0f} actions a match, {records / acts:.1f} records an action."
        )
    short = tuple(
        f"Diskwars: {format_figure(median(run.rate for run in runs))} durable actions a second "
        f"with {games} matches of {seats}."
        for (seats, games), runs in measured.items()
        if (seats, games) == MANY_MATCHES
    )
    return ResultTable(
        "Diskwars, greedy bots' matches replayed", columns, tuple(rows), notes=("\n".join(notes),), summary=short
    )


def _measure_fixed_rate(effort: BenchEffort, base: PostgresCluster, traces: tuple[Trace, ...]) -> ResultTable:
    """Measure latencies at a fixed rate far below what either server can do."""
    games = effort.sizes((200,), 4)[0]
    pace = 1.0 if effort.full else effort.seconds
    lead = len(traces[0].actions) // 2
    window = LoadWindow(
        games, max(2 * pace, effort.seconds), lead_actions=lead, seconds_between_actions=pace, settle_seconds=1.5 * pace
    )
    measured: dict[str, list[LoadMeasurement]] = {OURS: [], REFERENCE: []}
    with contextlib.ExitStack() as stack:
        plans = (LoadPlan(OURS, traces=traces), LoadPlan(REFERENCE))
        both = {plan.kind: stack.enter_context(start_loaded_server(base, plan)) for plan in plans}
        for _ in range(effort.runs):
            for kind, measure in both.items():
                measured[kind].append(measure(window))
    return _latency_table(games, measured)


def _latency_table(games: int, measured: dict[str, list[LoadMeasurement]]) -> ResultTable:
    p99 = {kind: median(run.p99 for run in runs) for kind, runs in measured.items()}
    rows = tuple(
        (
            kind,
            median(run.rate for run in runs),
            median(run.p50 for run in runs),
            median_with_range(run.p99 for run in runs),
            p99[kind] / p99[REFERENCE],
        )
        for kind, runs in measured.items()
    )
    bound = FigureBound(
        f"p99 of {games} matches with an action a second each, times the reference's",
        p99[OURS] / p99[REFERENCE],
        LATENCY_BOUND_MS,
    )
    title = "Diskwars at a fixed rate: from sending to the other player's receipt"
    usual = median(run.p50 for run in measured[OURS])
    short = (
        f"With an action a second in each of {games} matches of Diskwars, the other player has it after "
        f"{format_figure(usual)} ms (median), {format_figure(p99[OURS])} ms (p99).",
    )
    return ResultTable(title, ("server", "actions/s", "p50 ms", "p99 ms", "p99 ratio"), rows, (bound,), summary=short)


def _growth_table(effort: BenchEffort, base: PostgresCluster, closed: RunsBySize) -> ResultTable:
    """Return the cost of an action with many matches, and late in a match."""
    by_age: dict[int, list[LoadMeasurement]] = {0: [], LONG_MATCH_ACTIONS: []}
    games = effort.sizes((LONG_MATCHES,), 2)[0]
    seconds = min(effort.seconds, 1.0)
    with start_loaded_server(base, LoadPlan(OURS)) as measure:
        for run in range(effort.runs):
            # Other matches in each run, so that they are at their beginning.
            by_age[0].append(measure(LoadWindow(games, seconds, first_number=(run + 1) * games, settle_seconds=0.0)))
            by_age[LONG_MATCH_ACTIONS].append(
                measure(
                    LoadWindow(
                        games,
                        seconds,
                        lead_actions=LONG_MATCH_ACTIONS if effort.full else LONG_MATCH_ACTIONS // 50,
                        settle_seconds=0.0,
                    )
                )
            )
    sizes = [games for seats, games in closed if seats == 2]
    few, many = (median(run.server_cpu_us_per_action for run in closed[2, games]) for games in (min(sizes), max(sizes)))
    early, old = (median(run.server_cpu_us_per_action for run in runs) for runs in by_age.values())
    rows = (
        ("Diskwars, from the fewest to the most matches", few, many, many / few),
        ("a ruleset that does nothing, from event 10 on and from event 1,000 on", early, old, old / early),
    )
    bounds = (
        FigureBound(f"CPU for an action, from {min(sizes)} to {max(sizes)} matches", many / few, GROWTH_BOUND),
        FigureBound("CPU for an action, from event 10 to event 1,000 of a match", old / early, GROWTH_BOUND),
    )
    return ResultTable("Growth of the CPU for one action", ("of what", "µs before", "µs after", "ratio"), rows, bounds)
