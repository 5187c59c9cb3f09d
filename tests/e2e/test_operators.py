"""An operator at the command line and players of a running server: each act of `diskwars admin` reaches them."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from msgspec import Struct

from diskwars_client.client import Client, connect
from diskwars_client.errors import SessionEnded
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.messages.chat import ChatMessage
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.upkeep import operator_act_poller as act_follower
from tests.cli.command_runner import CommandRunner
from tests.client.topics.test_accounts import wait_for_end
from tests.e2e.test_nodes import QUICK, take_seat, wait_for

STEP_SECONDS = 20
ResultT = TypeVar("ResultT")


@pytest.fixture
def diskwars(capsys: pytest.CaptureFixture[str]) -> CommandRunner:
    return CommandRunner(capsys)


class Players(Struct, frozen=True):
    """Olga, who has an account and no seat; Ann and Ben at a match, Ben with an account."""

    url: str
    olga: Client
    ann: Client
    ben: Client
    ann_seat: MatchHandle
    ben_seat: MatchHandle

    @property
    def match(self) -> str:
        return self.ann_seat.id


class ServerThread:
    """A server and its players in a thread, so that the command runs in the test's: it sets signal handlers."""

    def __init__(self, database_url: str) -> None:
        self._database_url, self._loop = database_url, asyncio.new_event_loop()
        self._begun: asyncio.Future[Players] = self._loop.create_future()
        self._is_over = asyncio.Event()

    @contextlib.contextmanager
    def run(self) -> Iterator[Players]:
        thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)
        thread.start()
        try:
            yield self.wait(self._players())
        finally:
            self._loop.call_soon_threadsafe(self._is_over.set)
            thread.join(STEP_SECONDS)
            self._loop.close()

    def wait(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Run a step of the players in the thread; return its result."""

        async def bounded() -> ResultT:
            async with asyncio.timeout(STEP_SECONDS):
                return await work

        # The second bound is for a loop that has ended.
        return asyncio.run_coroutine_threadsafe(bounded(), self._loop).result(STEP_SECONDS + 1)

    async def _players(self) -> Players:
        return await asyncio.shield(self._begun)

    async def _serve(self) -> None:
        async with (
            PostgresDatabase(self._database_url) as database,
            start_server(ServerSettings(port=0, bot_workers=0), database) as transport,
            connect(transport.url) as olga,
            connect(transport.url) as ann,
            connect(transport.url) as ben,
        ):
            await olga.accounts.register("Olga", "long enough for a test")
            await ben.accounts.register("Ben", "long enough for a test")
            opened = await ann.open_match(ruleset="pit")
            first, second = await take_seat(ann, opened.id, 0), await take_seat(ben, opened.id, 1)
            for handle in (first, second):
                await handle.ready()
            await wait_for(first, lambda: first.match.status == "running")
            self._begun.set_result(Players(transport.url, olga, ann, ben, first, second))
            await self._is_over.wait()


async def read_until_erased(reader: Client, match: str, posted: asyncio.Event) -> list[ChatMessage]:
    messages = []
    async with contextlib.aclosing(reader.chat.follow(match)) as chat:
        async for message in chat:
            messages.append(message)
            posted.set()
            if message.text is None:
                break
    return messages


async def begin_reading(players: Players) -> asyncio.Task[list[ChatMessage]]:
    """Let Ann read the chat, with a message of Ben; return the task, which ends with its erasure."""
    posted = asyncio.Event()
    reading = asyncio.create_task(read_until_erased(players.ann, players.match, posted))
    await players.ben.chat.send(players.match, "something rude")
    await posted.wait()
    return reading


async def is_let_in(url: str, token: str) -> bool:
    try:
        async with connect(url, token=token, retry_policy=QUICK):
            return True
    except SessionEnded:
        return False


async def find_end_reason(handle: MatchHandle) -> str:
    await wait_for(handle, lambda: handle.match.status == "ended")
    assert handle.match.result is not None
    return handle.match.result.end_reason


async def take(task: asyncio.Task[ResultT]) -> ResultT:
    return await task


def test_acts_of_an_operator_reach_the_players_of_a_running_server(
    diskwars: CommandRunner, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(act_follower, "POLL_SECONDS", 0.05)
    store = ("--database-url", database_url)
    act = (*store, "--operator", "Olga", "--reason", "threats in the chat")
    server = ServerThread(database_url)
    with server.run() as players:
        match, ben = players.match, players.ben.player
        granted = diskwars("admin", "grant", "Olga", "--reason", "runs this server", *store)
        assert granted.lines == ["Olga is an operator"]
        assert match in diskwars("admin", "list", "--status", "running", *store).out
        inspected = [json.loads(line) for line in diskwars("admin", "inspect", match, *act).lines]
        assert [record["seq"] for record in inspected] == list(range(1, len(inspected) + 1))
        at = str(len(inspected))
        assert json.loads(diskwars("admin", "inspect", match, "--at", at, *act).out)["match"] == match

        server.wait(players.ann.chat.report(match, 1, ben, "threatens me"))
        assert "threatens me" in diskwars("admin", "reports", *store).out
        assert diskwars("admin", "close-report", "1", *act).lines == ["report 1 is closed"]
        reading = server.wait(begin_reading(players))
        assert diskwars("admin", "erase-chat", "--match", match, *act).lines == ["1 message erased"]
        assert [message.text for message in server.wait(take(reading))] == ["something rude", None]

        assert diskwars("admin", "ban", "Ben", *act).code == 0
        assert server.wait(wait_for_end(players.ben)).close_reason == "banned"
        assert not server.wait(is_let_in(players.url, players.ben.token))
        assert "Ben" in diskwars("admin", "bans", *store).lines[1]
        assert diskwars("admin", "unban", "Ben", *act).code == 0
        assert server.wait(is_let_in(players.url, players.ben.token))

        assert diskwars("admin", "rename", "Ben", "Player 7", *act).lines == ["Ben is called Player 7 now"]
        assert diskwars("admin", "end", match, *act).lines[0].startswith(f"match {match} has ended with record ")
        assert server.wait(find_end_reason(players.ann_seat)) == "stopped"
        again = diskwars.error_message("admin", "end", match, *act)
        assert again == f"match {match} was ended by an operator before (match_ended)"
    listed = diskwars("admin", "acts", *store).lines[1:]
    assert [line.split("  ")[0] for line in listed] == [str(number) for number in range(len(listed), 0, -1)]
    kinds = ("end", "rename", "unban", "ban", "erase chat", "close report", "inspect", "inspect", "grant")
    assert all(f" {kind} " in line for kind, line in zip(kinds, listed, strict=True)), listed
