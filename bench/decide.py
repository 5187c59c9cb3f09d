"""What does one decision cost? By kind of action, step by step, and the ten slowest with what they were.

    python -m bench.decide [--matches N] [--rounds N]

Bots' matches of two regiments a side are decided again, command by command, as the server does it but without sockets
and store. All figures are time of the processor, each that of a command the median over the rounds. The worst melee is
laid out by hand: forty disks in one engagement.
"""

import argparse
import gc
import secrets as entropy
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from statistics import mean, median
from time import thread_time_ns
from typing import TypeAlias

import msgspec

from bench.melee import Decided, worst
from bench.played import RULES, Played, opened, play, secrets_of, stamp
from diskwars_engine.ledger import Book, Page
from diskwars_engine.match import Command, Secrets, digest
from diskwars_protocol.diskwars.actions import Action
from diskwars_protocol.fairness import SALT_SIZE
from diskwars_protocol.match import PUBLIC, MatchId
from diskwars_server.audience import Audience

STEPS = ("read", "decide", "seal", "fold", "tell")
Times: TypeAlias = tuple[int, ...]
"""Nanoseconds, one for each of `STEPS`."""

_ENCODER = msgspec.json.Encoder()
_ACTIONS: msgspec.json.Decoder[Action] = msgspec.json.Decoder(RULES.ruleset.words.action)


def main() -> None:
    parser = argparse.ArgumentParser(description="What one decision costs.")
    parser.add_argument("--matches", type=int, default=20, help="how many matches (20)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is decided (5)")
    options = parser.parse_args()
    matches = [play(seed) for seed in range(1, options.matches + 1)]
    gc.freeze()  # what was played stays; only what deciding makes is looked at
    rounds = [[times for match in matches for times in decided(match)] for _ in range(options.rounds)]
    each = [tuple(int(median(step)) for step in zip(*several, strict=True)) for several in zip(*rounds, strict=True)]
    names = [described(match, number) for match in matches for number in range(len(match.commands))]
    _show("microseconds by kind of action", ("action", "count", "median", "p99", "command", "p99"), _kinds(names, each))
    _show("microseconds of a command on the mean, by step", ("step", "mean", "median"), _steps(each))
    _show("the ten slowest decisions", ("microseconds", "what"), _slowest(names, each))
    _show("a melee of forty disks: its slowest decisions", ("milliseconds", "events", "what"), _melee(options.rounds))


# ---------------------------------------------------------------- measuring


def decided(match: Played) -> list[Times]:
    """What each command of a match costs."""
    book, _ = opened(match)
    secrets, audience = secrets_of(match), Audience(RULES, MatchId(book.ledger.match))
    return [
        _timed(book, secrets, audience, command, number, match.appends[number])
        for number, command in enumerate(match.commands)
    ]


def _timed(
    book: Book, secrets: Secrets, audience: Audience, command: Command[Action], number: int, expected: Sequence[object]
) -> Times:
    raw, marks = _ENCODER.encode(command.action), [thread_time_ns()]
    read = Command(command.player, command.decision, _ACTIONS.decode(raw), command.at)
    digest(read)
    marks.append(thread_time_ns())
    events = RULES.decide(book.state, book.head, read, secrets)
    marks.append(thread_time_ns())
    page = book.ledger.seal(events, book.head, book.hash, stamp(command.player, str(number)), _salt)
    marks.append(thread_time_ns())
    book.turn(page, book.fold(page))
    marks.append(thread_time_ns())
    _tell(audience, page, len(book.state.chairs))
    marks.append(thread_time_ns())
    assert events == expected, "what is decided is what was played"
    return tuple(later - earlier for earlier, later in pairwise(marks))


def _salt() -> bytes:
    return entropy.token_bytes(SALT_SIZE)


def _tell(audience: Audience, page: Page, seats: int) -> None:
    """Every seat and one who only watches; one frame for all where nothing is hidden."""
    is_secret = any(line.hidden for line in page)
    for viewer in (*range(seats), PUBLIC) if is_secret else (PUBLIC,):
        audience.frame(page, viewer)


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
    return times[1] + times[3]


def _kinds(names: Sequence[tuple[str, str]], each: Sequence[Times]) -> list[Sequence[str]]:
    kinds: dict[str, list[Times]] = {}
    for (kind, _), times in zip(names, each, strict=True):
        kinds.setdefault(kind, []).append(times)
    ordered = sorted(kinds.items(), key=lambda found: -len(found[1]))
    return [_row(kind, found) for kind, found in [*ordered, ("all", list(each))]]


def _row(kind: str, found: Sequence[Times]) -> Sequence[str]:
    figures = [_figure(of, found) for of in (_engine, sum)]
    return (kind, str(len(found)), *(text for pair in figures for text in pair))


def _figure(of: Callable[[Times], int], found: Sequence[Times]) -> tuple[str, str]:
    costs = sorted(of(times) for times in found)
    return _micro(median(costs)), _micro(costs[min(len(costs) - 1, len(costs) * 99 // 100)])


def _micro(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:.0f}"


def _steps(each: Sequence[Times]) -> list[Sequence[str]]:
    columns = [*zip(*each, strict=True), tuple(sum(times) for times in each)]
    return [
        (name, _micro(mean(column)), _micro(median(column)))
        for name, column in zip((*STEPS, "all"), columns, strict=True)
    ]


def _slowest(names: Sequence[tuple[str, str]], each: Sequence[Times]) -> list[Sequence[str]]:
    found = sorted(zip(each, names, strict=True), key=lambda one: -_engine(one[0]))[:10]
    return [(_micro(_engine(times)), f"{kind}, {what}") for times, (kind, what) in found]


def _melee(rounds: int) -> list[Sequence[str]]:
    runs: list[list[Decided]] = [worst() for _ in range(rounds)]
    found = [(median(one.nanoseconds for one in same), same[0]) for same in zip(*runs, strict=True)]
    found.sort(key=lambda one: -one[0])
    return [(f"{spent / 1e6:.2f}", str(one.events), one.what) for spent, one in found[:3]]


def _show(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    print(f"\n{title}\n")
    for row in table:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
