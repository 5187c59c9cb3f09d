"""The contract of the vault, over every database."""

import asyncio

import pytest

from diskwars_server.store.database import Database
from diskwars_server.store.errors import DuplicateCommand, WrongVersion
from diskwars_server.store.event_log import AppendRequest
from tests.server.conftest import MakeDatabase
from tests.server.stored_samples import make_append, make_record


async def test_secrets_are_stored_with_the_records_or_not_at_all(database: Database) -> None:
    await database.events.append(make_append("m", 0, secrets={"server chain": bytes(32), "deal": b"\x01"}))
    assert await database.vault.secrets("m") == {"server chain": bytes(32), "deal": b"\x01"}
    with pytest.raises(WrongVersion):
        await database.events.append(make_append("m", 0, secrets={"deal": b"\x02"}))
    with pytest.raises(WrongVersion):
        await database.events.append(make_append("m", 7, secrets={"deal": b"\x02"}))
    with pytest.raises(DuplicateCommand):
        await database.events.append(AppendRequest("m", 1, make_record(2, "c1"), secrets={"deal": b"\x02"}))
    assert (await database.vault.secrets("m"))["deal"] == b"\x01"
    await database.events.append(make_append("m", 1, secrets={"deal": b"\x03"}))
    assert await database.vault.secrets("m") == {"server chain": bytes(32), "deal": b"\x03"}


async def test_secrets_of_one_match_can_be_forgotten(database: Database) -> None:
    for match in ("m", "n"):
        await database.events.append(make_append(match, secrets={"deal": match.encode()}))
    await database.vault.forget_secrets("m")
    await database.vault.forget_secrets("nowhere")
    assert await database.vault.secrets("m") == {}
    assert await database.vault.secrets("n") == {"deal": b"n"}
    assert await database.vault.secrets("nowhere") == {}


async def test_the_signing_key_is_made_once_for_all(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        keys = await asyncio.gather(*(database.vault.signing_key() for database in (one, other) * 4))
        assert len(set(keys)) == 1
        assert len(keys[0]) == 32
        assert keys[0] == await other.vault.signing_key()
