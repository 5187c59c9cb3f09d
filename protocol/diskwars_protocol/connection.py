"""The connection of client and server as a state machine without I/O: frames in, messages out, for both ends.

`TRANSITIONS` lists every message that may be sent in each state. Time is passed in. Sockets, clocks, stores and
rulesets are left to the callers."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol import messages as m
from diskwars_protocol.canonical import FAULT_TEXTS, InvalidJson, check_json
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import (
    CLOSE_CODES,
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    ClientLimits,
    ClientMessage,
    Refused,
    ResumeRequest,
    ServerMessage,
)
from diskwars_protocol.streams import Head, StreamError, VerifiedRecords, WatchedStreams
from diskwars_protocol.suggestions import suggest_for_error


class WireError(Exception):
    """Root of everything this module refuses."""


class ProtocolError(WireError):
    """The other end broke the conversation. `word` is one of `CLOSE_CODES`, `code` goes into the WebSocket's close
    frame.
    """

    def __init__(self, word: str, text: str, place: str = "", versions: tuple[int, ...] = ()) -> None:
        super().__init__(f"{word}: {place}: {text}" if place else f"{word}: {text}")
        self.close_reason = word
        self.text = text
        self.place = place
        self.versions = versions

    @property
    def code(self) -> int:
        return CLOSE_CODES[self.close_reason]

    def to_message(self, retry_after_ms: int = 0) -> m.Closing:
        """Return what to tell the other end before the socket is closed."""
        return m.Closing(self.code, self.close_reason, self.text, retry_after_ms, self.place, self.versions)


class LocalProtocolError(WireError):
    """This end was asked to say what cannot be said now."""


# ---------------------------------------------------------------- what may be said when


class ConnectionState(Enum):
    """`NEW`: nothing was said. `GREETED`: hello was said. `OPEN`: welcome was said. `CLOSED`: it is over."""

    NEW = "new"
    GREETED = "greeted"
    OPEN = "open"
    CLOSED = "closed"


Message: TypeAlias = ClientMessage | ServerMessage

Request: TypeAlias = (
    m.OpenMatch | m.Watch | m.Unwatch | m.Act | m.GetOptions | m.ListMatches | m.GetCatalogue | m.CheckArmy
)
"""What a client says under an id, and the server answers."""

RESPONSE_TYPES: dict[type[Struct], type[Struct]] = {
    m.OpenMatch: m.Opened,
    m.Watch: m.Watching,
    m.Unwatch: m.Unwatched,
    m.Act: m.Accepted,
    m.GetOptions: m.OptionsResponse,
    m.ListMatches: m.MatchList,
    m.GetCatalogue: m.CatalogueResponse,
    m.CheckArmy: m.ArmyChecked,
}
"""The answer of each request, sent once under its id unless `Refused` is."""

TRANSITIONS: dict[ConnectionState, dict[type[Struct], ConnectionState]] = {
    ConnectionState.NEW: {m.Hello: ConnectionState.GREETED, m.Closing: ConnectionState.CLOSED},
    ConnectionState.GREETED: {m.Welcome: ConnectionState.OPEN, m.Closing: ConnectionState.CLOSED},
    ConnectionState.OPEN: {
        **dict.fromkeys(RESPONSE_TYPES, ConnectionState.OPEN),
        **dict.fromkeys(RESPONSE_TYPES.values(), ConnectionState.OPEN),
        m.Refused: ConnectionState.OPEN,
        m.Records: ConnectionState.OPEN,
        m.Closing: ConnectionState.CLOSED,
    },
    ConnectionState.CLOSED: {},
}
"""Both ends keep the same state, by what they send and what they receive. What is not here breaks the conversation."""

_ENCODER = msgspec.json.Encoder()
_CLIENT_MESSAGE_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_SERVER_MESSAGE_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_UNTYPED_DECODER = msgspec.json.Decoder()

BUSY_RETRY_AFTER_MS = 100


def encode(message: Message) -> bytes:
    """Return the text frame of a message, as UTF-8."""
    return _ENCODER.encode(message)


# ---------------------------------------------------------------- the server's end


class ServerConnection:
    """The server's end of one conversation. A ProtocolError ends it: send its `closing()`, then close the socket."""

    def __init__(self, limits: ClientLimits = DEFAULT_CLIENT_LIMITS) -> None:
        self.limits = limits
        self.state = ConnectionState.NEW
        self._unanswered: list[str] = []

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of the commands that still wait for an answer, the oldest first."""
        return tuple(self._unanswered)

    def receive(self, frame: str | bytes) -> ClientMessage | Refused:
        """Return the message in a frame, or the refusal to send back for one that nothing can be done about.

        Raises ProtocolError when the conversation cannot go on, Misuse when it is over already.
        """
        if self.state is ConnectionState.CLOSED:
            raise LocalProtocolError("the conversation is over: nothing more is read")
        try:
            return self._admit(self._decode(frame))
        except ProtocolError:
            self.state = ConnectionState.CLOSED
            raise

    def send(self, message: ServerMessage) -> bytes:
        """Return the frame of a message. Records that many watch are encoded once, by `encode`. Raises
        LocalProtocolError.
        """
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise LocalProtocolError(f"{type(message).__name__} cannot be said in state {self.state.value}")
        self.state = following
        return encode(message)

    def finish_command(self, id: str) -> None:
        """Note that a command from `receive` has been answered, which makes room for another."""
        if id in self._unanswered:
            self._unanswered.remove(id)

    def _decode(self, frame: str | bytes) -> ClientMessage | Refused:
        raw = _check_frame(frame, self.limits)
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
        if isinstance(message, m.Hello):
            _check_versions(message.versions)
            _check_resumes(message.resume, self.limits)
            return message
        if len(self._unanswered) >= self.limits.commands_in_flight:
            text = f"{len(self._unanswered)} commands wait for an answer already"
            return Refused(message.id, "busy", text, retry_after_ms=BUSY_RETRY_AFTER_MS)
        self._unanswered.append(message.id)
        return message

    def _unexpected_message_error(self) -> ProtocolError:
        if self.state is ConnectionState.NEW:
            return ProtocolError("hello_expected", "the first message has to be hello")
        if self.state is ConnectionState.GREETED:
            return ProtocolError("protocol", "nothing may be said between hello and welcome")
        return ProtocolError("protocol", "hello is said once")

    def _refuse_invalid(self, raw: bytes, fault: msgspec.ValidationError) -> Refused:
        """Good JSON, but no message. Where its id can be read, only this message is refused."""
        text, place = _parse_validation_error(fault)
        found: object = _UNTYPED_DECODER.decode(raw)
        fields = found if isinstance(found, dict) else {}
        kind = fields.get("type")
        if kind == "hello" and self.state is ConnectionState.NEW:
            _check_versions(_offered_versions(fields))
            raise ProtocolError("bad_frame", text, place)
        if kind == "hello" or self.state is not ConnectionState.OPEN:
            raise self._unexpected_message_error()
        id = fields.get("id")
        if not (isinstance(id, str) and 1 <= len(id) <= m.MAX_ID_LENGTH):
            raise ProtocolError("bad_frame", text, place)
        if place == "$.type":
            known = suggest_for_error(text, ClientMessage, ".type")
            return Refused(id, "unknown_type", m.REFUSAL_CODES["unknown_type"] + known, place=place)
        return Refused(id, "wrong_shape", text + suggest_for_error(text, ClientMessage, place[1:]), place=place)


def _check_resumes(resumes: Sequence[ResumeRequest], limits: ClientLimits) -> None:
    """One small hello must not make a server look up and send a thousand matches."""
    if len(resumes) > limits.watched_matches:
        raise ProtocolError(
            "bad_frame", f"{len(resumes)} matches to resume, at most {limits.watched_matches}", "$.resume"
        )


def _check_frame(frame: str | bytes, limits: ClientLimits) -> bytes:
    """Return a frame as the bytes of good JSON. Raises ProtocolError."""
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    raw = frame.encode("utf-8", "surrogatepass")
    if len(raw) > limits.frame_bytes:
        raise ProtocolError("too_big", f"a frame holds at most {limits.frame_bytes} bytes")
    try:
        check_json(raw, limits.json_depth)
    except InvalidJson as fault:
        raise ProtocolError("bad_frame", FAULT_TEXTS[fault.kind], fault.place) from None
    return raw


def _parse_validation_error(fault: msgspec.ValidationError) -> tuple[str, str]:
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


class FloodGuard:
    """A token bucket: `burst` frames at once, `rate` a second for long. The clock is the caller's, in milliseconds."""

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._capacity = burst * 1000
        self._millitokens = self._capacity
        self._refilled_at_ms: int | None = None

    def admit(self, now_ms: int) -> bool:
        """Return whether one more frame is allowed now, and count it if so."""
        self._refill(now_ms)
        if self._millitokens < 1000:
            return False
        self._millitokens -= 1000
        return True

    def wait_ms(self) -> int:
        """Return how long after the last `admit` until there is room for one more."""
        return -(-max(0, 1000 - self._millitokens) // self._rate)

    def _refill(self, now_ms: int) -> None:
        before = now_ms if self._refilled_at_ms is None else self._refilled_at_ms
        self._refilled_at_ms = max(before, now_ms)
        self._millitokens = min(self._capacity, self._millitokens + (self._refilled_at_ms - before) * self._rate)


# ---------------------------------------------------------------- the client's end


ReceivedMessage: TypeAlias = (
    m.Welcome
    | m.Opened
    | m.Watching
    | m.Unwatched
    | VerifiedRecords
    | m.Accepted
    | m.Refused
    | m.OptionsResponse
    | m.MatchList
    | m.CatalogueResponse
    | m.ArmyChecked
    | m.Closing
)
"""What a client receives: the server's messages, with `Records` checked and opened."""

_RequestT = TypeVar("_RequestT", bound=Request)
_Response: TypeAlias = (
    m.Opened
    | m.Watching
    | m.Unwatched
    | m.Accepted
    | m.OptionsResponse
    | m.MatchList
    | m.CatalogueResponse
    | m.ArmyChecked
)


class ClientConnection:
    """The client's end, over any number of sockets one after another.

    `hello` begins each; after `Welcome` send every frame of `again`. When a socket is gone, call `lost` and start
    again: the stream of every watched match goes on where it stopped, and unanswered commands keep their ids. `heads`
    are those of an earlier life: a match that does not contain them is refused.
    """

    def __init__(self, client: str = "", token: str = "", heads: Mapping[MatchId, Head] | None = None) -> None:
        self.client = client
        self.token = token
        self.player = PlayerId("")
        self.limits = DEFAULT_CLIENT_LIMITS
        self.state = ConnectionState.NEW
        self._streams = WatchedStreams(heads or {})
        self._unanswered: dict[str, Request] = {}

    @property
    def unanswered(self) -> tuple[Request, ...]:
        """The commands that still wait for an answer, the oldest first."""
        return tuple(self._unanswered.values())

    @property
    def watched(self) -> tuple[MatchId, ...]:
        return self._streams.watched

    def head(self, match: MatchId) -> Head | None:
        """Return the furthest head received of a match: keep it, and nobody can rewrite what is before it."""
        return self._streams.furthest_head(match)

    # ------------------------------------------------------------ speaking

    def send_hello(self) -> bytes:
        """Return the first frame on a new socket; takes up again all that was watched on the last one. Raises
        LocalProtocolError.
        """
        if self.state is not ConnectionState.NEW:
            raise LocalProtocolError("hello is said once on a socket: call lost() first")
        frame = self._encode_checked(
            m.Hello(client=self.client, token=self.token, resume=self._streams.resume_requests())
        )
        self.state = ConnectionState.GREETED
        return frame

    def send(self, ask: Request) -> bytes:
        """Return the frame of a command, which is unanswered from now on. After a Misuse it is not."""
        if self.state is not ConnectionState.OPEN:
            raise LocalProtocolError(f"{type(ask).__name__} cannot be said in state {self.state.value}")
        if ask.id in self._unanswered:
            raise LocalProtocolError(f"command {ask.id} waits for its answer already")
        if len(self._unanswered) >= self.limits.commands_in_flight:
            raise LocalProtocolError(f"{len(self._unanswered)} commands wait for an answer: no more are allowed")
        frame = self._encode_checked(ask)
        self._unanswered[ask.id] = ask
        return frame

    def resend_unanswered(self) -> list[bytes]:
        """Every unanswered command once more, under its own id: what to send when a new socket has been welcomed."""
        if self.state is not ConnectionState.OPEN:
            raise LocalProtocolError(f"nothing can be said again in state {self.state.value}")
        return [encode(ask) for ask in self._unanswered.values()]

    def connection_lost(self) -> None:
        """Note that the socket is gone. Received records stay; a new socket begins with `hello`."""
        self.state = ConnectionState.NEW

    def _encode_checked(self, message: ClientMessage) -> bytes:
        """Refuse here what the server would answer by closing the socket."""
        try:
            frame = encode(message)
            _CLIENT_MESSAGE_DECODER.decode(_check_frame(frame.decode(), self.limits))
        except (ProtocolError, msgspec.ValidationError, UnicodeEncodeError) as fault:
            raise LocalProtocolError(f"the server would not take this: {fault}") from None
        return frame

    # ------------------------------------------------------------ receiving

    def receive(self, frame: str | bytes) -> ReceivedMessage:
        """What a frame says, checked. After a ProtocolError nothing of the frame counts and the socket is to be closed.

        Its word is "gap" when records are missing or repeated: reconnect. It is "bad_record" when the server's records
        are not those that it promised: do not go on. Raises LocalProtocolError when the conversation is over already.
        """
        if self.state is ConnectionState.CLOSED:
            raise LocalProtocolError("the conversation is over: nothing more is read")
        try:
            return self._accept_message(_decode_server_message(frame))
        except StreamError as fault:
            self.state = ConnectionState.CLOSED
            raise ProtocolError(fault.close_reason, fault.text) from fault
        except ProtocolError:
            self.state = ConnectionState.CLOSED
            raise

    def _accept_message(self, message: ServerMessage) -> ReceivedMessage:
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise ProtocolError("protocol", f"{type(message).__name__} cannot be said in state {self.state.value}")
        heard = self._streams.append_records(message) if isinstance(message, m.Records) else message
        self._apply(message)
        self.state = following
        self._unanswered.pop(getattr(message, "id", ""), None)
        return heard

    def _apply(self, message: ServerMessage) -> None:
        """Take up what a message changes here, or raise and changes nothing."""
        match message:
            case m.Welcome():
                self._apply_welcome(message)
            case m.Opened():
                self._request_answered_by(message, m.OpenMatch)
                self._streams.expect_stream(message.match)
            case m.Watching():
                self._streams.begin_stream(message, self._expected_resume(message))
            case m.Unwatched():
                self._apply_unwatched(message)
            case m.Accepted():
                self._check_accepted(message)
            case m.Refused():
                self._apply_refused(message)
            case m.OptionsResponse():
                self._request_answered_by(message, m.GetOptions)
            case m.MatchList():
                self._request_answered_by(message, m.ListMatches)
            case m.CatalogueResponse():
                self._request_answered_by(message, m.GetCatalogue)
            case m.ArmyChecked():
                self._request_answered_by(message, m.CheckArmy)
            case m.Records() | m.Closing():
                pass
            case _:
                assert_never(message)

    def _request_answered_by(self, answer: _Response, kind: type[_RequestT]) -> _RequestT:
        """Return the command that this answers."""
        ask = self._unanswered.get(answer.id)
        if not isinstance(ask, kind):
            raise ProtocolError("protocol", f"{type(answer).__name__} answers no {kind.__name__} of id {answer.id!r}")
        return ask

    def _apply_welcome(self, welcome: m.Welcome) -> None:
        if welcome.version != PROTOCOL_VERSION:
            raise ProtocolError("unsupported_version", f"version {welcome.version} was not offered")
        if self.player and welcome.player != self.player:
            raise ProtocolError("protocol", f"the token of {self.player} was taken for that of {welcome.player}")
        self.player, self.token, self.limits = welcome.player, welcome.token, welcome.limits

    def _expected_resume(self, watching: m.Watching) -> ResumeRequest:
        """Return what was asked for: by a `Watch` under an id, else by `Hello` or `OpenMatch`."""
        if watching.id:
            watch = self._request_answered_by(watching, m.Watch)
            wanted: ResumeRequest | None = ResumeRequest(watch.match, watch.after, watch.reveal_secrets)
        else:
            wanted = self._streams.expected_resume(watching.match)
        if wanted is None or wanted.match != watching.match:
            raise ProtocolError("protocol", f"match {watching.match} was not asked for")
        return wanted

    def _apply_unwatched(self, unwatched: m.Unwatched) -> None:
        if unwatched.id and self._request_answered_by(unwatched, m.Unwatch).match != unwatched.match:
            raise ProtocolError("protocol", f"command {unwatched.id} was about another match than {unwatched.match}")
        self._streams.end_stream(unwatched.match)

    def _check_accepted(self, accepted: m.Accepted) -> None:
        if self._request_answered_by(accepted, m.Act).match != accepted.match:
            raise ProtocolError("protocol", f"command {accepted.id} was about another match than {accepted.match}")
        heard = self._streams.last_seq(accepted.match)
        if heard is not None and accepted.last > heard:
            raise ProtocolError("gap", f"record {accepted.last} was to come before the answer to {accepted.id}")

    def _apply_refused(self, refused: m.Refused) -> None:
        if refused.id and refused.id not in self._unanswered:
            raise ProtocolError("protocol", f"no command of id {refused.id!r} waits for an answer")
        if not refused.id and self._streams.expected_resume(refused.match) is None:
            raise ProtocolError("protocol", f"a refusal about match {refused.match!r}, of which nothing was asked")
        if not refused.id:
            self._streams.end_stream(refused.match)


def _decode_server_message(frame: str | bytes) -> ServerMessage:
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    try:
        return _SERVER_MESSAGE_DECODER.decode(frame)
    except msgspec.ValidationError as fault:
        raise ProtocolError("bad_frame", *_parse_validation_error(fault)) from None
    except (ValueError, RecursionError):
        raise ProtocolError("bad_frame", FAULT_TEXTS["not_json"], "$") from None
