"""How do bots play many matches fast? In memory, without server, sockets, store or clock.

The output holds nothing but what was played, so the same seed prints the same bytes, by however many processes. Must
not know how a bot chooses.
"""

import multiprocessing
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import combinations
from pathlib import Path
from platform import python_version

from msgspec import Struct

from diskwars_bots.bots import BOTS
from diskwars_cli import report, seeds
from diskwars_cli.command import Complaint, Options, Verbs
from diskwars_cli.match_options import (
    Sides,
    add_armies,
    add_bots,
    add_packs,
    add_table,
    bot_names,
    catalogue_of,
    catalogue_with,
    packs_of,
    sides,
)
from diskwars_cli.match_statistics import Ear, Facts
from diskwars_cli.progress import Progress
from diskwars_client.seat_secrets import SeatSecrets
from diskwars_client.verify import RULES
from diskwars_engine.match import Command, MatchRules, Opening, Secrets
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol import match as m
from diskwars_protocol.match import Decision, MatchId, PlayerId, seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Event

SECRET = 32
BATCH = 10
"""So many matches are given to a process at once; fewer are not worth one."""
TITLE = "Simulated matches"
STOPPED = 130
"""The exit code of a run that was stopped by Ctrl-C."""


def add(verbs: Verbs) -> None:
    parser = verbs.add(
        "simulate", "Let bots play matches in memory. Match n is played from the seed SEED + n - 1.", run
    )
    parser.add_argument("--ruleset", choices=["diskwars"], default="diskwars", help="what is played (diskwars)")
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many matches (1)")
    parser.add_argument("--seed", type=int, default=1, metavar="SEED", help="where all chance comes from (1)")
    add_table(parser)
    add_bots(parser)
    add_armies(parser)
    add_packs(parser)
    parser.add_argument(
        "--pairings", action="store_true", help="each two armies meet in turn, on either seat, instead of by chance"
    )
    parser.add_argument("--report", metavar="FILE", help="write what the matches show to this file, as Markdown")
    parser.add_argument("--title", default=TITLE, metavar="TEXT", help=f"what the report is called ({TITLE})")
    parser.add_argument("--jobs", type=int, metavar="N", help="how many processes play (as many as there are CPUs)")


class Job(Struct, frozen=True):
    """A match to be played. Can be sent to another process."""

    seed: int
    bots: list[str]
    armies: list[a.Entry]
    settings: a.Settings
    packs: tuple[str, ...] = ()


def run(options: Options) -> int:
    """1 when a match crashed or an invariant was broken; a run that is stopped tells what it has."""
    if options.matches < 1:
        raise Complaint("at least one match has to be played")
    jobs = list(_jobs(options))
    facts, is_stopped = _told(jobs, options.jobs or os.cpu_count() or 1)
    if not facts:
        return STOPPED
    print("\n".join(Tally(facts).lines()))
    if options.report:
        _write(options, facts)
    if is_stopped:
        print(f"stopped after {len(facts):,} of {len(jobs):,} matches", file=sys.stderr)
        return STOPPED
    return 1 if report.crashes(facts) or report.breaches(facts) else 0


def _told(jobs: Sequence[Job], processes: int) -> tuple[list[Facts], bool]:
    """Plays the matches, a line for each; and whether somebody stopped it before the last."""
    facts: list[Facts] = []
    progress = Progress(len(jobs), "matches")
    try:
        with closing(_all_played(jobs, processes)) as matches:
            for played in matches:
                with _stopped_afterwards():
                    progress.clear()
                    print(f"seed {played.seed}  {played.line or played.crash}", flush=True)
                    facts.append(played)
                progress.at(len(facts))
    except KeyboardInterrupt:
        return facts, True
    finally:
        progress.clear()
    return facts, False


@contextmanager
def _stopped_afterwards() -> Iterator[None]:
    """A Ctrl-C in the middle of it comes at its end: what is told is counted."""
    stops: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: stops.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if stops:
        raise KeyboardInterrupt


def _jobs(options: Options) -> Iterator[Job]:
    """Raises Complaint."""
    bots, found = bot_names(options.bots, options.players), sides(options)
    pairings = _pairings(found, options.players) if options.pairings else []
    for number in range(options.matches):
        seed = options.seed + number
        if pairings:
            names = pairings[number % len(pairings)]
        elif not found.armies:
            names = seeds.armies(seed, found.names, options.players)
        else:
            names = []
        yield Job(seed, bots, [a.Entry(name) for name in names] or found.armies, found.settings, packs_of(options))


def _pairings(found: Sides, players: int) -> list[list[str]]:
    """Each two armies, with each of them on the first seat."""
    if players != 2 or found.armies:
        raise Complaint("--pairings is for two players, and names no armies")
    pairs = [list(pair) for pair in combinations(sorted(found.names), 2)]
    return [*pairs, *(pair[::-1] for pair in pairs)]


def _all_played(jobs: Sequence[Job], processes: int) -> Generator[Facts, None, None]:
    """In the order of the jobs."""
    processes = min(processes, len(jobs) // BATCH)
    if processes < 2:
        yield from map(simulate, jobs)
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # as the processes find it, also while they begin
    try:
        pool = multiprocessing.Pool(processes, _leave_the_stop_to_the_parent)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    with pool:
        yield from pool.imap(simulate, jobs, BATCH)  # leaving, also by Ctrl-C, ends the processes in their batches


def _leave_the_stop_to_the_parent() -> None:
    """A terminal sends Ctrl-C to every process, and one of them is enough to tell it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _write(options: Options, facts: Sequence[Facts]) -> None:
    catalogue = catalogue_of(options)
    packs = (catalogue.pack, *catalogue.others)
    versions = [f"Python {python_version()}", *(f"pack {pack.name} {pack.version}, {pack.hash}" for pack in packs)]
    heading = report.Heading(options.title, _words(options), tuple(versions), options.matches, catalogue.battle_die)
    try:
        Path(options.report).write_text(report.written(heading, facts), "utf-8")
    except OSError as fault:
        raise Complaint(f"{options.report} cannot be written: {fault.strerror}") from None


def _words(options: Options) -> str:
    """The command that does the same again."""
    words = ["diskwars simulate", f"--matches {options.matches}", f"--seed {options.seed}"]
    words += [f"--players {options.players}", f"--setup {options.setup}", f"--bots {options.bots}"]
    words += [f"--armies '{options.armies}'"] if options.armies else []
    words += [f"--regiments {options.regiments}"] if options.regiments else []
    words += [f"--pack {shlex.quote(pack)}" for pack in packs_of(options)]
    words += [f"--option {given}" for given in options.option]
    words += ["--pairings"] if options.pairings else []
    words += [f"--title {shlex.quote(options.title)}"] if options.title != TITLE else []
    return " ".join([*words, f"--report {options.report}"])


# ---------------------------------------------------------------- one match


PLAIN = a.Settings(setup="quick")


class MemoryMatch:
    """One match between choosers in this process. `appends` gives it append by append."""

    def __init__(
        self,
        seed: int,
        bots: Sequence[str],
        armies: Sequence[a.Entry],
        settings: a.Settings = PLAIN,
        packs: tuple[str, ...] = (),
    ) -> None:
        self._rules: MatchRules[a.Settings, a.Entry, a.Action, a.Question, BoardEvent, Board] = MatchRules(
            Diskwars(catalogue_with(packs))
        )
        entropy = seeds.server_entropy(seed)
        self._secrets = Secrets(entropy(SECRET), entropy(SECRET))
        self._armies = armies
        self._choosers = [BOTS[name] for name in bots]
        self._chances = [seeds.bot_chance(seed, seat) for seat in range(len(bots))]
        self._seats = [SeatSecrets(MatchId(f"seed-{seed}"), seeds.seat_entropy(seed, n)) for n in range(len(bots))]
        self._opening = Opening(
            MatchId(f"seed-{seed}"), settings, len(bots), _player(0), 0, repeatable=True, rules=RULES
        )
        self.match: DiskwarsMatch | None = None
        self.head = 0

    def appends(self) -> Iterator[list[Event]]:
        """One append after another, until the match has ended."""
        yield self._fold(self._rules.open(self._opening, self._secrets))
        while self.match is not None and self.match.decisions:
            decision = self.match.decisions[0]
            command = Command(_player(decision.seat), decision.id, self._answer(self.match, decision), 0)
            yield self._fold(self._rules.decide(self.match, self.head, command, self._secrets))

    def broken(self) -> list[str]:
        """Invariants that do not hold now, in words."""
        board = self.match.board if self.match else None
        return [] if board is None else self._rules.ruleset.check(board)

    def _fold(self, events: list[Event]) -> list[Event]:
        for event in events:
            self.match = self._rules.apply(self.match, event)
        self.head += len(events)
        return events

    def _answer(self, match: DiskwarsMatch, decision: Decision[a.Question]) -> a.Action:
        """What a client of this seat would send."""
        seat, opened = decision.seat, match.seats[decision.seat].chain.head
        match decision.question:
            case m.SeatQuestion():
                return m.TakeSeat(self._seats[seat].head, self._armies[seat])
            case m.ReadyQuestion():
                return m.Ready(self._seats[seat].link(1, opened))
            case _:
                seen, options = self._rules.view(match, seat), self._rules.options(match, decision)
                action = self._choosers[seat](seen, decision, options, self._chances[seat])
        if isinstance(action, a.LockCard) and isinstance(decision.question, a.AskCard):
            return self._seats[seat].lock(seat, match.step + 1, str(action.card), opened)
        return action


def _player(seat: int) -> PlayerId:
    return PlayerId(f"bot-{seat}")


def simulate(job: Job) -> Facts:
    """Plays one match to its end, or until something goes wrong. All invariants are looked at after each append."""
    ear = Ear(job.seed)
    try:
        playing = MemoryMatch(job.seed, job.bots, job.armies, job.settings, job.packs)
        for append in playing.appends():
            ear.hear(append, playing.broken())
        assert playing.match is not None
        return ear.ended(playing.match)
    except Exception as fault:  # a crash is what is looked for: it is counted, and the other matches go on
        return ear.crashed(f"crashed after append {ear.appends}, {type(fault).__name__}: {fault}")


# ---------------------------------------------------------------- all of them


class Tally:
    """What many matches come to."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        self._facts = facts
        self._ended = [one for one in facts if not one.crash]
        self._played: Counter[str] = Counter(army for one in self._ended for army in one.armies)
        self._won: Counter[str] = Counter(one.armies[one.winner] for one in self._ended if one.winner is not None)

    def lines(self) -> list[str]:
        seats = Counter("nobody" if one.winner is None else f"seat {seat_letter(one.winner)}" for one in self._ended)
        reasons = Counter(one.why for one in self._ended)
        lines = [f"matches {len(self._facts)}", f"crashes {report.crashes(self._facts)}"]
        lines += [f"invariants broken {report.breaches(self._facts)}"]
        if self._ended:
            lines += [f"events {sum(one.events for one in self._ended) // len(self._ended)} in each on average"]
        lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
        lines += [f"ended by {why}: {count}" for why, count in sorted(reasons.items())]
        lines += [f"{army}: won {self._won[army]} of {count}" for army, count in sorted(self._played.items())]
        return lines
