"""Swiss pairing, compared with all possible pairings where there are few."""

import random
from collections.abc import Sequence

from diskwars_server.tournaments.rules.swiss import SwissEntrant, SwissPairing, order_seats, pair_swiss
from tests.effort import count_of
from tests.server.tournaments.swiss_trial import MAX_BRUTE_FORCE, faults_of, fewest_faults, run_trial


def difference(pairing: SwissPairing, entrants: Sequence[SwissEntrant]) -> int:
    points = {entrant.number: entrant.half_points for entrant in entrants}
    return sum(abs(points[first] - points[second]) for first, second in pairing.boards)


def invented_entrants(rng: random.Random, count: int) -> list[SwissEntrant]:
    """Return entrants of whom many have met, have had the bye, or one seat too often."""
    met: dict[int, set[int]] = {number: set() for number in range(1, count + 1)}
    for number in met:
        for other in range(1, number):
            if rng.random() < 0.5:
                met[number].add(other)
                met[other].add(number)
    return [
        SwissEntrant(
            number,
            rng.randrange(6),
            frozenset(met[number]),
            rng.choice((-2, -1, 0, 1, 2)),
            rng.choice((None, 0, 1)),
            rng.random() < 0.4,
        )
        for number in met
    ]


def test_first_round_pairs_the_upper_half_with_the_lower_one() -> None:
    pairing = pair_swiss([SwissEntrant(number) for number in range(1, 9)])

    assert [set(board) for board in pairing.boards] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert sum(board[0] < board[1] for board in pairing.boards) == 2
    assert pairing.bye is None


def test_equal_points_meet() -> None:
    points = {1: 4, 2: 4, 3: 2, 4: 2, 5: 0, 6: 0}

    pairing = pair_swiss([SwissEntrant(number, half) for number, half in points.items()])

    assert [set(board) for board in pairing.boards] == [{1, 2}, {3, 4}, {5, 6}]


def test_nobody_meets_an_opponent_again() -> None:
    entrants = [
        SwissEntrant(1, 4, frozenset({2})),
        SwissEntrant(2, 4, frozenset({1})),
        SwissEntrant(3),
        SwissEntrant(4),
    ]

    assert {frozenset(board) for board in pair_swiss(entrants).boards} in (
        {frozenset({1, 3}), frozenset({2, 4})},
        {frozenset({1, 4}), frozenset({2, 3})},
    )


def test_bye_goes_to_the_fewest_points_among_those_who_had_none() -> None:
    entrants = [SwissEntrant(1, 4), SwissEntrant(2, 2), SwissEntrant(3, 2), SwissEntrant(4, 0, had_bye=True)]

    pairing = pair_swiss([*entrants, SwissEntrant(5, 6)])

    assert pairing.bye in (2, 3)


def test_seat_goes_to_the_entrant_who_had_it_less_often() -> None:
    less, more = SwissEntrant(1, balance=-1), SwissEntrant(2, balance=1)
    sat_second, sat_first = SwissEntrant(3, last_seat=1), SwissEntrant(4, last_seat=0)

    assert order_seats(more, less) == (less, more)
    assert order_seats(sat_first, sat_second) == (sat_second, sat_first)


def test_two_who_had_the_same_seat_twice_too_often_do_not_meet() -> None:
    entrants = [SwissEntrant(1, 4, balance=2), SwissEntrant(2, 4, balance=2), SwissEntrant(3), SwissEntrant(4)]

    assert all(set(board) != {1, 2} for board in pair_swiss(entrants).boards)


def test_pairing_of_up_to_eight_has_as_few_faults_as_any() -> None:
    for seed in range(count_of(600, 120)):
        rng = random.Random(seed)
        entrants = invented_entrants(rng, rng.randint(2, MAX_BRUTE_FORCE))
        by_number = {entrant.number: entrant for entrant in entrants}

        pairing = pair_swiss(entrants)

        assert sorted(by_number) == sorted(
            [n for board in pairing.boards for n in board] + ([pairing.bye] if pairing.bye else [])
        )
        assert sum(faults_of(pairing, by_number).values()) == fewest_faults(entrants), seed


def test_same_entrants_are_paired_the_same_way() -> None:
    entrants = invented_entrants(random.Random(5), 24)

    assert pair_swiss(entrants) == pair_swiss(list(entrants))


def test_hundredth_of_the_trial_has_no_avoidable_fault() -> None:
    counts = run_trial(1, 10, (4, 5, 7, 8, 9, 12, 17, 24, 31, 33))

    assert counts.avoidable == 0
    assert counts.seats_over_two == 0
    assert counts.checked_by_force > 5
