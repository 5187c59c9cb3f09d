"""What does the stack allow? The bare reference: websockets, uvloop and group commit, without any rules.

Two clients join a game; each move of one is stored durably, and then both are sent it. No accounts, no resuming, no
limits, nothing checked but the turn: the floor that our server is held against.

    python -m bench.reference_server DATABASE_URL
"""

import asyncio
import contextlib
import signal
import sys
from typing import TypeAlias

import asyncpg
import msgspec
import uvloop
from msgspec import Struct
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

from bench.processes import options

TABLE = "create table moves (game bigint, seq bigint, body bytea not null, primary key (game, seq))"
APPEND = "insert into moves select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])"


class Join(Struct, tag="join"):
    game: int


class Move(Struct, tag="move"):
    seq: int
    text: str


class Moved(Struct, tag="moved"):
    game: int
    seq: int
    text: str


Said: TypeAlias = Join | Move
_SAID: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
_ENCODER = msgspec.json.Encoder()


class Game:
    def __init__(self, number: int) -> None:
        self.number, self.seq = number, 0
        self.players: list[ServerConnection] = []


Waiting: TypeAlias = tuple[Game, int, bytes]


class Writer:
    """Group commit without a timer: whatever waits is one statement, and so one transaction."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self._waiting: list[Waiting] = []
        self._wake = asyncio.Event()

    def append(self, game: Game, body: bytes) -> None:
        self._waiting.append((game, game.seq, body))
        self._wake.set()

    async def run(self) -> None:
        statement = await self._connection.prepare(APPEND)
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            await statement.fetch(
                [game.number for game, _, _ in batch], [seq for _, seq, _ in batch], [b for _, _, b in batch]
            )
            for game, _, body in batch:
                broadcast(game.players, body, text=True)


async def main(url: str) -> None:
    connection = await asyncpg.connect(**options(url))
    await connection.execute(TABLE)
    writer, games = Writer(connection), dict[int, Game]()
    writing = asyncio.create_task(writer.run())

    async def converse(socket: ServerConnection) -> None:
        joined = _SAID.decode(await socket.recv())
        assert isinstance(joined, Join)
        game = games.setdefault(joined.game, Game(joined.game))
        game.players.append(socket)
        await socket.send(b'{"type":"joined"}', text=True)
        with contextlib.suppress(ConnectionClosed):
            while True:
                move = _SAID.decode(await socket.recv())
                if isinstance(move, Move) and move.seq == game.seq + 1:
                    game.seq = move.seq
                    writer.append(game, _ENCODER.encode(Moved(game.number, move.seq, move.text)))

    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    async with serve(converse, "127.0.0.1", 0, compression=None, backlog=1024) as server:
        print(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/", flush=True)
        await told.wait()
    writing.cancel()
    await connection.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
