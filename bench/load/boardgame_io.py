"""Load generator for boardgame.io: a two-player game over its lobby and its socket.io.

It runs the same closed loop as on our server: one player acts, the other receives the action, the next one follows.
"""

import asyncio
import json
import re
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from bench.load.load_matches import ActionReceived, LoadFailed
from bench.load.raw_websocket import FrameHandler, RawWebSocket

UPDATE_PREFIX = b'42/duel,["update"'
_STATE_ID = re.compile(rb'"_stateID":(\d+)')
MOVE_TEXT = "x" * 120  # as long as one of our actions


class BoardgameIoMatch:
    """A match on boardgame.io, played over new connections."""

    def __init__(self, url: str, connections: list[RawWebSocket]) -> None:
        parts = urlsplit(url)
        self._lobby, self._connections = f"http://{parts.netloc}/games/duel", connections
        self._match, self._secrets = "", list[str]()
        self._moves = 0
        self._on_received: ActionReceived | None = None

    async def start(self) -> None:
        self._match = str((await self._post("/create", {"numPlayers": 2}))["matchID"])
        for name in ("0", "1"):
            joined = await self._post(f"/{self._match}/join", {"playerID": name, "playerName": f"player {name}"})
            self._secrets.append(str(joined["playerCredentials"]))
        for seat, connection in enumerate(self._connections):
            await _send_and_wait(connection, b"40/duel,", b"40/duel,")
            sync = ["sync", self._match, str(seat), self._secrets[seat], 2]
            await _send_and_wait(connection, b"42/duel," + json.dumps(sync).encode(), b'42/duel,["sync"')
            connection.on_text = self._receiver(seat)

    def play_action(self, on_received: ActionReceived) -> None:
        """Send the next move; players take turns, and `on_received` is called when the other player has it."""
        self._on_received = on_received
        seat = self._moves % 2
        secret = self._secrets[seat]
        play = {"type": "play", "args": [MOVE_TEXT], "playerID": str(seat), "credentials": secret}
        action = {"type": "MAKE_MOVE", "payload": play}
        update = ["update", action, self._moves, self._match, str(seat)]
        self._connections[seat].send_text(b"42/duel," + json.dumps(update).encode())
        self._moves += 1

    async def _post(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        request = urllib.request.Request(
            self._lobby + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )

        def fetch() -> dict[str, Any]:
            with urllib.request.urlopen(request, timeout=60) as response:
                document: dict[str, Any] = json.load(response)
                return document

        return await asyncio.to_thread(fetch)

    def _receiver(self, seat: int) -> FrameHandler:
        connection = self._connections[seat]

        def handle(text: bytes) -> None:
            if text == b"2":
                connection.send_text(b"3")
            elif text.startswith(UPDATE_PREFIX) and seat == self._moves % 2 and self._on_received is not None:
                state_id = _STATE_ID.search(text)
                if state_id is not None and int(state_id[1]) == self._moves:
                    self._on_received(self)
            elif b'"error"' in text[:60]:
                raise LoadFailed(f"boardgame.io said {text[:200]!r}")

        return handle


async def _send_and_wait(connection: RawWebSocket, text: bytes, answer: bytes) -> None:
    """Send a text, and wait for a message that begins like the answer."""
    answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def handle(message: bytes) -> None:
        if message.startswith(answer) and not answered.done():
            answered.set_result(None)

    connection.on_text = handle
    connection.send_text(text)
    await answered
