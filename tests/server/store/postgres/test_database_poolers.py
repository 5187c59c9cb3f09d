"""A real PgBouncer between the server and its database: sessions are kept, or the server does not start."""

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url

from diskwars_server.store.errors import NoSessions
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="no PgBouncer on this machine")


@asynccontextmanager
async def pooling(url: str, mode: str, folder: Path) -> AsyncIterator[str]:
    """Provide the address of a database behind a pooler of this mode."""
    base = make_url(url)
    owner = pwd.getpwuid(Path(str(base.query["host"])).stat().st_uid).pw_name  # who alone may enter that folder
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
    users, settings = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text(f'"{base.username}" ""\n')
    settings.write_text(
        f"[databases]\n{base.database} = host={base.query['host']} port={base.query['port']}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = trust\nauth_file = {users}\npool_mode = {mode}\n"
    )
    as_user = ["--user", owner] if os.geteuid() == 0 else []  # it refuses to run as root
    process = subprocess.Popen([str(PGBOUNCER), *as_user, "--quiet", str(settings)], stderr=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    assert process.poll() is None
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    break
        yield f"postgresql://{base.username}@127.0.0.1:{port}/{base.database}"
    finally:
        process.kill()
        process.wait()


async def test_server_works_through_a_pooler_that_keeps_sessions(migrated_url: str, open_folder: Path) -> None:
    async with pooling(migrated_url, "session", open_folder) as url, PostgresDatabase(url) as database:
        await database.check_writable()
        reads = await asyncio.gather(*(database.read_clock_ms() for _ in range(8)))
        assert all(isinstance(read, int) for read in reads)


async def test_pooler_that_keeps_no_sessions_is_refused_when_the_server_starts(
    migrated_url: str, open_folder: Path
) -> None:
    async with pooling(migrated_url, "transaction", open_folder) as url:
        for _ in range(2):  # also where the pooler's connections have statements of an earlier server prepared
            with pytest.raises(NoSessions, match="use its session mode"):
                await PostgresDatabase(url).open()
