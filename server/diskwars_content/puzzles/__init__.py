"""Puzzles: positions of played matches in which one deed wins far more often than the others.

They were found by `python -m tools.find_puzzles`, and each is a file of this package. Chances are parts of play-outs to
the end of the match, in which the roll-out policy of the game plays every seat; nothing in them is a rule.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText, Seat
from diskwars_protocol.messages.reviews import PerMille

FIRST_DAY = date(2026, 1, 1)
"""The day of the first puzzle; after the last one comes the first again."""
_FOLDER = resources.files(__name__) / "files"
_SUFFIX = ".json"


class UnknownPuzzle(KeyError):
    """Error for a puzzle that there is not."""


class PuzzleChoice(Struct, frozen=True):
    """An answer to the question of a puzzle, and the part of its play-outs that the seat won with it, per mille."""

    action: Raw
    wins: PerMille


class Puzzle(Struct, frozen=True):
    """A position, the seat that has to act, and the answers among which one is far better than the others.

    The position is the last record of `file`, a match file that ends there. `error` is the standard error of the gain
    of the best answer over the second, per mille.
    """

    puzzle: MatchIdText
    ruleset: str
    seat: Seat
    choices: Annotated[tuple[PuzzleChoice, ...], Meta(min_length=3, max_length=5)]
    play_outs: int
    error: PerMille
    file: str

    @property
    def best(self) -> int:
        """The place of the answer that wins most often."""
        return max(range(len(self.choices)), key=lambda place: self.choices[place].wins)


@cache
def puzzle_ids() -> Sequence[str]:
    """Return the ids of all puzzles in the order of their days: the games take turns."""
    names = [entry.name.removesuffix(_SUFFIX) for entry in _FOLDER.iterdir() if entry.name.endswith(_SUFFIX)]
    return tuple(sorted(names, key=lambda name: (name.rpartition("-")[2], name)))


def load_puzzle(id: str) -> Puzzle:
    """Return a puzzle. Raises UnknownPuzzle."""
    if id not in puzzle_ids():
        raise UnknownPuzzle(id)
    return msgspec.json.decode((_FOLDER / f"{id}{_SUFFIX}").read_bytes(), type=Puzzle)


def puzzle_of_day(day: date | None = None) -> str:
    """Return the id of a day's puzzle, of today in UTC without one."""
    day = day or datetime.now(UTC).date()
    ids = puzzle_ids()
    return ids[(day - FIRST_DAY).days % len(ids)]
