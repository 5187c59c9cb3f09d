"""Reports in memory."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_server.store.reports import Reports, StoredReport


class MemoryReports(Reports):
    """Reports in the order of their numbers."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._reports: list[StoredReport] = []

    async def add(self, report: StoredReport) -> int:
        self._require_open()
        for known in self._reports:
            if (known.subject, known.reporter, known.command) == (report.subject, report.reporter, report.command):
                return known.number
        self._reports.append(replace(report, number=len(self._reports) + 1, closed_by=0))
        return len(self._reports)

    async def find(self, number: int) -> StoredReport | None:
        self._require_open()
        return self._reports[number - 1] if 0 < number <= len(self._reports) else None

    async def list_sent(self, reporter: str, limit: int) -> list[StoredReport]:
        self._require_open()
        return [report for report in reversed(self._reports) if report.reporter == reporter][:limit]

    async def list_reports(
        self, limit: int, *, is_open: bool = True, about: str | None = None, before: int | None = None
    ) -> list[StoredReport]:
        self._require_open()
        reports = (
            report
            for report in reversed(self._reports)
            if not (is_open and report.closed_by)
            and about in (None, report.player, report.subject)
            and (before is None or report.number < before)
        )
        return list(reports)[:limit]

    def close(self, number: int, act: int) -> None:
        """Note the act that closes an open report."""
        self._reports[number - 1] = replace(self._reports[number - 1], closed_by=act)
