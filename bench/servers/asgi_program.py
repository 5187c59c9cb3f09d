"""The page and echo of `page_server` by Starlette on uvicorn, run by the Python in which these are installed."""

import asyncio
import socket

import uvicorn  # type: ignore[import-not-found]
from starlette.applications import Starlette  # type: ignore[import-not-found]
from starlette.requests import Request  # type: ignore[import-not-found]
from starlette.responses import HTMLResponse  # type: ignore[import-not-found]
from starlette.routing import Route, WebSocketRoute  # type: ignore[import-not-found]
from starlette.websockets import WebSocket, WebSocketDisconnect  # type: ignore[import-not-found]

PAGE = b"p" * 8_192


async def page(request: Request) -> HTMLResponse:
    return HTMLResponse(PAGE, headers={"Connection": "close"})


async def echo(peer: WebSocket) -> None:
    await peer.accept()
    try:
        while True:
            await peer.send_text(await peer.receive_text())
    except WebSocketDisconnect:
        pass


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(listener.getsockname()[1], flush=True)
    app = Starlette(routes=[Route("/", page), WebSocketRoute("/ws", echo)])
    config = uvicorn.Config(app, log_level="error", ws_per_message_deflate=False, ws_ping_interval=None, lifespan="off")
    await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    try:
        import uvloop
    except ImportError:
        asyncio.run(main())
    else:
        uvloop.run(main())
