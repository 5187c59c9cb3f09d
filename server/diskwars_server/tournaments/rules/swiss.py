"""Pairing by points: a matching of all entrants of the least cost.

The costs are ranked: what must not be counts more than everything else, then who has the bye, the differences in
points, the seats, and last how the halves of a group of equals meet. Each rank weighs more than all below it together.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

BYE = 0
"""The vertex of the bye. Entrants have numbers from 1."""
MAX_BALANCE = 2
"""How much oftener an entrant may have had one seat than the other."""

# How much each rank of cost weighs; every sum over a pairing of 128 is below the next one.
_SEAT_WEIGHT = 1 << 22
_DIFFERENCE_WEIGHT = 1 << 32
_BYE_WEIGHT = 1 << 48
_FORBIDDEN_WEIGHT = 1 << 60


class SwissEntrant(Struct, frozen=True, gc=False):
    """An entrant as pairing sees them. `balance` is how much oftener they had the first seat than the second.

    `last_seat` is that of the last match, None before it.
    """

    number: int
    half_points: int = 0
    opponents: frozenset[int] = frozenset()
    balance: int = 0
    last_seat: int | None = None
    had_bye: bool = False


class SwissPairing(Struct, frozen=True, gc=False):
    """The matches of a round in the order of their seats, the strongest first, and who has the bye."""

    boards: tuple[tuple[int, int], ...]
    bye: int | None = None


def pair_swiss(entrants: Sequence[SwissEntrant]) -> SwissPairing:
    """Return the pairing of a round. `entrants` come in the order of their seeds.

    Nobody meets an opponent again, has a second bye or gets a seat three times oftener than the other, as long as any
    pairing avoids it.
    """
    import networkx  # here: a server starts without it, and it takes a while

    ranked = sorted(entrants, key=lambda entrant: -entrant.half_points)  # stable: by seed within a group
    by_number = {entrant.number: entrant for entrant in ranked}
    graph = networkx.Graph()
    ranks, sizes = _ranks_of(ranked), Counter(entrant.half_points for entrant in ranked)
    worst = 2 * _FORBIDDEN_WEIGHT * 4
    for at, entrant in enumerate(ranked):
        for other in ranked[at + 1 :]:
            cost = _pair_cost(entrant, other)
            # Within a group of equals the upper half meets the lower one; otherwise those next to each other meet.
            is_equal = entrant.half_points == other.half_points
            wanted = sizes[entrant.half_points] // 2 if is_equal else 1
            apart = ranks[other.number] - ranks[entrant.number]
            # An edge of weight 0 would still be matched: what must not be paired would have to be left out.
            graph.add_edge(entrant.number, other.number, weight=worst - cost - (apart - wanted) ** 2)
    if len(ranked) % 2:
        for entrant in ranked:
            cost = entrant.had_bye * _FORBIDDEN_WEIGHT + entrant.half_points * _BYE_WEIGHT
            graph.add_edge(entrant.number, BYE, weight=worst - cost + ranks[entrant.number])
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    bye = next((number for pair in matching if BYE in pair for number in pair if number != BYE), None)
    pairs = [pair for pair in matching if BYE not in pair]
    return SwissPairing(tuple(_order_boards(pairs, by_number, ranks)), bye)


def _ranks_of(ranked: Sequence[SwissEntrant]) -> dict[int, int]:
    return {entrant.number: at for at, entrant in enumerate(ranked)}


def _pair_cost(one: SwissEntrant, other: SwissEntrant) -> int:
    cost = abs(one.half_points - other.half_points) * _DIFFERENCE_WEIGHT
    if other.number in one.opponents:
        cost += _FORBIDDEN_WEIGHT
    first, second = order_seats(one, other)
    balances = abs(first.balance + 1), abs(second.balance - 1)
    if max(balances) > MAX_BALANCE:
        cost += _FORBIDDEN_WEIGHT
    return cost + sum(balance >= MAX_BALANCE for balance in balances) * _SEAT_WEIGHT


def order_seats(one: SwissEntrant, other: SwissEntrant) -> tuple[SwissEntrant, SwissEntrant]:
    """Return two entrants in the order of their seats: the first goes to who has had it less, then not last."""
    if one.balance != other.balance:
        return (one, other) if one.balance < other.balance else (other, one)
    if one.last_seat != other.last_seat and one.last_seat is not None:
        return (one, other) if one.last_seat == 1 else (other, one)
    if other.last_seat == 1 and one.last_seat is None:
        return other, one
    # Nothing tells them apart: every second of the lower numbers sits first.
    lower, upper = (one, other) if one.number < other.number else (other, one)
    return (lower, upper) if lower.number % 2 else (upper, lower)


def _order_boards(
    pairs: Sequence[tuple[int, int]], by_number: dict[int, SwissEntrant], ranks: dict[int, int]
) -> list[tuple[int, int]]:
    def strength(pair: tuple[int, int]) -> tuple[int, int]:
        points = sum(by_number[number].half_points for number in pair)
        return -points, min(ranks[number] for number in pair)

    boards = []
    for one, other in sorted(pairs, key=strength):
        upper, lower = sorted((one, other), key=lambda number: ranks[number])
        first, second = order_seats(by_number[upper], by_number[lower])
        boards.append((first.number, second.number))
    return boards
