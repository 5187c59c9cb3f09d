"""Backups: one snapshot of everything, restored whole or not at all; what is no backup is refused with its place."""

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from diskwars_server.store.postgres import migrations
from diskwars_server.store.postgres.backup_file import BackupError
from diskwars_server.store.postgres.backups import BackupSummary, restore_backup, write_backup
from diskwars_server.store.postgres.database import PostgresDatabase, connect_patiently
from tests.server.conftest import options
from tests.server.stored_samples import filled, make_append, make_listing

Change = Callable[[bytes], bytes]


async def make_empty(url: str) -> str:
    """Return the address of one more empty database on the same server."""
    other = f"{make_url(url).database}_restored"
    connection = await asyncpg.connect(**options(url))
    try:
        await connection.execute(f"drop database if exists {other}")
        await connection.execute(f"create database {other}")
    finally:
        await connection.close()
    return make_url(url).set(database=other).render_as_string(hide_password=False)


async def fill(url: str) -> None:
    async with PostgresDatabase(url) as database:
        await filled(database, "m", 30)
        await database.events.append(
            make_append("n", listing=make_listing("n", 1), secrets={"deal": b"\x00\xff", "far_end": b"x"})
        )
        await database.vault.signing_key()


async def dump(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table but the one of health."""
    connection = await asyncpg.connect(**options(url))
    try:
        tables = await connection.fetch(
            "select table_name from information_schema.tables where table_schema = 'public' "
            "and table_type = 'BASE TABLE' and table_name <> 'health'"
        )
        return {
            str(name): sorted(tuple(row) for row in await connection.fetch(f"select t::text from {name} t"))
            for (name,) in tables
        }
    finally:
        await connection.close()


async def test_restored_database_holds_every_row(database_url: str, tmp_path: Path) -> None:
    await fill(database_url)
    target, file = await make_empty(database_url), tmp_path / "a.backup"
    written = await write_backup(database_url, file)
    assert await restore_backup(target, file) == written == BackupSummary(1, 31, written.rows)
    assert await dump(target) == await dump(database_url)
    assert file.stat().st_mode & 0o777 == 0o600
    async with PostgresDatabase(target) as restored:
        assert len(await restored.events.read("m")) == 30
        assert await restored.vault.secrets("n") == {"deal": b"\x00\xff", "far_end": b"x"}


async def test_backup_is_one_snapshot_while_a_server_writes(database_url: str, tmp_path: Path) -> None:
    async with PostgresDatabase(database_url) as database:
        await database.events.append(make_append("m"))
        is_done = asyncio.Event()

        async def write_on() -> int:
            seq = 1
            while not is_done.is_set():
                await database.events.append(make_append("m", seq, secrets={f"s{seq}": b"x"}))
                seq += 1
            return seq

        writing = asyncio.create_task(write_on())
        for number in range(5):
            await write_backup(database_url, tmp_path / str(number))
        is_done.set()
        assert await writing > 1
    for number in range(5):
        target = await make_empty(database_url)
        await restore_backup(target, tmp_path / str(number))
        rows = await dump(target)
        # Record n + 1 and secret n were stored together: a backup has both or neither.
        assert len(rows["secrets"]) == len(rows["records"]) - 1


async def test_backup_of_an_older_schema_is_brought_up_to_date(database_url: str, tmp_path: Path) -> None:
    async with connect_patiently(database_url) as (connection, raw):
        await connection.run_sync(migrations.upgrade, "0104")
        await raw.execute("insert into keys (name, value) values ('signing', 'abc')")
        await connection.commit()
    await write_backup(database_url, tmp_path / "a")
    target = await make_empty(database_url)
    await restore_backup(target, tmp_path / "a")
    async with PostgresDatabase(target) as restored:
        assert await restored.vault.signing_key() == b"abc"
    assert (await dump(target))[migrations.VERSION_TABLE] == [(f"({migrations.SCHEMA_VERSION})",)]


async def test_tables_that_the_schema_does_not_have_are_refused(database_url: str, tmp_path: Path) -> None:
    await fill(database_url)
    good, bad = tmp_path / "good", tmp_path / "bad"
    await write_backup(database_url, good)
    bad.write_bytes(recompress(good.read_bytes(), lambda raw: raw.replace(b'"table":"keys"', b'"table":"locks"')))
    target = await make_empty(database_url)
    with pytest.raises(BackupError, match="the schema has no such table") as fault:
        await restore_backup(target, bad)
    assert (fault.value.code, fault.value.place) == ("backup_damaged", "table locks")
    assert await dump(target) == {}


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (lambda content: b"", "not_a_backup", "the first line"),
        (lambda content: b"PGDMP whatever", "not_a_backup", "the first line"),
        (lambda content: gzip.compress(b"{}\n"), "not_a_backup", "the first line"),
        (lambda content: content[:-9], "backup_cut", "table "),
        (lambda content: content[: len(content) // 2], "backup_cut", "table "),
        (lambda content: recompress(content, lambda raw: raw[:-40]), "backup_cut", "table "),
        (lambda content: recompress(content, lambda raw: raw[: raw.rindex(b'{"type":"end"')]), "backup_cut", "table "),
        (lambda content: recompress(content, lambda raw: raw + b"\n"), "backup_damaged", "table "),
        (
            lambda content: recompress(content, lambda raw: raw.replace(b'"records":31', b'"records":32')),
            "backup_damaged",
            "the last line",
        ),
        (lambda content: content[:200] + bytes(40) + content[240:], "backup_damaged", ""),
        (
            lambda content: recompress(content, lambda raw: raw.replace(b'"format":1', b'"format":2')),
            "backup_newer",
            "the first line",
        ),
        (
            lambda content: recompress(content, lambda raw: raw.replace(b'"schema":"0', b'"schema":"9')),
            "backup_newer",
            "the first line",
        ),
        (
            lambda content: recompress(content, lambda raw: raw.replace(b'"schema":"01', b'"schema":"00')),
            "backup_too_old",
            "the first line",
        ),
    ],
)
async def test_what_is_no_whole_backup_is_refused_and_changes_nothing(
    database_url: str, tmp_path: Path, change: Change, code: str, place: str
) -> None:
    await fill(database_url)
    good, bad = tmp_path / "good", tmp_path / "bad"
    await write_backup(database_url, good)
    bad.write_bytes(change(good.read_bytes()))
    target = await make_empty(database_url)
    with pytest.raises(BackupError) as fault:
        await restore_backup(target, bad)
    assert fault.value.code == code, str(fault.value)
    assert place in fault.value.place
    assert await dump(target) == {}
    await restore_backup(target, good)


def recompress(content: bytes, change: Change) -> bytes:
    return gzip.compress(change(gzip.decompress(content)))


async def test_restoring_into_a_database_with_tables_is_refused(database_url: str, tmp_path: Path) -> None:
    await fill(database_url)
    file = tmp_path / "a.backup"
    await write_backup(database_url, file)
    before = await dump(database_url)
    with pytest.raises(BackupError, match="restore into an empty one") as fault:
        await restore_backup(database_url, file)
    assert fault.value.code == "target_not_empty"
    assert await dump(database_url) == before


async def test_no_file_is_overwritten_and_no_half_written_one_is_left(database_url: str, tmp_path: Path) -> None:
    await fill(database_url)
    file = tmp_path / "a.backup"
    file.write_text("mine")
    with pytest.raises(BackupError) as fault:
        await write_backup(database_url, file)
    assert (fault.value.code, file.read_text()) == ("file_exists", "mine")
    empty = await make_empty(database_url)
    with pytest.raises(Exception, match="schema none"):
        await write_backup(empty, tmp_path / "b.backup")
    assert [file.name for file in tmp_path.iterdir()] == ["a.backup"]
