"""The acts of the `admin` verb on players and chat, and the lists of acts and bans."""

import shlex
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from diskwars_cli.console.command import CommandError, program_name, requires_server
from diskwars_cli.console.output import print_table
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.look_back.stored_matches import run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_protocol.messages.chat import ChatChannel
from diskwars_server.community.operators import MAX_LISTED, ActRefused, Operators
from diskwars_server.players.names import shown_name
from diskwars_server.store.database import Database
from diskwars_server.store.operator_acts import OperatorAct

Act: TypeAlias = Callable[[Operators], Awaitable[str]]
"""Does something, and returns what to print."""
StoredAct: TypeAlias = Callable[[Operators, Database, Callable[[], int]], Awaitable[str]]
"""The same with the database and its clock."""
TIME_FORMAT = "%Y-%m-%d %H:%M"


def run_grant(player: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        return f"{(await operators.grant(player, reason)).name} is an operator"

    return run_act(data, operator, act)


def run_revoke(player: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        return f"{(await operators.revoke(player, reason)).name} is no operator any more"

    return run_act(data, operator, act)


def run_login_link(player: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        account, code = await operators.make_login_link(player, reason)
        name = shown_name(account.name)
        quoted = shlex.quote(account.name)
        return f"{name} sets a new password with {code} within an hour: {program_name()} account recover {quoted}"

    return run_act(data, operator, act)


def run_ban(player: str, *, until: datetime | None, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        until_ms = None if until is None else round(until.timestamp() * 1000)
        target = await operators.ban(player, reason, until_ms)
        end = "" if until_ms is None else f" until {time_text(until_ms)}"
        return f"{player} ({target}) is banned{end}"

    return run_act(data, operator, act)


def run_unban(player: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        return f"{player} ({await operators.unban(player, reason)}) is not banned any more"

    return run_act(data, operator, act)


def run_rename(player: str, name: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        return f"{player} is called {await operators.rename(player, name, reason)} now"

    return run_act(data, operator, act)


def run_erase_name(player: str, *, reason: str, operator: str, data: DataOptions) -> int:
    async def act(operators: Operators) -> str:
        return f"the name of guest {await operators.erase_name(player, reason)} is erased"

    return run_act(data, operator, act)


def run_erase_chat(
    *,
    match: str | None,
    player: str | None,
    channel: ChatChannel | None,
    number: int,
    reason: str,
    operator: str,
    data: DataOptions,
) -> int:
    async def act(operators: Operators) -> str:
        count = await operators.erase_chat(reason, match=match, channel=channel, number=number, player=player)
        return f"{count} {'message' if count == 1 else 'messages'} erased"

    return run_act(data, operator, act)


def run_act(data: DataOptions, operator: str, act: Act) -> int:
    """Run an act of an operator on the database. Raises CommandError, for a refused act with its code."""

    async def stored(operators: Operators, _database: Database, _clock: Callable[[], int]) -> str:
        return await act(operators)

    return run_stored_act(data, operator, stored)


def run_stored_act(data: DataOptions, operator: str, act: StoredAct) -> int:
    """Run an act of an operator that stores records by itself. Raises CommandError, as `run_act`."""

    async def job(database: Database) -> int:
        clock = await read_clock(database)
        try:
            print(await act(Operators(database, clock, operator), database, clock))
        except ActRefused as refused:
            raise CommandError(f"{refused} ({refused.code})") from None
        return 0

    return run_with_store(data, job)


async def read_clock(database: Database) -> Callable[[], int]:
    """Return the clock of the database: acts are compared with the time of its servers, not of this machine."""
    with requires_server():
        from diskwars_server.app import MACHINE_CLOCKS
        from diskwars_server.upkeep.server_clock import read_time
    return await read_time(database, MACHINE_CLOCKS)


# ---------------------------------------------------------------- lists


def run_bans(*, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        bans = await database.operator_acts.list_bans((await read_clock(database))(), MAX_LISTED)
        names = await find_names(database.accounts, [id for ban in bans for id in (ban.target, ban.operator)])
        rows = [
            (ban.target, names[ban.target], _end_text(ban), names[ban.operator], time_text(ban.at_ms), ban.reason)
            for ban in bans
        ]
        return print_rows(("player", "name", "until", "by", "at", "reason"), rows, "nobody is banned")

    return run_with_store(data, job)


def run_acts(*, about: str | None, limit: int, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        acts = await database.operator_acts.read_back(limit, target=about)
        players = [act.target for act in acts if _is_about_player(act)]
        names = {act.target: "" for act in acts} | await find_names(
            database.accounts, [*players, *(act.operator for act in acts)]
        )
        rows = [
            (
                str(act.number),
                time_text(act.at_ms),
                names[act.operator] or "host",
                act.kind.replace("_", " "),
                " ".join(filter(None, (act.target, names[act.target]))),
                act.detail or (_end_text(act) if act.kind == "ban" else ""),
                act.reason,
            )
            for act in acts
        ]
        return print_rows(("act", "at", "by", "kind", "about", "detail", "reason"), rows, "no acts")

    return run_with_store(data, job)


def _is_about_player(act: OperatorAct) -> bool:
    if act.kind == "erase_chat":
        return not act.detail.startswith("match ")
    return act.kind not in ("end_match", "inspect", "close_club", "cancel_tournament")


def _end_text(ban: OperatorAct) -> str:
    return "for good" if ban.until_ms is None else time_text(ban.until_ms)


def time_text(ms: int) -> str:
    """Return a time of this computer."""
    return time.strftime(TIME_FORMAT, time.localtime(ms / 1000))


def print_rows(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]], otherwise: str) -> int:
    """Print a table, or a line where it is empty."""
    if rows:
        print_table(titles, rows)
    else:
        print(otherwise)
    return 0
