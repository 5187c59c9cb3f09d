"""Budgets of the bytes that connections are sent and write, and who pays for what.

A client at an address, and a player with an account, have a budget each; both pay.
"""

from collections.abc import Callable

from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_MINUTE, RateLimit, RateLimiter

MAX_REMEMBERED_ADDRESSES = 10_000
FREE_ANSWER_BYTES = 4 * 1024
"""Answers up to this size cost nothing. What larger ones take counts as history does."""
HISTORY_PERIOD_MS = 10 * MS_PER_MINUTE
CONNECTIONS_PER_HISTORY = 4
WRITERS_PER_ADDRESS = 5
"""The number of budgets of a writer that one address may use up: several people behind it have accounts of their own.

Without it, an address would have one more budget with every account that it registers, for ever.
"""
OPENING_BYTES = 6 * 1024
"""The bytes of a match in the database beside its records: its listing, what changes of it leave, and secrets."""
RECORD_OVERHEAD_BYTES = 800
"""The most bytes that a record or a message takes beside its text: ids, salt, hash and index entries.

Ids of commands may be long, and are in an index whose pages are two thirds full. Measured were 580 for a record and 735
for a message of the chat; tests/server/limits/test_usage_storage.py compares charges with the growth of the tables.
"""


class ByteBudgets:
    """The bytes that addresses and writers have left: history that is sent, and records that are written."""

    def __init__(self, history_bytes: int, guest_bytes: int, clock: Callable[[], int]) -> None:
        """`history_bytes` and `guest_bytes` are those of `QuotaLimits`; `clock` is monotonic, in milliseconds."""
        self._history_bytes, self._clock = history_bytes, clock
        self._history = RateLimiter[str](RateLimit(history_bytes, HISTORY_PERIOD_MS), clock)
        self._written = RateLimiter[str](RateLimit(guest_bytes, MS_PER_HOUR), clock)
        self._address_written = RateLimiter[str](RateLimit(WRITERS_PER_ADDRESS * guest_bytes, MS_PER_HOUR), clock)
        # The payers for a player: a writer, and an address.
        self._connected: dict[str, tuple[str, str]] = {}
        self._openers: dict[str, tuple[str, str]] = {}

    def usage_of(self, address: str) -> "ConnectionUsage":
        """Return what keeps the account of a new connection from this address."""
        return ConnectionUsage(self, address)

    def make_connection_history(self) -> RateLimiter[str]:
        limit = RateLimit(self._history_bytes // CONNECTIONS_PER_HISTORY, HISTORY_PERIOD_MS)
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

    def record_payers(self, player: str, writer: str, address: str) -> None:
        """Remember who pays for what is written in the matches that a player opens."""
        payers = writer, address
        if player in self._openers:
            self._openers[player] = payers
        else:
            _remember_last(self._connected, player, payers)

    def usage_of_opener(self, opener: str) -> "OpenerUsage":
        """Return what pays for records that no command of a player causes: of a new match, of bots and of clocks.

        An opener who is not remembered, as after a restart, pays alone.
        """
        payers = self._openers.get(opener) or self._connected.pop(opener, None)
        if payers is None:
            return OpenerUsage(self, opener, UNKNOWN)
        # Openers are kept apart: those who only connect, which costs a stranger little, do not push them out.
        _remember_last(self._openers, opener, payers)
        return OpenerUsage(self, *payers)


class ConnectionUsage:
    """The bytes that one connection has used up: history that it was sent, and records that it caused.

    They are counted when they are known, after the fact; then the next request has to wait. What a match under way
    needs may use up the limit twice, so that others at the same address disturb it less.
    """

    def __init__(self, budgets: ByteBudgets, address: str) -> None:
        self._budgets, self._address = budgets, address
        self._history = budgets.make_connection_history()
        self.writer = address
        """The budget that pays for records: of an address, or of a player with an account. The address always pays."""
        self._payer_address = address

    def history_wait_ms(self, is_resume: bool) -> int:
        """Return how long to wait before more history is sent, 0 if it may be sent now."""
        wait_ms = max(self._history.wait_ms(""), self._budgets.history_wait_ms(self._address))
        return max(0, wait_ms - (HISTORY_PERIOD_MS if is_resume else 0))

    def add_history(self, count: int) -> None:
        self._history.charge("", count)
        self._budgets.charge_history(self._address, count)

    def write_wait_ms(self, is_under_way: bool) -> int:
        """Return how long to wait before more may be written, 0 if it may be written now."""
        wait_ms = self._budgets.write_wait_ms(self.writer, self._payer_address)
        return max(0, wait_ms - (MS_PER_HOUR if is_under_way else 0))

    def add_record(self, count: int) -> None:
        """Count a record of this many bytes."""
        self.add_records(count, 1)

    def add_records(self, total: int, records: int) -> None:
        """Count several records that have this many bytes together."""
        count = total + records * RECORD_OVERHEAD_BYTES
        self._budgets.charge_written(self.writer, count)
        self._budgets.charge_address_written(self._payer_address, count)


class OpenerUsage(ConnectionUsage):
    """The bytes that are written in the matches of one opener without a command of a player.

    They never have to wait, or matches of bots would stand still: what is opened next waits for them.
    """

    def __init__(self, budgets: ByteBudgets, writer: str, address: str) -> None:
        super().__init__(budgets, UNKNOWN)
        self.writer, self._payer_address = writer, address

    def write_wait_ms(self, is_under_way: bool) -> int:
        return 0

    def add_opening(self, count: int) -> None:
        """Count a new match whose first record has this many bytes."""
        self.add_record(count + OPENING_BYTES)


def _remember_last(payers: dict[str, tuple[str, str]], player: str, latest: tuple[str, str]) -> None:
    """Remember who pays for a player. The player remembered longest ago is forgotten."""
    payers.pop(player, None)
    payers[player] = latest
    if len(payers) > MAX_REMEMBERED_ADDRESSES:
        del payers[next(iter(payers))]


UNLIMITED = ByteBudgets(0, 0, lambda: 0)
"""Budgets of what has no limits."""
