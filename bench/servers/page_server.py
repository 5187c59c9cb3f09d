"""Server of one page and an echo on one port, as ours answers both: `websockets` with a hook for plain requests.

python -m bench.servers.page_server
"""

import asyncio
import contextlib
import signal

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

PAGE = b"p" * 8_192


def answer(connection: ServerConnection, request: Request) -> Response | None:
    if request.path == "/ws":
        return None
    headers = Headers({"Content-Type": "text/html", "Content-Length": str(len(PAGE)), "Connection": "close"})
    return Response(200, "OK", headers, PAGE)


async def echo(socket: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.send(await socket.recv(decode=False), text=True)


async def main() -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    options = {"compression": None, "ping_interval": None}
    async with serve(echo, "127.0.0.1", 0, process_request=answer, **options) as server:  # type: ignore[arg-type]
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await stopped.wait()


if __name__ == "__main__":
    uvloop.run(main())
