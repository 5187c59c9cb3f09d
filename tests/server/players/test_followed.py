"""Followed players: a private list with a limit, and the presence of those alone who show it."""

import pytest

from diskwars_protocol.messages.accounts import (
    MAX_FOLLOWED,
    DeleteAccount,
    FollowedPlayers,
    FollowPlayer,
    ListFollowed,
    ShowPresence,
    UnfollowPlayer,
)
from diskwars_server.store.database import Database
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import PASSWORD, connect_members

ANN, BEN, CID = "Ann of Nuln", "Ben of Ulm", "Cid of Marburg"


async def follow(client: InMemoryClient, name: str) -> FollowedPlayers:
    answer = await client.request(FollowPlayer(client.id(), name))
    assert isinstance(answer, FollowedPlayers), answer
    return answer


async def followed(client: InMemoryClient) -> list[tuple[str, bool | None]]:
    answer = await client.request(ListFollowed(client.id()))
    assert isinstance(answer, FollowedPlayers), answer
    return [(player.name, player.is_online) for player in answer.players]


async def test_followed_players_are_listed_by_name_for_their_follower_alone(node: InMemoryServer) -> None:
    ann, ben, _ = await connect_members(node, ANN, BEN, CID)
    await follow(ann, CID)
    await follow(ann, BEN)
    listed = await follow(ann, BEN)
    assert [player.name for player in listed.players] == [BEN, CID]
    assert await followed(ben) == []
    await ann.request(UnfollowPlayer(ann.id(), ben.player))
    assert await followed(ann) == [(CID, None)]


async def test_presence_is_shown_by_those_who_want_it_only(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    await follow(ann, BEN)
    assert await followed(ann) == [(BEN, None)]
    shown = await ben.request(ShowPresence(ben.id(), shown=True))
    assert isinstance(shown, FollowedPlayers)
    assert shown.shows_presence
    assert await followed(ann) == [(BEN, True)]
    ben.session.close()
    assert await followed(ann) == [(BEN, False)]
    back = await node.connect_and_greet(ben.token)
    await back.request(ShowPresence(back.id(), shown=False))
    assert await followed(ann) == [(BEN, None)]


@pytest.mark.parametrize(("name", "code"), [(ANN, "own_account"), ("Nobody", "unknown_player")])
async def test_who_cannot_be_followed_is_refused(node: InMemoryServer, name: str, code: str) -> None:
    ann, _ = await connect_members(node, ANN, BEN)
    refused = await ann.expect_refused(FollowPlayer(ann.id(), name))
    assert (refused.code, refused.place) == (code, "$.name")


async def test_guests_follow_nobody(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(ListFollowed(guest.id()))).code == "not_registered"


async def test_account_that_is_deleted_is_followed_by_nobody(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    await follow(ann, BEN)
    await ben.request(DeleteAccount(ben.id(), PASSWORD))
    assert await followed(ann) == []


async def test_list_has_a_limit_in_every_database(database: Database) -> None:
    for number in range(MAX_FOLLOWED):
        assert await database.accounts.follow("ann", f"player {number}", MAX_FOLLOWED)
    assert not await database.accounts.follow("ann", "another", MAX_FOLLOWED)
    assert await database.accounts.follow("ann", "player 0", MAX_FOLLOWED), "followed already"
    await database.accounts.unfollow("ann", "player 0")
    await database.accounts.unfollow("ann", "nul\0")
    assert await database.accounts.follow("ann", "another", MAX_FOLLOWED)
    assert len(await database.accounts.list_followed("ann")) == MAX_FOLLOWED
    assert await database.accounts.list_followed("ben") == []


async def test_presence_is_stored_in_every_database(database: Database) -> None:
    for _ in range(2):
        await database.accounts.show_presence("ann", shown=True)
    assert await database.accounts.find_showing(["ann", "ben"]) == {"ann"}
    await database.accounts.show_presence("ann", shown=False)
    assert await database.accounts.find_showing(["ann", "ben"]) == frozenset()
