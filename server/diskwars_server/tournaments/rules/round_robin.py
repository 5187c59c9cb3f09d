"""The schedule of a round robin: everybody meets everybody once, and has both seats equally often or once more."""

from collections.abc import Sequence

IDLE = 0
"""The opponent of who has no match in a round, where their number is odd."""


def round_count(entrants: int) -> int:
    """Return the number of rounds in which everybody meets everybody."""
    return entrants - 1 + entrants % 2


def schedule_round(entrants: Sequence[int], number: int) -> list[tuple[int, int]]:
    """Return the matches of a round from 1, in the order of their seats, by the tables of Berger.

    The last entrant stays where they are and the others turn; where their number is odd nobody has that place.
    """
    circle = [*entrants, IDLE] if len(entrants) % 2 else list(entrants)
    turning, count = circle[:-1], len(circle) - 1
    pairs = []
    for board in range(len(circle) // 2):
        upper = (number - 1) * (len(circle) // 2) + board
        if board == 0:
            pair = turning[upper % count], circle[-1]
            pairs.append(pair if number % 2 else (pair[1], pair[0]))
        else:
            lower = (number - 1) * (len(circle) // 2) - board
            pairs.append((turning[upper % count], turning[lower % count]))
    return [pair for pair in pairs if IDLE not in pair]
