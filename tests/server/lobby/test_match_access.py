"""Locked matches: passwords and invites let players in, on every path, and guessing is limited."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.decisions import GetOptions
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.lobby import (
    CreateInvite,
    Entered,
    EnterMatch,
    Invite,
    InviteCreated,
    InviteList,
    ListInvites,
    RevokeInvite,
    UseInvite,
)
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.http.routes import HttpService
from diskwars_server.limits import address_quotas
from diskwars_server.limits.address_quotas import make_unlimited
from diskwars_server.lobby.match_access import INVITES_PER_ADDRESS, MatchAccess
from diskwars_server.store.admissions import MAX_ADMITTED_PER_MATCH, MAX_INVITED_PER_MATCH, MAX_INVITES_PER_MATCH
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, play_match

PASSWORD = "the griffon flies"
WRONG_PASSWORD = "the griffon sleeps"
HOME, ELSEWHERE = "203.0.113.1", "198.51.100.7"
SECOND_MS, HOUR_MS = 1000, 3_600_000


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


async def open_locked(
    client: InMemoryClient, password: str | None = PASSWORD, *, invited_only: bool = False, id: str = ""
) -> MatchId:
    request = OpenMatch(
        id or client.id(), "counting", 2, Raw(b'{"rounds":2}'), password=password, invited_only=invited_only
    )
    answer = await client.request(request)
    assert isinstance(answer, Opened), answer
    return answer.match


async def enter(client: InMemoryClient, match: MatchId, password: str = PASSWORD) -> ServerMessage:
    return await client.request(EnterMatch(client.id(), match, password))


async def invite(
    client: InMemoryClient, match: MatchId, *, army: str | None = None, uses: int | None = None, id: str = ""
) -> InviteCreated:
    answer = await client.request(CreateInvite(id or client.id(), match, army, uses))
    assert isinstance(answer, InviteCreated), answer
    return answer


async def use(client: InMemoryClient, code: str) -> ServerMessage:
    return await client.request(UseInvite(client.id(), code))


async def refusal_code(client: InMemoryClient, message: ClientMessage) -> str:
    return (await client.expect_refused(message)).code


async def is_locked_for(client: InMemoryClient, match: MatchId) -> bool:
    answer = await client.request(Watch(client.id(), match))
    if isinstance(answer, Refused):
        assert (answer.code, answer.place) == ("locked", "$.match")
        return True
    return False


async def summary(client: InMemoryClient, match: MatchId) -> MatchSummary:
    answer = await client.request(ListMatches(client.id()))
    assert isinstance(answer, MatchList)
    return next(found for found in answer.matches if found.match == match)


# ---------------------------------------------------------------- passwords


async def test_password_lets_a_player_watch_and_sit(database: Database) -> None:
    node = InMemoryServer(database)
    opener, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await open_locked(opener)
    assert await is_locked_for(other, match)
    assert isinstance(await enter(other, match), Entered)
    assert not await is_locked_for(other, match)
    await other.take_seat(match, 1)
    await node.matches.close()


async def test_nothing_of_a_locked_match_reaches_a_stranger(node: InMemoryServer) -> None:
    opener, stranger = await node.connect_and_greet(), await node.connect_and_greet()
    match = await open_locked(opener)
    requests: list[ClientMessage] = [
        Watch(stranger.id(), match),
        Watch(stranger.id(), match, snapshot=True),
        GetRecords(stranger.id(), match, 0),
        GetOptions(stranger.id(), match, await opener.decision(match, 0)),
        stranger.act_message(match, await opener.decision(match, 1), {"type": "take_seat"}),
        CloseMatch(stranger.id(), match),
        ListInvites(stranger.id(), match),
        CreateInvite(stranger.id(), match),
        RevokeInvite(stranger.id(), match, "r5ynb4gfr8"),
    ]
    codes = [await refusal_code(stranger, request) for request in requests]
    assert codes == ["locked"] * 2 + ["not_watching"] * 3 + ["not_opener"] * 4
    resuming = node.connect()
    await resuming.greet(stranger.token, ResumeRequest(match, 0), ResumeRequest(match, 0, snapshot=True))
    assert [(await resuming.expect(Refused)).code for _ in range(2)] == ["locked"] * 2
    assert stranger.records == resuming.records == {}
    page = HttpService(node.matches, make_unlimited(), {})
    assert (await page._match_file(match, ELSEWHERE)).status_code == 403


async def test_lock_stays_after_the_end_and_after_a_restart(node: InMemoryServer) -> None:
    opener, other, stranger = [await node.connect_and_greet() for _ in range(3)]
    match = await open_locked(opener)
    await enter(other, match)
    await other.watch(match)
    for seat, player in enumerate((opener, other)):
        await player.take_seat(match, seat)
    for seat, player in enumerate((opener, other)):
        await player.be_ready(match, seat)
    await play_match(opener, other, match)
    assert await is_locked_for(stranger, match)
    again = InMemoryServer(node.database)
    late, known = await again.connect_and_greet(), await again.connect_and_greet(opener.token)
    assert await is_locked_for(late, match)
    assert not await is_locked_for(known, match)
    assert (await summary(late, match)).is_locked
    await again.matches.close()


async def test_player_who_has_entered_need_not_do_it_again_on_any_node(node: InMemoryServer) -> None:
    bus = LocalBus()
    nodes = [InMemoryServer(node.database, bus=bus) for _ in range(2)]
    opener, other = await nodes[0].connect_and_greet(), await nodes[0].connect_and_greet()
    match = await open_locked(opener)
    elsewhere = await nodes[1].connect_and_greet(other.token)
    assert await is_locked_for(elsewhere, match)
    await enter(other, match)
    assert not await is_locked_for(elsewhere, match)
    assert isinstance(await enter(elsewhere, match, "whatever it was"), Entered)
    for one in nodes:
        await one.matches.close()


async def test_password_is_stored_as_a_hash_and_written_to_no_log(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    opener, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await open_locked(opener)
    code = (await invite(opener, match)).code
    await enter(other, match, WRONG_PASSWORD)
    await use(other, code)
    stored = await node.database.vault.secrets(match)
    assert stored["lock_password"].startswith(b"$argon2id$")
    records = b"".join(record.body for record in await node.database.events.read(match))
    assert b"lock" not in records.replace(b'"clock"', b"")
    told = " ".join(str(vars(record)) for record in caplog.records)
    assert all(secret not in told for secret in (PASSWORD, WRONG_PASSWORD, code))


async def test_refusals_of_passwords_name_code_and_place(node: InMemoryServer) -> None:
    opener, other = await node.connect_and_greet(), await node.connect_and_greet()
    locked, plain = await open_locked(opener), await opener.open_match()
    invited = await open_locked(opener, None, invited_only=True)
    found = [
        await other.expect_refused(EnterMatch(other.id(), match, password))
        for match, password in ((locked, WRONG_PASSWORD), (plain, PASSWORD), (invited, PASSWORD), (MatchId("no"), "x"))
    ]
    assert [(refused.code, refused.place) for refused in found] == [
        ("wrong_match_password", "$.password"),
        ("no_password", "$.match"),
        ("locked", "$.match"),
        ("unknown_match", "$.match"),
    ]
    short = await opener.expect_refused(OpenMatch(opener.id(), "counting", 2, password="short"))
    assert (short.code, short.place) == ("bad_password", "$.password")


async def test_same_command_opens_the_same_locked_match_and_another_lock_is_refused(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await open_locked(opener, id="open")
    assert await open_locked(opener, id="open") == match
    plain = OpenMatch("open", "counting", 2, Raw(b'{"rounds":2}'))
    assert await refusal_code(opener, plain) == "duplicate_differs"


async def test_guessing_is_limited_at_the_guessers_address_only(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet(address=HOME)
    guesser, friend = await node.connect_and_greet(address=ELSEWHERE), await node.connect_and_greet(address=HOME)
    match = await open_locked(opener)
    answers = [await enter(guesser, match, f"{WRONG_PASSWORD} {n}") for n in range(7)]
    codes = [answer.code for answer in answers if isinstance(answer, Refused)]
    assert codes == ["wrong_match_password"] * 5 + ["too_many_attempts"] * 2
    assert isinstance(answers[-1], Refused)
    assert answers[-1].retry_after_ms is not None
    assert isinstance(await enter(friend, match), Entered)
    node.clock.now += answers[-1].retry_after_ms
    assert isinstance(await enter(guesser, match), Entered)


async def test_guesses_from_everywhere_are_limited_for_the_match(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet(address=HOME)
    match = await open_locked(opener)
    codes = []
    for number in range(22):
        guesser = await node.connect_and_greet(address=f"198.51.100.{number}")
        for _ in range(5):
            answer = await enter(guesser, match, WRONG_PASSWORD)
            assert isinstance(answer, Refused)
            codes.append(answer.code)
    assert codes.count("wrong_match_password") == 100
    # Guessing keeps nobody out who has an invite.
    code = (await invite(opener, match)).code
    assert isinstance(await use(await node.connect_and_greet(address=HOME), code), Entered)


async def test_passwords_of_matches_keep_nobody_from_logging_in(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await open_locked(opener)
    gate = asyncio.Event()

    async def hold(*_: object) -> bool:
        await gate.wait()
        return False

    node.access._attempts.passwords.verify = hold  # type: ignore[assignment]
    guesser = await node.connect_and_greet()
    waiting = asyncio.create_task(guesser.request(EnterMatch(guesser.id(), match, WRONG_PASSWORD)))
    await asyncio.sleep(0)
    assert await node.accounts._attempts.passwords.verify(None, PASSWORD) is False
    assert not waiting.done()
    gate.set()
    await waiting


async def test_match_admits_a_bounded_number_of_players(node: InMemoryServer) -> None:
    opener, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await open_locked(opener)
    for number in range(MAX_ADMITTED_PER_MATCH):
        await node.database.admissions.admit(match, f"player {number}", MAX_ADMITTED_PER_MATCH)
    node.access._attempts.passwords._queued = 1000  # a hash would be refused
    refused = await enter(other, match)
    assert isinstance(refused, Refused)
    assert refused.code == "match_full"
    node.access._attempts.passwords._queued = 0


async def test_invite_without_a_limit_lets_in_a_bounded_number_of_players(node: InMemoryServer) -> None:
    opener, friend, late = [await node.connect_and_greet() for _ in range(3)]
    match = await open_locked(opener, None, invited_only=True)
    code = (await invite(opener, match)).code
    assert isinstance(await use(friend, code), Entered)
    for number in range(MAX_INVITED_PER_MATCH):
        await node.database.admissions.admit(match, f"player {number}", MAX_INVITED_PER_MATCH + 1)
    assert await refusal_code(late, UseInvite(late.id(), code)) == "match_full"
    assert isinstance(await use(friend, code), Entered)


async def test_invites_of_an_address_are_limited(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_quotas, "QUERY_BURST", 1_000)  # the clock stands still
    opener = await node.connect_and_greet(address=HOME)
    match = await opener.open_match()
    for _ in range(INVITES_PER_ADDRESS.units):
        await invite(opener, match, id="the same")
    refused = await opener.expect_refused(CreateInvite("the same", match))
    assert (refused.code, refused.retry_after_ms) == ("too_many_invites", 60 * SECOND_MS)
    node.clock.now += 60 * SECOND_MS
    await invite(opener, match, id="the same")


# ---------------------------------------------------------------- invites


async def test_invite_names_the_match_and_carries_an_army(database: Database) -> None:
    node = InMemoryServer(database)
    opener, friend, stranger = [await node.connect_and_greet() for _ in range(3)]
    match = await open_locked(opener, None, invited_only=True)
    created = await invite(opener, match, army="Greenskin Patrol", uses=1)
    entered = await use(friend, created.code.upper())
    assert isinstance(entered, Entered)
    assert (entered.match, entered.army) == (match, "Greenskin Patrol")
    assert not await is_locked_for(friend, match)
    assert isinstance(await use(friend, created.code), Entered)  # used by the same player: nothing is used up
    assert await refusal_code(stranger, UseInvite(stranger.id(), created.code)) == "bad_invite"
    assert await is_locked_for(stranger, match)
    listed = await opener.request(ListInvites(opener.id(), match))
    assert isinstance(listed, InviteList)
    assert listed.invites == (Invite(created.invite, node.clock.now, "Greenskin Patrol", 0),)
    await node.matches.close()


async def test_repeated_request_makes_the_same_invite(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    first = await invite(opener, match, id="invite")
    assert await invite(opener, match, id="invite") == first
    other = await invite(opener, match)
    assert {first.code, first.invite}.isdisjoint({other.code, other.invite})
    assert first.invite not in first.code


async def test_revoked_invite_lets_nobody_in(node: InMemoryServer) -> None:
    opener, friend, late = [await node.connect_and_greet() for _ in range(3)]
    match = await open_locked(opener, None, invited_only=True)
    created = await invite(opener, match)
    await use(friend, created.code)
    left = await opener.request(RevokeInvite(opener.id(), match, created.invite))
    assert isinstance(left, InviteList)
    assert left.invites == ()
    assert await refusal_code(late, UseInvite(late.id(), created.code)) == "bad_invite"
    assert await refusal_code(opener, RevokeInvite(opener.id(), match, created.invite)) == "unknown_invite"
    assert not await is_locked_for(friend, match)


async def test_revoked_invite_has_a_text_of_its_own_and_is_not_revived(node: InMemoryServer) -> None:
    opener, late = [await node.connect_and_greet() for _ in range(2)]
    match = await open_locked(opener, None, invited_only=True)
    created = await invite(opener, match, id="invite")
    used_up = await invite(opener, match, uses=1)
    await use(await node.connect_and_greet(), used_up.code)
    await opener.request(RevokeInvite(opener.id(), match, created.invite))
    refused = await opener.expect_refused(CreateInvite("invite", match))
    assert (refused.code, refused.place) == ("bad_invite", "$.id")
    texts = []
    for code in (created.code, used_up.code, "invite-aaaaaaaaaaaaaaaa"):
        answer = await late.expect_refused(UseInvite(late.id(), code))
        assert (answer.code, answer.place) == ("bad_invite", "$.code")
        texts.append(answer.text)
    assert texts == ["this invite was revoked", "this invite is used up", "no invite has this code"]
    assert await is_locked_for(late, match)
    assert await invite(opener, match) != created


async def test_match_has_a_bounded_number_of_invites(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    for _ in range(MAX_INVITES_PER_MATCH):
        await invite(opener, match)
    refused = await opener.expect_refused(CreateInvite(opener.id(), match))
    assert (refused.code, refused.numbers) == ("too_many_invites", {"invites": MAX_INVITES_PER_MATCH})


async def test_storm_of_codes_is_limited_by_address_and_costs_no_hash(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quotas, "QUERY_BURST", 1_000)  # the clock stands still
    opener = await node.connect_and_greet(address=HOME)
    guesser = await node.connect_and_greet(address=ELSEWHERE)
    match = await open_locked(opener, None, invited_only=True)
    code = (await invite(opener, match)).code
    codes = []
    for number in range(40):
        answer = await use(guesser, f"invite-{number}")
        assert isinstance(answer, Refused)
        codes.append(answer.code)
    assert codes == ["bad_invite"] * 30 + ["too_many_attempts"] * 10
    assert isinstance(await use(await node.connect_and_greet(address=HOME), code), Entered)


async def test_uses_are_not_exceeded_by_players_who_come_at_once(database: Database) -> None:
    node = InMemoryServer(database)
    opener = await node.connect_and_greet()
    match = await open_locked(opener, None, invited_only=True)
    code = (await invite(opener, match, uses=2)).code
    players = [await node.connect_and_greet() for _ in range(6)]
    answers = await asyncio.gather(*(use(player, code) for player in players))
    assert sum(isinstance(answer, Entered) for answer in answers) == 2
    await node.matches.close()


async def test_hashing_queue_that_is_full_is_answered(node: InMemoryServer) -> None:
    opener, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await open_locked(opener)
    access: MatchAccess = node.access
    access._attempts.passwords._queued = 1000
    refused = await other.expect_refused(EnterMatch(other.id(), match, PASSWORD))
    assert refused.code == "busy"
    assert refused.retry_after_ms is not None
    assert await refusal_code(other, OpenMatch(other.id(), "counting", 2, password=PASSWORD)) == "busy"
    access._attempts.passwords._queued = 0
