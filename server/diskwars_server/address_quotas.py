"""Quotas for each network address: connections that are open, and matches opened within an hour.

Guests are free, so what one player may hold limits nobody who makes more guests. Addresses are kept in memory only, and
never logged.
"""

import ipaddress
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from diskwars_protocol.flood_guard import FloodGuard

SPARE_SOCKETS = 200
"""Sockets above the number of connections, for handshakes under way and health checks."""
MAX_REMEMBERED_ADDRESSES = 10_000
IPV6_NETWORK_BITS = 64
"""One household or server is given at least this network, so its addresses count as one."""
MS_PER_HOUR = 3_600_000
UNKNOWN = ""
"""The address of a client behind a proxy that does not name it: no quota applies."""


class QuotaLimits(Struct, frozen=True):
    """What one address may do; 0 means no limit. `proxies` are believed where they name their clients."""

    max_sockets: int = 0
    connections: int = 0
    openings_per_hour: int = 0
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")


class AddressQuotas:
    """Counts sockets and opened matches by address."""

    def __init__(self, limits: QuotaLimits, clock: Callable[[], int]) -> None:
        """`clock` gives milliseconds."""
        self._limits, self._clock = limits, clock
        self._sockets = 0
        self._connections: Counter[str] = Counter()
        self._openings: dict[str, FloodGuard] = {}

    # ---------------------------------------------------------------- who it is

    def address_of(self, peer: object) -> str:
        """Return the address of a socket's other end, as it counts; `UNKNOWN` for a proxy."""
        host = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        return UNKNOWN if not host or host in self._limits.proxies else _normalize(host)

    @staticmethod
    def forwarded_address(headers: Sequence[str]) -> str:
        """Return the client that a proxy names: the last of X-Forwarded-For, which the proxy itself has added."""
        return _normalize(headers[-1].rpartition(",")[2].strip()) if headers else UNKNOWN

    # ---------------------------------------------------------------- connections

    def admit_socket(self) -> bool:
        """Count a socket, unless there are too many; then the caller closes it."""
        if self._limits.max_sockets and self._sockets >= self._limits.max_sockets + SPARE_SOCKETS:
            return False
        self._sockets += 1
        return True

    def release_socket(self) -> None:
        self._sockets -= 1

    def admit_connection(self, address: str) -> bool:
        """Count a connection of an address, unless it has too many."""
        limit = self._limits.connections
        if address != UNKNOWN and limit and self._connections[address] >= limit:
            return False
        self._connections[address] += 1
        return True

    def release_connection(self, address: str) -> None:
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    # ---------------------------------------------------------------- opened matches

    def admit_opening(self, address: str) -> bool:
        """Count an opened match of an address, unless it has opened too many."""
        limit = self._limits.openings_per_hour
        if address == UNKNOWN or not limit:
            return True
        guard = self._openings.pop(address, None) or FloodGuard(rate=limit, burst=limit)
        self._openings[address] = guard  # used last, so it is the last to be forgotten
        if len(self._openings) > MAX_REMEMBERED_ADDRESSES:
            del self._openings[next(iter(self._openings))]
        # The guard counts units per 1000 of its time, so that a thousandth of an hour makes them units per hour.
        return guard.admit(self._clock() * 1000 // MS_PER_HOUR)


def _normalize(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]  # whatever a proxy calls its client
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_NETWORK_BITS), strict=False))
    return str(address)
