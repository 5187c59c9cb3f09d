"""The embedded PostgreSQL starts, keeps its data, and survives every kind of sudden death."""

import asyncio
import fcntl
import hashlib
import importlib.util
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from diskwars_server.app import open_database
from diskwars_server.processes import embedded_postgres as embedded
from diskwars_server.processes import postgres_files
from diskwars_server.processes.embedded_postgres import (
    DataNotWritable,
    EmbeddedError,
    EmbeddedPostgres,
    NotReady,
    PostgresExited,
    PostgresNotInstalled,
    VersionMismatch,
    database_dirs,
    has_database,
)
from diskwars_server.settings import ServerSettings
from diskwars_server.store.errors import SchemaTooOld

DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")

OWNER = """
import sys
from pathlib import Path
from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
print(server.start(), server.is_owner, flush=True)
sys.stdin.read()
server.stop()
"""


def run_query(url: str, *statements: str) -> object:
    """Carry out statements over a connection of their own; the answer is the first figure of the last."""

    async def talk() -> object:
        address = make_url(url)
        socket, port = str(address.query["host"]), int(str(address.query["port"]))
        connection = await asyncpg.connect(host=socket, port=port, user=address.username, database=address.database)
        try:
            for statement in statements[:-1]:
                await connection.execute(statement)
            return await connection.fetchval(statements[-1])
        finally:
            await connection.close()

    return asyncio.run(talk())


def owner_process(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def first_line(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


def stop_process(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Patience for what another process does: nothing tells us of it."""
    until = time.monotonic() + 40
    while not is_so():
        assert time.monotonic() < until, "not within 40 seconds"
        time.sleep(0.02)


def answering_urls(urls: set[str]) -> bool:
    """Return whether the database behind the one address is there, with what was in it."""
    (url,) = urls
    try:
        return run_query(url, "SELECT disk FROM kept") == "Swordsmen"
    except (OSError, asyncpg.PostgresError):
        return False


def postmaster_pid(root: Path) -> int:
    return int((root / "pgdata" / "postmaster.pid").read_text().split("\n")[0])


@pytest.fixture(scope="module")
def ready_made(open_folder: Path) -> Path:
    """A stopped database that holds one row."""
    root = open_folder / "ready-made"
    with EmbeddedPostgres(root, durable=False) as url:
        run_query(url, "CREATE TABLE kept (disk text)", "INSERT INTO kept VALUES ('Swordsmen') RETURNING disk")
    return root


@pytest.fixture
def root(ready_made: Path, open_folder: Path) -> Iterator[Path]:
    """A copy of that database, which is faster than a cold start."""
    root = open_folder / "root"
    subprocess.run(["cp", "-a", str(ready_made), str(root)], check=True)
    yield root
    shutil.rmtree(root)


def test_an_empty_directory_becomes_a_durable_database_that_a_second_start_finds_again(open_folder: Path) -> None:
    root = open_folder / "cold"
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "CREATE TABLE kept (disk text)", "INSERT INTO kept VALUES ('Ogre')", "SHOW fsync") == "on"
        assert run_query(url, "SHOW full_page_writes") == "on"
        assert run_query(url, "SHOW synchronous_commit") == "on"
        assert run_query(url, "SHOW listen_addresses") == ""
        assert run_query(url, "SHOW server_encoding") == "UTF8"
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT disk FROM kept") == "Ogre"


def test_stop_ends_the_server_and_may_be_called_again(root: Path) -> None:
    server = EmbeddedPostgres(root)
    url = server.start()
    assert server.start() == url
    server.stop()
    server.stop()
    assert not server.is_owner
    assert not (root / "pgdata" / "postmaster.pid").exists()
    with pytest.raises(OSError):
        run_query(url, "SELECT 1")


def test_a_second_start_on_a_live_directory_shares_the_server(root: Path) -> None:
    with EmbeddedPostgres(root) as url:
        other = EmbeddedPostgres(root)
        assert other.start() == url
        assert not other.is_owner
        other.stop()
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"


@pytest.mark.parametrize("is_killed", [False, True], ids=["ended", "killed"])
def test_who_shares_a_server_takes_it_over_when_its_owner_is_gone(
    root: Path, is_killed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "diskwars_server.processes.embedded_postgres")
    owner = owner_process(root)
    try:
        first_line(owner)
        sharer = EmbeddedPostgres(root)
        with sharer as url:
            assert not sharer.is_owner
            assert caplog.messages == [f"sharing the database of process {owner.pid}"]
            run_query(url, "INSERT INTO kept VALUES ('Ogre') RETURNING disk")
            pid = postmaster_pid(root)
            if is_killed:
                owner.kill()
            owner.communicate("")
            wait_until(lambda: sharer.is_owner and "database back" in caplog.messages)
            assert postmaster_pid(root) != pid
            assert run_query(url, "SELECT count(*) FROM kept") == 2
            assert caplog.messages[1:] == ["database lost", "database back"]
            late = EmbeddedPostgres(root)
            assert late.start() == url
            assert caplog.messages[-1] == f"sharing the database of process {os.getpid()}"
            late.stop()
        assert not (root / "pgdata" / "postmaster.pid").exists()
    finally:
        stop_process(owner)


def test_of_several_who_share_one_takes_over_and_the_others_share_with_that_one(root: Path) -> None:
    owner = owner_process(root)
    sharers = [EmbeddedPostgres(root) for _ in range(3)]
    try:
        first_line(owner)
        urls = {sharer.start() for sharer in sharers}
        stop_process(owner)
        wait_until(lambda: any(sharer.is_owner for sharer in sharers) and answering_urls(urls))
        assert sum(sharer.is_owner for sharer in sharers) == 1
        next(sharer for sharer in sharers if sharer.is_owner).stop()
        wait_until(lambda: any(sharer.is_owner for sharer in sharers) and answering_urls(urls))
    finally:
        stop_process(owner)
        for sharer in sharers:
            sharer.stop()


def test_sharing_process_takes_over_at_the_same_socket_although_its_own_would_be_elsewhere(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awkward = root.rename(root.parent / ("x" * 120))
    owner = owner_process(awkward)
    try:
        url, _ = first_line(owner)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        sharer = EmbeddedPostgres(awkward)
        with sharer:
            stop_process(owner)
            wait_until(lambda: sharer.is_owner and answering_urls({url}))
    finally:
        stop_process(owner)
        awkward.rename(root)


def test_database_removed_with_its_owner_is_not_replaced_by_an_empty_one(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    owner = owner_process(root)
    try:
        first_line(owner)
        with EmbeddedPostgres(root):
            (root / "pgdata" / "PG_VERSION").rename(root / "PG_VERSION")
            owner.communicate("")
            wait_until(lambda: "database not back yet" in caplog.messages)
        assert not (root / "pgdata" / "PG_VERSION").exists()
    finally:
        stop_process(owner)


def test_two_processes_that_start_at_once_on_an_empty_directory_get_one_server(open_folder: Path) -> None:
    processes = [owner_process(open_folder / "raced") for _ in range(2)]
    try:
        said = [first_line(process) for process in processes]
        assert said[0][0] == said[1][0]
        assert sorted(owner for _, owner in said) == ["False", "True"]
    finally:
        for process in processes:
            stop_process(process)


def test_committed_rows_survive_the_kill_of_the_owner(root: Path) -> None:
    owner = owner_process(root)
    try:
        url, _ = first_line(owner)
        assert run_query(url, "INSERT INTO kept VALUES ('Ogre') RETURNING disk") == "Ogre"
    finally:
        stop_process(owner)
    server = EmbeddedPostgres(root)
    with server as url:
        assert server.is_owner
        assert run_query(url, "SELECT count(*) FROM kept") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_the_server_ends_by_itself_when_its_owner_was_killed(root: Path) -> None:
    owner = owner_process(root)
    first_line(owner)
    server = os.pidfd_open(postmaster_pid(root))
    stop_process(owner)
    assert select.select([server], [], [], 40)[0], "the server still runs"
    os.close(server)


def test_an_orphan_that_missed_its_owners_death_is_ended_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "parent_death_hook", lambda number: None)
    orphan = EmbeddedPostgres(root)
    orphan.start()
    pid = postmaster_pid(root)
    assert orphan._lock is not None
    orphan._stopped.set()  # A killed owner supervises nothing and holds no lock.
    orphan._lock.close()
    with EmbeddedPostgres(root) as url:
        assert postmaster_pid(root) != pid
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"
        assert not orphan.is_owner


def test_orphan_that_obeys_no_signal_is_killed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "parent_death_hook", lambda number: None)
    orphan = EmbeddedPostgres(root)
    orphan.start()
    process = orphan._process
    assert process is not None
    assert orphan._lock is not None
    orphan._stopped.set()
    orphan._lock.close()
    process.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(embedded, "ORPHAN_SECONDS", 0.3)
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"
        assert process.wait(40) == -signal.SIGKILL


@pytest.mark.parametrize("left", ["", "not a number\n"])
def test_pid_file_without_a_number_is_removed(root: Path, left: str) -> None:
    (root / "pgdata" / "postmaster.pid").write_text(left)
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"


def test_killed_server_is_restarted_by_its_owner(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = EmbeddedPostgres(root)
    with server as url:
        run_query(url, "INSERT INTO kept VALUES ('Ogre') RETURNING disk")
        for _ in range(3):
            pid = postmaster_pid(root)
            caplog.clear()
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: "database back" in caplog.messages)
            assert caplog.messages == ["database lost", "database back"]
            assert caplog.records[0].__dict__["why"] == "PostgreSQL ended with status -9"
            assert postmaster_pid(root) != pid
            assert run_query(url, "SELECT count(*) FROM kept") == 2
    assert not (root / "pgdata" / "postmaster.pid").exists()


def test_server_that_hangs_is_killed_at_the_stop_and_keeps_what_was_committed(root: Path) -> None:
    server = EmbeddedPostgres(root)
    run_query(server.start(), "INSERT INTO kept VALUES ('Ogre') RETURNING disk")
    process = server._process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    stopping = threading.Thread(target=server.stop, daemon=True)
    stopping.start()
    stopping.join(20)  # one that answers may write for 30 seconds
    is_stopped = not stopping.is_alive()
    process.kill()
    assert is_stopped
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT count(*) FROM kept") == 2


def test_files_beside_the_database_are_readable_by_their_owner_only(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_files, "MAX_LOG_BYTES", 100)
    (root / "postgres.log").write_bytes(b"x" * 101)
    (root / "postgres.log").chmod(0o644)  # as earlier versions made it
    shutil.copy(root / "postgres.log", root / "postgres.log.1")
    kept_umask = os.umask(0)
    try:
        with EmbeddedPostgres(root, durable=False):
            files = [file for file in root.iterdir() if file.is_file()]
            assert {file.name for file in files} >= {"postgres.log", "postgres.log.1", "postgres.lock"}
            assert {file.name: oct(file.stat().st_mode & 0o077) for file in files} == dict.fromkeys(
                (file.name for file in files), "0o0"
            )
            assert (root / "pgdata").stat().st_mode & 0o077 == 0
    finally:
        os.umask(kept_umask)


def test_log_that_is_full_begins_again_and_its_end_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_files, "MAX_LOG_BYTES", 40_000)
    journal, earlier = root / "postgres.log", root / "postgres.log.1"
    root.mkdir(exist_ok=True)
    journal.write_bytes(b"of earlier starts\n" * 10_000)  # before there was a limit
    server = EmbeddedPostgres(root, durable=False)
    url = server.start()
    assert journal.stat().st_size < 40_000, "at a start"
    assert earlier.stat().st_size == 40_000
    for number in range(3):
        run_query(url, f"do $$ begin for i in 1..1000 loop raise log 'round {number} line %', i; end loop; end $$")
        wait_until(lambda: journal.stat().st_size <= 40_000)
        assert earlier.stat().st_size <= 40_000
    run_query(url, "do $$ begin raise log 'after everything'; end $$")
    server.stop()
    assert "after everything" in journal.read_text()
    assert not journal.read_bytes().startswith(b"\0"), "PostgreSQL goes on at the new end"
    assert "round 2 line" in earlier.read_text() + journal.read_text()
    assert "round 0 line 1\n" not in earlier.read_text() + journal.read_text()


def test_log_is_cut_also_where_its_end_cannot_be_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_files, "MAX_LOG_BYTES", 100)
    server = EmbeddedPostgres(root, durable=False)
    server.start()
    server.stop()
    (root / "postgres.log.1").unlink(missing_ok=True)
    (root / "postgres.log.1").mkdir()
    (root / "postgres.log").write_bytes(b"x" * 101)
    postgres_files.ServerLog(root).bound()
    assert (root / "postgres.log").stat().st_size == 0


def test_socket_that_takes_connections_and_does_not_answer_is_no_server(root: Path) -> None:
    """As children of a killed server leave it: somebody holds the database, its socket can be connected to."""
    data = root / "pgdata"
    state = [str(os.getpid()), str(data), "0", "5432", str(data), "", "0", "ready", ""]
    (data / "postmaster.pid").write_text("\n".join(state))
    with open(root / "postgres.lock", "a+") as held, socket.socket(socket.AF_UNIX) as listener:
        fcntl.flock(held, fcntl.LOCK_EX)
        listener.bind(str(data / ".s.PGSQL.5432"))
        listener.listen()
        with pytest.raises(NotReady, match="does not answer"):
            EmbeddedPostgres(root, timeout=0.1).start()


def test_start_waits_until_a_killed_server_is_restarted(root: Path) -> None:
    server = EmbeddedPostgres(root)
    with server as url:
        process = server._process
        assert process is not None
        process.kill()
        process.wait(40)
        assert server.start() == url
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"


def test_restart_that_fails_is_tried_again_with_growing_pauses(
    root: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "FIRST_RETRY_SECONDS", 0.05)
    server = EmbeddedPostgres(root)
    with server as url:
        control = root / "pgdata" / "global" / "pg_control"
        control.rename(control.with_suffix(".away"))
        os.kill(postmaster_pid(root), signal.SIGKILL)
        wait_until(lambda: caplog.messages.count("database not back yet") >= 2)
        assert "database back" not in caplog.messages
        control.with_suffix(".away").rename(control)
        wait_until(lambda: "database back" in caplog.messages)
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"


def test_lock_file_of_a_socket_that_names_a_stranger_is_cleared(root: Path) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        lock = root / "pgdata" / ".s.PGSQL.5432.lock"
        lock.write_text(f"{stranger.pid}\n{root / 'pgdata'}\n1\n5432\n{root / 'pgdata'}\n")
        with EmbeddedPostgres(root) as url:
            assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_pid_file_that_names_a_stranger_stops_nothing(root: Path) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        left = [stranger.pid, root / "pgdata", 1, 5432, root / "pgdata", "", "", "ready"]
        (root / "pgdata" / "postmaster.pid").write_text("\n".join(map(str, left)))
        with EmbeddedPostgres(root) as url:
            assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_leftovers_of_a_killed_initdb_are_replaced(open_folder: Path) -> None:
    root = open_folder / "interrupted"
    (root / "pgdata.new" / "base").mkdir(parents=True)
    with EmbeddedPostgres(root, durable=False) as url:
        assert run_query(url, "SELECT 1") == 1


@pytest.mark.parametrize(
    "name", ["with a space", "with:colon,comma and 'quote'", "x" * 120], ids=["space", "marks", "long"]
)
async def test_the_path_may_be_awkward(root: Path, name: str) -> None:
    awkward = root.rename(root.parent / name)
    try:
        with EmbeddedPostgres(awkward) as url:
            engine = create_async_engine(url)
            async with engine.connect() as connection:
                assert await connection.scalar(text("SELECT disk FROM kept")) == "Swordsmen"
            await engine.dispose()
    finally:
        awkward.rename(root)


def test_postgres_variables_of_the_user_change_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGPORT": "5999", "PGDATA": "elsewhere", "PGHOST": "nowhere", "PGUSER": "nobody"}.items():
        monkeypatch.setenv(name, value)
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT current_user") == "postgres"


def test_a_directory_that_cannot_be_made_is_named(open_folder: Path) -> None:
    file = open_folder / "a-file"
    file.write_text("in the way")
    with pytest.raises(DataNotWritable, match=f"{file}/database"):
        EmbeddedPostgres(file / "database").start()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_of_somebody_else_is_named() -> None:
    with pytest.raises(DataNotWritable, match=r"/usr.*Permission denied"):
        EmbeddedPostgres(Path("/usr")).start()


def test_a_folder_for_sockets_that_somebody_else_put_there_is_refused(root: Path, tmp_path: Path) -> None:
    server = EmbeddedPostgres(root)
    trap = root / "trap"
    trap.symlink_to(tmp_path)
    server._choose_places()
    with pytest.raises(DataNotWritable, match="somebody else"):
        server._account.make_folder(trap)


def test_missing_programs_are_reported_with_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDED_PG_BIN", str(tmp_path))
    with pytest.raises(PostgresNotInstalled, match=str(tmp_path)):
        EmbeddedPostgres(tmp_path / "database").start()


def test_a_missing_wheel_is_reported_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDDED_PG_BIN", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PostgresNotInstalled, match=r"pip install '\.\[embedded\]'.*DATABASE_URL"):
        EmbeddedPostgres(tmp_path / "database").start()


def test_a_server_that_gives_up_says_why_and_lets_the_directory_go(root: Path) -> None:
    settings = root / "pgdata" / "postgresql.conf"
    sound = settings.read_text()
    settings.write_text(sound + "\nnonsense = on\n")
    server = EmbeddedPostgres(root)
    with pytest.raises(PostgresExited, match="nonsense") as caught:
        server.start()
    assert "unrecognized configuration parameter" in caught.value.log_tail
    settings.write_text(sound)
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"


def test_a_thread_that_would_take_the_server_with_it_may_not_start_one(tmp_path: Path) -> None:
    caught: list[EmbeddedError] = []

    def try_it() -> None:
        try:
            EmbeddedPostgres(tmp_path).start()
        except EmbeddedError as error:
            caught.append(error)

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join()
    assert "main thread" in str(caught[0])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for PostgreSQL")
def test_folder_out_of_reach_for_roots_other_account_is_replaced_and_reported(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(embedded, "ROOT_DATA_DIR", open_folder / "home")
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    server = EmbeddedPostgres(closed / "database", durable=False)
    with server as url:
        assert server.root.parent == open_folder / "home"
        assert run_query(url, "SELECT 1") == 1
    with open_database(ServerSettings(data=closed / "database")):
        said = f"running as root: the database of {closed}/database is kept in {server.root}\n"
        assert capsys.readouterr() == ("", said)
    closed.chmod(0o755)
    again = EmbeddedPostgres(closed / "database", durable=False)
    with again:
        assert again.root == server.root, "data that was moved once stays where it is"
    (open_folder / "link").symlink_to(closed)
    for spelled in (closed / ".." / "closed" / "database", open_folder / "link" / "database"):
        assert has_database(spelled)
        with EmbeddedPostgres(spelled, durable=False) as url:
            assert run_query(url, "SELECT 1") == 1
    assert list((open_folder / "home").iterdir()) == [server.root], "one folder has one database"


def test_database_with_an_old_schema_is_refused_with_its_folder(open_folder: Path) -> None:
    with (
        pytest.raises(SchemaTooOld, match=f"^{open_folder}/old: the database has schema 0003, and the oldest"),
        open_database(ServerSettings(data=open_folder / "old")),
    ):
        raise SchemaTooOld("0003", "0100")


def test_database_kept_under_another_spelling_of_a_folder_is_still_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "ROOT_DATA_DIR", tmp_path / "home")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    spelled = tmp_path / "there" / ".." / "data"
    (tmp_path / "there").mkdir()
    assert not has_database(spelled)
    kept = tmp_path / "home" / f"data-{hashlib.sha256(os.fsencode(spelled)).hexdigest()[:8]}"
    (kept / "pgdata").mkdir(parents=True)
    assert has_database(spelled)
    assert database_dirs(spelled) == (spelled, kept)
    assert not has_database(tmp_path / "data"), "that is another spelling, which nothing was kept by"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for PostgreSQL")
def test_programs_that_roots_other_account_cannot_reach_are_copied_and_run(
    open_folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "ROOT_DATA_DIR", open_folder / "home")
    monkeypatch.delenv("EMBEDDED_PG_BIN", raising=False)
    closed = open_folder / "closed-site"
    package = embedded.postgres_bin().parents[1]
    closed.mkdir(mode=0o700)
    for part in (package.name, f"{package.name}.libs"):
        (closed / part).symlink_to(package.parent / part)
    monkeypatch.setattr(embedded, "postgres_bin", lambda: closed / package.name / "pginstall" / "bin")
    with EmbeddedPostgres(root) as url:
        assert run_query(url, "SELECT disk FROM kept") == "Swordsmen"
    assert list((open_folder / "home").glob("postgres-*/embedded_postgres/pginstall/bin/postgres"))


@pytest.mark.skipif(not DEBIAN_15.is_dir(), reason="no PostgreSQL 15 of Debian on this machine")
def test_the_oldest_postgres_that_is_supported_serves_as_well(
    open_folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDED_PG_BIN", str(DEBIAN_15))
    with EmbeddedPostgres(open_folder / "fifteen", durable=False) as url:
        assert str(run_query(url, "SHOW server_version")).startswith("15.")
    with pytest.raises(VersionMismatch, match="made by PostgreSQL 18 and cannot be served by 15"):
        EmbeddedPostgres(root).start()


async def test_every_test_has_an_empty_database_of_its_own(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        tables = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
        assert await connection.scalar(text(tables)) == 0
        await connection.execute(text("CREATE TABLE mine (disk text)"))
    await engine.dispose()
