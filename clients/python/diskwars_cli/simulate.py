"""The `simulate` verb: bots play many matches in memory, without server, sockets, store or clock.

The output depends on the options only: the same seed prints the same bytes with any number of processes.
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
"""Matches per batch for one process; smaller batches do not pay."""
DEFAULT_TITLE = "Simulated matches"


class SimulateOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Match n is played from the seed `seed` + n - 1."""

    ruleset: str = "diskwars"
    matches: int = 1
    seed: int = 1
    pairings: bool = False
    report: str | None = None
    title: str = DEFAULT_TITLE
    jobs: int | None = None


class MatchJob(Struct, frozen=True):
    """A match to be played. Can be sent to another process."""

    seed: int
    bots: list[str]
    armies: list[a.Loadout]
    settings: a.DiskwarsSettings
    packs: tuple[str, ...] = ()


def run_simulate(options: SimulateOptions) -> int:
    """Play and summarise; a run that is interrupted summarises what it has."""
    jobs = list(_match_jobs(options))
    facts, is_stopped = _play_and_print(jobs, options.jobs or os.cpu_count() or 1)
    if not facts:
        return EXIT_INTERRUPTED
    print("\n".join(SimulationSummary(facts).lines()))
    if options.report:
        _write_report(options, options.report, facts)
    if is_stopped:
        print(f"stopped after {len(facts):,} of {len(jobs):,} matches", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_FAULTS if report.count_crashes(facts) or report.count_broken_invariants(facts) else 0


def _play_and_print(jobs: Sequence[MatchJob], processes: int) -> tuple[list[MatchStatistics], bool]:
    """Play the matches, a line for each; and whether somebody stopped it before the last."""
    facts: list[MatchStatistics] = []
    progress = Progress(len(jobs), "matches")
    try:
        with closing(_play_matches(jobs, processes)) as matches:
            for played in matches:
                with deferred_stop():  # a match whose line is printed is counted
                    progress.clear()
                    print(f"seed {played.seed}  {played.summary or played.crash}", flush=True)
                    facts.append(played)
                progress.update(len(facts))
                check_stop()
    except KeyboardInterrupt:
        return facts, True
    finally:
        progress.clear()
    return facts, False


def _match_jobs(options: SimulateOptions) -> Iterator[MatchJob]:
    """Raise CommandError."""
    bots, found = parse_bot_names(options.bots, options.players), select_armies(options)
    pairings = _army_pairings(found, options.players) if options.pairings else []
    for number in range(options.matches):
        seed = options.seed + number
        if pairings:
            names = pairings[number % len(pairings)]
        elif not found.armies:
            names = seeds.draw_armies(seed, found.starter_names, options.players)
        else:
            names = []
        armies = [a.Loadout(name) for name in names] or found.armies
        yield MatchJob(seed, bots, armies, found.settings, options.settings.pack)


def _army_pairings(found: ArmySelection, players: int) -> list[list[str]]:
    """Return each two armies, with each of them on the first seat."""
    if players != 2 or found.armies:
        raise CommandError("--pairings is for two players, and names no armies")
    pairs = [list(pair) for pair in combinations(sorted(found.starter_names), 2)]
    return [*pairs, *(pair[::-1] for pair in pairs)]


def _play_matches(jobs: Sequence[MatchJob], processes: int) -> Generator[MatchStatistics, None, None]:
    """In the order of the jobs."""
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
        yield from pool.imap(
            simulate_match, jobs, MATCHES_PER_BATCH
        )  # leaving, also by Ctrl-C, ends the processes in their batches


def _leave_stopping_to_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process; the parent ends the others by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _write_report(options: SimulateOptions, file: str, facts: Sequence[MatchStatistics]) -> None:
    catalogue = load_catalogue(options.settings.pack)
    packs = (catalogue.pack, *catalogue.other_packs)
    versions = [f"Python {python_version()}", *(f"pack {pack.name} {pack.version}, {pack.hash}" for pack in packs)]
    heading = report.ReportHeading(
        options.title, _repeat_command(options), tuple(versions), options.matches, catalogue.battle_die
    )
    try:
        Path(file).write_text(report.render_report(heading, facts), "utf-8")
    except OSError as fault:
        raise CommandError(f"{file} cannot be written: {fault.strerror}") from None


def _repeat_command(options: SimulateOptions) -> str:
    """Return the command that does the same again."""
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
    """Play one match to its end, or until something goes wrong. All invariants are looked at after each record."""
    ear = StatisticsCollector(job.seed)
    try:
        local = seeded_match(job.seed, job.armies, job.settings, job.packs)
        for body in play_bots(local, job.seed, job.bots):
            ear.add_record(body, local.broken_invariants())
        return ear.finished_statistics(local.match)
    except BotError as fault:
        return ear.crashed_statistics(f"crashed after record {ear.records}: {fault}")
    except Exception as fault:  # a crash is what is looked for: it is counted, and the other matches go on
        return ear.crashed_statistics(f"crashed after record {ear.records}, {type(fault).__name__}: {fault}")


# ---------------------------------------------------------------- all of them


class SimulationSummary:
    """What many matches come to."""

    def __init__(self, facts: Sequence[MatchStatistics]) -> None:
        self._statistics = facts
        self._ended = [one for one in facts if not one.crash]
        self._played: Counter[str] = Counter(army for one in self._ended for army in one.armies)
        self._won: Counter[str] = Counter(one.armies[one.winner] for one in self._ended if one.winner is not None)

    def lines(self) -> list[str]:
        seats = Counter("nobody" if one.winner is None else f"seat {seat_letter(one.winner)}" for one in self._ended)
        reasons = Counter(one.reason for one in self._ended)
        lines = [f"matches {len(self._statistics)}", f"crashes {report.count_crashes(self._statistics)}"]
        lines += [f"invariants broken {report.count_broken_invariants(self._statistics)}"]
        if self._ended:
            lines += [f"events {sum(one.events for one in self._ended) // len(self._ended)} in each on average"]
        lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
        lines += [f"ended by {why}: {count}" for why, count in sorted(reasons.items())]
        lines += [f"{army}: won {self._won[army]} of {count}" for army, count in sorted(self._played.items())]
        return lines
