"""The tree of an elimination: its matches, from where their entrants come, and what has been decided.

A match takes the winner or the loser of another, or a seed. Where nobody comes, the other goes on without a match.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero
from diskwars_protocol.tournaments.events import PlaceText
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard, TournamentRound

NOBODY = 0
"""In the place of an entrant: a free place of the bracket, or two who both forfeited."""
FINAL, SECOND_FINAL, THIRD_PLACE = "F", "G", "T"

SourceKind: TypeAlias = Literal["seed", "winner", "loser"]


class BracketSource(Struct, frozen=True, gc=False):
    """From where an entrant of a match comes: `of` is a seed, or the place of an earlier match."""

    kind: SourceKind
    of: Annotated[str, Meta(extra_json_schema={"pattern": "^([0-9]{1,3}|[A-Z]|[A-Z][0-9]{1,2}[.][0-9]{1,3})$"})]


class BracketMatch(Struct, frozen=True, gc=False):
    """A match of the tree. `level` is the first round in which it can be played."""

    place: PlaceText
    level: int
    sources: tuple[BracketSource, ...]


class BracketPlace(Struct, frozen=True, gc=False, omit_defaults=True):
    """A match of the tree as it stands.

    `first` and `second` are its entrants, absent while they are not known; 0 is nobody. So are `winner` and `loser`.
    `is_free`: it is decided without a match, because somebody is missing.
    """

    place: PlaceText
    level: AtLeastOne
    sources: Annotated[tuple[BracketSource, ...], Meta(extra_json_schema={"minItems": 2, "maxItems": 2})]
    first: AtLeastZero | None = None
    second: AtLeastZero | None = None
    winner: AtLeastZero | None = None
    loser: AtLeastZero | None = None
    is_free: bool = False
    board: TournamentBoard | None = None

    @property
    def entrants(self) -> tuple[int | None, int | None]:
        return self.first, self.second

    @property
    def is_ready(self) -> bool:
        """Whether both entrants are known and have no match yet."""
        return self.board is None and self.winner is None and all(self.entrants)


def seed_order(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, so that the best meet last. `size` is a power of two."""
    order = [1]
    while len(order) < size:
        order = [seed for known in order for seed in (known, 2 * len(order) + 1 - known)]
    return order


def build_bracket(count: int, *, is_double: bool = False, third_place: bool = False) -> list[BracketMatch]:
    """Return the tree for this many seeds, sources before those that need them."""
    depth = max(1, (count - 1).bit_length())
    tree = list(_winners(depth, last="" if is_double else FINAL))
    if is_double:
        tree += _losers(depth)
        beaten = f"L{2 * depth - 2}.1" if depth > 1 else "W1.1"
        first = _winner(f"W{depth}.1"), _winner(beaten) if depth > 1 else _loser(beaten)
        level = 2 * depth if depth > 1 else 2
        tree.append(BracketMatch(FINAL, level, first))
        tree.append(BracketMatch(SECOND_FINAL, level + 1, (_winner(FINAL), _loser(FINAL))))
    elif third_place and depth > 1:
        semi_finals = f"W{depth - 1}.1", f"W{depth - 1}.2"
        tree.append(BracketMatch(THIRD_PLACE, depth, (_loser(semi_finals[0]), _loser(semi_finals[1]))))
    return tree


def _winners(depth: int, last: str) -> Iterator[BracketMatch]:
    order = seed_order(2**depth)
    for level in range(1, depth + 1):
        for number in range(1, 2 ** (depth - level) + 1):
            place = last if last and level == depth else f"W{level}.{number}"
            upper, lower = 2 * number - 1, 2 * number
            if level == 1:
                sources = BracketSource("seed", str(order[upper - 1])), BracketSource("seed", str(order[lower - 1]))
            else:
                sources = _winner(f"W{level - 1}.{upper}"), _winner(f"W{level - 1}.{lower}")
            yield BracketMatch(place, level, sources)


def _losers(depth: int) -> Iterator[BracketMatch]:
    """Yield the matches of those who have lost once, of whom each round takes in the losers of one of the winners."""
    for number in range(1, 2 ** (depth - 2) + 1 if depth > 1 else 1):
        yield BracketMatch(f"L1.{number}", 2, (_loser(f"W1.{2 * number - 1}"), _loser(f"W1.{2 * number}")))
    for level in range(2, depth + 1):
        count, taking_in = 2 ** (depth - level), 2 * level - 2
        for number in range(1, count + 1):
            # From the other end in every second round: those who have met come from the same end.
            other = count + 1 - number if level % 2 == 0 else number
            sources = _winner(f"L{taking_in - 1}.{number}"), _loser(f"W{level}.{other}")
            yield BracketMatch(f"L{taking_in}.{number}", taking_in + 1, sources)
        for number in range(1, count // 2 + 1):
            sources = _winner(f"L{taking_in}.{2 * number - 1}"), _winner(f"L{taking_in}.{2 * number}")
            yield BracketMatch(f"L{taking_in + 1}.{number}", taking_in + 2, sources)


def _winner(place: str) -> BracketSource:
    return BracketSource("winner", place)


def _loser(place: str) -> BracketSource:
    return BracketSource("loser", place)


def bracket_of(state: Tournament) -> list[BracketPlace]:
    """Return the bracket of a tournament that has one, as it stands: of the elimination, or of the final."""
    if state.is_bracket:
        seeds = [number for number in state.seeds if state.entrant(number).seed]
        is_double = state.options.format == "double_elimination"
        rounds = state.rounds
    else:
        rounds = tuple(round_ for round_ in state.rounds if round_.stage == "final")
        seeds, is_double = list(state.finalists), False
    if len(seeds) < 2 or state.status == "open":
        return []
    tree = build_bracket(len(seeds), is_double=is_double, third_place=state.options.third_place)
    return fill_bracket(tree, seeds, rounds)


def fill_bracket(tree: list[BracketMatch], seeds: list[int], rounds: tuple[TournamentRound, ...]) -> list[BracketPlace]:
    """Return the tree with its entrants and results. `seeds` are the entrants, the best first."""
    boards = {board.place: board for round_ in rounds for board in round_.boards}
    places: dict[str, BracketPlace] = {}
    for match in tree:
        upper, lower = (_entrant_from(source, seeds, places) for source in match.sources)
        if match.place == SECOND_FINAL and places[FINAL].winner == places[FINAL].entrants[0]:
            lower = NOBODY  # the winner of the first final had not lost before
        places[match.place] = _fill(match, (upper, lower), boards.get(match.place))
    return list(places.values())


def _entrant_from(source: BracketSource, seeds: list[int], places: Mapping[str, BracketPlace]) -> int | None:
    match source.kind:
        case "seed":
            return seeds[int(source.of) - 1] if int(source.of) <= len(seeds) else NOBODY
        case "winner":
            return places[source.of].winner
        case "loser":
            return places[source.of].loser


def _fill(match: BracketMatch, entrants: tuple[int | None, int | None], board: TournamentBoard | None) -> BracketPlace:
    winner, loser, is_free = None, None, False
    known = [entrant for entrant in entrants if entrant is not None]
    if len(known) == 2 and NOBODY in known:
        winner, loser, is_free = max(known), NOBODY, True
    elif board is not None and board.result is not None:
        winner, loser = winner_and_loser(board)
    return BracketPlace(match.place, match.level, match.sources, *entrants, winner, loser, is_free, board)


def winner_and_loser(board: TournamentBoard) -> tuple[int, int]:
    """Return who goes on from a decided match of a bracket, and who does not; nobody where both forfeited."""
    assert board.result is not None
    (first, second), (points, others) = board.entrants, board.result.half_points
    if points == others:
        return NOBODY, NOBODY
    return (first, second) if points > others else (second, first)


def rank_bracket(places: list[BracketPlace], seeds: list[int]) -> list[int]:
    """Return the entrants of a bracket in their order so far: those still in it first, then those who came furthest."""
    order = {number: at for at, number in enumerate(seeds)}
    last = {entrant: place for place in places if place.place != THIRD_PLACE for entrant in place.entrants if entrant}
    # A loss in a double elimination may be no end: only the last match counts.
    still_in = max(place.level for place in places) + 1
    levels = {number: last[number].level if last[number].winner not in (None, number) else still_in for number in seeds}
    third = next((place.winner for place in places if place.place == THIRD_PLACE), None)
    return sorted(seeds, key=lambda number: (-levels[number], number != third, order[number]))
