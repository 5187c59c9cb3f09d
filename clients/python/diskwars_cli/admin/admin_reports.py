"""The acts of the `admin` verb on reports of players."""

from diskwars_cli.admin.admin import print_rows, run_act, time_text
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.look_back.stored_matches import run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.community.operators import Operators
from diskwars_server.store.database import Database
from diskwars_server.store.reports import StoredReport

COLUMNS = ("report", "at", "moment", "player", "reporter", "status", "text")


def run_reports(*, show_all: bool, about: str | None, limit: int, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        reports = await database.reports.list_reports(limit, is_open=not show_all, player=about)
        names = await find_names(
            database.accounts, [id for report in reports for id in (report.player, report.reporter)]
        )
        return print_rows(COLUMNS, [_row(report, names) for report in reports], "no reports")

    return run_with_store(data, job)


def _row(report: StoredReport, names: dict[str, str]) -> tuple[str, ...]:
    return (
        str(report.number),
        time_text(report.at_ms),
        f"{report.match}/{report.seq}",
        " ".join(filter(None, (report.player, names[report.player]))),
        " ".join(filter(None, (report.reporter, names[report.reporter]))),
        f"act {report.closed_by}" if report.closed_by else "open",
        report.text,
    )


def run_close_report(number: int, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        await operators.close_report(number, reason)
        return f"report {number} is closed"

    return run_act(data, operator, act)
