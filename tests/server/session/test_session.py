"""Every request of a client is understood, or refused with its code."""

import asyncio
import json
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import Ready, ReplaceChain, Resign, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, Hello, ResumeRequest, RulesetSummary, Welcome
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.match_summary import SeatSummary
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.messages.seats import KickPlayer, SeatBot
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, Watching
from diskwars_protocol.records.fairness import SeatChain
from diskwars_server.limits.rate_limits import MS_PER_DAY
from diskwars_server.players.tokens import TokenIssuer
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import HEAD, InMemoryClient, InMemoryServer, begin_match, play_match


async def closing_message(guest: InMemoryClient) -> Closing:
    """Return the last thing that is sent."""
    heard = await guest.expect(Closing)
    assert await guest.next_message() is None
    assert heard.code == CLOSE_CODES[heard.close_reason]
    return heard


# ---------------------------------------------------------------- hello


async def test_a_guest_gets_a_token_and_is_the_same_player_with_it(node: InMemoryServer) -> None:
    guest = node.connect()
    welcome = await guest.greet()
    assert (welcome.version, welcome.rulesets, welcome.limits) == (
        1,
        (RulesetSummary("counting", (2,)),),
        DEFAULT_CLIENT_LIMITS,
    )
    assert (welcome.server_time_ms, welcome.server) == (node.clock.now, "test")
    again = await node.connect().greet(welcome.token)
    assert again.player == welcome.player
    assert (await node.connect().greet()).player != welcome.player


async def test_an_old_token_still_proves_its_guest_and_is_renewed(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    node.clock.now += 1000 * MS_PER_DAY
    back = await node.connect_and_greet(first.token)
    assert back.player == first.player
    assert back.token != first.token
    await back.watch(match)
    await back.choose_number(match, 0, 3)


async def test_frames_behind_a_broken_one_are_passed_over(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    await guest.send_frame("nonsense")
    await guest.send_frame(encode(ListMatches("behind")).decode())
    await guest.send_frame("more nonsense")
    assert (await closing_message(guest)).close_reason == "bad_frame"


@pytest.mark.parametrize("token", ["nonsense", "a.b.c", "x" * 500, "ä.ö.ü"])
async def test_a_token_of_nobody_closes(node: InMemoryServer, token: str) -> None:
    guest = node.connect()
    await guest.send_message(Hello((1,), token=token))
    assert (await closing_message(guest)).close_reason == "token_bad"


async def test_a_token_of_another_server_closes(node: InMemoryServer) -> None:
    guest = node.connect()
    await guest.send_message(Hello((1,), token=TokenIssuer(b"other" * 8, node.clock).issue(PlayerId("me"))))
    assert (await closing_message(guest)).close_reason == "token_bad"


async def test_hello_takes_up_several_matches_and_says_which_it_cannot(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    one, other = await begin_match(first, second), await begin_match(first, second)
    again = node.connect()
    resumes = [
        ResumeRequest(one, 4),
        ResumeRequest(MatchId("nowhere"), 0),
        ResumeRequest(other, 10_000),
        ResumeRequest(other, 3),
    ]
    await again.greet(first.token, *resumes)
    assert [type(message) for message in again.messages] == [Welcome]
    watching = await again.expect(Watching)
    assert (watching.match, watching.after, watching.id) == (one, 4, None)
    assert (await again.catch_up(one))[0].seq == 5
    unknown, beyond = await again.expect(Refused), await again.expect(Refused)
    assert (unknown.id, unknown.code, unknown.match) == (None, "unknown_match", "nowhere")
    assert (beyond.id, beyond.code, beyond.match) == (None, "bad_resume", other)
    assert (await again.expect(Watching)).after == 3


async def test_a_hello_takes_up_each_match_once_and_no_more_than_may_be_watched(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    again = node.connect()
    await again.greet(first.token, *[ResumeRequest(match, 0)] * 3)
    assert (await again.expect(Watching)).match == match
    twice = [await again.expect(Refused) for _ in range(2)]
    assert [(refused.code, refused.match) for refused in twice] == [("bad_resume", match)] * 2
    greedy = node.connect()
    too_many = tuple(ResumeRequest(MatchId(f"m{n}"), 0) for n in range(DEFAULT_CLIENT_LIMITS.watched_matches + 1))
    await greedy.send_message(Hello((1,), resume=too_many))
    refused = await closing_message(greedy)
    assert (refused.close_reason, refused.place) == ("bad_frame", "$.resume")


# ---------------------------------------------------------------- what closes the conversation

GOOD_HELLO = '{"type":"hello"}'
BROKEN: list[tuple[str, str | bytes, str]] = [
    ("not JSON", "hello", "bad_frame"),
    ("half of JSON", '{"type":"list_matches"', "bad_frame"),
    ("two at once", '{"type":"list_matches","id":"a"} {}', "bad_frame"),
    ("binary", b'{"type":"list_matches","id":"a"}', "binary"),
    (
        "too big",
        json.dumps({"type": "list_matches", "id": "a", "x": "y" * DEFAULT_CLIENT_LIMITS.frame_bytes}),
        "too_big",
    ),
    ("too deep", '{"type":"list_matches","id":"a","x":' + "[" * 12 + "]" * 12 + "}", "bad_frame"),
    ("a float", '{"type":"watch","id":"a","match":"m","after":1.0}', "bad_frame"),
    ("an exponent", '{"type":"watch","id":"a","match":"m","after":1e3}', "bad_frame"),
    ("2^53", '{"type":"watch","id":"a","match":"m","after":9007199254740992}', "bad_frame"),
    ("-2^53", '{"type":"watch","id":"a","match":"m","after":-9007199254740992}', "bad_frame"),
    ("a huge integer", '{"type":"watch","id":"a","match":"m","after":' + "9" * 5000 + "}", "bad_frame"),
    ("NUL", '{"type":"watch","id":"a","match":"m\\u0000"}', "bad_frame"),
    ("a lone surrogate", '{"type":"watch","id":"a","match":"m\\ud800"}', "bad_frame"),
    ("a raw lone surrogate", '{"type":"watch","id":"a","match":"m\ud800"}', "bad_frame"),
    ("no object", "[1]", "bad_frame"),
    ("no id", '{"type":"list_matches"}', "bad_frame"),
    ("a second hello", GOOD_HELLO, "protocol"),
]


@pytest.mark.parametrize(("frame", "word"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
async def test_a_frame_that_is_no_message_closes_the_conversation(
    node: InMemoryServer, frame: str | bytes, word: str
) -> None:
    guest = await node.connect_and_greet()
    await guest.send_frame(frame)
    assert (await closing_message(guest)).close_reason == word


async def test_unknown_version_is_refused_with_the_supported_ones(node: InMemoryServer) -> None:
    guest = node.connect()
    await guest.send_frame('{"type":"hello","versions":[99]}')
    heard = await closing_message(guest)
    assert (heard.close_reason, heard.versions) == ("unsupported_version", (1,))


async def test_hello_comes_first(node: InMemoryServer) -> None:
    guest = node.connect()
    await guest.send_message(ListMatches("a"))
    assert (await closing_message(guest)).close_reason == "hello_expected"


# ---------------------------------------------------------------- what is refused

WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("unknown type", {"type": "shout"}, "unknown_type", "$.type"),
    ("wrong shape", {"type": "watch", "match": 5}, "wrong_shape", "$.match"),
    ("field missing", {"type": "watch"}, "wrong_shape", "$.match"),
    ("field unknown", {"type": "watch", "match": "m", "aftr": 1}, "wrong_shape", "$.aftr"),
    ("unknown match", {"type": "watch", "match": "nowhere"}, "unknown_match", "$.match"),
    ("match with strange letters", {"type": "watch", "match": "☃ é"}, "wrong_shape", "$.match"),
    ("resume below zero", {"type": "watch", "match": "M", "after": -1}, "wrong_shape", "$.after"),
    ("resume beyond the head", {"type": "watch", "match": "M", "after": 1000}, "bad_resume", "$.after"),
    ("secrets before the end", {"type": "watch", "match": "M", "reveal_secrets": True}, "not_ended", ""),
    ("unwatching what is not watched", {"type": "unwatch", "match": "n"}, "not_watching", "$.match"),
    (
        "acting where one does not watch",
        {"type": "act", "match": "n", "decision": "1.0", "action": {}},
        "not_watching",
        "",
    ),
    ("asking where one does not watch", {"type": "get_options", "match": "n", "decision": "1.0"}, "not_watching", ""),
    ("unknown ruleset", {"type": "open_match", "ruleset": "go", "seat_count": 2}, "unknown_ruleset", "$.ruleset"),
    ("wrong seats", {"type": "open_match", "ruleset": "counting", "seat_count": 3}, "bad_settings", "$.seat_count"),
    (
        "wrong settings",
        {"type": "open_match", "ruleset": "counting", "seat_count": 2, "settings": {"rounds": "x"}},
        "bad_settings",
        "$.settings.rounds",
    ),
    ("unknown status", {"type": "list_matches", "status": "odd"}, "wrong_shape", "$.status"),
]


@pytest.mark.parametrize(("message", "code", "place"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
async def test_a_message_about_what_is_not_there_is_refused(
    node: InMemoryServer, message: dict[str, Any], code: str, place: str
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    named = {name: match if value == "M" else value for name, value in message.items()}
    await first.send_frame(json.dumps({**named, "id": "wrong"}))
    refused = await first.answer_to("wrong")
    assert isinstance(refused, Refused)
    assert (refused.code, refused.place) == (code, place or refused.place)
    assert refused.code in REFUSAL_CODES
    assert refused.text
    await first.choose_number(match, 0, 3)


NONCE_PLACE = "$.action.seat_nonce"
ACTIONS: list[tuple[str, int, Any, str, str]] = [
    ("no action", 0, {"type": "dance"}, "bad_action", "$.action.type"),
    ("wrong field", 0, {"type": "choose", "number": "six"}, "bad_action", "$.action.number"),
    ("field missing", 0, {"type": "choose"}, "bad_action", "$.action.number"),
    ("no object", 0, 7, "bad_action", "$.action"),
    ("a sealed field", 0, {"type": "choose", "number": {"#": "00"}}, "bad_action", "$.action"),
    ("against the rules", 0, {"type": "choose", "number": 9}, "not_legal", "$.action.number"),
    ("another question's answer", 0, {"type": "ready"}, "wrong_action", "$.action"),
    ("a short nonce", 0, {"type": "choose", "number": 1, "seat_nonce": "00"}, "bad_seat_nonce", NONCE_PLACE),
    ("a wrong nonce", 0, {"type": "choose", "number": 1, "seat_nonce": "11" * 16}, "bad_seat_nonce", NONCE_PLACE),
    ("another seat's decision", 1, {"type": "choose", "number": 1}, "not_your_seat", "$.decision"),
    ("a chain that is none", -1, {"type": "replace_chain", "chain_head": "zz"}, "bad_chain", "$.action.chain_head"),
    ("an answer to nothing", -1, {"type": "choose", "number": 1}, "wrong_action", "$.decision"),
    ("a decision long gone", -2, {"type": "choose", "number": 1}, "stale_decision", "$.decision"),
]


@pytest.mark.parametrize(
    ("seat", "action", "code", "place"), [case[1:] for case in ACTIONS], ids=[case[0] for case in ACTIONS]
)
async def test_an_action_that_cannot_be_taken_is_refused_and_changes_nothing(
    node: InMemoryServer, seat: int, action: Any, code: str, place: str
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    before = await node.state(match)
    decision: DecisionId | None = DecisionId("2.0")
    if seat != -2:
        decision = None if seat == -1 else await first.decision(match, seat)
    refused = await first.expect_refused(Act("a", match, Raw(msgspec.json.encode(action)), decision))
    assert (refused.code, refused.place, refused.match) == (code, place, match)
    assert refused.code in REFUSAL_CODES
    assert msgspec.json.decode(refused.open_decisions) == list(msgspec.to_builtins(before.decisions))
    assert await node.state(match) is before


REFUSED_REQUESTS: list[tuple[Request, str]] = [
    (GetOptions("r", MatchId(""), DecisionId("9.9")), "stale_decision"),
    (Act("used", MatchId(""), Raw(b'{"type":"resign"}')), "duplicate_differs"),
    (CloseMatch("r", MatchId("")), "has_begun"),
    (KickPlayer("r", MatchId(""), 1), "has_begun"),
    (SeatBot("r", MatchId(""), "greedy"), "unknown_bot"),
    (Watch("r", MatchId(""), reveal_secrets=True), "not_ended"),
]


@pytest.mark.parametrize(("request_", "code"), REFUSED_REQUESTS, ids=lambda value: type(value).__name__)
async def test_refusal_of_an_act_lists_the_open_decisions_and_no_other_does(
    node: InMemoryServer, request_: Request, code: str
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    used = first.act_message(match, await first.decision(match, 0), ChooseNumber(1), "used")
    await first.expect_accepted(used)
    refused = await first.expect_refused(msgspec.structs.replace(request_, match=match))
    open_ = (await node.state(match)).decisions
    assert (refused.code, refused.match) == (code, match)
    assert open_
    if isinstance(request_, SeatBot | Watch):
        assert not refused.open_decisions
    else:
        assert msgspec.json.decode(refused.open_decisions) == list(msgspec.to_builtins(open_))


async def test_refusal_names_the_place_within_a_path(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await first.open_match()
    await second.watch(match)
    entry = {"name": 5}
    action = {"type": "take_seat", "chain_head": HEAD, "loadout": entry}
    refused = await first.expect_refused(first.act_message(match, await first.decision(match, 0), action))
    assert (refused.code, refused.place) == ("bad_action", "$.action.loadout.name")


async def test_seats_are_taken_once_by_one_player(node: InMemoryServer) -> None:
    first, second, third = [await node.connect_and_greet() for _ in range(3)]
    match = await first.open_match()
    for guest in (second, third):
        await guest.watch(match)
    seat = await first.decision(match, 0)
    await first.take_seat(match, 0)
    take = TakeSeat(HEAD, CountingLoadout("me"))
    assert (await second.expect_refused(second.act_message(match, seat, take))).code == "seat_taken"
    other = await first.decision(match, 1)
    assert (await first.expect_refused(first.act_message(match, other, take))).code == "already_seated"
    assert (await first.expect_refused(first.act_message(match, seat, take))).code == "already_seated"
    bad = TakeSeat("00", CountingLoadout("me"))
    assert (await second.expect_refused(second.act_message(match, other, bad))).code == "bad_chain"
    await second.take_seat(match, 1)
    ready = await first.decision(match, 0)
    assert (await third.expect_refused(third.act_message(match, ready, Ready()))).code == "no_seat"
    assert (await third.expect_refused(third.act_message(match, None, Resign()))).code == "no_seat"
    assert (await second.expect_refused(second.act_message(match, ready, Ready()))).code == "not_your_seat"


async def test_player_who_takes_a_seat_has_it_on_every_connection_from_that_record_on(node: InMemoryServer) -> None:
    """`watching` came before and names no seat; the event does, and a new `watch` names it too."""
    first = await node.connect_and_greet()
    match = await first.open_match()
    other = await node.connect_and_greet(first.token)
    assert (await other.watch(match)).seat is None
    await first.take_seat(match, 0)
    seen = [(await guest.catch_up(match))[-1] for guest in (first, other)]
    for taken in seen:
        (event,) = msgspec.json.decode(taken.body)["events"]
        assert (event["type"], event["seat"], event["player"]) == ("seat_taken", 0, first.player)
    assert seen[0].openings == seen[1].openings != ()
    assert (await other.watch(match)).seat == 0


async def test_one_who_has_answered_waits_for_the_other(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    decision = await first.decision(match, 0)
    await first.choose_number(match, 0, 3)
    refused = await first.expect_refused(first.act_message(match, decision, ChooseNumber(4)))
    assert refused.code == "not_your_turn"
    assert [open_["seat"] for open_ in msgspec.json.decode(refused.open_decisions)] == [1]


async def test_a_match_that_is_over_takes_no_action(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    decision = await first.decision(match, 0)
    await play_match(first, second, match)
    assert (await first.expect_refused(first.act_message(match, decision, ChooseNumber(1)))).code == "match_ended"
    assert (await first.expect_refused(first.act_message(match, None, Resign()))).code == "match_ended"
    assert (await first.expect_refused(GetOptions("o", match, decision))).code == "match_ended"


async def test_one_who_resigns_ends_the_match(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await second.expect_accepted(second.act_message(match, None, Resign()))
    state = await node.state(match)
    assert state.result is not None
    assert (state.status, state.result.winners) == ("ended", (0,))


async def test_links_of_a_players_own_chain_are_taken_and_a_new_chain_too(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    chain = SeatChain(b"far end of mine.")
    match = await first.open_match(rounds=3)
    await second.watch(match)
    take = TakeSeat(chain.head.hex(), CountingLoadout("me"))
    await first.expect_accepted(first.act_message(match, await first.decision(match, 0), take))
    await second.take_seat(match, 1)
    await first.expect_accepted(first.act_message(match, await first.decision(match, 0), Ready(chain.link(1).hex())))
    await second.be_ready(match, 1)
    decision = await first.decision(match, 0)
    skipped = first.act_message(match, decision, ChooseNumber(1, chain.link(3).hex()))
    assert (await first.expect_refused(skipped)).code == "bad_seat_nonce"
    await first.expect_accepted(first.act_message(match, decision, ChooseNumber(1, chain.link(2).hex())))
    await second.choose_number(match, 1, 1)
    assert (await node.state(match)).seat_nonces[-1] == (chain.link(2).hex(), "0" * 32)
    await second.expect_accepted(second.act_message(match, None, ReplaceChain("ab" * 16)))
    replaced = (await node.state(match)).seats[1].chain
    assert replaced is not None
    assert replaced.new_head == "ab" * 16


# ---------------------------------------------------------------- asking and watching


async def test_options_are_sent_only_to_the_seat_that_decides(node: InMemoryServer) -> None:
    first, second, third = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(first, second)
    await third.watch(match)
    decision = await first.decision(match, 0)
    plain = await first.request(GetOptions("plain", match, decision))
    assert isinstance(plain, OptionsResponse)
    assert msgspec.json.decode(plain.options).get("unavailable") is None
    options = await first.request(GetOptions("o", match, decision, include_unavailable=True))
    assert isinstance(options, OptionsResponse)
    assert (options.match, options.decision) == (match, decision)
    assert msgspec.json.decode(options.options)["actions"][5]["number"] == 6
    assert [one["number"] for one in msgspec.json.decode(options.options)["unavailable"]] == [7]
    assert (await second.expect_refused(GetOptions("o", match, decision))).code == "not_your_seat"
    assert (await third.expect_refused(GetOptions("o", match, decision))).code == "no_seat"
    assert (await first.expect_refused(GetOptions("o2", match, DecisionId("1.0")))).code == "stale_decision"


async def test_matches_are_listed_by_status(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    open_ = await first.open_match()
    running = await begin_match(first, second)
    ended = await begin_match(first, second)
    await play_match(first, second, ended)
    found = {}
    for status in ("open", "running", "ended", None):
        listed = await first.request(ListMatches(first.id(), status))
        assert isinstance(listed, MatchList)
        found[status] = {shown.match: shown for shown in listed.matches}
    assert [set(found[status]) for status in ("open", "running", "ended")] == [{open_}, {running}, {ended}]
    assert set(found[None]) == {open_, running, ended}
    shown = found["ended"][ended]
    assert (shown.ruleset, shown.seats, shown.created_ms) == (
        "counting",
        (SeatSummary(first.player), SeatSummary(second.player)),
        node.clock.now,
    )
    assert shown.result is not None
    assert (shown.result.end_reason, len(shown.result.scores), shown.result.reasons) == ("points", 2, ())


async def test_unwatched_match_is_no_longer_sent(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    seen = len(await second.catch_up(match))
    unwatched = await second.request(Unwatch("u", match))
    assert unwatched == Unwatched(match, "u")
    await first.choose_number(match, 0, 1)
    assert isinstance(await second.request(ListMatches("l")), MatchList)
    assert len(second.records[match]) == seen
    assert (await second.expect_refused(Unwatch("u2", match))).code == "not_watching"


async def test_unwatching_waits_for_the_answers_to_what_was_asked(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(2))
    faulty_database.events.gate.clear()
    await first.send_message(act)
    unwatch = asyncio.create_task(first.send_message(Unwatch("u", match)))
    await faulty_database.events.waiting.wait()
    faulty_database.events.gate.set()
    await unwatch
    accepted = await first.expect(Accepted)
    assert first.records[match][-1].seq == accepted.seq
    assert (await first.expect(Unwatched)).id == "u"


async def test_watching_again_starts_over_once(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = len(await second.catch_up(match))
    second.records.clear()
    await second.watch(match, head - 1)
    await first.choose_number(match, 0, 1)
    new = (await node.matches.find(match)).head
    assert [record.seq for record in await second.catch_up(match)] == list(range(head, new + 1))


async def test_a_watch_that_is_refused_leaves_the_one_before_alone(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    assert (await second.expect_refused(Watch("w", match, 99))).code == "bad_resume"
    await first.choose_number(match, 0, 1)
    assert len(await second.catch_up(match)) == (await node.matches.find(match)).head


async def test_number_of_matches_watched_on_one_connection_is_limited(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database, limits=msgspec.structs.replace(DEFAULT_CLIENT_LIMITS, watched_matches=2))
    guest, other = await node.connect_and_greet(), await node.connect_and_greet()
    one, two = await guest.open_match(), await guest.open_match()
    third = await other.open_match()
    assert (await guest.expect_refused(Watch("w", third))).code == "too_many_watched"
    settings = Raw(b"{}")
    assert (await guest.expect_refused(OpenMatch("o", "counting", 2, settings))).code == "too_many_watched"
    await guest.watch(one)
    await guest.request(Unwatch("u", two))
    await guest.watch(third)
    broken = await node.matches.find(third)
    broken.retire()
    await broken.wait_ended()
    assert (await guest.expect_refused(Watch("w2", two))).code == "too_many_watched"
    await node.matches.close()


async def test_client_that_leaves_receives_nothing_more(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    seen = len(await second.catch_up(match))
    second.session.close()
    await first.choose_number(match, 0, 1)
    second.outbox.abandon()
    assert await second.next_message() is None
    assert len(second.records[match]) == seen


async def test_a_fault_that_nobody_foresaw_is_answered_and_logged_without_its_words(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guest = await node.connect_and_greet()

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(node.database.matches, "list_matches", broken)
    assert (await guest.expect_refused(ListMatches("l"))).code == "fault"
    (entry,) = map(vars, caplog.records)
    assert (entry["why"], entry["command"], entry["match"]) == ("RuntimeError", "l", None)
    assert entry["player"] == guest.session.user.player
    assert "a secret" not in caplog.text
    await guest.open_match()


async def test_open_match_that_is_sent_again_watches_the_match_again(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    request = OpenMatch("o", "counting", 2, Raw(b'{"rounds":2}'))
    for _ in range(2):
        opened = await opener.request(request)
        assert isinstance(opened, Opened)
        watching = await opener.expect(Watching)
        assert (watching.match, watching.after, watching.head) == (opened.match, 0, 1)
