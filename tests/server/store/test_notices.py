"""The contract of notices, over every database, and which of them a record causes."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.match_options import BankClock, MatchClock, MatchOptions, PerDecisionClock
from diskwars_protocol.messages.notices import (
    EmailTarget,
    NoticePreferences,
    NoticeRule,
    QuietHours,
    WebhookTarget,
)
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.changes import Change
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.errors import MalformedAppend, WrongVersion
from diskwars_server.store.notices import (
    HOUR_LEFT_FROM_MS,
    MS_PER_DAY,
    MS_PER_HOUR,
    PRESENCE_MS,
    DeadDelivery,
    Delivery,
    DueNotice,
    NoticeText,
    PlannedNotice,
    StoredChannel,
    plan_notices,
    plan_pairings,
)
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.stored_samples import make_append

LEASE = 1000
ANN = StoredChannel("ann", "c1", EmailTarget("ann@example.org"), "working", 1)


def planned(player: str = "ann", match: str = "m", due_ms: int = 50, seq: int = 1, decision: str = "") -> PlannedNotice:
    return PlannedNotice(player, match, "your_turn", 0, due_ms, seq, decision)


def delivery(id: str = "d1", due_ms: int = 50, player: str = "ann", channel: str = "c1") -> Delivery:
    return Delivery(id, player, channel, (NoticeText("your_turn", "m", 0, 77),), created_ms=5, due_ms=due_ms)


async def due(database: Database, now: int, limit: int = 100) -> list[PlannedNotice]:
    return [claimed.notice for claimed in await database.notices.claim_due(now, limit, LEASE)]


async def test_notices_are_stored_with_their_record_for_players_with_a_channel(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    mine, theirs = planned(), planned("ben")
    await database.events.append(make_append("m", notices=(mine, theirs)))
    with pytest.raises(WrongVersion):
        await database.events.append(make_append("m", notices=(planned(due_ms=1),)))
    assert await due(database, 49) == []
    assert await due(database, 50) == [mine]


async def test_batches_with_and_without_notices_and_deadlines_are_stored_together(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    deadline = Deadline("m", "1.0", 900)
    await asyncio.gather(
        database.events.append(make_append("m", deadlines=(deadline,), notices=(planned(decision="1.0"),))),
        database.events.append(make_append("n")),
        database.events.append(make_append("o", deadlines=(Deadline("o", "1.0", 7),))),
    )
    assert await database.notices.claim_due(60, 9, LEASE) == [DueNotice(planned(decision="1.0"), 900)]
    assert len(await database.deadlines.claim_due(1000, 9, LEASE)) == 2


async def test_later_notice_of_a_kind_takes_the_place_of_the_earlier(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    await database.events.append(make_append("m", notices=(planned(),)))
    (claimed,) = await due(database, 50)
    later = planned(due_ms=60, seq=2)
    await database.events.append(make_append("m", 1, notices=(later,)))
    assert not await database.notices.settle([claimed], [delivery()])
    await database.notices.postpone(claimed, 999)
    assert await database.notices.claim_deliveries(60, 9, LEASE) == []
    assert await due(database, 60) == [later]


async def test_claimed_notice_is_due_again_after_the_lease_and_settled_once(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    await database.events.append(make_append("m", notices=(planned(),)))
    (claimed,) = await due(database, 50)
    assert await due(database, 50 + LEASE - 1) == []
    assert await due(database, 50 + LEASE) == [claimed]
    assert await database.notices.settle([claimed], [delivery()])
    assert not await database.notices.settle([claimed], [delivery("d2")])
    assert await due(database, 10**6) == []
    assert await database.notices.claim_deliveries(10**6, 9, LEASE) == [delivery()]


async def test_postponed_notice_is_due_at_its_new_time(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    await database.events.append(make_append("m", notices=(planned(),)))
    (claimed,) = await due(database, 50)
    await database.notices.postpone(claimed, 70)
    assert await due(database, 69) == []
    assert await due(database, 70) == [planned(due_ms=70)]


async def test_notices_about_matches_in_view_are_postponed(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    await database.notices.add_channel(replace(ANN, player="ben"), 10)
    for match in ("m", "n"):
        notices = (planned("ann", match), planned("ben", match), replace(planned("ann", match, 80), kind="hour_left"))
        await database.events.append(make_append(match, notices=notices))
    await database.notices.postpone_seen([("ann", "m"), ("ben", "o")], 60, 500)
    await database.notices.postpone_seen([], 60, 500)
    left = [(notice.player, notice.match, notice.kind) for notice in await due(database, 99)]
    assert sorted(left) == [
        ("ann", "m", "hour_left"),
        ("ann", "n", "hour_left"),
        ("ann", "n", "your_turn"),
        ("ben", "m", "your_turn"),
        ("ben", "n", "your_turn"),
    ]
    assert await due(database, 500) == [planned("ann", "m", 500)]


async def test_notice_about_another_match_is_no_part_of_an_append(database: Database) -> None:
    with pytest.raises(MalformedAppend):
        await database.events.append(make_append("m", notices=(planned(match="n"),)))


# ---------------------------------------------------------------- deliveries


async def test_delivery_is_claimed_sent_and_forgotten(database: Database) -> None:
    first, second = delivery(), delivery("d2", due_ms=40)
    await database.notices.add_deliveries([first, second])
    assert await database.notices.claim_deliveries(50, 1, LEASE) == [second]
    assert await database.notices.claim_deliveries(50, 9, LEASE) == [first]
    await database.notices.finish_delivery(first)
    assert await database.notices.claim_deliveries(50 + LEASE, 9, LEASE) == [second]


async def test_delivery_that_fails_is_tried_again_and_then_given_up(database: Database) -> None:
    await database.notices.add_deliveries([delivery()])
    (claimed,) = await database.notices.claim_deliveries(50, 9, LEASE)
    await database.notices.retry_delivery(replace(claimed, attempts=1, due_ms=90))
    assert await database.notices.claim_deliveries(89, 9, LEASE) == []
    (again,) = await database.notices.claim_deliveries(90, 9, LEASE)
    assert again == replace(claimed, attempts=1, due_ms=90)
    await database.notices.bury_delivery(again, "550 no such user")
    assert await database.notices.claim_deliveries(10**6, 9, LEASE) == []
    assert await database.notices.list_dead(9) == [DeadDelivery(replace(again, attempts=2), "550 no such user")]
    assert await database.notices.remove_dead(5) == 0
    assert await database.notices.remove_dead(6) == 1
    assert await database.notices.list_dead(9) == []


# ---------------------------------------------------------------- channels


async def test_a_target_is_stored_once_and_a_player_has_few(database: Database) -> None:
    assert await database.notices.add_channel(ANN, 2)
    assert await database.notices.add_channel(replace(ANN, channel="c2"), 2)
    hook = replace(ANN, channel="c3", target=WebhookTarget("https://example.org/x", "ntfy"), created_ms=2)
    assert await database.notices.add_channel(hook, 2)
    assert not await database.notices.add_channel(replace(ANN, channel="c4", target=EmailTarget("b@c.de")), 2)
    assert await database.notices.find_channels(["ann", "ben"]) == {"ann": (ANN, hook)}


async def test_channel_changes_and_goes_with_what_was_to_be_sent(database: Database) -> None:
    await database.notices.add_channel(ANN, 10)
    resting = replace(ANN, state="resting", failures=3, rests_until_ms=99)
    await database.notices.change_channel(resting)
    assert await database.notices.find_channels(["ann"]) == {"ann": (resting,)}
    await database.notices.add_deliveries([delivery(), delivery("d2", channel="c9")])
    await database.notices.remove_channel("ann", "c1")
    await database.notices.remove_channel("ann", "\0")
    await database.notices.change_channel(resting)
    assert await database.notices.find_channels(["ann"]) == {}
    assert await database.notices.claim_deliveries(50, 9, LEASE) == [delivery("d2", channel="c9")]


async def test_preferences_are_replaced(database: Database) -> None:
    first = NoticePreferences((NoticeRule("your_turn", ("push",)),), QuietHours(1320, 420), None, "Europe/Berlin", "de")
    await database.notices.set_preferences("ann", NoticePreferences())
    await database.notices.set_preferences("ann", first)
    assert await database.notices.find_preferences(["ann", "ben"]) == {"ann": first}


async def test_deleted_account_leaves_nothing_of_its_notices(database: Database) -> None:
    account = StoredAccount("ann", "Ann", "ann", "hash", 1)
    await database.accounts.register(account, StoredDevice("ann", "dev", b"t" * 32, 1, 1, ""))
    await database.notices.add_channel(ANN, 10)
    await database.notices.set_preferences("ann", NoticePreferences(language="de"))
    await database.events.append(make_append("m", notices=(planned(),)))
    await database.notices.add_deliveries([delivery()])
    assert await database.accounts.delete("ann", "hash")
    assert await database.notices.find_channels(["ann"]) == {}
    assert await database.notices.find_preferences(["ann"]) == {}
    assert await due(database, 99) == []
    assert await database.notices.claim_deliveries(99, 9, LEASE) == []


# ---------------------------------------------------------------- which notices a record causes


async def plan(node: InMemoryServer, options: MatchOptions, actor: str = "") -> list[list[tuple[str, int, int]]]:
    """Play a match of two people to its end; return kind, seat and time from the record on of each record's notices."""
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await first.open_match(rounds=1, options=options)
    await second.watch(match)
    states = [await node.state(match)]
    caused = []

    async def look() -> None:
        states.append(await node.state(match))
        change = Change.between(states[-2], states[-1])
        notices = plan_notices(change, len(states))
        assert all(notice.player == states[-1].seats[notice.seat].player for notice in notices)
        record: list[tuple[str, int, int]] = [
            (notice.kind, notice.seat, notice.due_ms - states[-1].at_ms) for notice in notices
        ]
        caused.append(record)

    await first.take_seat(match, 0)
    await look()
    await second.take_seat(match, 1)
    await look()
    await first.be_ready(match, 0)
    await look()
    await second.be_ready(match, 1)
    await look()
    await first.choose_number(match, 0, 3)
    await look()
    await second.choose_number(match, 1, 4)
    await look()
    return caused


async def test_correspondence_match_has_notices_of_turns_reminders_and_its_end(node: InMemoryServer) -> None:
    day = PerDecisionClock(3 * 86_400)
    seated, both, ready, begun, chosen, ended = await plan(node, MatchOptions(clock=day))
    assert (seated, both, ready) == ([], [], [])
    turns = [("your_turn", 0, PRESENCE_MS), ("your_turn", 1, PRESENCE_MS)]
    reminders = [(kind, seat, at) for seat in (0, 1) for kind, at in (
        ("day_left", 2 * MS_PER_DAY), ("hour_left", 3 * MS_PER_DAY - MS_PER_HOUR)
    )]  # fmt: skip
    assert begun == turns + reminders
    assert chosen == []
    assert ended == [("match_ended", 0, PRESENCE_MS), ("match_ended", 1, PRESENCE_MS)]


async def test_match_without_a_clock_reminds_of_the_days_after_which_the_house_leaves(node: InMemoryServer) -> None:
    begun = (await plan(node, MatchOptions()))[3]
    assert ("day_left", 1, 13 * MS_PER_DAY) in begun
    endless = (await plan(node, MatchOptions(abandoned_after_days=0)))[3]
    assert [kind for kind, _, _ in endless] == ["your_turn", "your_turn"]


@pytest.mark.parametrize(
    ("clock", "kinds"),
    [
        (PerDecisionClock(3_599), set()),
        (PerDecisionClock(3_600), {"your_turn"}),
        (PerDecisionClock(HOUR_LEFT_FROM_MS // 1000), {"your_turn", "hour_left"}),
        (BankClock(600, 60), set()),
        (BankClock(4 * 86_400, 60), {"your_turn", "day_left", "hour_left"}),
    ],
)
async def test_notices_begin_with_the_hours_of_a_clock(
    node: InMemoryServer, clock: MatchClock, kinds: set[str]
) -> None:
    assert {kind for kind, _, _ in (await plan(node, MatchOptions(clock=clock)))[3]} == kinds


async def test_state_compared_with_itself_causes_no_notice(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    state = await node.state(match)
    assert plan_notices(Change.between(state, state), 9) == ()


async def test_player_gets_another_notice_where_the_server_answered_for_them(node: InMemoryServer) -> None:
    """The next decision of an absent seat is another one, though the match waits for the same seat as before."""
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(clock=PerDecisionClock(3 * 86_400)))
    await first.choose_number(match, 0, 3)
    before = await node.state(match)
    await second.choose_number(match, 1, 4)
    change = Change.between(before, await node.state(match))
    by_player = {(notice.kind, notice.seat) for notice in plan_notices(change, 9, second.player)}
    by_server = {(notice.kind, notice.seat) for notice in plan_notices(change, 9, "house")}
    assert ("your_turn", 1) in by_server - by_player
    assert ("your_turn", 0) in by_player
    assert ("day_left", 1) in by_player


async def test_player_who_ends_a_match_is_not_sent_its_end(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, rounds=1)
    await first.choose_number(match, 0, 3)
    before = await node.state(match)
    await second.choose_number(match, 1, 4)
    change = Change.between(before, await node.state(match))
    assert [notice.player for notice in plan_notices(change, 9, second.player)] == [first.player]


def test_pairings_are_for_people_in_the_seats_that_are_kept_for_them() -> None:
    planned = plan_pairings("m", ("ann", bot_player("greedy", 1), "cid"), 7)
    assert [(notice.player, notice.kind, notice.seat, notice.due_ms) for notice in planned] == [
        ("ann", "pairing", 0, 7 + PRESENCE_MS),
        ("cid", "pairing", 2, 7 + PRESENCE_MS),
    ]
