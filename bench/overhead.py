"""What does our server cost beside the rules? A ruleset that does nothing, against the bare reference in turn."""

import contextlib
from collections.abc import Iterator

from bench import processes
from bench.load import Measured, Plan, Window
from bench.load_runs import LOOP, OURS, REFERENCE, loaded, loop_figures
from bench.tables import Bound, Effort, Table, median

SIZES = (1, 50, 200)
BOUND = 0.65


def tables(effort: Effort) -> Iterator[Table]:
    """Both servers are there all the time; one rests while the other is measured."""
    found: dict[tuple[str, int], list[Measured]] = {}
    with processes.cluster() as base, contextlib.ExitStack() as stack:
        both = {kind: stack.enter_context(loaded(base, Plan(kind))) for kind in (OURS, REFERENCE)}
        for games in effort.upto(SIZES, 5):
            for _ in range(effort.runs):
                for kind, measure in both.items():
                    found.setdefault((kind, games), []).append(measure(Window(games, effort.seconds)))
        version = base.version
    yield table(found, version, "A ruleset that does nothing, against the bare reference")


def table(found: dict[tuple[str, int], list[Measured]], version: str, title: str) -> Table:
    columns = (
        "matches",
        "server",
        *LOOP,
        "ratio",
    )
    rows, ratios = [], {}
    for kind, games in sorted(found, key=lambda key: (key[1], key[0])):
        runs = found[kind, games]
        floor = median(run.rate for run in found[REFERENCE, games])
        ratio = ratios[kind, games] = median(run.rate for run in runs) / floor
        rows.append(
            (
                games,
                kind,
                *loop_figures(runs),
                ratio,
            )
        )
    largest = max(games for _, games in found)
    bound = Bound(f"actions/s of {largest} matches, share of the reference", ratios[OURS, largest], BOUND, "at least")
    notes = (f"Closed loop: one acts, the other receives it, the first acts again. PostgreSQL {version}, all durable.",)
    return Table(title, columns, tuple(rows), (bound,), notes)
