"""The own data: what the server stores of an account, for its player alone, and the ports that read it."""

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_protocol.messages.accounts import GetOwnData, OwnChatMessage, OwnData, OwnReport
from diskwars_protocol.messages.chat import JoinChat, SendChat
from diskwars_protocol.messages.reports import ReportPlayer
from diskwars_server.players import own_data
from diskwars_server.store.database import Database
from tests.server.community.test_chat import sample
from tests.server.community.test_reports import REPORT
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match
from tests.server.tournaments.tournament_clients import PASSWORD, connect_members


async def own(client: InMemoryClient, skip: int = 0) -> OwnData:
    answer = await client.request(GetOwnData(client.id(), skip))
    assert isinstance(answer, OwnData), answer
    return answer


async def test_messages_of_a_player_are_read_from_the_oldest_on(database: Database) -> None:
    chat = database.chat
    for number in range(4):
        await chat.add(sample(number, player="ben" if number == 2 else "ann", at_ms=100 - number))
    await chat.erase(sample(0).match, sample(0).channel, 2)
    assert [found.number for found in await chat.list_of_player("ann", 0, 9)] == [4, 1]
    assert [found.number for found in await chat.list_of_player("ann", 1, 9)] == [1]
    assert [found.number for found in await chat.list_of_player("ann", 0, 1)] == [4]
    assert await chat.list_of_player("cat", 0, 9) == []


async def test_reports_of_a_reporter_are_read_from_the_newest_on(database: Database) -> None:
    for number, reporter in enumerate(("ann", "ben", "ann")):
        await database.reports.add(replace(REPORT, reporter=reporter, command=f"c{number}"))
    assert [report.number for report in await database.reports.list_sent("ann", 9)] == [3, 1]
    assert [report.number for report in await database.reports.list_sent("ann", 1)] == [3]


async def test_player_gets_the_own_account_messages_and_reports_and_nobody_elses(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    match = await begin_match(ann, ben)
    for client, text in ((ann, "Good luck!"), (ben, "Secret of Ben")):
        await client.request(JoinChat(client.id(), match))
        await client.request(SendChat(client.id(), match, "players", text))
    await ann.request(ReportPlayer("report", match, 2, ben.player, "Insults me."))

    shown = await own(ann)

    assert (shown.player, shown.name, shown.created_ms, shown.has_more) == (ann.player, "Ann", node.clock(), False)
    assert shown.messages == (OwnChatMessage(match, "players", 1, node.clock(), "Good luck!"),)
    assert shown.reports == (OwnReport("match", match, 2, node.clock(), "Insults me.", ben.player),)
    stored = msgspec.json.encode(shown).decode()
    assert "Secret" not in stored
    assert PASSWORD not in stored
    assert ann.token not in stored
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(GetOwnData("own"))).code == "not_registered"


async def test_many_messages_come_in_several_answers(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_data, "MAX_MESSAGES", 2)
    ann, ben = await connect_members(node, "Ann", "Ben")
    match = await begin_match(ann, ben)
    await ann.request(JoinChat(ann.id(), match))
    for text in ("one", "two", "three"):
        await ann.request(SendChat(ann.id(), match, "players", text))
    first = await own(ann)
    second = await own(ann, len(first.messages))
    assert [message.text for message in (*first.messages, *second.messages)] == ["one", "two", "three"]
    assert (first.has_more, second.has_more, second.reports) == (True, False, ())
