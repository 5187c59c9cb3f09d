"""The database in memory: for tests, simulation and a server that may forget."""

from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.archive.objects import Archive
from diskwars_server.store.database import Database
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.memory.admissions import MemoryAdmissions
from diskwars_server.store.memory.challenges import MemoryChallenges
from diskwars_server.store.memory.chat import MemoryChat
from diskwars_server.store.memory.clubs import MemoryClubs
from diskwars_server.store.memory.deadlines import MemoryDeadlines
from diskwars_server.store.memory.device_logins import MemoryDeviceLogins
from diskwars_server.store.memory.event_log import MemoryEventLog
from diskwars_server.store.memory.lesson_progress import MemoryLessonProgresses
from diskwars_server.store.memory.match_index import MemoryMatchIndex
from diskwars_server.store.memory.notices import MemoryNotices
from diskwars_server.store.memory.operator_acts import MemoryOperatorActs
from diskwars_server.store.memory.page_parts import MemoryPageParts
from diskwars_server.store.memory.ratings import MemoryRatings
from diskwars_server.store.memory.reports import MemoryReports
from diskwars_server.store.memory.seeks import MemorySeeks
from diskwars_server.store.memory.tournaments import MemoryTournaments
from diskwars_server.store.memory.vault import MemoryVault


class MemoryDatabase(Database):
    """Everything in this process."""

    def __init__(self, archive: Archive | None = None) -> None:
        """`archive` takes the records of old matches."""
        self._is_open = False
        self._vault = MemoryVault(self._require_open)
        self._matches = MemoryMatchIndex(self._require_open, self._vault)
        self._deadlines = MemoryDeadlines(self._require_open)
        self._notices = MemoryNotices(self._require_open, self._deadlines)
        self._accounts = MemoryAccounts(
            self._require_open,
            self._forget_player,
            lambda player: self._device_logins.forget_player(player),
            self._matches.has_rated_now,
        )
        self._challenges = MemoryChallenges(self._require_open, self._notices, self._accounts)
        self._lesson_progress = MemoryLessonProgresses(self._require_open, self._accounts.find_known)
        self._device_logins = MemoryDeviceLogins(self._require_open, self._accounts)
        self._admissions = MemoryAdmissions(self._require_open)
        self._chat = MemoryChat(self._require_open)
        self._reports = MemoryReports(self._require_open)
        self._operator_acts = MemoryOperatorActs(self._require_open, self._accounts, self._chat, self._reports)
        self._seeks = MemorySeeks(self._require_open)
        self._page_parts = MemoryPageParts(self._require_open)
        self._tournaments = MemoryTournaments(self._require_open)
        self._clubs = MemoryClubs(self._require_open)
        self._events = MemoryEventLog(
            self._require_open,
            self._matches,
            self._vault,
            self._deadlines,
            self._admissions,
            self._chat,
            self._accounts,
            self._notices,
        )
        self._archived_events = ArchivedEventLog(self._events, archive)
        self._ratings = MemoryRatings(
            self._require_open, lambda: self._matches.listings, self._events.records_of, self._accounts
        )

    @property
    def events(self) -> EventLog:
        return self._archived_events

    @property
    def archived_events(self) -> ArchivedEventLog:
        return self._archived_events

    @property
    def matches(self) -> MemoryMatchIndex:
        return self._matches

    @property
    def vault(self) -> MemoryVault:
        return self._vault

    @property
    def deadlines(self) -> MemoryDeadlines:
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
    def notices(self) -> MemoryNotices:
        return self._notices

    @property
    def page_parts(self) -> MemoryPageParts:
        return self._page_parts

    @property
    def seeks(self) -> MemorySeeks:
        return self._seeks

    @property
    def challenges(self) -> MemoryChallenges:
        return self._challenges

    @property
    def lesson_progress(self) -> MemoryLessonProgresses:
        return self._lesson_progress

    @property
    def device_logins(self) -> MemoryDeviceLogins:
        return self._device_logins

    @property
    def tournaments(self) -> MemoryTournaments:
        return self._tournaments

    @property
    def clubs(self) -> MemoryClubs:
        return self._clubs

    @property
    def is_failing(self) -> bool:
        return False

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    def abort(self) -> None:
        self._is_open = False

    async def read_clock_ms(self) -> int | None:
        self._require_open()
        return None

    async def check_writable(self) -> None:
        self._require_open()

    def _forget_player(self, player: str) -> None:
        self._notices.forget_player(player)
        self._challenges.forget_player(player)
        self._lesson_progress.forget_player(player)

    def _require_open(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("the store is closed")
