"""`serve --workers`: several processes behind one port, with one database; one that dies is replaced."""

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from diskwars_cli.own_server.serve_nodes import make_plans, metrics_address
from diskwars_client.client import connect
from diskwars_server.settings import ServerSettings, SettingsError
from tests.e2e.servers import ServerProcess, server_error
from tests.e2e.test_nodes import QUICK, play, take_seat, wait_for
from tests.nats_servers import free_port

TEST_SECONDS = 55
HOMES = Path("/run/homes")


def child_pids(pid: int, *, of: str) -> list[int]:
    """Return the children of a process whose command line holds this text."""
    pids = []
    with contextlib.suppress(FileNotFoundError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with contextlib.suppress(FileNotFoundError):
                if of.encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                    pids.append(int(child))
    return pids


def node_pids(server: ServerProcess) -> list[int]:
    return child_pids(server.process.pid, of="diskwars_cli.own_server.serve_node")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def wait_until(is_there: Callable[[], object]) -> None:
    async with asyncio.timeout(TEST_SECONDS):
        while not is_there():
            await asyncio.sleep(0.02)


async def health(server: ServerProcess) -> dict[str, str]:
    """Return the answer of the node that takes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer: dict[str, str] = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
    writer.close()
    await writer.wait_closed()
    return answer


async def find_nodes(server: ServerProcess, count: int) -> set[str]:
    """Ask until this many different processes have answered, several at once: an idle one takes all otherwise."""
    answered: set[str] = set()
    async with asyncio.timeout(TEST_SECONDS):
        while len(answered) < count:
            answers = await asyncio.gather(*(health(server) for _ in range(10)), return_exceptions=True)
            for answer in answers:
                if isinstance(answer, dict):
                    answered |= {answer["node"]} if "node" in answer else set()  # without one, it was too many at once
                elif not isinstance(answer, ConnectionError):  # a node that is killed resets what it has accepted
                    raise answer
            await asyncio.sleep(0.1)  # not more than an address may ask
    return answered


def options(database_url: str, *more: str) -> tuple[str, ...]:
    return ("--workers", "2", "--database-url", database_url, "--port", "0", "--bot-workers", "0", *more)


async def test_nodes_share_port_database_and_bus_and_end_together(open_folder: Path) -> None:
    async with ServerProcess("--workers", "2", "--data", str(open_folder / "shared"), "--port", "0") as server:
        assert len(await find_nodes(server, 2)) == 2
        answer = await health(server)
        assert (answer["status"], answer["database"], answer["bus"]) == ("ok", "ok", "ok")
        children = [*node_pids(server), *child_pids(server.process.pid, of="nats-server")]
        assert len(children) == 3
        changes: list[bool] = []
        async with connect(server.url, retry_policy=QUICK, on_connection_change=changes.append):
            code, said = await server.terminate()
        assert code == 0
        assert changes[-1] is False
        assert not any(map(is_running, children))
        assert "error" not in said
        serving = [line for line in said.splitlines() if f"serving url={server.url} workers=2" in line]
        assert len(serving) == 1


async def test_a_node_that_is_killed_is_replaced_and_its_players_go_on(database_url: str) -> None:
    async with ServerProcess(*options(database_url)) as server, contextlib.AsyncExitStack() as stack:
        ann, bob, eve = [await stack.enter_async_context(connect(server.url, retry_policy=QUICK)) for _ in range(3)]
        opened = await eve.open_match(ruleset="pit")
        first, second = await take_seat(ann, opened.id, 0), await take_seat(bob, opened.id, 1)
        bots = asyncio.gather(play(first), play(second))
        await wait_for(opened, lambda: opened.head > 6)
        before = set(node_pids(server))
        assert len(before) == 2
        os.kill(min(before), signal.SIGKILL)
        await wait_until(lambda: len(set(node_pids(server)) - before) == 1)
        await bots
        for handle in (first, second, opened):
            await wait_for(handle, lambda handle=handle: handle.match.status == "ended")  # type: ignore[misc]
        assert len({handle.stream.known_head for handle in (first, second, opened)}) == 1
        await find_nodes(server, 2)
        _, said = await server.terminate()
    assert said.count("worker lost") == 1
    assert 'why="it ended with status -9"' in said


async def scrape(port: int, metric: str) -> float:
    """Return a measurement of the node that serves its metrics at this port."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{metric} "))


async def test_each_match_is_held_by_one_node(database_url: str) -> None:
    count, port = 8, free_ports(2)
    async with ServerProcess(*options(database_url, "--metrics", str(port))) as server:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(count):
                ann, bob = [await stack.enter_async_context(connect(server.url)) for _ in range(2)]
                opened = await ann.open_match(ruleset="pit")
                await take_seat(bob, opened.id, 1)
            assert sum([await scrape(port + node, "diskwars_matches") for node in range(2)]) == count
            assert sum([await scrape(port + node, "diskwars_connections") for node in range(2)]) == 2 * count
            assert sum([await scrape(port + node, "diskwars_connections_moved_total") for node in range(2)]) > 0
        await server.terminate()


def free_ports(count: int) -> int:
    """Return the first of this many free ports in a row."""
    while True:
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            first = free_port()
            for number in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", number))
            return first


HELD_UP = """
import signal

def hold_up(*_):
    while True:
        pass

signal.signal(signal.SIGUSR2, hold_up)
"""
"""A module that Python imports at its start. A signal then holds up the event loop, as an endless decision would."""


async def test_everything_ends_with_a_supervisor_that_is_killed(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HELD_UP)
    monkeypatch.syspath_prepend(tmp_path)
    async with ServerProcess(*options(database_url)) as server:
        children = [*node_pids(server), *child_pids(server.process.pid, of="nats-server")]
        assert len(children) == 3
        for node in node_pids(server):
            os.kill(node, signal.SIGUSR2)
        # Not `server.kill`: the nodes hold the other end of its messages.
        server.process.kill()
        await server.process.wait()
        try:
            await wait_until(lambda: not any(map(is_running, children)))
        finally:
            for child in filter(is_running, children):
                os.kill(child, signal.SIGKILL)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", server.port))


async def test_what_is_wrong_is_said_once(database_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = await server_error(*options(database_url, "--port", str(port)))
        assert said == f"diskwars: port {port} is taken; try --port\n"
    lines = (await server_error(*options(database_url, "--pack", "nothing-like-it"))).splitlines()
    faults = [line for line in lines if line.startswith("diskwars: ")]
    assert len(faults) == 1
    assert "nothing-like-it" in faults[0]
    assert "Traceback" not in "".join(lines)


# ---------------------------------------------------------------- what each node receives


def test_what_one_process_does_for_all_is_divided() -> None:
    settings = ServerSettings(
        workers=3, bot_workers=4, metrics="127.0.0.1:9464", unstarted_hours=24, guest_match_days=9, guest_idle_days=8
    )
    plans = [plan.settings for plan in make_plans(settings, [], HOMES)]
    assert [plan.bot_workers for plan in plans] == [2, 1, 1]
    assert [plan.unstarted_hours for plan in plans] == [24, 0, 0]
    assert [plan.guest_match_days for plan in plans] == [9, 0, 0]
    assert [plan.guest_idle_days for plan in plans] == [8, 0, 0]
    assert [plan.metrics for plan in plans] == ["127.0.0.1:9464", "127.0.0.1:9465", "127.0.0.1:9466"]
    assert {plan.page for plan in plans} == {"built"}


def test_every_node_seats_bots_or_none_does() -> None:
    assert [plan.settings.bot_workers for plan in make_plans(ServerSettings(workers=2, bot_workers=1), [], HOMES)] == [
        1,
        1,
    ]
    assert [plan.settings.bot_workers for plan in make_plans(ServerSettings(workers=2, bot_workers=0), [], HOMES)] == [
        0,
        0,
    ]


def test_a_node_without_a_port_for_its_metrics_is_refused() -> None:
    assert metrics_address("0", 5) == "127.0.0.1:0"
    assert metrics_address("[::1]:9464", 1) == "[::1]:9465"
    with pytest.raises(SettingsError, match="metrics"):
        metrics_address("65535", 1)
