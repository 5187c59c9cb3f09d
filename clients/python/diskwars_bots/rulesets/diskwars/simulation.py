"""Simulation of Diskwars for search: the rules that it follows, and possible boards."""

import random
from functools import cache

from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.board import Board


@cache
def diskwars_rules() -> AnyRuleset:
    """Return the rules that simulations follow. Starter armies of the core set and the expansions are known to them."""
    return RULESETS["diskwars"](("expansion",))


def possible_board(board: Board, seat: Seat, rng: random.Random) -> Board | None:
    """Return a board that could be the true one, from what a seat sees of it (R19.26).

    None if a starter army has another hand here than in the packs that come with the rules: then nothing is known of
    its cards.
    """
    possible: Board = diskwars_rules().determinize(board, seat, rng)
    cards = {card.id for card in board.cards}
    hands = [side.hand for side in possible.sides]
    return possible if all(isinstance(hand, tuple) and cards.issuperset(hand) for hand in hands) else None


def winners_of(board: Board) -> tuple[Seat, ...] | None:
    """Return the winners of a match; None while it goes on."""
    result = diskwars_rules().result(board)
    return None if result is None else result.winners
