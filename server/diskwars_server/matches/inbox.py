"""Queue of one match: commands, actions of the server, and reads of records that other nodes have stored."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import DecisionId, PlayerId
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.refusals import RETRY_AFTER_MS, Refusal
from diskwars_server.store.deadlines import Limit
from diskwars_server.store.errors import StoreUnavailable

MAX_INBOX_ITEMS = 64
RESERVED_ITEMS = 16
"""Room behind that for those who sit in the match, and as much again for the server: strangers cannot take it."""
READ_PAUSE_SECONDS = 0.1
"""Between two reads for clients who say that they know more than is stored."""


class AnswerReceiver(Protocol):
    """Receiver of the answer to a command: the outbox of a connection, or a bot."""

    usage: ConnectionUsage
    """The budget that pays for the records of its commands."""

    @property
    def lag_ms(self) -> int:
        """The last measured round trip; 0 where there is none."""

    def send(self, message: Accepted | Refused) -> bool:
        """Take the answer. Return False when the receiver is gone."""


class PendingCommand(Struct, frozen=True):
    """A command on its way to a match. `digest` is that of the engine: the same command again has the same.

    `action` is an action of the ruleset, `CloseMatch` or `Kick`.
    """

    id: str
    player: PlayerId
    decision: DecisionId | None
    action: Any
    digest: str
    outbox: AnswerReceiver
    chain_head: str | None = None


class TimeOut(Struct, frozen=True):
    """A limit is reached: the server answers a decision, or leaves for absent players."""

    limit: Limit

    @property
    def id(self) -> str:
        return f"timeout:{self.limit.key}"


class CatchUp:
    """Records up to `head` are known to exist: read what is stored.

    `done` is set when that is done or given up; `fault` is what kept it from being done.
    """

    def __init__(self, head: int) -> None:
        self.head = head
        self.done = asyncio.Event()
        self.fault: StoreUnavailable | None = None
        self.is_queued = self.is_delayed = False


class Expiry(Struct, frozen=True):
    """The match has waited too long for its players: the server closes it unless it has begun."""


class OtherPacks(Struct, frozen=True):
    """The match was opened with packs that this server does not have: the server closes it unless it has begun."""


class Idleness(Struct, frozen=True):
    """The server stops the match if it is under way and has no record since `before_ms`."""

    before_ms: int


class Overload(Struct, frozen=True):
    """The rules cannot play the match on: the server stops it. `fault` says why."""

    fault: str


class Ended(Struct, frozen=True):
    """The match has ended: the server removes its secrets."""


ServerItem: TypeAlias = TimeOut | Expiry | OtherPacks | Idleness | Overload | Ended
InboxItem: TypeAlias = PendingCommand | ServerItem | CatchUp


class Inbox:
    """A bounded queue for one reader. Made inside a running event loop."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        """`on_change` is called when a read has come, perhaps after a pause, and when the inbox is closed."""
        self._on_change = on_change
        self.items: deque[InboxItem] = deque()
        """What waits, the next first; filled by `put` and emptied by `take` only."""
        self._next_read: CatchUp | None = None
        """The one read that has not begun: it serves all who ask for one meanwhile."""
        self._read_not_before = 0.0
        self._is_closed = False

    def __bool__(self) -> bool:
        return bool(self.items)

    def put(self, item: InboxItem, reserved: int = 0) -> None:
        """Add an item; `reserved` is how many places beyond those of everybody it may use. Raises Refusal."""
        if len(self.items) >= MAX_INBOX_ITEMS + reserved:
            raise busy_refusal()
        self.items.append(item)

    def take(self) -> InboxItem:
        """Return the next of the items."""
        item = self.items.popleft()
        if item is self._next_read:
            self._next_read = None
        return item

    def close(self) -> None:
        """Give up a read that has not begun, and let none begin any more."""
        self._is_closed = True
        if self._next_read is not None:
            self._next_read.done.set()
        self._on_change()

    def clear(self) -> list[InboxItem]:
        """Empty the inbox; return what was in it."""
        items = list(self.items)
        self.items.clear()
        return items

    # ---------------------------------------------------------------- reads

    def ask_for_read(self, head: int, is_certain: bool = True) -> CatchUp:
        """Let records up to `head` be read when it is their turn; return the read.

        There is one at a time, however many ask, so it needs no room of commands. Where it is not certain that there
        are such records, it waits for the end of the pause.
        """
        if self._next_read is None:
            self._next_read = CatchUp(head)
        read = self._next_read
        read.head = max(read.head, head)
        loop = asyncio.get_running_loop()
        pause = self._read_not_before - loop.time()
        if is_certain or pause <= 0:
            self._queue_read(read)
        elif not read.is_delayed:
            read.is_delayed = True
            loop.call_later(pause, self._queue_read, read)
        return read

    def pause_reads(self) -> None:
        """Let the next uncertain read wait a little: the last one found less than was asked for."""
        self._read_not_before = asyncio.get_running_loop().time() + READ_PAUSE_SECONDS

    def _queue_read(self, read: CatchUp) -> None:
        if read is self._next_read and not read.is_queued and not self._is_closed:
            read.is_queued = True
            self.items.append(read)
            self._on_change()


def busy_refusal() -> Refusal:
    """Return the refusal of a command for which there is no room."""
    return Refusal("busy", "the match has too many commands waiting", retry_after_ms=RETRY_AFTER_MS)
