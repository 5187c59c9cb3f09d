"""A match of two players beside strangers who attack the server, each attack on a fresh server with all its limits.

The players act 50 times a second. First nobody disturbs them, then the attack runs beside them.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bench import load_runs, processes
from bench.attackers import ATTACKS, AttackOrder
from bench.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.processes import ChildProcess, PostgresCluster, available_cores, raise_file_limit, resident_kib
from bench.tables import BenchEffort, FigureBound, ResultTable

ATTACK_SECONDS = 5.0
SETTLE_SECONDS = 2.0
"""From the beginning of an attack to that of the measurement: attackers have to connect first."""
MAX_CONNECTIONS = 3000
SECONDS_BETWEEN_ACTIONS = 0.02
MAX_P99_MS = 50.0
MAX_LATENCY_RATIO = 3.0
MAX_GROWTH_MIB = 64.0


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Run every attack once."""
    raise_file_limit(MAX_CONNECTIONS)
    seconds = ATTACK_SECONDS if effort.full else effort.seconds
    rows, bounds = [], list[FigureBound]()
    with processes.temporary_cluster() as base:
        for attack in ATTACKS:
            quiet, attacked, growth_mib = run_attack(base, attack, seconds)
            ratio = attacked.p99 / quiet.p99
            share = f"{100 * attacked.server_cpu / attacked.seconds:.0f} %"
            rows.append((attack, quiet.p50, quiet.p99, attacked.p50, attacked.p99, ratio, growth_mib, share))
            bounds.append(FigureBound(f"{attack}, p99 beside it", attacked.p99, MAX_P99_MS, unit="ms"))
            bounds.append(FigureBound(f"{attack}, p99 beside it as a multiple of quiet", ratio, MAX_LATENCY_RATIO))
            bounds.append(FigureBound(f"{attack}, growth of memory", growth_mib, MAX_GROWTH_MIB, unit="MiB"))
    columns = ("attack", "p50 ms quiet", "p99 ms quiet", "p50 ms", "p99 ms", "p99 ratio", "growth MiB", "server CPU")
    yield ResultTable("One match beside each attack", columns, tuple(rows), tuple(bounds))


def run_attack(base: PostgresCluster, attack: str, seconds: float) -> tuple[LoadMeasurement, LoadMeasurement, float]:
    """Measure the match without the attack and beside it; return also how many MiB the server has grown."""
    window = LoadWindow(1, seconds, seconds_between_actions=SECONDS_BETWEEN_ACTIONS)
    with (
        ChildProcess("measured_server", base.new_database(), "--limits", core=available_cores()[0]) as server,
        load_runs.start_generator(load_runs.plan_for_server(LoadPlan(load_runs.OURS), server, base)) as measure,
    ):
        quiet = measure(window)
        before = resident_kib(server.pid)
        with ChildProcess("attackers", core=available_cores()[1]) as attackers:
            attackers.write_line(msgspec.json.encode(AttackOrder(attack, server.lines)).decode())
            attacked = measure(replace(window, settle_seconds=min(SETTLE_SECONDS, seconds)))
        return quiet, attacked, (resident_kib(server.pid) - before) / 1024
