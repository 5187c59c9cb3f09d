"""Quotas for each network address: connections, bursts of frames, requests, matches and bots.

Guests are free, so what one player may hold does not limit a stranger who makes more guests. Addresses are kept in
memory only, and never logged. `usage` counts the bytes that are sent and written.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.messages.handshake import ClientLimits
from diskwars_server.limits.addresses import UNKNOWN, ClientAddresses, ProxyHeader, UncountedClients
from diskwars_server.limits.entry_refusals import SERVER_FULL, TOO_MANY_CONNECTIONS, EntryRefusal
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_SECOND, RateLimit, RateLimiter
from diskwars_server.limits.usage import MAX_REMEMBERED_ADDRESSES, ByteBudgets

SPARE_SOCKETS = 200
"""Sockets above the number of connections, for handshakes under way and health checks."""
FULL_BURSTS = 4
"""Connections of one address that may begin with a full burst of frames at the same time: two players at one table, a
spectator, and one of them again."""
HANDSHAKE_BURST = 100
HANDSHAKE_PERIOD_MS = 10_000
"""Connections that an address may begin within this time: that many at least, else as many as it may have at once.

Connecting again and again costs a server more than anything that one frame may say: some 0.6 ms."""
MIN_BURST = 30
"""Frames that every new connection may send at once: hello, and what a client asks for first.

The longest frame counts as 17, and clients use four fifths of what `welcome` says."""
FRAMES_PER_SECOND = 1000
"""Frames of all connections of one address, large ones counted several times: as many as ten of them may send. Further
ones are handled later, and none is refused for it."""
REQUESTS_PER_SECOND = 20
REQUEST_BURST = 1500
"""HTTP requests of one address. A page takes about 20, and the first visit of a browser up to 150: its service worker
keeps the files of the build. Five people behind one address may open the page at once."""
QUERIES_PER_SECOND = 10
QUERY_BURST = 30
"""Requests of one address that read a store or check an army: a page that opens sends half a dozen."""


class QuotaLimits(Struct, frozen=True):
    """Limits of one address; 0 means no limit. `proxies` are believed where they name their clients.

    `proxies` are addresses or networks. `history_bytes` are those of earlier records that are sent within
    `usage.HISTORY_PERIOD_MS`; one connection gets a quarter of them. `guest_bytes` are those by which guests let the
    tables grow within an hour, at most; a player with an account has as much alone, wherever they are. One address has
    `usage.WRITERS_PER_ADDRESS` times as much for all its players.
    """

    max_sockets: int = 0
    connections: int = 0
    openings_per_hour: int = 0
    bots_per_hour: int = 0
    proxies: tuple[str, ...] = ()
    proxy_header: ProxyHeader = "x-forwarded-for"
    history_bytes: int = 0
    guest_bytes: int = 0


class AddressQuotas:
    """Counts sockets, opened matches and seated bots by address."""

    def __init__(self, limits: QuotaLimits, clock: Callable[[], int], clients: ClientAddresses | None = None) -> None:
        """`clock` is monotonic, in milliseconds.

        `clients` finds addresses; if it is None, it trusts the proxies of the limits.
        """
        self._limits, self._clock = limits, clock
        self.clients = clients or ClientAddresses(limits.proxies, limits.proxy_header)
        self._sockets = 0
        self._connections: Counter[str] = Counter()
        self._tls_handshakes: Counter[str] = Counter()
        self._openings: dict[str, FloodGuard] = {}
        self._bots: dict[str, FloodGuard] = {}
        self._bursts: dict[str, FloodGuard] = {}
        handshakes = max(HANDSHAKE_BURST, limits.connections) if limits.connections else 0
        self._handshakes = RateLimiter[str](RateLimit(handshakes, HANDSHAKE_PERIOD_MS), clock)
        self._frames = RateLimiter[str](RateLimit(FRAMES_PER_SECOND, MS_PER_SECOND), clock)
        self._requests: dict[str, FloodGuard] = {}
        self._queries: dict[str, FloodGuard] = {}
        self.bytes = ByteBudgets(limits.history_bytes, limits.guest_bytes, clock)

    # ---------------------------------------------------------------- connections

    def admit_socket(self) -> bool:
        """Count a socket, unless there are too many; then the caller closes it."""
        if self._limits.max_sockets and self._sockets >= self._limits.max_sockets + SPARE_SOCKETS:
            return False
        self._sockets += 1
        return True

    def release_socket(self) -> None:
        self._sockets -= 1

    def find_refusal(self, peer: object) -> EntryRefusal | None:
        """Return why a connection from a socket's other end would not be counted, before one is made of it.

        What is refused because the address has too many counts as one that it has begun.
        """
        if self._limits.max_sockets and self._sockets >= self._limits.max_sockets + SPARE_SOCKETS:
            return SERVER_FULL
        address = self.clients.of_peer(peer)
        if address == UNKNOWN:
            return None
        if self._handshakes.wait_ms(address):
            return TOO_MANY_CONNECTIONS
        if self.is_full(address):
            self._handshakes.charge(address, 1)
            return TOO_MANY_CONNECTIONS
        return None

    def admit_tls(self, peer: object) -> Callable[[], None] | None:
        """Count a connection until both ends agree on TLS, and return what ends that; None if its address has too many.

        An address may have half as many of them as connections. One with too many connections is admitted, and reads
        that it is refused; one that begins too many is not, because agreeing on TLS costs far more than to refuse it.
        All addresses together have half as many as sockets: each takes 50 KiB, and nothing else bounds them.
        """
        max_sockets = self._limits.max_sockets
        if max_sockets and self._tls_handshakes.total() >= (max_sockets + SPARE_SOCKETS) // 2:
            return None
        address, limit = self.clients.of_peer(peer), -(-self._limits.connections // 2)
        has_too_many = self._tls_handshakes[address] >= limit or self._handshakes.wait_ms(address)
        if address != UNKNOWN and limit and has_too_many:
            return None
        self._tls_handshakes[address] += 1
        return partial(self._end_tls, address)

    def _end_tls(self, address: str) -> None:
        self._tls_handshakes[address] -= 1
        if not self._tls_handshakes[address]:
            del self._tls_handshakes[address]

    def admit_handshake(self, address: str) -> bool:
        """Count a connection that an address begins, unless it has begun too many lately."""
        return address == UNKNOWN or self._handshakes.take(address) == 0

    def admit_connection(self, address: str) -> bool:
        """Count a connection of an address, unless it has too many."""
        if self.is_full(address):
            return False
        self._connections[address] += 1
        return True

    def is_full(self, address: str) -> bool:
        """Return whether an address has as many connections as it may."""
        limit = self._limits.connections
        return address != UNKNOWN and limit > 0 and self._connections[address] >= limit

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

    def frame_wait_ms(self, address: str) -> int:
        """Return how long the next frame of an address has to wait for those that came before it."""
        return 0 if address == UNKNOWN else self._frames.wait_ms(address)

    def charge_frame(self, address: str, units: int) -> None:
        if address != UNKNOWN:
            self._frames.charge(address, units)

    # ---------------------------------------------------------------- HTTP

    def admit_request(self, address: str) -> int:
        """Count an HTTP request of an address and return 0, or the milliseconds until it may send another."""
        wait_ms = self._admit_request(self._requests, address, REQUESTS_PER_SECOND, REQUEST_BURST)
        if address != UNKNOWN and not wait_ms:
            self._handshakes.charge(address, -1)  # a page takes a dozen requests, each with a connection of its own
        return wait_ms

    def admit_query(self, address: str) -> int:
        """Count a query of an address and return 0, or the milliseconds until it may send another."""
        return self._admit_request(self._queries, address, QUERIES_PER_SECOND, QUERY_BURST)

    def query_wait_ms(self, address: str) -> int:
        """Return how long an address has to wait for its next query, and count none."""
        guard = self._queries.get(address)
        return 0 if guard is None or guard.units_left(self._clock()) else max(1, guard.wait_ms())

    def _admit_request(self, guards: dict[str, FloodGuard], address: str, per_second: int, burst: int) -> int:
        if address == UNKNOWN:
            return 0
        guard = _remembered(guards, address, FloodGuard(rate=per_second, burst=burst))
        return 0 if guard.admit(self._clock()) else max(1, guard.wait_ms())

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

    def opening_wait_ms(self, address: str) -> int:
        """Return how long an address that opened too many matches has to wait."""
        guard = self._openings.get(address)
        return 0 if guard is None else max(1, guard.wait_ms() * (MS_PER_HOUR // 1000))


def _remembered(guards: dict[str, FloodGuard], address: str, new: FloodGuard) -> FloodGuard:
    """Return the guard of an address, `new` if there is none. The one used longest ago is forgotten."""
    guard = guards.pop(address, new)
    guards[address] = guard
    if len(guards) > MAX_REMEMBERED_ADDRESSES:
        del guards[next(iter(guards))]
    return guard


def make_unlimited() -> AddressQuotas:
    """Return quotas without limits."""
    return AddressQuotas(QuotaLimits(), lambda: 0, UncountedClients())
