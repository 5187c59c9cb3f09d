"""Requests to the server, as the parts of a client send them."""

import uuid
from typing import Protocol, TypeAlias, TypeVar

from diskwars_protocol.connection.streams import VerifiedRange
from diskwars_protocol.messages import QueryResponse, Request
from diskwars_protocol.messages.decisions import Accepted, OptionsResponse
from diskwars_protocol.messages.opening import Opened
from diskwars_protocol.messages.watching import Unwatched, Watching

Response: TypeAlias = Opened | Watching | Unwatched | Accepted | OptionsResponse | VerifiedRange | QueryResponse
"""Whatever answers a request that is not refused."""
ResponseT = TypeVar("ResponseT", bound=Response)


class Requester(Protocol):
    """Sender of requests; a `Client` is one."""

    async def request(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        """Send a request and return its response. Raises CommandRefused."""


def new_command_id() -> str:
    return str(uuid.uuid4())
