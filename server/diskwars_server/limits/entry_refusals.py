"""Answers to clients for whom there is no place: an HTTP response with a code and the time to wait."""

from functools import cache
from http import HTTPStatus
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Response

EntryRefusalCode: TypeAlias = Literal["server_full", "too_many_connections", "restarting"]


class EntryRefusal(Struct, frozen=True):
    """Refusal of a connection, with the milliseconds after which another may be taken. The response has it as JSON."""

    code: EntryRefusalCode
    retry_after_ms: int

    def make_response(self) -> Response:
        body = msgspec.json.encode(self) + b"\n"
        # Never 429: libraries of WebSocket clients try again after 500, 502, 503 and 504 only.
        status = HTTPStatus.SERVICE_UNAVAILABLE
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Retry-After": str(-(-self.retry_after_ms // 1000)),
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        return Response(status.value, status.phrase, Headers(headers), body)


# Places become free when others leave, which cannot be foreseen.
SERVER_FULL = EntryRefusal("server_full", 5000)
TOO_MANY_CONNECTIONS = EntryRefusal("too_many_connections", 5000)
RESTARTING = EntryRefusal("restarting", 1000)


@cache
def encode_refusal(refusal: EntryRefusal) -> bytes:
    """Return the bytes of the response; there are few refusals, and an attacker may be sent many of each."""
    return refusal.make_response().serialize()
