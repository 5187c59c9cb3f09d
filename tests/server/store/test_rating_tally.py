"""The tally of counted matches: sides, places, and differences from what is stored."""

from collections.abc import Sequence

import pytest

from diskwars_protocol.match.decisions import Result
from diskwars_server.store.rating_tally import CountedMatch, RatingTally, places, rated_sides, sides_of
from tests.rows import each_row
from tests.rulesets.matches import played

FOUR = ("ann", "ben", "cat", "dan")
ALONE = ((0,), (1,), (2,))


def tallied(
    ruleset: str, *winners: int, players: Sequence[str] = FOUR, scores: Sequence[int] = (), times: int = 1
) -> RatingTally:
    tally = RatingTally()
    for n in range(times):
        result = Result("points", winners, tuple(scores))
        tally.add(CountedMatch(f"m{n}", ruleset, tuple(players), result, is_rated=True))
    return tally


def shown(tally: RatingTally, ruleset: str) -> list[int]:
    return [tally.ratings[ruleset, player].shown for player in FOUR]


@each_row("ruleset", ["regiments", "close_quarters"])
@each_row("times", [1, 20])
def test_partners_of_a_side_are_rated_together(ruleset: str, times: int) -> None:
    ann, ben, cat, dan = shown(tallied(ruleset, 0, 2, scores=(90, 0, 40, 60), times=times), ruleset)
    assert ann == cat > ben == dan
    loser = tallied(ruleset, 0, 2, times=times).ratings[ruleset, "dan"]
    assert loser.mu < 25
    assert loser.losses == times


@pytest.mark.parametrize("ruleset", ["diskwars", "pit"])
def test_winner_of_four_rises_and_the_others_follow_by_score(ruleset: str) -> None:
    ann, ben, cat, dan = shown(tallied(ruleset, 1, scores=(3, 9, 1, 2)), ruleset)
    assert ben > ann > dan > cat


@each_row("ruleset", ["regiments", "close_quarters"])
@each_row("scores", [(), (9, 3, 9, 3), (0, 3, 9, 5)])
def test_player_who_left_a_side_that_won_is_rated_as_one_who_lost(ruleset: str, scores: tuple[int, ...]) -> None:
    """B-23, C-23: a player who leaves never shares the first place, whatever their side has scored."""
    tally = tallied(ruleset, 2, scores=scores)
    ann, ben, cat, dan = (tally.ratings[ruleset, player] for player in FOUR)
    assert (ann.games, ann.wins, ann.losses) == (1, 0, 1)
    assert cat.mu > 25 > ben.mu == dan.mu
    assert ann.mu < 25
    assert ann.shown <= max(ben.shown, dan.shown)
    sides = sides_of(ruleset, 4)
    assert rated_sides(Result("points", (2,), scores), sides) == [((2,), 1), ((1, 3), 2), ((0,), 2)]
    assert rated_sides(Result("points", (0, 2), scores), sides) == [((0, 2), 1), ((1, 3), 2)]
    assert rated_sides(Result("points", (), scores), sides) == [((0, 2), 1), ((1, 3), 1)]


@each_row(
    ("ruleset", "left", "expected"),
    [
        ("diskwars", (1,), [((0,), 1), ((2,), 1), ((3,), 1), ((1,), 2)]),
        ("diskwars", (1, 3), [((0,), 1), ((2,), 1), ((1,), 2), ((3,), 2)]),
        ("regiments", (2,), [((0,), 1), ((1, 3), 1), ((2,), 2)]),
        ("close_quarters", (0, 2), [((1, 3), 1), ((0, 2), 2)]),
    ],
)
def test_player_who_left_what_the_others_drew_has_lost_it(
    ruleset: str, left: tuple[int, ...], expected: list[tuple[Sequence[int], int]]
) -> None:
    """B-23, C-23: a player who leaves never shares the first place, also where nobody wins."""
    tally = RatingTally()
    tally.add(CountedMatch("m", ruleset, FOUR, Result("points"), is_rated=True, left=left))
    assert rated_sides(Result("points"), sides_of(ruleset, 4), left) == expected
    for seat, player in enumerate(FOUR):
        rating, results = tally.ratings[ruleset, player], tally.results[ruleset, player, ""]
        outcome = (1, 0, 1, 0) if seat in left else (1, 0, 0, 1)
        assert (rating.games, rating.wins, rating.losses, rating.draws) == outcome
        assert (results.games, results.wins, results.losses, results.draws) == outcome
        assert rating.mu < 25 if seat in left else rating.mu > 25


def test_sides_are_those_of_the_ruleset() -> None:
    assert sides_of("regiments", 4) == sides_of("close_quarters", 4) == ((0, 2), (1, 3))
    assert sides_of("close_quarters", 3) == ((0, 2), (1,))
    assert sides_of("diskwars", 3) == sides_of("unknown", 3) == ALONE


@each_row(("name", "seats"), [("regiments", 2), ("regiments", 4), ("close_quarters", 3)])
def test_sides_are_those_of_the_board(name: str, seats: int) -> None:
    board = played(name, seats, 1).local.match.board
    assert board is not None
    assert sides_of(name, seats) == board.sides


@each_row(
    ("winners", "scores", "expected"),
    [
        ((0,), (), [1, 2, 2]),
        ((), (), [1, 1, 1]),
        ((1,), (5, 9, 7), [3, 1, 2]),
        ((1,), (5, 9, 5), [2, 1, 2]),
        ((0, 2), (5, 1, 5), [1, 2, 1]),
        ((2,), (5, 9), [2, 2, 1]),
    ],
)
def test_places_follow_winners_then_scores(
    winners: tuple[int, ...], scores: tuple[int, ...], expected: list[int]
) -> None:
    assert places(Result("points", winners, scores), ALONE) == expected


def test_side_is_placed_by_those_who_won_for_it() -> None:
    assert places(Result("points", (2,), (4, 4, 4, 4)), ((0, 2), (1, 3))) == [1, 2]


def test_difference_of_a_rebuild_is_named() -> None:
    one, other = RatingTally(), RatingTally()
    for tally, winner in ((one, 0), (other, 1)):
        tally.add(CountedMatch("m", "pit", ("ann", "ben"), Result("points", (winner,)), is_rated=True, records=3))
    assert one.differences(other) == [
        "rating of player ann in pit",
        "rating of player ben in pit",
        "results of player ann with armies without an id in pit",
        "results of player ben with armies without an id in pit",
    ]
    assert one.differences(one) == []
    for number in range(30):
        other.add(CountedMatch("m", "pit", (f"p{number}", "ben"), Result("points", (0,)), True))
    assert one.differences(other)[-1] == "and 45 others"
