"""Benchmark of the bots: the greedy bot of Diskwars and how sensibly it plays, and simulations of the search by game.

The greedy bot plays every pair of starter patrols, in both orders, with the full setup. Times are CPU time.
"""

import random
import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from time import thread_time_ns
from typing import Any

from msgspec import Struct

from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median, percentile
from diskwars_bots.loader import load_chooser
from diskwars_bots.rulesets.registry import BOTS
from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.simulation import simulate
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_cli.rulesets.diskwars.play_figures import PlayCounter, PlayFigure
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_engine.local import LocalChooser
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

PATROLS = ("chaos-patrol", "empire-patrol", "greenskin-patrol", "high-elf-patrol")
MATCHES = 120
DECISION_BOUND_MS, MATCH_BOUND_SECONDS, SHARE_BOUND_PERCENT = 3.0, 0.5, 10.0


SEARCHED_DECISIONS, PASSES, ANSWERS = 24, 6, 4
"""Decisions of a match that are searched, possible boards for each, and answers that are simulated on each of them."""
EARLIER_SEARCH = Path(__file__).parents[2] / "docs" / "examples" / "earlier_search.py"
FASTER_THAN_EARLIER = 3.0


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
    return [_table(run), _search_table([*_searched_games(effort)])]


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


# ---------------------------------------------------------------- simulations of the search


class SearchedGame(Struct):
    """Simulations of one game: their number and nanoseconds, and those of the search of before, 0 if there is none."""

    ruleset: str
    simulations: int = 0
    nanoseconds: int = 0
    earlier_nanoseconds: int = 0


def _searched_games(effort: BenchEffort) -> Iterator[SearchedGame]:
    """Measure every game that is searched, on decisions of a match between greedy bots."""
    earlier = runpy.run_path(str(EARLIER_SEARCH))["earlier_simulation"]
    for ruleset, bots in BOTS.items():
        if bots.game is not None:
            yield simulate_decisions(bots.game, ruleset, effort, earlier if ruleset == "diskwars" else None)


def simulate_decisions(
    game: SearchGame, ruleset: str, effort: BenchEffort, earlier: Callable[..., Any] | None
) -> SearchedGame:
    """Simulate the answers of some decisions, and each of them by the search of before as well, in turn."""
    searched = SearchedGame(ruleset)
    for match, decision in _searched_decisions(game, ruleset, SEARCHED_DECISIONS if effort.full else 2):
        board, seat = match.board, decision.seat
        options = game.rules().options(board, seat, decision.question)
        answers = candidate_answers(game, board, decision, options, random.Random(1), SearchLevel(milliseconds=500))
        for number in range(PASSES if effort.full else 1):
            possible = game.possible_board(board, seat, random.Random(number))
            for action in answers[:ANSWERS]:
                searched.simulations += 1
                began = thread_time_ns()
                simulate(game, possible, seat, action, random.Random(number), _never)
                searched.nanoseconds += thread_time_ns() - began
                if earlier is not None:
                    began = thread_time_ns()
                    earlier(possible, seat, action, random.Random(number), _never)
                    searched.earlier_nanoseconds += thread_time_ns() - began
    return searched


def _searched_decisions(game: SearchGame, ruleset: str, count: int) -> list[tuple[Any, Decision[Any]]]:
    """Return decisions of a match between greedy bots that a search would look at, evenly spread, with what is seen."""
    greedy, options = load_chooser("greedy", ruleset), BotMatchFlags(data=DataOptions(), ruleset=ruleset)
    job = next(iter(find_simulation(ruleset).jobs(options, [1])))
    local = seeded_match(load_ruleset(ruleset, ()), job.seed, job.loadouts, job.settings)
    seen: list[tuple[Any, Decision[Any]]] = []

    def player(seat: int) -> LocalChooser[Any, Any, Any]:
        rng = seeds.bot_rng(1, seat)

        def choose(match: Any, decision: Decision[Any], options: Any) -> Any:
            if match.board is not None and game.is_reviewed(match.board, decision.question):
                seen.append((match, decision))
            return greedy(match, decision, options, rng)

        return choose

    for _ in local.play([player(seat) for seat in range(2)]):
        pass
    return seen[:: max(1, len(seen) // count)][:count]


def _never() -> bool:
    return False


def _search_table(games: list[SearchedGame]) -> ResultTable:
    rows = tuple(
        (
            game.ruleset,
            game.simulations,
            game.simulations * 1e9 / game.nanoseconds,
            game.nanoseconds / game.simulations / 1e6,
            game.earlier_nanoseconds / game.nanoseconds if game.earlier_nanoseconds else "-",
        )
        for game in games
        if game.nanoseconds
    )
    bounds = tuple(
        FigureBound(
            f"simulations of {game.ruleset} for one of the search of before",
            game.earlier_nanoseconds / game.nanoseconds,
            FASTER_THAN_EARLIER,
            "at least",
        )
        for game in games
        if game.earlier_nanoseconds
    )
    columns = ("game", "simulations", "a second", "ms each", "times as fast as before")
    notes = ("CPU time. The search of before is `docs/examples/earlier_search.py`, on the same boards in turn.",)
    return ResultTable("Simulations of the search", columns, rows, bounds, notes)
