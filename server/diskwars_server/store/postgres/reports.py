"""Reports in PostgreSQL."""

from typing import Any

from sqlalchemy import Row, func, insert, or_, select, text

from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import REPORTS
from diskwars_server.store.reports import Reports, StoredReport

# Numbers are given one after another. An index holds that they differ, also where nodes of another version give them
# without this lock. Reports are rare, and reading goes on meanwhile.
LOCK_SQL = text("lock table reports in exclusive mode")


class PostgresReports(Reports):
    """The table `reports`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def add(self, report: StoredReport) -> int:
        values: dict[str, Any] = {
            "match_id": report.subject,
            "seq": report.seq,
            "player_id": report.player,
            "reporter": report.reporter,
            "at": report.at_ms,
            "text": report.text,
            "command_id": report.command,
            "kind": report.kind,
        }
        known = select(REPORTS.c.number).where(
            REPORTS.c.match_id == report.subject,
            REPORTS.c.reporter == report.reporter,
            REPORTS.c.command_id == report.command,
        )
        async with self._connect() as connection:
            # Each statement sees what was committed while the lock was awaited.
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                await connection.execute(LOCK_SQL)
                if (number := await connection.scalar(known)) is not None:
                    return int(number)
                last = await connection.scalar(select(func.coalesce(func.max(REPORTS.c.number), 0)))
                values["number"] = int(last or 0) + 1
                await connection.execute(insert(REPORTS).values(values))
                return int(values["number"])

    async def find(self, number: int) -> StoredReport | None:
        async with self._connect() as connection:
            row = (await connection.execute(select(REPORTS).where(REPORTS.c.number == number))).first()
            return None if row is None else _report_of(row)

    async def list_sent(self, reporter: str, limit: int) -> list[StoredReport]:
        sent = select(REPORTS).where(REPORTS.c.reporter == reporter).order_by(REPORTS.c.number.desc()).limit(limit)
        async with self._connect() as connection:
            return [_report_of(row) for row in await connection.execute(sent)]

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
