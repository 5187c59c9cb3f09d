"""The setup of Diskwars as the search sees it: few answers that differ, and a policy that plays on from the setup."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from typing import Any

from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.greedy_bot import ScoredAction, choose_greedy
from diskwars_bots.rulesets.diskwars.move_choice import best_moves
from diskwars_bots.rulesets.diskwars.roll_out_policy import OfferedOptions, RollOutPolicy
from diskwars_bots.rulesets.diskwars.roll_out_position import memory_of
from diskwars_bots.rulesets.diskwars.setup_choices import (
    choose_terrain,
    deployment_card_value,
    scenario_value,
)
from diskwars_bots.rulesets.diskwars.situation import Situation
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId, Seat
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOptions

MAX_ANSWERS = 5
"""Answers that are compared: a simulation from the setup takes long, so that a budget has few."""
APART = 1000
"""How far the values of two answers are apart: noise does not mix them, so that a bot without a search sets up well."""
SCOUT_MOVES = 2


def weigh_setup(
    board: Board, seat: Seat, question: a.Question, options: DiskwarsOptions, rng: random.Random
) -> list[ScoredAction]:
    """Return the answers to a question of the setup that are worth a look, the greedy bot's first."""
    usual = answer_setup(board, seat, question, options, rng)
    found = [usual]
    for action in _by_worth(board, seat, question, options, usual):
        if action not in found:
            found.append(action)
    return [(-APART * place, action) for place, action in enumerate(found[:MAX_ANSWERS])]


def answer_setup(
    board: Board, seat: Seat, question: a.Question, options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    """Return the greedy bot's answer, which looks at nothing of a match but its board."""
    match: DiskwarsMatch = DiskwarsMatch(
        MatchId(""), "diskwars", board.settings, (), "", "", MatchOptions(), board=board
    )
    return choose_greedy(match, Decision(DecisionId(""), seat, question), options, rng)


def _by_worth(
    board: Board, seat: Seat, question: a.Question, options: DiskwarsOptions, usual: a.Action
) -> Iterable[a.Action]:
    match question:
        case a.InitiativeOrderQuestion():
            return islice(map(a.SetOrder, permutations([side.seat for side in board.sides])), MAX_ANSWERS)
        case a.ScenarioQuestion():
            cards = [action for action in options.actions if isinstance(action, a.ChooseScenario)]
            return sorted(cards, key=lambda card: -scenario_value(board, seat, card.scenario))
        case a.DeploymentCardQuestion():
            laid = [action for action in options.actions if isinstance(action, a.LayDeploymentCard)]
            return _best_of_each_face(sorted(laid, key=lambda card: -deployment_card_value(board, seat, card)))
        case a.TerrainQuestion():
            return [choose_terrain(board, seat, replace(options, parametric=(one,))) for one in options.parametric]
        case a.DeploymentQuestion():
            return _deployments(usual, options.parametric[0].areas)
        case a.ScoutQuestion() | a.ContinuationQuestion():
            return [*options.actions, *_scout_moves(board, seat, options)]
        case _:
            return options.actions


def _best_of_each_face(cards: Iterable[a.LayDeploymentCard]) -> Iterator[a.Action]:
    """Yield each face of each card in its best place only: places along the edge differ least."""
    seen = set()
    for card in cards:
        if (card.card, card.face) not in seen:
            seen.add((card.card, card.face))
            yield card


def _deployments(usual: a.Action, areas: Iterable[Area]) -> Iterator[a.Action]:
    """Yield a deployment turned round in its zones: the front in the back, the one end at the other, and both."""
    zones = [area for area in areas if area.zone is not None]
    for along, across in ((True, False), (False, True), (True, True)):
        if isinstance(usual, a.Deploy):
            yield a.Deploy(tuple(_mirrored(place, zones, along, across) for place in usual.disks))


def _mirrored(place: a.Placement, zones: Iterable[Area], along: bool, across: bool) -> a.Placement:
    """Return a place as far from the other sides of its zone."""
    zone = next(zone for zone in zones if zone.x0 <= place.x <= zone.x1 and zone.y0 <= place.y <= zone.y1)
    return a.Placement(
        place.disk,
        zone.x0 + zone.x1 - place.x if along else place.x,
        zone.y0 + zone.y1 - place.y if across else place.y,
    )


def _scout_moves(board: Board, seat: Seat, options: DiskwarsOptions) -> list[a.Action]:
    situation = Situation(board, seat)
    weighed = [
        pair
        for option in options.parametric
        for pair in best_moves(situation, option, SCOUT_MOVES, keeps_off_enemies=True)
    ]
    return [action for _, action in sorted(weighed, key=lambda pair: -pair[0])]


class FromSetupPolicy:
    """Answers the setup as the greedy bot does, and then as in any other roll-out. Implements `search.game`."""

    def __init__(self, offered: OfferedOptions) -> None:
        self._offered = offered
        self._later: RollOutPolicy | None = None

    def choose(self, board: Board, seat: Seat, question: a.Question, rng: random.Random) -> Any:
        """Return an answer; None for what the greedy bot does not weigh."""
        if board.phase == "setup":
            return answer_setup(board, seat, question, self._offered(board, seat, question), rng)
        if self._later is None:
            self._later = RollOutPolicy(self._offered, memory_of(board))
        return self._later.choose(board, seat, question, rng)
