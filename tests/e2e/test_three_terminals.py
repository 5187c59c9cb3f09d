"""Three terminals on two nodes: a connection, a node and PostgreSQL are killed in turn, and the match goes on."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from threading import Event

import pytest

from diskwars_server.processes.embedded_postgres import EmbeddedPostgres
from tests.chaos.kill_processes import postmaster_pid
from tests.e2e.servers import ServerProcess, run_command
from tests.nats_servers import free_port, nats_server

TEST_SECONDS = 150
TEARDOWN_SECONDS = 10
LOST, BACK = "connection lost, trying again …", "connected again"
WAITS = "the server cannot save anything right now: your order waits, and is sent again by itself"
DELAYED = "you see each round once it is over"
REVEALED = "Cards revealed: "
PROMPT = "\n> "
NOTHING = "there is nothing to confirm"
OPTION = re.compile(r"^  (\d+)\. (.+)$", re.MULTILINE)
MAX_ORDERS = 300
"""Of one terminal: a round takes about fifteen."""

pytestmark = pytest.mark.timeout(180)  # two servers, five terminals and four commands begin one after another


class HeldPostgres(EmbeddedPostgres):
    """A database that is started again by itself after its death, but not before `may_return`."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.may_return = Event()

    def _try_to_restart(self) -> bool:
        self.may_return.wait(TEST_SECONDS)
        return super()._try_to_restart()

    def stop(self) -> None:
        self.may_return.set()  # the thread that would start it again has to end first
        super().stop()

    def kill(self) -> None:
        os.kill(postmaster_pid(self.root), signal.SIGKILL)


class Relay:
    """The way of one terminal to the nodes: each connection goes to the first of them that takes it."""

    def __init__(self, *nodes: ServerProcess) -> None:
        self._ports = [node.port for node in nodes]
        self._writers: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self.url = ""

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["Relay"]:
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"
        try:
            yield self
        finally:
            server.close()
            self.cut()
            if self._connections:
                await asyncio.wait(self._connections, timeout=TEARDOWN_SECONDS)

    def cut(self) -> None:
        """Reset the connections of the terminal."""
        for writer in self._writers:
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        try:
            for port in self._ports:
                with contextlib.suppress(OSError):
                    node_reader, node_writer = await asyncio.open_connection("127.0.0.1", port)
                    await _join(reader, writer, node_reader, node_writer)
                    return
        finally:
            self._writers.discard(writer)
            writer.transport.abort()


async def _join(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    node_reader: asyncio.StreamReader,
    node_writer: asyncio.StreamWriter,
) -> None:
    """Forward in both directions until one end is closed."""
    ways = [asyncio.create_task(_forward(*way)) for way in ((reader, node_writer), (node_reader, writer))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        node_writer.transport.abort()


async def _forward(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()


class Terminal:
    """A command that reads orders from a pipe, and all that it has printed."""

    def __init__(self, process: asyncio.subprocess.Process, changed: asyncio.Condition) -> None:
        """`changed` is notified whenever something was printed."""
        self.process, self._changed = process, changed
        self.text = ""
        self._answered = self._orders = 0

    async def follow(self) -> None:
        assert self.process.stdout is not None
        raw = b""
        while data := await self.process.stdout.read(65_536):
            raw += data
            self.text = raw.decode(errors="ignore")  # a character may be cut in two
            async with self._changed:
                self._changed.notify_all()

    @property
    def is_asked(self) -> bool:
        return self.text.count(PROMPT) > self._answered

    @property
    def narration(self) -> list[str]:
        """The lines that tell the match."""
        return [line for line in self.text.splitlines() if line not in (LOST, BACK, DELAYED)]

    def type_line(self, line: str) -> None:
        assert self.process.stdin is not None
        self._answered = self.text.count(PROMPT)
        self.process.stdin.write(f"{line}\n".encode())

    def answer(self) -> None:
        """Choose a shot if one is offered, else the first option that needs no place; confirm it if asked to.

        A prompt that comes again after an outage stands alone: `options` lists them.
        """
        last = self.text.rsplit(PROMPT, 2)[-2]
        offered = OPTION.findall(last)
        shots = [number for number, text in offered if text.startswith("shoot")]
        others = [number for number, text in offered if not text.startswith("move")]
        self.type_line((shots or others or ["options" if NOTHING in last else "yes"])[0])
        self._orders += 1
        assert self._orders < MAX_ORDERS, self.text[-1000:]

    async def wait_until(self, is_reached: Callable[[], bool]) -> None:
        async with self._changed:
            await self._changed.wait_for(is_reached)

    async def wait_text(self, text: str) -> None:
        await self.wait_until(lambda: text in self.text)


class Show:
    """Terminals on two nodes that share a database; each terminal has a machine and a way to the nodes of its own."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._changed = asyncio.Condition()
        self.nodes: list[ServerProcess] = []

    async def start_nodes(self, database_url: str) -> None:
        nats_port = free_port()
        await self._stack.enter_async_context(nats_server(nats_port))
        shared = ("--database-url", database_url, "--nats-url", f"nats://127.0.0.1:{nats_port}")
        for _ in range(2):
            node = ServerProcess(*shared, "--port", "0", "--bot-workers", "1", "--log-level", "error")
            self.nodes.append(await self._stack.enter_async_context(node))

    async def relay(self, *, first: int) -> Relay:
        """Return a way to the nodes that prefers this one."""
        return await self._stack.enter_async_context(Relay(self.nodes[first], self.nodes[1 - first]).run())

    async def terminal(self, machine: str, relay: Relay, *words: str) -> Terminal:
        words = (*words, "--url", relay.url)
        return await self._stack.enter_async_context(self._run(self._folder / machine, words))

    @contextlib.asynccontextmanager
    async def _run(self, home: Path, words: tuple[str, ...]) -> AsyncIterator[Terminal]:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "diskwars_cli",
            *words,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "DISKWARS_CALLED": "diskwars"}
            | {"XDG_DATA_HOME": str(home / "data"), "XDG_STATE_HOME": str(home / "state")},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        terminal = Terminal(process, self._changed)
        following = asyncio.create_task(terminal.follow())
        try:
            yield terminal
        except BaseException:
            print(f"--- {home.name}: {' '.join(words)}\n{terminal.text[-3000:]}")
            raise
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await following
            await process.wait()

    async def play(self, players: tuple[Terminal, ...], is_reached: Callable[[], bool]) -> None:
        """Answer every question until something is reached."""

        def has_answered_all() -> bool:
            if is_reached():
                return True
            for player in players:
                if player.is_asked:
                    player.answer()
            return False

        async with self._changed:
            await self._changed.wait_for(has_answered_all)


async def test_match_goes_on_and_is_looked_back_at(open_folder: Path, tmp_path: Path) -> None:
    database = HeldPostgres(open_folder / "three")
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        show = Show(tmp_path, stack)
        await show.start_nodes(stack.enter_context(database))
        first_way, second_way, watcher_way = [await show.relay(first=node) for node in (0, 1, 1)]
        options = ("--setup", "quick", "--watchers", "round_later")
        first = await show.terminal("first", first_way, "play", "--army", "empire", *options)
        await first.wait_text("return at any time with: ")
        match = first.text.partition("--match ")[2].split()[0]
        second = await show.terminal("second", second_way, "play", "--army", "chaos", "--match", match)
        watcher = await show.terminal("watcher", watcher_way, "watch", match, "--from-start")
        await play_two_rounds(show, database, first_way, (first, second, watcher))
        first.type_line("resign yes")
        for terminal in (first, second, watcher):
            assert await terminal.process.wait() == 0
            await terminal.wait_text("\nChaos Patrol won: resignation  [R4.7]\n")
            assert terminal.text.count(LOST) == terminal.text.count(BACK) == 1
        await first.wait_text(f"\nlook at it again with: diskwars replay {match} --step --url {first_way.url}\n")
        await look_back(match, second_way, watcher, tmp_path / "match")
        await play_branch(show, match, watcher_way)


async def play_two_rounds(
    show: Show, database: HeldPostgres, first_way: Relay, terminals: tuple[Terminal, Terminal, Terminal]
) -> None:
    """Break something three times in the first round, and see to it that the match reaches the cards of the second."""
    first, second, watcher = terminals
    players = (first, second)

    async def play_until(text: str, times: int = 1) -> None:
        await show.play(players, lambda: all(player.text.count(text) >= times for player in players))

    await show.play(players, lambda: first.is_asked and "== Round 1 of 5 ==" in first.text)
    first_way.cut()
    await first.wait_text(BACK)
    await play_until(REVEALED)
    assert LOST not in second.text + watcher.text, "they were not cut off"

    await show.nodes[1].kill()
    for terminal in (second, watcher):
        await terminal.wait_text(BACK)
    await play_until(REVEALED, 2)
    assert first.text.count(LOST) == 1, "the first player's node is still there"

    await watcher.wait_text("Initiative order: ")  # with the set-up; the first round comes when the second begins
    assert watcher.text.count(DELAYED) == 1
    assert not re.search("locked a card|Cards revealed", watcher.text)
    assert "== Round 2 of 5 ==" not in first.text + second.text
    database.kill()
    await show.play(players, lambda: WAITS in first.text + second.text)
    database.may_return.set()
    await play_until("== Round 2 of 5 ==")
    await watcher.wait_until(lambda: watcher.text.count(REVEALED) == 2)  # with which the first round is over
    await play_until(REVEALED, 3)
    assert watcher.text.count(REVEALED) == 2, "the second round is not over"
    assert WAITS not in watcher.text, "who watches gives no orders"


async def run_verb(verb: str, *words: str) -> str:
    code, output, errors = await run_command(verb, *words)
    assert (code, errors) == (0, ""), output
    return output


async def look_back(match: str, way: Relay, watcher: Terminal, file: Path) -> None:
    replayed = await run_verb("replay", match, "--as", "public", "--url", way.url)
    assert replayed.splitlines() == watcher.narration, "nothing was missed, doubled or told out of order"
    await run_verb("export", match, "-o", str(file), "--url", way.url)
    assert "Empire Patrol resigned\n" in await run_verb("replay", "--file", str(file))
    await run_verb("verify", str(file))
    heading, *rows, note = (await run_verb("luck", match, "--url", way.url)).splitlines()
    assert heading.split() == ["seat", "player", "roll", "rolls", "expected", "rolled", "luck"]
    assert [row.split()[:3] for row in rows if "Patrol" in row] == [["A", "Empire", "Patrol"], ["B", "Chaos", "Patrol"]]
    assert sum("initiative" in row for row in rows) == 2
    assert note.startswith("luck: how often chance alone does worse")


async def play_branch(show: Show, match: str, way: Relay) -> None:
    """Play on from the beginning of round 2, which a replay names, against a bot."""
    replay = await show.terminal("watcher", way, "replay", match, "--step", "--round", "2")
    replay.type_line("quit")
    assert await replay.process.wait() == 0
    await replay.wait_text("== Round 2 of 5 ==")
    moment = re.search(r"^record (\d+) of \d+", replay.text, re.MULTILINE)
    assert moment
    branch = await show.terminal("watcher", way, "play", "--from", f"{match}/{moment[1]}", "--bot", "greedy")
    await branch.wait_until(lambda: branch.is_asked)
    assert "\nYou play Empire Patrol, seat A, against Chaos Patrol (greedy bot)\n" in branch.text
    assert branch.text.endswith("> ")
    assert (REVEALED in branch.text, "\nEmpire Patrol locks a command card\n  1. " in branch.text) == (False, True)
    branch.answer()
    await branch.wait_text(REVEALED)
    branch.type_line("quit")
    assert await branch.process.wait() == 0
    await branch.wait_text("the bot waits for you; return with: diskwars play --resume\n")
