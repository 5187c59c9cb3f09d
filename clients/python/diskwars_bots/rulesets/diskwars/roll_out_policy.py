"""The policy of roll-outs in Diskwars: answers like the greedy bot with few places, at a part of its cost.

Moves are kept where nothing near a disk has changed (`roll_out_moves`). A card's other uses are offered and weighed
when it is used first; with its later activations those are left out whose disks have changed.
"""

import random
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.greedy_bot import best_action, weigh_answers
from diskwars_bots.rulesets.diskwars.roll_out_moves import best_move
from diskwars_bots.rulesets.diskwars.roll_out_position import CardUse, MatchMemory, RollOutPosition
from diskwars_bots.rulesets.diskwars.roll_out_uses import is_still_offered, weigh_again, weigh_uses
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board
from diskwars_protocol.rulesets.diskwars.events import Pin
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

OfferedOptions = Callable[[Board, Seat, a.Question], DiskwarsOptions]


class CardInUse(Struct, frozen=True, gc=False):
    """The uses of a seat's card that were offered last, with the pins and the reserve of then."""

    card: str
    pins: tuple[Pin, ...]
    reserve: tuple[int, ...]
    uses: tuple[CardUse, ...]


class RollOutPolicy:
    """Answers for every seat in one simulation. `offered` returns the options of an open question.

    `memory` holds what is known of boards of the match; it saves time and changes no answer.
    """

    def __init__(self, offered: OfferedOptions, memory: MatchMemory) -> None:
        self._offered, self._memory = offered, memory
        self._in_use: dict[Seat, CardInUse] = {}

    def choose(self, board: Board, seat: Seat, question: a.Question, rng: random.Random) -> Any:
        """Return the best answer by its immediate effect; None for what the greedy bot does not weigh."""
        if isinstance(question, a.ActivationQuestion):
            return self._activate(board, seat, question, rng)
        if isinstance(question, a.EngagementQuestion | a.TriggerOrderQuestion):
            return None
        options = self._offered(board, seat, question)
        if len(options.actions) == 1 and not options.parametric:
            return options.actions[0]
        situation = RollOutPosition(board, seat, self._memory)
        if isinstance(question, a.ContinuationQuestion):
            scored = weigh_answers(situation, question, replace(options, parametric=()), rng)
            if options.parametric:
                move = best_move(situation, situation.fighters[question.disk], question.flips_left)
                scored = scored if move is None else [*scored, move]
        else:
            scored = weigh_answers(situation, question, options, rng)
        return best_action(scored) if scored else None

    def _activate(self, board: Board, seat: Seat, question: a.ActivationQuestion, rng: random.Random) -> a.Action:
        situation = RollOutPosition(board, seat, self._memory)
        value: int = 0
        action: a.Action = a.EndCard()
        for use in self._uses(board, seat, question, situation, rng):
            if use.value > value:
                value, action = use.value, use.action
        if question.activations_left > 0:
            for fighter in situation.own:
                if fighter.is_ready and fighter.reach:
                    move = best_move(situation, fighter, fighter.reach // (2 * fighter.radius), value)
                    if move is not None:
                        value, action = move
        return action

    # ------------------------------------------------------------ uses of a card but for moves

    def _uses(
        self, board: Board, seat: Seat, question: a.ActivationQuestion, situation: RollOutPosition, rng: random.Random
    ) -> tuple[CardUse, ...]:
        """Return the uses of the card that are offered; after its first activation those of before that still are."""
        known = self._in_use.get(seat)
        reserve = tuple([disk.id for disk in board.disks if disk.place == RESERVE and disk.seat == seat])
        if known is None or known.card != question.card or reserve != known.reserve:
            uses = self._offered_uses(board, seat, question, situation, reserve, rng)
        else:
            uses = tuple([use for use in known.uses if is_still_offered(question, use, situation, known.pins)])
            if board.pins != known.pins:
                uses = weigh_again(question, uses, situation, known.pins, rng)
        self._in_use[seat] = CardInUse(question.card, board.pins, reserve, uses)
        return uses

    def _offered_uses(
        self,
        board: Board,
        seat: Seat,
        question: a.ActivationQuestion,
        situation: RollOutPosition,
        reserve: tuple[int, ...],
        rng: random.Random,
    ) -> tuple[CardUse, ...]:
        """Return all uses but moves, kept by all that they depend on."""
        kept = situation.view.uses
        key = (
            question.card,
            question.activations_left > 0,
            question.ability_available,
            board.sides[seat].card_count,
            reserve,
            board.pins,
            *map(id, situation.fighters.values()),
        )
        uses = kept.get(key)
        if uses is None:
            options = self._offered(board, seat, question)
            uses = kept[key] = weigh_uses(situation, question, options, rng)
            situation.view.memory.count(len(uses))
        return uses
