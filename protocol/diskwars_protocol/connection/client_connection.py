"""The client's end of the conversation, without I/O.

Frames in, messages out, over any number of sockets one after another.
"""

from collections.abc import Collection, Mapping
from typing import TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct

from diskwars_protocol.connection.connection import (
    TRANSITIONS,
    ConnectionState,
    LocalProtocolError,
    ProtocolError,
    check_client_frame,
    decode_client_message,
    encode,
    parse_validation_error,
    request_id,
)
from diskwars_protocol.connection.shape_faults import describe_shape_fault, place_of_field
from diskwars_protocol.connection.streams import Head, StreamError, VerifiedRange, VerifiedRecords, WatchedStreams
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages import (
    REQUESTS,
    ClientMessage,
    MatchMessage,
    PlayerMessage,
    QueryResponse,
    Request,
    ServerMessage,
)
from diskwars_protocol.messages.accounts import Register, SignedIn
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, PROTOCOL_VERSION, Hello, ResumeRequest, Welcome
from diskwars_protocol.messages.history import GetRecords, Openings, RecordRange, Records
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import KickPlayer, SeatBot
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching
from diskwars_protocol.records.canonical import FAULT_TEXTS


class _TypedMessage(Struct):
    """The fields that every message has."""

    type: str


_SERVER_MESSAGE_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)
_TYPE_DECODER = msgspec.json.Decoder(_TypedMessage)
_SERVER_MESSAGE_TYPES = frozenset(kind.__struct_config__.tag for kind in get_args(ServerMessage))

ReceivedMessage: TypeAlias = (
    Welcome
    | Opened
    | Watching
    | MatchMessage
    | VerifiedRecords
    | VerifiedRange
    | Accepted
    | Refused
    | MatchesChanged
    | PlayerMessage
    | QueryResponse
    | Closing
)
"""A message for the client: the server's messages, with `Records` and `RecordRange` checked and opened."""

_RequestT = TypeVar("_RequestT", bound=Request)
_Response: TypeAlias = Opened | Watching | Unwatched | Accepted | OptionsResponse | RecordRange


class ClientConnection:
    """The client's end, over any number of sockets one after another.

    `send_hello` begins each; after `Welcome` send every frame of `resend_unanswered`. When a socket is gone, call
    `connection_lost` and start
    again: the stream of every watched match goes on where it stopped, and unanswered commands keep their ids. `heads`
    are those of an earlier life: a match that does not contain them is refused.
    """

    def __init__(
        self, client: str | None = None, token: str | None = None, heads: Mapping[MatchId, Head] | None = None
    ) -> None:
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
        """Return the furthest head received of a match: who keeps it notices if an earlier record is rewritten."""
        return self._streams.furthest_head(match)

    # ------------------------------------------------------------ speaking

    def send_hello(self, snapshots: Collection[MatchId] = ()) -> bytes:
        """Return the first frame on a new socket; takes up again all that was watched on the last one.

        The matches of `snapshots` come as they are now, without the records missed. Raises LocalProtocolError.
        """
        if self.state is not ConnectionState.NEW:
            raise LocalProtocolError("hello is sent once on a socket: call connection_lost() first")
        frame = self._encode_checked(
            Hello((PROTOCOL_VERSION,), self.client, self.token, self._streams.resume_requests(snapshots))
        )
        self.state = ConnectionState.GREETED
        return frame

    def send(self, request: Request) -> bytes:
        """Return the frame of a command, which then waits for its answer. Raises LocalProtocolError."""
        if self.state is not ConnectionState.OPEN:
            raise LocalProtocolError(f"{type(request).__name__} cannot be sent in state {self.state.value}")
        if request.id in self._unanswered:
            raise LocalProtocolError(f"command {request.id} waits for its answer already")
        if len(self._unanswered) >= self.limits.commands_in_flight:
            raise LocalProtocolError(f"{len(self._unanswered)} commands wait for an answer: no more are allowed")
        frame = self._encode_checked(request)
        self._unanswered[request.id] = request
        return frame

    def resend_unanswered(self) -> list[bytes]:
        """Every unanswered command once more, under its own id: what to send when a new socket has been welcomed."""
        if self.state is not ConnectionState.OPEN:
            raise LocalProtocolError(f"nothing can be sent again in state {self.state.value}")
        # Safe to repeat: the server looks a command up by its id and gives the answer it has given before.
        return [encode(request) for request in self._unanswered.values()]

    def connection_lost(self) -> None:
        """Note that the socket is gone. Received records stay; a new socket begins with `hello`."""
        # Unanswered commands are kept: whether the server has carried them out is known only from their answers.
        self.state = ConnectionState.NEW

    def _encode_checked(self, message: ClientMessage) -> bytes:
        """Refuse here what the server would answer by closing the socket."""
        try:
            frame = encode(message)
            decode_client_message(check_client_frame(frame.decode(), self.limits))
        except (ProtocolError, msgspec.ValidationError, UnicodeEncodeError) as fault:
            raise LocalProtocolError(f"the server would not take this: {fault}") from None
        return frame

    # ------------------------------------------------------------ receiving

    def receive(self, frame: str | bytes) -> ReceivedMessage | None:
        """Decode and check a frame; None for a message of a type that this version does not know.

        After a ProtocolError nothing of the frame counts and the socket is to be closed.

        Its word is "gap" when records are missing or repeated: reconnect. It is "bad_record" when the server's records
        are not those that it promised: do not continue. Raises LocalProtocolError when the connection is closed
        already.
        """
        if self.state is ConnectionState.CLOSED:
            raise LocalProtocolError("the connection is closed: nothing more is read")
        try:
            message = _decode_server_message(frame)
            return None if message is None else self._accept_message(message)
        except StreamError as fault:
            self.state = ConnectionState.CLOSED
            raise ProtocolError(fault.close_reason, fault.text) from fault
        except ProtocolError:
            self.state = ConnectionState.CLOSED
            raise

    def _accept_message(self, message: ServerMessage) -> ReceivedMessage:
        following = TRANSITIONS[self.state].get(type(message))
        if following is None:
            raise ProtocolError("protocol", f"{type(message).__name__} cannot be sent in state {self.state.value}")
        received: ReceivedMessage
        match message:
            case Records():
                received = self._streams.append_records(message)
            case RecordRange():
                received = self._check_range(message)
            case _:
                received = message
        # Applied before the state changes, so that a message that is refused here leaves nothing half done.
        self._apply(message)
        self.state = following
        answered = request_id(message)
        if answered is not None:
            self._unanswered.pop(answered, None)
        return received

    def _apply(self, message: ServerMessage) -> None:
        """Apply what a message changes. If it is not allowed now, raise and change nothing."""
        if isinstance(message, QueryResponse):
            return self._apply_query_response(message)
        if isinstance(message, MatchMessage):
            return self._apply_match_message(message)
        match message:
            case Welcome():
                self._apply_welcome(message)
            case Opened():
                opened = self._request_answered_by(message, OpenMatch)
                self._streams.expect_stream(
                    ResumeRequest(
                        message.match,
                        0,
                        push_options=opened.push_options,
                        include_unavailable=opened.include_unavailable,
                        push_openings=opened.push_openings,
                    )
                )
            case Watching():
                self._begin_stream(message)
            case Accepted():
                self._check_accepted(message)
            case Refused():
                self._apply_refused(message)
            case Records() | RecordRange() | MatchesChanged() | Closing():
                pass
            case _:  # any other message does not type-check here
                _: PlayerMessage = message

    def _apply_query_response(self, response: QueryResponse) -> None:
        request = self._unanswered.get(response.id)
        if request is None or REQUESTS[type(request)] is not type(response):
            name = type(response).__name__
            raise ProtocolError("protocol", f"{name} answers no request of id {response.id!r}")
        if isinstance(request, Register) and isinstance(response, SignedIn):
            # The former token has ended with this. One that answers `LogIn` may be another player's.
            self.token = response.token

    def _request_answered_by(self, answer: _Response, kind: type[_RequestT]) -> _RequestT:
        """Return the command that this answers."""
        request = None if answer.id is None else self._unanswered.get(answer.id)
        if not isinstance(request, kind):
            raise ProtocolError("protocol", f"{type(answer).__name__} answers no {kind.__name__} of id {answer.id!r}")
        return request

    def _apply_welcome(self, welcome: Welcome) -> None:
        if welcome.version != PROTOCOL_VERSION:
            raise ProtocolError("unsupported_version", f"version {welcome.version} was not offered")
        # Commands, seats and chains belong to a player. With another one they would be sent for a stranger.
        if self.player and welcome.player != self.player:
            raise ProtocolError("protocol", f"the token of {self.player} was taken for that of {welcome.player}")
        self.player, self.token, self.limits = welcome.player, welcome.token, welcome.limits

    def _begin_stream(self, watching: Watching) -> None:
        """Begin what was requested: by a `Watch` under an id, else by `Hello` or `OpenMatch`."""
        from_snapshot = False
        if watching.id is not None:
            watch = self._request_answered_by(watching, Watch)
            from_snapshot = watch.snapshot
            wanted: ResumeRequest | None = ResumeRequest(
                watch.match,
                watch.after,
                watch.reveal_secrets,
                watch.push_options,
                watch.include_unavailable,
                push_openings=watch.push_openings,
                openings_after=watch.openings_after,
            )
        else:
            wanted = self._streams.expected_resume(watching.match)
            from_snapshot = wanted is not None and wanted.snapshot
        if wanted is None or wanted.match != watching.match:
            raise ProtocolError("protocol", f"match {watching.match} was not requested")
        self._streams.begin_stream(watching, wanted, from_snapshot)

    def _check_range(self, given: RecordRange) -> VerifiedRange:
        request = self._request_answered_by(given, GetRecords)
        if (request.match, request.after) != (given.match, given.after) or len(given.records) > request.limit:
            text = f"asked for {request.limit} records of match {request.match} after {request.after}"
            raise ProtocolError("protocol", f"{text}, given {len(given.records)} of {given.match} after {given.after}")
        return self._streams.check_range(given)

    def _apply_match_message(self, message: MatchMessage) -> None:
        """Check that a message answers its request, or that its match is watched. Some need more than that."""
        if request_id(message) is None and message.match not in self._streams.watched:
            raise ProtocolError(
                "protocol", f"{type(message).__name__} about match {message.match}, which is not watched"
            )
        match message:
            case Unwatched():
                self._apply_unwatched(message)
            case OptionsResponse() if message.id is not None:
                self._request_answered_by(message, GetOptions)
            case OptionsResponse() if not self._streams.is_pushing(message.match):
                raise ProtocolError("protocol", f"options of match {message.match} were not to be pushed")
            case Openings():
                self._streams.accept_openings(message)
            case _:
                pass

    def _apply_unwatched(self, unwatched: Unwatched) -> None:
        if unwatched.id is not None and self._request_answered_by(unwatched, Unwatch).match != unwatched.match:
            raise ProtocolError("protocol", f"command {unwatched.id} was about another match than {unwatched.match}")
        self._streams.end_stream(unwatched.match)

    def _check_accepted(self, accepted: Accepted) -> None:
        request = self._unanswered.get(accepted.id)
        if not isinstance(request, Act | CloseMatch | SeatBot | KickPlayer):
            raise ProtocolError("protocol", f"Accepted answers no command of id {accepted.id!r}")
        if request.match != accepted.match:
            raise ProtocolError("protocol", f"command {accepted.id} was about another match than {accepted.match}")
        last_seq = self._streams.last_seq(accepted.match)
        # The answer comes after its record in the same outbox. One that overtakes it means that a record was lost.
        if last_seq is not None and accepted.seq > last_seq:
            raise ProtocolError("gap", f"record {accepted.seq} was to come before the answer to {accepted.id}")

    def _apply_refused(self, refused: Refused) -> None:
        if refused.id is not None:
            if refused.id not in self._unanswered:
                raise ProtocolError("protocol", f"no command of id {refused.id!r} waits for an answer")
            return
        if refused.match is None or self._streams.expected_resume(refused.match) is None:
            raise ProtocolError("protocol", f"a refusal about match {refused.match!r}, of which nothing was asked")
        # Without an id it answers a resume request of `hello`, or the watch that `opened` announces: the stream
        # that was expected will not begin.
        self._streams.end_stream(refused.match)


def _decode_server_message(frame: str | bytes) -> ServerMessage | None:
    """Decode a frame; None for a message of unknown type. Raises ProtocolError."""
    if not isinstance(frame, str):
        raise ProtocolError("binary", "frames are text, never binary")
    try:
        return _SERVER_MESSAGE_DECODER.decode(frame)
    except msgspec.ValidationError as fault:
        if _is_of_unknown_type(frame):
            return None  # a later server may send chat or presence: that is no reason to lose the match
        text, place = parse_validation_error(fault)
        raise ProtocolError("bad_frame", describe_shape_fault(text), place_of_field(text, place)) from None
    except (ValueError, RecursionError):
        raise ProtocolError("bad_frame", FAULT_TEXTS["not_json"], "$") from None


def _is_of_unknown_type(frame: str) -> bool:
    """Return whether a frame that is no message known here is a whole JSON object with a `type` of another."""
    try:
        kind = _TYPE_DECODER.decode(frame).type
    except (ValueError, RecursionError):  # among them what is not JSON, and a type that is not text
        return False
    return kind not in _SERVER_MESSAGE_TYPES
