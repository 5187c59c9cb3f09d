"""Quotas for each network address: open connections, bursts of frames, matches opened and bots seated within an hour.

Guests are free, so what one player may hold limits nobody who makes more guests. Addresses are kept in memory only, and
never logged.
"""

import ipaddress
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.messages import ClientLimits

SPARE_SOCKETS = 200
"""Sockets above the number of connections, for handshakes under way and health checks."""
MAX_REMEMBERED_ADDRESSES = 10_000
IPV6_NETWORK_BITS = 64
"""One household or server is given at least this network, so its addresses count as one."""
MS_PER_HOUR = 3_600_000
FULL_BURSTS = 2
"""Connections of one address that may begin with a full burst of frames at the same time."""
MIN_BURST = 20
"""Frames that every new connection may send at once: hello, and what a client asks for first."""
UNKNOWN = ""
"""The address of a client behind a proxy that does not name it: no quota applies."""


class QuotaLimits(Struct, frozen=True):
    """What one address may do; 0 means no limit. `proxies` are believed where they name their clients."""

    max_sockets: int = 0
    connections: int = 0
    openings_per_hour: int = 0
    bots_per_hour: int = 0
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")


class AddressQuotas:
    """Counts sockets, opened matches and seated bots by address."""

    def __init__(self, limits: QuotaLimits, clock: Callable[[], int]) -> None:
        """`clock` gives milliseconds."""
        self._limits, self._clock = limits, clock
        self._sockets = 0
        self._connections: Counter[str] = Counter()
        self._openings: dict[str, FloodGuard] = {}
        self._bots: dict[str, FloodGuard] = {}
        self._bursts: dict[str, FloodGuard] = {}

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

    def grant_burst(self, address: str, limits: ClientLimits) -> int:
        """Return how many frames a new connection may send at once.

        Without it, a client that is closed for flooding would have another burst by connecting again.
        """
        if address == UNKNOWN:
            return limits.frame_burst
        full = FloodGuard(limits.frames_per_second, FULL_BURSTS * limits.frame_burst)
        left = _remembered(self._bursts, address, full)
        return max(MIN_BURST, left.take_up_to(self._clock(), limits.frame_burst))

    # ---------------------------------------------------------------- opened matches and bots

    def admit_opening(self, address: str) -> bool:
        """Count an opened match of an address, unless it has opened too many."""
        return self._admit(self._openings, address, self._limits.openings_per_hour) == 0

    def admit_bot(self, address: str) -> int:
        """Count a bot that an address seats and return 0, or the milliseconds until it may seat another."""
        return self._admit(self._bots, address, self._limits.bots_per_hour)

    def _admit(self, guards: dict[str, FloodGuard], address: str, per_hour: int) -> int:
        if address == UNKNOWN or not per_hour:
            return 0
        guard = _remembered(guards, address, FloodGuard(rate=per_hour, burst=per_hour))
        # The guard counts units per 1000 of its time, so that a thousandth of an hour makes them units per hour.
        if guard.admit(self._clock() * 1000 // MS_PER_HOUR):
            return 0
        return max(1, guard.wait_ms() * MS_PER_HOUR // 1000)


def _remembered(guards: dict[str, FloodGuard], address: str, new: FloodGuard) -> FloodGuard:
    """Return the guard of an address, `new` if there is none. The one used longest ago is forgotten."""
    guard = guards.pop(address, new)
    guards[address] = guard
    if len(guards) > MAX_REMEMBERED_ADDRESSES:
        del guards[next(iter(guards))]
    return guard


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
