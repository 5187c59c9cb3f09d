"""The conversation of client and server, frame by frame, without I/O.

`TRANSITIONS` says which message may be sent in which state. The server's end is here, the client's in
`client_connection.py`; frames go in and messages come out, and the other way round.
"""

import json
from collections.abc import Iterable, Sequence, Set
from enum import StrEnum
from typing import TypeAlias, get_args

import msgspec
from msgspec import Struct

from diskwars_protocol.connection.field_bounds import OutOfBounds, check_bounds
from diskwars_protocol.connection.shape_faults import describe_shape_fault, find_repeated_key, place_of_field
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import (
    REQUESTS,
    WATCH_ENDING_TYPES,
    ClientMessage,
    MatchMessage,
    PlayerMessage,
    QueryResponse,
    ServerMessage,
)
from diskwars_protocol.messages.closing import CLOSE_CODES, CloseReason, Closing
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.handshake import (
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    ClientLimits,
    Hello,
    ResumeRequest,
    Welcome,
)
from diskwars_protocol.messages.history import RecordRange, Records
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.opening import Opened
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records.canonical import FAULT_TEXTS, InvalidJson, check_json
from diskwars_protocol.records.canonical_fast import is_certainly_canonical
from diskwars_protocol.schema_types import MAX_COMMAND_ID_LENGTH
from diskwars_protocol.suggestions import suggest_for_error


class WireError(Exception):
    """Root of everything that a connection refuses."""


class ProtocolError(WireError):
    """The other end broke the protocol."""

    def __init__(
        self, close_reason: CloseReason, text: str, place: str | None = None, versions: tuple[int, ...] = ()
    ) -> None:
        super().__init__(f"{close_reason}: {place}: {text}" if place else f"{close_reason}: {text}")
        self.close_reason: CloseReason = close_reason
        self.text = text
        self.place = place
        self.versions = versions

    @property
    def code(self) -> int:
        """The code of the WebSocket's close frame."""
        return CLOSE_CODES[self.close_reason]

    def to_message(self, retry_after_ms: int | None = None) -> Closing:
        """Return what to send to the other end before the socket is closed."""
        return Closing(self.code, self.close_reason, self.text, retry_after_ms, self.place, self.versions)


class LocalProtocolError(WireError):
    """This end tried to send what cannot be sent now."""


# ---------------------------------------------------------------- states and messages


class ConnectionState(StrEnum):
    """State of a connection, the same at both ends.

    `NEW`: nothing was sent. `GREETED`: hello was sent. `OPEN`: welcome was sent. `FAILED`: the client broke the
    protocol, and the server has only the reason left to send. `CLOSED`: it is over.

    Its members are strings: `TRANSITIONS` is looked into for every frame, and other enums are hashed in Python.
    """

    NEW = "new"
    GREETED = "greeted"
    OPEN = "open"
    FAILED = "failed"
    CLOSED = "closed"


Message: TypeAlias = ClientMessage | ServerMessage

TRANSITIONS: dict[ConnectionState, dict[type[Struct], ConnectionState]] = {
    ConnectionState.NEW: {Hello: ConnectionState.GREETED, Closing: ConnectionState.CLOSED},
    ConnectionState.GREETED: {Welcome: ConnectionState.OPEN, Closing: ConnectionState.CLOSED},
    ConnectionState.OPEN: {
        **dict.fromkeys(REQUESTS, ConnectionState.OPEN),
        **dict.fromkeys(REQUESTS.values(), ConnectionState.OPEN),
        Refused: ConnectionState.OPEN,
        Records: ConnectionState.OPEN,
        MatchesChanged: ConnectionState.OPEN,
        **dict.fromkeys(get_args(PlayerMessage), ConnectionState.OPEN),
        **dict.fromkeys(get_args(MatchMessage), ConnectionState.OPEN),
        Closing: ConnectionState.CLOSED,
    },
    ConnectionState.FAILED: {Closing: ConnectionState.CLOSED},
    ConnectionState.CLOSED: {},
}
"""The transitions, by message. Both ends follow them; a message that is not here breaks the protocol."""

_ENCODER = msgspec.json.Encoder()
_CLIENT_MESSAGE_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_CLIENT_MESSAGE_TYPES = {str(kind.__struct_config__.tag): kind for kind in get_args(ClientMessage)}
_UNTYPED_DECODER = msgspec.json.Decoder()

BUSY_RETRY_AFTER_MS = 100


def encode(message: Message) -> bytes:
    """Return the text frame of a message, as UTF-8."""
    return _ENCODER.encode(message)


def request_id(message: Struct) -> str | None:
    """Return the id of the request that a message answers; None where it answers none."""
    id: str | None = getattr(message, "id", None)
    return id


class SharedFrame(Struct, frozen=True, gc=False):
    """A message that was encoded once for many connections; `match` is the one it is about, if any."""

    kind: type[Struct]
    match: MatchId | None
    frame: bytes


def share(message: Records | MatchMessage | MatchesChanged) -> SharedFrame:
    """Encode a message that several subscribers of a match, or of a list, get alike, and that answers no request."""
    match = None if isinstance(message, MatchesChanged) else message.match
    return SharedFrame(type(message), match, encode(message))


# ---------------------------------------------------------------- the server's end


class ServerConnection:
    """The server's end of one connection.

    Everything that is sent passes `send` or `send_shared`. They keep the account of what is open on this connection:
    the commands in flight and the matches watched. After a ProtocolError send its `to_message()`, then close the
    socket.
    """

    def __init__(
        self, limits: ClientLimits = DEFAULT_CLIENT_LIMITS, state: ConnectionState = ConnectionState.NEW
    ) -> None:
        """`state` is `OPEN` for a connection that another process has welcomed; nothing is watched or in flight."""
        self.limits = limits
        self.state = state
        self._in_flight: list[str] = []
        self._watched: set[MatchId] = set()
        self.in_flight: Sequence[str] = self._in_flight
        """The ids of the commands that still have to be answered, the oldest first. Only to be read."""
        self.watched: Set[MatchId] = self._watched
        """The matches whose records are sent on this connection. Only to be read."""

    # ------------------------------------------------------------ receiving

    def receive(self, frame: str | bytes) -> ClientMessage | Refused:
        """Return the message in a frame, or the refusal to send for one that cannot be executed.

        A request is in flight from now on, one that is refused here too: its refusal has to be sent. Raises
        ProtocolError when the connection has to be closed, LocalProtocolError when it is already.
        """
        if self.state in (ConnectionState.FAILED, ConnectionState.CLOSED):
            raise LocalProtocolError(f"nothing is read in state {self.state.value}")
        try:
            message = self._admit(self._decode(frame))
        except ProtocolError:
            self.state = ConnectionState.FAILED
            raise
        id = request_id(message)
        if id is not None:
            # Refused ones as well: clients may repeat an id, and a refusal must not pass for the answer to another.
            self._in_flight.append(id)
        return message

    def connection_lost(self) -> None:
        """Close this end: the socket is gone."""
        self.state = ConnectionState.CLOSED

    def _decode(self, frame: str | bytes) -> ClientMessage | Refused:
        raw = check_client_frame(frame, self.limits)
        try:
            return _CLIENT_MESSAGE_DECODER.decode(raw)
        except msgspec.ValidationError as fault:
            return self._refuse_invalid(raw, fault)

    def _admit(self, message: ClientMessage | Refused) -> ClientMessage | Refused:
        if isinstance(message, Refused):
            return message
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise self._unexpected_message_error()
        self.state = following
        if isinstance(message, Hello):
            _check_versions(message.versions)
            _check_resumes(message.resume, self.limits)
            _check_hello_bounds(message)
            return message
        if len(self._in_flight) >= self.limits.commands_in_flight:
            text = f"{len(self._in_flight)} commands are in flight already"
            return Refused("busy", text, message.id, retry_after_ms=BUSY_RETRY_AFTER_MS)
        try:
            check_bounds(message)
        except OutOfBounds as fault:
            return Refused("wrong_shape", str(fault), message.id, place=fault.place)
        return message

    def _unexpected_message_error(self) -> ProtocolError:
        if self.state is ConnectionState.NEW:
            return ProtocolError("hello_expected", "the first message has to be hello")
        if self.state is ConnectionState.GREETED:
            return ProtocolError("protocol", "nothing may be sent between hello and welcome")
        return ProtocolError("protocol", "hello is sent once")

    def _refuse_invalid(self, raw: bytes, fault: msgspec.ValidationError) -> Refused:
        """Refuse valid JSON that is no message. Where its id can be read, only this message is refused."""
        fault_text, object_place = parse_validation_error(fault)
        place = place_of_field(fault_text, object_place)
        message: object = _UNTYPED_DECODER.decode(raw)
        fields = message if isinstance(message, dict) else {}
        kind = fields.get("type")
        # The message itself, where its type is known: only its own fields are suggested.
        shape = _CLIENT_MESSAGE_TYPES.get(str(kind), ClientMessage)
        suggestion = suggest_for_error(fault_text, shape, object_place[1:])
        text = describe_shape_fault(fault_text) + suggestion
        if kind == "hello" and self.state is ConnectionState.NEW:
            _check_versions(_offered_versions(fields))
            raise ProtocolError("bad_frame", text, place)
        if kind == "hello" or self.state is not ConnectionState.OPEN:
            raise self._unexpected_message_error()
        id = fields.get("id")
        if not (isinstance(id, str) and 1 <= len(id) <= MAX_COMMAND_ID_LENGTH):
            raise ProtocolError("bad_frame", text, place)
        if object_place == "$.type":
            return Refused("unknown_type", REFUSAL_CODES["unknown_type"] + suggestion, id, place=place)
        return Refused("wrong_shape", text, id, place=place)

    # ------------------------------------------------------------ sending

    def send(self, message: ServerMessage) -> bytes:
        """Return the frame of a message. Raises LocalProtocolError, and then nothing has changed."""
        following = self._following(type(message))
        self._account(message)
        self.state = following
        return encode(message)

    def send_shared(self, shared: SharedFrame) -> bytes:
        """Return the frame of a message that was encoded before. Raises LocalProtocolError."""
        self.state = self._following(shared.kind)
        if shared.match is None:
            return shared.frame
        self._require_watched(shared.match)
        if shared.kind in WATCH_ENDING_TYPES:
            self._watched.discard(shared.match)
        return shared.frame

    def _following(self, kind: type[Struct]) -> ConnectionState:
        following = TRANSITIONS[self.state].get(kind)
        if following is None:
            raise LocalProtocolError(f"{kind.__name__} cannot be sent in state {self.state.value}")
        return following

    def _account(self, message: ServerMessage) -> None:
        """Note what a message changes in the account, or raise and change nothing."""
        if isinstance(message, QueryResponse):
            return self._finish_command(message.id)
        if isinstance(message, MatchMessage):
            return self._account_match_message(message)
        match message:
            case Records():
                self._require_watched(message.match)
            case Watching():
                self._finish_command(message.id)
                self._watched.add(message.match)
            case Refused() | Opened() | Accepted() | RecordRange():
                self._finish_command(message.id)
            case Welcome() | MatchesChanged() | Closing():
                pass
            case _:  # any other message does not type-check here
                _: PlayerMessage = message

    def _account_match_message(self, message: MatchMessage) -> None:
        is_ending = isinstance(message, WATCH_ENDING_TYPES)
        if is_ending or request_id(message) is None:
            self._require_watched(message.match)
        self._finish_command(request_id(message))
        if is_ending:
            self._watched.discard(message.match)

    def _finish_command(self, id: str | None) -> None:
        """Take a command out of the account; None where no command led to a message."""
        if id is None:
            return
        if id not in self._in_flight:
            raise LocalProtocolError(f"command {id!r} is not in flight: it cannot be answered")
        self._in_flight.remove(id)

    def _require_watched(self, match: MatchId) -> None:
        if match not in self._watched:
            raise LocalProtocolError(f"match {match} is not watched on this connection")


def check_client_frame(frame: str | bytes, limits: ClientLimits) -> bytes:
    """Return the JSON of a client's frame after the checks that cost less than decoding it. Raises ProtocolError."""
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    raw = frame.encode("utf-8", "surrogatepass")
    if len(raw) > limits.frame_bytes:
        raise ProtocolError("too_big", f"a frame holds at most {limits.frame_bytes} bytes")
    # Values cost far more than bytes: 15 KB of `[9007199254740991,[],` took 9.5 ms. Commas and brackets inside strings
    # count as well: telling them apart would cost what the limit saves.
    if raw.count(b",") + raw.count(b"[") + raw.count(b"{") > limits.json_values:
        raise ProtocolError("too_big", f"a frame holds at most {limits.json_values} commas and opening brackets")
    # What is spelled as we would spell it has no fault, and no key twice: it was written from a value.
    if not is_certainly_canonical(raw, limits.json_depth):
        _check_other_spelling(raw, frame, limits)
    return raw


def _check_other_spelling(raw: bytes, frame: str, limits: ClientLimits) -> None:
    """Check a frame with blanks, escapes or faults. Raises ProtocolError."""
    try:
        check_json(raw, limits.json_depth)
    except InvalidJson as fault:
        # Of what is nested too deep only the byte is known, which is no path.
        is_path = fault.place.startswith("$")
        text = FAULT_TEXTS[fault.kind] if is_path else f"{FAULT_TEXTS[fault.kind]}, at {fault.place}"
        raise ProtocolError("bad_frame", text, fault.place if is_path else "$") from None
    # Decoders of two languages take different ones of two values. Only a frame that has some is looked into.
    try:
        json.loads(frame, object_pairs_hook=_reject_repeated_key, parse_int=len, parse_float=len)
    except _RepeatedKey:
        raise ProtocolError("bad_frame", "a key stands twice in its object", find_repeated_key(frame) or "$") from None


class _RepeatedKey(Exception):
    """Error for an object with a key that stands twice."""


def _reject_repeated_key(pairs: list[tuple[str, object]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise _RepeatedKey


def decode_client_message(raw: bytes) -> ClientMessage:
    """Decode a checked frame. Raises msgspec.ValidationError."""
    return _CLIENT_MESSAGE_DECODER.decode(raw)


def _check_resumes(resumes: Sequence[ResumeRequest], limits: ClientLimits) -> None:
    # one small hello must not make a server look up and send a thousand matches
    if len(resumes) > limits.watched_matches:
        raise ProtocolError(
            "bad_frame", f"{len(resumes)} matches to resume, at most {limits.watched_matches}", "$.resume"
        )


def _check_hello_bounds(hello: Hello) -> None:
    try:
        check_bounds(hello)
    except OutOfBounds as fault:
        raise ProtocolError("bad_frame", str(fault), fault.place) from None


def parse_validation_error(fault: msgspec.ValidationError) -> tuple[str, str]:
    """Return what is wrong and where, from a sentence like "Expected `str`, got `int` - at `$.id`"."""
    text, _, place = str(fault).partition(" - at `")
    return text, place.rstrip("`") or "$"


def _offered_versions(fields: dict[str, object]) -> tuple[int, ...]:
    """Return the versions in a hello that is otherwise of an unknown shape: a later version may have changed it."""
    try:
        return msgspec.convert(fields.get("versions", (PROTOCOL_VERSION,)), tuple[int, ...])
    except msgspec.ValidationError:
        return (PROTOCOL_VERSION,)


def _check_versions(versions: Iterable[int]) -> None:
    if PROTOCOL_VERSION not in versions:
        raise ProtocolError(
            "unsupported_version", f"this server speaks version {PROTOCOL_VERSION}", versions=(PROTOCOL_VERSION,)
        )
