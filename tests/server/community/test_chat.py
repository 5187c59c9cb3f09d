"""Chat: two channels that do not reach each other, live and later, within limits, over every database."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.accounts import Register, SignedIn
from diskwars_protocol.messages.chat import (
    MAX_MUTED_PLAYERS,
    ChatChannel,
    ChatJoined,
    ChatMessage,
    ChatPage,
    ChatPosted,
    ChatSent,
    GetChat,
    JoinChat,
    ListMutedPlayers,
    MutedPlayers,
    MutePlayer,
    SendChat,
)
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.watching import Unwatch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.community.chat import ChatLimits, ChatService
from diskwars_server.community.texts import BadText, check_text
from diskwars_server.limits.rate_limits import RateLimit
from diskwars_server.store.chat import MAX_KEPT_MESSAGES, StoredMessage
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from tests.rows import each_row
from tests.server.conftest import MakeDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match
from tests.server.stored_samples import make_append, make_listing

SAMPLE = StoredMessage("m", "players", 0, "ann", 1000, 7, "hello", "c1")


def sample(command: int, **fields: object) -> StoredMessage:
    return replace(SAMPLE, **{"command": f"c{command}", "text": f"text {command}", **fields})


# ---------------------------------------------------------------- the contract of the store


async def test_messages_are_numbered_by_channel_and_read_in_order(database: Database) -> None:
    chat = database.chat
    assert [await chat.add(sample(n)) for n in (1, 2, 3)] == [1, 2, 3]
    assert await chat.add(sample(4, channel="watchers", player="cat")) == 1
    assert await chat.add(sample(5, match="n")) == 1
    assert await chat.read("m", "players", 1, 10) == [sample(2, number=2), sample(3, number=3)]
    assert await chat.read("m", "players", 0, 1) == [sample(1, number=1)]
    assert await chat.read_back("m", "players", 2) == [sample(2, number=2), sample(3, number=3)]
    assert await chat.read_back("m", "players", 2, before=2) == [sample(1, number=1)]
    assert await chat.read_back("x", "players", 2) == []


async def test_message_that_is_sent_again_keeps_its_number(database: Database) -> None:
    chat = database.chat
    assert [await chat.add(sample(n)) for n in (1, 2, 1)] == [1, 2, 1]
    assert await chat.add(sample(1, player="ben")) == 3
    assert len(await chat.read("m", "players", 0, 10)) == 3


async def test_only_the_last_messages_are_kept(database: Database) -> None:
    chat = database.chat
    for number in range(MAX_KEPT_MESSAGES + 3):
        await chat.add(sample(number))
    kept = await chat.read("m", "players", 0, 1000)
    assert (len(kept), kept[0].number) == (MAX_KEPT_MESSAGES, 4)


async def test_numbers_have_no_gaps_when_two_nodes_write_at_once(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        numbers = await asyncio.gather(*((one, other)[n % 2].chat.add(sample(n)) for n in range(8)))
    assert sorted(numbers) == list(range(1, 9))


async def test_messages_are_erased_by_what_is_named(database: Database) -> None:
    chat = database.chat
    for number, player in enumerate(("ann", "ben", "ann"), 1):
        await chat.add(sample(number, player=player))
    await chat.add(sample(4, channel="watchers"))
    await chat.add(sample(5, match="n"))
    assert await chat.erase("m", "players", 2) == [("m", "players", 2)]
    assert [one.text for one in await chat.read("m", "players", 0, 9)] == ["text 1", "", "text 3"]
    assert await chat.erase("m", player="ann") == [("m", "players", 1), ("m", "players", 3), ("m", "watchers", 1)]
    assert await chat.erase("m") == []
    assert await chat.erase(player="ann") == [("n", "players", 1)]
    assert await chat.erase() == []


async def test_muted_players_are_bounded(database: Database) -> None:
    chat = database.chat
    assert [await chat.mute("ann", other, 2) for other in ("ben", "cat", "dan", "ben")] == [True, True, False, True]
    assert list(await chat.list_muted("ann")) == ["ben", "cat"]
    await chat.unmute("ann", "ben")
    await chat.unmute("ann", "ben")
    assert list(await chat.list_muted("ann")) == ["cat"]
    assert list(await chat.list_muted("ben")) == []


async def test_chat_goes_with_a_match_that_never_began(database: Database) -> None:
    closed = replace(make_listing("m", 5, "ended"), result=Result("closed"))
    await database.events.append(make_append("m", listing=closed))
    await database.chat.add(SAMPLE)
    await database.chat.add(sample(2, match="n"))
    assert await database.events.remove_unstarted(100, 100, 10) == ["m"]
    assert await database.chat.read("m", "players", 0, 9) == []
    assert len(await database.chat.read("n", "players", 0, 9)) == 1


# ---------------------------------------------------------------- texts


@each_row(
    ("typed", "text"),
    [
        ("  well played  ", "well played"),
        ("<b>& [link](x)", "<b>& [link](x)"),
        ("e\u0301", "\u00e9"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀 :)", "👩\u200d🚀 :)"),
        ("x" * 300, "x" * 300),
    ],
)
def test_text_is_kept_as_it_is_read(typed: str, text: str) -> None:
    assert check_text(typed, 300) == text


@each_row(
    "typed",
    [
        "",
        "   ",
        "x" * 301,
        "two\nlines",
        "a\tb",
        "bell\x07!",
        "nul\0!",
        "a\u202eb",
        "a\u2066b",
        "a\u200fb",
        "a\u00adb",
        "a\ufeffb",
        "a\u2028b",
        "\u3164",
        "\u200d\u200d",
        "\u0301\u0301",
        "z" + "\u0335" * 5,
        "\ud800",
        "\ue000",
    ],
    ids=ascii,
)
def test_text_that_hides_something_is_refused(typed: str) -> None:
    with pytest.raises(BadText):
        check_text(typed, 300)


# ---------------------------------------------------------------- requests


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.chat.close()
        await server.matches.close()


class Table:
    """A match with two players and a watcher."""

    def __init__(self, match: MatchId, ann: InMemoryClient, ben: InMemoryClient, eve: InMemoryClient) -> None:
        self.match, self.ann, self.ben, self.eve = match, ann, ben, eve


@pytest.fixture
async def table(node: InMemoryServer) -> Table:
    ann, ben, eve = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(ann, ben)
    await eve.watch(match)
    return Table(match, ann, ben, eve)


async def join(client: InMemoryClient, match: MatchId) -> ChatJoined:
    answer = await client.request(JoinChat(client.id(), match))
    assert isinstance(answer, ChatJoined), answer
    return answer


async def say(client: InMemoryClient, match: MatchId, text: str, channel: ChatChannel = "players") -> ChatSent:
    answer = await client.request(SendChat(client.id(), match, channel, text))
    assert isinstance(answer, ChatSent), answer
    return answer


async def posted_to(client: InMemoryClient) -> list[tuple[str, int, str | None]]:
    """Return the chat messages that were posted to a client so far, in order and each once."""
    await client.request(ListMatches(client.id()))
    posted = [one.message for one in client.messages if isinstance(one, ChatPosted)]
    return list(dict.fromkeys((one.channel, one.number, one.text) for one in posted))


async def settle(node: InMemoryServer) -> None:
    """Wait until nothing more is to be delivered."""
    async with asyncio.timeout(40):
        while any(room.task is not None for room in node.chat._rooms.values()) or node.chat._tasks:
            await asyncio.sleep(0.001)


async def test_players_talk_to_each_other_and_watchers_among_themselves(node: InMemoryServer, table: Table) -> None:
    for client, channels in ((table.ann, ("players",)), (table.ben, ("players",)), (table.eve, ("watchers",))):
        joined = await join(client, table.match)
        assert (joined.channels, joined.messages) == (channels, ())
    await say(table.ann, table.match, "good luck")
    await say(table.eve, table.match, "ann has the better army", "watchers")
    await settle(node)
    assert await posted_to(table.ben) == [("players", 1, "good luck")]
    assert await posted_to(table.ann) == [("players", 1, "good luck")]
    assert await posted_to(table.eve) == [("watchers", 1, "ann has the better army")]


async def test_message_says_who_wrote_it_and_when(node: InMemoryServer, table: Table) -> None:
    await join(table.ben, table.match)
    await say(table.ann, table.match, " hello ")
    posted = await table.ben.expect(ChatPosted)
    name = f"Guest {table.ann.player[-4:].upper()}"
    assert posted == ChatPosted(table.match, ChatMessage("players", 1, table.ann.player, name, node.clock(), "hello"))


@pytest.mark.parametrize(
    ("who", "channel"), [("ann", "watchers"), ("eve", "players")], ids=["player to watchers", "watcher to players"]
)
async def test_nobody_reads_or_writes_another_channel(table: Table, who: str, channel: ChatChannel) -> None:
    client: InMemoryClient = getattr(table, who)
    for request in (
        SendChat("s", table.match, channel, "psst"),
        GetChat("g", table.match, channel, before=9),
    ):
        refused = await client.expect_refused(request)
        assert (refused.code, refused.place) == ("not_your_channel", "$.channel")


async def test_players_get_the_watchers_channel_after_the_end(node: InMemoryServer, table: Table) -> None:
    for client in (table.ann, table.eve):
        await join(client, table.match)
    await say(table.eve, table.match, "she holds dark omens", "watchers")
    await play_match(table.ann, table.ben, table.match)
    await settle(node)
    assert await posted_to(table.ann) == []
    joined = await join(table.ann, table.match)
    assert joined.channels == ("players", "watchers")
    assert [one.text for one in joined.messages] == ["she holds dark omens"]
    await say(table.eve, table.match, "well played", "watchers")
    await say(table.ann, table.match, "thanks", "watchers")
    await say(table.ann, table.match, "good game, ben")
    await settle(node)
    whole = [("watchers", 1, "she holds dark omens"), ("watchers", 2, "well played"), ("watchers", 3, "thanks")]
    posted = await posted_to(table.ann)
    assert [one for one in posted if one[0] == "watchers"] == whole[1:]
    assert [one for one in posted if one[0] == "players"] == [("players", 1, "good game, ben")]
    assert await posted_to(table.eve) == whole


async def test_match_has_to_be_watched(node: InMemoryServer, table: Table) -> None:
    stranger = await node.connect_and_greet()
    for request in (
        JoinChat("j", table.match),
        SendChat("s", table.match, "watchers", "hi"),
        GetChat("g", table.match, "watchers", before=9),
    ):
        assert (await stranger.expect_refused(request)).code == "not_watching"


async def test_viewer_that_has_left_gets_no_more(node: InMemoryServer, table: Table) -> None:
    await join(table.eve, table.match)
    fan = await node.connect_and_greet()
    await fan.watch(table.match)
    await join(fan, table.match)
    await table.eve.request(Unwatch("u", table.match))
    await say(fan, table.match, "anybody there?", "watchers")
    await settle(node)
    assert await posted_to(table.eve) == []
    fan.session.close()
    await settle(node)
    assert node.chat._rooms == {}


async def test_chat_of_a_match_that_nobody_here_watches_any_more_is_forgotten(
    node: InMemoryServer, table: Table
) -> None:
    await join(table.eve, table.match)
    await table.eve.request(Unwatch("u", table.match))
    await settle(node)
    assert node.chat._rooms == {}


async def test_last_messages_come_with_joining_and_earlier_ones_in_pages(node: InMemoryServer, table: Table) -> None:
    for number in range(60):
        node.clock.now += 60_000
        await say((table.ann, table.ben)[number % 2], table.match, f"text {number + 1}")
    joined = await join(table.ann, table.match)
    assert [one.number for one in joined.messages] == list(range(11, 61))
    page = await table.ann.request(GetChat("g", table.match, "players", before=11, limit=4))
    assert isinstance(page, ChatPage)
    assert [one.text for one in page.messages] == [f"text {number}" for number in (7, 8, 9, 10)]
    assert await table.ann.request(GetChat("g2", table.match, "players", before=1)) == ChatPage("g2", table.match, ())


async def test_message_sent_again_under_its_id_is_stored_once(node: InMemoryServer, table: Table) -> None:
    request = SendChat("same", table.match, "players", "once")
    answers = [await table.ann.request(request) for _ in range(2)]
    assert answers[0] == answers[1] == ChatSent("same", table.match, "players", 1)
    assert len(await node.database.chat.read(table.match, "players", 0, 9)) == 1


async def test_messages_are_stored_one_after_another(
    node: InMemoryServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together they would keep the commits of matches waiting."""
    under_way, most = 0, 0
    add = node.chat._chat.add

    async def add_slowly(message: StoredMessage) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.01)
        number = await add(message)
        under_way -= 1
        return number

    monkeypatch.setattr(node.chat._chat, "add", add_slowly)
    sent = await asyncio.gather(
        say(table.ann, table.match, "one"),
        say(table.ben, table.match, "two"),
        say(table.eve, table.match, "three", "watchers"),
    )
    assert [answer.number for answer in sent] == [1, 2, 1]
    assert most == 1


async def test_refused_text_is_not_stored(node: InMemoryServer, table: Table) -> None:
    refused = await table.ann.expect_refused(SendChat("s", table.match, "players", "a\u202eb"))
    assert (refused.code, refused.place, "U+202E" in refused.text) == ("bad_text", "$.text", True)
    assert await node.database.chat.read(table.match, "players", 0, 9) == []


async def test_player_and_address_write_within_limits() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        limits = ChatLimits(RateLimit(2, 60_000), RateLimit(3, 60_000))
        node.chat = ChatService(database.chat, database.accounts, node.services.bus, node.clock, node.clock, limits)
        node.replace_services(chat=node.chat)
        ann, ben = [await node.connect_and_greet(address="203.0.113.5") for _ in range(2)]
        match = await begin_match(ann, ben)
        await say(ann, match, "one")
        await say(ann, match, "two")
        refused = await ann.expect_refused(SendChat("s", match, "players", "three"))
        assert (refused.code, refused.retry_after_ms) == ("too_much_chat", 30_000)
        await say(ben, match, "three")
        assert (await ben.expect_refused(SendChat("s", match, "players", "four"))).code == "too_much_chat"
        node.clock.now += 60_000
        await say(ann, match, "four")
        await node.chat.close()
        await node.matches.close()


async def test_muted_player_is_not_shown_live_or_later(node: InMemoryServer, table: Table) -> None:
    await join(table.ben, table.match)
    muted = await table.ben.request(MutePlayer("m1", table.ann.player))
    assert muted == MutedPlayers("m1", (table.ann.player,))
    await say(table.ann, table.match, "hurry up")
    await say(table.ben, table.match, "(thinking)")
    await settle(node)
    assert await posted_to(table.ben) == [("players", 2, "(thinking)")]
    assert [one.number for one in (await join(table.ben, table.match)).messages] == [2]
    page = await table.ben.request(GetChat("g", table.match, "players", before=9))
    assert isinstance(page, ChatPage)
    assert [one.number for one in page.messages] == [2]
    assert [one.number for one in (await join(table.ann, table.match)).messages] == [1, 2]
    assert await table.ben.request(MutePlayer("m2", table.ann.player, muted=False)) == MutedPlayers("m2", ())
    await say(table.ann, table.match, "sorry")
    await settle(node)
    assert (await posted_to(table.ben))[-1] == ("players", 3, "sorry")


async def test_muted_players_of_an_account_are_stored(node: InMemoryServer, table: Table) -> None:
    register = Register("r", "Ben", "the griffon flies")
    signed_in = await table.ben.request(register)
    assert isinstance(signed_in, SignedIn)
    await table.ben.request(MutePlayer("m1", table.ann.player))
    phone = await node.connect_and_greet(signed_in.token)
    assert await phone.request(ListMutedPlayers("l")) == MutedPlayers("l", (table.ann.player,))


async def test_no_more_players_are_muted_than_the_limit(node: InMemoryServer, table: Table) -> None:
    for number in range(MAX_MUTED_PLAYERS):
        node.clock.now += 1000
        await table.ben.request(MutePlayer(f"m{number}", PlayerId(f"p{number}")))
    assert (await table.ben.expect_refused(MutePlayer("x", PlayerId("one-more")))).code == "too_many_muted"


async def test_erased_message_is_taken_back_everywhere(node: InMemoryServer, table: Table) -> None:
    await join(table.ben, table.match)
    await say(table.ann, table.match, "my address is 12 Griffon Lane")
    await settle(node)
    assert await node.chat.erase(table.match, "players", 1) == 1
    assert (await posted_to(table.ben))[-1] == ("players", 1, None)
    (shown,) = (await join(table.ann, table.match)).messages
    assert (shown.number, shown.text) == (1, None)


async def test_chat_reaches_other_nodes_in_order_and_so_does_erasing() -> None:
    async with MemoryDatabase() as database:
        bus = LocalBus()
        here, there = [InMemoryServer(database, bus=bus) for _ in range(2)]
        ann, ben = [await here.connect_and_greet() for _ in range(2)]
        match = await begin_match(ann, ben)
        phone = await there.connect_and_greet(ben.token)
        await phone.watch(match)
        await join(phone, match)
        for number in range(5):
            await say(ann, match, f"text {number}")
        await settle(there)
        assert await posted_to(phone) == [("players", number + 1, f"text {number}") for number in range(5)]
        await here.chat.erase(match, player=ann.player)
        await settle(there)
        assert [text for _, _, text in (await posted_to(phone))[5:]] == [None] * 5
        here.services.bus.publish(f"chat.{match}", b"new players")
        here.services.bus.publish(f"chat.{match}", b"\xff erased nowhere 7")
        await settle(there)
        for node in (here, there):
            await node.chat.close()
            await node.matches.close()


async def test_chat_is_in_no_record(node: InMemoryServer, table: Table) -> None:
    await say(table.ann, table.match, "xylophone")
    await play_match(table.ann, table.ben, table.match)
    game = await node.matches.find(table.match)
    assert b"xylophone" not in await game.exports.export(table.ann.player)
    assert all(b"xylophone" not in record.body for record in await node.database.events.read(table.match))
