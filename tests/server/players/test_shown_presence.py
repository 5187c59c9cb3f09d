"""Presence is shown to those who may see it, and looks the same to all others whether a player is there or not."""

from diskwars_protocol.messages.accounts import (
    FollowedPlayers,
    FollowPlayer,
    GetPlayers,
    ListFollowed,
    MarkAsBot,
    PlayerList,
    ShowPresence,
)
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match
from tests.server.tournaments.tournament_clients import connect_members

ANN, BEN, CID = "Ann of Nuln", "Ben of Ulm", "Cid of Marburg"
THERE, AWAY, HIDDEN = (True, False), (False, False), (False, True)
"""What a viewer may see of a player: `is_online` and `hides_presence`."""


async def seen_by(viewer: InMemoryClient, *players: InMemoryClient) -> list[tuple[bool, bool]]:
    answer = await viewer.request(GetPlayers(viewer.id(), tuple(player.player for player in players)))
    assert isinstance(answer, PlayerList), answer
    return [(player.is_online, player.hides_presence) for player in answer.players]


async def test_strangers_never_see_who_is_connected(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    guest = await node.connect_and_greet()
    await ben.request(ShowPresence(ben.id(), shown=True))
    assert await seen_by(guest, ann, ben, guest) == [HIDDEN, HIDDEN, THERE]
    assert await seen_by(ann, guest, ben) == [HIDDEN, HIDDEN]
    ann.session.close()
    ben.session.close()
    assert await seen_by(guest, ann, ben) == [HIDDEN, HIDDEN]


async def test_followers_see_those_alone_who_show_themselves(node: InMemoryServer) -> None:
    ann, ben, cid = await connect_members(node, ANN, BEN, CID)
    for name in (BEN, CID):
        await ann.request(FollowPlayer(ann.id(), name))
    await ben.request(ShowPresence(ben.id(), shown=True))
    assert await seen_by(ann, ben, cid) == [THERE, HIDDEN]
    assert await seen_by(ben, ann) == [HIDDEN], "whom one follows sees nothing for that"
    ben.session.close()
    assert await seen_by(ann, ben) == [AWAY]


async def test_everybody_sees_whether_a_bot_is_there(node: InMemoryServer) -> None:
    ann, bot = await connect_members(node, ANN, BEN)
    guest = await node.connect_and_greet()
    await ann.request(FollowPlayer(ann.id(), BEN))
    await bot.request(MarkAsBot(bot.id()))
    assert await seen_by(guest, bot) == await seen_by(ann, bot) == [THERE]
    followed = await ann.request(ListFollowed(ann.id()))
    assert isinstance(followed, FollowedPlayers)
    assert [player.is_online for player in followed.players] == [True]
    bot.session.close()
    assert await seen_by(guest, bot) == [AWAY]


async def test_opponents_see_each_other_until_their_match_ends(node: InMemoryServer) -> None:
    first, second, watcher = [await node.connect_and_greet() for _ in range(3)]
    assert await seen_by(first, second) == [HIDDEN]
    match = await begin_match(first, second)
    await watcher.watch(match)
    assert await seen_by(first, second) == [THERE]
    assert await seen_by(watcher, first, second) == [HIDDEN, HIDDEN]
    await play_match(first, second, match)
    assert await seen_by(first, second) == [HIDDEN]
    waiting = await first.open_match()
    for seat, client in enumerate((first, second)):
        await client.watch(waiting)
        await client.take_seat(waiting, seat)
    second.session.close()
    assert await seen_by(first, second) == [AWAY]
