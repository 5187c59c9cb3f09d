"""The `play` and `watch` verbs: connect the console to a server."""

import asyncio
import contextlib
import random
import shlex
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from diskwars_bots.loader import BotError, bot_label
from diskwars_cli.command import CommandError, program_name
from diskwars_cli.console import open_console
from diskwars_cli.match_options import MatchFlags, find_chooser
from diskwars_cli.output import print_line
from diskwars_cli.rulesets.registry import find_setup
from diskwars_cli.signals import run_async
from diskwars_client import terminal
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import ClientError, CommandRefused, DecisionUnavailable, MatchHandle, WatchMode
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal import Console, TerminalClosed
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions

PLAYER_MODE = WatchMode(push_options=True, include_unavailable=True)
"""A player is offered their options with each record, and can ask why something is not among them."""


class PlayOptions(MatchFlags, frozen=True, kw_only=True):
    """Options of `play`. `match` is the match to join or resume; the tokens are those of an earlier connection.

    `opened` are the options of a match that is opened.
    """

    url: str
    match: str | None = None
    bot: str | None = None
    token: str = ""
    bot_token: str = ""
    opened: MatchOptions = DEFAULT_MATCH_OPTIONS


def run_watch(match: str, *, show_board: bool, from_start: bool, url: str) -> int:
    async def watched() -> int:
        async with connect(url, on_connection_change=_connection_notice(print_line)) as client:
            handle = await client.watch(match, history=from_start)
            await terminal.watch_match(handle, print_line, show_board)
        return 0

    return _run_client(watched())


def run_play(options: PlayOptions) -> int:
    if not options.match:  # a wrong name is found before a match is opened; a match to join says what it plays
        _loadouts(options, options.ruleset)
        if options.bot:
            find_chooser(options.bot, options.ruleset)

    async def played() -> int:
        with open_console() as console:
            on_change = _connection_notice(console.print_line)
            async with connect(options.url, token=options.token, on_connection_change=on_change) as client:
                handle = await _join_match(client, options, console)
                back = _return_command(handle, options, client.token)
                await _play_at_terminal(options, handle, console, back)
        return 0

    return _run_client(played())


def _loadouts(options: PlayOptions, ruleset: str) -> tuple[Any, Any]:
    """Return what the player brings to a match of this ruleset, and what each bot does. Raises CommandError."""
    if ruleset != options.ruleset and options.ruleset_values:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in options.ruleset_values)
        raise CommandError(f"{flags}: the match plays {ruleset}; add --ruleset {ruleset} to choose for it")
    return find_setup(ruleset).loadouts(options)


async def _play_at_terminal(options: PlayOptions, handle: MatchHandle, console: Console, back: str) -> None:
    """Play until the match ends or the player leaves. `back` is the command to return, without bots."""
    bots = 0
    try:
        async with _connect_bots(options, handle) as tokens:
            back += f" --bot {shlex.quote(options.bot or '')} --bot-token {','.join(tokens)}" if tokens else ""
            bots = len(tokens)
            console.print_line(f"return at any time with: {back}")
            await terminal.play_match(handle, console, program_name())
    except* TerminalClosed:
        pass
    finally:
        if handle.match.result is None:  # otherwise the narration has ended with the result
            console.print_line(_return_text(bots, back))


def _connection_notice(print_notice: Callable[[str], None]) -> Callable[[bool], None]:
    return lambda is_back: print_notice("connected again" if is_back else "connection lost, trying again …")


def _return_command(handle: MatchHandle, options: PlayOptions, token: str) -> str:
    """Return the command to resume, without bots: their tokens are only known once they have connected."""
    return f"{program_name()} play --url {shlex.quote(options.url)} --match {handle.id} --token {token}"


def _return_text(bots: int, back: str) -> str:
    """Return how a player who leaves can return."""
    texts = ("", "the bot leaves with you; the command below brings you both back\n")
    plural = "the bots leave with you; the command below brings you all back\n"
    return f"{texts[bots] if bots < len(texts) else plural}return with: {back}"


def _outcome_line(handle: MatchHandle) -> str:
    result = handle.match.result
    if result is None:
        return ""
    return f"winner {find_terminal(handle.match.ruleset).outcome_text(handle.match, result)}"


async def _join_match(client: Client, options: PlayOptions, console: Console) -> MatchHandle:
    """Return a match in which this player has a seat: a new one, or `options.match`. Raises CommandError."""
    if options.match:
        handle = await client.watch(options.match, history=False, mode=PLAYER_MODE)
    else:
        army, _ = _loadouts(options, options.ruleset)
        settings = find_setup(options.ruleset).settings(options, army)
        handle = await client.open_match(
            settings, options.players, ruleset=options.ruleset, match_options=options.opened, mode=PLAYER_MODE
        )
    match = await handle.wait_caught_up()
    if match.status == "ended":
        raise CommandError(f"match {handle.id} is over: {_outcome_line(handle)}")
    if handle.seat is not None:
        await _replace_lost_chain(handle)
    else:
        army, _ = _loadouts(options, match.ruleset)
        await _take_free_seat(
            handle, army, f"`{program_name()} watch {handle.id}` shows it; --token brings back its players"
        )
    if not options.match and not options.bot:
        address = f"--url {shlex.quote(options.url)} --match {handle.id}{_join_options(match.ruleset)}"
        console.print_line(f"waiting for an opponent: {program_name()} play {address}")
    return handle


def _join_options(ruleset: str) -> str:
    """Return the options that a second player may want; those of a ruleset need its name, unless it is the default."""
    options = find_setup(ruleset).join_options
    return f" --ruleset {ruleset}{options}" if options and ruleset != DEFAULT_RULESET else options


@contextlib.asynccontextmanager
async def _connect_bots(options: PlayOptions, handle: MatchHandle) -> AsyncIterator[list[str]]:
    """Connect a bot for each free seat if wanted; provide the tokens with which they can reconnect.

    Raises CommandError if a bot finds no seat.
    """
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        bots, tokens = [], []
        for token in _bot_tokens(options, handle):
            client = await stack.enter_async_context(
                connect(options.url, name=bot_label(options.bot or ""), token=token)
            )
            other = await client.watch(handle.id, history=False, mode=WatchMode(push_options=True))
            await other.wait_caught_up()
            if other.seat is None:
                _, army = _loadouts(options, handle.match.ruleset)
                await _take_free_seat(other, army, "a bot returns to its seat with --bot-token")
            else:
                await _replace_lost_chain(other)
            chooser = find_chooser(options.bot or "", handle.match.ruleset)
            bots.append(group.create_task(play_bot(other, chooser, random.Random())))
            tokens.append(client.token)
        try:
            yield tokens
        finally:
            for bot in bots:
                bot.cancel()


def _bot_tokens(options: PlayOptions, handle: MatchHandle) -> list[str]:
    """Return one token per bot, empty for new bots; with --bot at least one, even if no seat is free."""
    if not options.bot:
        return []
    if options.bot_token:
        return str(options.bot_token).split(",")
    return [""] * max(1, sum(not seat.player for seat in handle.match.seats))


async def _take_free_seat(handle: MatchHandle, army: Any, hint: str) -> None:
    """Take a free seat. Raises CommandError with a hint at what to do instead if none is free."""
    try:
        await handle.take_seat(army)
    except DecisionUnavailable:
        raise CommandError(f"match {handle.id} has no free seat; {hint}") from None


async def _replace_lost_chain(handle: MatchHandle) -> None:
    """Replace the nonce chain of a returning player, whose old secrets are lost."""
    try:
        await handle.replace_chain()
    except CommandRefused as refused:
        if refused.code != "match_ended":
            raise


def _run_client(job: Coroutine[None, None, int]) -> int:
    """Run a client job and return its exit code. Raises CommandError, BrokenPipeError, Interrupted."""
    try:
        return run_async(job)
    except (ClientError, CommandError, BotError) as error:
        raise CommandError(str(error)) from None
    except BaseExceptionGroup as group:
        fault: BaseException = group
        while isinstance(fault, BaseExceptionGroup):
            fault = fault.exceptions[0]
        if isinstance(fault, ClientError | CommandError | BotError):
            raise CommandError(str(fault)) from None
        raise
