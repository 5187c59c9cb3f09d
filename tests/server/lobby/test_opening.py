"""A match against bots is opened, checked and seated in one request: what is refused has opened nothing."""

from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenedBot, OpenMatch
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Watching
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.bot_nodes import odd_program, wait_until
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

OWN, BROUGHT = Raw(b'{"name":"me","lucky":3}'), Raw(b'{"name":"bot","lucky":5}')
SEALED = Raw(b'{"name":"bot","lucky":{"#":"' + b"0" * 64 + b'"}}')
TWO_ROUNDS = Raw(b'{"rounds":2}')


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database, bots=odd_program("first"), bots_each=2, repeatable=False)
        yield server
        await server.matches.close()


def request_with(*bots: OpenedBot, id: str = "open", loadout: Raw = OWN, options: bytes = b"{}") -> OpenMatch:
    return OpenMatch(id, "counting", 2, TWO_ROUNDS, Raw(options), loadout=loadout, bots=bots)


async def matches_of(client: InMemoryClient) -> int:
    listed = await client.request(ListMatches(client.id()))
    assert isinstance(listed, MatchList)
    return len(listed.matches)


async def test_bot_sits_in_the_match_that_is_opened_with_it(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    opened = await opener.request(request_with(OpenedBot("steady", 1, BROUGHT)))
    assert isinstance(opened, Opened)
    assert (await opener.expect(Watching)).match == opened.match
    game = await node.matches.find(opened.match)
    await game.wait_idle()
    assert [seat.player for seat in game.state.seats] == [None, "bot-steady-b"], "the own seat is taken by its player"
    assert game.state.seats[1].loadout.name == "bot"
    await opener.take_seat(opened.match, 0)
    await opener.be_ready(opened.match, 0)


async def test_request_that_is_repeated_seats_the_bot_once(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    request = request_with(OpenedBot("steady", 1, BROUGHT))
    first = await opener.request(request)
    assert isinstance(first, Opened)
    game = await node.matches.find(first.match)
    await game.wait_idle()
    again = await opener.request(request)
    assert isinstance(again, Opened)
    assert again.match == first.match
    await game.wait_idle()
    assert game.head == 2
    await opener.expect_accepted(KickPlayer(opener.id(), first.match, 1))
    await opener.request(request)
    await game.wait_idle()
    assert game.state.seats[1].player is None, "a player who was removed stays out"


@pytest.mark.parametrize(
    ("wanted", "code", "place"),
    [
        (request_with(OpenedBot("stedy", 1, BROUGHT)), "unknown_bot", "$.bots[0].bot"),
        (request_with(OpenedBot("steady", 2, BROUGHT)), "seat_taken", "$.bots[0].seat"),
        (
            request_with(OpenedBot("steady", 1, BROUGHT), OpenedBot("steady", 1, BROUGHT)),
            "seat_taken",
            "$.bots[1].seat",
        ),
        (request_with(OpenedBot("steady", 0, BROUGHT), OpenedBot("steady", 1, BROUGHT)), "no_bot_seat", "$.bots"),
        (request_with(OpenedBot("steady", 1, Raw(b'{"lucky":5,"nick":"x"}'))), "bad_action", "$.bots[0].loadout"),
        (request_with(OpenedBot("steady", 1, SEALED)), "bad_action", "$.bots[0].loadout"),
        (request_with(OpenedBot("steady", 1, BROUGHT), loadout=SEALED), "bad_action", "$.loadout"),
        (request_with(loadout=Raw(b'{"nick":"x"}')), "bad_action", "$.loadout"),
        (request_with(OpenedBot("steady", 1, BROUGHT), options=b'{"rated":true}'), "no_bot_seat", "$.bots"),
    ],
)
async def test_refused_request_has_opened_nothing(wanted: OpenMatch, code: str, place: str) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"), repeatable=False)
        opener = await node.connect_and_greet()
        refused = await opener.expect_refused(wanted)
        assert (refused.code, (refused.place or "").startswith(place)) == (code, True), refused
        assert await matches_of(opener) == 0
        await node.matches.close()


async def test_ninth_match_with_bots_is_refused_by_the_name_of_the_oldest(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    opened = []
    for number in range(2):
        node.clock.now += 1
        answer = await opener.request(request_with(OpenedBot("steady", 1, BROUGHT), id=f"open {number}"))
        assert isinstance(answer, Opened)
        game = await node.matches.find(answer.match)
        await wait_until(lambda game=game: game.state.seats[1].player is not None)  # type: ignore[misc]
        opened.append(answer.match)
    refused = await opener.expect_refused(request_with(OpenedBot("steady", 1, BROUGHT), id="one more"))
    assert (refused.code, refused.numbers, refused.oldest_match) == ("too_many_bots", {"matches": 2}, opened[0])
    assert opened[0] in refused.text
    assert await matches_of(opener) == 2
    repeated = await opener.request(request_with(OpenedBot("steady", 1, BROUGHT), id="open 0"))
    assert isinstance(repeated, Opened), "a match that is there may be asked for again"


async def test_match_without_bots_is_opened_beside_as_many_with_bots_as_may_be(node: InMemoryServer) -> None:
    opener = await node.connect_and_greet()
    for number in range(2):
        await opener.request(request_with(OpenedBot("steady", 1, BROUGHT), id=f"open {number}"))
    plain = await opener.open_match(options=MatchOptions())
    assert await matches_of(opener) == 3
    assert (await node.state(plain)).seats[1].player is None
