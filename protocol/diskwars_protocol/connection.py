"""How does a conversation between client and server go, frame by frame, and who broke it when it breaks?

Both ends without I/O: frames in, messages out, and the other way round. `TRANSITIONS` is the whole of what may be said
when. Must not know sockets, clocks, stores or rulesets; the time is handed in.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias, TypeVar, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol import messages as m
from diskwars_protocol.canonical import SENTENCES, BadJson, check_json
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import CLOSES, LIMITS, VERSION, FromClient, FromServer, Limits, Refused, Resume
from diskwars_protocol.streams import Facts, Head, StreamBroken, Streams
from diskwars_protocol.suggestions import meant


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

Ask: TypeAlias = m.OpenMatch | m.Watch | m.Unwatch | m.Act | m.AskOptions | m.ListMatches
"""What a client says under an id, and the server answers."""

ANSWERS: dict[type[Struct], type[Struct]] = {
    m.OpenMatch: m.Opened,
    m.Watch: m.Watching,
    m.Unwatch: m.Unwatched,
    m.Act: m.Accepted,
    m.AskOptions: m.OptionsAre,
    m.ListMatches: m.MatchesAre,
}
"""Every one of these is answered once, under its id, by what stands beside it or by `Refused`."""

TRANSITIONS: dict[State, dict[type[Struct], State]] = {
    State.NEW: {m.Hello: State.GREETED, m.Closing: State.CLOSED},
    State.GREETED: {m.Welcome: State.OPEN, m.Closing: State.CLOSED},
    State.OPEN: {
        **dict.fromkeys(ANSWERS, State.OPEN),
        **dict.fromkeys(ANSWERS.values(), State.OPEN),
        m.Refused: State.OPEN,
        m.Records: State.OPEN,
        m.Closing: State.CLOSED,
    },
    State.CLOSED: {},
}
"""Both ends keep the same state, by what they send and what they receive. What is not here breaks the conversation."""

_ENCODER = msgspec.json.Encoder()
_FROM_CLIENT: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_FROM_SERVER: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)
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
            _check_resumes(message.resume, self.limits)
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
            known = meant(text, FromClient, ".type")
            return Refused(id, "unknown_type", m.REFUSALS["unknown_type"] + known, place=place)
        return Refused(id, "wrong_shape", text + meant(text, FromClient, place[1:]), place=place)


def _check_resumes(resumes: Sequence[Resume], limits: Limits) -> None:
    """One small hello must not make a server look up and send a thousand matches."""
    if len(resumes) > limits.watched:
        raise ProtocolError("bad_frame", f"{len(resumes)} matches to resume, at most {limits.watched}", "$.resume")


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


# ---------------------------------------------------------------- the client's end


Heard: TypeAlias = (
    m.Welcome
    | m.Opened
    | m.Watching
    | m.Unwatched
    | Facts
    | m.Accepted
    | m.Refused
    | m.OptionsAre
    | m.MatchesAre
    | m.Closing
)
"""What a client hears: what the server says, `Records` checked and opened."""

_Asked = TypeVar("_Asked", bound=Ask)
_Answer: TypeAlias = m.Opened | m.Watching | m.Unwatched | m.Accepted | m.OptionsAre | m.MatchesAre


class ClientConnection:
    """The client's end, over any number of sockets one after another.

    `hello` begins each; after `Welcome` send every frame of `again`. When a socket is gone, call `lost` and begin anew:
    the stream of every watched match goes on where it stopped, and unanswered commands keep their ids. `heads` are
    those of an earlier life: a match that does not contain them is refused.
    """

    def __init__(self, client: str = "", token: str = "", heads: Mapping[MatchId, Head] | None = None) -> None:
        self.client = client
        self.token = token
        self.player = PlayerId("")
        self.limits = LIMITS
        self.state = State.NEW
        self._streams = Streams(heads or {})
        self._unanswered: dict[str, Ask] = {}

    @property
    def unanswered(self) -> tuple[Ask, ...]:
        """The commands that still wait for an answer, the oldest first."""
        return tuple(self._unanswered.values())

    @property
    def watched(self) -> tuple[MatchId, ...]:
        return self._streams.watched

    def head(self, match: MatchId) -> Head | None:
        """The furthest that was ever heard of a match: keep it, and nobody can rewrite what lies before."""
        return self._streams.furthest(match)

    # ------------------------------------------------------------ speaking

    def hello(self) -> bytes:
        """The first frame on a new socket; takes up again all that was watched on the last one. Raises Misuse."""
        if self.state is not State.NEW:
            raise Misuse("hello is said once on a socket: call lost() first")
        frame = self._frame(m.Hello(client=self.client, token=self.token, resume=self._streams.resumes()))
        self.state = State.GREETED
        return frame

    def send(self, ask: Ask) -> bytes:
        """The frame of a command, which is unanswered from now on. After a Misuse it is not."""
        if self.state is not State.OPEN:
            raise Misuse(f"{type(ask).__name__} cannot be said in state {self.state.value}")
        if ask.id in self._unanswered:
            raise Misuse(f"command {ask.id} waits for its answer already")
        if len(self._unanswered) >= self.limits.unanswered:
            raise Misuse(f"{len(self._unanswered)} commands wait for an answer: no more are allowed")
        frame = self._frame(ask)
        self._unanswered[ask.id] = ask
        return frame

    def again(self) -> list[bytes]:
        """Every unanswered command once more, under its own id: what to send when a new socket has been welcomed."""
        if self.state is not State.OPEN:
            raise Misuse(f"nothing can be said again in state {self.state.value}")
        return [encode(ask) for ask in self._unanswered.values()]

    def lost(self) -> None:
        """The socket is gone, whoever closed it. What was heard stays; a new one begins with `hello`."""
        self.state = State.NEW

    def _frame(self, message: FromClient) -> bytes:
        """Refuses here what the server would answer by closing the socket."""
        try:
            frame = encode(message)
            _FROM_CLIENT.decode(_text(frame.decode(), self.limits))
        except (ProtocolError, msgspec.ValidationError, UnicodeEncodeError) as fault:
            raise Misuse(f"the server would not take this: {fault}") from None
        return frame

    # ------------------------------------------------------------ hearing

    def receive(self, frame: str | bytes) -> Heard:
        """What a frame says, checked. After a ProtocolError nothing of the frame counts and the socket is to be closed.

        Its word is "gap" when records are missing or repeated: begin anew. It is "bad_record" when the server's records
        are not those that it promised: do not go on. Raises Misuse when the conversation is over already.
        """
        if self.state is State.CLOSED:
            raise Misuse("the conversation is over: nothing more is read")
        try:
            return self._heard(_from_server(frame))
        except StreamBroken as fault:
            self.state = State.CLOSED
            raise ProtocolError(fault.word, fault.text) from fault
        except ProtocolError:
            self.state = State.CLOSED
            raise

    def _heard(self, message: FromServer) -> Heard:
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise ProtocolError("protocol", f"{type(message).__name__} cannot be said in state {self.state.value}")
        heard = self._streams.go_on(message) if isinstance(message, m.Records) else message
        self._check(message)
        self.state = following
        self._unanswered.pop(getattr(message, "id", ""), None)
        return heard

    def _check(self, message: FromServer) -> None:
        """Takes up what a message changes here, or raises and changes nothing."""
        match message:
            case m.Welcome():
                self._welcomed(message)
            case m.Opened():
                self._asked(message, m.OpenMatch)
                self._streams.expect(message.match)
            case m.Watching():
                self._streams.begin(message, self._wanted(message))
            case m.Unwatched():
                self._unwatched(message)
            case m.Accepted():
                self._accepted(message)
            case m.Refused():
                self._refused(message)
            case m.OptionsAre():
                self._asked(message, m.AskOptions)
            case m.MatchesAre():
                self._asked(message, m.ListMatches)
            case m.Records() | m.Closing():
                pass
            case _:
                assert_never(message)

    def _asked(self, answer: _Answer, kind: type[_Asked]) -> _Asked:
        """The command that this answers."""
        ask = self._unanswered.get(answer.id)
        if not isinstance(ask, kind):
            raise ProtocolError("protocol", f"{type(answer).__name__} answers no {kind.__name__} of id {answer.id!r}")
        return ask

    def _welcomed(self, welcome: m.Welcome) -> None:
        if welcome.version != VERSION:
            raise ProtocolError("unsupported_version", f"version {welcome.version} was not offered")
        if self.player and welcome.player != self.player:
            raise ProtocolError("protocol", f"the token of {self.player} was taken for that of {welcome.player}")
        self.player, self.token, self.limits = welcome.player, welcome.token, welcome.limits

    def _wanted(self, watching: m.Watching) -> Resume:
        """What was asked for: by a `Watch` under an id, else by `Hello` or `OpenMatch`."""
        if watching.id:
            watch = self._asked(watching, m.Watch)
            wanted: Resume | None = Resume(watch.match, watch.after, watch.all)
        else:
            wanted = self._streams.due(watching.match)
        if wanted is None or wanted.match != watching.match:
            raise ProtocolError("protocol", f"match {watching.match} was not asked for")
        return wanted

    def _unwatched(self, unwatched: m.Unwatched) -> None:
        if unwatched.id and self._asked(unwatched, m.Unwatch).match != unwatched.match:
            raise ProtocolError("protocol", f"command {unwatched.id} was about another match than {unwatched.match}")
        self._streams.end(unwatched.match)

    def _accepted(self, accepted: m.Accepted) -> None:
        if self._asked(accepted, m.Act).match != accepted.match:
            raise ProtocolError("protocol", f"command {accepted.id} was about another match than {accepted.match}")
        heard = self._streams.heard(accepted.match)
        if heard is not None and accepted.last > heard:
            raise ProtocolError("gap", f"record {accepted.last} was to come before the answer to {accepted.id}")

    def _refused(self, refused: m.Refused) -> None:
        if refused.id and refused.id not in self._unanswered:
            raise ProtocolError("protocol", f"no command of id {refused.id!r} waits for an answer")
        if not refused.id and self._streams.due(refused.match) is None:
            raise ProtocolError("protocol", f"a refusal about match {refused.match!r}, of which nothing was asked")
        if not refused.id:
            self._streams.end(refused.match)


def _from_server(frame: str | bytes) -> FromServer:
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    try:
        return _FROM_SERVER.decode(frame)
    except msgspec.ValidationError as fault:
        raise ProtocolError("bad_frame", *_fault_of(fault)) from None
    except (ValueError, RecursionError):
        raise ProtocolError("bad_frame", SENTENCES["not_json"], "$") from None
