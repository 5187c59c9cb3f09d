"""The schedule of a round robin."""

from collections import Counter

import pytest

from diskwars_server.tournaments.rules.round_robin import round_count, schedule_round


@pytest.mark.parametrize("entrants", range(2, 33))
def test_everybody_meets_everybody_once_with_balanced_seats(entrants: int) -> None:
    met, first, second = Counter[frozenset[int]](), Counter[int](), Counter[int]()
    for number in range(1, round_count(entrants) + 1):
        pairs = schedule_round(range(1, entrants + 1), number)
        assert len({entrant for pair in pairs for entrant in pair}) == entrants // 2 * 2
        for pair in pairs:
            met[frozenset(pair)] += 1
            first[pair[0]] += 1
            second[pair[1]] += 1

    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {1}
    assert max(abs(first[entrant] - second[entrant]) for entrant in range(1, entrants + 1)) <= 1
