"""In which words does a guest read a match? The decoders of a ruleset and its fold, put together for a client.

Must not know sockets, nor how anything is shown.
"""

from collections.abc import Sequence

import msgspec

from diskwars_protocol import match as m
from diskwars_protocol.diskwars import board as b
from diskwars_protocol.diskwars.actions import Action, Question
from diskwars_protocol.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.diskwars.events import BoardEvent, Event
from diskwars_protocol.match import Decision, Options

RULESET = "diskwars"

_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_OPTIONS: msgspec.json.Decoder[Options[Action]] = msgspec.json.Decoder(Options[Action])
_DECISIONS: msgspec.json.Decoder[tuple[Decision[Question], ...]] = msgspec.json.Decoder(tuple[Decision[Question], ...])


def read_event(body: bytes) -> Event:
    """The event of a record. Raises msgspec.ValidationError for one that this version does not know."""
    return _EVENT.decode(body)


def read_options(raw: bytes) -> Options[Action]:
    return _OPTIONS.decode(raw)


def read_decisions(raw: bytes) -> tuple[Decision[Question], ...]:
    return _DECISIONS.decode(raw)


def fold(match: DiskwarsMatch | None, event: Event) -> DiskwarsMatch:
    """The match after one more event. Raises `Rewind` on a takeback."""
    return m.fold(match, event, _fold_board)


def fold_all(events: Sequence[Event | None]) -> DiskwarsMatch:
    """The match after a whole log, takebacks and all; None stands for an event that may not be seen."""
    match: DiskwarsMatch | None = None
    for event in m.effective(events):
        if event is not None:
            match = fold(match, event)
    if match is None:
        raise ValueError("a match has at least one record")
    return match


def after(match: DiskwarsMatch | None, events: Sequence[Event | None], log: Sequence[Event | None]) -> DiskwarsMatch:
    """The match after some more events; `log` is all of it, these included."""
    try:
        for event in events:
            if event is not None:
                match = fold(match, event)
    except m.Rewind:
        match = fold_all(log)
    if match is None:
        raise ValueError("the match does not begin")
    return match


def _fold_board(board: Board | None, event: Event) -> Board:
    if not isinstance(event, BoardEvent):
        raise TypeError(f"{type(event).__name__} is no event of the board")
    return b.fold(board, event)
