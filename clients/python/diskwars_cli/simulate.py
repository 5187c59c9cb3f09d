"""The `simulate` verb: bots play many matches in memory, without server, sockets, store or clock.

The output depends only on the options: the same seed prints the same bytes with any number of processes.
"""

import multiprocessing
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from platform import python_version

from msgspec import Struct

from diskwars_bots.loader import BotError
from diskwars_cli import report, seeds
from diskwars_cli.command import EXIT_FAULTS, CommandError
from diskwars_cli.match_options import ArmySelection, BotMatchFlags, load_catalogue, parse_bot_names, select_armies
from diskwars_cli.match_statistics import MatchStatistics, StatisticsCollector
from diskwars_cli.progress import Progress
from diskwars_cli.seeded_match import play_bots, seeded_match
from diskwars_cli.signals import EXIT_INTERRUPTED, STOP_SIGNALS, check_stop, deferred_stop
from diskwars_protocol.match import seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a

SECRET_BYTES = 32
MATCHES_PER_BATCH = 10
"""The number of matches sent to a process at once; smaller batches cost more than they gain."""
DEFAULT_TITLE = "Simulated matches"


class SimulateOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `simulate`. Match n is played with the seed `seed` + n - 1."""

    ruleset: str = "diskwars"
    matches: int = 1
    seed: int = 1
    pairings: bool = False
    report: str | None = None
    title: str = DEFAULT_TITLE
    jobs: int | None = None


class MatchJob(Struct, frozen=True):
    """A match to be played; can be sent to another process."""

    seed: int
    bots: list[str]
    armies: list[a.Loadout]
    settings: a.DiskwarsSettings
    packs: tuple[str, ...] = ()


def run_simulate(options: SimulateOptions) -> int:
    """Play matches and print a summary; an interrupted run summarises the matches played so far."""
    jobs = list(_match_jobs(options))
    statistics, is_stopped = _play_and_print(jobs, options.jobs or os.cpu_count() or 1)
    if not statistics:
        return EXIT_INTERRUPTED
    print("\n".join(SimulationSummary(statistics).lines()))
    if options.report:
        _write_report(options, options.report, statistics)
    if is_stopped:
        print(f"stopped after {len(statistics):,} of {len(jobs):,} matches", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_FAULTS if report.count_crashes(statistics) or report.count_broken_invariants(statistics) else 0


def _play_and_print(jobs: Sequence[MatchJob], processes: int) -> tuple[list[MatchStatistics], bool]:
    """Play the matches and print a line for each. Return the statistics, and whether a signal stopped the run."""
    statistics: list[MatchStatistics] = []
    progress = Progress(len(jobs), "matches")
    try:
        with closing(_play_matches(jobs, processes)) as matches:
            for played in matches:
                with deferred_stop():  # a match is counted if its line is printed, and only then
                    progress.clear()
                    print(f"seed {played.seed}  {played.summary or played.crash}", flush=True)
                    statistics.append(played)
                progress.update(len(statistics))
                check_stop()
    except KeyboardInterrupt:
        return statistics, True
    finally:
        progress.clear()
    return statistics, False


def _match_jobs(options: SimulateOptions) -> Iterator[MatchJob]:
    """Yield the matches to play. Raises CommandError."""
    bots, selection = parse_bot_names(options.bots, options.players), select_armies(options)
    pairings = _army_pairings(selection, options.players) if options.pairings else []
    for number in range(options.matches):
        seed = options.seed + number
        if pairings:
            names = pairings[number % len(pairings)]
        elif not selection.armies:
            names = seeds.draw_armies(seed, selection.starter_names, options.players)
        else:
            names = []
        armies = [a.Loadout(name) for name in names] or selection.armies
        yield MatchJob(seed, bots, armies, selection.settings, options.settings.pack)


def _army_pairings(selection: ArmySelection, players: int) -> list[list[str]]:
    """Return every pair of starter armies, in both orders."""
    if players != 2 or selection.armies:
        raise CommandError("--pairings needs two players and excludes --armies")
    pairs = [list(pair) for pair in combinations(sorted(selection.starter_names), 2)]
    return [*pairs, *(pair[::-1] for pair in pairs)]


def _play_matches(jobs: Sequence[MatchJob], processes: int) -> Generator[MatchStatistics, None, None]:
    """Yield the statistics of the matches in the order of the jobs."""
    processes = min(processes, len(jobs) // MATCHES_PER_BATCH)
    if processes < 2:
        yield from map(simulate_match, jobs)
        return
    # Blocked while the processes start, so that none of them runs this process's handlers.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        pool = multiprocessing.Pool(processes, _leave_stopping_to_parent)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    with pool:
        # Leaving this block, also by Ctrl-C, terminates the processes in the middle of their batches.
        yield from pool.imap(simulate_match, jobs, MATCHES_PER_BATCH)


def _leave_stopping_to_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process; the parent terminates its children by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _write_report(options: SimulateOptions, file: str, statistics: Sequence[MatchStatistics]) -> None:
    catalogue = load_catalogue(options.settings.pack)
    packs = (catalogue.pack, *catalogue.other_packs)
    versions = [f"Python {python_version()}", *(f"pack {pack.name} {pack.version}, {pack.hash}" for pack in packs)]
    heading = report.ReportHeading(
        options.title, _repeat_command(options), tuple(versions), options.matches, catalogue.battle_die
    )
    try:
        Path(file).write_text(report.render_report(heading, statistics), "utf-8")
    except OSError as fault:
        raise CommandError(f"{file} cannot be written: {fault.strerror}") from None


def _repeat_command(options: SimulateOptions) -> str:
    """Return the command that repeats this run."""
    words = ["diskwars simulate", f"--matches {options.matches}", f"--seed {options.seed}"]
    words += [f"--players {options.players}", f"--setup {options.setup}", f"--bots {options.bots}"]
    words += [f"--armies '{options.armies}'"] if options.armies else []
    words += [f"--regiments {options.regiments}"] if options.regiments else []
    words += [f"--pack {shlex.quote(pack)}" for pack in options.settings.pack]
    words += [f"--option {given}" for given in options.house_rules]
    words += ["--pairings"] if options.pairings else []
    words += [f"--title {shlex.quote(options.title)}"] if options.title != DEFAULT_TITLE else []
    return " ".join([*words, f"--report {options.report}"])


# ---------------------------------------------------------------- one match


def simulate_match(job: MatchJob) -> MatchStatistics:
    """Play one match until it ends or crashes; check all invariants after each record."""
    collector = StatisticsCollector(job.seed)
    try:
        local = seeded_match(job.seed, job.armies, job.settings, job.packs)
        for body in play_bots(local, job.seed, job.bots):
            collector.add_record(body, local.broken_invariants())
        return collector.finished_statistics(local.match)
    except BotError as fault:
        return collector.crashed_statistics(f"crashed after record {collector.records}: {fault}")
    except Exception as fault:  # finding crashes is the purpose: count it and go on with the other matches
        return collector.crashed_statistics(
            f"crashed after record {collector.records}, {type(fault).__name__}: {fault}"
        )


# ---------------------------------------------------------------- summary


class SimulationSummary:
    """The summary of many matches."""

    def __init__(self, statistics: Sequence[MatchStatistics]) -> None:
        self._statistics = statistics
        self._ended = [played for played in statistics if not played.crash]
        self._played: Counter[str] = Counter(army for played in self._ended for army in played.armies)
        self._won: Counter[str] = Counter(
            played.armies[played.winner] for played in self._ended if played.winner is not None
        )

    def lines(self) -> list[str]:
        seats = Counter(
            "nobody" if played.winner is None else f"seat {seat_letter(played.winner)}" for played in self._ended
        )
        reasons = Counter(played.reason for played in self._ended)
        lines = [f"matches {len(self._statistics)}", f"crashes {report.count_crashes(self._statistics)}"]
        lines += [f"invariants broken {report.count_broken_invariants(self._statistics)}"]
        if self._ended:
            lines += [f"events {sum(played.events for played in self._ended) // len(self._ended)} per match on average"]
        lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
        lines += [f"ended by {why}: {count}" for why, count in sorted(reasons.items())]
        lines += [f"{army}: won {self._won[army]} of {count}" for army, count in sorted(self._played.items())]
        return lines
