"""Operators: their acts over every database, who may act, and what running nodes do about it."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_engine.match import AnyRules, MatchRules
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.chat import ChatPosted, JoinChat, SendChat
from diskwars_protocol.messages.closing import CLOSE_CODES
from diskwars_server.community.operators import MAX_REASON_LENGTH, ActRefusalCode, ActRefused, Operators
from diskwars_server.matches.stops import stop_match
from diskwars_server.players.guest_names import find_shown
from diskwars_server.players.names import name_key
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.errors import NameTaken
from diskwars_server.store.match_index import Listing
from diskwars_server.store.operator_acts import OperatorAct
from diskwars_server.store.rating_tally import counted_match
from diskwars_server.upkeep.operator_act_poller import BATCH_ACTS, OperatorActPoller
from tests.server.community.test_chat import sample
from tests.server.conftest import MakeDatabase
from tests.server.counting_ruleset import ChooseNumber, CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match, play_match
from tests.server.players.test_accounts import closing_of, refused_hello, register

BAN = OperatorAct("ban", "olga", "ben", 1000, "threats")


async def add_accounts(database: Database, *names: str) -> None:
    """Store accounts whose players are called like them, in small letters."""
    for name in names:
        player = name.lower()
        account = StoredAccount(player, name, name_key(name), "hash", 0)
        await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 0, 0))


async def make_operators(database: Database, now: int = 5000) -> Operators:
    """Return the acts of the operator Olga, beside the accounts Ben and Cat."""
    await add_accounts(database, "Olga", "Ben", "Cat")
    await Operators(database, lambda: now).grant("Olga", "runs the server")
    return Operators(database, lambda: now, "Olga")


def poller_of(node: InMemoryServer) -> OperatorActPoller:
    return OperatorActPoller(
        node.database.operator_acts,
        node.accounts.connected,
        node.matches,
        node.chat,
        node.clock,
        announce_club=node.clubs.streams.announce,
        announce_tournament=node.tournaments.streams.announce,
    )


# ---------------------------------------------------------------- the contract of the store


async def test_acts_are_numbered_and_read_from_both_ends(database: Database) -> None:
    acts = database.operator_acts
    other = replace(BAN, kind="rename", target="cat", detail="Kit", until_ms=None)
    assert [await acts.add(act) for act in (BAN, other, replace(BAN, kind="unban"))] == [1, 2, 3]
    assert await acts.read_after(1, 1) == [replace(other, number=2)]
    assert [act.number for act in await acts.read_back(2)] == [3, 2]
    assert [act.number for act in await acts.read_back(9, before=2)] == [1]
    assert [act.number for act in await acts.read_back(9, target="ben")] == [3, 1]


async def test_numbers_have_no_gaps_when_two_processes_act_at_once(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        numbers = await asyncio.gather(*((one, other)[n % 2].operator_acts.add(BAN) for n in range(6)))
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]


async def test_last_ban_counts_until_it_ends_or_is_lifted(database: Database) -> None:
    acts = database.operator_acts
    await acts.add(replace(BAN, until_ms=2000))
    await acts.add(replace(BAN, target="cat"))
    assert await acts.find_ban("ben", 1999) == replace(BAN, until_ms=2000, number=1)
    assert [ban.target for ban in await acts.list_bans(1999, 9)] == ["cat", "ben"]
    assert [ban.target for ban in await acts.list_bans(1999, 1)] == ["cat"]
    assert await acts.find_ban("ben", 2000) is None
    await acts.add(replace(BAN, target="cat", kind="unban"))
    assert (await acts.find_ban("cat", 1500), [ban.target for ban in await acts.list_bans(1500, 9)]) == (None, ["ben"])
    assert await acts.find_ban("nobody\0", 1500) is None
    await acts.add(replace(BAN, target="dan"))
    found = await acts.find_bans(["ben", "nobody\0", "cat", "dan", "eve"], 1500)
    assert {player: ban.target for player, ban in found.items()} == {"ben": "ben", "dan": "dan"}
    assert await acts.find_bans([], 1500) == {}


async def test_operators_follow_from_the_last_act_about_them(database: Database) -> None:
    acts = database.operator_acts
    for kind, target in (("grant", "ben"), ("grant", "ann"), ("revoke", "ben"), ("ban", "cat")):
        await acts.add(OperatorAct(kind, "", target, 0, "why"))  # type: ignore[arg-type]
    assert list(await acts.list_operators()) == ["ann"]


async def test_rename_and_its_act_are_stored_together(database: Database) -> None:
    await add_accounts(database, "Ann", "Ben")
    acts, act = database.operator_acts, OperatorAct("rename", "ann", "ben", 9000, "rude", detail="Bert")
    assert await acts.add_rename(act, "Bert", "bert")
    found = await database.accounts.find_player("ben")
    assert found is not None
    assert (found.name, found.name_key, found.renamed_ms) == ("Bert", "bert", 9000)
    assert await database.accounts.list_former_names("ben") == [], "what an operator takes away is published nowhere"
    with pytest.raises(NameTaken):
        await acts.add_rename(replace(act, at_ms=9001), "Ann", name_key("Ann"))
    assert not await acts.add_rename(replace(act, target="guest"), "Gus", "gus")
    assert len(await acts.read_after(0, 9)) == 1


async def test_rename_by_an_operator_forgets_former_names_and_takes_no_reserved_one(database: Database) -> None:
    await add_accounts(database, "Ann", "Rude")
    accounts, act = database.accounts, OperatorAct("rename", "ann", "rude", 9000, "rude", detail="Bert")
    assert await accounts.rename("rude", "Nice", name_key("Nice"), now=7000, not_since=7000)
    assert await accounts.rename("ann", "Anna", name_key("Anna"), now=7000, not_since=7000)
    with pytest.raises(NameTaken):
        await database.operator_acts.add_rename(act, "Ann", name_key("Ann"))
    assert [former.name for former in await accounts.list_former_names("rude")] == ["Rude"]
    assert await database.operator_acts.add_rename(act, "Bert", "bert")
    assert await accounts.list_former_names("rude") == []
    assert await accounts.find_former_name(name_key("Rude"), 9001) is None
    assert [former.name for former in await accounts.list_former_names("ann")] == ["Ann"], "of nobody else"


async def test_name_of_a_guest_is_forgotten_with_its_act(database: Database) -> None:
    for guest in ("h4zin9uzz9ig", "another0guest"):
        assert await database.accounts.name_guest(guest, "Rude", "rude", 1000)
    act = OperatorAct("erase_name", "olga", "h4zin9uzz9ig", 9000, "insult")
    assert await database.operator_acts.add_name_erasure(act)
    guests = ["h4zin9uzz9ig", "another0guest"]
    assert await database.accounts.find_guest_names(guests, 9001) == {"another0guest": "Rude"}
    assert not await database.operator_acts.add_name_erasure(act), "there is none any more"
    assert await database.operator_acts.read_after(0, 9) == [replace(act, number=1)]


async def test_erasure_and_its_act_are_stored_together(database: Database) -> None:
    for number, player in enumerate(("ann", "ben", "ann"), 1):
        await database.chat.add(sample(number, player=player))
    act = OperatorAct("erase_chat", "olga", "m", 9000, "rude", detail="match m player ann")
    assert await database.operator_acts.add_erasure(act, match="m", player="ann") == 2
    assert [one.text for one in await database.chat.read("m", "players", 0, 9)] == ["", "text 2", ""]
    assert await database.operator_acts.read_after(0, 9) == [replace(act, number=1)]


# ---------------------------------------------------------------- who may act, and on whom


async def test_host_names_the_first_operator_only(database: Database) -> None:
    await add_accounts(database, "Ann", "Ben")
    host = Operators(database, lambda: 5000)
    await host.grant("Ann", "first")
    with pytest.raises(ActRefused) as refused:
        await host.grant("Ben", "second")
    assert refused.value.code == "not_operator"
    await Operators(database, lambda: 5000, "Ann").grant("Ben", "second")
    assert list(await database.operator_acts.list_operators()) == ["ann", "ben"]
    assert [act.operator for act in await database.operator_acts.read_after(0, 9)] == ["", "ann"]


async def test_deleted_account_is_no_operator_any_more(database: Database) -> None:
    olga = await make_operators(database)
    await olga.grant("Ben", "helps at weekends")
    assert await database.accounts.delete("ben", "hash")
    with pytest.raises(ActRefused, match="no operator"):
        await Operators(database, lambda: 5000, "ben").ban("Cat", "no")
    with pytest.raises(ActRefused, match="only operator"):
        await olga.revoke("Olga", "retires")
    await olga.ban("ben", "spam")
    assert await database.accounts.delete("olga", "hash")
    host = Operators(database, lambda: 5000)
    with pytest.raises(ActRefused, match="names the first one"):
        await host.ban("Cat", "the host does not act otherwise")
    await host.grant("Cat", "all others have gone")
    await Operators(database, lambda: 5000, "Cat").unban("ben", "no longer needed")


@pytest.mark.parametrize("name", ["isfb39dxsjy2kuz8", "Lsfb39dxsjy2kuz8"])
async def test_id_of_a_guest_names_no_account_that_is_called_like_it(database: Database, name: str) -> None:
    olga, guest = await make_operators(database), "isfb39dxsjy2kuz8"
    accomplice = StoredAccount("accomplice", name, name_key(name), "hash", 0)
    await database.accounts.register(accomplice, StoredDevice("accomplice", "d", b"token", 0, 0))
    assert await olga.ban(guest, "spam") == guest
    assert await database.operator_acts.find_ban("accomplice", 5000) is None


@pytest.mark.parametrize("operator", ["", "Ben", "Nobody"])
async def test_acts_of_others_are_refused_and_change_nothing(database: Database, operator: str) -> None:
    await make_operators(database)
    other = Operators(database, lambda: 5000, operator)
    for act in (
        other.grant("Ben", "why"),
        other.revoke("Olga", "why"),
        other.ban("Cat", "why"),
        other.unban("Cat", "why"),
        other.rename("Cat", "Kit", "why"),
        other.erase_chat("why", player="Cat"),
    ):
        with pytest.raises(ActRefused) as refused:
            await act
        assert refused.value.code == "not_operator"
    assert len(await database.operator_acts.read_after(0, 9)) == 1


async def test_wrong_acts_are_refused_with_a_code(database: Database) -> None:
    operators = await make_operators(database)
    refusals: list[tuple[object, ActRefusalCode]] = [
        (operators.grant("Nobody", "why"), "no_account"),
        (operators.grant("Olga", "why"), "is_operator"),
        (operators.revoke("Ben", "why"), "not_operator"),
        (operators.revoke("Olga", "why"), "last_operator"),
        (operators.ban("Olga", "why"), "is_operator"),
        (operators.ban("No Body", "why"), "unknown_player"),
        (operators.ban("bot-greedy-a", "why"), "unknown_player"),
        (operators.ban("Ben", "why", 5000), "bad_time"),
        (operators.ban("Ben", ""), "bad_reason"),
        (operators.ban("Ben", "x" * (MAX_REASON_LENGTH + 1)), "bad_reason"),
        (operators.unban("Ben", "why"), "not_banned"),
        (operators.rename("Ben", "Cat", "why"), "name_taken"),
        (operators.rename("Ben", "\u202e", "why"), "bad_name"),
        (operators.rename("guest", "Gus", "why"), "no_account"),
        (operators.erase_name("h4zin9uzz9ig", "why"), "no_name"),
        (operators.erase_name("Ben", "why"), "no_name"),
        (operators.erase_name("no such player", "why"), "unknown_player"),
        (operators.erase_chat("why", match="nowhere"), "unknown_match"),
    ]
    for act, code in refusals:
        with pytest.raises(ActRefused) as refused:
            await act  # type: ignore[misc]
        assert refused.value.code == code
    assert len(await database.operator_acts.read_after(0, 9)) == 1


async def test_operator_erases_the_name_of_a_guest(database: Database) -> None:
    operators = await make_operators(database)
    await database.accounts.name_guest("h4zin9uzz9ig", "Rude", "rude", 1000)
    assert await operators.erase_name("h4zin9uzz9ig", "insult") == "h4zin9uzz9ig"
    shown = await find_shown(database.accounts, ["h4zin9uzz9ig"], 5000)
    assert shown["h4zin9uzz9ig"][:2] == ("Guest Z9IG", "guest")
    [act] = await database.operator_acts.read_back(1)
    assert (act.kind, act.target, act.detail) == ("erase_name", "h4zin9uzz9ig", ""), "the act does not repeat it"


async def test_guests_are_banned_by_their_id(database: Database) -> None:
    operators = await make_operators(database)
    assert await operators.ban("h4zin9uzz9ig", "spam") == "h4zin9uzz9ig"
    assert await database.operator_acts.find_ban("h4zin9uzz9ig", 5000) is not None


# ---------------------------------------------------------------- running nodes


async def test_banned_player_is_closed_and_kept_out_until_the_end_of_the_ban(node: InMemoryServer) -> None:
    await make_operators(node.database, node.clock())
    operators = Operators(node.database, node.clock, "olga")
    guest, other = await node.connect_and_greet(), await node.connect_and_greet()
    poller = poller_of(node)
    await poller.poll()
    until = node.clock() + 60_000
    await operators.ban(guest.player, "threats in the chat", until)
    await poller.poll()
    closing = await closing_of(guest)
    assert (closing.close_reason, closing.code, closing.retry_after_ms) == ("banned", 4011, None)
    assert closing.text == "you are banned from this server until 2001-09-09 01:47 UTC: threats in the chat"
    assert (await refused_hello(node, guest.token)).close_reason == "banned"
    assert not other.outbox.is_closed
    node.clock.now = until
    await node.connect_and_greet(guest.token)


async def test_ban_of_an_account_counts_on_all_its_devices(node: InMemoryServer) -> None:
    await make_operators(node.database, node.clock())
    operators = Operators(node.database, node.clock, "olga")
    phone = await node.connect_and_greet()
    token = (await register(phone, "Dora")).token
    tab = await node.connect_and_greet(token)
    poller = poller_of(node)
    await poller.poll()
    await operators.ban("Dora", "threats")
    await poller.poll()
    assert [(await closing_of(one)).close_reason for one in (phone, tab)] == ["banned", "banned"]
    assert (await refused_hello(node, token)).text == "you are banned from this server: threats"
    await operators.unban("dora", "they are sorry")
    await node.connect_and_greet(token)


async def test_ban_that_was_lifted_before_a_node_saw_it_closes_nobody(node: InMemoryServer) -> None:
    await make_operators(node.database, node.clock())
    operators = Operators(node.database, node.clock, "olga")
    guest, poller = await node.connect_and_greet(), poller_of(node)
    await poller.poll()
    await operators.ban(guest.player, "threats")
    await operators.unban(guest.player, "a mistake")
    await poller.poll()
    assert not guest.outbox.is_closed


async def test_more_acts_than_one_read_returns_are_all_carried_out(node: InMemoryServer) -> None:
    guest, poller = await node.connect_and_greet(), poller_of(node)
    await poller.poll()
    for _ in range(BATCH_ACTS):
        await node.database.operator_acts.add(replace(BAN, kind="unban"))
    await node.database.operator_acts.add(replace(BAN, target=guest.player))
    await poller.poll()
    assert (await closing_of(guest)).close_reason == "banned"


async def test_erased_chat_disappears_for_those_who_read_it(node: InMemoryServer) -> None:
    await make_operators(node.database, node.clock())
    operators = Operators(node.database, node.clock, "olga")
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(ann, ben)
    for client in (ann, ben):
        await client.request(JoinChat(client.id(), match))
    poller = poller_of(node)
    await poller.poll()
    await ann.request(SendChat(ann.id(), match, "players", "something rude"))
    assert (await ben.expect(ChatPosted)).message.text == "something rude"
    assert await operators.erase_chat("rude", match=match, player=ann.player) == 1
    await poller.poll()
    erased = (await ben.expect(ChatPosted)).message
    assert (erased.number, erased.text) == (1, None)


async def test_loop_outlives_an_outage(node: InMemoryServer) -> None:
    poller, rounds = poller_of(node), 0

    async def sleep(seconds: float) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 2:
            await node.database.open()
        if rounds == 3:
            raise asyncio.CancelledError

    await node.database.close()
    with pytest.raises(asyncio.CancelledError):
        await poller.run(sleep)
    assert isinstance(await node.database.operator_acts.read_back(1), list)
    assert CLOSE_CODES["banned"] == 4011


# ---------------------------------------------------------------- ending matches


def load_rules(name: str) -> AnyRules | None:
    return MatchRules(CountingRules()) if name == "counting" else None


async def test_match_that_is_ended_reaches_its_players_and_the_list(node: InMemoryServer) -> None:
    operators = await make_operators(node.database, node.clock())
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(ann, ben)
    game, poller = await node.matches.find(match), poller_of(node)
    head = game.head
    await poller.poll()
    assert await operators.end_match(match, "threats", load_rules) == head + 1
    await poller.poll()
    await game.wait_idle()
    last = (await ben.catch_up(match))[-1]
    body = msgspec.json.decode(last.body)
    assert (body["actor"], body["action"], body["result"]) == (
        "house",
        {"type": "stop_match"},
        {"end_reason": "stopped"},
    )
    assert [event["type"] for event in body["events"]] == ["match_ended"]
    assert "threats" not in str(body)
    state = await node.state(match)
    assert (state.status, state.result, state.decisions) == ("ended", Result("stopped"), ())
    refused = await ann.expect_refused(ann.act_message(match, "1.0", ChooseNumber(3)))
    assert refused.code == "match_ended"
    listing = await node.matches.find_listing(match)
    assert listing is not None
    assert (listing.status, listing.result, listing.records) == ("ended", Result("stopped"), head + 1)
    assert "far_end" not in await node.database.vault.secrets(match)
    act = (await node.database.operator_acts.read_back(1))[0]
    assert (act.kind, act.target, act.detail, act.reason) == ("end_match", match, str(head + 1), "threats")


async def test_match_that_has_not_begun_is_closed(node: InMemoryServer) -> None:
    operators = await make_operators(node.database, node.clock())
    ann = await node.connect_and_greet()
    match = await ann.open_match()
    game, poller = await node.matches.find(match), poller_of(node)
    await poller.poll()
    await operators.end_match(match, "spam", load_rules)
    await poller.poll()
    await game.wait_idle()
    assert (await node.state(match)).result == Result("closed")


async def test_deadlines_of_a_match_that_is_ended_are_gone(node: InMemoryServer) -> None:
    operators = await make_operators(node.database, node.clock())
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(ann, ben, options=MatchOptions(clock=PerDecisionClock(60)))
    await operators.end_match(match, "threats", load_rules)
    assert await node.database.deadlines.claim_due(node.clock() + 10**9, 9, 1) == []


async def test_only_matches_under_way_are_ended_and_only_by_operators(node: InMemoryServer) -> None:
    operators = await make_operators(node.database, node.clock())
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match, played = await begin_match(ann, ben), await begin_match(ann, ben)
    await play_match(ann, ben, played)
    head = (await node.matches.find(match)).head
    for act, code in (
        (Operators(node.database, node.clock, "Ben").end_match(match, "why", load_rules), "not_operator"),
        (operators.end_match(match, "", load_rules), "bad_reason"),
        (operators.end_match("nowhere", "why", load_rules), "unknown_match"),
        (operators.end_match(played, "why", load_rules), "match_ended"),
    ):
        with pytest.raises(ActRefused) as refused:
            await act
        assert refused.value.code == code
    assert (await node.matches.find(match)).head == head
    await operators.end_match(match, "why", load_rules)
    with pytest.raises(ActRefused) as refused:
        await operators.end_match(match, "again", load_rules)
    assert refused.value.code == "match_ended"


@pytest.mark.parametrize("fault", ["lost after", "lost before", "wrong"])
async def test_record_is_stored_once_though_its_outcome_is_unclear(
    node: InMemoryServer, faulty_database: FaultyDatabase, fault: str
) -> None:
    operators = await make_operators(node.database, node.clock())
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(ann, ben)
    head = (await node.matches.find(match)).head
    faulty_database.events.faults.append(fault)
    assert await operators.end_match(match, "threats", load_rules) == head + 1
    assert (await node.database.events.heads([match]))[match] == head + 1


async def test_act_that_was_lost_after_its_record_is_stored_by_the_next_call(node: InMemoryServer) -> None:
    operators = await make_operators(node.database, node.clock())
    ann, ben = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(ann, ben)
    seq = await stop_match(node.database, match, load_rules, node.clock)
    assert await operators.end_match(match, "threats", load_rules) == seq
    assert (await node.database.operator_acts.read_back(1))[0].kind == "end_match"


def test_stopped_matches_count_in_no_rating() -> None:
    listing = Listing("m", "counting", "ended", ("ann", "ben"), "ann", 0, 9, Result("stopped"))
    assert counted_match(listing, {"ann": 0, "ben": 0}) is None
    drawn = msgspec.structs.replace(listing, result=Result("draw_agreed"))
    assert counted_match(drawn, {"ann": 0, "ben": 0}) is not None
