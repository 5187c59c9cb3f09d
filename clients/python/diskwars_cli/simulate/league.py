"""The `league` verb: a round robin between bots in processes, without server, sockets or store.

What it prints depends only on the options and the bots, not on the number of processes or on which match ends first.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from diskwars_cli.console.command import EXIT_FAULTS, CommandError, program_name
from diskwars_cli.console.progress import Progress
from diskwars_cli.console.signals import EXIT_INTERRUPTED, check_stop, deferred_stop
from diskwars_cli.plugs.simulation import check_report_file
from diskwars_cli.simulate.league_match import BotChanged, LeagueTask, PlayedMatch
from diskwars_cli.simulate.league_options import LeagueOptions, completed_options, league_line, league_seeds, parse_test
from diskwars_cli.simulate.league_plan import LeagueMatch, LeaguePlan
from diskwars_cli.simulate.league_processes import LoadTask, Task, run_tasks
from diskwars_cli.simulate.league_report import write_report
from diskwars_cli.simulate.league_results import ResultFile
from diskwars_cli.simulate.league_standings import Standings, compute_standings
from diskwars_cli.simulate.league_table import (
    bot_table,
    fault_lines,
    has_times,
    pair_table,
    sequential_text,
    times_table,
)
from diskwars_cli.simulate.strength import SequentialTest

LOAD_SECONDS = 30.0
"""Time that a bot may take to load, if a decision may not take even longer."""


def run_league(options: LeagueOptions) -> int:
    """Play a league and print its table; one that is stopped prints the table of the matches so far."""
    options = completed_options(options)
    test = parse_test(options)
    plan = LeaguePlan(options.names, options, league_seeds(options), options.decision_seconds)
    if options.report:
        check_report_file(options.report)  # before matches are played for nothing
    with ResultFile(options.results, plan) as results:
        results.begin(league_line(options))
        is_stopped = _League(options, plan, test, results).play()
        standings = compute_standings(plan, results.played, test)
    _print_standings(standings)
    if options.report:
        write_report(options.report, options, standings)
    if is_stopped:
        _print_stopped(options, plan, results)
        return EXIT_INTERRUPTED
    return EXIT_FAULTS if standings.crashes or any(bot.faults for bot in standings.bots) else 0


class _League:
    """The matches of a league that are still to be played."""

    def __init__(
        self, options: LeagueOptions, plan: LeaguePlan, test: SequentialTest | None, results: ResultFile
    ) -> None:
        self._options, self._plan, self._results = options, plan, results
        self._standings = Standings(plan, test)
        """After all results up to the first that is missing."""
        self._next = 0
        self._reported: set[str] = set()
        self._progress = Progress(len(plan), "matches")

    def play(self) -> bool:
        """Play until all is known. Return whether a signal stopped it. Raises CommandError."""
        processes = self._options.workers or os.cpu_count() or 1
        try:
            check_stop()  # a signal that came during an import has only been recorded
            self._load_bots(processes)
            with closing(run_tasks(self._tasks(), min(processes, len(self._plan)))) as ended:
                for task, played in ended:
                    if isinstance(task, LeagueTask):
                        with deferred_stop():  # a match is in the file if it is counted, and only then
                            self._add(self._plan.match(task.number), played)
                    check_stop()
                    if self._standings.is_decided:
                        break
        except KeyboardInterrupt:
            return True
        except BotChanged as changed:
            raise CommandError(f"{changed}: the matches played so far were its earlier version's") from None
        finally:
            self._progress.clear()
        return False

    def _load_bots(self, processes: int) -> None:
        """Check in a process of their own that all bots can be loaded. Raises CommandError."""
        options = self._options
        tasks = [LoadTask(name, options.ruleset, self._load_seconds) for name in self._plan.bots]
        with closing(run_tasks(iter(tasks), min(processes, len(tasks)))) as ended:
            faults = {task.name: text for task, text in ended if isinstance(task, LoadTask) and text}
        for name in self._plan.bots:
            if name in faults:
                raise CommandError(faults[name])

    @property
    def _load_seconds(self) -> float:
        return max(LOAD_SECONDS, self._options.decision_seconds)

    def _tasks(self) -> Iterator[Task]:
        """Yield the matches without a result; those of a bot that is out are left out."""
        self._count()
        for match in self._plan:
            if self._standings.is_decided:
                return
            if match.number not in self._results.played and not self._standings.is_skipped(match):
                yield LeagueTask(
                    match.number,
                    self._plan.job(match),
                    tuple(self._plan.identities[bot] for bot in match.seats),
                    self._options.decision_seconds,
                    self._load_seconds,
                    self._options.with_times,
                )

    def _add(self, match: LeagueMatch, played: PlayedMatch) -> None:
        self._results.add(match, played)
        self._count()
        if played.fault is not None:
            self._report_fault(match, played.fault.seat, played.fault.text)
        self._progress.update(len(self._results.played))

    def _count(self) -> None:
        """Add the results that follow without a gap to the standings."""
        while not self._standings.is_decided and self._next < len(self._plan):
            match = self._plan.match(self._next)
            if match.number in self._results.played:
                self._standings.add(match, self._results.played[match.number])
            elif not self._standings.is_skipped(match):
                return
            self._next += 1

    def _report_fault(self, match: LeagueMatch, seat: int, text: str) -> None:
        """Print the first fault of each bot at once; the summary counts all."""
        name = self._plan.names(match)[seat]
        if name not in self._reported:
            self._reported.add(name)
            self._progress.clear()
            print(f"{name} has lost a match by a fault: {text}", file=sys.stderr)


# ---------------------------------------------------------------- output


def _print_standings(standings: Standings) -> None:
    plan = standings.plan
    seeds = f"seeds {plan.seeds[0]} to {plan.seeds[-1]}, each from every seat"
    print(f"league of {plan.ruleset}: {standings.matches:,} matches; {seeds}")
    blocks: list[Any] = [bot_table(standings)]
    blocks += [pair_table(standings)] if len(plan.bots) > 2 else []
    blocks += [times_table(standings)] if has_times(standings.bots) else []
    blocks += ["\n".join(fault_lines(standings))]
    if result := standings.sequential:
        blocks.append(sequential_text(result, plan.bots))
    print("\n" + "\n\n".join(blocks), flush=True)


def _print_stopped(options: LeagueOptions, plan: LeaguePlan, results: ResultFile) -> None:
    text = f"stopped after {len(results.played):,} of {len(plan):,} matches"
    if options.results:
        text += f"; go on with: {program_name()} league --resume {options.results}"
    else:
        text += "; they are lost: with --results FILE a league that was stopped can go on"
    print(text, file=sys.stderr)
