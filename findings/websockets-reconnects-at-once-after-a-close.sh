#!/usr/bin/env bash
# What `async for connection in connect(...)` of websockets does where the server takes each connection and closes it
# with 1013 ("try again later").
#
# expected: its back-off, which begins at some seconds and grows, holds between any two connections; or the close code
# that asks to come back later makes it wait.
#
# seen: with websockets 17.4: the back-off is for handshakes that fail. After one that succeeded it connects again at
# once, however short the connection was and whatever its code said: tens of connections a second from one client, for
# as long as the server is full. A handshake that is answered with 503 is one that fails: the client waits for seconds.
# What helps: refuse with 503 before the upgrade, and keep closing codes for connections that have lived a while.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check websockets==17.4
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

SECONDS, MANY, FEW = 2, 20, 2


async def count(refuses_handshake):
    """Return how often one client connects within SECONDS to a server that has no place for it."""
    attempts = 0

    def answer(connection, request):
        nonlocal attempts
        attempts += 1
        return connection.respond(503, "full\n") if refuses_handshake else None

    async def close(connection):
        await connection.close(1013, "try again later")

    async def stay_connected(port):
        async for connection in connect(f"ws://127.0.0.1:{port}"):
            try:
                await connection.recv()
            except ConnectionClosed:
                continue

    async with serve(close, "127.0.0.1", 0, process_request=answer) as server:
        client = asyncio.create_task(stay_connected(server.sockets[0].getsockname()[1]))
        await asyncio.sleep(SECONDS)
        client.cancel()
        await asyncio.gather(client, return_exceptions=True)
    return attempts


async def main():
    closed, refused = await count(False), await count(True)
    print(f"closed with 1013 after the handshake: {closed} connections in {SECONDS} s")
    print(f"refused with 503 in the handshake: {refused} attempts in {SECONDS} s")
    is_as_found = closed >= MANY and refused <= FEW
    print("as found" if is_as_found else "CHANGED")
    return not is_as_found


sys.exit(asyncio.run(main()))
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
