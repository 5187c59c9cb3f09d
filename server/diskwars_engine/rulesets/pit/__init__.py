"""The rules of the pit."""

from collections.abc import Mapping, Sequence

from diskwars_engine.ruleset import Dice, LoadoutCheck, OpenInformation, Outcome, PositionTerms, check_scenario
from diskwars_engine.rulesets.pit import decisions, invariants, positions, turns
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_engine.rulesets.pit.scenario import PitContent, starting_event
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.rulesets.pit.actions import PitAction, PitLoadout, PitQuestion, PitSettings
from diskwars_protocol.rulesets.pit.board import PitBoard, fold
from diskwars_protocol.rulesets.pit.catalogue import PitCatalogue
from diskwars_protocol.rulesets.pit.options import PitOptions, PitUnavailable
from diskwars_protocol.rulesets.pit.vocabulary import PIT

RULES_VERSION = 2
"""Raised whenever these rules decide anything differently."""


class Pit(OpenInformation):
    """The rules of the pit with some content; implements `diskwars_engine.ruleset.Ruleset`."""

    vocabulary: AnyVocabulary = PIT
    rules_version = RULES_VERSION
    seat_counts: Sequence[int] = (2, 3, 4)

    def __init__(self, content: PitContent) -> None:
        self.content = content
        self.packs: tuple[Pack, ...] = (content.pack,)
        self.pack_names: Mapping[str, str] = {}

    def complete_loadout(self, settings: PitSettings, loadout: PitLoadout) -> PitLoadout:
        check_scenario(settings.scenario, self.content.scenarios, "A-0")
        return loadout

    def catalogue(self) -> PitCatalogue:
        content = self.content
        return PitCatalogue(
            self.packs,
            ruleset_settings(PitSettings),
            profiles=content.profiles,
            weapons=content.weapons,
            deck=content.deck,
            scenarios=tuple(content.scenarios.values()),
        )

    def check_loadout(self, settings: PitSettings, loadout: PitLoadout) -> LoadoutCheck:
        check_scenario(settings.scenario, self.content.scenarios, "A-0")
        return LoadoutCheck(loadout)

    def start(
        self, settings: PitSettings, loadouts: Sequence[PitLoadout], dice: Dice
    ) -> Outcome[PitBoard, PitQuestion]:
        event = starting_event(self.content, settings, len(loadouts))
        resolution = Resolution(fold(None, event), dice)
        resolution.events.append(event)
        turns.start(resolution)
        return _outcome(resolution)

    def questions(self, board: PitBoard) -> tuple[tuple[Seat, PitQuestion], ...]:
        question = turns.question(board)
        return () if question is None else (question,)

    def options(self, board: PitBoard, seat: Seat, question: PitQuestion) -> PitOptions:
        return decisions.options(board, question)

    def unavailable(self, board: PitBoard, seat: Seat, question: PitQuestion) -> tuple[PitUnavailable, ...]:
        return decisions.unavailable(board, question)

    def default(self, board: PitBoard, seat: Seat, question: PitQuestion, dice: Dice) -> PitAction:
        return decisions.default(board, question)

    def decide(
        self, board: PitBoard, seat: Seat, question: PitQuestion, action: PitAction, dice: Dice
    ) -> Outcome[PitBoard, PitQuestion]:
        resolution = Resolution(board, dice)
        decisions.answer(resolution, question, action)
        return _outcome(resolution)

    def resign(self, board: PitBoard, seat: Seat, dice: Dice) -> Outcome[PitBoard, PitQuestion]:
        decisions.require_seat(board, seat)
        resolution = Resolution(board, dice)
        turns.withdraw(resolution, seat, "resigned")
        turns.play_on(resolution)
        return _outcome(resolution)

    def result(self, board: PitBoard) -> Result | None:
        return turns.result(board)

    def check(self, board: PitBoard) -> list[str]:
        return invariants.check(board)

    def check_position(self, board: PitBoard, terms: PositionTerms) -> list[str]:
        return positions.check(self.content, board, terms)


def _outcome(resolution: Resolution) -> Outcome[PitBoard, PitQuestion]:
    question = turns.question(resolution.board)
    return Outcome(resolution.events, resolution.board, () if question is None else (question,))
