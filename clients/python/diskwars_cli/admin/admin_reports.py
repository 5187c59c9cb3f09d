"""The acts of the `admin` verb on reports of players."""

from collections.abc import Mapping

from diskwars_cli.admin.admin import print_rows, run_act, time_text
from diskwars_cli.console.command import requires_server
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.look_back.stored_matches import run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.community.operators import Operators
from diskwars_server.store.database import Database
from diskwars_server.store.reports import StoredReport

COLUMNS = ("report", "at", "moment", "player", "reporter", "status", "text", "reported texts")


def run_reports(*, show_all: bool, about: str | None, limit: int, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        reports = await database.reports.list_reports(limit, is_open=not show_all, about=about)
        names = await find_names(
            database.accounts, [id for report in reports for id in (report.player, report.reporter)]
        )
        rows = [_row(report, names, await _find_texts(database, report)) for report in reports]
        return print_rows(COLUMNS, rows, "no reports")

    return run_with_store(data, job)


async def _find_texts(database: Database, report: StoredReport) -> Mapping[str, str]:
    """Return what a reported club or tournament showed at the time, by what it is; its records keep erased texts."""
    if report.kind == "match":
        return {}
    with requires_server():
        from diskwars_server.community.reported_content import ContentFinder

    found = await ContentFinder(database.clubs, database.tournaments).find(report.kind, report.subject, report.seq)
    return {} if found is None else found.texts


def _row(report: StoredReport, names: Mapping[str, str], texts: Mapping[str, str]) -> tuple[str, ...]:
    place = f"{report.subject}/{report.seq}"
    return (
        str(report.number),
        time_text(report.at_ms),
        place if report.kind == "match" else f"{report.kind} {place}",
        " ".join(filter(None, (report.player, names[report.player]))),
        " ".join(filter(None, (report.reporter, names[report.reporter]))),
        f"act {report.closed_by}" if report.closed_by else "open",
        report.text,
        ", ".join(f"{part}: {text}" for part, text in texts.items() if text),
    )


def run_close_report(number: int, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        await operators.close_report(number, reason)
        return f"report {number} is closed"

    return run_act(data, operator, act)
