"""The ruleset of Warhammer: Diskwars, as a match sees it. The rooms behind this door are private to it."""

from collections.abc import Sequence
from typing import Any

from diskwars_engine.ruleset import Dice, Illegal, Outcome, Words
from diskwars_engine.rulesets.diskwars import (
    invariants,
    loadout,
    options,
    rounds,
    scenarios,
    scoring,
    setup,
    unavailable,
    views,
)
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.questions import asked
from diskwars_protocol.match import Options, Pack, Result, Seat, Unavailable, Viewer
from diskwars_protocol.rulesets.diskwars.actions import Action, BoardAction, BoardQuestion, Entry, Question, Settings
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Event


class Diskwars:
    """Implements `diskwars_engine.ruleset.Ruleset` with the disks and cards of one catalogue."""

    name = "diskwars"
    seats: Sequence[int] = (2, 3, 4)
    words = Words(settings=Settings, entry=Entry, action=Action, event=Event)

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @property
    def packs(self) -> Sequence[Pack]:
        return (self.catalogue.pack, *self.catalogue.others)

    def enter(self, settings: Settings, entry: Entry) -> Entry:
        self._check_cards(settings)
        return loadout.entered(self.catalogue, settings, entry)

    def _check_cards(self, settings: Settings) -> None:
        """A full set-up needs cards for as many players as there may be."""
        most = max(self.seats)
        is_special = settings.special != "none"
        if is_special and (settings.setup != "full" or settings.special not in self.catalogue.special):
            text = f"the special scenario {settings.special} needs a full set-up, and a pack that has it"
            raise Illegal("bad_settings", text, "R-74", "$.settings.special")
        scenarios_needed = scenarios.needed(most)
        if settings.setup == "full" and not is_special and len(self.catalogue.scenarios) < scenarios_needed:
            text = (
                f"a full set-up needs {scenarios_needed} scenario cards; the pack has {len(self.catalogue.scenarios)}"
            )
            raise Illegal("bad_settings", text, "R3.3", "$.settings.setup")
        if settings.setup == "full" and len(self.catalogue.deployments) < most:
            text = f"a full set-up needs {most} deployment cards; the pack has {len(self.catalogue.deployments)}"
            raise Illegal("bad_settings", text, "R3.4", "$.settings.setup")

    def start(self, settings: Settings, entries: Sequence[Entry], dice: Dice) -> list[BoardEvent]:
        armies = [loadout.army_of(self.catalogue, entry) for entry in entries]
        play = setup.start(self.catalogue, settings, armies, dice)
        rounds.run(play)
        return [event for event in play.finish() if isinstance(event, BoardEvent)]

    def questions(self, board: Board) -> tuple[tuple[Seat, Any], ...]:
        return asked(board, board.work[0]) if board.work and self.result(board) is None else ()

    def options(self, board: Board, seat: Seat, ask: Question) -> Options[Action]:
        return options.options(board, seat, ask) if isinstance(ask, BoardQuestion) else Options()

    def why_not(self, board: Board, seat: Seat, ask: Question) -> tuple[Unavailable, ...]:
        return unavailable.why_not(board, seat, ask) if isinstance(ask, BoardQuestion) else ()

    def default(self, board: Board, seat: Seat, ask: Question, dice: Dice) -> Action:
        if not isinstance(ask, BoardQuestion):
            raise Illegal("wrong_action", "the board does not ask that")
        return options.default(board, seat, ask, dice)

    def decide(self, board: Board, seat: Seat, ask: Question, action: Action, dice: Dice) -> Outcome[Board, Any]:
        if not isinstance(ask, BoardQuestion) or not isinstance(action, BoardAction):
            raise options.refuse(ask, action)
        return rounds.decide(board, seat, ask, action, dice)

    def resign(self, board: Board, seat: Seat, dice: Dice) -> Outcome[Board, Any]:
        """A player who leaves is out of the game; the others play on."""
        return rounds.resign(board, seat, dice)

    def apply(self, board: Board | None, event: BoardEvent) -> Board:
        return fold(board, event)

    def view(self, board: Board, viewer: Viewer) -> Board:
        return views.view(board, viewer)

    def redact(self, event: BoardEvent, viewer: Viewer) -> BoardEvent | None:
        return views.redact(event, viewer)

    def redact_entry(self, entry: Entry, seat: Seat, viewer: Viewer) -> Entry:
        return views.redact_entry(entry, seat, viewer)

    def redact_action(self, action: Action, seat: Seat, viewer: Viewer) -> Action:
        return views.redact_action(action, seat, viewer)

    def result(self, board: Board) -> Result | None:
        return scoring.result(board)

    def check(self, board: Board) -> list[str]:
        return invariants.check(board)
