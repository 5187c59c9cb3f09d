"""Quick matches: players who seek the same are led into one match, whichever servers they are connected to."""

import asyncio

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.seeks import MatchFound, Seeking, SeekMatch, StopSeeking
from diskwars_protocol.messages.watching import Watch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.lobby.quick_matches import SEEK_LIFETIME_MS
from diskwars_server.store.database import Database
from diskwars_server.store.seeks import ALIVE_MS, RENEW_MS
from tests.server.in_memory_server import InMemoryClient, InMemoryServer


def request(client: InMemoryClient, options: MatchOptions | None = None, rounds: int = 1, id: str = "") -> SeekMatch:
    raw = Raw(b"{}") if options is None else Raw(msgspec.json.encode(options))
    return SeekMatch(id or client.id(), "counting", 2, Raw(msgspec.json.encode({"rounds": rounds})), raw)


async def seek(client: InMemoryClient, wanted: SeekMatch | None = None) -> Seeking:
    answer = await client.request(wanted or request(client))
    assert isinstance(answer, Seeking), answer
    return answer


async def find(first: InMemoryClient, second: InMemoryClient) -> tuple[MatchFound, MatchFound]:
    """Let two players seek, and return what each finds."""
    await seek(first)
    answer = await seek(second)
    assert answer.found is not None
    return await first.expect(MatchFound), answer.found


async def test_two_players_are_led_into_one_match(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    waiting = await seek(first)
    assert (waiting.found, waiting.until_ms, waiting.renew_ms) == (None, node.clock() + SEEK_LIFETIME_MS, RENEW_MS)
    answer = await seek(second)
    mine, theirs = await first.expect(MatchFound), answer.found
    assert theirs is not None
    assert mine.match == theirs.match
    assert {mine.seat, theirs.seat} == {0, 1}
    assert mine.players[mine.seat] == first.player
    for client, found in ((first, mine), (second, theirs)):
        await client.watch(found.match)
        await client.take_seat(found.match, found.seat)
    state = await node.state(mine.match)
    assert [seat.player for seat in state.seats] == list(mine.players)
    assert state.settings.rounds == 1


async def test_nobody_else_enters_the_match(node: InMemoryServer) -> None:
    first, second, stranger = [await node.connect_and_greet() for _ in range(3)]
    found, _ = await find(first, second)
    refused = await stranger.expect_refused(Watch(stranger.id(), found.match))
    assert refused.code == "locked"


async def test_other_settings_and_options_are_not_paired_but_written_otherwise_the_same(node: InMemoryServer) -> None:
    clients = [await node.connect_and_greet() for _ in range(4)]
    clock = MatchOptions(clock=PerDecisionClock(60))
    for client, wanted in zip(clients, ((None, 1), (None, 2), (clock, 1)), strict=False):
        assert (await seek(client, request(client, *wanted))).found is None
    spelled_out = Raw(b'{"rated":false,"visibility":"public"}')
    same = SeekMatch(clients[3].id(), "counting", 2, Raw(b'{"rounds":1}'), spelled_out)
    answer = await seek(clients[3], same)
    assert answer.found is not None
    assert set(answer.found.players) == {clients[0].player, clients[3].player}


async def test_player_is_never_paired_with_themselves(node: InMemoryServer) -> None:
    first = await node.connect_and_greet()
    other_device = await node.connect_and_greet(first.token)
    await seek(first)
    assert (await seek(other_device)).found is None


async def test_request_that_is_repeated_finds_the_same_match(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    wanted = request(first)
    await seek(first, wanted)
    found = (await seek(second)).found
    assert found is not None
    again = (await seek(first, wanted)).found
    assert again is not None
    assert again.match == found.match
    elsewhere = await node.connect_and_greet(first.token)
    assert (await seek(elsewhere)).found == again, "the others wait in it"


async def test_match_that_the_player_has_entered_makes_room_for_another_search(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    found, _ = await find(first, second)
    await first.watch(found.match)
    await first.take_seat(found.match, found.seat)
    assert (await seek(first)).found is None


async def test_search_ends_after_ten_minutes(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    wanted = request(client)
    began = node.clock()
    while node.clock() < began + SEEK_LIFETIME_MS:
        await seek(client, wanted)
        node.clock.now += ALIVE_MS - 1
    await client.expect_refused(wanted)
    other = await node.connect_and_greet()
    assert (await seek(other)).found is None, "the search that has ended pairs nobody"


async def test_refusal_of_a_search_that_has_lasted_too_long_says_so(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    wanted = request(client)
    for _ in range(SEEK_LIFETIME_MS // RENEW_MS):
        await seek(client, wanted)
        node.clock.now += RENEW_MS
    refused = await client.expect_refused(wanted)
    assert (refused.code, refused.numbers) == ("nobody_found", {"minutes": 10})
    assert (await seek(client)).found is None, "another search begins"


async def test_player_who_stops_seeking_is_not_paired(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    await seek(first)
    stopped = await first.request(StopSeeking(first.id()))
    assert isinstance(stopped, Seeking)
    assert (stopped.until_ms, stopped.found) == (None, None)
    assert (await seek(second)).found is None


async def test_stopping_too_late_names_the_match_that_was_found(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    found, _ = await find(first, second)
    stopped = await first.request(StopSeeking(first.id()))
    assert isinstance(stopped, Seeking)
    assert stopped.found == found


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"ruleset": "chess"}, "unknown_ruleset", "$.ruleset"),
        ({"settings": Raw(b'{"rounds":"many"}')}, "bad_settings", "$.settings.rounds"),
        ({"match_options": Raw(b'{"watchers":"cats"}')}, "bad_match_options", "$.match_options.watchers"),
        ({"match_options": Raw(b'{"rematch_of":"m"}')}, "bad_match_options", "$.match_options.rematch_of"),
    ],
)
async def test_what_could_not_be_opened_cannot_be_sought(
    node: InMemoryServer, change: dict[str, object], code: str, place: str
) -> None:
    client = await node.connect_and_greet()
    refused = await client.expect_refused(msgspec.structs.replace(request(client), **change))
    assert (refused.code, refused.place) == (code, place)


async def test_players_on_two_nodes_are_led_into_one_match(database: Database) -> None:
    bus = LocalBus()
    nodes = [InMemoryServer(database, bus=bus, seed=seed) for seed in (1, 2)]
    first, second = [await node.connect_and_greet() for node in nodes]
    mine, theirs = await find(first, second)
    assert mine.match == theirs.match
    states = [await node.state(mine.match) for node in nodes]
    assert states[0].server_link == states[1].server_link
    for node in nodes:
        await node.matches.close()


async def test_of_many_on_two_nodes_nobody_is_paired_twice(database: Database) -> None:
    nodes = [InMemoryServer(database, bus=LocalBus(), seed=seed) for seed in (1, 2)]  # buses that lose everything
    clients = [await nodes[number % 2].connect_and_greet() for number in range(6)]
    wanted = [request(client) for client in clients]
    await asyncio.gather(*map(seek, clients, wanted))
    answers = [await seek(client, one) for client, one in zip(clients, wanted, strict=True)]
    found = [answer.found for answer in answers if answer.found is not None]
    assert len(found) == 6
    by_match: dict[MatchId, set[str]] = {}
    for client, one in zip(clients, found, strict=True):
        by_match.setdefault(one.match, set()).add(client.player)
    assert sorted(map(len, by_match.values())) == [2, 2, 2]
    for node in nodes:
        await node.matches.close()


async def test_other_node_opens_a_match_whose_first_node_ended(database: Database) -> None:
    """The players were paired, and the node that was to open the match has died."""
    node = InMemoryServer(database)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    wanted = request(first)
    await seek(first, wanted)
    opened = node.openings.open

    async def die(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    node.openings.open = die  # type: ignore[method-assign, assignment]
    assert (await second.expect_refused(request(second))).code == "fault"
    node.openings.open = opened  # type: ignore[method-assign]
    found = (await seek(first, wanted)).found
    assert found is not None
    assert set(found.players) == {first.player, second.player}
    assert (await node.state(found.match)).status == "open"
    await node.matches.close()
