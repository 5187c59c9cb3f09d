"""The rules of close quarters."""

from collections.abc import Mapping, Sequence

from diskwars_engine.ruleset import Dice, LoadoutCheck, OpenInformation, Outcome, PositionTerms, check_scenario
from diskwars_engine.rulesets.close_quarters import decisions, invariants, offers, positions, turns
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_engine.rulesets.close_quarters.scenario import CloseQuartersContent, starting_event
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.rulesets.close_quarters.actions import (
    CloseQuartersAction,
    CloseQuartersLoadout,
    CloseQuartersQuestion,
    CloseQuartersSettings,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, fold
from diskwars_protocol.rulesets.close_quarters.catalogue import CloseQuartersCatalogue
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions, CloseQuartersUnavailable
from diskwars_protocol.rulesets.close_quarters.vocabulary import CLOSE_QUARTERS

RULES_VERSION = 2
"""Raised whenever these rules decide anything differently."""


class CloseQuarters(OpenInformation):
    """The rules of close quarters with some content; implements `diskwars_engine.ruleset.Ruleset`."""

    vocabulary: AnyVocabulary = CLOSE_QUARTERS
    rules_version = RULES_VERSION
    seat_counts: Sequence[int] = (2, 3, 4)

    def __init__(self, content: CloseQuartersContent) -> None:
        self.content = content
        self.packs: tuple[Pack, ...] = (content.pack,)
        self.pack_names: Mapping[str, str] = {}

    def complete_loadout(self, settings: CloseQuartersSettings, loadout: CloseQuartersLoadout) -> CloseQuartersLoadout:
        check_scenario(settings.scenario, self.content.scenarios, "B-0")
        return loadout

    def catalogue(self) -> CloseQuartersCatalogue:
        content = self.content
        return CloseQuartersCatalogue(
            self.packs,
            ruleset_settings(CloseQuartersSettings),
            profiles=content.profiles,
            ranged_weapons=content.ranged_weapons,
            melee_weapons=content.melee_weapons,
            scenarios=tuple(content.scenarios.values()),
        )

    def check_loadout(self, settings: CloseQuartersSettings, loadout: CloseQuartersLoadout) -> LoadoutCheck:
        check_scenario(settings.scenario, self.content.scenarios, "B-0")
        return LoadoutCheck(loadout)

    def start(
        self, settings: CloseQuartersSettings, loadouts: Sequence[CloseQuartersLoadout], dice: Dice
    ) -> Outcome[CloseQuartersBoard, CloseQuartersQuestion]:
        event = starting_event(self.content, settings, len(loadouts))
        resolution = Resolution(fold(None, event), dice)
        resolution.events.append(event)
        turns.start(resolution)
        return _outcome(resolution)

    def questions(self, board: CloseQuartersBoard) -> tuple[tuple[Seat, CloseQuartersQuestion], ...]:
        question = turns.question(board)
        return () if question is None else (question,)

    def options(self, board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion) -> CloseQuartersOptions:
        return offers.options(board, seat, question)

    def unavailable(
        self, board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion
    ) -> tuple[CloseQuartersUnavailable, ...]:
        return offers.unavailable(board, seat, question)

    def default(
        self, board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion, dice: Dice
    ) -> CloseQuartersAction:
        return offers.default(board, question)

    def decide(
        self,
        board: CloseQuartersBoard,
        seat: Seat,
        question: CloseQuartersQuestion,
        action: CloseQuartersAction,
        dice: Dice,
    ) -> Outcome[CloseQuartersBoard, CloseQuartersQuestion]:
        resolution = Resolution(board, dice)
        decisions.answer(resolution, seat, question, action)
        return _outcome(resolution)

    def resign(
        self, board: CloseQuartersBoard, seat: Seat, dice: Dice
    ) -> Outcome[CloseQuartersBoard, CloseQuartersQuestion]:
        decisions.require_seat(board, seat)
        resolution = Resolution(board, dice)
        turns.withdraw(resolution, seat)
        turns.play_on(resolution)
        return _outcome(resolution)

    def result(self, board: CloseQuartersBoard) -> Result | None:
        return turns.result(board)

    def check(self, board: CloseQuartersBoard) -> list[str]:
        return invariants.check(board)

    def check_position(self, board: CloseQuartersBoard, terms: PositionTerms) -> list[str]:
        return positions.check(self.content, board, terms)


def _outcome(resolution: Resolution) -> Outcome[CloseQuartersBoard, CloseQuartersQuestion]:
    question = turns.question(resolution.board)
    return Outcome(resolution.events, resolution.board, () if question is None else (question,))
