"""One match of a league, played in a process of its own: a fault of a bot loses the match and says what it was."""

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO, TextIOWrapper
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, UserBot, load_chooser
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_cli.plugs.simulation import MatchJob
from diskwars_engine.local import IllegalAnswer, LocalChooser
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import Seat

FaultKind: TypeAlias = Literal["not loaded", "raised", "no action", "illegal", "printed", "slow", "died"]
"""Kinds of faults of a bot: `slow` took longer than a decision may, `died` ended its process."""
MAX_FAULT_TEXT = 300
MAX_PRINTED_BYTES = 1_048_576
"""More than a pipe holds."""
MAX_MATCH_RECORDS = 20_000
"""Longer matches are given up; those of the bots that come with the program have some hundred records at most."""
NOBODY = -1


class Fault(Struct, frozen=True, omit_defaults=True):
    """A fault of the bot of a seat; `lost_process` if its process had to be killed, or ended."""

    seat: Seat
    kind: FaultKind
    text: str
    lost_process: bool = False


class DecisionTimes(Struct, frozen=True):
    """Decisions of one seat: how many, and their times in milliseconds in all and at most."""

    decisions: int = 0
    total_ms: float = 0.0
    longest_ms: float = 0.0


class PlayedMatch(Struct, frozen=True, kw_only=True):
    """The end of a match: with a result, with the fault of a bot, or with a crash of the program itself."""

    winners: tuple[Seat, ...] = ()
    scores: tuple[int, ...] = ()
    end_reason: str = ""
    records: int = 0
    events: int = 0
    fault: Fault | None = None
    crash: str = ""
    times: tuple[DecisionTimes, ...] = ()
    deeds: tuple[dict[str, int], ...] = ()
    """By seat: how often its bot chose each kind of action. Results of an earlier version have none."""


class LeagueTask(Struct, frozen=True):
    """A match for a process. `identities` are the digests of the bots' files, to notice one that changes meanwhile."""

    number: int
    job: MatchJob
    identities: tuple[str, ...]
    decision_seconds: float
    load_seconds: float
    with_times: bool = False


class BotClock(Protocol):
    """The seat whose bot is running, as a process records it for the one that watches it."""

    def start(self, seat: Seat, seconds: float) -> None: ...

    def stop(self) -> None: ...


class BotFault(Exception):
    """The bot of a seat did something wrong."""

    def __init__(self, seat: Seat, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.fault = Fault(seat, kind, shortened(text))


class BotChanged(Exception):
    """The file of a bot is not the one that the league began with."""


def shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_FAULT_TEXT else line[: MAX_FAULT_TEXT - 1] + "…"


def play_league_match(task: LeagueTask, clock: BotClock, read_output: Callable[[], str]) -> PlayedMatch:
    """Play a match. `read_output` returns what has been printed since the last call. Raises BotChanged."""
    job, records, events = task.job, 0, 0
    bots: list[_SeatBot] = []
    try:
        for seat, name in enumerate(job.bots):
            bots.append(_SeatBot(task, seat, name, clock, read_output))
        local = seeded_match(load_ruleset(job.ruleset, job.packs), job.seed, job.loadouts, job.settings)
        for body in local.play([bot.chooser() for bot in bots]):
            records, events = records + 1, events + len(body.events)
            if records > MAX_MATCH_RECORDS:
                return PlayedMatch(records=records, events=events, crash=f"no end after {MAX_MATCH_RECORDS:,} records")
    except BotFault as fault:
        return PlayedMatch(records=records, events=events, fault=fault.fault)
    except IllegalAnswer as fault:
        text = _refused_text(bots[fault.decision.seat].choose, fault)
        illegal = Fault(fault.decision.seat, "illegal", shortened(text))
        return PlayedMatch(records=records, events=events, fault=illegal)
    except BotChanged:
        raise
    except Exception as error:  # a fault of the program is counted; the other matches go on
        text = shortened(f"{type(error).__name__}: {error}")
        return PlayedMatch(records=records, events=events, crash=text)
    result = local.match.result
    assert result is not None
    return PlayedMatch(
        winners=result.winners,
        scores=result.scores,
        end_reason=result.end_reason,
        records=records,
        events=events,
        times=tuple(bot.times() for bot in bots) if task.with_times else (),
        deeds=tuple(dict(sorted(bot.deeds.items())) for bot in bots),
    )


def load_bot(name: str, ruleset: str, read_output: Callable[[], str]) -> Chooser:
    """Load a bot; printing and leaving the program are errors too. Raises BotError."""
    try:
        chooser = load_chooser(name, ruleset)
    except BotError:
        raise
    except BaseException as error:  # sys.exit() in a file of the user, for example
        raise BotError(f"{name}: {type(error).__name__}: {error}") from error
    if printed := read_output():
        raise BotError(f"{name} printed to standard output while it was loaded: {printed!r}")
    return chooser


def _refused_text(chooser: Chooser, fault: IllegalAnswer) -> str:
    if isinstance(chooser, UserBot):
        return str(chooser.refused(fault.action, str(fault.illegal)))
    return str(fault)


class _SeatBot:
    """The bot of one seat, in one match."""

    def __init__(
        self, task: LeagueTask, seat: Seat, name: str, clock: BotClock, read_output: Callable[[], str]
    ) -> None:
        """Raises BotFault if the bot cannot be loaded, and BotChanged."""
        self._task, self._seat, self._name = task, seat, name
        self._clock, self._read_output = clock, read_output
        if bot_identity(name, task.job.ruleset) != task.identities[seat]:
            raise BotChanged(f"{name} has changed since the league began")
        self._vocabulary = load_ruleset(task.job.ruleset, task.job.packs).vocabulary
        self._decisions, self._total, self._longest = 0, 0.0, 0.0
        self.deeds: Counter[str] = Counter()
        """How often it has chosen each kind of action."""
        with self._running(task.load_seconds):
            try:
                self.choose = load_bot(name, task.job.ruleset, read_output)
            except BotError as fault:
                raise BotFault(seat, "not loaded", str(fault)) from fault

    def times(self) -> DecisionTimes:
        return DecisionTimes(self._decisions, round(1000 * self._total, 3), round(1000 * self._longest, 3))

    def chooser(self) -> LocalChooser[Any, Any, Any]:
        rng = seeds.bot_rng(self._task.job.seed, self._seat)
        return lambda match, decision, options: self._answer(match, decision, options, rng)

    @contextmanager
    def _running(self, seconds: float) -> Iterator[None]:
        self._clock.start(self._seat, seconds)
        try:
            yield
        finally:
            self._clock.stop()

    def _answer(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        """Return the bot's answer. Raises BotFault."""
        begun = time.perf_counter()
        with self._running(self._task.decision_seconds):
            try:
                action = self.choose(match, decision, options, rng)
            except BotError as fault:
                kind: FaultKind = "raised" if fault.__cause__ else "no action"
                raise BotFault(self._seat, kind, str(fault)) from fault
            except BaseException as error:  # also SystemExit: leaving the program is no answer
                text = f"{self._name}: {type(error).__name__}: {error}"
                raise BotFault(self._seat, "raised", text) from error
        seconds = time.perf_counter() - begun
        self._decisions, self._total = self._decisions + 1, self._total + seconds
        self._longest = max(self._longest, seconds)
        self._check(action, seconds)
        self.deeds[str(action.__struct_config__.tag)] += 1
        return action

    def _check(self, action: Any, seconds: float) -> None:
        if seconds > self._task.decision_seconds:
            raise BotFault(self._seat, "slow", slow_text(self._name, self._task.decision_seconds))
        if printed := self._read_output():
            raise BotFault(
                self._seat, "printed", f"{self._name} printed to standard output: {printed!r}; use standard error"
            )
        if isinstance(self.choose, UserBot):
            try:  # as a server would read it: an action of this ruleset, with fields of the right types
                msgspec.json.decode(msgspec.json.encode(action), type=self._vocabulary.action)
            except (msgspec.MsgspecError, TypeError, ValueError) as error:
                kind = type(action).__name__
                text = f"{self._name} returned {kind}, which is no action of {self._task.job.ruleset}: {error}"
                raise BotFault(self._seat, "no action", text) from error


def slow_text(name: str, seconds: float) -> str:
    return f"{name} took longer than {seconds:g} s for a decision"


class CapturedOutput:
    """Standard output of the process of a match, caught in a pipe, also what other programs print that a bot starts."""

    def __init__(self) -> None:
        self._reading, writing = os.pipe()
        for end in (self._reading, writing):
            os.set_blocking(end, False)
        os.dup2(writing, 1)
        os.close(writing)
        # Without a buffer, as `python -u` has it, so that nothing of one match is left for the next.
        sys.stdout = TextIOWrapper(FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)

    def read(self) -> str:
        """Return what has been printed since the last call; what the pipe could not hold is lost."""
        try:
            return os.read(self._reading, MAX_PRINTED_BYTES).decode("utf-8", "replace")
        except BlockingIOError:
            return ""
