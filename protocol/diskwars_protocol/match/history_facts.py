"""Facts that histories read off the events of a ruleset: beginnings of phases, and rolls with their chances."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import Seat

MarkKind: TypeAlias = Literal["round", "activation", "melee"]
"""The kinds of moments that a replay can jump to."""


class Roll(Struct, frozen=True, gc=False):
    """A die, or dice that count together, rolled for a seat, with all that could have come.

    `weights[v]` is how many of the equally likely outcomes have the value v, and `rolled` is the value that came. More
    is better for the seat. A roll with two weights failed or succeeded.
    """

    kind: str
    seat: Seat
    weights: tuple[int, ...]
    rolled: int

    @property
    def is_test(self) -> bool:
        """Whether the roll could only fail or succeed."""
        return len(self.weights) == 2


Rolls: TypeAlias = Callable[[Any, Any], Iterable[Roll]]
"""Returns the rolls in an event, on the board before the record of the event, or after the record where none was."""


def no_rolls(board: Any, event: Any) -> Iterable[Roll]:
    """Return nothing: the ruleset declares no rolls."""
    return ()


Armies: TypeAlias = Callable[[Any], tuple[str | None, ...]]
"""Returns the ids of the armies on a board, by seat; None for one without an id."""


def no_armies(board: Any) -> tuple[str | None, ...]:
    """Return nothing: what players bring to this ruleset has no ids."""
    return ()


Sides: TypeAlias = Callable[[int], tuple[tuple[Seat, ...], ...]]
"""Returns the seats of each side, by the number of seats of a match."""


def each_alone(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return every seat as a side of its own."""
    return tuple((seat,) for seat in range(seats))


def two_sides(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return two sides, on which seats take turns: of four, the first and the third share one."""
    return tuple(range(0, seats, 2)), tuple(range(1, seats, 2))


class HistoryFacts(Struct, frozen=True):
    """`mark_kinds` are the events with which a round, an activation or a melee begins. `rolls` finds those of an event.

    Those who watch a match a round later see its records up to the one with which the round under way begins.

    Rolls that favour nobody, such as a shuffle or a random pick, are not among them. `armies` are those that ended
    matches are found by. `sides` are the seats that win or lose together.
    """

    mark_kinds: Mapping[type, MarkKind] = MappingProxyType({})
    rolls: Rolls = no_rolls
    armies: Armies = no_armies
    sides: Sides = each_alone


NO_HISTORY_FACTS = HistoryFacts()


def success_roll(kind: str, seat: Seat, favourable: int, outcomes: int, passed: bool) -> Roll:
    """Return a roll that succeeds in `favourable` of `outcomes` cases."""
    return Roll(kind, seat, (outcomes - favourable, favourable), int(passed))


def face_roll(kind: str, seat: Seat, face: int, sides: int) -> Roll:
    """Return a die whose face is worth its number."""
    return Roll(kind, seat, (0, *(1,) * sides), face)


def threshold_rolls(kind: str, seat: Seat, faces: Sequence[int], sides: int, *, at_most: int) -> list[Roll]:
    """Return a roll for each of some dice, which succeed with at most this face."""
    favourable = max(0, min(sides, at_most))
    return [success_roll(kind, seat, favourable, sides, face <= at_most) for face in faces]


def sum_test(kind: str, seat: Seat, dice: int, sides: int, needed: int, passed: bool) -> Roll:
    """Return a roll of a few dice that succeeds if their sum is at most `needed`."""
    favourable = sum(sum(faces) <= needed for faces in product(range(1, sides + 1), repeat=dice))
    return success_roll(kind, seat, favourable, sides**dice, passed)
