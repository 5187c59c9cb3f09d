"""The messages that each end may send in each state, and its reaction to others."""

import json
from contextlib import suppress
from itertools import product
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct

from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import (
    TRANSITIONS,
    ConnectionState,
    LocalProtocolError,
    ProtocolError,
    ServerConnection,
    encode,
    parse_validation_error,
    share,
)
from diskwars_protocol.connection.shape_faults import describe_shape_fault
from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.identifiers import ContentId, OptionalContentId
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import REQUESTS, ClientMessage, ServerMessage
from diskwars_protocol.messages.accounts import Rename
from diskwars_protocol.messages.closing import CLOSE_CODES, CloseReason
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import (
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    ClientLimits,
    Hello,
    RulesetSummary,
    Welcome,
)
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching
from diskwars_protocol.schema_types import Hash
from tests.rows import each_row

M1 = MatchId("m1")
WELCOME = Welcome(
    PROTOCOL_VERSION,
    PlayerId("p1"),
    "token of p1",
    1_700_000_000_000,
    (RulesetSummary("diskwars", (2,)),),
    DEFAULT_CLIENT_LIMITS,
)
ACT = Act("a1", M1, Raw(b'{"type":"ready"}'), DecisionId("7.0"))


def text(message: Struct) -> str:
    return encode(message).decode()  # type: ignore[arg-type]


def opened_server(limits: ClientLimits = DEFAULT_CLIENT_LIMITS) -> ServerConnection:
    server = ServerConnection(limits)
    server.receive(text(Hello((1,))))
    server.send(WELCOME)
    return server


# ---------------------------------------------------------------- the table


def test_the_table_knows_every_message_and_every_state() -> None:
    known = {kind for row in TRANSITIONS.values() for kind in row}
    assert known == {*get_args(ClientMessage), *get_args(ServerMessage)}
    assert set(TRANSITIONS) == set(ConnectionState)


def test_every_command_carries_an_id_and_has_an_answer_that_carries_it_back() -> None:
    asks = set(get_args(ClientMessage)) - {Hello}
    assert set(REQUESTS) == asks
    assert all("id" in kind.__struct_fields__ for pair in REQUESTS.items() for kind in pair)


CLIENT_MESSAGES: list[ClientMessage] = [
    Hello((1,)),
    OpenMatch("1", "diskwars", 2),
    Watch("1", M1),
    Unwatch("1", M1),
    ACT,
    GetOptions("1", M1, DecisionId("7.0")),
    ListMatches("1"),
]


def server_in(state: ConnectionState) -> ServerConnection:
    server = ServerConnection()
    if state is not ConnectionState.NEW:
        server.receive(text(Hello((1,))))
    if state in (ConnectionState.OPEN, ConnectionState.CLOSED):
        server.send(WELCOME)
    if state is ConnectionState.CLOSED:
        server.send(ProtocolError("going_away", "the server stops").to_message())
    return server


@each_row(("state", "message"), list(product(list(ConnectionState)[:3], CLIENT_MESSAGES)))
def test_the_server_takes_exactly_what_the_table_allows(state: ConnectionState, message: ClientMessage) -> None:
    server = server_in(state)
    following = TRANSITIONS[state].get(type(message))
    if following is None:
        with pytest.raises(ProtocolError) as caught:
            server.receive(text(message))
        assert caught.value.close_reason == ("hello_expected" if state is ConnectionState.NEW else "protocol")
        assert ("between" in caught.value.text) == (state is ConnectionState.GREETED)
        assert server.state is ConnectionState.FAILED
    else:
        assert server.receive(text(message)) == message
        assert server.state is following


def test_a_closed_end_neither_reads_nor_speaks() -> None:
    server = server_in(ConnectionState.CLOSED)
    with pytest.raises(LocalProtocolError):
        server.receive(text(Hello((1,))))
    with pytest.raises(LocalProtocolError):
        server.send(WELCOME)


@pytest.mark.parametrize("state", [ConnectionState.NEW, ConnectionState.GREETED])
def test_the_server_says_nothing_of_matches_before_its_welcome(state: ConnectionState) -> None:
    server = server_in(state)
    with pytest.raises(LocalProtocolError):
        server.send(Opened("1", M1))
    assert server.state is state


def test_hello_is_answered_by_welcome_and_both_ends_are_open() -> None:
    client, server = ClientConnection("test", "my token"), ServerConnection()
    hello = server.receive(client.send_hello().decode())
    assert hello == Hello((1,), client="test", token="my token")
    assert client.receive(server.send(WELCOME).decode()) == WELCOME
    assert (client.state, server.state) == (ConnectionState.OPEN, ConnectionState.OPEN)
    assert (client.player, client.token) == ("p1", "token of p1")


# ---------------------------------------------------------------- bad input to the server

VALID_FRAMES = text(Watch("w1", M1))
TOO_DEEP = '{"type":"act","id":"1","match":"m","decision":"1","action":' + "[" * 12 + "]" * 12 + "}"

CLOSING_FRAMES: list[tuple[str, str | bytes, str, str | None]] = [
    ("not JSON", "hello?", "bad_frame", "$"),
    ("nothing at all", "", "bad_frame", "$"),
    ("cut off", VALID_FRAMES[:-1], "bad_frame", "$"),
    ("two in one", VALID_FRAMES + VALID_FRAMES, "bad_frame", "$"),
    ("NaN", '{"type":"watch","id":"1","match":"m","after":NaN}', "bad_frame", "$"),
    ("binary", VALID_FRAMES.encode(), "binary", None),
    ("too deep", TOO_DEEP, "bad_frame", "$"),
    ("much too deep", "[" * 500, "bad_frame", "$"),
    ("a key twice", '{"type":"watch","id":"1","match":"m","match":"n"}', "bad_frame", "$.match"),
    (
        "a key twice, deep, escaped once",
        '{"type":"hello","versions":[1],"resume":[{"match":"m"},{"match":"m","m\\u0061tch":"n"}]}',
        "bad_frame",
        "$.resume[1].match",
    ),
    ("an endless key twice", '{"' + "k" * 900 + '":1,"' + "k" * 900 + '":2}', "bad_frame", "$"),
    ("an integer behind a key that stands twice", '{"a":' + "9" * 5000 + ',"a":1}', "bad_frame", "$"),
    ("too many values", "[" * 16_000, "too_big", None),
    ("a float", '{"type":"watch","id":"1","match":"m","after":1.0}', "bad_frame", "$.after"),
    ("2^53", '{"type":"watch","id":"1","match":"m","after":9007199254740992}', "bad_frame", "$.after"),
    ("-2^53", '{"type":"watch","id":"1","match":"m","after":-9007199254740992}', "bad_frame", "$.after"),
    ("endless integer", '{"after":' + "9" * 5000 + "}", "bad_frame", "$.after"),
    ("NUL", '{"type":"watch","id":"1","match":"m\\u0000"}', "bad_frame", "$.match"),
    ("lone surrogate", '{"type":"watch","id":"1","match":"\\ud800"}', "bad_frame", "$.match"),
    ("lone surrogate in the frame", '{"type":"watch","id":"1","match":"\ud800"}', "bad_frame", "$"),
    ("a float behind a key that stands twice", '{"a":1E400,"a":1}', "bad_frame", "$"),
    ("a key like an integer", '{"type":"watch","id":"1","match":"m","7":1}', "bad_frame", '$["7"]'),
    ("no object", "[1,2]", "bad_frame", "$"),
    ("no id", '{"type":"watch","match":"m"}', "bad_frame", "$.id"),
    ("an empty id", '{"type":"watch","id":"","match":"m"}', "bad_frame", "$.id"),
    ("an endless id", '{"type":"watch","id":"' + "x" * 65 + '","match":"m"}', "bad_frame", "$.id"),
    ("an id that is no text", '{"type":"watch","id":1,"match":"m"}', "bad_frame", "$.id"),
    ("unknown type and no id", '{"type":"fly"}', "bad_frame", "$.type"),
    ("a second hello", text(Hello((1,))), "protocol", None),
    ("a second hello of bad shape", '{"type":"hello","token":1,"id":"1"}', "protocol", None),
]


@each_row(("frame", "word", "place"), [row[1:] for row in CLOSING_FRAMES], ids=[row[0] for row in CLOSING_FRAMES])
def test_bad_input_closes_with_a_code_and_the_place(frame: str | bytes, word: CloseReason, place: str | None) -> None:
    server = opened_server()
    with pytest.raises(ProtocolError) as caught:
        server.receive(frame)
    assert (caught.value.close_reason, caught.value.place) == (word, place)
    closing = caught.value.to_message()
    assert (closing.code, closing.close_reason, closing.place) == (CLOSE_CODES[word], word, place)
    assert closing.text
    assert place is None or place.startswith("$"), "the schema allows nothing else"
    assert server.state is ConnectionState.FAILED


REFUSED_FRAMES: list[tuple[str, str, str, str]] = [
    ("unknown type", '{"type":"fly","id":"1"}', "unknown_type", "$.type"),
    ("a type that is no text", '{"type":1,"id":"1"}', "unknown_type", "$.type"),
    ("no type", '{"id":"1"}', "wrong_shape", "$.type"),
    ("a field missing", '{"type":"watch","id":"1"}', "wrong_shape", "$.match"),
    ("an unknown field", '{"type":"watch","id":"1","match":"m","aftr":7}', "wrong_shape", "$.aftr"),
    ("an unknown field of a strange name", '{"type":"watch","id":"1","match":"m","a b":7}', "wrong_shape", '$["a b"]'),
    ("an endless unknown field", '{"type":"watch","id":"1","match":"m","' + "x" * 900 + '":7}', "wrong_shape", "$"),
    ("a field of another kind", '{"type":"watch","id":"1","match":7}', "wrong_shape", "$.match"),
    ("what only a server says", text(WELCOME)[:-1] + ',"id":"1"}', "unknown_type", "$.type"),
    ("a status that is none", '{"type":"list_matches","id":"1","status":"lost"}', "wrong_shape", "$.status"),
]


@each_row(("frame", "code", "place"), [row[1:] for row in REFUSED_FRAMES], ids=[r[0] for r in REFUSED_FRAMES])
def test_a_message_of_wrong_shape_is_refused_under_its_id_and_the_connection_lives(
    frame: str, code: str, place: str
) -> None:
    server = opened_server()
    refused = server.receive(frame)
    assert isinstance(refused, Refused)
    assert (refused.id, refused.code, refused.place) == ("1", code, place)
    assert code in REFUSAL_CODES
    server.send(refused)
    assert list(server.in_flight) == []
    assert server.receive(VALID_FRAMES) == Watch("w1", M1)


@each_row(
    ("frame", "said"),
    [
        ('{"type":"wach","id":"1"}', 'there is no message of this type; did you mean "watch"?'),
        (
            '{"type":"fly","id":"1"}',
            'there is no message of this type; known are "accept_challenge", "accept_club_invitation", "act"',
        ),
        ('{"type":1,"id":"1"}', "there is no message of this type"),
        (
            '{"type":"list_matches","id":"1","status":"Running"}',
            "'Running' is not one of the values; did you mean \"running\"?",
        ),
        (
            '{"type":"watch","id":"1","match":"m","aftr":7}',
            'there is no field `aftr` here; did you mean "after"?',
        ),
        ('{"type":"watch","id":"1","match":7}', "expected a text, got a whole number"),
        ('{"type":"watch","id":"1"}', "the field `match` is missing"),
    ],
)
def test_a_word_that_is_not_known_is_answered_with_those_that_are(frame: str, said: str) -> None:
    refused = opened_server().receive(frame)
    assert isinstance(refused, Refused)
    assert refused.text.startswith(said)


@each_row(
    ("frame", "word"),
    [
        (VALID_FRAMES, "hello_expected"),
        ('{"type":"fly","id":"1"}', "hello_expected"),
        ("[1]", "hello_expected"),
        ("{", "bad_frame"),
        ('{"a":1E400,"a":1}', "bad_frame"),
        ('{"type":"hello","a":-1e999,"a":[]}', "bad_frame"),
        ('{"type":"hello","token":1}', "bad_frame"),
        ('{"type":"hello","resume":[["m1"]]}', "bad_frame"),
        ('{"type":"hello","versions":[]}', "unsupported_version"),
        ('{"type":"hello","versions":[2,3]}', "unsupported_version"),
        ('{"type":"hello","versions":[2],"token":{"later":"shape"}}', "unsupported_version"),
    ],
)
def test_before_hello_everything_else_closes(frame: str, word: str) -> None:
    server = ServerConnection()
    with pytest.raises(ProtocolError) as caught:
        server.receive(frame)
    assert caught.value.close_reason == word


def test_unsupported_version_is_refused_with_the_supported_ones() -> None:
    with pytest.raises(ProtocolError) as caught:
        ServerConnection().receive('{"type":"hello","versions":[99]}')
    assert caught.value.to_message().versions == (PROTOCOL_VERSION,)


def test_one_of_several_versions_is_enough() -> None:
    server = ServerConnection()
    assert isinstance(server.receive('{"type":"hello","versions":[9,1]}'), Hello)


def test_unknown_field_in_hello_closes_with_the_nearest_field() -> None:
    with pytest.raises(ProtocolError, match='no field `tokn` here; did you mean "token"') as fault:
        ServerConnection().receive('{"type":"hello","tokn":"x"}')
    assert fault.value.close_reason == "bad_frame"


def test_version_is_judged_before_unknown_fields() -> None:
    with pytest.raises(ProtocolError, match="speaks version"):
        ServerConnection().receive('{"type":"hello","versions":[9],"mood":"good"}')


@each_row("letter", ["a", "é", "\U0001f3b2"])
def test_a_frame_is_measured_in_bytes_and_may_be_exactly_full(letter: str) -> None:
    frame = json.dumps({"type": "rename", "id": "1", "name": ""}, ensure_ascii=False)
    room = DEFAULT_CLIENT_LIMITS.frame_bytes - len(frame.encode())
    letters, rest = divmod(room, len(letter.encode()))
    full = frame.replace('"name": ""', f'"name": "{letter * letters}{"x" * rest}"')
    assert isinstance(opened_server().receive(full), Rename)
    with pytest.raises(ProtocolError) as caught:
        opened_server().receive(full + " ")
    assert caught.value.close_reason == "too_big"


def test_every_close_word_of_this_module_has_its_own_code() -> None:
    assert tuple(CLOSE_CODES) == get_args(CloseReason)
    assert len(set(CLOSE_CODES.values())) == len(CLOSE_CODES)
    assert all(code in (1001, 1003, 1009, 1011, 1012) or 4000 <= code < 5000 for code in CLOSE_CODES.values())


@given(st.text(max_size=60) | st.binary(max_size=20))
def test_no_frame_whatever_makes_the_server_fall_over(frame: str | bytes) -> None:
    server = opened_server()
    with suppress(ProtocolError):
        server.receive(frame)
    assert server.state in (ConnectionState.OPEN, ConnectionState.FAILED)


# ---------------------------------------------------------------- how many wait, and how fast they come


def test_one_command_too_many_is_refused_as_busy_until_another_is_answered() -> None:
    server = opened_server(ClientLimits(commands_in_flight=2))
    for id in ("1", "2"):
        assert isinstance(server.receive(text(ListMatches(id))), ListMatches)
    busy = server.receive(text(ListMatches("3")))
    assert isinstance(busy, Refused)
    assert (busy.id, busy.code) == ("3", "busy")
    assert busy.retry_after_ms
    server.send(busy)
    assert list(server.in_flight) == ["1", "2"]
    server.send(MatchList("1", ()))
    assert server.receive(text(ListMatches("3"))) == ListMatches("3")
    assert list(server.in_flight) == ["2", "3"]


def test_a_command_sent_twice_is_in_flight_twice_and_answered_twice() -> None:
    server = opened_server()
    server.receive(text(ACT))
    server.receive(text(ACT))
    server.send(Accepted("a1", M1, 4))
    assert list(server.in_flight) == ["a1"]
    server.send(Refused("busy", "later", "a1"))
    assert list(server.in_flight) == []


def test_refusal_of_a_bad_message_does_not_answer_another_of_the_same_id() -> None:
    server = opened_server()
    server.receive(text(ACT))
    refused = server.receive('{"type":"fly","id":"a1"}')
    assert isinstance(refused, Refused)
    server.send(refused)
    assert list(server.in_flight) == ["a1"]
    server.send(Accepted("a1", M1, 4))
    assert list(server.in_flight) == []


@each_row(
    "response",
    [
        Refused("busy", "later", "1"),
        Opened("1", M1),
        Accepted("1", M1, 4),
        OptionsResponse(M1, DecisionId("7.0"), Raw(b"{}"), "1"),
        MatchList("1", ()),
        Watching(M1, "diskwars", 0, 0, Raw(b"{}"), "00" * 32, id="1"),
    ],
)
def test_a_response_to_nothing_cannot_be_sent(response: ServerMessage) -> None:
    server = opened_server()
    with pytest.raises(LocalProtocolError, match="not in flight"):
        server.send(response)
    assert not server.watched
    assert server.state is ConnectionState.OPEN


RECORDS = Records(M1, ())
WATCHING = Watching(M1, "diskwars", 0, 0, Raw(b"{}"), "00" * 32)


def test_records_are_sent_of_watched_matches_only() -> None:
    server = opened_server()
    shared = share(RECORDS)
    with pytest.raises(LocalProtocolError, match="not watched"):
        server.send(RECORDS)
    with pytest.raises(LocalProtocolError, match="not watched"):
        server.send_shared(shared)
    server.send(WATCHING)
    assert server.watched == {M1}
    assert server.send(RECORDS) == server.send_shared(shared) == encode(RECORDS)
    with pytest.raises(LocalProtocolError, match="not watched"):
        server.send_shared(share(Records(MatchId("other"), ())))


@pytest.mark.parametrize("is_shared", [True, False])
def test_the_end_of_a_watch_is_the_end_of_its_records(is_shared: bool) -> None:
    server = opened_server()
    server.send(WATCHING)
    if is_shared:
        server.send_shared(share(Unwatched(M1)))
    else:
        server.receive(text(Unwatch("u", M1)))
        server.send(Unwatched(M1, "u"))
    assert not server.watched
    assert not server.in_flight
    with pytest.raises(LocalProtocolError, match="not watched"):
        server.send_shared(share(RECORDS))


@each_row("state", [ConnectionState.NEW, ConnectionState.GREETED, ConnectionState.CLOSED])
def test_a_shared_frame_passes_the_state_machine_too(state: ConnectionState) -> None:
    with pytest.raises(LocalProtocolError, match="cannot be sent"):
        server_in(state).send_shared(share(RECORDS))


def test_after_a_broken_frame_only_the_reason_can_be_sent() -> None:
    server = opened_server()
    server.receive(text(ACT))
    with pytest.raises(ProtocolError) as caught:
        server.receive("nonsense")
    with pytest.raises(LocalProtocolError, match="failed"):
        server.receive(text(ACT))
    with pytest.raises(LocalProtocolError):
        server.send(Accepted("a1", M1, 4))
    server.send(caught.value.to_message())
    assert server.state is ConnectionState.CLOSED


def test_a_lost_connection_is_closed() -> None:
    server = opened_server()
    server.connection_lost()
    with pytest.raises(LocalProtocolError):
        server.send(WATCHING)


def test_values_are_limited_because_they_cost_more_than_bytes() -> None:
    act = '{"type":"act","id":"1","match":"m","decision":"1","action":%s}'
    room = DEFAULT_CLIENT_LIMITS.json_values - (act % "0").count(",") - 1
    opened_server().receive(act % ("[" + ",".join("0" * room) + "]"))
    costly = "[" + "9007199254740991,[]," * 700 + "0]"
    assert len(act % costly) < DEFAULT_CLIENT_LIMITS.frame_bytes
    for action in (costly, "[" + ",".join("0" * (room + 1)) + "]", "[" + "{}," * 700 + "0]"):
        with pytest.raises(ProtocolError) as caught:
            opened_server().receive(act % action)
        assert caught.value.close_reason == "too_big"


def test_flood_guard_passes_a_burst_and_then_a_steady_rate() -> None:
    guard = FloodGuard(rate=10, burst=3)
    assert [guard.admit(0) for _ in range(4)] == [True, True, True, False]
    assert guard.wait_ms() == 100
    assert not guard.admit(99)
    assert guard.wait_ms() == 1
    assert guard.admit(100)
    assert [guard.admit(10_000) for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    guard = FloodGuard(rate=1000, burst=1)
    assert guard.admit(5000)
    assert not guard.admit(1000)
    assert not guard.admit(4999)
    assert guard.admit(5001)


@given(st.lists(st.integers(0, 400), max_size=80))
def test_never_more_frames_pass_than_burst_and_rate_allow(gaps: list[int]) -> None:
    guard, now, passed = FloodGuard(rate=5, burst=4), 0, 0
    for gap in gaps:
        now += gap
        passed += guard.admit(now)
    assert passed <= 4 + now * 5 // 1000
    assert passed >= min(len(gaps), 4)


@each_row(
    ("of", "words"),
    [(ContentId, "small letters and digits"), (OptionalContentId, "or nothing"), (Hash, "64 hex digits")],
)
def test_form_of_a_text_is_described_in_words(of: object, words: str) -> None:
    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.convert({"id": "Empire Patrol"}, dict[str, of])  # type: ignore[valid-type]
    fault_text, place = parse_validation_error(fault.value)
    text = describe_shape_fault(fault_text)
    assert words in text
    assert "regex" not in text
    assert place == "$[...]"
