"""The network address by which quotas count a client: the other end of its socket, or whom a trusted proxy names.

Addresses of clients are kept in memory only, and never logged.
"""

import ipaddress
import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

log = logging.getLogger(__name__)

IPV6_NETWORK_BITS = 64
"""One household or server is given at least this network, so its addresses count as one."""
MAX_NAME_LENGTH = 64
MAX_WARNINGS = 20
MAX_KNOWN_HOSTS = 1024
"""Addresses whose normal form is kept: an attacker connects often, and parsing took a tenth of a connection's time."""
UNKNOWN = ""
"""The address of a client before its proxy has named it, and of what is no client: no quota applies."""
PROXY_HEADERS = ("x-forwarded-for", "forwarded")

ProxyHeader: TypeAlias = Literal["x-forwarded-for", "forwarded"]
HeaderValues: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the values of all headers of a name, in their order."""


class ClientAddresses:
    """Finds the address of each client.

    Without `proxies`, addresses or networks that are believed where they name their clients, no header counts.
    """

    def __init__(self, proxies: Sequence[str] = (), header: ProxyHeader = "x-forwarded-for") -> None:
        """`header` is the one that proxies set. Any other may come from a client, and is not read."""
        self._proxies = tuple(ipaddress.ip_network(proxy, strict=False) for proxy in proxies)
        self._header = header
        self._warned: set[str] = set()

    def of_peer(self, peer: object) -> str:
        """Return the address of a socket's other end; `UNKNOWN` for a proxy, whose request says who the client is."""
        host = _host_of(peer)
        return UNKNOWN if not host or self._is_proxy(host) else _normalize(host)

    def of_request(self, peer: object, headers: HeaderValues) -> str:
        """Return the address of the client that sent a request: whom the proxies name, or else the other end.

        A proxy that names no client counts as one client itself: so what it lets through has the quotas of one address.
        """
        host = _host_of(peer)
        if not host:
            return UNKNOWN
        if not self._is_proxy(host):
            self._warn_of_ignored(host, headers)
            return _normalize(host)
        if named := self._forwarded(headers(self._header)):
            return named
        self._warn(f"{host} names nobody", "proxy does not name its clients: they count as one", host)
        return f"proxy {host}"

    def _forwarded(self, headers: Sequence[str]) -> str:
        """Return the client that proxies name in all their headers; empty if they name none.

        Each proxy adds the address that it saw at the right. So the first from the right that is no proxy is the
        client's; what is left of it is what the client claims.
        """
        hops = [hop.strip() for header in headers for hop in header.split(",")]
        if self._header == "forwarded":
            hops = [_forwarded_for(hop) for hop in hops]
        for hop in reversed(hops):
            host = _without_port(hop)
            if not self._is_proxy(host):
                return _normalize(host)
        return ""

    def _is_proxy(self, host: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return False
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any((mapped or address) in network for network in self._proxies)

    # ---------------------------------------------------------------- warnings

    def _warn_of_ignored(self, host: str, headers: HeaderValues) -> None:
        """Warn once of headers that count for nothing. Behind a proxy that is not trusted all players are one client.

        The address is not logged, not even a private one: at a server in a home it may be a player's.
        """
        if self._warned.issuperset(_IGNORED) or not any(map(headers, PROXY_HEADERS)):
            return
        is_inside = ipaddress.ip_address(host.partition("%")[0]).is_private
        self._warn(_IGNORED[is_inside], "forwarded address ignored: its sender is not in --proxies", "")

    def _warn(self, about: str, text: str, proxy: str) -> None:
        """Log a warning, if it is the first about this and there were not too many."""
        if about not in self._warned and len(self._warned) < MAX_WARNINGS:
            self._warned.add(about)
            log.warning(text, extra={"proxy": proxy} if proxy else {})


class UncountedClients(ClientAddresses):
    """Counts no client: every address is unknown, so that no quota of an address applies."""

    def of_peer(self, peer: object) -> str:
        return UNKNOWN

    def of_request(self, peer: object, headers: HeaderValues) -> str:
        return UNKNOWN


_IGNORED = ("sent from outside", "sent from inside")


def _host_of(peer: object) -> str:
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


def _forwarded_for(element: str) -> str:
    """Return the node in `for=` of one element of a Forwarded header (RFC 7239); empty if there is none."""
    for pair in element.split(";"):
        name, _, value = pair.strip().partition("=")
        if name.lower() == "for":
            return value.strip().strip('"')
    return ""


def _without_port(node: str) -> str:
    """Return the address in `203.0.113.9:1234` or `[2001:db8::1]:1234`, which some proxies write."""
    if node.startswith("["):
        return node[1:].partition("]")[0]
    host, _, port = node.rpartition(":")
    return host if port.isdigit() and ":" not in host and host else node


@lru_cache(MAX_KNOWN_HOSTS)
def _normalize(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:MAX_NAME_LENGTH]  # whatever a proxy calls its client
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_NETWORK_BITS), strict=False))
    return str(address)
