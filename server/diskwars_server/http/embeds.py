"""The board for other sites: its page, which every site may frame, and oEmbed, by which sites find it.

oEmbed 1.0: https://oembed.com. A consumer gives the address of a match, and gets the frame to put into its page.
"""

import json
import re
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct
from websockets.http11 import Request, Response

from diskwars_protocol.match.ids import MatchId
from diskwars_server.http.link_previews import is_open_to_all, preview_tags, title_of, with_head
from diskwars_server.http.page_files import EMBED_DOCUMENT, REVALIDATED, StaticFile
from diskwars_server.http.routes import (
    SECURITY_HEADERS,
    Route,
    make_response,
    request_site,
    serve_file,
    text_response,
    too_many_requests_response,
    unavailable_response,
)
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import Listing

WIDTH, HEIGHT = 640, 420
LEAST_WIDTH, LEAST_HEIGHT = 320, 240
"""Smaller frames would show no board."""
MAX_QUERY_LENGTH = 2_048
MAX_QUERY_FIELDS = 16
CACHE_SECONDS = 86_400
MAX_SIZE_DIGITS = 5
EMBED_POLICY = SECURITY_HEADERS["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors *")
"""The embed is the only document that other sites may frame: it has no login, keeps nothing and changes nothing."""

_EMBED_PAGE = re.compile(r"/embed/([0-9a-z-]{1,64})(?:/([0-9]{1,7}))?")
_OEMBED = re.compile(r"/oembed")
_MATCH_LINK = re.compile(r"/(?:m|embed)/([0-9a-z-]{1,64})(?:/([0-9]{1,7}))?/?")


class _Embedding(Struct, frozen=True):
    """What a consumer asks for: a match, a moment of it, and how large it may be."""

    match: MatchId
    moment: str | None
    width: int
    height: int


class Embeds:
    """The embeds of one server."""

    def __init__(
        self,
        matches: MatchRepository,
        quotas: AddressQuotas,
        page: Mapping[str, StaticFile],
        *,
        has_pictures: bool,
        is_secure: bool = False,
    ) -> None:
        """`page` are the files of the built page; `is_secure` is whether this server speaks TLS itself."""
        self._matches, self._quotas, self._document = matches, quotas, page.get(EMBED_DOCUMENT)
        self._has_pictures, self._is_secure = has_pictures, is_secure

    def routes(self) -> tuple[Route, ...]:
        """Return the routes of embeds; none where there is no page, or nothing draws boards."""
        if self._document is None or not self._has_pictures:
            return ()
        return Route(_EMBED_PAGE, self._answer_page), Route(_OEMBED, self._answer_oembed)

    async def _answer_page(self, request: Request, address: str, named: re.Match[str]) -> Response:
        assert self._document is not None
        page = self._document
        # As for the page of a match: those who ask too often get it without what other programs show of it.
        site = request_site(request, is_secure=self._is_secure)
        if site is not None and not self._quotas.admit_query(address):
            page = await self._with_tags(page, site, MatchId(named[1]), named[2])
        response = serve_file(page, request)
        del response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = EMBED_POLICY
        return response

    async def _with_tags(self, page: StaticFile, site: str, match: MatchId, moment: str | None) -> StaticFile:
        try:
            listing = await self._matches.find_listing(match)
        except StoreUnavailable:
            return page  # which says so itself
        if listing is None or not is_open_to_all(listing):
            return page
        return with_head(page, preview_tags(site, listing, moment, has_picture=True))

    async def _answer_oembed(self, request: Request, address: str, named: re.Match[str]) -> Response:
        query = request.path.partition("?")[2]
        if wait_ms := self._quotas.admit_query(address):
            return _open_to_all(too_many_requests_response(wait_ms))
        try:
            return _open_to_all(await self._find(query, request))
        except StoreUnavailable:
            return _open_to_all(unavailable_response())

    async def _find(self, query: str, request: Request) -> Response:
        site = request_site(request, is_secure=self._is_secure)
        fields = _read_query(query)
        if fields is None or site is None:
            return text_response(
                HTTPStatus.BAD_REQUEST, "expected ?url=ADDRESS, and maxwidth, maxheight, format=json\n"
            )
        if fields.get("format", "json") != "json":
            return text_response(HTTPStatus.NOT_IMPLEMENTED, "only format=json\n")
        frame = _read_frame(fields, site)
        if isinstance(frame, str):
            return text_response(HTTPStatus.BAD_REQUEST, f"{frame}\n")
        listing = None if frame is None else await self._matches.find_listing(frame.match)
        if frame is None or listing is None:
            return text_response(HTTPStatus.NOT_FOUND, "no match of this server is at this address\n")
        if not is_open_to_all(listing):
            return text_response(HTTPStatus.UNAUTHORIZED, "not everybody may watch this match\n")
        body = json.dumps(_describe(site, listing, frame)).encode()
        response = make_response(HTTPStatus.OK, "application/json", body)
        response.headers["Cache-Control"] = REVALIDATED
        return response


def _describe(site: str, listing: Listing, frame: _Embedding) -> dict[str, object]:
    moment = "" if frame.moment is None else f"/{frame.moment}"
    title = title_of(listing, frame.moment)
    source = escape(f"{site}/embed/{listing.match}{moment}")
    size = f'width="{frame.width}" height="{frame.height}"'
    html = f'<iframe src="{source}" {size} title="{escape(title)}" style="border:0" loading="lazy"></iframe>'
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Diskwars",
        "provider_url": site,
        "title": title,
        "html": html,
        "width": frame.width,
        "height": frame.height,
        "cache_age": CACHE_SECONDS if listing.status == "ended" else 60,
    }


def _read_query(query: str) -> dict[str, str] | None:
    """Return the fields of a query, the first of each name; None for one that is none."""
    if len(query) > MAX_QUERY_LENGTH:
        return None
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=MAX_QUERY_FIELDS)
    except ValueError:
        return None
    fields: dict[str, str] = {}
    for name, text in pairs:
        fields.setdefault(name, text)
    return fields if "url" in fields else None


def _read_frame(fields: Mapping[str, str], site: str) -> _Embedding | str | None:
    """Return the frame that is asked for; None for what is not at this site, or a text that says what is wrong."""
    sizes = []
    for name, usual, least in (("maxwidth", WIDTH, LEAST_WIDTH), ("maxheight", HEIGHT, LEAST_HEIGHT)):
        text = fields.get(name, str(usual))
        if not (text.isascii() and text.isdigit() and len(text) <= MAX_SIZE_DIGITS and int(text) >= least):
            return f"{name} is a number of pixels, at least {least}"
        sizes.append(min(int(text), usual))
    try:
        address, own = urlsplit(fields["url"]), urlsplit(site)
    except ValueError:
        return None
    found = _MATCH_LINK.fullmatch(address.path)
    if found is None or address.scheme not in ("http", "https") or address.netloc.lower() != own.netloc.lower():
        return None
    return _Embedding(MatchId(found[1]), found[2], *sizes)


def _open_to_all(response: Response) -> Response:
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
