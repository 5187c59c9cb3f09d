"""Invented positions: boards of real matches with figures changed at random, through everything that takes a position.

`python -m tools.invented_positions COUNT SEED` prints how many were refused, and the worst of the others.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pkgutil import resolve_name
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.branches import branch_start
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_protocol.match.ids import ALL
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical

NUMBERS = (-1, 0, 1, 2, 3, 7, 12, 40, 99, 1000, 10**6, 10**9, 2**53 - 1)
ANSWERS = 2


class Moment(Struct, frozen=True):
    """A moment of a real match, and its board as plain JSON."""

    ruleset: AnyRuleset
    state: AnyMatch
    board: Any


class Tally(Struct):
    """The fates of the invented positions of one ruleset."""

    unreadable: int = 0
    refused: int = 0
    unchanged: int = 0
    played: int = 0
    most_events: int = 0
    most_picture_bytes: int = 0
    worst_check_ms: float = 0.0
    worst_play_ms: float = 0.0
    faults: Counter[str] = msgspec.field(default_factory=Counter)


def real_moments(name: str, seed: int) -> list[Moment]:
    """Play a match between random bots, and return every moment of it in which somebody has to decide."""
    ruleset = load_ruleset(name, ())
    flags = BotMatchFlags(data=DataOptions(), ruleset=name, players=min(ruleset.seat_counts), bots="random")
    job = next(find_simulation(name).jobs(flags, [seed]))
    local = seeded_match(ruleset, seed, job.loadouts, job.settings)
    states = [local.match for _ in play_bots(local, seed, job.bots)]
    running = [state for state in states if state.board is not None and state.status == "running"]
    return [Moment(ruleset, state, msgspec.to_builtins(state.board)) for state in running]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in plain JSON."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield (*path, key)
        yield from places_in(part, (*path, key))


def invent(board: Any, rng: random.Random) -> Any:
    """Return a board with one to three values changed."""
    board = msgspec.json.decode(msgspec.json.encode(board))
    for _ in range(rng.randint(1, 3)):
        *path, last = rng.choice(list(places_in(board)))
        parent = board
        for key in path:
            parent = parent[key]
        parent[last] = _changed(parent[last], rng)
    return board


def _changed(value: Any, rng: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, *NUMBERS))
        case str():
            return rng.choice((value[:-1], value + "x", "", value.replace("1", "9")))
        case list():
            return rng.choice((value[1:], value[::-1], value + value[-1:], value * 50))
        case _:
            return rng.choice((None, 0, 1, value))


def try_position(moment: Moment, board: Any, rng: random.Random, tally: Tally) -> None:
    """Take an invented position through branch, options and answers, and count what becomes of it."""
    began = perf_counter()
    try:
        typed = msgspec.convert(board, type(moment.state.board))
        encode_canonical(typed)  # readers of files refuse what is not canonical, such as larger numbers
    except (msgspec.ValidationError, NotCanonical):
        tally.unreadable += 1
        return
    try:
        branch_start(moment.ruleset, msgspec.structs.replace(moment.state, board=typed), ALL, rng)
    except Illegal as refusal:
        tally.refused += 1
        tally.faults[refusal.text.partition("$")[2].partition(":")[0].partition("[")[0]] += 1
        return
    finally:
        tally.worst_check_ms = max(tally.worst_check_ms, 1000 * (perf_counter() - began))
    if typed == moment.state.board:
        tally.unchanged += 1
        return
    tally.played += 1
    began = perf_counter()
    tally.most_events = max(tally.most_events, play_on(moment.ruleset, typed, rng))
    tally.worst_play_ms = max(tally.worst_play_ms, 1000 * (perf_counter() - began))
    draw_board = resolve_name(f"diskwars_text.rulesets.{moment.state.ruleset}.picture:draw_board")
    tally.most_picture_bytes = max(tally.most_picture_bytes, len(draw_board(typed)))


def play_on(ruleset: AnyRuleset, board: Any, rng: random.Random) -> int:
    """Answer twice as the rules do for a seat that does not; return the most events of a decision."""
    most, dice = 0, QuickDice(rng, 4)
    for _ in range(ANSWERS):
        questions = ruleset.questions(board)
        if not questions or ruleset.result(board) is not None:
            break
        seat, question = questions[0]
        ruleset.options(board, seat, question)
        action = ruleset.default(board, seat, question, dice)
        try:
            outcome = ruleset.decide(board, seat, question, action, dice)
        except Illegal:
            break  # a default may lack a salt, which players give
        most, board = max(most, len(outcome.events)), outcome.board
    return most


def run(count: int, seed: int) -> dict[str, Tally]:
    """Invent `count` positions, as many of each ruleset."""
    rng, tallies = random.Random(seed), dict[str, Tally]()
    for name in RULESETS:
        moments, tally = real_moments(name, seed), tallies.setdefault(name, Tally())
        for _ in range(count // len(RULESETS)):
            moment = rng.choice(moments)
            try_position(moment, invent(moment.board, rng), rng, tally)
    return tallies


def summary(tallies: dict[str, Tally]) -> Iterator[str]:
    """Yield a line for each ruleset."""
    for name, tally in tallies.items():
        yield (
            f"{name}: {tally.unreadable} unreadable, {tally.refused} refused, {tally.unchanged} unchanged, "
            f"{tally.played} played on; worst {tally.most_events} events, check {tally.worst_check_ms:.1f} ms, "
            f"two answers {tally.worst_play_ms:.1f} ms, picture {tally.most_picture_bytes} bytes"
        )


def main(arguments: Sequence[str]) -> None:
    """Print what becomes of invented positions. Arguments: how many, and the seed."""
    count, seed = (*map(int, arguments), *(100_000, 1)[len(arguments) :])
    print(*summary(run(count, seed)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
