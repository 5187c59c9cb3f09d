"""The interface at `/api/v1`: finds the operation of a request, admits it, and turns faults into problems."""

import logging
from collections.abc import Sequence

from websockets.http11 import Request, Response

from diskwars_protocol.connection.connection import ServerConnection
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server.api.answers import make_answer, make_preflight, make_problem
from diskwars_server.api.operations import API_PREFIX, Call, Operation
from diskwars_server.api.parameters import read_request
from diskwars_server.api.problems import refuse
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.http.routes import Mount
from diskwars_server.http.streams import StreamedResponse
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.players.users import too_many_requests
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)


class HttpInterface:
    """Answers the requests below the prefix of the interface."""

    def __init__(self, operations: Sequence[Operation], quotas: AddressQuotas) -> None:
        self.operations, self._quotas = tuple(operations), quotas

    def mount(self) -> Mount:
        return Mount(API_PREFIX, self.respond)

    async def respond(self, request: Request, address: str) -> Response:
        """Return the response to a request from an address, as quotas count it."""
        try:
            response = await self._find(request, address)
        except (Refusal, StoreUnavailable) as fault:
            response = make_problem(fault)
        except Exception as fault:
            log.error("request over HTTP not answered", extra=describe_fault(fault))
            response = make_problem(Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS))
        if request.method != "HEAD":
            return response
        if isinstance(response, StreamedResponse):
            return await response.drop_body()
        response.body = b""  # Content-Length stays that of the body (RFC 9110, section 9.3.2)
        return response

    async def _find(self, request: Request, address: str) -> Response:
        if wait_ms := self._quotas.admit_request(address):
            raise too_many_requests(wait_ms)
        path, _, query = request.path.removeprefix(API_PREFIX).partition("?")
        path = "" if path == "/" else path
        named = [
            (operation, parts) for operation in self.operations if (parts := operation.find_parts(path)) is not None
        ]
        if not named:
            raise refuse("unknown_path", f"nothing is at this path; {API_PREFIX}/openapi.json lists every path")
        methods = _allowed_methods([operation for operation, _ in named])
        if request.method == "OPTIONS":
            return make_preflight(methods)
        method = "GET" if request.method == "HEAD" else request.method
        for operation, parts in named:
            if operation.method == method:
                wanted = read_request(operation.request, operation.id, operation.parameters, parts, query)
                user = MatchUser(Outbox(ServerConnection(DEFAULT_CLIENT_LIMITS)), address, self._quotas)
                return make_answer(await operation.answer(Call(user, request), wanted), request)
        refused = make_problem(refuse("bad_method", f"this path takes {methods}"))
        refused.headers["Allow"] = methods
        return refused


def _allowed_methods(operations: Sequence[Operation]) -> str:
    methods = dict.fromkeys(operation.method for operation in operations)
    return ", ".join((*methods, *(("HEAD",) if "GET" in methods else ()), "OPTIONS"))
