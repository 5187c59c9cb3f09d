"""Seats of an account in matches that have not ended, as its server lists them, where nothing is kept of them here."""

import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.signals import run_async
from diskwars_cli.own_server.own_server import own_database, own_server
from diskwars_cli.play.remembered.account_memory import AccountMemory, RememberedAccount
from diskwars_cli.play.remembered.seat_memory import RememberedSeat
from diskwars_cli.play.remembered.server_places import server_place
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.client import connect
from diskwars_client.errors import ClientError
from diskwars_client.topics.lobby import ListFilter
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.match_summary import MatchSummary

MAX_FOUND_SEATS = 100
"""Seats that are taken from one server: more than anybody chooses from."""


def find_account_seats(
    accounts: AccountMemory, known: Sequence[RememberedSeat], url: str | None, data: DataOptions
) -> list[RememberedSeat]:
    """Return the seats of the remembered accounts in matches that are not known here.

    Asks the server at `url`, or else every one with an account. A server that does not answer is named and left out.
    """
    matches = {(seat.match, server_place(seat.url, seat.data)) for seat in known}
    unknown: list[RememberedSeat] = []
    for account in _accounts_to_ask(accounts, known, url):
        try:
            seats = _ask(account, data)
        except (ClientError, CommandError, OSError) as fault:
            print(f"{account.place} was not asked for the matches of {account.name}: {fault}", file=sys.stderr)
            continue
        unknown += [seat for seat in seats if (seat.match, server_place(seat.url, seat.data)) not in matches]
    return sorted(unknown, key=lambda seat: seat.played_at, reverse=True)


def _accounts_to_ask(
    accounts: AccountMemory, known: Sequence[RememberedSeat], url: str | None
) -> list[RememberedAccount]:
    """The user's own server, which has to be started for it, is asked only where no seat on it is known."""
    if url is not None:
        account = accounts.find(url)
        return [] if account is None else [account]
    has_own_seat = any(not seat.url for seat in known)
    return [account for account in accounts.accounts() if account.url or not has_own_seat]


def _ask(account: RememberedAccount, data: DataOptions) -> list[RememberedSeat]:
    if account.url:
        return run_async(_list_seats(account, account.url))
    if account.data:
        data = replace(data, folder=Path(account.data))
    with own_database(data) as database_url:
        return run_async(_list_own_seats(account, data, database_url))


async def _list_own_seats(account: RememberedAccount, data: DataOptions, database_url: str) -> list[RememberedSeat]:
    async with own_server(data, database_url) as url:
        return await _list_seats(account, url)


async def _list_seats(account: RememberedAccount, url: str) -> list[RememberedSeat]:
    """Return the seats of an account that it still plays, the newest match first. Raises ClientError."""
    seats: list[RememberedSeat] = []
    async with connect(url, token=account.token) as client:
        async for summary in client.lobby.iterate(wanted=ListFilter(mine=True)):
            seats += _own_seats(summary, client.player, account)
            if len(seats) >= MAX_FOUND_SEATS:
                break
    return seats


def _own_seats(summary: MatchSummary, player: PlayerId, account: RememberedAccount) -> list[RememberedSeat]:
    if summary.status == "ended":
        return []
    return [
        RememberedSeat(
            match=summary.match,
            ruleset=summary.ruleset,
            players=len(summary.seats),
            seat=number,
            token="",
            url=account.url,
            data=account.data,
            played_at=summary.updated_ms // 1000,
            account=account.player,
            server_bots=tuple(seat.bot for seat in summary.seats if seat.bot),
        )
        for number, seat in enumerate(summary.seats)
        if seat.player == player
    ]
