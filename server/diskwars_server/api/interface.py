"""The interface at `/api/v1`: finds the operation of a request, admits it, and turns faults into problems."""

import logging
from collections.abc import Sequence

from websockets.http11 import Request, Response

from diskwars_protocol.connection.connection import ServerConnection
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server.api.answers import NOT_KEPT, make_answer, make_preflight, make_problem
from diskwars_server.api.bodies import read_body, read_file
from diskwars_server.api.operations import API_PREFIX, Call, Operation
from diskwars_server.api.parameters import decode_parts, read_request
from diskwars_server.api.problems import code_text, refuse
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.http.routes import Mount
from diskwars_server.http.streams import StreamedResponse
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.tokens import TokenError, TokenRevoked
from diskwars_server.players.users import LoggedInDevice, too_many_requests
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)


class HttpInterface:
    """Answers the requests below the prefix of the interface."""

    def __init__(self, operations: Sequence[Operation], quotas: AddressQuotas, accounts: AccountService) -> None:
        self.operations, self._quotas, self._accounts = tuple(operations), quotas, accounts

    def mount(self) -> Mount:
        return Mount(API_PREFIX, self.respond)

    async def respond(self, request: Request, address: str, body: bytes | None = b"") -> Response:
        """Return the response to a request from an address, as quotas count it; `body` is None if it was refused."""
        try:
            response = await self._find(request, address, body)
        except (Refusal, StoreUnavailable) as fault:
            response = make_problem(fault)
        except Exception as fault:
            log.error("request over HTTP not answered", extra=describe_fault(fault))
            response = make_problem(Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS))
        if self._is_private(request.path):  # problems and preflights too
            _close_to_pages(response)
        if request.method != "HEAD":
            return response
        if isinstance(response, StreamedResponse):
            return await response.drop_body()
        response.body = b""  # Content-Length stays that of the body (RFC 9110, section 9.3.2)
        return response

    async def _find(self, request: Request, address: str, body: bytes | None) -> Response:
        if wait_ms := self._quotas.admit_request(address):
            raise too_many_requests(wait_ms)
        path, query = _split(request.path)
        named = [
            (operation, parts) for operation in self.operations if (parts := operation.find_parts(path)) is not None
        ]
        if not named:
            raise refuse("unknown_path", f"nothing is at this path; {API_PREFIX}/openapi.json lists every path")
        methods = _allowed_methods([operation for operation, _ in named])
        if body is None:
            raise refuse("body_too_large")
        if request.method == "OPTIONS":
            return make_preflight(methods)
        method = "GET" if request.method == "HEAD" else request.method
        for operation, parts in named:
            if operation.method == method:
                user = MatchUser(Outbox(ServerConnection(DEFAULT_CLIENT_LIMITS)), address, self._quotas)
                # Before the parameters: a stranger learns nothing about what would be right.
                device = await self._find_device(operation, request, user)
                call = Call(user, request, device, read_file(request, body) if operation.takes_file else b"")
                if operation.has_body and not operation.takes_file:
                    wanted = read_body(operation.request, decode_parts(parts), query, request, body)
                elif body and not operation.takes_file:
                    raise Refusal("wrong_shape", f"{request.method} has no body here", "$")
                else:
                    wanted = read_request(operation.request, operation.id, operation.parameters, parts, query)
                response = make_answer(await operation.answer(call, wanted), request)
                is_private = operation.is_private or call.device is not None
                return _close_to_pages(response) if is_private else response
        refused = make_problem(refuse("bad_method", f"this path takes {methods}"))
        refused.headers["Allow"] = methods
        return refused

    def _is_private(self, target: str) -> bool:
        """Return whether all that is at a path is for the program that asks alone."""
        path, _ = _split(target)
        named = [operation.is_private for operation in self.operations if operation.find_parts(path) is not None]
        return bool(named) and all(named)

    async def _find_device(self, operation: Operation, request: Request, user: MatchUser) -> LoggedInDevice | None:
        """Return whose token a request has, None where it has and needs none. Raises Refusal and StoreUnavailable."""
        if operation.scope is None:
            return None
        scheme, _, token = ",".join(request.headers.get_all("Authorization")).partition(" ")
        if not scheme and not operation.needs_token:
            return None
        # Only tokens that prove nothing count as queries: a program that plays has one in every request.
        if wait_ms := self._quotas.query_wait_ms(user.address):
            raise too_many_requests(wait_ms)
        try:
            if scheme.lower() != "bearer":
                raise TokenRevoked(code_text("bad_token"))
            device, scopes = await self._accounts.find_api_device(token.strip(), user.address)
        except TokenError as fault:
            self._quotas.admit_query(user.address)
            raise refuse("bad_token", str(fault)) from None
        if operation.scope not in scopes:
            raise refuse("missing_scope", f"the token was made without the scope {operation.scope}")
        return device


def _split(target: str) -> tuple[str, str]:
    """Return the path of a request below that of the interface, and the query."""
    path, _, query = target.removeprefix(API_PREFIX).partition("?")
    return "" if path == "/" else path, query


def _close_to_pages(response: Response) -> Response:
    """Return a response without what lets pages of any origin read it: it is for one player."""
    for name in ("Access-Control-Allow-Origin", "Cache-Control", "ETag"):
        if name in response.headers:
            del response.headers[name]
    response.headers["Cache-Control"] = NOT_KEPT
    return response


def _allowed_methods(operations: Sequence[Operation]) -> str:
    methods = dict.fromkeys(operation.method for operation in operations)
    return ", ".join((*methods, *(("HEAD",) if "GET" in methods else ()), "OPTIONS"))
