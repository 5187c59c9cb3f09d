"""The table of a tournament and its tie-breaks."""

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.tournaments.events import (
    BoardDecided,
    DecidedBy,
    EntrantEntered,
    EntrantWithdrew,
    PairedBoard,
    RoundPaired,
    TournamentEvent,
    TournamentOpened,
    TournamentRecord,
    TournamentStarted,
)
from diskwars_protocol.tournaments.fold import fold_tournament
from diskwars_protocol.tournaments.options import MatchTemplate, TieBreak, TournamentOptions
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_protocol.tournaments.state import Tournament

Score = tuple[int, int]


def played(
    entrants: int,
    *rounds: dict[tuple[int, int], Score],
    tie_breaks: tuple[TieBreak, ...] = ("buchholz", "sonneborn_berger", "direct_encounter", "points_difference"),
    byes: tuple[int, ...] = (),
    decided_by: DecidedBy = "match",
) -> Tournament:
    """Return a tournament in which these met; the higher score has won. `byes` are by round, 0 for none."""
    options = TournamentOptions("swiss", MatchTemplate("pit"), tie_breaks=tie_breaks)
    events: list[TournamentEvent] = [TournamentOpened("Cup", options, PlayerId("olga"))]
    events += [EntrantEntered(number, PlayerId(f"p{number}")) for number in range(1, entrants + 1)]
    events.append(TournamentStarted(tuple(range(1, entrants + 1)), len(rounds)))
    for number, games in enumerate(rounds, 1):
        boards = tuple(PairedBoard(pair, MatchId(f"m{number}-{at}")) for at, pair in enumerate(games))
        bye = tuple(entrant for entrant in byes[number - 1 : number] if entrant)
        events.append(RoundPaired(number, boards, bye))
        for at, (own, other) in enumerate(games.values(), 1):
            points = (1, 1) if own == other else (2 * (own > other), 2 * (own < other))
            events.append(BoardDecided(number, at, points, decided_by, (own, other)))
    return fold_tournament("t1", [TournamentRecord(1, 0, PlayerId("olga"), tuple(events))])


AUTUMN_SWISS = played(
    8,
    {(1, 6): (12, 4), (2, 7): (9, 6), (3, 8): (11, 5), (4, 5): (7, 10)},
    {(1, 2): (12, 4), (3, 5): (9, 8), (4, 7): (13, 6), (6, 8): (10, 7)},
    {(1, 3): (11, 9), (2, 5): (14, 6), (4, 6): (12, 3), (7, 8): (8, 6)},
)
"""The tournament of the picture `n2-tournament.png`: 1 Marek, 2 Ilse, 3 Pavel, 4 Anneke, 5 Suresh and so on."""


def test_equal_points_are_ranked_by_buchholz_and_then_sonneborn_berger() -> None:
    table = standings_of(AUTUMN_SWISS)

    rows = [
        (row.entrant, row.wins, row.buchholz_halves // 2, row.sonneborn_berger_quarters // 4, row.points_difference)
        for row in table
    ]

    assert rows == [
        (1, 3, 5, 5, 18),
        (2, 2, 5, 2, 3),
        (3, 2, 4, 1, 5),
        (4, 2, 3, 2, 13),
        (5, 1, 6, 2, -6),
        (6, 1, 5, 0, -14),
        (7, 1, 4, 0, -8),
        (8, 0, 4, 0, -11),
    ]
    assert [row.rank for row in table] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_direct_encounter_counts_only_where_all_equals_have_met() -> None:
    games = {(2, 1): (5, 3), (3, 4): (5, 3)}
    others = {(1, 3): (5, 3), (4, 2): (5, 3)}

    not_all = standings_of(played(4, games, others, tie_breaks=("direct_encounter",)))
    two = standings_of(played(2, {(2, 1): (5, 3)}, {(1, 2): (5, 3)}, tie_breaks=("direct_encounter",)))

    assert [row.direct_half_points for row in not_all] == [0, 0, 0, 0]
    assert [row.rank for row in not_all] == [1, 1, 1, 1]
    assert [row.direct_half_points for row in two] == [2, 2]


def test_winner_of_the_direct_encounter_is_first() -> None:
    rounds = {(1, 2): (3, 5), (3, 4): (5, 3)}, {(1, 3): (5, 3), (2, 4): (3, 5)}, {(1, 4): (5, 3), (2, 3): (5, 3)}

    table = standings_of(played(4, *rounds, tie_breaks=("direct_encounter",)))

    assert [(row.entrant, row.half_points, row.rank) for row in table[:2]] == [(2, 4, 1), (1, 4, 2)]


def test_named_order_of_tie_breaks_decides() -> None:
    rounds = {(1, 3): (20, 0), (2, 4): (5, 4)}, {(3, 4): (1, 5), (1, 2): (5, 5)}

    by_buchholz = standings_of(played(4, *rounds, tie_breaks=("buchholz",)))
    by_difference = standings_of(played(4, *rounds, tie_breaks=("points_difference",)))

    assert by_buchholz[0].entrant == 2
    assert by_difference[0].entrant == 1


def test_bye_counts_as_a_win_against_an_equal() -> None:
    table = standings_of(played(3, {(1, 2): (5, 3)}, {(1, 3): (5, 3)}, byes=(3, 2)))

    bye = next(row for row in table if row.entrant == 2)

    assert (bye.half_points, bye.wins, bye.byes) == (2, 0, 1)
    assert bye.buchholz_halves == 4 + 2
    assert bye.sonneborn_berger_quarters == 2 * 2


def test_forfeit_is_a_win_without_scores_and_without_an_opponent() -> None:
    table = standings_of(played(2, {(1, 2): (5, 3)}, decided_by="no_show"))

    assert [(row.wins, row.losses, row.points_difference) for row in table] == [(1, 0, 0), (0, 1, 0)]
    assert [row.buchholz_halves for row in table] == [2, 0]


def test_entrant_who_withdrew_before_the_first_pairing_is_not_in_the_table() -> None:
    state = played(3)
    withdrawn = TournamentRecord(2, 1, PlayerId("p3"), (EntrantWithdrew(3),))

    assert [row.entrant for row in standings_of(fold_tournament("t1", [withdrawn], state))] == [1, 2]
