"""The client does what tests/vectors/connection.json says, which the client of the page is tested with too."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.reconnects import may_reconnect
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import ConnectionState, ProtocolError, encode
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.handshake import Welcome
from diskwars_protocol.messages.watching import Watch
from tests.client.connection_vectors import WELCOME, make_vectors
from tests.client.local_server import TEST_TIMEOUT_SECONDS
from tests.golden_files import assert_golden, format_json
from tests.rows import each_row

FILE = Path(__file__).parents[1] / "vectors" / "connection.json"
VECTORS = make_vectors()


def test_vectors_are_current() -> None:
    assert_golden(FILE, format_json(VECTORS) + "\n")


class Conversation:
    """A client that is led through the steps of a conversation."""

    def __init__(self) -> None:
        self.client = ClientConnection()
        self.ids: list[str] = []
        self.sent: list[Any] = [json.loads(self.client.send_hello())]
        self.seen = 0

    def take(self, step: dict[str, Any]) -> None:
        if "does" in step:
            self.ask(step["does"])
        elif "sends" in step:
            self.seen += 1
            assert_has(self.sent[self.seen - 1], self.named(step["sends"]))
        elif "receives" in step:
            self.receive(step)
        elif "cut" in step:
            self.connect_again()
        else:
            head = self.client.head(MatchId(step["state"]["match"]))
            assert head is not None
            assert (head.seq, head.hash) == (step["state"]["seq"], step["state"]["hash"])

    def ask(self, wanted: dict[str, Any]) -> None:
        self.ids.append(f"c{len(self.ids)}")
        if "watch" in wanted:
            request: Request = Watch(self.ids[-1], MatchId(wanted["watch"]))
        else:
            act = wanted["act"]
            action = msgspec.Raw(json.dumps(act["action"]).encode())
            request = Act(self.ids[-1], MatchId(act["match"]), action, DecisionId(act["decision"]))
        self.sent.append(json.loads(self.client.send(request)))

    def receive(self, step: dict[str, Any]) -> None:
        frame = json.dumps(self.named(step["receives"]), separators=(",", ":"))
        word = step.get("closes") or step.get("freezes")
        if word is not None:
            with pytest.raises(ProtocolError) as caught:
                self.client.receive(frame)
            assert caught.value.close_reason == word
            if word == "gap":
                self.connect_again()
            return
        received = self.client.receive(frame)
        if isinstance(received, Welcome):
            self.sent += [json.loads(again) for again in self.client.resend_unanswered()]
        if isinstance(received, Closing):
            assert self.client.state is ConnectionState.CLOSED
            self.connect_again()

    def connect_again(self) -> None:
        self.client.connection_lost()
        self.sent.append(json.loads(self.client.send_hello()))

    def named(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a message with the ids of this client's requests."""
        return {
            name: self.ids[int(value[1:]) - 1] if str(value).startswith("$") else value
            for name, value in message.items()
        }


def assert_has(found: Any, wanted: Any) -> None:
    """Assert that a value has what is wanted; an object may have more."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            assert_has(found[name], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_has(one, other)
    else:
        assert found == wanted


@each_row("told", VECTORS["conversations"], ids=lambda told: str(told["name"]))
def test_client_converses_as_the_vectors_say(told: dict[str, Any]) -> None:
    conversation = Conversation()
    for step in told["steps"]:
        conversation.take(step)
    assert conversation.seen


def test_client_connects_again_after_the_closings_that_allow_it() -> None:
    for row in VECTORS["closings"]:
        closing = msgspec.convert(row["closing"], Closing)
        # A new token is for the program to ask for: this client ends.
        assert may_reconnect(closing) is (row["then"] == "resume"), row


@each_row("row", VECTORS["refusals"], ids=lambda row: f"{row['refused']['code']} {row['then']}")
async def test_client_sends_a_refused_command_again_where_the_server_says_when(row: dict[str, Any]) -> None:
    asked: list[tuple[float, str]] = []

    async def answer(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(encode(WELCOME).decode())
        async for frame in socket:
            request = json.loads(frame)
            asked.append((asyncio.get_running_loop().time(), request["id"]))
            response = {**row["refused"], "id": request["id"]}
            await socket.send(
                json.dumps(response if len(asked) == 1 else {"type": "match_list", "id": request["id"], "matches": []})
            )

    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), serve(answer, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/ws") as client:
            if row["then"] == "answer":
                with pytest.raises(CommandRefused, match=row["refused"]["code"]):
                    await client.lobby.list()
            else:
                await client.lobby.list()
    assert len({command for _, command in asked}) == 1
    assert len(asked) == (2 if row["then"] == "repeat" else 1)
    if row["then"] == "repeat":
        assert asked[1][0] - asked[0][0] >= row["wait_ms"] / 1000
