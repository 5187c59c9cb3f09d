"""The documentation site at `/docs`: built files, read in a thread when they are first asked for, and then kept."""

import asyncio
import base64
import hashlib
import re
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from websockets.http11 import Request, Response

from diskwars_server.http.page_files import COMPRESSIBLE_SUFFIXES, CONTENT_TYPES, StaticFile
from diskwars_server.http.routes import Mount, serve_file, text_response, too_many_requests_response
from diskwars_server.limits.address_quotas import AddressQuotas

DOCS_PREFIX = "/docs"
MAX_DOCS_FILES = 1_000
MAX_DOCS_BYTES = 32_000_000
"""Of all files together: as much is in memory once everything was read by somebody."""
DOCS_CONTENT_TYPES = {**CONTENT_TYPES, ".webp": "image/webp"}
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class DocsFile(NamedTuple):
    """A file of the site, and the policy of its content: the scripts within a page are allowed by their hashes."""

    file: StaticFile
    policy: str


class DocsSite:
    """The files of a built site. Requests only look up a table, so none can leave its folder."""

    def __init__(self, folder: Path, quotas: AddressQuotas) -> None:
        """List the files of a folder; a site that is larger than `MAX_DOCS_BYTES` is not shown at all."""
        self._quotas = quotas
        found = [file for file in sorted(folder.rglob("*")) if file.suffix in DOCS_CONTENT_TYPES and file.is_file()]
        is_small = len(found) <= MAX_DOCS_FILES and sum(file.stat().st_size for file in found) <= MAX_DOCS_BYTES
        self._paths = {file.relative_to(folder).as_posix(): file for file in found if is_small}
        self._files: dict[str, DocsFile] = {}
        self._lock = asyncio.Lock()

    def mount(self) -> Mount:
        return Mount(DOCS_PREFIX, self.respond)

    async def respond(self, request: Request, address: str, body: bytes | None = b"") -> Response:
        """Return the answer to a request from an address, as quotas count it."""
        if request.method not in ("GET", "HEAD"):
            refused = text_response(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n")
            refused.headers["Allow"] = "GET, HEAD"
            return refused
        if wait_ms := self._quotas.admit_request(address):
            return too_many_requests_response(wait_ms)
        path = request.path.partition("?")[0].removeprefix(DOCS_PREFIX)
        response = await self._answer(path, request)
        if request.method == "HEAD":
            response.body = b""  # Content-Length stays that of the body (RFC 9110, section 9.3.2)
        return response

    async def _answer(self, path: str, request: Request) -> Response:
        if not self._paths:
            return text_response(HTTPStatus.NOT_FOUND, "this server has no documentation: `./dev docs` builds it\n")
        if not path:  # links of the pages are relative to the folder
            moved = text_response(HTTPStatus.MOVED_PERMANENTLY, "the documentation is at /docs/\n")
            moved.headers["Location"] = f"{DOCS_PREFIX}/"
            return moved
        name = path.removeprefix("/") or "index.html"
        status = HTTPStatus.OK if name in self._paths else HTTPStatus.NOT_FOUND
        if status == HTTPStatus.NOT_FOUND:
            name = "404.html"
        if name not in self._paths:
            return text_response(HTTPStatus.NOT_FOUND, "nothing here\n")
        found = await self._find(name)
        response = serve_file(found.file, request, status)
        del response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = found.policy
        return response

    async def _find(self, name: str) -> DocsFile:
        async with self._lock:  # two requests for one file read it once
            if name not in self._files:
                # In a thread: the index of the search takes long to compress.
                self._files[name] = await asyncio.to_thread(_read, self._paths[name])
        return self._files[name]


def _read(file: Path) -> DocsFile:
    body = file.read_bytes()
    is_text = file.suffix in COMPRESSIBLE_SUFFIXES
    static = StaticFile.of(body, DOCS_CONTENT_TYPES[file.suffix], is_text=is_text)
    return DocsFile(static, _policy_of(body if file.suffix == ".html" else b""))


def _policy_of(page: bytes) -> str:
    """Return the policy of a page: nothing from other hosts, and no script but the site's and those in the page."""
    scripts = dict.fromkeys(_INLINE_SCRIPT.findall(page))
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(("script-src 'self'", *hashes)),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
