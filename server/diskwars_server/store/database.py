"""The database of a server: it owns the connections and gives out the ports."""

from types import TracebackType
from typing import Protocol, Self

from diskwars_server.store.accounts import Accounts
from diskwars_server.store.admissions import Admissions
from diskwars_server.store.archive.archived_events import ArchivedEventLog
from diskwars_server.store.challenges import Challenges
from diskwars_server.store.chat import Chat
from diskwars_server.store.clubs import Clubs
from diskwars_server.store.deadlines import Deadlines
from diskwars_server.store.device_logins import DeviceLogins
from diskwars_server.store.event_log import EventLog
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


class Database(Protocol):
    """Everything a server stores, one port for each capability.

    Use it as `async with database:`, or between `open` and `close`. Any number of databases may share one place.
    """

    @property
    def events(self) -> EventLog:
        """Records of matches."""

    @property
    def archived_events(self) -> ArchivedEventLog:
        """The same records, and what moves them to the archive."""

    @property
    def matches(self) -> MatchIndex:
        """Listings of matches."""

    @property
    def vault(self) -> Vault:
        """Secrets of matches and of the server."""

    @property
    def deadlines(self) -> Deadlines:
        """Times at which the house answers."""

    @property
    def accounts(self) -> Accounts:
        """Accounts of players."""

    @property
    def admissions(self) -> Admissions:
        """Entries into locked matches, and invites."""

    @property
    def ratings(self) -> Ratings:
        """Ratings of players, and results of players and armies."""

    @property
    def chat(self) -> Chat:
        """Chat of matches."""

    @property
    def operator_acts(self) -> OperatorActs:
        """Acts of operators, and bans."""

    @property
    def reports(self) -> Reports:
        """Reports of players about players."""

    @property
    def notices(self) -> Notices:
        """Notices to players, and their channels."""

    @property
    def page_parts(self) -> PageParts:
        """Parts of built pages."""

    @property
    def seeks(self) -> Seeks:
        """Players who seek a match."""

    @property
    def challenges(self) -> Challenges:
        """Challenges between players."""

    @property
    def lesson_progress(self) -> LessonProgresses:
        """What players have done of the first match."""

    @property
    def device_logins(self) -> DeviceLogins:
        """Programs without a browser that wait for their players."""

    @property
    def tournaments(self) -> Tournaments:
        """Tournaments and their records."""

    @property
    def clubs(self) -> Clubs:
        """Clubs and their records."""

    @property
    def is_failing(self) -> bool:
        """Whether a write has failed in the last seconds: a full disk refuses those that need room and takes others."""

    async def open(self) -> None:
        """Make the database ready.

        Raises `StoreUnavailable`, `SchemaNewer`, `SchemaTooOld`, `WrongEncoding` or `NoSessions`.
        """

    async def close(self) -> None:
        """Write what was handed over, complete every append, and stop. Later calls raise `StoreUnavailable`."""

    def abort(self) -> None:
        """End what waits for the database, with `StoreUnavailable` or `OutcomeUnknown`, and ask it nothing more."""

    async def read_clock_ms(self) -> int | None:
        """Return the milliseconds since 1970 by its clock, None if it has none. Raises `StoreUnavailable`."""

    async def check_writable(self) -> None:
        """Write something and wait until it is durable. Raises `StoreUnavailable`."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
