"""The bare reference: websockets, uvloop and group commit without any rules, the upper bound of this stack.

Two clients join a game; each move of one is stored durably and then sent to both. It has no accounts, no resuming and
no limits, and checks nothing but the turn.

    python -m bench.servers.reference_server DATABASE_URL
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

from bench.measuring.processes import asyncpg_options

CREATE_TABLE_SQL = "create table moves (game bigint, seq bigint, body bytea not null, primary key (game, seq))"
APPEND_SQL = "insert into moves select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])"


class JoinMessage(Struct, tag="join"):
    game: int


class MoveMessage(Struct, tag="move"):
    seq: int
    text: str


class MovedMessage(Struct, tag="moved"):
    game: int
    seq: int
    text: str


ReferenceMessage: TypeAlias = JoinMessage | MoveMessage
_MESSAGE_DECODER: msgspec.json.Decoder[ReferenceMessage] = msgspec.json.Decoder(ReferenceMessage)
_ENCODER = msgspec.json.Encoder()


class ReferenceMatch:
    def __init__(self, number: int) -> None:
        self.number, self.seq = number, 0
        self.players: list[ServerConnection] = []


PendingMove: TypeAlias = tuple[ReferenceMatch, int, bytes]


class ReferenceWriter:
    """A group commit without a timer: all pending moves are written by one statement in one transaction."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self._pending: list[PendingMove] = []
        self._wake = asyncio.Event()

    def append(self, game: ReferenceMatch, body: bytes) -> None:
        self._pending.append((game, game.seq, body))
        self._wake.set()

    async def run(self) -> None:
        statement = await self._connection.prepare(APPEND_SQL)
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._pending = self._pending, []
            await statement.fetch(
                [game.number for game, _, _ in batch], [seq for _, seq, _ in batch], [b for _, _, b in batch]
            )
            for game, _, body in batch:
                broadcast(game.players, body, text=True)


async def main(url: str) -> None:
    connection = await asyncpg.connect(**asyncpg_options(url))
    await connection.execute(CREATE_TABLE_SQL)
    writer, games = ReferenceWriter(connection), dict[int, ReferenceMatch]()
    writing = asyncio.create_task(writer.run())

    async def serve_connection(socket: ServerConnection) -> None:
        joined = _MESSAGE_DECODER.decode(await socket.recv())
        assert isinstance(joined, JoinMessage)
        game = games.setdefault(joined.game, ReferenceMatch(joined.game))
        game.players.append(socket)
        await socket.send(b'{"type":"joined"}', text=True)
        with contextlib.suppress(ConnectionClosed):
            while True:
                move = _MESSAGE_DECODER.decode(await socket.recv())
                if isinstance(move, MoveMessage) and move.seq == game.seq + 1:
                    game.seq = move.seq
                    writer.append(game, _ENCODER.encode(MovedMessage(game.number, move.seq, move.text)))

    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with serve(serve_connection, "127.0.0.1", 0, compression=None, backlog=1024) as server:
        print(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/", flush=True)
        await stopped.wait()
    writing.cancel()
    await connection.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
