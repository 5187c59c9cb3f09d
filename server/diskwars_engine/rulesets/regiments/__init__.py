"""The rules of regiments."""

from collections.abc import Sequence

from diskwars_engine.ruleset import Dice, LoadoutCheck, OpenInformation, Outcome
from diskwars_engine.rulesets.regiments import decisions, invariants, rounds
from diskwars_engine.rulesets.regiments.play import Play
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent, starting_event
from diskwars_protocol.match import Pack, Result, Seat
from diskwars_protocol.ruleset_settings import ruleset_settings
from diskwars_protocol.rulesets.regiments.actions import (
    OrderAction,
    OrderQuestion,
    RegimentsLoadout,
    RegimentsSettings,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, fold
from diskwars_protocol.rulesets.regiments.catalogue import RegimentsCatalogue
from diskwars_protocol.rulesets.regiments.options import RegimentsOptions, RegimentsUnavailable
from diskwars_protocol.rulesets.regiments.vocabulary import REGIMENTS
from diskwars_protocol.vocabulary import AnyVocabulary

RULES_VERSION = 1
"""Raised whenever these rules decide anything differently."""


class Regiments(OpenInformation):
    """The rules of regiments with some content; implements `diskwars_engine.ruleset.Ruleset`."""

    vocabulary: AnyVocabulary = REGIMENTS
    rules_version = RULES_VERSION
    seat_counts: Sequence[int] = (2, 4)

    def __init__(self, content: RegimentsContent) -> None:
        self.content = content
        self.packs: tuple[Pack, ...] = (content.pack,)

    def complete_loadout(self, settings: RegimentsSettings, loadout: RegimentsLoadout) -> RegimentsLoadout:
        return loadout

    def catalogue(self) -> RegimentsCatalogue:
        content = self.content
        return RegimentsCatalogue(
            self.packs,
            ruleset_settings(RegimentsSettings),
            profiles=content.profiles,
            weapons=content.weapons,
            scenarios=tuple(content.scenarios.values()),
        )

    def check_loadout(self, settings: RegimentsSettings, loadout: RegimentsLoadout) -> LoadoutCheck:
        return LoadoutCheck(loadout)

    def start(
        self, settings: RegimentsSettings, loadouts: Sequence[RegimentsLoadout], dice: Dice
    ) -> Outcome[RegimentsBoard, OrderQuestion]:
        event = starting_event(self.content, settings, len(loadouts))
        play = Play(fold(None, event), dice)
        play.events.append(event)
        rounds.begin_round(play)
        rounds.play_on(play)
        return _outcome(play)

    def questions(self, board: RegimentsBoard) -> tuple[tuple[Seat, OrderQuestion], ...]:
        found = rounds.question(board)
        return () if found is None else (found,)

    def options(self, board: RegimentsBoard, seat: Seat, question: OrderQuestion) -> RegimentsOptions:
        return decisions.options(board, question)

    def unavailable(
        self, board: RegimentsBoard, seat: Seat, question: OrderQuestion
    ) -> tuple[RegimentsUnavailable, ...]:
        return decisions.unavailable(board, question)

    def default(self, board: RegimentsBoard, seat: Seat, question: OrderQuestion, dice: Dice) -> OrderAction:
        return decisions.default(board, question)

    def decide(
        self, board: RegimentsBoard, seat: Seat, question: OrderQuestion, action: OrderAction, dice: Dice
    ) -> Outcome[RegimentsBoard, OrderQuestion]:
        play = Play(board, dice)
        decisions.answer(play, question, action)
        return _outcome(play)

    def resign(self, board: RegimentsBoard, seat: Seat, dice: Dice) -> Outcome[RegimentsBoard, OrderQuestion]:
        play = Play(board, dice)
        rounds.withdraw(play, seat)
        rounds.play_on(play)
        return _outcome(play)

    def result(self, board: RegimentsBoard) -> Result | None:
        return rounds.result(board)

    def check(self, board: RegimentsBoard) -> list[str]:
        return invariants.check(board)


def _outcome(play: Play) -> Outcome[RegimentsBoard, OrderQuestion]:
    found = rounds.question(play.board)
    return Outcome(play.events, play.board, () if found is None else (found,))
