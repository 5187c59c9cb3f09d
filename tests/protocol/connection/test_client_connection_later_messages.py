"""Messages of a later server to a client of this version: the client takes them, or passes over them."""

import json
from typing import Any

from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import ConnectionState, encode
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.handshake import Welcome
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.match_summary import ClockSummary, MatchOptionsSummary
from diskwars_protocol.schema import examples
from tests.rows import each_row

LATER_OPTIONS: list[dict[str, Any]] = [
    {"visibility": "friends"},
    {"watchers": "delayed"},
    {"clock": {"type": "hourglass", "sand_grams": 600}},
    {"clock": {"type": "per_decision", "decision_seconds": 1}},
    {"colour": "red"},
]


def message(kind: type[Any], **later: object) -> str:
    """Return the frame of an example in which some fields have other values."""
    return json.dumps(json.loads(encode(examples.find_example(kind))) | later)


def greeted_client(welcome: str) -> ClientConnection:
    client = ClientConnection()
    client.send_hello()
    client.receive(welcome)
    return client


def received_list(*summaries: dict[str, Any]) -> MatchList:
    """Return a list of matches as a client receives it, the fields of an example summary replaced by these."""
    client = greeted_client(message(Welcome))
    client.send(ListMatches("1f0c"))
    shown = json.loads(message(MatchList))["matches"][0]
    found = client.receive(message(MatchList, matches=[shown, *(shown | later for later in summaries)]))
    assert isinstance(found, MatchList)
    return found


def test_message_of_unknown_type_is_ignored() -> None:
    client = ClientConnection()
    client.send_hello()
    assert client.receive('{"type":"notice","text":"the server restarts at noon"}') is None
    client.receive(message(Welcome))
    client.send(ListMatches("1f0c"))
    assert client.receive('{"type":"chat","id":"1f0c","match":"m","text":{"type":"welcome"}}') is None
    assert (client.state, [request.id for request in client.unanswered]) == (ConnectionState.OPEN, ["1f0c"])
    assert isinstance(client.receive(message(MatchList)), MatchList)


def test_unknown_close_reason_is_read() -> None:
    client = greeted_client(message(Welcome))
    closing = client.receive(message(Closing, code=4100, close_reason="banned"))
    assert isinstance(closing, Closing)
    assert (closing.code, closing.close_reason, client.state) == (4100, "banned", ConnectionState.CLOSED)


@each_row("later", LATER_OPTIONS, ids=str)
def test_match_with_unknown_options_hides_no_list(later: dict[str, Any]) -> None:
    known, foreign = received_list({"match_options": later}).matches
    assert known.match_options == MatchOptionsSummary()
    for field in ("visibility", "watchers"):
        assert getattr(foreign.match_options, field) == later.get(field, getattr(MatchOptionsSummary(), field))
    if "clock" in later:
        assert foreign.match_options.clock == ClockSummary(
            later["clock"]["type"], later["clock"].get("decision_seconds")
        )


def test_match_of_unknown_status_and_end_reason_hides_no_list() -> None:
    _, paused, ended = received_list({"status": "paused"}, {"result": {"end_reason": "adjudicated"}}).matches
    assert (paused.status, ended.result and ended.result.end_reason) == ("paused", "adjudicated")


def test_ruleset_for_more_seats_hides_no_server() -> None:
    later = [{"id": "diskwars", "seat_counts": [2]}, {"id": "skirmish", "seat_counts": [6, 8]}]
    client = ClientConnection()
    client.send_hello()
    welcome = client.receive(message(Welcome, rulesets=later))
    assert isinstance(welcome, Welcome)
    assert [ruleset.seat_counts for ruleset in welcome.rulesets] == [(2,), (6, 8)]
