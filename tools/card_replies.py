#!/usr/bin/env python3
"""Measure what the best fixed reply to the search's command cards gains: a table for docs/bot-laboratory.md.

    python -m tools.card_replies --positions 20 --simulations 80 --play-outs 40

At each position every own card is played out to the end of the match against every card of the other seat. The reply is
picked on one half of the play-outs and measured on the other, as are the strategies that no reply beats: what luck
picks on one half it has not on the other.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

from msgspec import Struct

from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.matrix_games import solve
from diskwars_bots.search.search import Search
from diskwars_bots.search.secret_choices import choosing_seats, mix_of, play_table
from diskwars_bots.search.simulation import play_out
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a

ARMIES = ("empire-patrol", "chaos-patrol", "high-elf-patrol", "greenskin-patrol")
CARDS = DISKWARS_GAME.secret_choices
HEAD = """| how a card is chosen | positions | reply wins more | standard error |
| --- | --: | --: | --: |"""
Wins = list[list[float]]
"""The part of play-outs that were won, by own card and the other's."""


class CardPosition(Struct, frozen=True):
    """A choice of cards, as the seat sees it."""

    board: Any
    decision: Decision[a.Question]
    actions: list[Any]


class _Reached(Exception):
    """The match has come to the choice that is looked for."""


def positions(count: int, seed: int) -> Iterator[CardPosition]:
    """Yield choices between several cards on both sides, one of each match of greedy bots, in rounds 1, 2 and 3."""
    number = seed
    while count:
        found = _position(number)
        if found is not None:
            count -= 1
            yield found
        number += 1


def _position(seed: int) -> CardPosition | None:
    rng = random.Random(seed)
    loadouts = [a.Loadout(army) for army in rng.sample(ARMIES, 2)]
    rules = load_ruleset("diskwars", ())
    local = seeded_match(rules, seed, loadouts, a.DiskwarsSettings(setup="full", regiments=1))
    wanted, found = 1 + seed % 3, list[CardPosition]()

    def choose(match: Any, decision: Decision[Any], options: Any) -> Any:
        board = match.board
        if board is not None and board.round == wanted and CARDS.is_secret(decision.question):
            actions = candidate_answers(DISKWARS_GAME, board, decision, options, rng, SearchLevel(simulations=80))
            possible = DISKWARS_GAME.possible_board(board, decision.seat, rng)
            if len(actions) > 1 and len(choosing_seats(DISKWARS_GAME, CARDS, possible, decision.seat)) == 1:
                found.append(CardPosition(board, decision, actions))
            raise _Reached
        return DISKWARS_GAME.choose_unsearched(match, decision, options, rng)

    try:
        for _ in local.play([choose, choose]):
            pass
    except _Reached:
        pass
    return found[0] if found else None


def play_replies(position: CardPosition, play_outs: int, seed: int) -> tuple[Wins, Wins]:
    """Play every own card out against every one of the other seat; return what was won in either half."""
    halves: list[Wins] = []
    seat = position.decision.seat
    for half in range(2):
        sums: Wins = []
        for number in range(play_outs // 2):
            dice = f"{seed}/{half}/{number}"
            board: Any = DISKWARS_GAME.possible_board(position.board, seat, random.Random(dice))
            replies = CARDS.answers(board, 1 - seat)
            sums = sums or [[0.0] * len(replies) for _ in position.actions]
            for column, reply in enumerate(replies):
                locked = CARDS.with_answer(board, 1 - seat, reply)
                for row, action in enumerate(position.actions):
                    won = play_out(DISKWARS_GAME, locked, seat, action, random.Random(dice))
                    sums[row][column] += (won or 0.0) / (play_outs // 2)
        halves.append(sums)
    return halves[0], halves[1]


def gain_of_reply(first: Wins, second: Wins, shares: Sequence[float]) -> float:
    """Return what the best fixed reply takes from a mix beside what the best strategies of both leave it."""
    best = solve(first)
    against = [_won(first, shares, _only(column, len(first[0]))) for column in range(len(first[0]))]
    reply = _only(against.index(min(against)), len(against))
    return _won(second, best.rows, best.columns) - _won(second, shares, reply)


def _won(wins: Wins, rows: Sequence[float], columns: Sequence[float]) -> float:
    return sum(
        share * part * won
        for share, row in zip(rows, wins, strict=True)
        for part, won in zip(columns, row, strict=True)
    )


def _only(place: int, count: int) -> tuple[float, ...]:
    return tuple(float(number == place) for number in range(count))


def mixes(position: CardPosition, simulations: int, seed: int) -> dict[str, tuple[float, ...]]:
    """Return how the cards are chosen by the greedy bot, at random, and by the search."""
    count = len(position.actions)
    level = SearchLevel(simulations=simulations)
    search = Search(DISKWARS_GAME, position.board, position.decision.seat, level, lambda: 0, random.Random(seed))
    return {
        "greedy": _only(0, count),
        "any card": (1 / count,) * count,
        f"search, {simulations} simulations": mix_of(play_table(search, CARDS, position.actions), count),
    }


def row_of(name: str, gains: Sequence[float]) -> str:
    """Return a row of the table."""
    mean = sum(gains) / len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)
    return f"| {name} | {len(gains)} | {100 * mean:+.1f} % | {100 * sqrt(spread / len(gains)):.1f} % |"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=80)
    parser.add_argument("--play-outs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(words)
    gains: dict[str, list[float]] = {}
    for number, position in enumerate(positions(options.positions, options.seed)):
        first, second = play_replies(position, options.play_outs, number)
        for name, shares in mixes(position, options.simulations, number).items():
            gains.setdefault(name, []).append(gain_of_reply(first, second, shares))
    print(HEAD)
    for name, own in gains.items():
        print(row_of(name, own))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
