"""Benchmark of every registered ruleset: a match between its bots, and its heaviest decisions.

Each command of these matches is decided again, without sockets and store. All figures are CPU time.
"""

from collections import defaultdict
from collections.abc import Sequence
from time import thread_time_ns

from msgspec import Struct

from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.match import Command
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import AnyMatch

SEEDS = 10
DECISION_BOUND_MS, MATCH_BOUND_S = 10.0, 0.3


class RulesetTimes(Struct, frozen=True):
    """Seconds of whole matches, and of each kind of action the milliseconds of its decisions."""

    matches: list[float]
    records: list[int]
    decisions: dict[str, list[float]]

    @property
    def heaviest(self) -> str:
        """The kind of action whose median is largest."""
        return max(self.decisions, key=lambda kind: median(self.decisions[kind]))


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    seeds = range(1, SEEDS + 1 if effort.full else 2)
    times = {
        (name, players): _measure(name, players, seeds, effort.runs)
        for name in RULESETS
        for players in _player_counts(name)
    }
    return [_result_table(times)]


def _player_counts(name: str) -> list[int]:
    """Return the fewest and the most players."""
    counts = load_ruleset(name, ()).seat_counts
    return sorted({min(counts), max(counts)})


def _measure(name: str, players: int, seeds: Sequence[int], runs: int) -> RulesetTimes:
    options = BotMatchFlags(data=DataOptions(), ruleset=name, players=players)
    times = RulesetTimes([], [], defaultdict(list))
    for job in find_simulation(name).jobs(options, seeds):
        local = seeded_match(load_ruleset(name, ()), job.seed, job.loadouts, job.settings)
        states: list[AnyMatch] = []
        began = thread_time_ns()
        for _ in play_bots(local, job.seed, job.bots):
            states.append(local.match)
        times.matches.append((thread_time_ns() - began) / 1e9)
        times.records.append(len(states))
        for number, body in enumerate(local.records[1:], 1):
            if body.action is None or body.seat is None:
                continue
            command = Command(PlayerId(f"bot-{body.seat}"), body.decision, body.action, body.at_ms)
            spent = []
            for _ in range(runs):
                began = thread_time_ns()
                local.rules.decide(states[number - 1], number, command, local.secrets)
                spent.append((thread_time_ns() - began) / 1e6)
            times.decisions[type(body.action).__name__].append(median(spent))
    return times


def _result_table(measured: dict[tuple[str, int], RulesetTimes]) -> ResultTable:
    rows, bounds = [], list[FigureBound]()
    for (name, players), times in measured.items():
        every = [time for kind in times.decisions.values() for time in kind]
        heaviest, longest = median(times.decisions[times.heaviest]), max(every)
        match = median(times.matches)
        rows.append(
            (name, players, median(times.records), match, 1000 * median(every), times.heaviest, heaviest, longest)
        )
        what = f"{name}, {players} players"
        bounds.append(FigureBound(f"{what}: heaviest decision", heaviest, DECISION_BOUND_MS, unit="ms"))
        bounds.append(FigureBound(f"{what}: a match between bots", match, MATCH_BOUND_S, unit="s"))
    columns = ("ruleset", "players", "records", "match s", "decision µs", "heaviest", "its median ms", "longest ms")
    notes = (f"Medians of {SEEDS} matches between the default bots; the bots' own time is part of a match.",)
    return ResultTable("Matches and decisions of each ruleset", columns, tuple(rows), tuple(bounds), notes)
