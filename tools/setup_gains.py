#!/usr/bin/env python3
"""Measure what a search of the setup of Diskwars gains, for docs/bot-laboratory.md.

    python -m tools.setup_gains --matches 6 --simulations 20

At each question of the setup where the search prefers another answer than the greedy bot's, both are simulated again
with dice that the search has not seen. Gains are hundredths of a victory point at the end of the second round.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from math import sqrt

from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.rulesets.diskwars.setup_proposals import answer_setup
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules
from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search import Search
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board

ARMIES = ("empire-patrol", "chaos-patrol", "high-elf-patrol", "greenskin-patrol")
FRESH = 16
"""Simulations of both answers with other dice."""


def setup_questions(seed: int) -> Iterator[Board]:
    """Yield the boards of a setup between greedy bots, each with a question open."""
    rules, rng, dice = diskwars_rules(), random.Random(seed), QuickDice(random.Random(seed), 2)
    loadouts = [a.Loadout(army) for army in rng.sample(ARMIES, 2)]
    board: Board = rules.start(a.DiskwarsSettings(setup="full", regiments=1), loadouts, dice).board
    while board.phase == "setup" and rules.questions(board):
        yield board
        seat, question = rules.questions(board)[0]
        seen: Board = rules.view(board, seat)
        action = answer_setup(seen, seat, question, rules.options(board, seat, question), rng)
        board = rules.decide(board, seat, question, action, dice).board


def gain_at(board: Board, simulations: int) -> float | None:
    """Return what the answer of the search gains over the greedy bot's; None if it is the same."""
    rules, level = diskwars_rules(), SearchLevel(simulations=simulations)
    seat, question = rules.questions(board)[0]
    decision, seen = Decision(DecisionId(""), seat, question), rules.view(board, seat)
    options = rules.options(board, seat, question)
    answers = candidate_answers(DISKWARS_GAME, seen, decision, options, random.Random(1), level)
    chosen = Search(DISKWARS_GAME, seen, seat, level, lambda: 0, random.Random(2)).best_of(answers)
    if chosen == answers[0]:
        return None
    fresh = Search(DISKWARS_GAME, seen, seat, SearchLevel(simulations=2 * FRESH), lambda: 0, random.Random(3))
    gains = []
    while (drawn := fresh.draw_board()) is not None:
        values = fresh.values(drawn[0], [answers[0], chosen], drawn[1])
        if values is None:
            break
        gains.append(values[1] - values[0])
    return sum(gains) / len(gains)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    boards = [board for seed in range(options.seed, options.seed + options.matches) for board in setup_questions(seed)]
    gains = [gain for board in boards if (gain := gain_at(board, options.simulations)) is not None]
    mean = sum(gains) / max(1, len(gains))
    error = sqrt(sum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1) / max(1, len(gains)))
    print(
        f"{len(boards)} questions, {len(gains)} answered otherwise: {mean:+.0f} on average, standard error {error:.0f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
