"""The `simulate` verb: bots play many matches in memory, without server, sockets, store or clock.

The output depends only on the options: the same seed prints the same bytes with any number of processes.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from multiprocessing.pool import IMapIterator
from typing import TypeAlias

from diskwars_bots.loader import BotError
from diskwars_cli.console.command import EXIT_FAULTS
from diskwars_cli.console.progress import Progress
from diskwars_cli.console.signals import (
    EXIT_INTERRUPTED,
    STOP_SIGNALS,
    check_stop,
    deferred_stop,
    leave_stopping_to_parent,
)
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.match_statistics import MatchStatistics, count_broken_invariants, count_crashes
from diskwars_cli.plugs.record_streams import ByteFile, check_stream_file, seal_match_file, writing_stream
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.plugs.simulation import MatchJob, SimulateOptions, check_report_file, generic_summary_lines
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import AnyBody

SimulatedMatch: TypeAlias = tuple[MatchStatistics, bytes]
"""A match with its file, which is empty where none is wanted."""
PlayJob: TypeAlias = Callable[[MatchJob], SimulatedMatch]

MATCHES_PER_BATCH = 10
"""The number of matches sent to a process at once; smaller batches cost more than they gain."""
DEATH_POLL_SECONDS = 1.0
"""Between two looks whether all processes live, while no result comes: a pool waits for ever for one that has died."""


class _ProcessDied(Exception):
    """A process has ended by itself, and the matches that it played have no result."""


def run_simulate(options: SimulateOptions) -> int:
    """Play matches and print a summary; an interrupted run summarises the matches played so far."""
    simulation = find_simulation(options.ruleset)
    if options.report:
        check_report_file(options.report)  # before matches are played for nothing
    if options.records:
        check_stream_file("--records", options.records)
    seeds = range(options.seed, options.seed + options.matches)
    jobs = list(simulation.jobs(options, seeds))
    with writing_stream("--records", options.records) if options.records else nullcontext() as stream:
        statistics, stop_code = _play_and_print(jobs, options.jobs or os.cpu_count() or 1, stream)
    if not statistics:
        return stop_code or EXIT_INTERRUPTED
    ended = [match for match in statistics if not match.crash]
    print("\n".join([*generic_summary_lines(statistics, ended, jobs[0].bots), *simulation.summary_lines(ended)]))
    if options.report:
        simulation.write_report(options, options.report, statistics)
    if stop_code:
        print(f"stopped after {len(statistics):,} of {len(jobs):,} matches", file=sys.stderr)
        return stop_code
    return EXIT_FAULTS if count_crashes(statistics) or count_broken_invariants(statistics) else 0


def _play_and_print(
    jobs: Sequence[MatchJob], processes: int, stream: ByteFile | None
) -> tuple[list[MatchStatistics], int]:
    """Play the matches and print a line for each. Return the statistics, and the exit code of a run that stopped early.

    That is 0 if all matches were played. With a stream, the files of those that ended are written to it.
    """
    statistics: list[MatchStatistics] = []
    progress = Progress(len(jobs), "matches")
    try:
        check_stop()  # a signal that came during an import has only been recorded
        with closing(_play_matches(jobs, processes, _simulate if stream is None else _record)) as matches:
            for played, file in matches:
                with deferred_stop():  # a match is counted if its line is printed, and only then
                    if stream is not None:
                        stream.write(file)
                    progress.clear()
                    print(f"seed {played.seed}  {played.summary or played.crash}", flush=True)
                    statistics.append(played)
                progress.update(len(statistics))
                check_stop()
    except KeyboardInterrupt:
        return statistics, EXIT_INTERRUPTED
    except _ProcessDied:
        progress.clear()
        hint = "a bot has left the program, or memory ran out"
        print(f"diskwars: a process that played matches has ended: {hint}", file=sys.stderr)
        return statistics, EXIT_FAULTS
    finally:
        progress.clear()
    return statistics, 0


def _play_matches(jobs: Sequence[MatchJob], processes: int, play: PlayJob) -> Generator[SimulatedMatch, None, None]:
    """Yield the statistics and files of the matches in the order of the jobs. Raises _ProcessDied."""
    processes = min(processes, len(jobs) // MATCHES_PER_BATCH)
    if processes < 2:
        yield from map(play, jobs)
        return
    # Blocked while the processes start, so that none of them runs this process's handlers, and no signal arrives before
    # there is a block whose end terminates them.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        with multiprocessing.Pool(processes, leave_stopping_to_parent) as pool:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
            # Leaving this block, also by Ctrl-C, terminates the processes in the middle of their batches.
            first = range(0, len(jobs), MATCHES_PER_BATCH)
            play_batch = partial(_play_batch, play)
            batches = pool.imap(play_batch, [jobs[number : number + MATCHES_PER_BATCH] for number in first])
            started = _child_pids()
            for _ in first:
                yield from _wait_for_batch(batches, started)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _child_pids() -> set[int | None]:
    return {process.pid for process in multiprocessing.active_children()}


def _wait_for_batch(batches: "IMapIterator[list[SimulatedMatch]]", started: set[int | None]) -> list[SimulatedMatch]:
    """Return the next batch. Raises _ProcessDied: a pool replaces a process that dies, but not what it had to do."""
    while True:
        try:
            return batches.next(DEATH_POLL_SECONDS)
        except multiprocessing.TimeoutError:
            if _child_pids() != started:
                raise _ProcessDied from None


def _play_batch(play: PlayJob, jobs: Sequence[MatchJob]) -> list[SimulatedMatch]:
    return [play(job) for job in jobs]


# ---------------------------------------------------------------- one match


def _simulate(job: MatchJob) -> SimulatedMatch:
    return simulate_match(job), b""


def _record(job: MatchJob) -> SimulatedMatch:
    """Play a match and return its file as well; none if it has crashed."""
    bodies: list[AnyBody] = []
    statistics = simulate_match(job, bodies.append)
    if statistics.crash:
        return statistics, b""
    ruleset, match = load_ruleset(job.ruleset, job.packs), MatchId(f"seed-{job.seed}")
    return statistics, seal_match_file(ruleset, match, len(job.loadouts), job.seed, bodies)


def simulate_match(job: MatchJob, on_record: Callable[[AnyBody], None] | None = None) -> MatchStatistics:
    """Play one match until it ends or crashes; check all invariants after each record."""
    simulation = find_simulation(job.ruleset)
    collector = simulation.new_collector(job.seed)
    try:
        local = seeded_match(load_ruleset(job.ruleset, job.packs), job.seed, job.loadouts, job.settings)
        for body in play_bots(local, job.seed, job.bots):
            if on_record is not None:
                on_record(body)
            collector.add_record(body, local.broken_invariants())
        return collector.finished_statistics(local.match)
    except BotError as fault:
        return collector.crashed_statistics(f"crashed after record {collector.records}: {fault}")
    except Exception as fault:  # finding crashes is the purpose: count it and go on with the other matches
        return collector.crashed_statistics(
            f"crashed after record {collector.records}, {type(fault).__name__}: {fault}"
        )
