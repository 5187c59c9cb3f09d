"""What does one decision cost? By kind of action, step by step, and the ten slowest with what they were.

Bots' matches of two regiments a side are decided again, command by command, as the server does it but without sockets
and store. All figures are time of the processor, each that of a command the median over the runs. The worst melee is
laid out by hand: forty disks in one engagement.
"""

import secrets as entropy
from collections.abc import Sequence
from itertools import pairwise
from time import thread_time_ns
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from bench.melee import Decided, worst
from bench.played_matches import RULES, Played, opened, play, secrets_of, stamp
from bench.tables import USUAL, Bound, Effort, Table, median, percentile, shown
from diskwars_engine.match import Command, Secrets, digest
from diskwars_engine.match_log import Book, Page
from diskwars_protocol.fairness import SALT_BYTES
from diskwars_protocol.match import PUBLIC, MatchId
from diskwars_protocol.rulesets.diskwars.actions import Action, MoveDisk
from diskwars_server.subscribers import Subscribers

MATCHES = 20
PASTS = (1, 5, 50, 500)
RECORDS_A_STEP = 20
"""About so many records a match has for each step of its dice."""
TIMES = 200
ACTIVATIONS = ("MoveDisk", "Shoot", "Focus", "PassDisk")
STEPS = ("read", "decide and apply", "seal", "turn", "tell")
Times: TypeAlias = tuple[int, ...]
"""Nanoseconds, one for each of `STEPS`."""

_ENCODER = msgspec.json.Encoder()
_ACTIONS: msgspec.json.Decoder[Action] = msgspec.json.Decoder(RULES.ruleset.words.action)


def tables(effort: Effort = USUAL) -> list[Table]:
    matches = [play(seed) for seed in range(1, MATCHES + 1 if effort.full else 2)]
    rounds = [[times for match in matches for times in decided(match)] for _ in range(effort.runs)]
    each = [tuple(int(median(step)) for step in zip(*several, strict=True)) for several in zip(*rounds, strict=True)]
    names = [described(match, number) for match in matches for number in range(len(match.commands))]
    return [_kinds(names, each), _steps(each), _slowest(names, each), _melee(effort.runs), _growth(effort)]


# ---------------------------------------------------------------- measuring


def decided(match: Played) -> list[Times]:
    """What each command of a match costs."""
    book, _ = opened(match)
    secrets, audience = secrets_of(match), Subscribers(RULES, MatchId(book.ledger.match))
    return [
        _timed(book, secrets, audience, command, number, match.appends[number])
        for number, command in enumerate(match.commands)
    ]


def _timed(
    book: Book,
    secrets: Secrets,
    audience: Subscribers,
    command: Command[Action],
    number: int,
    expected: Sequence[object],
) -> Times:
    raw, marks = _ENCODER.encode(command.action), [thread_time_ns()]
    read = Command(command.player, command.decision, _ACTIONS.decode(raw), command.at)
    read = replace(read, digest=digest(read))
    marks.append(thread_time_ns())
    unfolded = RULES.unfold(book.state, book.head, read, secrets)
    marks.append(thread_time_ns())
    page = book.ledger.seal(unfolded.events, book.head, book.hash, stamp(command.player, str(number)), _salt)
    marks.append(thread_time_ns())
    book.turn(page, unfolded.after)
    marks.append(thread_time_ns())
    _tell(audience, page, len(book.state.seats))
    marks.append(thread_time_ns())
    assert unfolded.events == expected, "what is decided is what was played"
    return tuple(later - earlier for earlier, later in pairwise(marks))


def _salt() -> bytes:
    return entropy.token_bytes(SALT_BYTES)


def _tell(audience: Subscribers, page: Page, seats: int) -> None:
    """Every seat and one who only watches; one frame for all where nothing is hidden."""
    is_secret = any(line.hidden for line in page)
    for viewer in (*range(seats), PUBLIC) if is_secret else (PUBLIC,):
        audience.encode_records(page, viewer)


def described(match: Played, number: int) -> tuple[str, str]:
    """The kind of a command, and what it was."""
    append = match.appends[number]
    kinds = [type(event).__name__ for event in append[1:-1]]
    most = max(dict.fromkeys(kinds), key=kinds.count, default="nothing")
    return (
        type(match.commands[number].action).__name__,
        f"seed {match.seed}, append {number + 2}: {len(append)} events, most of them {most}",
    )


# ---------------------------------------------------------------- showing


def _engine(times: Times) -> int:
    """Deciding, and applying what was decided."""
    return times[1]


def _micro(nanoseconds: float) -> float:
    return nanoseconds / 1000


def _kinds(names: Sequence[tuple[str, str]], each: Sequence[Times]) -> Table:
    kinds: dict[str, list[Times]] = {}
    for (kind, _), times in zip(names, each, strict=True):
        kinds.setdefault(kind, []).append(times)
    ordered = sorted(kinds.items(), key=lambda found: -len(found[1]))
    activations = [_engine(times) for kind in ACTIVATIONS for times in kinds.get(kind, [])]
    usual = _micro(median(activations))
    return Table(
        "Commands of bots, two regiments a side, by kind of action",
        ("action", "commands", "decide and apply, median µs", "p99 µs", "whole command, median µs", "p99 µs"),
        tuple(_row(kind, found) for kind, found in [*ordered, ("all", list(each))]),
        bounds=(Bound("an ordinary activation, median", usual, 250, unit="µs"),),
        notes=("A whole command: read, decided, sealed, and made a frame for every class of viewers.",),
        short=(f"The rules take {shown(usual)} µs for an ordinary activation.",),
    )


def _row(kind: str, found: Sequence[Times]) -> tuple[str | int | float, ...]:
    figures: list[float] = []
    for of in (_engine, sum):
        costs = [of(times) for times in found]
        figures += [_micro(median(costs)), _micro(percentile(costs, 0.99))]
    return (kind, len(found), *figures)


def _steps(each: Sequence[Times]) -> Table:
    columns = [*zip(*each, strict=True), tuple(sum(times) for times in each)]
    named = zip((*STEPS, "all"), columns, strict=True)
    return Table(
        "Where a command spends its time",
        ("step", "mean µs", "median µs"),
        tuple((name, _micro(sum(column) / len(column)), _micro(median(column))) for name, column in named),
    )


def _slowest(names: Sequence[tuple[str, str]], each: Sequence[Times]) -> Table:
    found = sorted(zip(each, names, strict=True), key=lambda one: -_engine(one[0]))[:10]
    return Table(
        "The ten slowest decisions",
        ("action", "decide and apply, µs", "what"),
        tuple((kind, _micro(_engine(times)), what) for times, (kind, what) in found),
    )


def _melee(runs: int) -> Table:
    """Not more rows than tell what is slow: the rest are cards."""
    found = [(median(one.nanoseconds for one in same) / 1e6, same[0]) for same in zip(*_melees(runs), strict=True)]
    found.sort(key=lambda one: -one[0])
    return Table(
        "A melee of forty disks in one engagement: its slowest decisions",
        ("action", "decide and apply, ms", "events", "most of them"),
        tuple((one.action, spent, one.events, one.most) for spent, one in found[:3]),
        bounds=(Bound("the slowest decision of the melee", found[0][0], 8, unit="ms"),),
    )


def _growth(effort: Effort) -> Table:
    """The same decision in the same position, but with more and more behind it."""
    times = effort.upto((TIMES,), TIMES // 10)[0]
    runs = [[_after(steps, times) for steps in PASTS] for _ in range(effort.runs)]
    found = [median(same) for same in zip(*runs, strict=True)]
    return Table(
        "The same activation after a longer past",
        ("steps of the dice", "records", "decide, median µs"),
        tuple((steps, steps * RECORDS_A_STEP, _micro(cost)) for steps, cost in zip(PASTS, found, strict=True)),
        bounds=(Bound("the longest past, as a multiple of the shortest", found[-1] / found[0], 1.2),),
    )


def _after(steps: int, times: int) -> float:
    """The median over so many decisions of one and the same command."""
    played = play(1)
    book, _ = opened(played)
    state, secrets = book.state, secrets_of(played)
    for command, append in zip(played.commands, played.appends, strict=True):
        if isinstance(command.action, MoveDisk):
            break
        state = RULES.apply_all(state, append)
    state = replace(state, slots=(state.seat_nonces * steps)[:steps], step=steps)
    costs = []
    for _ in range(times):
        start = thread_time_ns()
        RULES.unfold(state, steps * RECORDS_A_STEP, command, secrets)
        costs.append(thread_time_ns() - start)
    return median(costs)


def _melees(runs: int) -> list[list[Decided]]:
    return [worst() for _ in range(runs)]
