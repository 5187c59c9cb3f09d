"""Server that only broadcasts every message to every connection with `websockets.broadcast`.

It is the lower bound that our fan-out is compared with.

    python -m bench.servers.broadcast_server
"""

import asyncio
import contextlib
import signal

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed


async def main() -> None:
    connections: set[ServerConnection] = set()

    async def serve_connection(socket: ServerConnection) -> None:
        connections.add(socket)
        with contextlib.suppress(ConnectionClosed):
            while True:
                broadcast(connections, await socket.recv(decode=False), text=True)
        connections.discard(socket)

    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with serve(serve_connection, "127.0.0.1", 0, compression=None, backlog=1024, ping_interval=None) as server:
        print(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/", flush=True)
        await stopped.wait()


if __name__ == "__main__":
    uvloop.run(main())
