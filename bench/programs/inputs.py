"""Benchmark of damaged files, lines and requests: the time that one takes until it is taken or refused.

The inputs are those of `tests.chaos.fuzz_inputs`, which says what comes of each. All figures are CPU time.
"""

from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, percentile
from tests.chaos.fuzz_inputs import KINDS, MAX_MS, run

INPUTS = 10_000
SEED = 7


def tables(effort: BenchEffort) -> list[ResultTable]:
    """Return one table: a row for each kind of input, with the times of all runs, whose seeds differ."""
    count = effort.sizes((INPUTS,), 20)[0]
    times = {
        kind: [1000 * seconds for number in range(effort.runs) for seconds in run(kind, count, SEED + number)[1]]
        for kind in KINDS
    }
    slowest = max(times, key=lambda kind: max(times[kind]))
    bound = FigureBound(f"longest time of one input, one of the {slowest}", max(times[slowest]), MAX_MS, unit="ms")
    return [
        ResultTable(
            "Damaged inputs",
            ("kind", "inputs", "p50 ms", "p99 ms", "longest ms"),
            tuple(
                (kind, len(each), percentile(each, 0.5), percentile(each, 0.99), max(each))
                for kind, each in times.items()
            ),
            bounds=(bound,),
        )
    ]
