"""The table of a tournament, with the tie-breaks that its organiser has named.

Points are counted in halves, so that every number is whole. A bye is worth a win. For Buchholz and Sonneborn–Berger a
bye or a forfeit counts as a game against somebody with as many points as the entrant: nobody gains or loses by it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber
from diskwars_protocol.tournaments.brackets import bracket_of, rank_bracket
from diskwars_protocol.tournaments.events import EntrantNumber
from diskwars_protocol.tournaments.options import TieBreak
from diskwars_protocol.tournaments.state import Tournament

WIN_HALF_POINTS = 2


class StandingsRow(Struct, frozen=True, gc=False, omit_defaults=True):
    """One entrant in the table. Ranks are 1, 2, 2, 4 where two are equal in everything.

    `buchholz_halves` is the sum of the opponents' half points, `sonneborn_berger_quarters` that of each times the own
    half points against them. `direct_half_points` are those of the games among those who are equal before.
    `points_difference` is what the entrant scored in the games, less what the opponents scored.
    """

    rank: AtLeastOne
    entrant: EntrantNumber
    half_points: AtLeastZero = 0
    wins: AtLeastZero = 0
    draws: AtLeastZero = 0
    losses: AtLeastZero = 0
    byes: AtLeastZero = 0
    buchholz_halves: AtLeastZero = 0
    sonneborn_berger_quarters: AtLeastZero = 0
    direct_half_points: AtLeastZero = 0
    points_difference: WholeNumber = 0


class _Game(Struct, frozen=True, gc=False):
    """A decided board, or a bye, as one entrant sees it. `opponent` is 0 where nobody was met."""

    opponent: int
    half_points: int
    difference: int = 0
    is_bye: bool = False
    is_forfeit: bool = False


def standings_of(state: Tournament) -> tuple[StandingsRow, ...]:
    """Return the table: of an elimination by how far each came, with a final those first who are in it."""
    rows = rank_by_points(state)
    if state.is_bracket:
        order = rank_bracket(bracket_of(state), list(state.seeds)) if bracket_of(state) else []
        return _reorder(rows, order)
    if state.finalists:
        return _reorder(rows, rank_bracket(bracket_of(state), list(state.finalists)))
    return rows


def _reorder(rows: Sequence[StandingsRow], first: Sequence[int]) -> tuple[StandingsRow, ...]:
    by_number = {row.entrant: row for row in rows}
    order = [*(by_number.pop(number) for number in first), *by_number.values()]
    return tuple(_with_rank(row, rank) for rank, row in enumerate(order, 1))


def rank_by_points(state: Tournament) -> tuple[StandingsRow, ...]:
    """Return the table by points and tie-breaks, of the rounds before a final."""
    games = {number: list(_games_of(state, number)) for number in _listed(state)}
    points = {number: sum(game.half_points for game in own) for number, own in games.items()}
    rows = [_row(number, games[number], points) for number in games]
    return tuple(_rank(rows, games, state.options.tie_breaks, state))


def _listed(state: Tournament) -> list[int]:
    """Return those who are in the table: those with a place, and those who were paired."""
    paired = {number for round_ in state.rounds for board in round_.boards for number in board.entrants}
    paired |= {number for round_ in state.rounds for number in round_.byes}
    return [entrant.number for entrant in state.entrants if entrant.status == "entered" or entrant.number in paired]


def _games_of(state: Tournament, number: int) -> Iterator[_Game]:
    rounds = state.rounds if state.is_bracket else state.main_rounds
    for round_ in rounds:
        if number in round_.byes:
            yield _Game(0, WIN_HALF_POINTS, is_bye=True)
        for board in round_.boards:
            if number in board.entrants and board.result is not None:
                own = board.entrants.index(number)
                result, other = board.result, board.entrants[1 - own]
                scores = result.scores if result.is_played and len(result.scores) == 2 else (0, 0)
                difference = scores[own] - scores[1 - own]
                yield _Game(other, result.half_points[own], difference, is_forfeit=not result.is_played)


def _row(number: int, games: Sequence[_Game], points: Mapping[int, int]) -> StandingsRow:
    own = points[number]

    def opponent_points(game: _Game) -> int:
        return own if game.is_bye or game.is_forfeit else points.get(game.opponent, 0)

    played = [game for game in games if not game.is_bye]
    return StandingsRow(
        1,
        number,
        own,
        wins=sum(game.half_points == WIN_HALF_POINTS for game in played),
        draws=sum(game.half_points == 1 for game in played),
        losses=sum(game.half_points == 0 for game in played),
        byes=sum(game.is_bye for game in games),
        buchholz_halves=sum(opponent_points(game) for game in games),
        sonneborn_berger_quarters=sum(game.half_points * opponent_points(game) for game in games),
        points_difference=sum(game.difference for game in games),
    )


def _rank(
    rows: list[StandingsRow], games: Mapping[int, Sequence[_Game]], tie_breaks: Sequence[TieBreak], state: Tournament
) -> Iterator[StandingsRow]:
    groups = _split([rows], lambda row: row.half_points)
    for tie_break in tie_breaks:
        if tie_break == "direct_encounter":
            groups = [[_with_direct(row, group, games) for row in group] for group in groups]
        groups = _split(groups, _TIE_BREAK_KEYS[tie_break])
    before = 0
    for group in groups:
        # Equal in everything: by seed, under one rank.
        for row in sorted(group, key=lambda row: (state.entrant(row.entrant).seed, row.entrant)):
            yield _with_rank(row, before + 1)
        before += len(group)


_TIE_BREAK_KEYS: dict[TieBreak, Callable[[StandingsRow], int]] = {
    "buchholz": lambda row: row.buchholz_halves,
    "sonneborn_berger": lambda row: row.sonneborn_berger_quarters,
    "direct_encounter": lambda row: row.direct_half_points,
    "points_difference": lambda row: row.points_difference,
}


def _split(groups: list[list[StandingsRow]], key: Callable[[StandingsRow], int]) -> list[list[StandingsRow]]:
    """Return the groups of equals, each parted by one more number, the highest first."""
    parts = []
    for group in groups:
        for value in sorted({key(row) for row in group}, reverse=True):
            parts.append([row for row in group if key(row) == value])
    return parts


def _with_direct(
    row: StandingsRow, group: Sequence[StandingsRow], games: Mapping[int, Sequence[_Game]]
) -> StandingsRow:
    """Add the points against the others of a group, if all of them have met each other; otherwise it says nothing."""
    if len(group) == 1:
        return row
    numbers = {other.entrant for other in group}
    for number in numbers:
        met = {game.opponent for game in games[number] if not (game.is_bye or game.is_forfeit)}
        if not numbers - {number} <= met:
            return row
    direct = sum(game.half_points for game in games[row.entrant] if game.opponent in numbers)
    return replace(row, direct_half_points=direct)


def _with_rank(row: StandingsRow, rank: int) -> StandingsRow:
    return replace(row, rank=rank)
