"""The contract of challenges, over every database: settled once, within bounds, and with a notice or not at all."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.messages.challenges import ChallengeStatus
from diskwars_protocol.messages.notices import WebhookTarget
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.challenges import (
    KEPT_MS,
    MAX_RECEIVED,
    MAX_SENT,
    ChallengeTerms,
    StoredChallenge,
    draw_seat,
    plan_challenge_notice,
)
from diskwars_server.store.database import Database
from diskwars_server.store.notices import PRESENCE_MS, StoredChannel

NOW = 1_000_000_000
LIFE_MS = 3_600_000
TERMS = ChallengeTerms("pit", '{"fighters":3}', '{"watchers":"none"}')


def challenge(challenger: str = "ann", challenged: str = "ben", id: str = "", at_ms: int = NOW) -> StoredChallenge:
    id = id or f"{challenger}-{challenged}"
    return StoredChallenge(id, challenger, challenged, f"m-{id}", TERMS, 0, True, at_ms, at_ms + LIFE_MS)


async def add(database: Database, wanted: StoredChallenge) -> StoredChallenge:
    stored = await database.challenges.add(wanted)
    assert isinstance(stored, StoredChallenge), stored
    return stored


async def listed(database: Database, player: str, now_ms: int = NOW) -> list[str]:
    return [known.challenge for known in await database.challenges.list_of_player(player, now_ms)]


async def test_challenge_is_kept_as_it_was_added(database: Database) -> None:
    wanted = replace(challenge(), terms=replace(TERMS, packs=("core", "more")))
    assert await add(database, wanted) == wanted
    assert await database.challenges.find("ann-ben") == wanted
    assert await database.challenges.find("nobody's") is None
    assert await database.challenges.find("nul\0") is None
    assert await database.challenges.find_by_match(["m-ann-ben", "other"]) == {"m-ann-ben": wanted}
    assert await listed(database, "ann") == await listed(database, "ben") == ["ann-ben"]
    assert await listed(database, "cid") == []


async def test_same_challenge_added_again_is_the_one_that_is_there(database: Database) -> None:
    first = await add(database, challenge())
    assert await database.challenges.settle("ann-ben", "declined", NOW + 1, "later")
    assert await database.challenges.add(challenge(at_ms=NOW + 5)) == replace(
        first, status="declined", settled_ms=NOW + 1, reason="later"
    )


async def test_open_challenge_to_the_same_player_keeps_out_another(database: Database) -> None:
    await add(database, challenge())
    assert await database.challenges.add(challenge(id="again")) == "challenged_already"
    await add(database, challenge("ben", "ann"))
    assert await database.challenges.settle("ann-ben", "withdrawn", NOW)
    await add(database, challenge(id="again"))


async def test_time_that_is_over_makes_room(database: Database) -> None:
    await add(database, challenge())
    await add(database, challenge(id="later", at_ms=NOW + LIFE_MS))
    assert await listed(database, "ben", NOW + LIFE_MS) == ["later"]


async def test_limits_hold_for_sender_and_receiver(database: Database) -> None:
    for number in range(MAX_SENT):
        await add(database, challenge(challenged=f"player {number}"))
    assert await database.challenges.add(challenge()) == "too_many_challenges"
    for number in range(MAX_RECEIVED):
        await add(database, challenge(f"player {number}", "dora"))
    assert await database.challenges.add(challenge("cid", "dora")) == "too_many_challengers"


async def test_strangers_leave_room_for_those_whom_the_player_follows(database: Database) -> None:
    await database.accounts.follow("dora", "cid", 10)
    await add(database, challenge("cid", "dora"))
    assert await database.challenges.settle("cid-dora", "withdrawn", NOW)
    for number in range(MAX_RECEIVED):
        await add(database, challenge(f"player {number}", "dora"))
    await add(database, challenge("cid", "dora", "again"))
    assert await database.challenges.add(challenge("eve", "dora")) == "too_many_challengers"
    assert "again" in await listed(database, "dora")


async def test_followed_challengers_take_no_place_of_strangers(database: Database) -> None:
    for number in range(MAX_RECEIVED):
        await database.accounts.follow("dora", f"friend {number}", 100)
        await add(database, challenge(f"friend {number}", "dora"))
    await add(database, challenge("eve", "dora"))


@pytest.mark.parametrize(("challenger", "challenged"), [("ann", "gone"), ("gone", "ann")])
async def test_deleted_account_challenges_nobody_and_is_not_challenged(
    database: Database, challenger: str, challenged: str
) -> None:
    account = StoredAccount("gone", "Gone", "gone", "hash", NOW)
    device = StoredDevice("gone", "device", b"token" * 6, NOW, NOW)
    await database.accounts.register(account, device)
    assert await database.accounts.delete("gone", "hash")
    assert await database.challenges.add(challenge(challenger, challenged)) == "unknown_player"
    assert await listed(database, "ann") == []


async def test_account_that_is_deleted_meanwhile_keeps_no_challenge(database: Database) -> None:
    for number in range(10):
        player = f"leaver {number}"
        account = StoredAccount(player, player, player, "hash", NOW)
        await database.accounts.register(account, StoredDevice(player, "d", b"%030d" % number, NOW, NOW))
        await asyncio.gather(
            database.challenges.add(challenge("ann", player)),
            database.accounts.delete(player, "hash"),
            database.challenges.add(challenge(player, "ben")),
        )
        assert await listed(database, player) == []


async def test_of_many_at_once_no_more_than_the_limit_are_stored(database: Database) -> None:
    wanted = [challenge(challenged=f"player {number}") for number in range(MAX_SENT + 4)]
    stored = await asyncio.gather(*map(database.challenges.add, wanted))
    assert stored.count("too_many_challenges") == 4
    assert len(await listed(database, "ann")) == MAX_SENT


@pytest.mark.parametrize("statuses", [("accepted", "withdrawn"), ("withdrawn", "accepted"), ("accepted", "accepted")])
async def test_of_two_answers_the_first_counts(
    database: Database, statuses: tuple[ChallengeStatus, ChallengeStatus]
) -> None:
    await add(database, challenge())
    assert [await database.challenges.settle("ann-ben", status, NOW + 1) for status in statuses] == [True, False]
    known = await database.challenges.find("ann-ben")
    assert known is not None
    assert (known.status, known.settled_ms) == (statuses[0], NOW + 1)


async def test_of_answers_at_once_one_counts(database: Database) -> None:
    await add(database, challenge())
    statuses: tuple[ChallengeStatus, ...] = ("accepted", "withdrawn", "accepted", "declined")
    done = await asyncio.gather(*(database.challenges.settle("ann-ben", status, NOW + 1) for status in statuses))
    assert sum(done) == 1
    known = await database.challenges.find("ann-ben")
    assert known is not None
    assert known.status == statuses[done.index(True)]


async def test_nobody_answers_when_its_time_is_over(database: Database) -> None:
    await add(database, challenge())
    assert not await database.challenges.settle("ann-ben", "accepted", NOW + LIFE_MS)
    assert not await database.challenges.settle("unknown", "accepted", NOW)
    assert await database.challenges.settle("ann-ben", "accepted", NOW + LIFE_MS - 1)


async def test_what_is_over_is_listed_for_a_day_and_then_forgotten(database: Database) -> None:
    await add(database, challenge())
    await add(database, challenge("cid", "ben"))
    assert await database.challenges.settle("ann-ben", "declined", NOW + 1)
    assert await listed(database, "ben", NOW + KEPT_MS) == ["ann-ben"]
    assert await listed(database, "ben", NOW + 1 + KEPT_MS) == []
    await add(database, challenge("dora", "emil", at_ms=NOW + LIFE_MS + KEPT_MS))
    assert await database.challenges.find("ann-ben") is None
    assert await database.challenges.find("cid-ben") is None
    assert await database.challenges.find("dora-emil") is not None


async def test_newest_challenge_comes_first(database: Database) -> None:
    await add(database, challenge(challenged="early"))
    await add(database, challenge(challenged="late", at_ms=NOW + 2))
    await add(database, challenge(challenged="middle", at_ms=NOW + 1))
    assert await listed(database, "ann", NOW + 3) == ["ann-late", "ann-middle", "ann-early"]


async def test_player_takes_challenges_until_they_say_otherwise(database: Database) -> None:
    assert await database.challenges.is_allowed("ben")
    for _ in range(2):
        await database.challenges.allow("ben", allowed=False)
    assert not await database.challenges.is_allowed("ben")
    assert await database.challenges.is_allowed("ann")
    await database.challenges.allow("ben", allowed=True)
    assert await database.challenges.is_allowed("ben")


async def test_notice_is_planned_with_the_challenge_for_a_player_with_a_channel(database: Database) -> None:
    channel = StoredChannel("ben", "c", WebhookTarget("https://example.org"), "working", NOW)
    await database.notices.add_channel(channel, 9)
    wanted = challenge()
    await database.challenges.add(wanted, notifies=True)
    await database.challenges.add(challenge(id="again"), notifies=True)
    await database.challenges.add(challenge("ben", "cid"), notifies=True)
    await database.challenges.add(challenge("dora", "ben"))
    due = await database.notices.claim_due(NOW + PRESENCE_MS, 9, 1)
    assert [claimed.notice for claimed in due] == [plan_challenge_notice(wanted)]


async def test_account_that_is_deleted_takes_its_challenges_along(database: Database) -> None:
    account = StoredAccount("ann", "Ann", "ann", "hash", NOW)
    await database.accounts.register(account, StoredDevice("ann", "d", b"t", NOW, NOW))
    await add(database, challenge())
    await add(database, challenge("ben", "ann"))
    await add(database, challenge("ben", "cid"))
    await database.challenges.allow("ann", allowed=False)
    assert await database.accounts.delete("ann", "hash")
    assert await listed(database, "ben") == ["ben-cid"]
    assert await database.challenges.is_allowed("ann")


def test_seat_goes_by_lot() -> None:
    assert {draw_seat(f"match {number}") for number in range(20)} == {0, 1}
