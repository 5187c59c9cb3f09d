"""The acts of the `admin` verb on clubs and tournaments: ending one, and erasing what people have written in it."""

from collections.abc import Callable

from diskwars_cli.admin.admin import run_stored_act
from diskwars_cli.console.command import requires_server
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.community.operators import Operators
from diskwars_server.store.database import Database


def run_close_club(club: str, *, reason: str, operator: str, data: DataOptions) -> int:
    with requires_server():
        from diskwars_server.clubs.removals import erase_club

    async def act(operators: Operators, database: Database, clock: Callable[[], int]) -> str:
        seq = await operators.close_club(club, reason, lambda target: erase_club(database, target, clock))
        return f"club {club} is closed and its texts are erased, with record {seq}"

    return run_stored_act(data, operator, act)


def run_cancel_tournament(tournament: str, *, reason: str, operator: str, data: DataOptions) -> int:
    with requires_server():
        from diskwars_server.tournaments.removals import erase_tournament

    async def act(operators: Operators, database: Database, clock: Callable[[], int]) -> str:
        seq = await operators.cancel_tournament(
            tournament, reason, lambda target: erase_tournament(database, target, clock)
        )
        return f"tournament {tournament} is over and its texts are erased, with record {seq}"

    return run_stored_act(data, operator, act)
