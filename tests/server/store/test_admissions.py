"""The contract of admissions and invites, over every database."""

from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_server.store.admissions import MAX_REVOKED_PER_MATCH, StoredInvite
from diskwars_server.store.database import Database
from tests.server.stored_samples import make_append, make_listing


def invite(name: str, match: str = "m", uses: int | None = None, created: int = 5) -> StoredInvite:
    return StoredInvite(match, name, name.encode(), created, f"army of {name}", uses)


async def test_player_is_admitted_to_one_match_for_good(database: Database) -> None:
    admissions = database.admissions
    assert not await admissions.is_admitted("m", "ann")
    assert await admissions.admit("m", "ann", limit=2)
    assert await admissions.is_admitted("m", "ann")
    assert not await admissions.is_admitted("m", "ben")
    assert not await admissions.is_admitted("n", "ann")


async def test_no_more_players_are_admitted_than_the_limit_but_the_same_ones_again(database: Database) -> None:
    admissions = database.admissions
    admitted = [await admissions.admit("m", player, limit=2) for player in ("a", "b", "c", "a")]
    assert admitted == [True, True, False, True]
    assert await admissions.admit("n", "c", limit=2)
    assert [await admissions.count_admitted(match) for match in ("m", "n", "none")] == [2, 1, 0]


async def test_invites_are_listed_newest_first_and_found_by_their_code(database: Database) -> None:
    admissions = database.admissions
    old, new, other = invite("old"), invite("new", created=6), invite("other", match="n")
    for stored in (old, new, other):
        assert await admissions.add_invite(stored, limit=5)
    assert await admissions.list_invites("m") == [new, old]
    assert await admissions.find_invite(b"other") == other
    assert await admissions.find_invite(b"none") is None


async def test_invite_that_is_added_again_stays_as_it_is(database: Database) -> None:
    admissions = database.admissions
    assert await admissions.add_invite(invite("one", uses=1), limit=1)
    assert await admissions.use_invite(b"one", "ann")
    assert await admissions.add_invite(invite("one", uses=1), limit=1)
    assert not await admissions.add_invite(invite("two"), limit=1)
    assert [stored.uses_left for stored in await admissions.list_invites("m")] == [0]


async def test_uses_of_an_invite_are_counted(database: Database) -> None:
    admissions = database.admissions
    await admissions.add_invite(invite("two uses", uses=2), limit=5)
    used = [await admissions.use_invite(b"two uses", player) for player in ("a", "b", "c")]
    assert used == [True, True, False]
    assert [await admissions.is_admitted("m", player) for player in ("a", "b", "c")] == [True, True, False]


async def test_invite_without_a_limit_is_never_used_up(database: Database) -> None:
    await database.admissions.add_invite(invite("open"), limit=5)
    assert all([await database.admissions.use_invite(b"open", f"player {n}") for n in range(5)])
    stored = await database.admissions.find_invite(b"open")
    assert stored is not None
    assert stored.uses_left is None


async def test_revoked_invite_is_gone_and_those_it_let_in_stay(database: Database) -> None:
    admissions = database.admissions
    await admissions.add_invite(invite("one"), limit=5)
    await admissions.use_invite(b"one", "ann")
    assert not await admissions.revoke_invite("n", "one")
    assert await admissions.revoke_invite("m", "one")
    assert not await admissions.revoke_invite("m", "one")
    assert not await admissions.use_invite(b"one", "ben")
    assert await admissions.is_admitted("m", "ann")


async def test_revoked_invite_stays_known_and_takes_no_place(database: Database) -> None:
    admissions = database.admissions
    for number in range(MAX_REVOKED_PER_MATCH + 3):
        stored = StoredInvite("m", f"i{number:03}", f"{number}".encode(), number)
        assert await admissions.add_invite(stored, limit=1)
        assert await admissions.revoke_invite("m", stored.invite)
        assert await admissions.add_invite(stored, limit=1), "it is there, and stays as it is"
        assert await admissions.find_invite(stored.code_hash) == replace(stored, revoked=True)
        assert await admissions.list_invites("m") == []
    known = [await admissions.find_invite(f"{number}".encode()) for number in range(MAX_REVOKED_PER_MATCH + 3)]
    assert [stored is not None for stored in known] == [False] * 3 + [True] * MAX_REVOKED_PER_MATCH


async def test_lock_outlives_the_dice_secrets_and_is_listed(database: Database) -> None:
    locked = make_append("m", 0, secrets={"deal": b"1", "lock_password": b"hash"}, listing=make_listing("m", 1))
    await database.events.append(locked)
    await database.events.append(make_append("n", 0, secrets={"deal": b"1"}, listing=make_listing("n", 1)))
    await database.vault.forget_secrets("m")
    assert await database.vault.secrets("m") == {"lock_password": b"hash"}
    assert {listing.match: listing.is_locked for listing in await database.matches.list_matches()} == {
        "m": True,
        "n": False,
    }


async def test_entries_and_invites_go_with_a_match_that_never_began(database: Database) -> None:
    closed = replace(make_listing("m", 1, "ended"), result=Result("closed"))
    await database.events.append(make_append("m", 0, secrets={"lock_invited_only": b"1"}, listing=closed))
    await database.admissions.add_invite(invite("one"), limit=5)
    await database.admissions.admit("m", "ann", limit=5)
    assert await database.events.remove_unstarted(closed.created_ms + 1, closed.updated_ms + 1, 10) == [closed.match]
    assert await database.admissions.find_invite(b"one") is None
    assert not await database.admissions.is_admitted("m", "ann")
    assert await database.vault.secrets("m") == {}
