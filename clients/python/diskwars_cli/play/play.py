"""The `play` and `watch` verbs: connect the console to a server."""

import contextlib
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

from msgspec.structs import replace

from diskwars_bots.loader import BotError
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.console import open_console
from diskwars_cli.console.fault_log import FaultLog, install_fault_log
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import run_async
from diskwars_cli.own_server.own_server import own_database, own_server
from diskwars_cli.play.match_entry import enter_match, locked_hint
from diskwars_cli.play.play_session import NO_BOT, PlayOptions, check_branch, play_session
from diskwars_cli.play.remembered.account_memory import AccountMemory, default_account_memory
from diskwars_cli.play.remembered.account_seats import find_account_seats
from diskwars_cli.play.remembered.seat_memory import RememberedSeat, SeatMemory, default_seat_folder
from diskwars_cli.play.remembered.server_places import server_place
from diskwars_cli.play.seat_choice import choose_seat, only_seat
from diskwars_cli.plugs.match_options import find_chooser
from diskwars_cli.rulesets.registry import find_setup
from diskwars_client.client import Client, connect
from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.terminal import terminal
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.chat import SendChat
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.seats import SeatBot

TOKEN_VARIABLE = "DISKWARS_TOKEN"
"""Environment variable with the token of a player who brings their seat from another machine."""
ORDERS = (OpenMatch, SeatBot, Act, SendChat)
"""Requests that a player waits for; the program reads for itself, again and again, and a spectator gives no order."""


def run_watch(
    match: str, *, show_board: bool, from_start: bool, password: str = "", invite: str | None = None, url: str
) -> int:
    async def watched() -> int:
        token = default_account_memory().token(url)
        async with _connect(url, token, print_line) as client:
            await enter_match(client, match, password, invite)
            try:
                handle = await client.watch(match, history=from_start)
            except CommandRefused as refused:
                raise locked_hint(refused) if refused.code == "locked" else refused from None
            await terminal.watch_match(handle, print_line, show_board)
        return 0

    return run_client(watched())


def run_play(options: PlayOptions) -> int:
    _check_quick(options)
    check_branch(options)
    memory, accounts = SeatMemory(default_seat_folder()), default_account_memory()
    remembered = _find_seat(options, memory, accounts)
    if remembered is None:
        options = replace(options, bot=_bot_name(options))
        # A wrong name is found before a match is opened; a match to join says what it plays.
        if not options.match and not options.invite and not options.branch_of:
            find_setup(options.ruleset).loadouts(options)
            if options.bot:
                find_chooser(options.bot, options.ruleset)
    else:
        options = _options_of(remembered, options)
    token = _find_token(options, accounts) if remembered is None else accounts.seat_token(remembered)
    log = install_fault_log()
    with _database(options) as database_url:
        return run_client(_played(options, memory, remembered, token, database_url), log)


def _check_quick(options: PlayOptions) -> None:
    """Require that a match to seek is not also one to find or to lock. Raises CommandError."""
    others = {
        "--match": options.match,
        "--invite": options.invite,
        "--resume": options.resume,
        "--from": options.branch_of,
        "--bot": options.bot,
        "--password": options.password,
        "--invited-only": options.invited_only,
    }
    given = [name for name, value in others.items() if value]
    if options.quick and given:
        raise CommandError(f"--quick seeks people for a new match: leave out {' and '.join(given)}")


def _find_token(options: PlayOptions, accounts: AccountMemory) -> str:
    """Return the token with which a match is opened or joined; empty for a guest."""
    return os.environ.get(TOKEN_VARIABLE) or accounts.token(options.url or "", options.own_data)


async def _played(
    options: PlayOptions, memory: SeatMemory, remembered: RememberedSeat | None, token: str, database_url: str
) -> int:
    async with contextlib.AsyncExitStack() as stack:
        url = options.url
        if url is None:
            url = await stack.enter_async_context(own_server(options.data, database_url))
        console = stack.enter_context(open_console(bell=options.bell))
        client = await stack.enter_async_context(_connect(url, token, console.print_line))
        await play_session(client, options, console, memory, remembered)
    return 0


@contextlib.contextmanager
def _database(options: PlayOptions) -> Iterator[str]:
    """Provide the database of the user's own server, if this process has to start one; otherwise nothing."""
    if options.url is not None:
        yield ""
        return
    with own_database(options.data) as url:
        yield url


def _find_seat(options: PlayOptions, memory: SeatMemory, accounts: AccountMemory) -> RememberedSeat | None:
    """Return the remembered seat to play on, None for a match to open or to join. Raises CommandError."""
    if options.match:
        return _find_named_seat(options.match, options, memory)
    if options.invite or options.quick or options.branch_of:
        return None
    seats = [seat for seat in memory.unfinished() if _is_there(seat, options)]
    if options.resume:
        unknown = find_account_seats(accounts, memory.seats(), options.url, options.data)
        seats += [seat for seat in unknown if _is_there(seat, options)]
        if not seats:
            place = f"on {options.url}" if options.url else "on this machine"
            raise CommandError(f"there is no unfinished match to resume {place}")
        return seats[0] if len(seats) == 1 else choose_seat(seats, new_allowed=False)
    # A program that types into a pipe has not asked for anything but a new match.
    if not seats or not sys.stdin.isatty() or options.url is not None:
        return None
    return choose_seat(seats, new_allowed=True)


def _find_named_seat(match: str, options: PlayOptions, memory: SeatMemory) -> RememberedSeat | None:
    """Return the remembered seat in a match, None to join it as somebody new. Raises CommandError."""
    named = memory.find(match)
    seats = [seat for seat in named if _is_there(seat, options)]
    if named and not seats:
        place = named[0].url or "your own server"
        text = f"your seat in match {match} is on {place}, and is used nowhere else: you join as somebody new"
        print(text, file=sys.stderr)
    return only_seat(seats)


def _is_there(seat: RememberedSeat, options: PlayOptions) -> bool:
    """Return whether a seat is on the server that the options name, if they name one.

    A seat comes with its token, which any other server could use to play the seat.
    """
    if options.url is not None:
        return server_place(seat.url, seat.data) == server_place(options.url)
    return bool(seat.url) or not options.own_data or seat.data == options.own_data


def _options_of(seat: RememberedSeat, options: PlayOptions) -> PlayOptions:
    """Return the options with which a seat is played on."""
    folder = Path(seat.data) if seat.data and options.data.folder is None else options.data.folder
    return replace(
        options,
        url=seat.url or options.url or None,  # never another server than the seat's: it would learn the token
        match=seat.match,
        ruleset=seat.ruleset,
        bot=None,
        data=replace(options.data, folder=folder),
    )


def _bot_name(options: PlayOptions) -> str | None:
    """Return the bot on the free seats: on a server of one's own somebody has to sit there, so one is the default."""
    if options.bot == NO_BOT or options.quick:
        return None
    is_alone = options.url is None and not options.match and not options.invite
    return options.bot or (find_bots(options.ruleset).default if is_alone else None)


def _connect(
    url: str, token: str, print_notice: Callable[[str], None]
) -> contextlib.AbstractAsyncContextManager[Client]:
    """Connect, and let the player read when the connection is lost, and when an order waits for the database."""
    return connect(
        url,
        token=token,
        retry_policy=RetryPolicy(on_retry=_retry_notice(print_notice)),
        on_connection_change=lambda is_back: print_notice(
            "connected again" if is_back else "connection lost, trying again …"
        ),
    )


def _retry_notice(print_notice: Callable[[str], None]) -> Callable[[Request, CommandRefused], None]:
    """Return what says once for each order that it waits; one that is refused in the end says so itself."""
    told: list[object] = [None]

    def note(request: Request, refused: CommandRefused) -> None:
        if refused.code == "unavailable" and isinstance(request, ORDERS) and request.id != told[0]:
            told[0] = request.id
            print_notice("the server cannot save anything right now: your order waits, and is sent again by itself")

    return note


def run_client(job: Coroutine[None, None, int], log: FaultLog | None = None) -> int:
    """Run a client job and return its exit code. Raises CommandError, BrokenPipeError, Interrupted."""
    try:
        return run_async(job)
    except (ClientError, CommandError, BotError, OSError) as error:
        raise _command_error(error, log) from None
    except BaseExceptionGroup as group:
        fault: BaseException = group
        while isinstance(fault, BaseExceptionGroup):
            fault = fault.exceptions[0]
        if isinstance(fault, ClientError | CommandError | BotError):
            raise _command_error(fault, log) from None
        raise


def _command_error(fault: BaseException, log: FaultLog | None) -> BaseException:
    """Return the failure as one sentence, with the fault of our own server behind it, if there was one."""
    if isinstance(fault, BrokenPipeError):
        return fault
    return CommandError(str(fault) if log is None else log.describe(str(fault)))
