"""Login by a code that is confirmed on the page of the server (RFC 8628), for a machine without a browser."""

import asyncio
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
PENDING, SLOW_DOWN = "authorization_pending", "slow_down"


async def fetch_device_token(url: str, name: str) -> str:
    """Show a code, wait until a player has agreed on the page, and return the token. Raises CommandError.

    `url` is that of the WebSocket, and `name` what the player sees of this machine.
    """
    codes = await _post(url, "code", client_id=name or "diskwars")
    print_line(f"open {codes['verification_uri']} on any device that is logged in, and type {codes['user_code']}")
    loop, interval = asyncio.get_running_loop(), int(codes["interval"])
    ends_at = loop.time() + int(codes["expires_in"])
    while loop.time() < ends_at:
        await asyncio.sleep(interval)
        answer = await _post(url, "token", grant_type=GRANT_TYPE, device_code=codes["device_code"])
        if "access_token" in answer:
            return str(answer["access_token"])
        interval += SLOWER_SECONDS * (answer["error"] == SLOW_DOWN)
    raise CommandError("nobody has agreed in time")


async def _post(url: str, path: str, **fields: str) -> Any:
    """Return the answer to a request; a problem only if it says to go on asking. Raises CommandError."""
    status, answer = await asyncio.to_thread(_send, _address(url, path), json.dumps(fields).encode())
    if status == 200 or answer.get("error") in (PENDING, SLOW_DOWN):
        return answer
    raise CommandError(str(answer.get("detail", f"the server answered {status}")))


def _send(address: str, body: bytes) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as response:
            return response.status, json.loads(response.read(MAX_ANSWER_BYTES))
    except urllib.error.HTTPError as refused:
        try:
            return refused.code, json.loads(refused.read(MAX_ANSWER_BYTES))
        except ValueError:
            raise CommandError(f"{address} answered {refused.code}: is it a server of this version?") from None
    except (OSError, ValueError) as fault:
        raise CommandError(f"{address} cannot be reached: {fault}") from None


def _address(url: str, path: str) -> str:
    """Return the address of an operation, from that of the WebSocket."""
    parts = urlsplit(url)
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, f"/api/v1/device/{path}", "", ""))
