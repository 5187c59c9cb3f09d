"""The folder or bucket that holds the files of archived matches."""

import asyncio
import contextlib
import os
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from diskwars_server.store.errors import StoreError, StoreUnavailable

ENDPOINT_VARIABLE = "AWS_ENDPOINT_URL"
"""Names another server that speaks the protocol of S3."""
SCHEMES = ("file", "s3", "gs", "az", "memory")
REQUEST_SECONDS = 30.0
"""For one request with its repetitions; a reader waits for it."""
CONNECT_TIMEOUT = timedelta(seconds=5)
RETRY_TIMEOUT = timedelta(seconds=20)
MAX_RETRIES = 3
SUFFIX = ".zst"
NO_RECORDS = "the archive does not have the records of this match"
_SHARD_LETTERS = 2
"""Of the match begin the name of its folder: a file system is slow with a million files in one."""


class BadArchiveUrl(StoreError):
    """The address of the archive cannot be used; the text says why."""


class ArchiveUnavailable(StoreUnavailable):
    """The archive cannot be reached, or does not have what it should."""


class ArchiveUnreachable(ArchiveUnavailable):
    """The archive does not answer, or refuses: another file of it would not be had either."""


class Archive:
    """Files by match. Writing one replaces it as a whole; any number of servers may use one archive."""

    def __init__(self, url: str) -> None:
        """`url` is file:///folder, s3://bucket/prefix, gs://…, az://… or memory:///, which is for tests.

        Credentials come from the environment, as the tools of each service name them. Raises BadArchiveUrl.
        """
        try:
            parts = urlsplit(url)
        except ValueError:
            raise BadArchiveUrl("the address of the archive is no URL") from None
        scheme = parts.scheme
        if parts.password is not None:
            raise BadArchiveUrl("credentials of the archive are not part of its address but of the environment")
        if scheme not in SCHEMES:
            raise BadArchiveUrl(f"{url!r} is not an address of an archive: file:///folder or s3://bucket/prefix")
        try:
            import obstore
            from obstore import store
        except ImportError:
            raise BadArchiveUrl(
                "the archive needs the package obstore: ./dev installs it, and so does the extra `archive`"
            ) from None
        self._obstore = obstore
        self._folder: Path | None = None
        try:
            if scheme == "file":
                self._store: store.ObjectStore = store.from_url(url, mkdir=True)
                self._folder = Path(unquote(parts.path))
            elif scheme == "memory":
                self._store = store.MemoryStore()
            else:
                self._store = store.from_url(
                    url,
                    client_options={
                        "connect_timeout": CONNECT_TIMEOUT,
                        "timeout": timedelta(seconds=REQUEST_SECONDS),
                        # Only where the operator has named such an endpoint. Given here, options of the environment
                        # that are about the client do not count.
                        "allow_http": os.environ.get(ENDPOINT_VARIABLE, "").startswith("http://"),
                    },
                    retry_config={"max_retries": MAX_RETRIES, "retry_timeout": RETRY_TIMEOUT},
                )
        except (ValueError, OSError, obstore.exceptions.BaseError) as error:
            raise BadArchiveUrl(f"the archive {url!r} cannot be used: {_first_line(error)}") from None

    async def put(self, match: str, body: bytes) -> None:
        """Write the file of a match; it is durable when this returns. Raises ArchiveUnavailable."""
        with self._translate_errors("the bucket of the archive does not exist"):
            async with asyncio.timeout(REQUEST_SECONDS):
                await self._obstore.put_async(self._store, _path_of(match), body)
                if self._folder is not None:
                    await asyncio.to_thread(_flush, self._folder, _path_of(match))

    async def get(self, match: str) -> bytes:
        """Return the file of a match. Raises ArchiveUnavailable, also where it has none."""
        with self._translate_errors():
            async with asyncio.timeout(REQUEST_SECONDS):
                found = await self._obstore.get_async(self._store, _path_of(match))
                return bytes(await found.bytes_async())

    async def delete(self, matches: Sequence[str]) -> None:
        """Delete the files of these matches; those that are not there are passed over. Raises ArchiveUnavailable."""
        for match in matches:
            with self._translate_errors(), contextlib.suppress(FileNotFoundError):
                async with asyncio.timeout(REQUEST_SECONDS):
                    await self._obstore.delete_async(self._store, _path_of(match))

    @contextlib.contextmanager
    def _translate_errors(self, missing: str = NO_RECORDS) -> Iterator[None]:
        """Raise ArchiveUnavailable; `missing` says what it means that something is not there."""
        try:
            yield
        except FileNotFoundError:
            raise ArchiveUnavailable(missing) from None
        except TimeoutError:
            raise ArchiveUnreachable(f"the archive did not answer within {REQUEST_SECONDS:.0f} s") from None
        except (OSError, ValueError, self._obstore.exceptions.BaseError) as error:
            raise ArchiveUnreachable(f"the archive cannot be reached: {_first_line(error)}") from None


def _flush(folder: Path, path: str) -> None:
    """Wait until a file and the names of it and of its folders are on the disk: obstore renames, and does not."""
    place = folder / path
    for part in (place, *place.parents):
        descriptor = os.open(part, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if part == folder:
            return


def _path_of(match: str) -> str:
    return f"matches/{match[:_SHARD_LETTERS]}/{match}{SUFFIX}"


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
