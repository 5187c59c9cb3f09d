"""Server that only broadcasts: `websockets.broadcast` of every message to every connection.

It is the lower bound that our fan-out is compared with.

    python -m bench.broadcast_server
"""

import asyncio
import contextlib
import signal

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed


async def main() -> None:
    everybody: set[ServerConnection] = set()

    async def converse(socket: ServerConnection) -> None:
        everybody.add(socket)
        with contextlib.suppress(ConnectionClosed):
            while True:
                broadcast(everybody, await socket.recv(decode=False), text=True)
        everybody.discard(socket)

    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    async with serve(converse, "127.0.0.1", 0, compression=None, backlog=1024, ping_interval=None) as server:
        print(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/", flush=True)
        await told.wait()


if __name__ == "__main__":
    uvloop.run(main())
