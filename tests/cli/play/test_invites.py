"""`diskwars invites` lists, makes and revokes the invites of a match that its player has opened."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_cli.play.remembered.seat_memory import RememberedSeat, SeatMemory, default_seat_folder
from diskwars_client.client import connect
from tests.cli.play.test_play import diskwars
from tests.client.local_server import running_server


@pytest.fixture
async def local() -> AsyncIterator[str]:
    async with running_server() as url:
        yield url


@pytest.fixture
def seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SeatMemory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DISKWARS_TOKEN", raising=False)
    return SeatMemory(default_seat_folder())


def remember(seats: SeatMemory, match: str, token: str, url: str) -> None:
    seats.save(RememberedSeat(match=match, ruleset="pit", players=2, seat=0, token=token, url=url))


async def test_invite_is_made_used_listed_and_revoked_by_who_opened_the_match(local: str, seats: SeatMemory) -> None:
    async with connect(local) as opener, connect(local) as friend:
        match = (await opener.open_match(ruleset="pit", invited_only=True)).id
        remember(seats, match, opener.token, local)
        assert await diskwars("invites", match) == (0, ["no invites; --new makes one"], "")
        code, lines, _ = await diskwars("invites", match, "--new", "--army", "Greenskin Patrol", "--uses", "2")
        assert code == 0
        assert lines[0].startswith(f"diskwars play --url {local} --invite invite-")
        assert (await friend.lobby.use_invite(lines[0].split()[-1])).match == match
        _, listed, _ = await diskwars("invites", match)
        invite, *_, left, army, kind = listed[-1].split()
        assert (left, army, kind) == ("1", "Greenskin", "Patrol")
        code, lines, _ = await diskwars("invites", match, "--revoke", invite)
        assert (code, lines) == (0, ["no invites; --new makes one"])
        assert await opener.lobby.invites(match) == ()


async def test_token_of_a_seat_is_not_sent_to_another_server(local: str, seats: SeatMemory) -> None:
    remember(seats, "m1", "a secret", "ws://127.0.0.1:1/ws")
    code, _, errors = await diskwars("invites", "m1", "--url", local)
    assert (code, "no seat in match m1" in errors) == (2, True)


async def test_army_without_a_new_invite_is_refused(seats: SeatMemory) -> None:
    code, _, errors = await diskwars("invites", "m1", "--army", "Greenskin Patrol")
    assert (code, "add --new" in errors) == (2, True)
