"""Login by a code that is confirmed on the page of the server (RFC 8628), for a machine without a browser."""

import asyncio
import http.client
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
ANSWER_SECONDS = 30
MAX_ANSWER_BYTES = 65_536
SLOWER_SECONDS = 5
MAX_INTERVAL_SECONDS = 60
PASSING_STATUSES = (429, 502, 503, 504)
"""Answers of a server or of its proxy that say nothing of the code."""
PENDING, SLOW_DOWN = "authorization_pending", "slow_down"


async def fetch_device_token(url: str, name: str) -> str:
    """Show a code, wait until a player has agreed on the page, and return the token. Raises CommandError.

    `url` is that of the WebSocket, and `name` what the player sees of this machine.
    """
    codes = await _post(url, "code", client_id=name or "diskwars")
    print_line(f"open {codes['verification_uri']} on any device that is logged in, and type {codes['user_code']}")
    loop, interval = asyncio.get_running_loop(), int(codes["interval"])
    ends_at, fault = loop.time() + int(codes["expires_in"]), ""
    while loop.time() < ends_at:
        await asyncio.sleep(interval)
        try:
            answer = await _post(url, "token", grant_type=GRANT_TYPE, device_code=codes["device_code"])
        except _TryAgain as hiccup:
            fault = f"; the last answer: {hiccup}"
            interval = min(2 * interval, MAX_INTERVAL_SECONDS)  # back off (RFC 8628, 3.5)
            continue
        fault = ""
        if token := answer.get("access_token"):
            return str(token)
        if "error" not in answer:
            raise CommandError("the server agreed, but its answer has no token: is it a server of this version?")
        interval += SLOWER_SECONDS * (answer["error"] == SLOW_DOWN)
    raise CommandError(f"nobody has agreed in time{fault}")


class _TryAgain(CommandError):
    """A request that was not answered, and may be later."""


async def _post(url: str, path: str, **fields: str) -> Any:
    """Return the answer to a request; a problem only if it says to go on asking. Raises CommandError."""
    status, answer = await asyncio.to_thread(_send, _address(url, path), json.dumps(fields).encode())
    if status == 200 or answer.get("error") in (PENDING, SLOW_DOWN):
        return answer
    text = str(answer.get("detail", f"the server answered {status}"))
    raise _TryAgain(text) if status in PASSING_STATUSES else CommandError(text)


def _send(address: str, body: bytes) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as response:
            status, content = response.status, response.read(MAX_ANSWER_BYTES)
    except urllib.error.HTTPError as refused:
        with refused:
            status, content = refused.code, _read_refusal(refused)
    except (OSError, ValueError, http.client.HTTPException) as fault:
        raise _TryAgain(f"{address} cannot be reached: {fault}") from None
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise _TryAgain(f"{address} answered {status}: is it a server of this version?")
    return status, answer


def _read_refusal(refused: urllib.error.HTTPError) -> bytes:
    try:
        return refused.read(MAX_ANSWER_BYTES)
    except (OSError, http.client.HTTPException):
        return b""  # cut off: no JSON, and so worth another try


def _address(url: str, path: str) -> str:
    """Return the address of an operation, from that of the WebSocket."""
    parts = urlsplit(url)
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, f"/api/v1/device/{path}", "", ""))
