"""The vocabulary of one ruleset: its types, its fold and its decoders, as client and server share them.

Contains no rules: what is legal is the engine's to say.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from diskwars_protocol.match.actions import (
    Close,
    Kick,
    Ready,
    ReadyQuestion,
    SeatQuestion,
    Stop,
    TakeSeat,
    UnpromptedAction,
)
from diskwars_protocol.match.decisions import END_REASONS, Decision, Options, ParametricOption, Result, Unavailable
from diskwars_protocol.match.events import MatchEvent
from diskwars_protocol.match.history_facts import NO_HISTORY_FACTS, HistoryFacts
from diskwars_protocol.match.ids import EndReason, LoadoutFaultCode, RefusalCode
from diskwars_protocol.match.match_fold import (
    BoardFold,
    RefoldRequired,
    SetCursor,
    close_record,
    fold_event,
    fold_log,
    fold_many,
    fold_takeback,
)
from diskwars_protocol.match.position_bounds import NO_POSITION_BOUNDS, PositionBounds
from diskwars_protocol.match.state import Match, RecordBody, SeatState
from diskwars_protocol.records.canonical_fast import is_plain_type
from diskwars_protocol.records.sealed import Sealed

ActionT = TypeVar("ActionT")
QuestionT = TypeVar("QuestionT")
BoardT = TypeVar("BoardT")

WithSecrets: TypeAlias = Callable[[Any, Callable[[], str], Callable[[], str]], Any]
"""Completes an action by the seat's salt and link, where they belong."""

AsksForNonces: TypeAlias = Callable[[Any], bool]
"""Returns whether seats give nonces after the first step, by the settings of the match."""

_HIDDEN_EVENT = re.compile(rb'[\[,](\{"#":"[0-9a-f]{64}"\})')
_HIDDEN_BEGIN = b'{"#":'


MAX_SHARED_FACTS = 256
"""Values that are remembered to be shared, of some twenty packs. Matches that began earlier hold what is forgotten."""


@lru_cache(MAX_SHARED_FACTS)
def _shared(value: object) -> object:
    """Return the first of all equal values."""
    return value


class Vocabulary(Generic[ActionT, QuestionT, BoardT]):
    """The types of one ruleset's records, with the fold and the decoders that go with them."""

    def __init__(
        self,
        name: str,
        *,
        settings: Any,
        loadout: Any,
        action: Any,
        question: Any,
        event: Any,
        board: Any,
        catalogue: Any,
        options: Any = None,
        end_reasons: tuple[EndReason, ...] = (),
        last_side_reasons: tuple[EndReason, ...] = (),
        refusal_codes: Mapping[RefusalCode, str] = MappingProxyType({}),
        loadout_fault_codes: tuple[LoadoutFaultCode, ...] = (),
        fold_board: BoardFold[BoardT],
        set_cursor: SetCursor[BoardT] | None = None,
        with_secrets: WithSecrets | None = None,
        asks_for_nonces: AsksForNonces | None = None,
        tuple_labels: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        history_facts: HistoryFacts = NO_HISTORY_FACTS,
        position_bounds: PositionBounds = NO_POSITION_BOUNDS,
        pack_facts: tuple[str, ...] = (),
    ) -> None:
        """`action` and `question` are those of the ruleset; those of every match are added.

        `event` are those that fold to a `board`. A ruleset whose board is its whole state has no `set_cursor`.
        `catalogue` is what it is played with on a server, the struct that `Ruleset.catalogue` returns.

        `end_reasons` are why a match may have ended, beside `match.END_REASONS`. `last_side_reasons` are those of them
        that only say that one side is left: when the last opponent resigns, the resignation replaces them.
        `refusal_codes` are why an action may be refused, with what each means, beside `messages.REFUSAL_CODES`.
        `loadout_fault_codes` are why a loadout may be illegal, beside the codes of refusals.
        `with_secrets` puts a fresh salt and the seat's next nonce into an action that carries them.
        `asks_for_nonces` is given where only some settings have such actions; otherwise all have, or none.
        `tuple_labels` names the items of plain tuples for the schema, by the field that holds one or an array of them.
        `history_facts` are what replays and luck reports read off its events.
        `position_bounds` are those of the boards with which branches begin.
        `pack_facts` are the fields of a board that hold what packs print: the same in all matches of a pack.
        """
        self.name, self.settings, self.loadout = name, settings, loadout
        # The types of every match need not be in the ruleset's own unions; a union that lists one of them is unchanged.
        self.action = action | _filled(TakeSeat, loadout) | Ready | UnpromptedAction
        self.question = question | SeatQuestion | ReadyQuestion
        self.recorded_action = self.action | Close | Kick | Stop
        """The actions in records: those of seats, and those of the opener about the match."""
        self.event = _filled(MatchEvent, settings, loadout, board) | event
        self.board = board
        self.refusal_codes, self.loadout_fault_codes = refusal_codes, loadout_fault_codes
        self.end_reasons = (*END_REASONS, *end_reasons)
        self.last_side_reasons, self.catalogue = last_side_reasons, catalogue
        self.options = options or _filled(Options, self.action, _filled(ParametricOption, self.action), Unavailable)
        self.fold_board = fold_board
        self.set_cursor: SetCursor[BoardT] = set_cursor or _without_cursor
        self.with_secrets: WithSecrets = with_secrets or _without_secrets
        self.asks_for_nonces: AsksForNonces = asks_for_nonces or (lambda settings: with_secrets is not None)
        """Returns whether seats give nonces after the first step, with the actions that carry them."""
        self.tuple_labels, self.history_facts = tuple_labels, history_facts
        self.position_bounds, self._pack_facts = position_bounds, pack_facts

    def share_facts(self, match: Match[QuestionT, BoardT]) -> Match[QuestionT, BoardT]:
        """Return the same state with the facts of packs as one object in memory for all matches.

        A match that is read from its log brings its own copy of them, half of what its state weighs.
        """
        board: Any = match.board
        if board is None or not self._pack_facts:
            return match
        facts = {name: _shared(getattr(board, name)) for name in self._pack_facts}
        return replace(match, board=replace(board, **facts))

    # ------------------------------------------------------------ reading

    @cached_property
    def _body_decoder(self) -> msgspec.json.Decoder[RecordBody[ActionT, QuestionT, Any]]:
        """It takes longer to make than a short match to read, so it is made once."""
        return msgspec.json.Decoder(_filled(RecordBody, self.recorded_action, self.question, self.event))

    @cached_property
    def _raw_body_decoder(self) -> msgspec.json.Decoder[RecordBody[ActionT, QuestionT, Any]]:
        return msgspec.json.Decoder(_filled(RecordBody, self.recorded_action, self.question, Raw))

    @cached_property
    def _event_decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.event)

    @cached_property
    def _options_decoder(self) -> msgspec.json.Decoder[Options[ActionT, Any, Any]]:
        return msgspec.json.Decoder(self.options)

    @cached_property
    def _decisions_decoder(self) -> msgspec.json.Decoder[tuple[Decision[QuestionT], ...]]:
        return msgspec.json.Decoder(_filled(tuple, _filled(Decision, self.question), ...))

    @cached_property
    def _match_decoder(self) -> msgspec.json.Decoder[Match[QuestionT, BoardT]]:
        return msgspec.json.Decoder(_filled(Match, self.question, self.board))

    def decode_match(self, raw: bytes) -> Match[QuestionT, BoardT]:
        """Return the state in a snapshot. Raises msgspec.ValidationError."""
        match = self._match_decoder.decode(raw)
        self._check_result(match.result)
        settings = msgspec.convert(match.settings, self.settings)
        return replace(match, settings=settings, seats=tuple(map(self._with_loadout, match.seats)))

    def _with_loadout(self, seat: SeatState) -> SeatState:
        loadout = None if seat.loadout is None else msgspec.convert(seat.loadout, self.loadout)
        return replace(seat, loadout=loadout)

    def decode_body(self, raw: bytes) -> RecordBody[ActionT, QuestionT, Any]:
        """Decode the body of a record. Raises msgspec.ValidationError for what this version does not know."""
        if _HIDDEN_BEGIN in raw and _HIDDEN_EVENT.search(raw):  # perhaps an event that is hidden as a whole
            body = self._raw_body_decoder.decode(raw)
            body = replace(body, events=tuple(self._decode_event(event) for event in body.events))
        else:
            body = self._body_decoder.decode(raw)
        self._check_result(body.result)
        return body

    def _check_result(self, result: Result | None) -> None:
        """Check that a match has ended for one of `end_reasons`. Raises msgspec.ValidationError.

        The decoder cannot: `Result` is shared, and which reasons there are is the ruleset's.
        """
        if result is not None and result.end_reason not in self.end_reasons:
            raise msgspec.ValidationError(f"Invalid enum value {result.end_reason!r} - at `$.result.end_reason`")

    def _decode_event(self, raw: Raw) -> Any:
        if bytes(raw).startswith(_HIDDEN_BEGIN):
            return msgspec.json.decode(raw, type=Sealed)
        return self._event_decoder.decode(raw)

    def decode_options(self, raw: bytes) -> Options[ActionT, Any, Any]:
        return self._options_decoder.decode(raw)

    def decode_decisions(self, raw: bytes) -> tuple[Decision[QuestionT], ...]:
        return self._decisions_decoder.decode(raw)

    @cached_property
    def is_canonical(self) -> bool:
        """Whether every action, question and event of the ruleset has one spelling only."""
        return all(is_plain_type(kind) for kind in (self.action, self.question, self.event))

    # ------------------------------------------------------------ folding

    def fold_event(self, match: Match[QuestionT, BoardT] | None, event: Any) -> Match[QuestionT, BoardT]:
        """The match after one more event of a record."""
        return fold_event(match, event, self.fold_board)

    def close_record(
        self, match: Match[QuestionT, BoardT], body: RecordBody[ActionT, QuestionT, Any]
    ) -> Match[QuestionT, BoardT]:
        """The match at the end of a record whose events are folded already."""
        board = match.board
        if board is not None and body.cursor is not None:
            board = self.set_cursor(board, body.cursor)
        index = match.draw_index if body.draw_index is None else body.draw_index
        decisions = match.decisions if body.decisions is None else body.decisions
        rules = match.rules_version if body.rules_version is None else body.rules_version
        return close_record(replace(match, draw_index=index, rules_version=rules), body, decisions, board)

    def fold(
        self, match: Match[QuestionT, BoardT] | None, body: RecordBody[ActionT, QuestionT, Any]
    ) -> Match[QuestionT, BoardT]:
        """The match after one more record. Raises `RefoldRequired` on a takeback."""
        return self.fold_many(match, (body,))

    def fold_many(
        self,
        match: Match[QuestionT, BoardT] | None,
        bodies: Iterable[RecordBody[ActionT, QuestionT, Any]],
    ) -> Match[QuestionT, BoardT]:
        """The match after some more records. Raises `RefoldRequired` on a takeback."""
        after = fold_many(match, bodies, self.fold_board, self.set_cursor)
        if after is None:
            raise ValueError("a match has at least one record")
        return after

    def fold_log(self, bodies: Sequence[RecordBody[ActionT, QuestionT, Any]]) -> Match[QuestionT, BoardT]:
        """The match after a whole log, takebacks and all."""
        return fold_log(bodies, self.fold_board, self.set_cursor)

    def fold_takeback(
        self,
        before: Match[QuestionT, BoardT],
        undone: Iterable[RecordBody[ActionT, QuestionT, Any]],
        body: RecordBody[ActionT, QuestionT, Any],
    ) -> Match[QuestionT, BoardT]:
        """The match after the takeback `body` to the state `before`; `undone` are all records between the two."""
        return fold_takeback(before, undone, body, self.fold_board, self.set_cursor)

    def fold_record(
        self,
        match: Match[QuestionT, BoardT] | None,
        body: RecordBody[ActionT, QuestionT, Any],
        log: Sequence[RecordBody[ActionT, QuestionT, Any]],
    ) -> Match[QuestionT, BoardT]:
        """The match after one more record; `log` is all of them, this one included."""
        try:
            return self.fold(match, body)
        except RefoldRequired:
            return self.fold_log(log)


def _filled(generic: Any, *arguments: Any) -> Any:
    """Return a generic type with its parameters filled in.

    The only place where types are built. A ruleset gives its types as values, unions among them, and a type checker
    takes no value as the parameter of a type: what is built here is `Any` to it, and the annotation of the decoder
    that reads it says what it is.
    """
    return generic[arguments]


def _without_secrets(action: Any, salt: Callable[[], str], link: Callable[[], str]) -> Any:
    return action


def _without_cursor(board: BoardT, cursor: str) -> BoardT:
    return board


AnyVocabulary: TypeAlias = Vocabulary[Any, Any, Any]
