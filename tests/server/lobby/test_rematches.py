"""Players agree on a rematch after the end of a match: one match follows, with their seats turned."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import CloseMatch, OpenMatch
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch, Rematch, RematchChanged
from diskwars_protocol.messages.watching import Watch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.lobby.rematches import OFFER_SECONDS
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.bot_nodes import begin_against_bot, odd_program, play_against_bot, playing_bots
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match

OPTIONS = MatchOptions(clock=PerDecisionClock(60), draws=True)


@pytest.fixture
async def bot_node() -> AsyncIterator[InMemoryServer]:
    """One over a store in memory, which seats bots."""
    async with MemoryDatabase() as database:
        server = InMemoryServer(database, bots=odd_program("first"))
        yield server
        await server.matches.close()


async def play_to_the_end(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, 1, OPTIONS)
    await play_match(first, second, match, 1)
    assert (await node.state(match)).status == "ended"
    return first, second, match


async def offer(client: InMemoryClient, match: MatchId) -> Rematch:
    answer = await client.request(OfferRematch(client.id(), match))
    assert isinstance(answer, Rematch), answer
    return answer


async def refusal(client: InMemoryClient, match: MatchId) -> str:
    return (await client.expect_refused(OfferRematch(client.id(), match))).code


async def test_match_follows_once_both_agree_with_the_same_options_and_the_seats_turned(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    waiting = await offer(first, match)
    assert (waiting.agreed, waiting.seat, waiting.next_match) == ((0,), 1, None)
    agreed = await offer(second, match)
    assert (agreed.agreed, agreed.seat) == ((0, 1), 0)
    follows = agreed.next_match
    assert follows is not None
    assert (await offer(first, match)).next_match == follows, "asked again, it has the same answer"
    for client, seat in ((first, 1), (second, 0)):
        await client.watch(follows)
        await client.take_seat(follows, seat)
    state, before = await node.state(follows), await node.state(match)
    assert [seat.player for seat in state.seats] == [second.player, first.player]
    assert (state.settings, state.match_options.clock) == (before.settings, OPTIONS.clock)
    assert state.match_options.rematch_of == match


async def test_match_and_the_one_that_follows_name_each_other_in_lists(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    for client in (first, second):
        await offer(client, match)
    listed = await first.request(ListMatches(first.id(), mine=True))
    assert isinstance(listed, MatchList)
    links = {found.match: (found.rematch, found.match_options.rematch_of) for found in listed.matches}
    follows = node.rematches.next_match(match)
    assert links == {match: (follows, None), follows: (None, match)}


async def test_nobody_else_enters_the_match_that_follows(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    for client in (first, second):
        await offer(client, match)
    stranger = await node.connect_and_greet()
    refused = await stranger.expect_refused(Watch(stranger.id(), node.rematches.next_match(match)))
    assert refused.code == "locked"


async def test_rematch_is_refused_to_strangers_before_the_end_and_too_late(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    stranger = await node.connect_and_greet()
    assert await refusal(stranger, match) == "no_seat"
    assert await refusal(stranger, MatchId("nowhere")) == "unknown_match"
    running = await begin_match(first, second)
    assert await refusal(first, running) == "not_ended"
    await offer(first, match)
    node.clock.now += 1000 * OFFER_SECONDS + 1
    assert await refusal(second, match) == "too_late"
    assert (await offer(first, match)).agreed == (0,), "a player who agreed may ask again"


async def test_match_that_never_began_is_followed_by_none(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    match = await opener.open_match()
    await opener.take_seat(match, 0)
    await opener.expect_accepted(CloseMatch(opener.id(), match))
    assert await refusal(opener, match) == "never_began"


async def test_no_client_opens_a_match_as_the_rematch_of_another(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    options = Raw(b'{"rematch_of":"somewhere"}')
    refused = await client.expect_refused(OpenMatch(client.id(), "counting", 2, match_options=options))
    assert (refused.code, refused.place) == ("bad_match_options", "$.match_options.rematch_of")


async def test_two_nodes_open_one_match(database: Database) -> None:
    bus = LocalBus()
    nodes = [InMemoryServer(database, bus=bus, seed=seed) for seed in (1, 2)]
    first, second, match = await play_to_the_end(nodes[0])
    elsewhere = await nodes[1].connect_and_greet(second.token)
    found = await asyncio.gather(offer(first, match), offer(elsewhere, match))
    follows = {(await offer(client, match)).next_match for client in (first, elsewhere)}
    next_match = nodes[0].rematches.next_match(match)
    assert follows == {next_match}
    assert {answer.seat for answer in found} == {0, 1}
    states = [await node.state(next_match) for node in nodes]
    assert states[0].server_link == states[1].server_link
    for node in nodes:
        await node.matches.close()


async def test_bot_comes_along_to_the_turned_seat(bot_node: InMemoryServer) -> None:
    client = await bot_node.connect_and_greet()
    async with playing_bots(bot_node):
        match = await begin_against_bot(client, 1)
        await play_against_bot(client, match, 1)
        assert (await bot_node.state(match)).status == "ended"
        agreed = await offer(client, match)
        follows = agreed.next_match
        assert (agreed.agreed, agreed.seat) == ((0,), 1)
        assert follows is not None
        await offer(client, match)
        await client.watch(follows)
        await client.take_seat(follows, 1)
        await client.be_ready(follows, 1)
        async with asyncio.timeout(40):
            while (await bot_node.state(follows)).status == "open":
                await asyncio.sleep(0.01)
        state = await bot_node.state(follows)
    assert [seat.player for seat in state.seats] == [bot_player("steady", 0), client.player]
    assert state.seats[0].loadout == (await bot_node.state(match)).seats[1].loadout


@pytest.mark.parametrize("bound", ["player", "address"])
async def test_bots_of_a_rematch_count_as_bots_that_are_seated(bound: str) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"), bots_each=2 if bound == "player" else 0)
        quotas = AddressQuotas(QuotaLimits(bots_per_hour=2), node.clock)
        node.session_context = replace(node.session_context, quotas=quotas)
        client = await node.connect_and_greet(address="203.0.113.9" if bound == "address" else UNKNOWN)
        async with playing_bots(node):
            matches = [await begin_against_bot(client, 1) for _ in range(2)]
            await play_against_bot(client, matches[0], 1)
            if bound == "player":
                await begin_against_bot(client, 1)
            refused = await client.expect_refused(OfferRematch("again", matches[0]))
            assert (refused.code, "bots" in refused.text) == ("too_many_bots", True)
            follows = node.rematches.next_match(matches[0])
            assert not await database.events.heads([follows]), "no match is opened without its bot"
            node.clock.now += 3_600_000 if bound == "address" else 0
            if bound == "player":
                await play_against_bot(client, matches[1], 1)
            assert (await offer(client, matches[0])).next_match == follows
            assert (await offer(client, matches[0])).next_match == follows, "asked again, it counts no other bot"
        await node.matches.close()


async def test_others_are_sent_who_has_agreed(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    await offer(first, match)
    notice = await second.expect(RematchChanged)
    assert (notice.match, notice.agreed, notice.seat, notice.next_match) == (match, (0,), 0, None)
    agreed = await offer(second, match)
    received = await first.expect(RematchChanged)
    assert (received.agreed, received.seat, received.next_match) == ((0, 1), 1, agreed.next_match)
    await offer(second, match)
    assert not [seen for seen in first.messages if isinstance(seen, RematchChanged)][1:], "nothing has changed"


async def test_after_one_has_declined_nobody_can_agree(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    await offer(first, match)
    declined = await second.request(DeclineRematch(second.id(), match))
    assert isinstance(declined, Rematch)
    assert (declined.agreed, declined.declined, declined.next_match) == ((0,), (1,), None)
    assert (await first.expect(RematchChanged)).declined == (1,)
    assert await refusal(second, match) == "rematch_declined"
    assert (await offer(first, match)).declined == (1,), "a player who agreed may ask how it stands"
    stranger = await node.connect_and_greet()
    assert (await stranger.expect_refused(DeclineRematch(stranger.id(), match))).code == "no_seat"


async def test_declining_after_all_have_agreed_changes_nothing(node: InMemoryServer) -> None:
    first, second, match = await play_to_the_end(node)
    for client in (first, second):
        await offer(client, match)
    answer = await second.request(DeclineRematch(second.id(), match))
    assert isinstance(answer, Rematch)
    assert (answer.declined, answer.next_match) == ((), node.rematches.next_match(match))


async def test_player_on_another_node_is_sent_who_has_agreed(database: Database) -> None:
    bus = LocalBus()
    nodes = [InMemoryServer(database, bus=bus, seed=seed) for seed in (1, 2)]
    first, second, match = await play_to_the_end(nodes[0])
    elsewhere = await nodes[1].connect_and_greet(second.token)
    await offer(first, match)
    assert (await elsewhere.expect(RematchChanged)).agreed == (0,)
    for node in nodes:
        await node.matches.close()
