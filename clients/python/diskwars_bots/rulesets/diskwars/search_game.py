"""Diskwars as the search sees it: the greedy bot's best answers, played on to the end of the round."""

import random
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy, weigh_answers
from diskwars_bots.rulesets.diskwars.position_value import position_value
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.roll_out_policy import RollOutPolicy
from diskwars_bots.rulesets.diskwars.roll_out_position import memory_of
from diskwars_bots.rulesets.diskwars.setup_proposals import FromSetupPolicy, weigh_setup
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules, possible_board
from diskwars_bots.rulesets.diskwars.situation import Situation
from diskwars_bots.search import simulation
from diskwars_bots.search.game import WeighedAnswer, Width
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

ROUNDS_AFTER_SETUP = 2
"""Armies seldom meet in the first round: after it little tells a good setup from a bad one."""
SALT = "00" * SALT_BYTES
"""Of cards that are locked on possible boards, which are never recorded."""


class SecretCards:
    """Implements `search.game.SecretChoices`: every seat locks a command card that no other sees (R7.3)."""

    def is_secret(self, question: a.Question) -> bool:
        """Return whether a command card is asked for."""
        return isinstance(question, a.CommandCardQuestion)

    def answers(self, board: Board, seat: Seat) -> list[a.LockCard]:
        """Return the cards of the hand; the one that was locked is still among them."""
        hand = board.sides[seat].hand
        return [a.LockCard(card) for card in hand] if isinstance(hand, tuple) else []

    def with_answer(self, board: Board, seat: Seat, answer: a.LockCard) -> Board:
        """Return the board on which a card is locked, in place of the one that may be."""
        side = replace(board.sides[seat], has_locked=True, locked_card=answer.card, locked_salt=SALT)
        return replace(board, sides=tuple(side if other.seat == seat else other for other in board.sides))


class DiskwarsGame:
    """Implements `search.game.SearchGame`; a piece is a disk."""

    widths = (Width(150, 4, 1), Width(600, 8, 2), Width(2000, 16, 3))
    unsearched = Width(0, 10, 2)
    simulation_ms = 6.0
    secret_choices = SecretCards()

    def rules(self) -> AnyRuleset:
        """Return the rules with the core set and the expansions."""
        return diskwars_rules()

    def is_searched(self, board: Board, question: a.Question) -> bool:
        """Return True: initiative, cards, terrain and places of the setup are compared as everything later is."""
        return True

    def is_reviewed(self, board: Board, question: a.Question) -> bool:
        """Return whether the setup is over: a play-out of all rounds takes long, and tells little of one terrain."""
        return board.phase != "setup"

    def is_passing(self, action: a.Action) -> bool:
        """Return False: where a disk is better left where it is, to pass is a move like any other."""
        return False

    def choose_unsearched(
        self, match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> a.Action:
        """Return the greedy bot's answer."""
        return choose_greedy(match, decision, options, rng)

    def choose_unweighed(
        self, match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> a.Action:
        """Return any answer."""
        return choose_random(match, decision, options, rng)

    def possible_board(self, board: Board, seat: Seat, rng: random.Random) -> Board | None:
        """Draw cards and objectives that the seat does not see (R19.26)."""
        return possible_board(board, seat, rng)

    def proposals(
        self, board: Board, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random, per_piece: int
    ) -> list[WeighedAnswer]:
        """Return what the greedy bot weighs, with the best moves of each disk."""
        if board.phase == "setup":
            return list(weigh_setup(board, decision.seat, decision.question, options, rng))
        scored = weigh_answers(Situation(board, decision.seat), decision.question, options, rng, per_piece)
        return list(scored or [(0, action) for action in options.actions])

    def seat_count(self, board: Board) -> int:
        """Return how many seats play."""
        return len(board.sides)

    def policy(self, board: Board) -> RollOutPolicy | FromSetupPolicy:
        """Return a greedy bot that looks at few places and keeps what has not changed."""
        if board.phase == "setup":
            return FromSetupPolicy(diskwars_rules().options)
        return RollOutPolicy(diskwars_rules().options, memory_of(board))

    def is_past_horizon(self, first: Board, board: Board) -> bool:
        """Return whether the round is over (R4.5), from the setup whether `ROUNDS_AFTER_SETUP` are."""
        return board.round > (first.round or ROUNDS_AFTER_SETUP)

    def value(self, board: Board, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
        """Return hundredths of a victory point."""
        return position_value(board, seat, winners)


DISKWARS_GAME = DiskwarsGame()


def simulate(board: Board, seat: Seat, action: a.Action, rng: random.Random, has_expired: Callable[[], bool]) -> Any:
    """Return the board when the round after an answer is over, or the match; None if time runs out before.

    `board` has nothing hidden. Raises `Illegal` if the rules refuse the answer.
    """
    return simulation.simulate(DISKWARS_GAME, board, seat, action, rng, has_expired)
