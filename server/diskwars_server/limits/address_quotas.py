"""Quotas for each network address: connections, bursts of frames, matches, bots, and bytes sent and written.

Guests are free, so what one player may hold limits nobody who makes more guests. Addresses are kept in memory only, and
never logged.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.messages.handshake import ClientLimits
from diskwars_server.limits.addresses import UNKNOWN, ClientAddresses, ProxyHeader, UncountedClients
from diskwars_server.limits.entry_refusals import SERVER_FULL, TOO_MANY_CONNECTIONS, EntryRefusal
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND, RateLimit, RateLimiter

SPARE_SOCKETS = 200
"""Sockets above the number of connections, for handshakes under way and health checks."""
MAX_REMEMBERED_ADDRESSES = 10_000
FULL_BURSTS = 2
"""Connections of one address that may begin with a full burst of frames at the same time."""
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
REQUEST_BURST = 500
"""HTTP requests of one address. The first visit of a browser takes about a hundred: its service worker keeps every file
of the build. Several people behind one address may open the page at once."""
QUERIES_PER_SECOND = 10
QUERY_BURST = 30
"""Requests of one address that read a store or check an army: a page that opens sends half a dozen."""
FREE_ANSWER_BYTES = 4 * 1024
"""Answers up to this size cost nothing. What larger ones take counts as history does."""
HISTORY_PERIOD_MS = 10 * MS_PER_MINUTE
CONNECTIONS_PER_HISTORY = 4
WRITERS_PER_ADDRESS = 5
"""How many budgets of a writer one address may use up together: several people behind it have accounts of their own.

Without it, an address would have one more budget with every account that it registers, for ever.
"""
OPENING_BYTES = 6 * 1024
"""What a match takes in the database beside its records: its listing, with what changes of it leave, and secrets."""
RECORD_OVERHEAD_BYTES = 800
"""What a record or a message takes beside its text, at most: ids, salt, hash and index entries.

Ids of commands may be long, and are in an index whose pages are two thirds full. Measured were 580 for a record and 735
for a message of the chat; tests/server/limits/test_address_quotas_storage.py compares charges with the growth of the
tables.
"""


class QuotaLimits(Struct, frozen=True):
    """What one address may do; 0 means no limit. `proxies` are believed where they name their clients.

    `proxies` are addresses or networks. `history_bytes` are those of earlier records that are sent within
    `HISTORY_PERIOD_MS`; one connection gets a quarter of them. `guest_bytes` are those by which guests let the tables
    grow within an hour, at most; a player with an account has as much alone, wherever they are. One address has
    `WRITERS_PER_ADDRESS` times as much for all its players.
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
        """`clock` gives milliseconds. `clients` finds addresses; if it is None, it trusts the proxies of the limits."""
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
        self._history = RateLimiter[str](RateLimit(limits.history_bytes, HISTORY_PERIOD_MS), clock)
        self._written = RateLimiter[str](RateLimit(limits.guest_bytes, MS_PER_HOUR), clock)
        self._address_written = RateLimiter[str](
            RateLimit(WRITERS_PER_ADDRESS * limits.guest_bytes, MS_PER_HOUR), clock
        )
        # Who pays for a player: a writer, and an address.
        self._connected: dict[str, tuple[str, str]] = {}
        self._openers: dict[str, tuple[str, str]] = {}

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

    # ---------------------------------------------------------------- bytes

    def usage_of(self, address: str) -> "ConnectionUsage":
        """Return what keeps the account of a new connection from this address."""
        return ConnectionUsage(self, address)

    def make_connection_history(self) -> RateLimiter[str]:
        limit = RateLimit(self._limits.history_bytes // CONNECTIONS_PER_HISTORY, HISTORY_PERIOD_MS)
        return RateLimiter(limit, self._clock)

    def history_wait_ms(self, address: str) -> int:
        return 0 if address == UNKNOWN else self._history.wait_ms(address)

    def charge_history(self, address: str, count: int) -> None:
        if address != UNKNOWN:
            self._history.charge(address, count)

    def write_wait_ms(self, writer: str, address: str) -> int:
        """Return how long a writer at an address has to wait for what both have written."""
        by_writer = 0 if writer == UNKNOWN else self._written.wait_ms(writer)
        return max(by_writer, 0 if address == UNKNOWN else self._address_written.wait_ms(address))

    def charge_written(self, writer: str, count: int) -> None:
        if writer != UNKNOWN:
            self._written.charge(writer, count)

    def charge_address_written(self, address: str, count: int) -> None:
        """Count what all players of an address have written."""
        if address != UNKNOWN:
            self._address_written.charge(address, count)

    def note_writer(self, player: str, writer: str, address: str) -> None:
        """Remember who pays for what is written in the matches that a player opens."""
        payers = writer, address
        if player in self._openers:
            self._openers[player] = payers
        else:
            _remember_last(self._connected, player, payers)

    def usage_of_opener(self, opener: str) -> "OpenerUsage":
        """Return what pays for records that no command of a player causes: of a new match, of bots and of clocks.

        An opener whom nobody remembers, as after a restart, pays alone.
        """
        payers = self._openers.get(opener) or self._connected.pop(opener, None)
        if payers is None:
            return OpenerUsage(self, opener, UNKNOWN)
        # Openers are kept apart: those who only connect, which costs a stranger little, make nobody forget them.
        _remember_last(self._openers, opener, payers)
        return OpenerUsage(self, *payers)


class ConnectionUsage:
    """The bytes that one connection has used up: history that it was sent, and records that it caused.

    They are counted when they are known, after the fact; then the next request has to wait. What a match under way
    needs may use up the limit twice, so that others at the same address disturb it less.
    """

    def __init__(self, quotas: AddressQuotas, address: str) -> None:
        self._quotas, self._address = quotas, address
        self._history = quotas.make_connection_history()
        self.writer = address
        """Whose budget pays for records: an address, or a player with an account. The address pays in any case."""
        self._payer_address = address

    def history_wait_ms(self, is_resume: bool) -> int:
        """Return how long to wait before more history is sent, 0 if it may be sent now."""
        wait_ms = max(self._history.wait_ms(""), self._quotas.history_wait_ms(self._address))
        return max(0, wait_ms - (HISTORY_PERIOD_MS if is_resume else 0))

    def add_history(self, count: int) -> None:
        self._history.charge("", count)
        self._quotas.charge_history(self._address, count)

    def write_wait_ms(self, is_under_way: bool) -> int:
        """Return how long to wait before more may be written, 0 if it may be written now."""
        wait_ms = self._quotas.write_wait_ms(self.writer, self._payer_address)
        return max(0, wait_ms - (MS_PER_HOUR if is_under_way else 0))

    def add_record(self, count: int) -> None:
        """Count a record of this many bytes."""
        self.add_records(count, 1)

    def add_records(self, total: int, records: int) -> None:
        """Count several records that have this many bytes together."""
        count = total + records * RECORD_OVERHEAD_BYTES
        self._quotas.charge_written(self.writer, count)
        self._quotas.charge_address_written(self._payer_address, count)


class OpenerUsage(ConnectionUsage):
    """The bytes that are written in the matches of one opener without a command of a player.

    They never have to wait, or matches of bots would stand still: what is opened next waits for them.
    """

    def __init__(self, quotas: AddressQuotas, writer: str, address: str) -> None:
        super().__init__(quotas, UNKNOWN)
        self.writer, self._payer_address = writer, address

    def write_wait_ms(self, is_under_way: bool) -> int:
        return 0

    def add_opening(self, count: int) -> None:
        """Count a new match whose first record has this many bytes."""
        self.add_record(count + OPENING_BYTES)


def _remember_last(payers: dict[str, tuple[str, str]], player: str, found: tuple[str, str]) -> None:
    """Remember who pays for a player. The player remembered longest ago is forgotten."""
    payers.pop(player, None)
    payers[player] = found
    if len(payers) > MAX_REMEMBERED_ADDRESSES:
        del payers[next(iter(payers))]


def _remembered(guards: dict[str, FloodGuard], address: str, new: FloodGuard) -> FloodGuard:
    """Return the guard of an address, `new` if there is none. The one used longest ago is forgotten."""
    guard = guards.pop(address, new)
    guards[address] = guard
    if len(guards) > MAX_REMEMBERED_ADDRESSES:
        del guards[next(iter(guards))]
    return guard


def make_unlimited() -> AddressQuotas:
    """Return quotas that limit nobody."""
    return AddressQuotas(QuotaLimits(), lambda: 0, UncountedClients())


UNLIMITED = make_unlimited()
"""Quotas of what has no limits."""
