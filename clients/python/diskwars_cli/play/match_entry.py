"""Entering locked matches from the command line: by a password, which is asked for, or by the code of an invite."""

import getpass
import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from diskwars_cli.console.command import CommandError

if TYPE_CHECKING:
    from diskwars_client.client import Client
    from diskwars_client.errors import CommandRefused

PASSWORD_VARIABLE = "DISKWARS_MATCH_PASSWORD"
"""Environment variable with the password of a match, for scripts. On a command line other users could read it."""

Callback: TypeAlias = Callable[..., int]

_FLAGS = (
    click.option(
        "--password",
        "asks_password",
        is_flag=True,
        help=f"Ask for the password of the match, or take {PASSWORD_VARIABLE}; that of a new match is what others need",
    ),
    click.option("--invite", metavar="CODE", help="Enter the match of this invite"),
)


def entry_options(callback: Callback) -> Callback:
    """Add the flags. The callback gets `password`, empty without one, and `invite`."""

    @wraps(callback)
    def with_options(*, asks_password: bool, invite: str | None, **values: Any) -> int:
        return callback(password=_read_password() if asks_password else "", invite=invite, **values)

    for flag in reversed(_FLAGS):
        with_options = flag(with_options)
    return with_options


def _read_password() -> str:
    known = os.environ.get(PASSWORD_VARIABLE)
    if known:
        return known
    try:
        return getpass.getpass("password of the match: ")
    except EOFError:
        raise CommandError(f"no password was typed; {PASSWORD_VARIABLE} can hold it") from None


async def enter_match(client: "Client", match: str | None, password: str, invite: str | None) -> str | None:
    """Enter a match, if there is something to enter it by; return which match it is. Raises CommandError."""
    from diskwars_client.errors import CommandRefused as Refused  # imported here: `--help` loads no asyncio

    try:
        if invite is not None:
            entered = await client.lobby.use_invite(invite)
            if match not in (None, entered.match):
                raise CommandError(f"the invite is for match {entered.match}")
            return entered.match
        if match is not None and password:
            await client.lobby.enter(match, password)
    except Refused as refused:
        if refused.code != "no_password":  # a match that is open to everybody can be entered by any password
            raise CommandError(refused.text) from None
    return match


def locked_hint(refused: "CommandRefused") -> CommandError:
    """Return what to do about a match that is locked."""
    return CommandError(f"{refused.text}: --password asks for it, --invite CODE takes the code")
