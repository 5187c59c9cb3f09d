"""The rules of regiments."""

from collections.abc import Mapping, Sequence

from diskwars_engine.ruleset import Dice, LoadoutCheck, Outcome, PositionTerms, RandomSource, check_scenario
from diskwars_engine.rulesets.regiments import decisions, invariants, positions, rounds, secret_orders, views
from diskwars_engine.rulesets.regiments.resolution import Resolution
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent, starting_event
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.ids import Seat, Viewer
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    RegimentsAction,
    RegimentsLoadout,
    RegimentsQuestion,
    RegimentsSettings,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, fold
from diskwars_protocol.rulesets.regiments.catalogue import RegimentsCatalogue
from diskwars_protocol.rulesets.regiments.events import RegimentsEvent
from diskwars_protocol.rulesets.regiments.options import RegimentsOptions, RegimentsUnavailable
from diskwars_protocol.rulesets.regiments.vocabulary import REGIMENTS

RULES_VERSION = 2
"""Raised whenever these rules decide anything differently."""


class Regiments:
    """The rules of regiments with some content; implements `diskwars_engine.ruleset.Ruleset`."""

    vocabulary: AnyVocabulary = REGIMENTS
    rules_version = RULES_VERSION
    seat_counts: Sequence[int] = (2, 4)

    def __init__(self, content: RegimentsContent) -> None:
        self.content = content
        self.packs: tuple[Pack, ...] = (content.pack,)
        self.pack_names: Mapping[str, str] = {}

    def complete_loadout(self, settings: RegimentsSettings, loadout: RegimentsLoadout) -> RegimentsLoadout:
        check_scenario(settings.scenario, self.content.scenarios, "C-0")
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
        check_scenario(settings.scenario, self.content.scenarios, "C-0")
        return LoadoutCheck(loadout)

    def start(
        self, settings: RegimentsSettings, loadouts: Sequence[RegimentsLoadout], dice: Dice
    ) -> Outcome[RegimentsBoard, RegimentsQuestion]:
        event = starting_event(self.content, settings, len(loadouts))
        resolution = Resolution(fold(None, event), dice)
        resolution.events.append(event)
        rounds.begin_round(resolution)
        rounds.play_on(resolution)
        return _outcome(resolution)

    def questions(self, board: RegimentsBoard) -> tuple[tuple[Seat, RegimentsQuestion], ...]:
        return rounds.questions(board)

    def options(self, board: RegimentsBoard, seat: Seat, question: RegimentsQuestion) -> RegimentsOptions:
        if isinstance(question, SecretOrdersQuestion):
            return secret_orders.options(board, question)
        return decisions.options(board, question)

    def unavailable(
        self, board: RegimentsBoard, seat: Seat, question: RegimentsQuestion
    ) -> tuple[RegimentsUnavailable, ...]:
        if isinstance(question, SecretOrdersQuestion):
            return tuple(secret_orders.unavailable(board, question))
        return decisions.unavailable(board, question)

    def default(self, board: RegimentsBoard, seat: Seat, question: RegimentsQuestion, dice: Dice) -> RegimentsAction:
        if isinstance(question, SecretOrdersQuestion):
            return secret_orders.default(board, seat, question, dice)
        return decisions.default(board, question)

    def decide(
        self, board: RegimentsBoard, seat: Seat, question: RegimentsQuestion, action: RegimentsAction, dice: Dice
    ) -> Outcome[RegimentsBoard, RegimentsQuestion]:
        resolution = Resolution(board, dice)
        if isinstance(question, SecretOrdersQuestion):
            secret_orders.lock(resolution, seat, question, action)
        else:
            decisions.answer(resolution, question, action)
        return _outcome(resolution)

    def resign(self, board: RegimentsBoard, seat: Seat, dice: Dice) -> Outcome[RegimentsBoard, RegimentsQuestion]:
        resolution = Resolution(board, dice)
        rounds.withdraw(resolution, seat)
        secret_orders.reveal_if_complete(resolution)
        rounds.play_on(resolution)
        return _outcome(resolution)

    def view(self, board: RegimentsBoard, viewer: Viewer) -> RegimentsBoard:
        return views.view(board, viewer)

    def determinize(self, board: RegimentsBoard, viewer: Viewer, rng: RandomSource) -> RegimentsBoard:
        return views.determinize(board, rng)

    def redact(self, event: RegimentsEvent, viewer: Viewer) -> RegimentsEvent:
        return views.redact(event, viewer)

    def redact_loadout(self, loadout: RegimentsLoadout, seat: Seat, viewer: Viewer) -> RegimentsLoadout:
        return loadout

    def redact_action(self, action: Action, seat: Seat, viewer: Viewer) -> Action:
        return views.redact_action(action, seat, viewer)

    def result(self, board: RegimentsBoard) -> Result | None:
        return rounds.result(board)

    def check(self, board: RegimentsBoard) -> list[str]:
        return invariants.check(board)

    def check_position(self, board: RegimentsBoard, terms: PositionTerms) -> list[str]:
        return positions.check(self.content, board, terms)


def _outcome(resolution: Resolution) -> Outcome[RegimentsBoard, RegimentsQuestion]:
    return Outcome(resolution.events, resolution.board, rounds.questions(resolution.board))
