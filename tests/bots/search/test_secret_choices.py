"""Choices in secret are mixed where the best depends on the other's, and no fixed reply gains by it."""

import random
from collections import Counter
from typing import Any

import pytest

from diskwars_bots.search.matrix_games import UnsolvedGame, solve
from diskwars_bots.search.search import REFUSED
from diskwars_bots.search.secret_choices import TableEntry, choose_mixed, estimate, mix_of, play_table
from diskwars_protocol.match.ids import Seat
from tests.bots.search.test_matrix_games import value_against
from tests.rows import each_row

Table = list[list[float]]
SPREAD = 400.0
"""What the payoffs of a table differ by at most: as much as half of what winning is worth in Diskwars."""


class Cards:
    """A game of one choice: a board is the answer of the other seat, None before it has chosen."""

    def __init__(self, columns: int, seats: int = 2) -> None:
        self.columns, self.seats = columns, seats

    def seat_count(self, board: Any) -> int:
        return self.seats

    def is_secret(self, question: Any) -> bool:
        return True

    def answers(self, board: Any, seat: Seat) -> list[int]:
        return list(range(self.columns))

    def with_answer(self, board: Any, seat: Seat, answer: int) -> int:
        return answer


class NoisySearch:
    """Stands for a search: values of a table with the noise of dice, a part of which all answers of a pass share."""

    seat = 0

    def __init__(self, table: Table, passes: int, noise: float, rng: random.Random, seats: int = 2) -> None:
        self.game: Any = Cards(len(table[0]), seats)
        self._table, self._left, self._noise, self._rng = table, passes, noise, rng

    def draw_board(self) -> tuple[None, int] | None:
        self._left -= 1
        return None if self._left < 0 else (None, 0)

    def values(self, board: int, actions: list[int], seed: int) -> list[int]:
        shared = self._rng.gauss(0, self._noise)
        return [round(self._table[row][board] + shared + self._rng.gauss(0, self._noise)) for row in actions]


def table_of(seed: int) -> Table:
    rng = random.Random(seed)
    return [[rng.uniform(0, SPREAD) for _ in range(4)] for _ in range(5)]


def mix(table: Table, passes: int, noise: float, seed: int) -> tuple[float, ...]:
    search: Any = NoisySearch(table, passes, noise, random.Random(seed))
    return mix_of(play_table(search, search.game, range(len(table))), len(table))


def loss(table: Table, shares: tuple[float, ...]) -> float:
    """Return what the worst fixed reply takes from a mix, beside what any mix has to give."""
    return solve(table).value - value_against(table, shares)


@each_row("seed", range(8))
def test_no_fixed_reply_takes_more_than_a_twentieth_from_a_mix_that_was_simulated_enough(seed: int) -> None:
    table = table_of(seed)
    assert loss(table, mix(table, 400, 50.0, seed)) <= SPREAD / 20


def test_few_passes_lose_less_on_average_than_the_answer_that_is_best_in_all() -> None:
    mixed = single = 0.0
    for seed in range(40):
        table = table_of(seed)
        means = [sum(row) for row in table]
        best = means.index(max(means))
        mixed += loss(table, mix(table, 12, 100.0, seed))
        single += loss(table, tuple(float(row == best) for row in range(len(table))))
    assert mixed < 0.8 * single


def test_first_answer_is_chosen_where_only_dice_differ() -> None:
    shares = [mix([[0.0] * 4 for _ in range(5)], 16, 100.0, seed) for seed in range(40)]
    assert sum(own[0] for own in shares) / len(shares) > 0.6


def test_first_answer_is_chosen_with_too_few_passes() -> None:
    entries = [TableEntry(0, (0.0, 9.0)), TableEntry(0, (0.0, 9.0)), TableEntry(1, (0.0, 9.0))]
    assert estimate(entries, 2) is None
    assert mix_of(entries, 2) == mix_of([], 2) == (1.0, 0.0)


def test_answers_are_drawn_as_often_as_the_mix_has_them() -> None:
    rng, drawn = random.Random(2), Counter[int]()
    for seed in range(60):
        search: Any = NoisySearch([[100.0, 0.0], [0.0, 100.0]], 40, 5.0, random.Random(seed))
        drawn[choose_mixed(search, search.game, [0, 1], rng)] += 1
    assert min(drawn.values()) > 15


class RefusedSearch(NoisySearch):
    """Its last answer is refused on every second board."""

    def values(self, board: int, actions: list[int], seed: int) -> list[int]:
        *values, last = super().values(board, actions, seed)
        return [*values, REFUSED if self._left % 4 < 2 else last]


def test_answer_that_the_rules_refuse_spoils_no_mix() -> None:
    rng, drawn = random.Random(2), Counter[int]()
    for seed in range(60):
        search: Any = RefusedSearch([[300.0, 0.0], [0.0, 100.0], [90.0, 90.0]], 40, 5.0, random.Random(seed))
        drawn[choose_mixed(search, search.game, [0, 1, 2], rng)] += 1
    assert drawn[1] > drawn[0] > 5, "the best mix has the second three times as often"
    assert not drawn[2]


def test_first_answer_is_chosen_where_all_are_refused() -> None:
    search: Any = NoisySearch([[float(REFUSED)] * 2] * 2, 8, 0.0, random.Random(1))
    assert choose_mixed(search, search.game, [0, 1], random.Random(1)) == 0


def test_first_answer_is_chosen_where_the_table_has_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> object:
        raise UnsolvedGame

    monkeypatch.setattr("diskwars_bots.search.secret_choices.solve", fail)
    assert mix([[0.0, 100.0], [100.0, 0.0]], 40, 5.0, 1) == (1.0, 0.0)


def test_every_answer_of_the_other_seat_has_as_many_passes() -> None:
    search: Any = NoisySearch([[0.0] * 3, [1.0] * 3], 10, 1.0, random.Random(1))
    counts = Counter(entry.column for entry in play_table(search, search.game, [0, 1]))
    assert sorted(counts.values()) == [3, 3, 4]


def test_there_is_no_table_of_three_seats() -> None:
    search: Any = NoisySearch([[0.0] * 3, [1.0] * 3], 10, 1.0, random.Random(1), seats=3)
    assert play_table(search, search.game, [0, 1]) == []
