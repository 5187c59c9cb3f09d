"""The rule of which matches move ratings: where the set-up ends, whose answers count, how often two players meet."""

import json
from pathlib import Path

import pytest

from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_server.store.rated_matches import (
    DAY_MS,
    RATED_MATCHES_PER_PAIR_PER_DAY,
    PlayedSeats,
    RatedMatch,
    RatedPairs,
    starting_events,
)
from diskwars_server.store.ratings import MIN_RANKED_GAMES
from tests.rows import each_row
from tests.rulesets.matches import played

ROOT = Path(__file__).parents[3]


@each_row(
    ("ruleset", "expected"),
    [
        ("diskwars", {"round_began"}),
        ("pit", {"round_began"}),
        ("regiments", {"round_began"}),
        ("close_quarters", {"turn_began"}),
        ("unknown", {"step_began"}),
    ],
)
def test_set_up_ends_with_the_first_round(ruleset: str, expected: set[str]) -> None:
    assert starting_events(ruleset) == expected


@each_row("ruleset", RULESETS)
def test_match_that_is_played_out_counts(ruleset: str) -> None:
    match = played(ruleset, 2, 1)
    for is_draw in (False, True):
        seats = PlayedSeats(ruleset, 2, is_draw)
        for body in match.bodies:
            seats.add(encode_canonical(body))
        assert seats.are_enough, is_draw


def test_draw_counts_without_those_who_left_it_and_names_them() -> None:
    began = b'{"seat":0,"decision":"3.0","events":[{"type":"round_began"},{"type":"hand_taken","seat":{"#":"00"}}]}'
    resigned = b'{"seat":1,"action":{"type":"resign"},"events":[{"type":"seat_resigned","seat":1}]}'
    drawn, won = PlayedSeats("diskwars", 3, is_draw=True), PlayedSeats("diskwars", 3, is_draw=False)
    for seats in (drawn, won):
        for body in (began, b'{"seat":0,"decision":"4.0"}', resigned):
            seats.add(body)
    assert (drawn.are_enough, drawn.left) == (False, (1,))
    assert (won.are_enough, won.are_known, won.left) == (True, False, ())
    for seat in (1, 2):
        won.add(b'{"seat":%d,"decision":"4.%d"}' % (seat, seat))
    assert (won.are_known, won.answered) == (True, frozenset({0, 1, 2}))
    drawn.add(b'{"seat":2,"decision":"5.2"}')
    assert drawn.are_enough
    assert not drawn.are_known, "another may leave"
    set_up = PlayedSeats("diskwars", 2, is_draw=True)
    for body in (resigned, resigned.replace(b"1", b"0")):
        set_up.add(body)
    assert not set_up.are_enough


def rated(match: int, *players: str, ruleset: str = "pit") -> RatedMatch:
    return RatedMatch(ruleset, players or ("ann", "ben"), match)


def test_pair_has_a_bounded_number_of_matches_a_day() -> None:
    pairs = RatedPairs(rated(n) for n in range(RATED_MATCHES_PER_PAIR_PER_DAY))
    assert not pairs.take(rated(9))
    assert not pairs.take(rated(9, "ben", "cat", "ann"))
    assert pairs.take(rated(9, "ann", "cat"))
    assert pairs.take(rated(9, ruleset="regiments"))
    assert pairs.take(rated(DAY_MS))
    assert not pairs.take(rated(DAY_MS))


def test_match_that_ended_earlier_is_bounded_by_those_after_it() -> None:
    pairs = RatedPairs(rated(DAY_MS + n) for n in range(RATED_MATCHES_PER_PAIR_PER_DAY))
    assert not pairs.take(rated(DAY_MS - 5))
    assert pairs.take(rated(0))


def test_one_opponent_alone_puts_nobody_on_the_board_in_a_day() -> None:
    assert RATED_MATCHES_PER_PAIR_PER_DAY < MIN_RANKED_GAMES


@pytest.mark.parametrize(
    ("language", "number"),
    [("en", "at most four matches"), ("de", "höchstens vier Partien"), ("pl", "najwyżej cztery partie")],
)
def test_leaderboard_of_the_page_tells_the_bound(language: str, number: str) -> None:
    texts = json.loads((ROOT / "clients/web/src/messages" / language / "people.json").read_text())
    assert RATED_MATCHES_PER_PAIR_PER_DAY == 4
    assert f"{number} " in texts["people.leaderboard.rule"]
