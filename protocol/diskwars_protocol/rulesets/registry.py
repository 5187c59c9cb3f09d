"""The decoders and folds of each ruleset, combined for a client.

`RULESETS` is the one place where a ruleset is registered with the client.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from diskwars_protocol import match as m
from diskwars_protocol.match import BoardFold, Decision, Match, Options
from diskwars_protocol.rulesets.diskwars import board as b
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout, Question
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Event
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

SettingsT = TypeVar("SettingsT")
LoadoutT = TypeVar("LoadoutT")
ActionT = TypeVar("ActionT")
QuestionT = TypeVar("QuestionT")
EventT = TypeVar("EventT")
BoardT = TypeVar("BoardT")


class RulesetCodec(Generic[SettingsT, LoadoutT, ActionT, QuestionT, EventT, BoardT]):
    """What one ruleset says, and what it means for a match."""

    def __init__(
        self,
        ruleset: str,
        events: msgspec.json.Decoder[EventT],
        options: msgspec.json.Decoder[Options[ActionT, Any, Any]],
        decisions: msgspec.json.Decoder[tuple[Decision[QuestionT], ...]],
        fold_board: BoardFold[BoardT, EventT],
    ) -> None:
        self.ruleset = ruleset
        self._event_decoder, self._options_decoder, self._decisions_decoder = events, options, decisions
        self._fold_board = fold_board

    def decode_event(self, body: bytes) -> EventT:
        """Return the event of a record. Raises msgspec.ValidationError for one that this version does not know."""
        return self._event_decoder.decode(body)

    def decode_options(self, raw: bytes) -> Options[ActionT, Any, Any]:
        return self._options_decoder.decode(raw)

    def decode_decisions(self, raw: bytes) -> tuple[Decision[QuestionT], ...]:
        return self._decisions_decoder.decode(raw)

    def fold(
        self, match: Match[SettingsT, LoadoutT, QuestionT, BoardT] | None, event: EventT
    ) -> Match[SettingsT, LoadoutT, QuestionT, BoardT]:
        """Return the match after one more event. Raises `RefoldRequired` on a takeback."""
        return m.fold(match, event, self._fold_board)

    def fold_all(self, events: Sequence[EventT | None]) -> Match[SettingsT, LoadoutT, QuestionT, BoardT]:
        """Return the match after a whole log, takebacks and all; None stands for an event that may not be seen."""
        return self._require_match(self._fold_from(None, m.without_takebacks(events)))

    def fold_append(
        self,
        match: Match[SettingsT, LoadoutT, QuestionT, BoardT] | None,
        events: Sequence[EventT | None],
        log: Sequence[EventT | None],
    ) -> Match[SettingsT, LoadoutT, QuestionT, BoardT]:
        """Return the match after some more events; `log` is the whole log, these included."""
        try:
            return self._require_match(self._fold_from(match, events))
        except m.RefoldRequired:
            return self.fold_all(log)

    def _fold_from(
        self, match: Match[SettingsT, LoadoutT, QuestionT, BoardT] | None, events: Sequence[EventT | None]
    ) -> Match[SettingsT, LoadoutT, QuestionT, BoardT] | None:
        return m.fold_many(match, [event for event in events if event is not None], self._fold_board)

    def _require_match(
        self, match: Match[SettingsT, LoadoutT, QuestionT, BoardT] | None
    ) -> Match[SettingsT, LoadoutT, QuestionT, BoardT]:
        if match is None:
            raise ValueError("a match has at least one record")
        return match


def _fold_diskwars_board(board: Board | None, event: Event) -> Board:
    if not isinstance(event, BoardEvent):
        raise TypeError(f"{type(event).__name__} is no event of the board")
    return b.fold(board, event)


DISKWARS: RulesetCodec[DiskwarsSettings, Loadout, Action, Question, Event, Board] = RulesetCodec(
    "diskwars",
    msgspec.json.Decoder(Event),
    msgspec.json.Decoder(DiskwarsOptions),
    msgspec.json.Decoder(tuple[Decision[Question], ...]),
    _fold_diskwars_board,
)

AnyRulesetCodec: TypeAlias = RulesetCodec[Any, Any, Any, Any, Any, Any]
RULESETS: dict[str, AnyRulesetCodec] = {known.ruleset: known for known in (DISKWARS,)}
"""Every ruleset that this client can read, by the name that a match gives."""
