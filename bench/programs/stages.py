"""Profile of one action by part of the server, measured by the server itself while it is under load.

./dev bench stages
"""

from collections.abc import Iterator

import msgspec

from bench.load import load_runs
from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.load.load_runs import OURS, plan_for_server
from bench.matches.traces import record_match
from bench.measuring import processes
from bench.measuring.processes import ChildProcess, available_cores
from bench.measuring.stage_times import StageTimes
from bench.measuring.tables import BenchEffort, ResultTable
from bench.programs.match import load_window

MATCHES = 200


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    games = effort.sizes((MATCHES,), 3)[0]
    traces = tuple(record_match(number, 2) for number in range(4 if effort.full else 1))
    plans = {
        "a ruleset that does nothing": (LoadPlan(OURS, sends_marks=True), LoadWindow(games, effort.seconds)),
        "Diskwars": (LoadPlan(OURS, traces=traces, sends_marks=True), load_window(games, effort.seconds, traces)),
    }
    with processes.temporary_cluster() as base:
        for title, (plan, window) in plans.items():
            with ChildProcess(
                "servers.measured_server", base.new_database(), "--stages", core=available_cores()[0]
            ) as server:
                with load_runs.start_generator(plan_for_server(plan, server, base)) as measure:
                    measurement = measure(window)
                spent = msgspec.json.decode(server.finish(), type=StageTimes)
            yield _result_table(f"{title}, {games} matches: where the time of one action goes", spent, measurement)


def _result_table(title: str, spent: StageTimes, measurement: LoadMeasurement) -> ResultTable:
    whole = spent.total / max(1, spent.actions) / 1000
    rows = tuple(
        (stage, nanoseconds / max(1, spent.actions) / 1000, f"{100 * nanoseconds / spent.total:.0f} %")
        for stage, nanoseconds in sorted(spent.stages.items(), key=lambda item: -item[1])
    )
    notes = (
        f"{spent.actions:,} actions, {whole:.0f} µs each, in one run; "
        f"{measurement.server_cpu_us_per_action:.0f} µs as the system counts them.",
    )
    return ResultTable(title, ("room", "µs/action", "share"), rows, notes=notes)
