"""Rehearsal: a base backup and the log bring a database back to a moment before somebody emptied it."""

import re
import subprocess
from pathlib import Path

import pytest

from diskwars_server.processes.embedded_postgres import PostgresAccount
from tests.chaos.standby_cluster import PROGRAMS
from tests.code_sizes import ROOT
from tests.e2e.servers import run_command
from tests.effort import is_whole
from tests.nats_servers import free_port

PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8").partition("\n### To a moment\n")[2].partition("\n## ")[0]
COMMAND_SECONDS = 60

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(not (PROGRAMS / "pg_basebackup").exists(), reason="needs Debian's PostgreSQL 15"),
    pytest.mark.skipif(not is_whole(), reason="starts two PostgreSQL servers: with all tests only"),
]


class Cluster:
    """A PostgreSQL of the page in a folder: its data, the backup of it, and the log that it has archived."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.account = folder, PostgresAccount.choose(folder)
        self.data, self.base, self.archive = folder / "data", folder / "base", folder / "wal"
        for made in (folder, self.archive):
            self.account.make_folder(made)
        self.port = free_port()
        self.url = f"postgresql://diskwars@127.0.0.1:{self.port}/diskwars"

    def call(self, program: str, *words: str | Path) -> str:
        """Run a program of PostgreSQL and return what it prints."""
        command = [str(PROGRAMS / program), *map(str, words)]
        with (self.folder / "said").open("w+b") as said:  # no pipe: a server that is started would keep it open
            code = self.account.run(command, output=said).wait(COMMAND_SECONDS)
            said.seek(0)
            text = said.read().decode()
        assert code == 0, (command, text)
        return text

    def tell(self, statement: str) -> str:
        return self.call("psql", "-Atq", "-c", statement, self.url).strip()

    def write(self, data: Path, name: str, text: str) -> None:
        """Write a file that belongs to the account of PostgreSQL."""
        file = data / name
        with file.open("a") as opened:
            opened.write(text)
        if self.account.is_other:
            subprocess.run(["chown", f"{self.account.uid}:{self.account.gid}", file], check=True)

    def start(self, data: Path) -> None:
        self.call("pg_ctl", "-D", data, "-l", self.folder / "log", "-w", "-t", str(COMMAND_SECONDS), "start")

    def stop(self, data: Path) -> None:
        self.call("pg_ctl", "-D", data, "-m", "fast", "-w", "stop")

    def create(self) -> None:
        """Begin a database that archives its log, by the settings of the page."""
        self.call("initdb", "-D", self.data, "-A", "trust", "-U", "diskwars", "-E", "UTF8", "--no-locale")
        places = f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
        self.write(self.data, "postgresql.conf", places + settings("postgresql.conf", self.archive))
        self.start(self.data)
        self.call("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "diskwars", "diskwars")

    def recover(self, moment: str) -> None:
        """Start the backup, which reads the log up to a moment, by the settings of the page."""
        asked = settings("postgresql.auto.conf", self.archive).replace("2026-12-01 18:30:00+00", moment)
        assert moment in asked
        self.write(self.base, "postgresql.auto.conf", asked)
        self.write(self.base, "recovery.signal", "")
        self.start(self.base)


def settings(file: str, archive: Path) -> str:
    """Return what the page writes into a file, with the folder of this machine."""
    (found,) = re.findall(rf"```ini\n# {re.escape(file)}\n(.*?)```", PAGE, re.DOTALL)
    return str(found).replace("/srv/wal", str(archive))


async def played(url: str, seed: int) -> str:
    """Let two bots play a match on a database, and return its id."""
    words = ("demo", "--ruleset", "pit", "--seed", str(seed), "--database-url", url)
    code, out, said = await run_command(*words)
    assert code == 0, said
    (match,) = re.findall(r"^match (\w+)$", out, re.MULTILINE)
    return str(match)


async def test_database_is_what_it_was_before_it_was_emptied(open_folder: Path) -> None:
    cluster = Cluster(open_folder / "moment")
    cluster.create()
    before = await played(cluster.url, 1)
    cluster.call("pg_basebackup", "-D", cluster.base, "--checkpoint=fast", "-d", cluster.url)
    after = await played(cluster.url, 2)
    moment = cluster.tell("select clock_timestamp()")
    cluster.tell("drop schema public cascade; create schema public; select pg_switch_wal()")
    cluster.stop(cluster.data)
    cluster.recover(moment)
    try:
        code, out, said = await run_command("verify", "--all", "--database-url", cluster.url)
        assert code == 0, said
        assert out == "2 matches: 2 ruled the same, 0 ruled differently\n"
        stored = await run_command("matches", "--database-url", cluster.url)
        assert {before, after} <= set(re.findall(r"\w{12}", stored[1]))
    finally:
        cluster.stop(cluster.base)
