"""The client's end of the connection: what it sends, accepts, and rejects."""

import json

import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace

from diskwars_protocol.connection import streams
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import (
    ConnectionState,
    LocalProtocolError,
    ProtocolError,
    ServerConnection,
    encode,
)
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import (
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    ClientLimits,
    Hello,
    ResumeRequest,
    RulesetSummary,
    Welcome,
)
from diskwars_protocol.messages.history import Openings, RecordOpenings, Records
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching
from tests.protocol.connection.record_streams import RecordStream, make_stream
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


def opened_client(**given: object) -> ClientConnection:
    client = ClientConnection(**given)  # type: ignore[arg-type]
    client.send_hello()
    client.receive(text(WELCOME))
    return client


def watching_client(log: RecordStream) -> ClientConnection:
    client = opened_client()
    client.send(Watch("w1", log.match))
    client.receive(text(log.watching(id="w1")))
    return client


# ---------------------------------------------------------------- the client's own mistakes


def test_a_client_says_nothing_that_the_server_would_close_for() -> None:
    client = opened_client()
    client.send(ACT)
    wrong = [
        ACT,
        replace(ACT, id=""),
        replace(ACT, id="x" * 65),
        replace(ACT, id="2", match=MatchId("\ud800")),
        replace(ACT, id="2", match=MatchId("\0")),
        replace(ACT, id="2", action=Raw(b"1.5")),
        replace(ACT, id="2", action=Raw(b"[" * 20 + b"]" * 20)),
        replace(ACT, id="2", action=Raw(b'"' + b"x" * DEFAULT_CLIENT_LIMITS.frame_bytes + b'"')),
    ]
    for ask in wrong:
        with pytest.raises(LocalProtocolError):
            client.send(ask)
    assert client.unanswered == (ACT,)


def test_a_client_waits_when_as_many_commands_are_unanswered_as_the_welcome_allows() -> None:
    client = ClientConnection()
    client.send_hello()
    client.receive(text(replace(WELCOME, limits=ClientLimits(commands_in_flight=1))))
    client.send(ACT)
    with pytest.raises(LocalProtocolError):
        client.send(ListMatches("2"))
    client.receive(text(Accepted("a1", M1, 2)))
    assert client.send(ListMatches("2"))


def test_a_client_speaks_only_between_welcome_and_the_end() -> None:
    client = ClientConnection()
    with pytest.raises(LocalProtocolError):
        client.send(ACT)
    client.send_hello()
    for premature in (client.send_hello, lambda: client.send(ACT), client.resend_unanswered):
        with pytest.raises(LocalProtocolError):
            premature()
    client.receive(text(WELCOME))
    client.receive(text(ProtocolError("slow", "too far behind").to_message(1000)))
    assert client.state is ConnectionState.CLOSED
    with pytest.raises(LocalProtocolError):
        client.receive(text(WELCOME))
    with pytest.raises(LocalProtocolError):
        client.send(ACT)


# ---------------------------------------------------------------- the server's mistakes, as a client sees them


def assert_closed_by(client: ClientConnection, frame: str | bytes, word: str) -> None:
    """The frame is refused, and nothing that the client knew has changed."""
    before = (client.unanswered, client.watched, client.head(M1), client.player)
    with pytest.raises(ProtocolError) as caught:
        client.receive(frame)
    assert caught.value.close_reason == word
    assert (client.unanswered, client.watched, client.head(M1), client.player) == before
    assert client.state is ConnectionState.CLOSED


@each_row(
    ("frame", "word"),
    [
        (b"{}", "binary"),
        ("{", "bad_frame"),
        ("[" * 100_000, "bad_frame"),
        ('{"type":"news"', "bad_frame"),
        ('{"type":7}', "bad_frame"),
        ('{"match":"m"}', "bad_frame"),
        ('{"type":"opened","id":1,"match":"m"}', "bad_frame"),
        (text(WELCOME), "protocol"),
        (text(Opened("a1", M1)), "protocol"),
        (text(Accepted("a2", M1, 1)), "protocol"),
        (text(Accepted("a1", MatchId("m2"), 1)), "protocol"),
        (text(Refused("busy", "", "a2")), "protocol"),
        (text(Refused("unknown_match", "", match=M1)), "protocol"),
        (text(OptionsResponse(M1, DecisionId("7.0"), Raw(b"{}"), "a1")), "protocol"),
        (text(MatchList("a1", ())), "protocol"),
        (text(Unwatched(M1, "a1")), "protocol"),
        (text(make_stream(2).watching()), "protocol"),
        (text(make_stream(2).watching(id="a1")), "protocol"),
        (text(make_stream(2).frames()[0]), "protocol"),
    ],
)
def test_a_client_refuses_what_it_has_not_asked_for(frame: str | bytes, word: str) -> None:
    client = opened_client()
    client.send(ACT)
    assert_closed_by(client, frame, word)


def test_welcome_has_to_come_first_in_a_version_that_was_offered_and_for_the_same_player() -> None:
    client = ClientConnection()
    client.send_hello()
    assert_closed_by(client, text(Opened("1", M1)), "protocol")
    client.connection_lost()
    client.send_hello()
    assert_closed_by(client, text(replace(WELCOME, version=2)), "unsupported_version")
    client.connection_lost()
    client.send_hello()
    client.receive(text(WELCOME))
    client.connection_lost()
    client.send_hello()
    assert_closed_by(client, text(replace(WELCOME, player=PlayerId("p2"))), "protocol")


def test_records_are_received_opened_and_counted() -> None:
    log = make_stream(3, 4)
    client = watching_client(log)
    first, second = [client.receive(text(frame)) for frame in log.frames()]
    assert isinstance(first, VerifiedRecords)
    assert isinstance(second, VerifiedRecords)
    assert (first.first, first.head.seq, second.first, second.head.seq) == (1, 3, 4, 7)
    assert [head.seq for head in second.heads] == [4, 5, 6, 7]
    sealed, _, opened = [json.loads(body) for body in first.bodies]
    assert opened == {"type": "fact", "n": 3, "card": "secret 3", "link": "ab"}
    assert (sealed["card"], list(sealed["link"])) == ("secret 1", ["#"])
    assert client.head(M1) == second.head == Head(7, log.hashes[7].hex())


def change_record(log: RecordStream, index: int, **fields: object) -> Records:
    """Return the first frame of the log with one record changed."""
    frame = log.frames()[0]
    records = list(frame.records)
    records[index] = replace(records[index], **fields)
    return replace(frame, records=tuple(records))


def broken_frames() -> list[tuple[str, Records, str]]:
    log = make_stream(3, 2)
    first, second = log.frames()
    opened = first.records[2]
    wrong_opening = replace(opened.openings[0], value=Raw(b'"another card"'))
    return [
        ("a frame is missing", second, "gap"),
        ("a record is missing at the start", replace(first, records=first.records[1:]), "gap"),
        ("a record is missing within", replace(first, records=(first.records[0], first.records[2])), "gap"),
        ("no record at all", replace(first, records=()), "gap"),
        ("two change places", replace(first, records=(*first.records[1::-1], first.records[2])), "gap"),
        ("one calls itself another", change_record(log, 0, seq=2), "gap"),
        ("a body is changed under an opening", change_record(log, 2, body=Raw(b'{"card":"x"}')), "bad_record"),
        ("a body is not canonical", change_record(log, 2, body=Raw(b'{ "a":1}'), openings=()), "bad_record"),
        ("an opening is not the secret", change_record(log, 2, openings=(wrong_opening,)), "bad_record"),
        (
            "an opening leads nowhere",
            change_record(log, 2, openings=(replace(opened.openings[0], path=("x",)),)),
            "bad_record",
        ),
        ("a body that is not canonical JSON", change_record(log, 1, body=Raw(b'{"a": 1}')), "bad_record"),
        ("a salt of wrong length", change_record(log, 0, salt="ab"), "bad_record"),
        ("a hash that does not follow", change_record(log, 0, hash="0" * 64), "bad_record"),
    ]


@each_row(("frame", "word"), [b[1:] for b in broken_frames()], ids=[b[0] for b in broken_frames()])
def test_records_that_do_not_go_on_unbroken_are_refused_whole(frame: Records, word: str) -> None:
    assert_closed_by(watching_client(make_stream(3, 2)), text(frame), word)


def test_a_repeated_frame_is_as_bad_as_a_missing_one() -> None:
    log = make_stream(3, 2)
    client = watching_client(log)
    client.receive(text(log.frames()[0]))
    assert_closed_by(client, text(log.frames()[0]), "gap")


def test_the_answer_must_not_overtake_its_records() -> None:
    log = make_stream(3)
    client = watching_client(log)
    client.send(ACT)
    assert_closed_by(client, text(Accepted("a1", M1, 3)), "gap")


def test_answer_after_its_records_finishes_the_command() -> None:
    log = make_stream(3)
    client = watching_client(log)
    client.send(ACT)
    client.receive(text(log.frames()[0]))
    accepted = Accepted("a1", M1, 3)
    assert client.receive(text(accepted)) == accepted
    assert client.unanswered == ()


def wrong_first_frames() -> list[tuple[str, Watching, str]]:
    log = make_stream(3)
    right = log.watching(id="w1")
    other = make_stream(3, match="m2")
    return [
        ("after another record", replace(right, after=1, hash=log.hashes[1].hex()), "protocol"),
        ("with all secrets, not asked for", replace(right, reveal_secrets=True), "protocol"),
        ("of another match", other.watching(id="w1"), "protocol"),
        ("with a head before its beginning", replace(right, head=-1), "protocol"),
        ("with another match's header", replace(right, header=Raw(other.header)), "bad_record"),
        ("with another ruleset's header", replace(right, ruleset="pit"), "bad_record"),
        ("with a header that is not canonical", replace(right, header=Raw(b"{ " + log.header[1:])), "bad_record"),
        ("with a header of other fields", replace(right, header=Raw(b'{"type":"diskwars-match"}')), "bad_record"),
        ("with a chain from nowhere", replace(right, hash="0" * 64), "bad_record"),
        ("with no hash", replace(right, hash="0"), "bad_frame"),
    ]


@each_row(("frame", "word"), [b[1:] for b in wrong_first_frames()], ids=[b[0] for b in wrong_first_frames()])
def test_a_stream_that_begins_wrong_is_refused(frame: Watching, word: str) -> None:
    client = opened_client()
    client.send(Watch("w1", M1))
    assert_closed_by(client, text(frame), word)


# ---------------------------------------------------------------- going on


def test_hello_takes_up_every_watched_match_where_it_stopped() -> None:
    client = opened_client()
    logs = [make_stream(3, 2), make_stream(1, 1, match="m2")]
    for number, log in enumerate(logs):
        client.send(Watch(f"w{number}", log.match))
        client.receive(text(log.watching(id=f"w{number}")))
        client.receive(text(log.frames()[0]))
    client.connection_lost()
    hello = ServerConnection().receive(client.send_hello().decode())
    assert isinstance(hello, Hello)
    assert hello.token == WELCOME.token
    assert hello.resume == (ResumeRequest(M1, 3), ResumeRequest(MatchId("m2"), 1))
    client.receive(text(WELCOME))
    for log, after in zip(logs, (3, 1), strict=True):
        client.receive(text(log.watching(after)))
        client.receive(text(log.frames(after)[0]))
    assert [client.head(log.match) for log in logs] == [Head(log.head, log.hashes[-1].hex()) for log in logs]


def rewrite_record(seq: int) -> RecordStream:
    """Return the same match as `log_of(3, 2, 2)`, but told otherwise from this append on."""
    log = RecordStream("m1")
    for records in (3, 2, 2):
        log.append(records, "fact" if log.head + records < seq else "lie")
    return log


def test_a_log_that_was_rewritten_while_we_were_away_is_found_at_once() -> None:
    true, false = make_stream(3, 2, 2), rewrite_record(1)
    client = watching_client(true)
    client.receive(text(true.frames()[0]))
    client.connection_lost()
    client.send_hello()
    client.receive(text(WELCOME))
    assert_closed_by(client, text(false.watching(3)), "bad_record")


def test_rewritten_log_is_found_when_it_is_received_again_from_the_start() -> None:
    true, false = make_stream(3, 2, 2), rewrite_record(5)
    client = opened_client(heads={M1: Head(5, true.hashes[5].hex())})
    client.send(Watch("w1", M1))
    client.receive(text(false.watching(id="w1")))
    client.receive(text(false.frames()[0]))
    assert_closed_by(client, text(false.frames()[1]), "bad_record")


def test_a_head_of_an_earlier_life_stays_the_furthest_until_it_is_passed() -> None:
    log = make_stream(3, 2, 2)
    known = Head(5, log.hashes[5].hex())
    client = opened_client(heads={M1: known})
    client.send(Watch("w1", M1))
    client.receive(text(log.watching(id="w1")))
    heads = []
    for frame in log.frames():
        client.receive(text(frame))
        heads.append(client.head(M1))
    assert heads == [known, known, Head(7, log.hashes[7].hex())]


def test_ended_match_can_be_received_again_with_every_secret_and_the_same_hashes() -> None:
    log = make_stream(3, 2)
    client = watching_client(log)
    for frame in log.frames():
        client.receive(text(frame))
    head = client.head(M1)
    client.send(Watch("w2", M1, reveal_secrets=True))
    client.receive(text(log.watching(id="w2", all=True)))
    received = [client.receive(text(frame)) for frame in log.frames(all=True)]
    bodies = [body for facts in received if isinstance(facts, VerifiedRecords) for body in facts.bodies]
    assert [json.loads(body or b"null")["card"] for body in bodies] == [f"secret {n}" for n in range(1, 6)]
    assert client.head(M1) == head
    client.connection_lost()
    hello = ServerConnection().receive(client.send_hello().decode())
    assert isinstance(hello, Hello)
    assert hello.resume == (ResumeRequest(M1, 5, True),)


def test_a_stream_may_begin_after_any_record() -> None:
    log = make_stream(3, 2)
    client = opened_client()
    client.send(Watch("w1", M1, after=2))
    client.receive(text(log.watching(2, id="w1")))
    received = [client.receive(text(frame)) for frame in log.frames(2)]
    assert [(facts.first, facts.head.seq) for facts in received if isinstance(facts, VerifiedRecords)] == [
        (3, 3),
        (4, 5),
    ]
    assert client.head(M1) == Head(5, log.hashes[5].hex())


def test_unanswered_commands_are_sent_again_with_their_ids_in_their_order() -> None:
    client = opened_client()
    asks = [ACT, GetOptions("o1", M1, DecisionId("7.0")), ListMatches("l1")]
    for ask in asks:
        client.send(ask)  # type: ignore[arg-type]
    client.receive(text(Refused("not_watching", "", "o1")))
    client.connection_lost()
    client.send_hello()
    client.receive(text(WELCOME))
    assert client.resend_unanswered() == [encode(ACT), encode(ListMatches("l1"))]
    client.receive(text(Accepted("a1", M1, 5)))
    assert client.unanswered == (ListMatches("l1"),)


def test_a_match_that_cannot_be_taken_up_again_is_let_go_and_its_head_kept() -> None:
    log = make_stream(3)
    client = watching_client(log)
    client.receive(text(log.frames()[0]))
    client.connection_lost()
    client.send_hello()
    client.receive(text(WELCOME))
    refused = Refused("bad_resume", "beyond the head", match=M1)
    assert client.receive(text(refused)) == refused
    assert client.watched == ()
    assert client.head(M1) == Head(3, log.hashes[3].hex())


def test_the_opener_of_a_match_watches_it_also_when_the_link_drops_between() -> None:
    log = make_stream(2)
    client = opened_client()
    client.send(OpenMatch("o1", "diskwars", 2))
    client.receive(text(Opened("o1", M1)))
    client.connection_lost()
    hello = ServerConnection().receive(client.send_hello().decode())
    assert isinstance(hello, Hello)
    assert hello.resume == (ResumeRequest(M1, 0),)
    client.receive(text(WELCOME))
    client.receive(text(log.watching()))
    assert isinstance(client.receive(text(log.frames()[0])), VerifiedRecords)


def test_a_refused_command_ends_no_stream() -> None:
    log = make_stream(3)
    client = watching_client(log)
    client.send(ACT)
    client.receive(text(Refused("stale_decision", "", "a1", match=M1)))
    assert client.watched == (M1,)
    assert isinstance(client.receive(text(log.frames()[0])), VerifiedRecords)


def resumed_client(log: RecordStream) -> ClientConnection:
    """It has received the first append and has sent hello again."""
    client = watching_client(log)
    client.receive(text(log.frames()[0]))
    client.connection_lost()
    client.send_hello()
    client.receive(text(WELCOME))
    return client


def test_watch_that_is_resumed_begins_once() -> None:
    log = make_stream(3, 2)
    client = resumed_client(log)
    client.receive(text(log.watching(3)))
    assert_closed_by(client, text(log.watching(3)), "protocol")


def test_watch_whose_resume_was_refused_does_not_begin() -> None:
    log = make_stream(3, 2)
    client = resumed_client(log)
    client.receive(text(Refused("unavailable", "", match=M1)))
    assert_closed_by(client, text(log.watching(3)), "protocol")


def test_a_watch_under_an_id_does_not_stand_for_the_one_that_hello_asked_for() -> None:
    log = make_stream(3, 2)
    client = resumed_client(log)
    client.send(Watch("w2", M1))
    client.receive(text(log.watching(id="w2")))
    assert isinstance(client.receive(text(log.watching(3))), Watching)


def test_a_match_that_goes_on_under_another_header_is_refused() -> None:
    log = make_stream(3, 2)
    client = resumed_client(log)
    other = log.header.replace(b'"format":1', b'"format":2')
    assert other != log.header
    assert_closed_by(client, text(replace(log.watching(3), header=Raw(other))), "bad_record")


def test_records_may_come_until_unwatched_and_not_after() -> None:
    log = make_stream(3, 2, 1)
    client = watching_client(log)
    client.receive(text(log.frames()[0]))
    client.send(Unwatch("u1", M1))
    client.receive(text(log.frames()[1]))
    client.receive(text(Unwatched(M1, "u1")))
    assert client.watched == ()
    assert_closed_by(client, text(log.frames()[2]), "protocol")


def test_the_server_may_end_a_stream_by_itself_and_it_can_be_asked_for_again() -> None:
    log = make_stream(3, 2)
    client = watching_client(log)
    client.receive(text(log.frames()[0]))
    client.receive(text(Unwatched(M1)))
    client.send(Watch("w2", M1, after=3))
    client.receive(text(log.watching(3, id="w2")))
    assert isinstance(client.receive(text(log.frames(3)[0])), VerifiedRecords)


def test_heads_of_the_matches_that_were_left_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LEFT_HEADS", 2)
    client = opened_client()
    for number in range(4):
        log = make_stream(1, match=f"left {number}")
        client.send(Watch(f"w{number}", log.match))
        client.receive(text(log.watching(id=f"w{number}")))
        client.receive(text(log.frames()[0]))
        client.send(Unwatch(f"u{number}", log.match))
        client.receive(text(Unwatched(log.match, f"u{number}")))
    heads = [client.head(MatchId(f"left {number}")) for number in range(4)]
    assert [head and head.seq for head in heads] == [None, None, 1, 1]


# ---------------------------------------------------------------- openings that are pushed


def pushed(*seqs: int, complete: bool = False) -> str:
    return text(Openings(M1, tuple(RecordOpenings(seq, ()) for seq in seqs), complete))


def client_that_wants_openings(log: RecordStream) -> ClientConnection:
    client = opened_client()
    client.send(Watch("w1", M1, push_openings=True))
    client.receive(text(log.watching(id="w1")))
    client.receive(text(log.frames()[0]))
    return client


def test_openings_come_in_the_order_of_the_records() -> None:
    client = client_that_wants_openings(make_stream(5))
    assert isinstance(client.receive(pushed(1, 3)), Openings)
    assert_closed_by(client, pushed(3), "protocol")


@pytest.mark.parametrize("frame", [pushed(6), pushed(2, 1)], ids=["beyond the head", "backwards"])
def test_openings_belong_to_records_that_have_come(frame: str) -> None:
    assert_closed_by(client_that_wants_openings(make_stream(5)), frame, "protocol")


def test_openings_that_nobody_asked_for_are_refused() -> None:
    assert_closed_by(watching_client(make_stream(5)), pushed(complete=True), "protocol")


def test_resume_asks_for_openings_until_all_have_come() -> None:
    client = client_that_wants_openings(make_stream(5))
    client.receive(pushed(1))
    client.connection_lost()
    assert '"push_openings":true' in client.send_hello().decode()
    client.receive(text(WELCOME))
    client.receive(text(make_stream(5).watching(5)))
    client.receive(pushed(1, complete=True))  # they begin again
    assert_closed_by(client, pushed(2), "protocol")
    client.connection_lost()
    assert "push_openings" not in client.send_hello().decode()
