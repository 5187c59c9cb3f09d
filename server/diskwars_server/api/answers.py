"""Answers of the interface: JSON, streams, what may be kept and for how long, and compression."""

import contextlib
import gzip
import hashlib
import zlib
from collections.abc import AsyncGenerator, Callable
from http import HTTPStatus
from typing import Literal, Protocol, TypeAlias

import msgspec
import zstandard
from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from diskwars_server.api.problems import PROBLEM_TYPE, Problem, problem_of
from diskwars_server.http.routes import make_response
from diskwars_server.http.streams import StreamedResponse
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable

NOT_KEPT = "no-store"
REVALIDATED = "no-cache"
KEPT = "public, max-age=86400, immutable"
"""For what never changes: records of a match that has ended. A day, because operators may remove a match."""
MIN_COMPRESSED_BYTES = 512
ZSTD_LEVEL, GZIP_LEVEL = 3, 6
ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""An answer that a browser opens by itself does nothing."""
EXPOSED_HEADERS = "ETag, Retry-After, Allow"
READ_METHODS, READ_HEADERS = "GET, HEAD", "Accept, If-None-Match"
"""What pages of other origins may send: they read what everybody may, and nothing else."""
PREFLIGHT_SECONDS = 86_400
"""The time for which a browser need not ask again."""
JSON_TYPE, NDJSON_TYPE = "application/json", "application/x-ndjson"
SVG_TYPE, HTML_TYPE = "image/svg+xml", "text/html; charset=utf-8"
COMPRESSIBLE_TYPES = frozenset({JSON_TYPE, NDJSON_TYPE, SVG_TYPE, HTML_TYPE})
Encoding: TypeAlias = Literal["zstd", "gzip", ""]


class Body(Struct, frozen=True):
    """A whole body. `etag` names its version; empty: it is made of the bytes. With `is_final` it never changes."""

    content: bytes
    content_type: str = JSON_TYPE
    etag: str = ""
    is_final: bool = False
    status: HTTPStatus = HTTPStatus.OK
    policy: str = ANSWER_POLICY
    is_compressed: bool = False
    """Whether it is compressed though it may change: what is final is, where that saves bytes."""


class BodyStream(Struct, frozen=True):
    """A body that is made while it is sent. Without an `etag` it is not kept. `release` is called at the end."""

    chunks: AsyncGenerator[bytes, None]
    release: Callable[[], None]
    content_type: str = NDJSON_TYPE
    etag: str = ""
    is_final: bool = False
    filename: str = ""


class Unchanged(Struct, frozen=True):
    """The client has this version already."""

    etag: str
    is_final: bool = False


Answer: TypeAlias = Body | BodyStream | Unchanged


def json_body(value: object, *, status: HTTPStatus = HTTPStatus.OK) -> Body:
    return Body(msgspec.json.encode(value), JSON_TYPE, status=status)


def is_known(request: Request, etag: str) -> bool:
    """Return whether the client has this version: a weak comparison, as for all that is read (RFC 9110, 13.1.2)."""
    if request.method not in ("GET", "HEAD"):
        return False  # what has changed something answers it (RFC 9110, 13.2.1)
    known = ",".join(request.headers.get_all("If-None-Match"))
    return known.strip() == "*" or f'"{etag}"' in [tag.strip().removeprefix("W/") for tag in known.split(",")]


def make_answer(answer: Answer, request: Request) -> Response:
    """Return the response that an answer leads to, without its body where the client has it."""
    match answer:
        case Unchanged():
            return _not_modified(answer.etag, is_final=answer.is_final)
        case BodyStream():
            return _make_stream(answer, request)
        case Body():
            return _make_whole(answer, request)


def _make_whole(answer: Body, request: Request) -> Response:
    if answer.status != HTTPStatus.OK:
        response = _make_open_response(answer.status, answer.content_type, answer.content)
        response.headers["Cache-Control"] = NOT_KEPT
        return response
    is_read = request.method in ("GET", "HEAD")
    etag = answer.etag or hashlib.sha256(answer.content).hexdigest()[:32] if is_read else ""
    if is_known(request, etag):
        return _not_modified(etag, is_final=answer.is_final)
    is_large = (answer.is_final or answer.is_compressed) and len(answer.content) >= MIN_COMPRESSED_BYTES
    encoding = accepted_encoding(request) if is_large and answer.content_type in COMPRESSIBLE_TYPES else ""
    content = _compress(answer.content, encoding)
    response = _make_open_response(answer.status, answer.content_type, content, answer.policy)
    _set_headers(response.headers, etag, is_final=answer.is_final, encoding=encoding)
    return response


def make_problem(fault: Refusal | StoreUnavailable) -> Response:
    """Return the response that refuses a request."""
    return problem_response(problem_of(fault))


def problem_response(problem: Problem) -> Response:
    response = _make_open_response(HTTPStatus(problem.status), PROBLEM_TYPE, msgspec.json.encode(problem))
    response.headers["Cache-Control"] = NOT_KEPT
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after_ms:
        response.headers["Retry-After"] = str(-(-problem.retry_after_ms // 1000))
    return response


def make_preflight(methods: str) -> Response:
    """Return the response to what a browser asks before a page of another origin sends more than a simple request."""
    response = _make_open_response(HTTPStatus.NO_CONTENT, JSON_TYPE, b"")
    del response.headers["Content-Length"], response.headers["Content-Type"]
    response.headers["Allow"] = methods
    response.headers["Access-Control-Allow-Methods"] = READ_METHODS
    response.headers["Access-Control-Allow-Headers"] = READ_HEADERS
    response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return response


def accepted_encoding(request: Request) -> Encoding:
    """Return the best of the encodings that a client takes; empty for none."""
    weights = dict[str, float]()
    for item in ",".join(request.headers.get_all("Accept-Encoding")).lower().split(","):
        name, _, weight = item.replace(" ", "").partition(";q=")
        weights[name] = _read_weight(weight)
    others = weights.get("*", 0.0)
    if weights.get("zstd", others) > 0:
        return "zstd"
    return "gzip" if weights.get("gzip", others) > 0 else ""


def _read_weight(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


def _compress(content: bytes, encoding: Encoding) -> bytes:
    if encoding == "zstd":
        return zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(content)
    return gzip.compress(content, GZIP_LEVEL, mtime=0) if encoding == "gzip" else content


# ---------------------------------------------------------------- streams


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


_COMPRESSORS: dict[Encoding, Callable[[], _Compressor]] = {
    "zstd": lambda: zstandard.ZstdCompressor(level=ZSTD_LEVEL).compressobj(),
    "gzip": lambda: zlib.compressobj(GZIP_LEVEL, wbits=zlib.MAX_WBITS | 16),
}


def _make_stream(answer: BodyStream, request: Request) -> StreamedResponse:
    encoding = accepted_encoding(request) if answer.is_final else ""
    chunks = _compress_stream(answer.chunks, _COMPRESSORS[encoding]()) if encoding else answer.chunks
    headers = _make_open_response(HTTPStatus.OK, answer.content_type, b"").headers
    del headers["Content-Length"]
    _set_headers(headers, answer.etag, is_final=answer.is_final, encoding=encoding)
    if answer.filename:
        headers["Content-Disposition"] = f'attachment; filename="{answer.filename}"'
    return StreamedResponse(HTTPStatus.OK, headers, chunks, answer.release, is_chunked=request.protocol == "HTTP/1.1")


async def _compress_stream(chunks: AsyncGenerator[bytes, None], compressor: _Compressor) -> AsyncGenerator[bytes, None]:
    async with contextlib.aclosing(chunks):
        async for chunk in chunks:
            if compressed := compressor.compress(chunk):
                yield compressed
    yield compressor.flush()


# ---------------------------------------------------------------- headers


def _not_modified(etag: str, *, is_final: bool) -> Response:
    response = _make_open_response(HTTPStatus.NOT_MODIFIED, JSON_TYPE, b"")
    del response.headers["Content-Length"], response.headers["Content-Type"]
    _set_headers(response.headers, etag, is_final=is_final, encoding="")
    return response


def _set_headers(headers: Headers, etag: str, *, is_final: bool, encoding: Encoding) -> None:
    if etag:
        headers["ETag"] = f'W/"{etag}"'  # weak: the same for each encoding
    headers["Cache-Control"] = KEPT if is_final else REVALIDATED if etag else NOT_KEPT
    if is_final or encoding:
        headers["Vary"] = "Accept-Encoding"
    if encoding:
        headers["Content-Encoding"] = encoding


def _make_open_response(status: HTTPStatus, content_type: str, body: bytes, policy: str = ANSWER_POLICY) -> Response:
    """Return a response that pages of any origin may read: no cookie says who asks, so it is what everybody may see."""
    response = make_response(status, content_type, body)
    del response.headers["Content-Security-Policy"]
    response.headers["Content-Security-Policy"] = policy
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    return response
