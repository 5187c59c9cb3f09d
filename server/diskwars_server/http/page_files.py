"""The built page: its files, read into memory once, with the headers that each is answered with."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

MAX_PAGE_FILES = 500
MAX_PAGE_BYTES = 16_000_000
"""Of all files together: more than this is not the page."""
MIN_COMPRESSED_BYTES = 512
"""Smaller files gain nothing from compression."""
INDEX = "/index.html"
EMBED_DOCUMENT = "/embed.html"
"""The document of boards in other sites."""
HASHED_FOLDER = "/assets/"
"""The build names the files in here after their content, so that a name never gets another content."""
CACHED_FOREVER = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"

CONTENT_TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
COMPRESSIBLE_SUFFIXES = (".html", ".js", ".css", ".json", ".webmanifest", ".svg", ".txt")


class PageError(Exception):
    """Error for a folder that cannot be the built page."""


class StaticFile(NamedTuple):
    """A file and its headers. `compressed` is the same with gzip, or empty where that saves nothing."""

    body: bytes
    content_type: str
    etag: str
    cache_control: str = REVALIDATED
    compressed: bytes = b""

    @classmethod
    def of(cls, body: bytes, content_type: str, *, is_text: bool, cache_control: str = REVALIDATED) -> "StaticFile":
        compressed = gzip.compress(body, mtime=0) if is_text and len(body) >= MIN_COMPRESSED_BYTES else b""
        if len(compressed) >= len(body):
            compressed = b""
        etag = hashlib.sha256(body).hexdigest()[:32]
        return cls(body, content_type, etag, cache_control, compressed)


def load_page(folder: Path) -> dict[str, StaticFile]:
    """Return the files of a built page by their path in URLs. Raises PageError.

    Requests only look up this table, so none can leave the folder. Files of unknown kinds, and hidden ones, are left
    out.
    """
    files: dict[str, StaticFile] = {}
    size = 0
    try:
        for file in sorted(folder.rglob("*")):
            content_type = CONTENT_TYPES.get(file.suffix)
            if content_type is None or file.name.startswith(".") or not file.is_file():
                continue
            path = "/" + file.relative_to(folder).as_posix()
            body = file.read_bytes()
            size += len(body)
            if len(files) >= MAX_PAGE_FILES or size > MAX_PAGE_BYTES:
                raise PageError(f"{folder} holds more than a page has")
            cache_control = CACHED_FOREVER if path.startswith(HASHED_FOLDER) else REVALIDATED
            is_text = file.suffix in COMPRESSIBLE_SUFFIXES
            files[path] = StaticFile.of(body, content_type, is_text=is_text, cache_control=cache_control)
    except OSError as error:
        raise PageError(f"{folder} cannot be read: {error.strerror}") from None
    if INDEX not in files:
        raise PageError(f"{folder} has no index.html")
    return files
