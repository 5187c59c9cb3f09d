"""Answers to plain HTTP requests: the page, the documents of the protocol, match files, and pictures of boards.

It knows paths, headers and status codes; sockets are left to the transport.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.utils import formatdate
from functools import partial
from http import HTTPStatus

from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.schema import schema
from diskwars_protocol.schema.schema_roots import document_names
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.http.board_pictures import BoardPictures, NoBoard, PictureForm
from diskwars_server.http.link_previews import discovery_link, preview_tags, site_of, with_head
from diskwars_server.http.page_files import EMBED_DOCUMENT, HASHED_FOLDER, INDEX, REVALIDATED, StaticFile
from diskwars_server.http.shared_parts import SharedParts
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.errors import StoreUnavailable

MAX_PATH_LENGTH = 512
MAX_DOWNLOADS = 4
"""Match files that are put together at the same time: each is in memory as a whole."""
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
            "trusted-types svelte-trusted-html diskwars-worker",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer. Svelte makes its templates under one policy; the page starts its service worker under the other."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For pictures that are opened by themselves: they may have styles of their own, and do nothing."""

_MATCH_FILE = re.compile(r"/matches/([0-9a-z-]{1,64})/file")
_BOARD_PICTURE = re.compile(r"/matches/([0-9a-z-]{1,64})/board[.](svg|png)")
_PICTURE_QUERY = re.compile(r"(?:seq=([0-9]{1,7}))?")
_MATCH_PAGE = re.compile(r"/m/([0-9a-z-]{1,64})(?:/([0-9]{1,7}))?/?")
PAGE_ROUTE = re.compile(
    r"/(?:(?:m/[0-9a-z-]{1,64}(?:/(?:[0-9]{1,7}|decided))?"
    r"|clubs/join/[0-9A-Za-z-]{1,128}|(?:armies|clubs|figures|learn|players|puzzles|rules|tournaments)(?:/[0-9A-Za-z._-]{1,64})?"
    r"|history|leaderboard|new|open|settings|watch)/?)?"
)
"""Paths that the page itself reads, with a slash at the end too: all are answered with its one document."""
_STATUS_OF_REFUSAL = {
    "unknown_match": HTTPStatus.NOT_FOUND,
    "not_watchable": HTTPStatus.FORBIDDEN,
    "locked": HTTPStatus.FORBIDDEN,
    "too_much_history": HTTPStatus.TOO_MANY_REQUESTS,
}
_TOO_MANY_REQUESTS = "too many requests from your address\n"
_NO_PAGE = """\
This server has no page: it was not built, or is turned off (--page off). Programs connect to /ws.
With Node 20.19 or newer, `./dev serve` builds the page in a clone, and so does `pip install .`, which fails without it.
"""


class Route(Struct, frozen=True):
    """The paths of one kind of request, and its answer. The first route whose path fits answers.

    `answer` gets the request, the address that it comes from, and the groups of the path. With `reads_match` the first
    group names a match; one that has to be read from the store counts as a query of the address. With `is_large` each
    request counts as one. `takes_post`: the route also answers POST, of which it gets no body.
    """

    path: re.Pattern[str]
    answer: Callable[[Request, str, re.Match[str]], Awaitable[Response]]
    reads_match: bool = False
    is_large: bool = False
    takes_post: bool = False


class Mount(Struct, frozen=True):
    """The paths below a prefix, which another part of the server answers: methods, quotas and refusals as well.

    `respond` gets the request, the address that it comes from, and the body; None for a body that was refused.
    """

    prefix: str
    respond: Callable[[Request, str, bytes | None], Awaitable[Response]]


class HttpService:
    """Answers requests that do not open a WebSocket."""

    def __init__(
        self,
        matches: MatchRepository,
        quotas: AddressQuotas,
        page: Mapping[str, StaticFile],
        pictures: BoardPictures | None = None,
        *,
        shared_parts: SharedParts | None = None,
        is_secure: bool = False,
        routes: Sequence[Route] = (),
        mounts: Sequence[Mount] = (),
    ) -> None:
        """`page` is empty where no page was built; without `pictures` no boards are drawn.

        `shared_parts` has parts of the page that only other nodes were built with. `is_secure` is whether this server
        speaks TLS itself. `routes` are those of other parts of the server, and `mounts` what other parts answer.
        """
        self._matches, self._quotas, self._page, self._pictures = matches, quotas, page, pictures
        self._shared_parts = shared_parts
        self._is_secure, self._mounts = is_secure, mounts
        self._documents: dict[str, StaticFile] = {}
        self._documents_lock = asyncio.Lock()
        self._downloads = 0
        self._routes = (*routes, *self._make_routes())

    async def respond(self, request: Request, address: str, body: bytes | None = b"") -> Response:
        """Return the answer to a request from an address, as quotas count it. Mounts get the `body`."""
        path = request.path.partition("?")[0]
        for mount in self._mounts:
            if path == mount.prefix or path.startswith(f"{mount.prefix}/"):
                return await mount.respond(request, address, body)
        takes_post = any(route.takes_post and route.path.fullmatch(path) for route in self._routes)
        if request.method not in ("GET", "HEAD", *(("POST",) if takes_post else ())):
            refused = text_response(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n")
            refused.headers["Allow"] = "GET, HEAD"
            return refused
        if wait_ms := self._quotas.admit_request(address):
            return too_many_requests_response(wait_ms)
        if len(path) > MAX_PATH_LENGTH:
            return text_response(HTTPStatus.REQUEST_URI_TOO_LONG, "the path is too long\n")
        response = await self._find(path, request, address)
        if request.method == "HEAD":
            response.body = b""  # Content-Length stays that of the body (RFC 9110, section 9.3.2)
        return response

    def _make_routes(self) -> tuple[Route, ...]:
        documents = (Route(re.compile(re.escape(path)), self._answer_document, is_large=True) for path in _DOCUMENTS)
        page = (Route(_MATCH_PAGE, self._answer_match_page), Route(PAGE_ROUTE, self._answer_index))
        return (
            Route(_MATCH_FILE, self._answer_match_file, reads_match=True),
            Route(_BOARD_PICTURE, self._answer_board_picture, reads_match=True),
            *documents,
            *(page if INDEX in self._page else ()),
        )

    async def _find(self, path: str, request: Request, address: str) -> Response:
        for route in self._routes:
            if (named := route.path.fullmatch(path)) is None:
                continue
            # Whatever becomes of the request, a match that is not in memory is read from the store for it.
            is_read = route.reads_match and not self._matches.is_live(MatchId(named[1]))
            if (is_read or route.is_large) and (wait_ms := self._quotas.admit_query(address)):
                return too_many_requests_response(wait_ms)
            return await route.answer(request, address, named)
        return await self._answer_file(path, request)

    async def _answer_file(self, path: str, request: Request) -> Response:
        """Answer with a file of the page, or say that there is none."""
        if file := self._page.get(path):
            return serve_file(file, request)
        if self._shared_parts is not None and path.startswith(HASHED_FOLDER):
            # A proxy has sent the document of a node of another release here.
            try:
                part = await self._shared_parts.find(path)
            except StoreUnavailable as fault:
                return _refused(fault)
            if part is not None:
                return serve_file(part, request)
        if path == "/":
            return text_response(HTTPStatus.NOT_FOUND, _NO_PAGE)
        if (page := self._page.get(INDEX)) and _wants_document(path, request):
            # A person has followed a link that was cut off: the page says so, in their language, and leads on.
            return serve_file(page, request, HTTPStatus.NOT_FOUND)
        return text_response(HTTPStatus.NOT_FOUND, "nothing here: the page is at /, clients connect to /ws\n")

    # ---------------------------------------------------------------- documents of the protocol

    async def _answer_document(self, request: Request, address: str, named: re.Match[str]) -> Response:
        path = named[0]
        async with self._documents_lock:
            if path not in self._documents:
                # In a thread: the first request would otherwise stop every match for as long as it takes.
                self._documents[path] = await asyncio.to_thread(_DOCUMENTS[path])
        return serve_file(self._documents[path], request)

    # ---------------------------------------------------------------- match files

    async def _answer_match_file(self, request: Request, address: str, named: re.Match[str]) -> Response:
        return await self._match_file(MatchId(named[1]), address)

    async def _match_file(self, match: MatchId, address: str) -> Response:
        if self._downloads >= MAX_DOWNLOADS:
            return _with_retry(text_response(HTTPStatus.SERVICE_UNAVAILABLE, "too many downloads: try again\n"), 1000)
        usage = self._quotas.bytes.usage_of(address)
        self._downloads += 1
        try:
            if wait_ms := usage.history_wait_ms(is_resume=False):
                raise Refusal("too_much_history", retry_after_ms=wait_ms)
            game = await self._matches.find(match)
            body = await game.exports.export(ANONYMOUS)
        except (Refusal, StoreUnavailable) as fault:
            return _refused(fault)
        finally:
            self._downloads -= 1
        # Before a byte is sent, and in full for HEAD and for a client that goes away: by now the store was read and the
        # file was made. If only bytes that arrive counted, strangers could have that done for nothing by hanging up.
        usage.add_history(len(body))
        response = make_response(HTTPStatus.OK, "application/x-ndjson", body)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Disposition"] = f'attachment; filename="{match}.jsonl"'
        return response

    # ---------------------------------------------------------------- pictures and links

    async def _answer_board_picture(self, request: Request, address: str, named: re.Match[str]) -> Response:
        form: PictureForm = "png" if named[2] == "png" else "svg"
        query = _PICTURE_QUERY.fullmatch(request.path.partition("?")[2])
        if query is None:
            return text_response(HTTPStatus.BAD_REQUEST, "expected ?seq=NUMBER or nothing\n")
        if self._pictures is None:
            return text_response(HTTPStatus.NOT_FOUND, "this server draws no boards\n")
        seq = None if query[1] is None else int(query[1])
        try:
            picture = await self._pictures.find(MatchId(named[1]), seq, address, form)
        except NoBoard as fault:
            return text_response(HTTPStatus.NOT_FOUND, f"{fault}\n")
        except (Refusal, StoreUnavailable) as fault:
            return _refused(fault)
        # The last record is another one a moment later.
        response = serve_file(picture if seq is not None else picture._replace(cache_control=REVALIDATED), request)
        response.headers["Access-Control-Allow-Origin"] = "*"
        del response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = PICTURE_POLICY
        return response

    async def _answer_index(self, request: Request, address: str, named: re.Match[str]) -> Response:
        return serve_file(self._page[INDEX], request)

    async def _answer_match_page(self, request: Request, address: str, named: re.Match[str]) -> Response:
        # The listing is read from the store. Those who ask too often get the page alone, which is what a person wants.
        if self._quotas.admit_query(address):
            return serve_file(self._page[INDEX], request)
        return serve_file(await self._find_match_page(MatchId(named[1]), named[2], request), request)

    async def _find_match_page(self, match: MatchId, moment: str | None, request: Request) -> StaticFile:
        """Return the page, with what other programs show of a link to it where everybody may watch the match."""
        page = self._page[INDEX]
        site = request_site(request, is_secure=self._is_secure)
        try:
            listing = await self._matches.find_listing(match)
        except StoreUnavailable:
            return page  # which says so itself
        if site is None or listing is None or listing.is_locked:
            return page
        tags = preview_tags(site, listing, moment, has_picture=self._pictures is not None)
        has_embed = EMBED_DOCUMENT in self._page and self._pictures is not None
        return with_head(page, tags + (discovery_link(site, listing, moment) if has_embed else ""))


def request_site(request: Request, *, is_secure: bool) -> str | None:
    """Return the address of the site that a client has asked, as it names it; None for what is no address.

    `is_secure` is whether this server speaks TLS itself.
    """
    is_behind_tls = request.headers.get_all("X-Forwarded-Proto") == ["https"]
    return site_of(",".join(request.headers.get_all("Host")), is_secure or is_behind_tls)


def _refused(fault: Refusal | StoreUnavailable) -> Response:
    if isinstance(fault, StoreUnavailable):
        return unavailable_response()
    status = _STATUS_OF_REFUSAL.get(fault.code, HTTPStatus.SERVICE_UNAVAILABLE)
    return _with_retry(text_response(status, f"{fault.code}: {fault.text}\n"), fault.retry_after_ms)


def unavailable_response() -> Response:
    return _with_retry(text_response(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable\n"), UNAVAILABLE_RETRY_AFTER_MS)


def too_many_requests_response(wait_ms: int) -> Response:
    return _with_retry(text_response(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MANY_REQUESTS), wait_ms)


def serve_file(file: StaticFile, request: Request, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Answer with a file, or with 304 where the client has this version."""
    etag = f'"{file.etag}"'
    known = ",".join(request.headers.get_all("If-None-Match"))
    # A weak comparison: proxies that compress turn a strong tag into a weak one (RFC 9110, section 13.1.2).
    is_known = etag in [tag.strip().removeprefix("W/") for tag in known.split(",")] or known.strip() == "*"
    if is_known and status == HTTPStatus.OK:
        response = make_response(HTTPStatus.NOT_MODIFIED, file.content_type, b"")
        del response.headers["Content-Length"], response.headers["Content-Type"]
    elif file.compressed and _accepts_gzip(request):
        response = make_response(status, file.content_type, file.compressed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = make_response(status, file.content_type, file.body)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = file.cache_control
    if file.compressed:
        response.headers["Vary"] = "Accept-Encoding"
    return response


def _wants_document(path: str, request: Request) -> bool:
    """Whether a browser opens the path as a page, rather than a program or a page that looks for one of its files."""
    return "." not in path and "text/html" in ",".join(request.headers.get_all("Accept"))


def _accepts_gzip(request: Request) -> bool:
    accepted = ",".join(request.headers.get_all("Accept-Encoding"))
    for item in accepted.split(","):
        name, _, weight = item.replace(" ", "").partition(";")
        if name.lower() in ("gzip", "*"):
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def text_response(status: HTTPStatus, text: str) -> Response:
    return make_response(status, "text/plain; charset=utf-8", text.encode())


def make_response(status: HTTPStatus, content_type: str, body: bytes) -> Response:
    """Return a response with the headers of every response."""
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
    **{
        f"/schema/{name}.json": _json_document(partial(schema.make_json_schema_part, name)) for name in document_names()
    },
    **{f"/asyncapi/{name}.json": _json_document(partial(schema.make_asyncapi_part, name)) for name in document_names()},
}
