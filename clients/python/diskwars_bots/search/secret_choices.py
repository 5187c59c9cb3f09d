"""Choices that seats make at once and in secret: a table of own and other answers, and a mix that no reply beats.

Each pass plays every own answer on against one answer of the other seat, from the same possible board and with the same
dice. Few passes tell luck from skill badly, so that differences are taken for as large as they stand out from the noise
of the passes: without any, the first answer is chosen, as by a search of other decisions.
"""

import random
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from diskwars_bots.search.game import SearchGame, SecretChoices
from diskwars_bots.search.matrix_games import UnsolvedGame, solve
from diskwars_bots.search.search import REFUSED, Search
from diskwars_protocol.match.ids import Seat

MIN_PASSES = 2
"""Passes against each answer of the other seat below which nothing is known of the noise."""


class TableEntry(Struct, frozen=True):
    """One pass: the number of the other seat's answer, and the values of the own ones."""

    column: int
    values: tuple[float, ...]


def choose_mixed(search: Search, choices: SecretChoices, actions: Sequence[Any], rng: random.Random) -> Any:
    """Choose one of several answers, the greedy bot's first, each as often as the best mix of them has it.

    Answers that the rules have refused on a possible board are left out, unless there are no others.
    """
    entries = play_table(search, choices, actions) if len(actions) > 1 else []
    # What stands for a refusal is no payoff: it would drown all differences of the others.
    rows = [row for row in range(len(actions)) if all(entry.values[row] != REFUSED for entry in entries)] or [0]
    table = [TableEntry(entry.column, tuple(entry.values[row] for row in rows)) for entry in entries]
    return rng.choices([actions[row] for row in rows], mix_of(table, len(rows)))[0]


def play_table(search: Search, choices: SecretChoices, actions: Sequence[Any]) -> list[TableEntry]:
    """Play all answers on against those of the other seat in turn, until the budget is spent.

    Nothing with less or more than one other seat that has a choice: then there is no table.
    """
    entries: list[TableEntry] = []
    known: list[Any] = []
    while (drawn := search.draw_board()) is not None:
        board, seed = drawn
        others = choosing_seats(search.game, choices, board, search.seat)
        if len(others) != 1:
            break
        replies = choices.answers(board, others[0])
        known += [reply for reply in replies if reply not in known]
        # A hand that is not known differs from board to board: the reply that was tried least of those that it has.
        tried = [sum(entry.column == known.index(reply) for entry in entries) for reply in replies]
        reply = replies[tried.index(min(tried))]
        values = search.values(choices.with_answer(board, others[0], reply), actions, seed)
        if values is None:
            break
        entries.append(TableEntry(known.index(reply), tuple(values)))
    return entries


def choosing_seats(game: SearchGame, choices: SecretChoices, board: Any, seat: Seat) -> list[Seat]:
    """Return the other seats that have a choice of several answers."""
    return [
        other for other in range(game.seat_count(board)) if other != seat and len(choices.answers(board, other)) > 1
    ]


def mix_of(entries: Sequence[TableEntry], rows: int) -> tuple[float, ...]:
    """Return how often each own answer is best chosen; the first always, where the table says too little."""
    first = (1.0, *[0.0] * (rows - 1))
    table = estimate(entries, rows)
    try:
        return first if table is None else solve(table).rows
    except UnsolvedGame:
        return first


def estimate(entries: Sequence[TableEntry], rows: int) -> list[list[float]] | None:
    """Return the payoffs by own and other answer, without what is likely to be noise; None with too few passes.

    A payoff is what its column ends in on average, how much better its row is than others on the whole, and how much
    better it is in this column; of each as large a part as its variance exceeds that of the noise.
    """
    columns = sorted({entry.column for entry in entries})
    passes = [[entry.values for entry in entries if entry.column == column] for column in columns]
    if not passes or min(map(len, passes)) < MIN_PASSES:
        return None
    leads = [[_lead(values) for values in own] for own in passes]
    means = [_mean_of_rows(own) for own in leads]
    in_all = _mean_of_rows(means)
    within = [[mean - whole for mean, whole in zip(own, in_all, strict=True)] for own in means]
    ends = [[[sum(values) / rows] for values in own] for own in passes]
    levels = [_mean_of_rows(own)[0] for own in ends]
    usual = sum(levels) / len(levels)
    scarcity = sum(1 / len(own) for own in passes) / len(passes)
    noise = _noise(leads, means)
    part_of_levels = _part([level - usual for level in levels], _noise(ends, [[level] for level in levels]) * scarcity)
    part_in_all = _part(in_all, noise / sum(map(len, passes)))
    part_within = _part([lead for own in within for lead in own], noise * scarcity)
    return [
        [
            part_of_levels * (level - usual) + part_in_all * in_all[row] + part_within * own[row]
            for level, own in zip(levels, within, strict=True)
        ]
        for row in range(rows)
    ]


def _lead(values: Sequence[float]) -> list[float]:
    """Return how much better each answer ended than all of them on average, with the same dice."""
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def _mean_of_rows(lists: Sequence[Sequence[float]]) -> list[float]:
    return [sum(own) / len(lists) for own in zip(*lists, strict=True)]


def _noise(leads: Sequence[Sequence[Sequence[float]]], means: Sequence[Sequence[float]]) -> float:
    """Return the variance of what one pass says, from passes against the same answer."""
    squares = [
        (lead - usual) ** 2
        for own, mean in zip(leads, means, strict=True)
        for lone in own
        for lead, usual in zip(lone, mean, strict=True)
    ]
    return sum(squares) / sum((len(own) - 1) * len(mean) for own, mean in zip(leads, means, strict=True))


def _part(leads: Sequence[float], noise: float) -> float:
    """Return the part of the variance of some leads that is more than noise."""
    variance = sum(lead**2 for lead in leads) / len(leads)
    return max(0.0, 1 - noise / variance) if variance else 0.0
