"""A database over another one whose event log fails on demand."""

import asyncio
from collections import deque
from collections.abc import Sequence

from diskwars_protocol.records.records import Record
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.admissions import Admissions
from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.challenges import Challenges
from diskwars_server.store.chat import Chat
from diskwars_server.store.clubs import Clubs
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import Deadlines
from diskwars_server.store.device_logins import DeviceLogins
from diskwars_server.store.errors import OutcomeUnknown, StoreError, StoreUnavailable, WrongVersion
from diskwars_server.store.event_log import (
    AppendRequest,
    ArchivablePage,
    EventLog,
    GuestMatchPage,
    IdleMatchPage,
    OnOutcome,
    StoredImport,
)
from diskwars_server.store.lesson_progress import LessonProgresses
from diskwars_server.store.match_index import MatchIndex
from diskwars_server.store.notices import Notices
from diskwars_server.store.operator_acts import OperatorActs
from diskwars_server.store.page_parts import PageParts
from diskwars_server.store.ratings import Ratings
from diskwars_server.store.reports import Reports
from diskwars_server.store.seeks import Seeks
from diskwars_server.store.tournaments import Tournaments
from diskwars_server.store.vault import Vault


class FaultyDatabase(Database):
    """Everything but the event log is that of the database beneath."""

    def __init__(self, beneath: Database) -> None:
        self.beneath = beneath
        self._events = FaultyEventLog(beneath.events)

    @property
    def events(self) -> "FaultyEventLog":
        return self._events

    @property
    def archived_events(self) -> ArchivedEventLog:
        return self.beneath.archived_events

    @property
    def matches(self) -> MatchIndex:
        return self.beneath.matches

    @property
    def vault(self) -> Vault:
        return self.beneath.vault

    @property
    def deadlines(self) -> Deadlines:
        return self.beneath.deadlines

    @property
    def accounts(self) -> Accounts:
        return self.beneath.accounts

    @property
    def admissions(self) -> Admissions:
        return self.beneath.admissions

    @property
    def ratings(self) -> Ratings:
        return self.beneath.ratings

    @property
    def chat(self) -> Chat:
        return self.beneath.chat

    @property
    def operator_acts(self) -> OperatorActs:
        return self.beneath.operator_acts

    @property
    def reports(self) -> Reports:
        return self.beneath.reports

    @property
    def notices(self) -> Notices:
        return self.beneath.notices

    @property
    def page_parts(self) -> PageParts:
        return self.beneath.page_parts

    @property
    def lesson_progress(self) -> LessonProgresses:
        return self.beneath.lesson_progress

    @property
    def device_logins(self) -> DeviceLogins:
        return self.beneath.device_logins

    @property
    def challenges(self) -> Challenges:
        return self.beneath.challenges

    @property
    def seeks(self) -> Seeks:
        return self.beneath.seeks

    @property
    def tournaments(self) -> Tournaments:
        return self.beneath.tournaments

    @property
    def clubs(self) -> Clubs:
        return self.beneath.clubs

    async def open(self) -> None:
        await self.beneath.open()

    async def close(self) -> None:
        await self.beneath.close()

    def abort(self) -> None:
        self.beneath.abort()

    @property
    def is_failing(self) -> bool:
        return self.beneath.is_failing

    async def read_clock_ms(self) -> int | None:
        return await self.beneath.read_clock_ms()

    async def check_writable(self) -> None:
        await self.beneath.check_writable()


class FaultyEventLog(EventLog):
    """`faults` are those of the next appends: "lost after" or "lost before" the commit, "unavailable", "wrong".

    `reads` are those of the next reads: "unavailable" or "". While `gate` is not set, appends wait, and `waiting` says
    that one does. `appended` are all that the log beneath has taken.
    """

    def __init__(self, beneath: EventLog) -> None:
        self.beneath = beneath
        self.faults: deque[str] = deque()
        self.reads: deque[str] = deque()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()
        self.appended: list[AppendRequest] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.read_count = 0

    async def import_match(self, imported: StoredImport) -> None:
        await self.beneath.import_match(imported)

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        task = asyncio.create_task(self._submit(append, on_outcome))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        outcome: StoreError | None = None
        try:
            await self._append(append)
        except StoreError as error:
            outcome = error
        on_outcome(outcome)

    async def _append(self, append: AppendRequest) -> None:
        fault = self.faults.popleft() if self.faults else ""
        if not self.gate.is_set():
            self.waiting.set()
            await self.gate.wait()
        if fault == "unavailable":
            raise StoreUnavailable("told to")
        if fault == "wrong":
            raise WrongVersion(append.match, append.expected, None)
        if fault != "lost before":
            await self.beneath.append(append)
            self.appended.append(append)
        if fault:
            raise OutcomeUnknown(append.match)

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        self.read_count += 1
        if self.reads and self.reads.popleft():
            raise StoreUnavailable("told to")
        await asyncio.sleep(0)  # as any real log, it lets others go on meanwhile
        return await self.beneath.read(match, after, limit)

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        return await self.beneath.remove_unstarted(opened_before, ended_before, limit)

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        return await self.beneath.find_archivable(before, after, limit)

    async def drop_archived(self, match: str, head: int) -> bool:
        return await self.beneath.drop_archived(match, head)

    async def list_archive_removals(self, limit: int) -> list[str]:
        return await self.beneath.list_archive_removals(limit)

    async def forget_archive_removals(self, matches: Sequence[str]) -> None:
        await self.beneath.forget_archive_removals(matches)

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        return await self.beneath.remove_guest_matches(before, after, limit)

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        return await self.beneath.find_idle_guest_matches(before, after, limit)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        return await self.beneath.heads(matches)
