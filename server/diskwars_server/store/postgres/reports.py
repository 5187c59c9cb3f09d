"""Reports in PostgreSQL."""

from typing import Any

from sqlalchemy import Row, or_, select, text

from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import REPORTS
from diskwars_server.store.reports import Reports, StoredReport

_MAX_ATTEMPTS = 8
"""Attempts to get the next number, which another node may take first."""
# Without a number that is free, or where the command is known, nothing is inserted: the caller looks again.
ADD_SQL = text("""
insert into reports (number, match_id, seq, player_id, reporter, at, text, command_id, kind)
select coalesce(max(number), 0) + 1, :match, :seq, :player, :reporter, :at, :text, :command, :kind from reports
on conflict do nothing returning number
""")


class PostgresReports(Reports):
    """The table `reports`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def add(self, report: StoredReport) -> int:
        values = {
            "match": report.subject,
            "seq": report.seq,
            "player": report.player,
            "reporter": report.reporter,
            "at": report.at_ms,
            "text": report.text,
            "command": report.command,
            "kind": report.kind,
        }
        known = select(REPORTS.c.number).where(
            REPORTS.c.match_id == report.subject,
            REPORTS.c.reporter == report.reporter,
            REPORTS.c.command_id == report.command,
        )
        async with self._connect() as connection:
            for _ in range(_MAX_ATTEMPTS):
                if (added := (await connection.execute(ADD_SQL, values)).scalar()) is not None:
                    return int(added)
                if (number := (await connection.execute(known)).scalar()) is not None:
                    return int(number)
        raise StoreUnavailable("too many report at once")

    async def find(self, number: int) -> StoredReport | None:
        async with self._connect() as connection:
            row = (await connection.execute(select(REPORTS).where(REPORTS.c.number == number))).first()
            return None if row is None else _report_of(row)

    async def list_reports(
        self, limit: int, *, is_open: bool = True, about: str | None = None, before: int | None = None
    ) -> list[StoredReport]:
        if about is not None and not is_storable(about):
            return []
        wanted = select(REPORTS).order_by(REPORTS.c.number.desc()).limit(limit)
        if is_open:
            wanted = wanted.where(REPORTS.c.closed_by == 0)
        if about is not None:
            wanted = wanted.where(or_(REPORTS.c.player_id == about, REPORTS.c.match_id == about))
        if before is not None:
            wanted = wanted.where(REPORTS.c.number < before)
        async with self._connect() as connection:
            return [_report_of(row) for row in await connection.execute(wanted)]


def _report_of(row: Row[Any]) -> StoredReport:
    return StoredReport(
        row.match_id,
        row.seq,
        row.player_id,
        row.reporter,
        row.at,
        row.text,
        row.command_id,
        row.number,
        row.closed_by,
        row.kind,
    )
