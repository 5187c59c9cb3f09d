"""The `invites` verb: list, make and revoke the invites of a match that one has opened."""

import os
import shlex
import time
from typing import NamedTuple

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.output import print_line, print_table
from diskwars_cli.play.play import TOKEN_VARIABLE, run_client
from diskwars_cli.play.remembered.account_memory import default_account_memory
from diskwars_cli.play.remembered.seat_memory import SeatMemory, default_seat_folder
from diskwars_cli.play.remembered.server_places import server_place
from diskwars_cli.play.seat_choice import only_seat
from diskwars_client.client import Client, connect
from diskwars_protocol.messages.lobby import Invite

HEADINGS = ("invite", "made", "left", "army")


class InvitesOptions(NamedTuple):
    """Options of `invites`: without `new` and `revoke` the invites are listed; `army` and `uses` are of a new one."""

    match: str
    new: bool
    army: str | None
    uses: int | None
    revoke: str | None
    url: str | None


def run_invites(options: InvitesOptions, default_url: str) -> int:
    """List the invites of a match, after making or revoking one. Raises CommandError."""
    if (options.army is not None or options.uses is not None) and not options.new:
        raise CommandError("--army and --uses are of a new invite: add --new")
    url, token = _find_player(options, default_url)

    async def changed() -> int:
        async with connect(url, token=token) as client:
            if options.new:
                invite = await client.lobby.create_invite(options.match, army=options.army, uses=options.uses)
                print_line(f"{program_name()} play --url {shlex.quote(url)} --invite {invite.code}")
            _print_invites(await _remaining(client, options))
        return 0

    return run_client(changed())


def _find_player(options: InvitesOptions, default_url: str) -> tuple[str, str]:
    """Return the address of the server and the token of who opened the match. Raises CommandError."""
    # A token is for the server that gave it: another one would learn it.
    seats = [seat for seat in SeatMemory(default_seat_folder()).seats() if seat.match == options.match]
    if options.url is not None:
        seats = [seat for seat in seats if server_place(seat.url or default_url) == server_place(options.url)]
    seat = only_seat(seats)
    accounts = default_account_memory()
    if seat is not None:
        return seat.url or default_url, accounts.seat_token(seat)
    url = options.url or default_url
    token = os.environ.get(TOKEN_VARIABLE) or accounts.token(url)
    if not token:
        raise CommandError(f"you have no seat in match {options.match} on this machine; only who opened it has invites")
    return url, token


async def _remaining(client: Client, options: InvitesOptions) -> tuple[Invite, ...]:
    if options.revoke is not None:
        return await client.lobby.revoke_invite(options.match, options.revoke)
    return await client.lobby.invites(options.match)


def _print_invites(invites: tuple[Invite, ...]) -> None:
    if not invites:
        print_line("no invites; --new makes one")
        return
    print_table(HEADINGS, map(_row, invites))


def _row(invite: Invite) -> tuple[str, ...]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(invite.created_ms / 1000))
    left = "no limit" if invite.uses_left is None else str(invite.uses_left)
    army = " ".join((invite.army or "").split())
    return invite.invite, when, left, army if len(army) <= 40 else f"{army[:39]}…"
