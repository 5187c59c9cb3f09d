"""Accounts of bots: marked once and for good, shown as bots to others, and listed while they are connected."""

import pytest

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.accounts import (
    AccountChanged,
    BotAccountList,
    FollowedPlayers,
    FollowPlayer,
    GetPlayers,
    ListBotAccounts,
    MarkAsBot,
    PlayerList,
)
from diskwars_protocol.messages.chat import ChatPage, GetChat, SendChat
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchesChanged, MatchList
from diskwars_protocol.messages.ratings import GetPlayerStatistics, PlayerStatistics
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import connect_member, connect_members

ANN, BOT = "Ann of Nuln", "Archer of Ulm"


async def mark(client: InMemoryClient) -> AccountChanged:
    answer = await client.request(MarkAsBot(client.id()))
    assert isinstance(answer, AccountChanged), answer
    return answer


async def bots_online(client: InMemoryClient) -> list[str]:
    answer = await client.request(ListBotAccounts(client.id()))
    assert isinstance(answer, BotAccountList), answer
    return [bot.name for bot in answer.bots if bot.is_bot and bot.is_online]


async def test_marked_account_is_a_bot_for_itself_and_for_others(node: InMemoryServer) -> None:
    ann, bot = await connect_members(node, ANN, BOT)
    for _ in range(2):  # a request that is sent again changes nothing
        changed = await mark(bot)
        assert changed.account is not None
        assert changed.account.is_bot
    back = await node.connect_and_greet(bot.token)
    assert back.session.user.device.is_bot
    players = await ann.request(GetPlayers(ann.id(), (bot.player, ann.player)))
    assert isinstance(players, PlayerList)
    assert [(player.kind, player.is_bot) for player in players.players] == [("registered", True), ("registered", False)]
    statistics = await ann.request(GetPlayerStatistics(ann.id(), bot.player))
    assert isinstance(statistics, PlayerStatistics)
    assert statistics.is_bot
    followed = await ann.request(FollowPlayer(ann.id(), BOT))
    assert isinstance(followed, FollowedPlayers)
    assert [player.is_bot for player in followed.players] == [True]


async def test_seats_in_lists_and_their_changes_show_bots(node: InMemoryServer) -> None:
    ann, bot = await connect_members(node, ANN, BOT)
    await mark(bot)
    await ann.request(FollowMatches(ann.id()))
    match = await bot.open_match()
    await bot.watch(match)
    await bot.take_seat(match, 0)
    changed = await ann.expect(MatchesChanged)
    while not any(seat.player for summary in changed.matches for seat in summary.seats):
        changed = await ann.expect(MatchesChanged)
    listed = await ann.request(ListMatches(ann.id()))
    assert isinstance(listed, MatchList)
    for summary in (changed.matches[0], listed.matches[0]):
        assert [(seat.player, seat.bot, seat.is_bot) for seat in summary.seats] == [
            (bot.player, None, True),
            (None, None, False),
        ]


async def test_message_of_a_bot_in_the_chat_is_marked(node: InMemoryServer) -> None:
    (bot,) = await connect_members(node, BOT)
    await mark(bot)
    match = await bot.open_match()
    await bot.watch(match)
    await bot.take_seat(match, 0)
    await bot.request(SendChat(bot.id(), match, "players", "good luck"))
    page = await bot.request(GetChat(bot.id(), match, "players", before=9))
    assert isinstance(page, ChatPage)
    assert [(message.name, message.is_bot) for message in page.messages] == [(BOT, True)]


@pytest.mark.parametrize(("rated", "code"), [(True, "has_rated_matches"), (False, "")])
async def test_account_with_a_rated_match_stays_that_of_a_person(rated: bool, code: str) -> None:
    async with MemoryDatabase() as database:
        ann = await connect_member(InMemoryServer(database, repeatable=False), ANN)
        match = await ann.open_match(options=MatchOptions(rated=rated))
        await ann.watch(match)
        await ann.take_seat(match, 0)
        answer = await ann.request(MarkAsBot(ann.id()))
    assert getattr(answer, "code", "") == code


async def test_guest_cannot_be_marked(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(MarkAsBot(guest.id()))).code == "not_registered"


async def test_bots_are_listed_while_they_are_connected(node: InMemoryServer) -> None:
    ann, bot, other = await connect_members(node, ANN, BOT, "Boar of Marburg")
    await mark(bot)
    await mark(other)
    assert await bots_online(ann) == [BOT, "Boar of Marburg"]
    bot.session.close()
    assert await bots_online(ann) == ["Boar of Marburg"]
