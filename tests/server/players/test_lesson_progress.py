"""Progress of the first match: it grows whatever device says what was done, and is gone with the account."""

import asyncio

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.accounts import LogIn, SignedIn
from diskwars_protocol.messages.lesson_progress import (
    MAX_HINTS,
    MAX_LESSONS,
    AddLessonProgress,
    GuidedMatch,
    LessonProgress,
)
from diskwars_server.limits.usage import RECORD_OVERHEAD_BYTES, ByteBudgets
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.lesson_progress import (
    GUEST_PROGRESS_MS,
    MAX_REMOVED_PROGRESS,
    JoinedProgress,
    StoredProgress,
)
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.conftest import TRUNCATE_SQL, run_sql
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import PASSWORD, connect_members

ANN = "Ann of Nuln"
FIRST, SECOND = MatchId("hbx7mrq4wz2e"), MatchId("c9dk2n5ytxgw")


async def add(client: InMemoryClient, *lessons: str, guided: GuidedMatch | None = None) -> LessonProgress:
    answer = await client.request(AddLessonProgress(client.id(), lessons, guided))
    assert isinstance(answer, LessonProgress), answer
    return answer


async def progress_of(database: Database, player: str) -> StoredProgress:
    return (await database.lesson_progress.add(player, StoredProgress(), 0)).progress


async def test_boards_done_on_one_device_are_known_on_the_other(node: InMemoryServer) -> None:
    (laptop,) = await connect_members(node, ANN)
    await add(laptop, "turn", "land")
    phone = await node.connect_and_greet()
    signed_in = await phone.request(LogIn(phone.id(), ANN, PASSWORD))
    assert isinstance(signed_in, SignedIn)
    phone = await node.connect_and_greet(signed_in.token)
    assert (await add(phone, "turn", "pit-1")).lessons == ("turn", "land", "pit-1")
    assert (await add(laptop)).lessons == ("turn", "land", "pit-1")


async def test_guest_has_progress_of_their_own_on_each_connection(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    await add(guest, "turn")
    other = await node.connect_and_greet()
    assert (await add(other)).lessons == ()
    again = await node.connect_and_greet(guest.token)
    assert (await add(again)).lessons == ("turn",)


async def test_hints_of_one_match_are_joined_and_the_later_match_counts(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    await add(guest, guided=GuidedMatch(FIRST, 1000, ("deployment",)))
    joined = await add(guest, guided=GuidedMatch(FIRST, 1000, ("command_card",), is_over=True))
    assert joined.guided == GuidedMatch(FIRST, 1000, ("deployment", "command_card"), is_over=True)
    second = GuidedMatch(SECOND, 2000)
    assert (await add(guest, guided=second)).guided == second
    assert (await add(guest, guided=GuidedMatch(FIRST, 1000, ("melee",)))).guided == second, "an old device connects"


async def test_guided_match_of_a_wrong_clock_does_not_keep_later_ones_away(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    ahead = (await add(guest, guided=GuidedMatch(FIRST, 2**52))).guided
    assert ahead == GuidedMatch(FIRST, node.clock())
    second = GuidedMatch(SECOND, node.clock())
    assert (await add(guest, guided=second)).guided in (second, ahead)
    assert (await add(guest, guided=GuidedMatch(MatchId("zzzzzzzzzzzz"), 2**52))).guided != ahead


async def test_progress_is_bounded_and_named_as_clients_name_it(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    known = (await add(guest, *(f"board-{number}" for number in range(MAX_LESSONS)))).lessons
    assert len(known) == MAX_LESSONS
    assert (await add(guest, "turn")).lessons == known
    many = tuple(f"hint_{number}" for number in range(MAX_HINTS))
    await add(guest, guided=GuidedMatch(FIRST, 1000, many))
    guided = (await add(guest, guided=GuidedMatch(FIRST, 1000, ("melee",)))).guided
    assert guided is not None
    assert guided.hints == many
    for lesson in ("", "Turn a disk", "t" * 33):
        await guest.expect_refused(AddLessonProgress(guest.id(), (lesson,)))


async def test_deleted_account_leaves_no_progress_in_every_database(database: Database) -> None:
    await database.accounts.register(
        StoredAccount("ann", "Ann", "ann", "hash", 1_000), StoredDevice("ann", "laptop", b"token", 1_000, 1_000)
    )
    await database.lesson_progress.add("ann", StoredProgress(("turn",)), 5)
    await database.accounts.delete("ann", "hash")
    assert await progress_of(database, "ann") == StoredProgress()
    late = await database.lesson_progress.add("ann", StoredProgress(("land",)), 6)
    assert late == JoinedProgress(StoredProgress(), is_changed=False), "a request that was on its way"
    assert await progress_of(database, "ann") == StoredProgress()


async def test_deletion_and_what_is_added_meanwhile_leave_nothing_in_every_database(database: Database) -> None:
    for number in range(8):
        player = f"ann {number}"
        await database.accounts.register(
            StoredAccount(player, player, player, "hash", 1_000),
            StoredDevice(player, "laptop", player.encode(), 1_000, 1_000),
        )
        adding = (database.lesson_progress.add(player, StoredProgress((f"board-{place}",)), 5) for place in range(4))
        await asyncio.gather(*adding, database.accounts.delete(player, "hash"))
        assert await progress_of(database, player) == StoredProgress()


async def test_two_devices_at_once_lose_nothing_in_every_database(database: Database) -> None:
    names = [f"board-{number}" for number in range(8)]
    await asyncio.gather(*(database.lesson_progress.add("ann", StoredProgress((name,)), 5) for name in names))
    assert sorted((await progress_of(database, "ann")).lessons) == names


async def test_old_progress_of_guests_makes_room_in_every_database(database: Database) -> None:
    turned = StoredProgress(("turn",))
    for number in range(MAX_REMOVED_PROGRESS + 2):
        await database.lesson_progress.add(f"guest {number}", turned, number)
    await database.lesson_progress.add("ann", turned, GUEST_PROGRESS_MS + MAX_REMOVED_PROGRESS + 1)
    left = [
        number for number in range(MAX_REMOVED_PROGRESS + 2) if await progress_of(database, f"guest {number}") == turned
    ]
    assert left == [MAX_REMOVED_PROGRESS, MAX_REMOVED_PROGRESS + 1]


async def test_row_of_a_deleted_account_is_removed_like_those_of_guests(migrated_url: str) -> None:
    """An earlier version stored a request that was on its way when the account was deleted."""
    await run_sql(migrated_url, TRUNCATE_SQL)
    async with PostgresDatabase(migrated_url) as database:
        account = StoredAccount("ann", "Ann", "ann", "hash", 1_000)
        await database.accounts.register(account, StoredDevice("ann", "laptop", b"token", 1_000, 1_000))
        await database.lesson_progress.add("ann", StoredProgress(("turn",)), 5)
        await run_sql(migrated_url, "update accounts set name = '', name_key = null, password_hash = ''")
        await database.lesson_progress.add("guest", StoredProgress(("turn",)), GUEST_PROGRESS_MS + 6)
        assert await progress_of(database, "ann") == StoredProgress()
        assert (await progress_of(database, "guest")).lessons == ("turn",)


async def test_guests_pay_for_the_progress_that_they_store(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    budgets = ByteBudgets(0, 4 * RECORD_OVERHEAD_BYTES, node.clock)
    guest.outbox.usage = budgets.usage_of("203.0.113.9")
    await add(guest, "turn")
    for _ in range(20):
        assert (await add(guest, "turn")).lessons == ("turn",), "what is known already costs nothing"
    for number in range(3):
        await add(guest, f"board-{number}")
    refused = await guest.expect_refused(AddLessonProgress(guest.id(), ("one-more",)))
    assert refused.code == "too_much_written"
    assert refused.retry_after_ms
    assert len((await add(guest)).lessons) == 4, "a request that only reads does not wait"
    node.clock.now += refused.retry_after_ms
    assert "one-more" in (await add(guest, "one-more")).lessons
