"""The `simulate` verb: bots play many matches in memory, without server, sockets, store or clock.

The output depends only on the options: the same seed prints the same bytes with any number of processes.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import closing

from diskwars_bots.loader import BotError
from diskwars_cli.command import EXIT_FAULTS
from diskwars_cli.match_setup import load_ruleset
from diskwars_cli.match_statistics import MatchStatistics, count_broken_invariants, count_crashes
from diskwars_cli.progress import Progress
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_cli.seeded_match import play_bots, seeded_match
from diskwars_cli.signals import EXIT_INTERRUPTED, STOP_SIGNALS, check_stop, deferred_stop, leave_stopping_to_parent
from diskwars_cli.simulation import MatchJob, SimulateOptions, check_report_file, generic_summary_lines

MATCHES_PER_BATCH = 10
"""The number of matches sent to a process at once; smaller batches cost more than they gain."""


def run_simulate(options: SimulateOptions) -> int:
    """Play matches and print a summary; an interrupted run summarises the matches played so far."""
    simulation = find_simulation(options.ruleset)
    if options.report:
        check_report_file(options.report)  # before matches are played for nothing
    seeds = range(options.seed, options.seed + options.matches)
    jobs = list(simulation.jobs(options, seeds))
    statistics, is_stopped = _play_and_print(jobs, options.jobs or os.cpu_count() or 1)
    if not statistics:
        return EXIT_INTERRUPTED
    ended = [one for one in statistics if not one.crash]
    print("\n".join([*generic_summary_lines(statistics, ended, jobs[0].bots), *simulation.summary_lines(ended)]))
    if options.report:
        simulation.write_report(options, options.report, statistics)
    if is_stopped:
        print(f"stopped after {len(statistics):,} of {len(jobs):,} matches", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_FAULTS if count_crashes(statistics) or count_broken_invariants(statistics) else 0


def _play_and_print(jobs: Sequence[MatchJob], processes: int) -> tuple[list[MatchStatistics], bool]:
    """Play the matches and print a line for each. Return the statistics, and whether a signal stopped the run."""
    statistics: list[MatchStatistics] = []
    progress = Progress(len(jobs), "matches")
    try:
        check_stop()  # a signal that came during an import has only been recorded
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


def _play_matches(jobs: Sequence[MatchJob], processes: int) -> Generator[MatchStatistics, None, None]:
    """Yield the statistics of the matches in the order of the jobs."""
    processes = min(processes, len(jobs) // MATCHES_PER_BATCH)
    if processes < 2:
        yield from map(simulate_match, jobs)
        return
    # Blocked while the processes start, so that none of them runs this process's handlers, and no signal arrives before
    # there is a block whose end terminates them.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        with multiprocessing.Pool(processes, leave_stopping_to_parent) as pool:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
            # Leaving this block, also by Ctrl-C, terminates the processes in the middle of their batches.
            yield from pool.imap(simulate_match, jobs, MATCHES_PER_BATCH)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


# ---------------------------------------------------------------- one match


def simulate_match(job: MatchJob) -> MatchStatistics:
    """Play one match until it ends or crashes; check all invariants after each record."""
    simulation = find_simulation(job.ruleset)
    collector = simulation.new_collector(job.seed)
    try:
        local = seeded_match(load_ruleset(job.ruleset, job.packs), job.seed, job.loadouts, job.settings)
        for body in play_bots(local, job.seed, job.bots):
            collector.add_record(body, local.broken_invariants())
        return collector.finished_statistics(local.match)
    except BotError as fault:
        return collector.crashed_statistics(f"crashed after record {collector.records}: {fault}")
    except Exception as fault:  # finding crashes is the purpose: count it and go on with the other matches
        return collector.crashed_statistics(
            f"crashed after record {collector.records}, {type(fault).__name__}: {fault}"
        )
