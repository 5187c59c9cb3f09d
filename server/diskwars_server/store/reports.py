"""The port that keeps reports of players about players, clubs and tournaments, for operators."""

from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

ReportKind: TypeAlias = Literal["match", "club", "tournament"]
"""Where it has happened."""


class StoredReport(Struct, frozen=True):
    """The report of a player (`reporter`) at record `seq` of a match, club or tournament, which is the `subject`.

    `player` is the one reported, in a club its leader, in a tournament who has opened it.
    `number` is given by the store, from 1. `closed_by` is the act with which an operator has closed it; 0: it is open.
    """

    subject: str
    seq: int
    player: str
    reporter: str
    at_ms: int
    text: str
    command: str
    """The id under which it was sent: sent again, it is not stored again."""
    number: int = 0
    closed_by: int = 0
    kind: ReportKind = "match"


class Reports(Protocol):
    """Reports by number. Every method may raise `StoreUnavailable`. They are closed by `OperatorActs.add_closing`."""

    async def add(self, report: StoredReport) -> int:
        """Store a report under the next number, and return that; what it has as its number is ignored.

        A report that the same player has sent under the same command about the same subject keeps its number.
        """

    async def find(self, number: int) -> StoredReport | None:
        """Return the report of this number."""

    async def list_sent(self, reporter: str, limit: int) -> list[StoredReport]:
        """Return the last reports that a player has sent, the newest first."""

    async def list_reports(
        self, limit: int, *, is_open: bool = True, about: str | None = None, before: int | None = None
    ) -> list[StoredReport]:
        """Return the last reports, or the last before a number, the newest first: those that are open, or all.

        With `about` those about this player, match, club or tournament.
        """
