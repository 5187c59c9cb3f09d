"""A server in memory with the HTTP interface, and requests to it."""

import asyncio
import contextlib
import http.client
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from diskwars_server.api.challenges import ChallengeOperations
from diskwars_server.api.device_logins import DeviceLoginOperations
from diskwars_server.api.documents import with_documents
from diskwars_server.api.interface import HttpInterface
from diskwars_server.api.operations import API_PREFIX
from diskwars_server.api.reads import ReadOperations
from diskwars_server.api.writes import PlayerOperations
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.monitoring.health import HealthReport
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer


class ApiAnswer:
    """The answer to one request. `body` is as it came, perhaps compressed."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem, whose form is checked with it."""
        assert self.headers["Content-Type"] == "application/problem+json", self.body
        assert self.json["status"] == self.status
        assert self.status != 429 or int(self.headers["Retry-After"]) > 0
        return str(self.json["code"])


def fetch_api(url: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> ApiAnswer:
    address = urlsplit(url)
    asking = http.client.HTTPConnection(str(address.hostname), address.port, timeout=TEST_TIMEOUT_SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with contextlib.closing(asking):
        asking.request(method, API_PREFIX + path, body, named)
        return ApiAnswer(asking.getresponse())


async def get_api(url: str, path: str, **options: Any) -> ApiAnswer:
    return await asyncio.to_thread(fetch_api, url, path, **options)


async def is_well() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


def make_api(node: InMemoryServer, pictures: BoardPictures | None = None) -> HttpInterface:
    context = node.session_context
    reads = ReadOperations(
        context.requests.handlers,
        node.matches,
        node.rules,
        node.services,
        pictures=pictures,
        health=is_well,
        version="1.2.3",
    )
    plays = PlayerOperations(context, node.tokens)
    logins = DeviceLoginOperations(context.requests.services.device_logins, "")
    challenges = ChallengeOperations(context)
    rows = *reads.operations(), *plays.operations(), *challenges.operations(), *logins.operations()
    operations = with_documents(rows, "1.2.3")
    return HttpInterface(operations, context.quotas, node.accounts)


@contextlib.asynccontextmanager
async def serving_api(
    node: InMemoryServer, pictures: BoardPictures | None = None, **options: Any
) -> AsyncIterator[str]:
    """Provide the address of a server with the interface."""
    mount = make_api(node, pictures).mount()
    async with Transport(node.session_context, is_well, ListenOptions(**options), mounts=(mount,)) as transport:
        yield transport.url
