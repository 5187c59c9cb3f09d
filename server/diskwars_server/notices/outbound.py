"""Requests to addresses that players have named, which must not reach what only this machine can reach.

An address is resolved once and its connection goes to what was resolved, so that a name that answers otherwise a moment
later (DNS rebinding) gains nothing. Redirects are not followed, answers are bounded and never decompressed.
"""

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from msgspec import Struct

from diskwars_server.notices.addresses import BadAddress, ReachableAddresses

TIMEOUT_SECONDS = 5.0
"""For everything about one request."""
MAX_ANSWER_BYTES = 64 * 1024
MAX_REQUESTS_AT_ONCE = 8
RESOLVING_THREADS = 2
MAX_RETRY_AFTER_SECONDS = 86_400

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gets host and port, returns addresses. Raises OSError."""


class SendFailed(Exception):
    """No answer came, and another attempt may succeed."""


class Answer(Struct, frozen=True):
    """The status of an answer, and the seconds after which it asks for another attempt."""

    status: int
    retry_after_seconds: int | None = None


class OutboundHttp:
    """Posts to addresses that may be reached."""

    def __init__(
        self, reachable: ReachableAddresses, resolve: Resolve | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self._reachable = reachable
        self._resolver = _GuardedResolver(reachable, resolve or _resolve)
        self._tls = tls
        self._turns = asyncio.Semaphore(MAX_REQUESTS_AT_ONCE)
        self._session: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Post, and return the answer whatever its status. Raises BadAddress and SendFailed."""
        self._reachable.check_url(url)
        async with self._turns:
            try:
                async with (
                    asyncio.timeout(TIMEOUT_SECONDS),
                    self._open_session().post(url, data=body, headers=dict(headers), allow_redirects=False) as response,
                ):
                    with contextlib.suppress(aiohttp.ClientError):  # its status is what counts
                        await response.content.read(MAX_ANSWER_BYTES)
                    return Answer(response.status, _retry_after(response.headers.get("Retry-After", "")))
            except TimeoutError:
                raise SendFailed(f"no answer within {TIMEOUT_SECONDS:g} s") from None
            except aiohttp.ClientConnectorDNSError as fault:
                if isinstance(fault.os_error, _Unreachable):
                    raise BadAddress(str(fault.os_error)) from None
                raise SendFailed("the host has no address") from None
            except (aiohttp.ClientError, OSError, ValueError) as fault:
                raise SendFailed(type(fault).__name__) from None

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                resolver=self._resolver,
                use_dns_cache=False,
                limit=MAX_REQUESTS_AT_ONCE,
                force_close=True,
                ssl=self._tls if self._tls is not None else True,
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                auto_decompress=False,
                trust_env=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=4096,
                max_field_size=4096,
            )
        return self._session


class _Unreachable(OSError):
    """A name leads to an address that must not be reached."""


class _GuardedResolver(AbstractResolver):
    """Resolves names; one that leads to any address that must not be reached is refused as a whole."""

    def __init__(self, reachable: ReachableAddresses, resolve: Resolve) -> None:
        self._reachable, self._resolve = reachable, resolve

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = []
        for text in await self._resolve(host, port):
            address = ipaddress.ip_address(text)
            try:
                self._reachable.require(address)
            except BadAddress as fault:
                raise _Unreachable(str(fault)) from None
            kind = socket.AF_INET if address.version == 4 else socket.AF_INET6
            found.append(
                ResolveResult(
                    hostname=host, host=str(address), port=port, family=kind, proto=0, flags=socket.AI_NUMERICHOST
                )
            )
        if not found:
            raise OSError("the host has no address")
        return found

    async def close(self) -> None:
        pass


async def _resolve(host: str, port: int) -> Sequence[str]:
    # In threads of its own: a name server that is silent holds one for longer than the request, and the usual threads
    # of the loop do other things for matches.
    find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_resolvers(), find)
    return tuple(dict.fromkeys(str(address[0]).partition("%")[0] for *_, address in found))


@cache
def _resolvers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(RESOLVING_THREADS, "names of webhooks")


def _retry_after(text: str) -> int | None:
    return min(int(text), MAX_RETRY_AFTER_SECONDS) if text.isascii() and text.isdecimal() and len(text) < 10 else None
