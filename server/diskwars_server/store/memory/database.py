"""The database in memory: for tests, simulation and a server that may forget."""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes

from msgspec.structs import replace

from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.records.records import Record
from diskwars_server.store.admissions import LOCK_PREFIX, MatchLock
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import MAX_GRACES_PER_SEAT, Deadline, Deadlines
from diskwars_server.store.errors import StoreUnavailable, UnknownMatch, WrongVersion
from diskwars_server.store.event_log import (
    AppendRequest,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    StoredImport,
    check_append,
    duplicate_command_error,
)
from diskwars_server.store.match_index import (
    MAX_SCANNED_MATCHES,
    NEVER_BEGUN_REASONS,
    NO_FILTER,
    HistoryPage,
    HistoryQuery,
    ListFilter,
    Listing,
    MatchIndex,
    count_bot_seats,
    fits,
    is_found,
    is_listed_for,
    is_scanned,
)
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.memory.admissions import MemoryAdmissions
from diskwars_server.store.memory.chat import MemoryChat
from diskwars_server.store.memory.operator_acts import MemoryOperatorActs
from diskwars_server.store.memory.ratings import MemoryRatings
from diskwars_server.store.memory.reports import MemoryReports
from diskwars_server.store.memory.seeks import MemorySeeks
from diskwars_server.store.vault import Vault


class MemoryDatabase(Database):
    """Everything in this process."""

    def __init__(self) -> None:
        self._is_open = False
        self._vault = MemoryVault(self._require_open)
        self._matches = MemoryMatchIndex(self._require_open, self._vault)
        self._deadlines = MemoryDeadlines(self._require_open)
        self._accounts = MemoryAccounts(self._require_open)
        self._admissions = MemoryAdmissions(self._require_open)
        self._ratings = MemoryRatings(self._require_open, lambda: self._matches.listings, self._accounts)
        self._chat = MemoryChat(self._require_open)
        self._reports = MemoryReports(self._require_open)
        self._operator_acts = MemoryOperatorActs(self._require_open, self._accounts, self._chat, self._reports)
        self._seeks = MemorySeeks(self._require_open)
        self._events = MemoryEventLog(
            self._require_open,
            self._matches,
            self._vault,
            self._deadlines,
            self._admissions,
            self._chat,
            self._accounts,
        )

    @property
    def events(self) -> "MemoryEventLog":
        return self._events

    @property
    def matches(self) -> "MemoryMatchIndex":
        return self._matches

    @property
    def vault(self) -> "MemoryVault":
        return self._vault

    @property
    def deadlines(self) -> "MemoryDeadlines":
        return self._deadlines

    @property
    def accounts(self) -> MemoryAccounts:
        return self._accounts

    @property
    def admissions(self) -> MemoryAdmissions:
        return self._admissions

    @property
    def ratings(self) -> MemoryRatings:
        return self._ratings

    @property
    def chat(self) -> MemoryChat:
        return self._chat

    @property
    def operator_acts(self) -> MemoryOperatorActs:
        return self._operator_acts

    @property
    def reports(self) -> MemoryReports:
        return self._reports

    @property
    def seeks(self) -> MemorySeeks:
        return self._seeks

    @property
    def is_failing(self) -> bool:
        return False

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    async def check_writable(self) -> None:
        self._require_open()

    def _require_open(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("the store is closed")


class MemoryMatchIndex(MatchIndex):
    """Listings by match."""

    def __init__(self, require_open: Callable[[], None], vault: "MemoryVault") -> None:
        self._require_open, self._vault = require_open, vault
        self._listings: dict[str, Listing] = {}

    @property
    def listings(self) -> Mapping[str, Listing]:
        """All matches."""
        return self._listings

    def put_turns(self, match: str, deciding: tuple[int, ...]) -> None:
        if match in self._listings:
            self._listings[match] = replace(self._listings[match], deciding=deciding)

    def put(self, listing: Listing) -> None:
        self._listings[listing.match] = listing

    async def list_matches(
        self,
        status: str | None = None,
        limit: int = 100,
        before: tuple[int, str] | None = None,
        viewer: str | None = None,
        wanted: ListFilter = NO_FILTER,
    ) -> list[Listing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listings.values()
            if fits(listing, status, wanted)
            and (viewer is None or is_listed_for(listing, viewer))
            and (before is None or (listing.created_ms, listing.match) < before)
        ]
        newest = sorted(shown, key=lambda listing: (listing.created_ms, listing.match), reverse=True)[:limit]
        return [self._with_lock(listing) for listing in newest]

    async def find_listings(self, matches: Sequence[str]) -> list[Listing]:
        self._require_open()
        return [self._with_lock(self._listings[match]) for match in matches if match in self._listings]

    def _with_lock(self, listing: Listing) -> Listing:
        return replace(listing, is_locked=self._vault.is_locked(listing.match))

    async def search(self, query: HistoryQuery, limit: int, before: tuple[int, str] | None = None) -> HistoryPage:
        self._require_open()
        wanted = [
            listing
            for listing in self._listings.values()
            if is_scanned(listing, query) and (before is None or (listing.created_ms, listing.match) < before)
        ]
        wanted.sort(key=lambda listing: (listing.created_ms, listing.match), reverse=True)
        scanned = wanted[:MAX_SCANNED_MATCHES]
        found = [self._with_lock(listing) for listing in scanned if is_found(listing, query)]
        if len(found) > limit:
            return HistoryPage(found[:limit], (found[limit - 1].created_ms, found[limit - 1].match))
        is_last = len(scanned) == len(wanted)
        return HistoryPage(found, None if is_last else (scanned[-1].created_ms, scanned[-1].match))

    async def find_ended_at(self, created_ms: int) -> list[str]:
        self._require_open()
        ended = (listing for listing in self._listings.values() if listing.status == "ended")
        return [listing.match for listing in ended if listing.created_ms == created_ms][:MAX_SCANNED_MATCHES]

    async def find_unstarted(self, before: int, after: str, limit: int) -> list[str]:
        self._require_open()
        found = (
            listing.match
            for listing in self._listings.values()
            if listing.status == "open" and listing.updated_ms < before and listing.match > after
        )
        return sorted(found)[:limit]

    def find_never_begun(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        found = (
            listing.match
            for listing in self._listings.values()
            if listing.result is not None
            and listing.result.end_reason in NEVER_BEGUN_REASONS
            and listing.created_ms < opened_before
            and listing.updated_ms < ended_before
        )
        return list(found)[:limit]

    def find_next(self, status: MatchStatus, before: int, after: tuple[int, str], limit: int) -> list[Listing]:
        """Return the next matches of this status after (created_ms, match), the oldest first."""
        found = [
            listing
            for listing in self._listings.values()
            if listing.status == status and listing.created_ms < before and (listing.created_ms, listing.match) > after
        ]
        return sorted(found, key=lambda listing: (listing.created_ms, listing.match))[:limit]

    def remove(self, match: str) -> None:
        del self._listings[match]

    async def count_unfinished(self, opener: str) -> int:
        self._require_open()
        return sum(listing.opener == opener and listing.status != "ended" for listing in self._listings.values())

    async def count_bots(self, opener: str) -> int:
        self._require_open()
        own = (listing for listing in self._listings.values() if listing.opener == opener)
        return sum(count_bot_seats(listing) for listing in own if listing.status != "ended")

    async def find_with_bots(self, after: str, limit: int) -> list[str]:
        self._require_open()
        unfinished = (listing for listing in self._listings.values() if listing.status != "ended")
        return sorted(one.match for one in unfinished if one.match > after and count_bot_seats(one))[:limit]


class MemoryVault(Vault):
    """Secrets by match and name, and a key that lives as long as the process."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._secrets: dict[str, dict[str, bytes]] = {}
        self._key = token_bytes(32)

    def put(self, match: str, name: str, value: bytes) -> None:
        self._secrets.setdefault(match, {})[name] = value

    async def secrets(self, match: str) -> dict[str, bytes]:
        self._require_open()
        return dict(self._secrets.get(match, {}))

    async def forget_secrets(self, match: str) -> None:
        self._require_open()
        locks = {name: value for name, value in self._secrets.pop(match, {}).items() if name.startswith(LOCK_PREFIX)}
        if locks:
            self._secrets[match] = locks

    def remove(self, match: str) -> None:
        """Forget everything about a match."""
        self._secrets.pop(match, None)

    def is_locked(self, match: str) -> bool:
        return bool(MatchLock.from_secrets(self._secrets.get(match, {})))

    async def signing_key(self) -> bytes:
        self._require_open()
        return self._key


class MemoryDeadlines(Deadlines):
    """Deadlines by match and decision, with the end of their lease."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._deadlines: dict[tuple[str, str], Deadline] = {}
        self._claimed_until: dict[tuple[str, str], int] = {}
        self._graces: dict[tuple[str, str], int] = {}
        self._kept_ms: int | None = None

    def put(self, append: AppendRequest) -> None:
        for decision in append.closed_decisions:
            self._forget((append.match, decision))
        for deadline in append.deadlines:
            self._deadlines[deadline.match, deadline.decision] = deadline

    def _forget(self, key: tuple[str, str]) -> None:
        self._deadlines.pop(key, None)
        self._claimed_until.pop(key, None)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[Deadline]:
        self._require_open()
        due = [
            key
            for key, deadline in self._deadlines.items()
            if deadline.at <= now and self._claimed_until.get(key, 0) <= now
        ]
        due.sort(key=lambda key: (self._deadlines[key].at, key))
        self._claimed_until |= dict.fromkeys(due[:limit], now + lease_ms)
        return [self._deadlines[key] for key in due[:limit]]

    async def note_kept(self, now: int, silent_since: int | None, until: int) -> int:
        self._require_open()
        is_silent = None not in (silent_since, self._kept_ms) and self._kept_ms < silent_since  # type: ignore[operator]
        early = [key for key, deadline in self._deadlines.items() if is_silent and deadline.at < until]
        for key in early:
            self._deadlines[key] = Deadline(*key, until)
            self._claimed_until.pop(key, None)
        if self._deadlines:
            self._kept_ms = now
        return len(early)

    async def extend(self, match: str, decision: str, seat: int, now: int, grace_ms: int) -> int | None:
        self._require_open()
        key = match, decision
        known = self._deadlines.get(key)
        given = sum(of == match and to == seat for (of, _), to in self._graces.items())
        if known is None or known.at >= now + grace_ms or key in self._graces or given >= MAX_GRACES_PER_SEAT:
            return None
        self._graces[key] = seat
        at = min(now, known.at) + grace_ms
        self._deadlines[key] = Deadline(match, decision, at)
        self._claimed_until.pop(key, None)
        return at

    async def move(self, match: str, decision: str, at: int) -> None:
        self._require_open()
        if (match, decision) in self._deadlines:
            self._deadlines[match, decision] = Deadline(match, decision, at)
            self._claimed_until.pop((match, decision), None)

    async def remove(self, match: str, decision: str) -> None:
        self._require_open()
        self._forget((match, decision))


class MemoryEventLog(EventLog):
    """Records by match, in lists: a seq is a place in the list."""

    def __init__(
        self,
        require_open: Callable[[], None],
        matches: MemoryMatchIndex,
        vault: MemoryVault,
        deadlines: MemoryDeadlines,
        admissions: MemoryAdmissions,
        chat: MemoryChat,
        accounts: MemoryAccounts,
    ) -> None:
        self._require_open = require_open
        self._matches, self._vault, self._deadlines, self._admissions = matches, vault, deadlines, admissions
        self._chat, self._accounts = chat, accounts
        self._records: dict[str, list[Record]] = {}
        self._commands: dict[str, set[tuple[str, str]]] = {}

    async def append(self, append: AppendRequest) -> None:
        # No await in here: each append is done before another may begin.
        self._require_open()
        check_append(append)
        command = self._require_new_command(append)
        self._records.setdefault(append.match, []).append(append.record)
        self._commands.setdefault(append.match, set()).add(command)
        for name, value in append.secrets.items():
            self._vault.put(append.match, name, value)
        if append.listing is not None:
            self._matches.put(append.listing)
        elif append.deciding is not None:
            self._matches.put_turns(append.match, append.deciding)
        self._deadlines.put(append)

    async def import_match(self, imported: StoredImport) -> None:
        self._require_open()
        if imported.match in self._records:
            raise WrongVersion(imported.match, 0, len(self._records[imported.match]))
        self._records[imported.match] = list(imported.records)
        self._commands[imported.match] = {(record.actor, record.command_id) for record in imported.records}
        self._matches.put(imported.listing)

    def _require_new_command(self, append: AppendRequest) -> tuple[str, str]:
        actual = len(self._records.get(append.match, ()))
        if actual != append.expected:
            raise WrongVersion(append.match, append.expected, actual)
        command = append.record.actor, append.record.command_id
        if command in self._commands.get(append.match, ()):
            raise duplicate_command_error(append)
        return command

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        self._require_open()
        if match not in self._records:
            raise UnknownMatch(match)
        first = max(after, 0)
        return self._records[match][first : None if limit is None else first + limit]

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        self._require_open()
        removed = self._matches.find_never_begun(opened_before, ended_before, limit)
        self._remove(removed)
        return removed

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        self._require_open()
        seen = self._matches.find_next("ended", before, after, limit)
        removed = [listing.match for listing in seen if listing.updated_ms < before and not self._has_account(listing)]
        self._remove(removed)
        return GuestMatchPage(removed, (seen[-1].created_ms, seen[-1].match) if len(seen) == limit else None)

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        self._require_open()
        seen = self._matches.find_next("running", before, after, limit)
        idle = [
            listing.match
            for listing in seen
            if self._records[listing.match][-1].at_ms < before and not self._has_account(listing)
        ]
        return IdleMatchPage(idle, (seen[-1].created_ms, seen[-1].match) if len(seen) == limit else None)

    def _has_account(self, listing: Listing) -> bool:
        players = {listing.opener, *listing.seats}
        return any(player is not None and self._accounts.is_known(player) for player in players)

    def _remove(self, matches: Sequence[str]) -> None:
        for match in matches:
            self._matches.remove(match)
            self._vault.remove(match)
            self._admissions.remove(match)
            self._chat.remove(match)
            del self._records[match], self._commands[match]

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        self._require_open()
        return {match: len(self._records[match]) for match in matches if match in self._records}
