"""How does a conversation between client and server go, frame by frame, and who broke it when it breaks?

Both ends without I/O: frames in, messages out, and the other way round. `TRANSITIONS` is the whole of what may be said
when. Must not know sockets, clocks, stores or rulesets; the time is handed in.
"""

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

import msgspec
from msgspec import Struct

from diskwars_protocol import messages as m
from diskwars_protocol.messages import CLOSES, LIMITS, VERSION, FromClient, FromServer, Limits, Refused
from diskwars_protocol.records import SENTENCES, BadJson, check_json


class ConversationError(Exception):
    """Root of everything this module refuses."""


class ProtocolError(ConversationError):
    """The other end broke the conversation. `word` is one of `CLOSES`, `code` goes into the WebSocket's close frame."""

    def __init__(self, word: str, text: str, place: str = "", versions: tuple[int, ...] = ()) -> None:
        super().__init__(f"{word}: {place}: {text}" if place else f"{word}: {text}")
        self.word = word
        self.text = text
        self.place = place
        self.versions = versions

    @property
    def code(self) -> int:
        return CLOSES[self.word]

    def closing(self, retry_after_ms: int = 0) -> m.Closing:
        """What to tell the other end before the socket is closed."""
        return m.Closing(self.code, self.word, self.text, retry_after_ms, self.place, self.versions)


class Misuse(ConversationError):
    """This end was asked to say what cannot be said now."""


# ---------------------------------------------------------------- what may be said when


class State(Enum):
    """`NEW`: nothing was said. `GREETED`: hello was said. `OPEN`: welcome was said. `CLOSED`: it is over."""

    NEW = "new"
    GREETED = "greeted"
    OPEN = "open"
    CLOSED = "closed"


Message: TypeAlias = FromClient | FromServer

_ASKS: tuple[type[Struct], ...] = (m.OpenMatch, m.Watch, m.Unwatch, m.Act, m.AskOptions, m.ListMatches)
_TELLS: tuple[type[Struct], ...] = (
    m.Opened,
    m.Watching,
    m.Unwatched,
    m.Records,
    m.Accepted,
    m.Refused,
    m.OptionsAre,
    m.MatchesAre,
)

TRANSITIONS: dict[State, dict[type[Struct], State]] = {
    State.NEW: {m.Hello: State.GREETED, m.Closing: State.CLOSED},
    State.GREETED: {m.Welcome: State.OPEN, m.Closing: State.CLOSED},
    State.OPEN: {**dict.fromkeys(_ASKS + _TELLS, State.OPEN), m.Closing: State.CLOSED},
    State.CLOSED: {},
}
"""Both ends keep the same state, by what they send and what they receive. What is not here breaks the conversation."""

_ENCODER = msgspec.json.Encoder()
_FROM_CLIENT: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_PLAIN = msgspec.json.Decoder()

BUSY_RETRY_MS = 100


def encode(message: Message) -> bytes:
    """The text frame of a message, as UTF-8."""
    return _ENCODER.encode(message)


# ---------------------------------------------------------------- the server's end


class ServerConnection:
    """The server's end of one conversation. A ProtocolError ends it: send its `closing()`, then close the socket."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.state = State.NEW
        self._unanswered: list[str] = []

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of the commands that still wait for an answer, the oldest first."""
        return tuple(self._unanswered)

    def receive(self, frame: str | bytes) -> FromClient | Refused:
        """The message in a frame, or the refusal to send back for one that nothing can be done about.

        Raises ProtocolError when the conversation cannot go on, Misuse when it is over already.
        """
        if self.state is State.CLOSED:
            raise Misuse("the conversation is over: nothing more is read")
        try:
            return self._admitted(self._read(frame))
        except ProtocolError:
            self.state = State.CLOSED
            raise

    def send(self, message: FromServer) -> bytes:
        """The frame of a message. Records that many watch are encoded once, by `encode`. Raises Misuse."""
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise Misuse(f"{type(message).__name__} cannot be said in state {self.state.value}")
        self.state = following
        return encode(message)

    def answered(self, id: str) -> None:
        """A command that `receive` gave out has got its answer, so that there is room for another."""
        if id in self._unanswered:
            self._unanswered.remove(id)

    def _read(self, frame: str | bytes) -> FromClient | Refused:
        raw = _text(frame, self.limits)
        try:
            return _FROM_CLIENT.decode(raw)
        except msgspec.ValidationError as fault:
            return self._misshapen(raw, fault)

    def _admitted(self, message: FromClient | Refused) -> FromClient | Refused:
        if isinstance(message, Refused):
            return message
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise self._out_of_turn()
        self.state = following
        if isinstance(message, m.Hello):
            _check_versions(message.versions)
            return message
        if len(self._unanswered) >= self.limits.unanswered:
            text = f"{len(self._unanswered)} commands wait for an answer already"
            return Refused(message.id, "busy", text, retry_after_ms=BUSY_RETRY_MS)
        self._unanswered.append(message.id)
        return message

    def _out_of_turn(self) -> ProtocolError:
        if self.state is State.NEW:
            return ProtocolError("hello_expected", "the first message has to be hello")
        if self.state is State.GREETED:
            return ProtocolError("protocol", "nothing may be said between hello and welcome")
        return ProtocolError("protocol", "hello is said once")

    def _misshapen(self, raw: bytes, fault: msgspec.ValidationError) -> Refused:
        """Good JSON, but no message. Where its id can be read, only this message is refused."""
        text, place = _fault_of(fault)
        found: object = _PLAIN.decode(raw)
        fields = found if isinstance(found, dict) else {}
        kind = fields.get("type")
        if kind == "hello" and self.state is State.NEW:
            _check_versions(_versions_of(fields))
            raise ProtocolError("bad_frame", text, place)
        if kind == "hello" or self.state is not State.OPEN:
            raise self._out_of_turn()
        id = fields.get("id")
        if not (isinstance(id, str) and 1 <= len(id) <= m.ID_LENGTH):
            raise ProtocolError("bad_frame", text, place)
        if place == "$.type":
            return Refused(id, "unknown_type", m.REFUSALS["unknown_type"], place=place)
        return Refused(id, "wrong_shape", text, place=place)


def _text(frame: str | bytes, limits: Limits) -> bytes:
    """A frame as the bytes of good JSON. Raises ProtocolError."""
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    raw = frame.encode("utf-8", "surrogatepass")
    if len(raw) > limits.frame:
        raise ProtocolError("too_big", f"a frame holds at most {limits.frame} bytes")
    try:
        check_json(raw, limits.depth)
    except BadJson as fault:
        raise ProtocolError("bad_frame", SENTENCES[fault.why], fault.place) from None
    return raw


def _fault_of(fault: msgspec.ValidationError) -> tuple[str, str]:
    """What is wrong and where, from a sentence like "Expected `str`, got `int` - at `$.id`"."""
    text, _, place = str(fault).partition(" - at `")
    return text, place.rstrip("`") or "$"


def _versions_of(fields: dict[str, object]) -> tuple[int, ...]:
    """The versions in a hello that is otherwise of an unknown shape: a later version may have changed it."""
    try:
        return msgspec.convert(fields.get("versions", (VERSION,)), tuple[int, ...])
    except msgspec.ValidationError:
        return (VERSION,)


def _check_versions(versions: Iterable[int]) -> None:
    if VERSION not in versions:
        raise ProtocolError("unsupported_version", f"this server speaks version {VERSION}", versions=(VERSION,))


class FloodGuard:
    """A token bucket: `burst` frames at once, `rate` a second for long. The clock is the caller's, in milliseconds."""

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._full = burst * 1000
        self._thousandths = self._full
        self._at: int | None = None

    def admit(self, now_ms: int) -> bool:
        """Is there room for one more frame now? It is counted only if there is."""
        self._refill(now_ms)
        if self._thousandths < 1000:
            return False
        self._thousandths -= 1000
        return True

    def wait_ms(self) -> int:
        """How long after the last `admit` until there is room for one more."""
        return -(-max(0, 1000 - self._thousandths) // self._rate)

    def _refill(self, now_ms: int) -> None:
        before = now_ms if self._at is None else self._at
        self._at = max(before, now_ms)
        self._thousandths = min(self._full, self._thousandths + (self._at - before) * self._rate)
