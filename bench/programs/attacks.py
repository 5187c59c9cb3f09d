"""A match of two players beside strangers who attack the server, each attack on a fresh server with all its limits.

The players act 50 times a second. First nobody disturbs them, then the attack runs beside them.
"""

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bench.load import load_runs
from bench.load.attackers import ATTACKS, Attack, AttackOrder
from bench.load.load import LoadMeasurement, LoadPlan, LoadWindow
from bench.measuring import processes
from bench.measuring.processes import (
    ChildProcess,
    DatabaseSize,
    PostgresCluster,
    available_cores,
    raise_file_limit,
    resident_kib,
    resident_tree_kib,
)
from bench.measuring.tables import BenchEffort, FigureBound, ResultTable, median
from diskwars_server.app import make_quota_limits
from diskwars_server.settings import ServerSettings

SETTLE_SECONDS = 2.0
"""From the beginning of an attack to that of the measurement: attackers have to connect first."""
MAX_CONNECTIONS = 3000
SECONDS_BETWEEN_ACTIONS = 0.02
MAX_P99_MS = 50.0
MAX_LATENCY_RATIO = 3.0
MAX_GROWTH_MIB = 64.0
MIB = 2**20
MAX_TABLES_MIB = make_quota_limits(ServerSettings()).guest_bytes / MIB
"""By which the tables may grow for each address that attacks: what it may write in its first hour."""
MAX_LOG_MIB = 2 * MAX_TABLES_MIB
"""The log of PostgreSQL takes up to twice what the tables take, before it is reused."""

COLUMNS = ("attack", "p50 ms quiet", "p99 ms quiet", "p50 ms", "p99 ms", "p99 ratio", "server CPU %")
GROWTH_COLUMNS = ("memory MiB", "tables MiB", "WAL MiB", "addresses")


class AttackedRun(Struct, frozen=True):
    """The match before an attack and beside it, and by how many MiB server and database have grown beside it."""

    quiet: LoadMeasurement
    attacked: LoadMeasurement
    memory: float
    tables: float
    log: float

    @property
    def ratio(self) -> float:
        return self.attacked.p99 / self.quiet.p99


class AttackSummary(Struct, frozen=True):
    """The medians of all runs of an attack."""

    name: str
    addresses: int
    runs: tuple[AttackedRun, ...]

    def cells(self) -> tuple[str | float, ...]:
        runs = self.runs
        return (
            self.name,
            median(run.quiet.p50 for run in runs),
            median(run.quiet.p99 for run in runs),
            median(run.attacked.p50 for run in runs),
            self.p99,
            self.ratio,
            median(100 * run.attacked.server_cpu / run.attacked.seconds for run in runs),
            self.memory,
            median(run.tables for run in runs),
            median(run.log for run in runs),
            self.addresses,
        )

    @property
    def p99(self) -> float:
        return median(run.attacked.p99 for run in self.runs)

    @property
    def ratio(self) -> float:
        return median(run.ratio for run in self.runs)

    @property
    def memory(self) -> float:
        return median(run.memory for run in self.runs)

    @property
    def tables_per_address(self) -> float:
        return median(run.tables for run in self.runs) / self.addresses

    @property
    def log_per_address(self) -> float:
        return median(run.log for run in self.runs) / self.addresses


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    """Run every attack, each several times if that is wanted."""
    raise_file_limit(MAX_CONNECTIONS)
    with processes.temporary_cluster() as base:
        summaries = [
            AttackSummary(
                name,
                attack.addresses,
                tuple(run_attack(base, name, effort.seconds) for _ in range(effort.runs)),
            )
            for name, attack in ATTACKS.items()
            if not effort.attacks or name in effort.attacks
        ]
    rows = tuple(summary.cells() for summary in summaries)
    yield ResultTable("One match beside each attack", (*COLUMNS, *GROWTH_COLUMNS), rows, tuple(judge(summaries)))


def judge(summaries: Sequence[AttackSummary]) -> Iterator[FigureBound]:
    """Yield the bounds, each with the attack that comes nearest to it or exceeds it most."""
    bounds: tuple[tuple[str, Callable[[AttackSummary], float], float, str], ...] = (
        ("p99 of the match", lambda attack: attack.p99, MAX_P99_MS, "ms"),
        ("p99 as a multiple of quiet", lambda attack: attack.ratio, MAX_LATENCY_RATIO, ""),
        ("growth of memory", lambda attack: attack.memory, MAX_GROWTH_MIB, "MiB"),
        ("growth of the tables for each address", lambda attack: attack.tables_per_address, MAX_TABLES_MIB, "MiB"),
        ("growth of the log (WAL) for each address", lambda attack: attack.log_per_address, MAX_LOG_MIB, "MiB"),
    )
    for label, figure, limit, unit in bounds:
        worst = max(summaries, key=figure)
        yield FigureBound(f"{label}, highest beside {worst.name}", figure(worst), limit, unit=unit)


def server_command(attack: Attack, database: str) -> list[str]:
    """Return the program of the server that is attacked, and its arguments."""
    flags = ["--limits", *["--tls"] * attack.needs_tls, *["--step-clock"] * attack.needs_steps]
    if attack.nodes > 1:
        return ["servers.measured_nodes", database, str(attack.nodes), "split", *flags]
    return ["servers.measured_server", database, *flags]


def run_attack(base: PostgresCluster, attack: str, seconds: float) -> AttackedRun:
    """Measure the match without an attack and beside it. What the players write is part of the growth."""
    window = LoadWindow(1, seconds, seconds_between_actions=SECONDS_BETWEEN_ACTIONS)
    database = base.new_database()
    program, *words = server_command(ATTACKS[attack], database)
    measure_memory = resident_tree_kib if ATTACKS[attack].nodes > 1 else resident_kib  # of the nodes, not of verifiers
    with (
        ChildProcess(program, *words, core=available_cores()[0]) as server,
        load_runs.start_generator(load_runs.plan_for_server(LoadPlan(load_runs.OURS), server, base)) as measure,
    ):
        quiet = measure(window)
        memory, size = measure_memory(server.pid), DatabaseSize.measure(database)
        with ChildProcess("load.attackers", core=available_cores()[1]) as attackers:
            attackers.write_line(msgspec.json.encode(AttackOrder(attack, server.lines)).decode())
            attacked = measure(replace(window, settle_seconds=min(SETTLE_SECONDS, seconds)))
        grown = DatabaseSize.measure(database).since(size)
        memory_mib = (measure_memory(server.pid) - memory) / 1024
    return AttackedRun(quiet, attacked, memory_mib, grown.table_bytes / MIB, grown.log_bytes / MIB)
