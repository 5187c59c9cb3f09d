"""Players are found by the name that they gave up, and nobody else takes it meanwhile."""

from msgspec.structs import replace

from diskwars_protocol.messages.accounts import FollowedPlayers, FollowPlayer, LogIn, Register, Rename
from diskwars_protocol.messages.lists import MatchList, SearchMatches
from diskwars_protocol.messages.ratings import FormerName, GetPlayerStatistics, PlayerStatistics
from diskwars_server.store.accounts import RESERVED_NAME_MS
from diskwars_server.store.memory.accounts import MemoryAccounts
from tests.server.in_memory_server import InMemoryServer
from tests.server.tournaments.tournament_clients import PASSWORD, connect_members


async def test_former_name_finds_its_player_and_nobody_else_takes_it(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann of Nuln", "Ben of Ulm")
    guest = await node.connect_and_greet()
    renamed_ms = node.clock.now
    await ann.request(Rename(ann.id(), "Anna"))
    assert (await ben.expect_refused(Rename(ben.id(), "Ann of Nuln"))).code == "name_taken"
    assert (await guest.expect_refused(Register(guest.id(), "ANN of Nuln", PASSWORD))).code == "name_taken"
    followed = await ben.request(FollowPlayer(ben.id(), "ann of nuln"))
    assert isinstance(followed, FollowedPlayers)
    assert [player.name for player in followed.players] == ["Anna"]
    found = await guest.request(GetPlayerStatistics(guest.id(), player_name="Ann of Nuln"))
    assert isinstance(found, PlayerStatistics)
    assert (found.player, found.name) == (ann.player, "Anna")
    assert found.former_names == (FormerName("Ann of Nuln", renamed_ms),)
    assert isinstance(await guest.request(SearchMatches(guest.id(), player_name="Ann of Nuln")), MatchList)


async def test_former_names_of_a_deleted_account_are_shown_to_nobody(node: InMemoryServer) -> None:
    [ann] = await connect_members(node, "Ann of Nuln")
    await ann.request(Rename(ann.id(), "Anna"))
    accounts = node.database.accounts
    assert isinstance(accounts, MemoryAccounts)
    # As a node of a build that knows no former names deletes an account.
    accounts._accounts[ann.player] = replace(accounts._accounts[ann.player], name="", name_key="", password_hash="")
    guest = await node.connect_and_greet()
    found = await guest.request(GetPlayerStatistics(guest.id(), ann.player))
    assert isinstance(found, PlayerStatistics)
    assert (found.kind, found.former_names) == ("deleted", ())


async def test_former_name_is_no_way_to_log_in_and_free_after_its_time(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann of Nuln", "Ben of Ulm")
    await ann.request(Rename(ann.id(), "Anna"))
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(LogIn(guest.id(), "Ann of Nuln", PASSWORD))).code == "wrong_password"
    node.clock.now += RESERVED_NAME_MS
    unknown = await ben.expect_refused(FollowPlayer(ben.id(), "Ann of Nuln"))
    assert unknown.code == "unknown_player"
    await ben.request(Rename(ben.id(), "Ann of Nuln"))
    taken = await ben.expect_refused(FollowPlayer(ben.id(), "Ann of Nuln"))
    assert taken.code == "own_account", "the name is that of another now"
