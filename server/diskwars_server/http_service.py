"""Answers to plain HTTP requests: the page, the documents of the protocol, and match files.

It knows paths, headers and status codes; sockets are left to the transport.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from email.utils import formatdate
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from diskwars_protocol import schema
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_server.address_quotas import AddressQuotas
from diskwars_server.lobby import Lobby
from diskwars_server.page_files import INDEX, StaticFile
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store_errors import StoreUnavailable

MAX_PATH_LENGTH = 512
MAX_DOWNLOADS = 4
"""Match files that are put together at the same time: each is in memory as a whole."""
NOBODY = PlayerId("")
"""Requests name no player, so they may see what the public may."""

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types svelte-trusted-html",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer. Svelte makes its templates under the one policy that is named."""

_MATCH_FILE = re.compile(r"/matches/([0-9a-z-]{1,64})/file")
_PAGE_ROUTE = re.compile(r"/(?:m/[0-9a-z-]{1,64}(?:/[0-9]{1,7})?|open|new)?")
"""Paths that the page itself reads: all are answered with its one document."""
_STATUS_OF_REFUSAL = {
    "unknown_match": HTTPStatus.NOT_FOUND,
    "not_watchable": HTTPStatus.FORBIDDEN,
    "locked": HTTPStatus.FORBIDDEN,
    "too_much_history": HTTPStatus.TOO_MANY_REQUESTS,
}
_NO_PAGE = """\
This server has no page: it was not built. Programs connect to /ws.
With Node 20 or newer, `./dev serve` builds the page; a package that was installed contains it.
"""


class HttpService:
    """Answers requests that do not open a WebSocket."""

    def __init__(self, lobby: Lobby, quotas: AddressQuotas, page: Mapping[str, StaticFile]) -> None:
        """`page` is empty where no page was built."""
        self._lobby, self._quotas, self._page = lobby, quotas, page
        self._documents: dict[str, StaticFile] = {}
        self._documents_lock = asyncio.Lock()
        self._downloads = 0

    async def respond(self, request: Request, address: str) -> Response:
        """Return the answer to a request from an address, as quotas count it."""
        path = request.path.partition("?")[0]
        if request.method not in ("GET", "HEAD"):
            refused = _text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n")
            refused.headers["Allow"] = "GET, HEAD"
            return refused
        if wait_ms := self._quotas.admit_request(address):
            return _with_retry(_text(HTTPStatus.TOO_MANY_REQUESTS, "too many requests from your address\n"), wait_ms)
        if len(path) > MAX_PATH_LENGTH:
            return _text(HTTPStatus.REQUEST_URI_TOO_LONG, "the path is too long\n")
        response = await self._find(path, request, address)
        if request.method == "HEAD":
            response.body = b""  # Content-Length stays that of the body (RFC 9110, section 9.3.2)
        return response

    async def _find(self, path: str, request: Request, address: str) -> Response:
        if download := _MATCH_FILE.fullmatch(path):
            return await self._match_file(MatchId(download[1]), address)
        if path in _DOCUMENTS:
            return _serve(await self._document(path), request)
        if file := self._page.get(INDEX if _PAGE_ROUTE.fullmatch(path) else path):
            return _serve(file, request)
        if path == "/":
            return _text(HTTPStatus.NOT_FOUND, _NO_PAGE)
        return _text(HTTPStatus.NOT_FOUND, "nothing here: the page is at /, clients connect to /ws\n")

    # ---------------------------------------------------------------- documents of the protocol

    async def _document(self, path: str) -> StaticFile:
        async with self._documents_lock:
            if path not in self._documents:
                # In a thread: the first request would otherwise stop every match for as long as it takes.
                self._documents[path] = await asyncio.to_thread(_DOCUMENTS[path])
        return self._documents[path]

    # ---------------------------------------------------------------- match files

    async def _match_file(self, match: MatchId, address: str) -> Response:
        if self._downloads >= MAX_DOWNLOADS:
            return _with_retry(_text(HTTPStatus.SERVICE_UNAVAILABLE, "too many downloads: try again\n"), 1000)
        usage = self._quotas.usage_of(address)
        self._downloads += 1
        try:
            if wait_ms := usage.history_wait_ms(is_resume=False):
                raise Refusal("too_much_history", retry_after_ms=wait_ms)
            game = await self._lobby.find(match)
            body = await game.feed.export(NOBODY)
        except Refusal as refusal:
            status = _STATUS_OF_REFUSAL.get(refusal.code, HTTPStatus.SERVICE_UNAVAILABLE)
            return _with_retry(_text(status, f"{refusal.code}: {refusal.text}\n"), refusal.retry_after_ms)
        except StoreUnavailable:
            return _with_retry(_text(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable\n"), UNAVAILABLE_RETRY_AFTER_MS)
        finally:
            self._downloads -= 1
        usage.add_history(len(body))
        response = _answer(HTTPStatus.OK, "application/x-ndjson", body)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Disposition"] = f'attachment; filename="{match}.jsonl"'
        return response


def _serve(file: StaticFile, request: Request) -> Response:
    """Answer with a file, or with 304 where the client has this version."""
    etag = f'"{file.etag}"'
    known = ",".join(request.headers.get_all("If-None-Match"))
    # A weak comparison: proxies that compress turn a strong tag into a weak one (RFC 9110, section 13.1.2).
    if etag in [tag.strip().removeprefix("W/") for tag in known.split(",")] or known.strip() == "*":
        response = _answer(HTTPStatus.NOT_MODIFIED, file.content_type, b"")
        del response.headers["Content-Length"], response.headers["Content-Type"]
    elif file.compressed and _accepts_gzip(request):
        response = _answer(HTTPStatus.OK, file.content_type, file.compressed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = _answer(HTTPStatus.OK, file.content_type, file.body)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = file.cache_control
    if file.compressed:
        response.headers["Vary"] = "Accept-Encoding"
    return response


def _accepts_gzip(request: Request) -> bool:
    accepted = ",".join(request.headers.get_all("Accept-Encoding"))
    for item in accepted.split(","):
        name, _, weight = item.replace(" ", "").partition(";")
        if name.lower() in ("gzip", "*"):
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _text(status: HTTPStatus, text: str) -> Response:
    return _answer(status, "text/plain; charset=utf-8", text.encode())


def _answer(status: HTTPStatus, content_type: str, body: bytes) -> Response:
    headers = Headers(
        {
            "Date": formatdate(usegmt=True),
            "Connection": "close",
            "Content-Type": content_type,
            "Content-Length": str(len(body)),
            **SECURITY_HEADERS,
        }
    )
    return Response(status.value, status.phrase, headers, body)


def _with_retry(response: Response, wait_ms: int | None) -> Response:
    if wait_ms:
        response.headers["Retry-After"] = str(-(-wait_ms // 1000))
    return response


def _json_document(make: Callable[[], object]) -> Callable[[], StaticFile]:
    def render() -> StaticFile:
        return StaticFile.of(json.dumps(make(), ensure_ascii=False).encode(), "application/json", is_text=True)

    return render


_DOCUMENTS: Mapping[str, Callable[[], StaticFile]] = {
    "/schema.json": _json_document(schema.make_json_schema),
    "/asyncapi.json": _json_document(schema.make_asyncapi),
}
