"""The Diskwars ruleset as matches use it; all other modules of this package are private to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from diskwars_engine.ruleset import Dice, Illegal, LoadoutCheck, Outcome, PositionTerms, RandomSource
from diskwars_engine.rulesets.diskwars import invariants, positions, rounds, scoring, views
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.client_catalogue import build_client_catalogue
from diskwars_engine.rulesets.diskwars.determinize import determinize
from diskwars_engine.rulesets.diskwars.setup import scenarios, setup
from diskwars_engine.rulesets.diskwars.setup.loadout import check_loadout, complete_loadout, find_army
from diskwars_engine.rulesets.diskwars.task_rules import wrong_action
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.ids import Seat, Viewer
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    BoardAction,
    BoardQuestion,
    DiskwarsSettings,
    Loadout,
    Question,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.catalogue import DiskwarsCatalogue
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS

RULES_VERSION = 1
"""One more whenever these rules decide anything differently. `tests/golden/files` shows whether they do."""


class Diskwars:
    """Implementation of `diskwars_engine.ruleset.Ruleset` with the disks and cards of one catalogue."""

    vocabulary = DISKWARS
    seat_counts: Sequence[int] = (2, 3, 4)
    rules_version = RULES_VERSION

    def __init__(self, content: Catalogue) -> None:
        self.content = content

    @property
    def packs(self) -> Sequence[Pack]:
        return (self.content.pack, *self.content.other_packs)

    @property
    def pack_names(self) -> Mapping[str, str]:
        return self.content.pack_names

    def complete_loadout(self, settings: DiskwarsSettings, loadout: Loadout) -> Loadout:
        self._check_cards(settings)
        return complete_loadout(self.content, settings, loadout)

    def catalogue(self) -> DiskwarsCatalogue:
        return build_client_catalogue(self.content)

    def check_loadout(self, settings: DiskwarsSettings, loadout: Loadout) -> LoadoutCheck:
        self._check_cards(settings)
        return check_loadout(self.content, settings, loadout)

    def _check_cards(self, settings: DiskwarsSettings) -> None:
        """Check that the packs have enough cards for a full setup with the maximum number of players.

        Raises `Illegal`.
        """
        most = max(self.seat_counts)
        is_special = settings.special_scenario != "none"
        if is_special and (settings.setup != "full" or settings.special_scenario not in self.content.special_scenarios):
            text = f"the special scenario {settings.special_scenario} needs a full set-up, and a pack that has it"
            raise Illegal("bad_settings", text, "R-74", "$.settings.special_scenario")
        scenarios_needed = scenarios.cards_needed(most)
        if settings.setup == "full" and not is_special and len(self.content.scenarios) < scenarios_needed:
            cards = len(self.content.scenarios)
            text = f"a full set-up needs {scenarios_needed} scenario cards; the pack has {cards}"
            numbers = {"needed": scenarios_needed, "found": cards}
            raise Illegal("bad_settings", text, "R3.3", "$.settings.setup", numbers)
        if settings.setup == "full" and len(self.content.deployments) < most:
            cards = len(self.content.deployments)
            text = f"a full set-up needs {most} deployment cards; the pack has {cards}"
            raise Illegal("bad_settings", text, "R3.4", "$.settings.setup", {"needed": most, "found": cards})

    def start(self, settings: DiskwarsSettings, loadouts: Sequence[Loadout], dice: Dice) -> Outcome[Board, Any]:
        armies = [find_army(self.content, loadout) for loadout in loadouts]
        resolution = setup.start(self.content, settings, armies, dice)
        rounds.run(resolution)
        return resolution.finish()

    def questions(self, board: Board) -> tuple[tuple[Seat, Any], ...]:
        return rounds.open_questions(board) if self.result(board) is None else ()

    def options(self, board: Board, seat: Seat, question: Question) -> DiskwarsOptions:
        return rounds.options(board, seat, question) if isinstance(question, BoardQuestion) else DiskwarsOptions()

    def unavailable(self, board: Board, seat: Seat, question: Question) -> tuple[DiskwarsUnavailable, ...]:
        return rounds.unavailable(board, seat, question) if isinstance(question, BoardQuestion) else ()

    def default(self, board: Board, seat: Seat, question: Question, dice: Dice) -> Action:
        if not isinstance(question, BoardQuestion):
            raise Illegal("wrong_action", "the board does not ask that")
        return rounds.default(board, seat, question, dice)

    def decide(self, board: Board, seat: Seat, question: Question, action: Action, dice: Dice) -> Outcome[Board, Any]:
        if not isinstance(question, BoardQuestion) or not isinstance(action, BoardAction):
            raise wrong_action(question, action)
        return rounds.decide(board, seat, question, action, dice)

    def resign(self, board: Board, seat: Seat, dice: Dice) -> Outcome[Board, Any]:
        """Remove a player who leaves from the game; the others play on."""
        return rounds.resign(board, seat, dice)

    def view(self, board: Board, viewer: Viewer) -> Board:
        return views.view(board, viewer)

    def determinize(self, board: Board, viewer: Viewer, rng: RandomSource) -> Board:
        return determinize(board, viewer, self.content.armies.values(), rng)

    # Asked for every event and every viewer: a method of its own would double the calls.
    redact = staticmethod(views.redact)

    def redact_loadout(self, loadout: Loadout, seat: Seat, viewer: Viewer) -> Loadout:
        return views.redact_loadout(loadout, seat, viewer)

    def redact_action(self, action: Action, seat: Seat, viewer: Viewer) -> Action:
        return views.redact_action(action, seat, viewer)

    def result(self, board: Board) -> Result | None:
        return scoring.result(board)

    def check(self, board: Board) -> list[str]:
        return invariants.check(board)

    def check_position(self, board: Board, terms: PositionTerms) -> list[str]:
        return positions.check(self.content, board, terms)
