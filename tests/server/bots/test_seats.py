"""Bots of the server take seats: the opener asks for them, limits hold, and everybody can tell."""

from collections.abc import AsyncIterator

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_protocol.match.bot_identity import bot_name, bot_player
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import CloseMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import SeatBot
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.session.session import Session
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from tests.rows import each_row
from tests.server.bot_nodes import odd_program, seat_message
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, ManualClock

HOUR_MS = 3_600_000


@pytest.fixture
async def node(database: Database) -> AsyncIterator[InMemoryServer]:
    server = InMemoryServer(database, bots=odd_program("first"), bots_each=3)
    yield server
    await server.matches.close()


@pytest.fixture
async def quick_node() -> AsyncIterator[InMemoryServer]:
    """One over a store in memory, where the database plays no part."""
    async with MemoryDatabase() as database:
        server = InMemoryServer(database, bots=odd_program("first"), bots_each=3)
        yield server
        await server.matches.close()


async def seats_of(client: InMemoryClient, match: MatchId) -> list[tuple[str | None, str | None]]:
    listed = await client.request(ListMatches(client.id()))
    assert isinstance(listed, MatchList)
    return [(seat.player, seat.bot) for shown in listed.matches if shown.match == match for seat in shown.seats]


@pytest.mark.parametrize("name", ["greedy", "g2"])
def test_player_id_of_a_bot_names_it(name: str) -> None:
    player = bot_player(name, 1)
    assert player == f"bot-{name}-b"
    assert bot_name(player) == name


@each_row("player", [None, "", "house", "botgreedyb", "bot-greedy", "bot--a", "bot-greedy-e", "x-bot-a-b"])
def test_other_ids_are_no_bots(player: str | None) -> None:
    assert bot_name(player) is None


async def test_opener_seats_a_bot_and_the_lobby_says_so(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    accepted = await opener.expect_accepted(seat_message(opener, match, 1))
    assert accepted.seq == 2
    assert await seats_of(opener, match) == [(None, None), ("bot-steady-b", "steady")]
    state = await node.state(match)
    assert state.seats[1].loadout.name == "bot"
    # Everybody sees it in the records as well, and they have the form of any seat that is taken.
    record = (await opener.catch_up(match))[-1]
    assert b'"player":"bot-steady-b"' in bytes(record.body)


async def test_welcome_lists_the_bots_of_each_ruleset(quick_node: InMemoryServer) -> None:
    welcome = await quick_node.connect().greet()
    assert [(ruleset.id, ruleset.bots) for ruleset in welcome.rulesets] == [("counting", ("steady", "wild"))]


async def test_any_free_seat_is_taken_when_none_is_named(quick_node: InMemoryServer) -> None:
    opener = await quick_node.connect_and_greet()
    match = await opener.open_match()
    await opener.take_seat(match, 0)
    await opener.expect_accepted(seat_message(opener, match))
    assert (await quick_node.state(match)).seats[1].player == "bot-steady-b"


async def test_request_that_is_repeated_gets_the_same_answer(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    request = seat_message(opener, match, id="bot")
    first = await opener.expect_accepted(request)
    await opener.take_seat(match, 1)
    assert await opener.expect_accepted(request) == first
    assert await opener.expect_accepted(seat_message(opener, match, 0, id="bot")) == first
    other = SeatBot("bot", match, "steady", None, Raw(b'{"name":"another","lucky":5}'))
    assert (await opener.expect_refused(other)).code == "duplicate_differs"


async def test_only_the_opener_seats_bots(quick_node: InMemoryServer) -> None:
    opener, other = [await quick_node.connect_and_greet() for _ in range(2)]
    match = await opener.open_match()
    assert (await other.expect_refused(seat_message(other, match))).code == "not_opener"
    assert (await other.expect_refused(seat_message(other, MatchId("nowhere")))).code == "unknown_match"


async def test_one_seat_is_left_to_a_person(quick_node: InMemoryServer) -> None:
    opener = await quick_node.connect_and_greet()
    match = await opener.open_match()
    await opener.expect_accepted(seat_message(opener, match, 0))
    assert (await opener.expect_refused(seat_message(opener, match, 1))).code == "no_bot_seat"
    await opener.take_seat(match, 1)
    refused = await opener.expect_refused(seat_message(opener, match))
    assert (refused.code, refused.text) == ("seat_taken", "every seat of the match is taken")


async def test_bad_requests_are_refused_with_code_and_place(quick_node: InMemoryServer) -> None:
    opener = await quick_node.connect_and_greet()
    match = await opener.open_match()
    unknown = await opener.expect_refused(seat_message(opener, match, bot="stedy"))
    assert (unknown.code, unknown.place) == ("unknown_bot", "$.bot")
    assert unknown.text == 'no bot "stedy"; did you mean "steady"?'
    misspelled = SeatBot(opener.id(), match, "steady", 1, Raw(b'{"nickname":"bot"}'))
    assert ((refused := await opener.expect_refused(misspelled)).code, refused.place) == (
        "bad_action",
        "$.loadout.nickname",
    )
    sealed = SeatBot(opener.id(), match, "steady", 1, Raw(b'{"name":"bot","lucky":{"#":"' + b"0" * 64 + b'"}}'))
    assert (await opener.expect_refused(sealed)).code == "bad_action"
    for seat, code in ((2, "seat_taken"), (7, "wrong_shape"), (-1, "wrong_shape")):
        refused = await opener.expect_refused(seat_message(opener, match, seat))
        assert (refused.code, refused.place) == (code, "$.seat")
    await opener.send_frame(f'{{"type":"seat_bot","id":"form","match":"{match}","bot":"Big Bot"}}')
    form = await opener.answer_to("form")
    assert isinstance(form, Refused)
    assert (form.code, form.place) == ("wrong_shape", "$.bot")
    assert "the name of a bot" in form.text
    await opener.expect_accepted(CloseMatch(opener.id(), match))
    assert (await opener.expect_refused(seat_message(opener, match))).code == "match_ended"


async def test_rated_match_is_for_people() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"), repeatable=False)
        opener = await node.connect_and_greet()
        match = await opener.open_match(options=MatchOptions(rated=True))
        assert (await opener.expect_refused(seat_message(opener, match))).code == "no_bot_seat"
        await node.matches.close()


async def test_server_without_bots_seats_none() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        opener = await node.connect_and_greet()
        match = await opener.open_match()
        refused = await opener.expect_refused(seat_message(opener, match))
        assert (refused.code, refused.text) == ("unknown_bot", 'no bot "steady"; this server seats none')
        await node.matches.close()


async def test_opener_has_a_limited_number_of_unfinished_matches_with_bots(node: InMemoryServer) -> None:
    opener, other = [await node.connect_and_greet() for _ in range(2)]
    matches = []
    for _ in range(4):
        node.clock.now += 1
        matches.append(await opener.open_match())
    for match in matches[:3]:
        await opener.expect_accepted(seat_message(opener, match))
    refused = await opener.expect_refused(seat_message(opener, matches[3]))
    assert (refused.code, refused.numbers, refused.retry_after_ms) == ("too_many_bots", {"matches": 3}, None)
    assert refused.oldest_match == matches[0]
    await other.expect_accepted(seat_message(other, await other.open_match()))
    await opener.expect_accepted(CloseMatch(opener.id(), matches[0]))
    await opener.expect_accepted(seat_message(opener, matches[3]))


async def test_seat_that_was_taken_while_the_quota_was_looked_up_is_not_given_to_a_bot(
    quick_node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = quick_node
    opener, guest = await node.connect_and_greet(), await node.connect_and_greet()
    match = await opener.open_match()
    await guest.watch(match)

    async def find_slowly(_: str, limit: int) -> list[str]:
        await guest.take_seat(match, 0)
        return [][:limit]

    monkeypatch.setattr(node.database.matches, "find_bot_matches", find_slowly)
    await opener.expect_accepted(seat_message(opener, match))
    assert (await node.state(match)).seats[1].player == "bot-steady-b"


async def test_address_seats_a_limited_number_of_bots_within_an_hour(quick_node: InMemoryServer) -> None:
    node = quick_node
    clock = ManualClock()
    quotas = AddressQuotas(QuotaLimits(bots_per_hour=2), clock)
    guests = []
    for _ in range(3):
        guest = node.connect()
        guest.session = Session(replace(node.session_context, quotas=quotas), guest.outbox, "192.0.2.7")
        await guest.greet()
        guests.append(guest)
    for guest in guests[:2]:
        await guest.expect_accepted(seat_message(guest, await guest.open_match()))
    match = await guests[2].open_match()
    refused = await guests[2].expect_refused(seat_message(guests[2], match))
    assert refused.code == "too_many_bots"
    assert refused.retry_after_ms is not None
    assert HOUR_MS / 2 - 5000 <= refused.retry_after_ms <= HOUR_MS / 2 + 5000
    clock.now += refused.retry_after_ms + 1
    await guests[2].expect_accepted(seat_message(guests[2], match))


def test_secrets_of_a_bot_follow_from_key_match_and_seat() -> None:
    match, other = MatchId("m"), MatchId("n")
    secrets, again = BotSecrets(b"k" * 32), BotSecrets(b"k" * 32)
    head = secrets.chain_head(match, 0)
    assert again.chain_head(match, 0) == head
    different = {
        head,
        secrets.chain_head(match, 1),
        secrets.chain_head(other, 0),
        BotSecrets(b"K" * 32).chain_head(match, 0),
    }
    assert len(different) == 4
    first = secrets.next_nonce(match, 0, head)
    assert again.next_nonce(match, 0, first) not in ("", first, head)
    assert secrets.next_nonce(match, 0, "00" * 16) == ""


def test_ids_of_guests_never_look_like_those_of_bots() -> None:
    tokens = TokenIssuer(b"k" * 32, lambda: 0)
    assert not any("-" in tokens.make_guest() for _ in range(200))
