"""Benchmark of the greedy bot of Diskwars: time of a decision and of a match, and how sensibly it plays.

Every pair of starter patrols, in both orders, with the full setup. Times are CPU time.
"""

from collections import Counter
from itertools import permutations
from time import thread_time_ns
from typing import Any

from msgspec import Struct

from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median, percentile
from diskwars_bots.loader import load_chooser
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_cli.rulesets.diskwars.play_figures import PlayCounter, PlayFigure
from diskwars_engine.local import LocalChooser
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

PATROLS = ("chaos-patrol", "empire-patrol", "greenskin-patrol", "high-elf-patrol")
MATCHES = 120
DECISION_BOUND_MS, MATCH_BOUND_SECONDS, SHARE_BOUND_PERCENT = 3.0, 0.5, 10.0


class BotRun(Struct):
    """Measurements: times of decisions and of whole matches, and figures on play."""

    decisions: list[int]
    matches: list[int]
    figures: Counter[PlayFigure]


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    pairings = list(permutations(PATROLS, 2))
    run = BotRun([], [], Counter())
    for seed in range(1, (MATCHES if effort.full else 1) + 1):
        play(run, seed, pairings[(seed - 1) % len(pairings)])
    return [_table(run)]


def play(run: BotRun, seed: int, armies: tuple[str, ...]) -> None:
    """Play one match and add what it took and what happened in it."""
    settings, rules = a.DiskwarsSettings(setup="full", regiments=1), load_ruleset("diskwars", ())
    began = thread_time_ns()
    local = seeded_match(rules, seed, [a.Loadout(army) for army in armies], settings)
    choosers = [_timed(run.decisions, seed, seat) for seat in range(len(armies))]
    bodies = [local.records[0], *local.play(choosers)]
    run.matches.append(thread_time_ns() - began)
    counter = PlayCounter()
    for body in bodies:
        for event in body.events:
            counter.add_event(event)
    result = bodies[-1].result
    assert result is not None
    run.figures.update(counter.finished_counts(result))


def _timed(times: list[int], seed: int, seat: int) -> LocalChooser[Any, Any, Any]:
    choose, rng = load_chooser("greedy", "diskwars"), seeds.bot_rng(seed, seat)

    def choose_timed(match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions) -> a.Action:
        began = thread_time_ns()
        action: a.Action = choose(match, decision, options, rng)
        times.append(thread_time_ns() - began)
        return action

    return choose_timed


def _table(run: BotRun) -> ResultTable:
    decisions = [nanoseconds / 1e6 for nanoseconds in run.decisions]
    matches = [nanoseconds / 1e9 for nanoseconds in run.matches]
    late = 100 * run.figures["late_matches"] / run.figures["matches"]
    impact = 100 * run.figures["impact_hits_on_own"] / max(1, run.figures["impact_hits"])
    rows = (
        ("decision, ms", len(decisions), median(decisions), percentile(decisions, 95), max(decisions)),
        ("match, s", len(matches), median(matches), percentile(matches, 95), max(matches)),
    )
    bounds = (
        FigureBound("decision of the greedy bot, median", median(decisions), DECISION_BOUND_MS, unit="ms"),
        FigureBound("match of greedy bots, median", median(matches), MATCH_BOUND_SECONDS, unit="s"),
        FigureBound("matches without an engagement before round 3", late, SHARE_BOUND_PERCENT, unit="%"),
        FigureBound("Impact hits on own disks", impact, SHARE_BOUND_PERCENT, unit="%"),
    )
    notes = (
        "CPU time of the thread that plays. A match includes the rules, which decide every answer.",
        f"{run.figures['late_matches']} of {run.figures['matches']} matches began late; "
        f"{run.figures['impact_hits_on_own']} of {run.figures['impact_hits']} Impact hits were on own disks. "
        "The report on patrols has these shares for 600 matches.",
    )
    return ResultTable("The greedy bot", ("time of a", "measured", "median", "95 %", "most"), rows, bounds, notes)
