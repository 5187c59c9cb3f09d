"""Subcommands `play` and `watch`: connect a client to the console."""

import argparse
import asyncio
import contextlib
import random
import shlex
import signal
from collections.abc import AsyncIterator, Callable, Coroutine

from diskwars_bots.loader import BotError, bot_label
from diskwars_cli.command import CommandError, Options, VerbRegistry, program_name
from diskwars_cli.match_options import (
    add_match_options,
    add_pack_options,
    find_army,
    find_chooser,
    load_catalogue,
    match_settings,
    regiment_count,
)
from diskwars_client import terminal
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, ClientError, CommandRefused, DecisionUnavailable, MatchHandle, connect
from diskwars_client.terminal import StandardConsole, TerminalClosed
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_text.phrases import outcome_text

EXIT_INTERRUPTED = 130
"""Exit code after SIGTERM."""
DEFAULT_URL = "ws://127.0.0.1:8765/ws"


def add_verbs(verbs: VerbRegistry) -> None:
    watch = verbs.add("watch", "Follow a match on a server as text.", run_watch)
    watch.add_argument("match", metavar="MATCH")
    watch.add_argument("--board", action="store_true", help="show the table at the beginning of each round")
    playing = verbs.add("play", "Play a match on a server in this terminal; `help` at its prompt says how.", run_play)
    playing.add_argument("--match", metavar="MATCH", help="the match to play in, instead of opening a new one")
    add_match_options(playing)
    add_pack_options(playing)
    playing.add_argument(
        "--army", metavar="NAME", default="empire", help="the army to play: its name or a file (empire)"
    )
    playing.add_argument(
        "--bot",
        metavar="NAME",
        help="play against this bot (random, greedy, my_bot.py:choose), on every seat that is free",
    )
    playing.add_argument("--bot-army", metavar="NAME", default="chaos", help="the army of each bot (chaos)")
    playing.add_argument("--token", default="", metavar="TOKEN", help="who you were before, to go on with a match")
    playing.add_argument("--bot-token", default="", metavar="A,B", help="who the bots were before, to bring them back")
    for parser in (watch, playing):
        add_url_option(parser)


def add_url_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", metavar="URL", default=DEFAULT_URL, help=f"the server ({DEFAULT_URL})")


def run_watch(options: Options) -> int:
    async def watched() -> int:
        console = StandardConsole()
        async with connect(options.url, on_connection_change=_connection_notice(console)) as client:
            await terminal.watch_match(await client.watch(options.match), console, options.board)
        return 0

    return _run_client(watched())


def run_play(options: Options) -> int:
    catalogue = load_catalogue(options)
    armies = find_army(options.army, catalogue), find_army(options.bot_army, catalogue)
    if options.bot:
        find_chooser(options.bot)

    async def played() -> int:
        console = StandardConsole()
        async with connect(
            options.url, token=options.token, on_connection_change=_connection_notice(console)
        ) as client:
            handle = await _join_match(client, options, armies[0], console)
            await _play_at_terminal(options, handle, armies[1], console, _return_command(handle, options, client.token))
        return 0

    return _run_client(played())


async def _play_at_terminal(
    options: Options, handle: MatchHandle, bot_army: Loadout, console: StandardConsole, back: str
) -> None:
    """Play until the match is over or the player leaves; `back` is the command to return without bots."""
    bots = 0
    try:
        async with _connect_bots(options, handle, bot_army) as tokens:
            back += f" --bot {shlex.quote(options.bot)} --bot-token {','.join(tokens)}" if tokens else ""
            bots = len(tokens)
            console.print_line(f"return at any time with: {back}")
            await terminal.play_match(handle, console, program_name())
    except* TerminalClosed:
        pass
    finally:
        console.print_line(_closing_text(handle, bots, back))


def _connection_notice(console: terminal.Console) -> Callable[[bool], None]:
    return lambda is_back: console.print_line("back" if is_back else "connection lost, trying again …")


def _return_command(handle: MatchHandle, options: Options, token: str) -> str:
    """Without what brings bots back, whose tokens are not known before they have come."""
    return f"{program_name()} play --url {shlex.quote(options.url)} --match {handle.id} --token {token}"


def _closing_text(handle: MatchHandle, bots: int, back: str) -> str:
    """Return who has won, or how a player who leaves can return."""
    if handle.match.result is not None:
        return _outcome_line(handle)
    leaves = ("", "the bot leaves with you; this brings both of you back\n")
    many = "the bots leave with you; this brings all of you back\n"
    return f"{leaves[bots] if bots < len(leaves) else many}return with: {back}"


def _outcome_line(handle: MatchHandle) -> str:
    result = handle.match.result
    return "" if result is None else f"winner {outcome_text(handle.match, result)}"


async def _join_match(client: Client, options: Options, army: Loadout, console: terminal.Console) -> MatchHandle:
    """Return a match in which this player has a seat, a new one or the one that is named. Raises CommandError."""
    if options.match:
        handle = await client.watch(options.match)
    else:
        settings = match_settings(options, regiment_count(army, load_catalogue(options)))
        handle = await client.open_match(settings, options.players)
    match = await handle.wait_caught_up()
    if match.status == "ended":
        raise CommandError(f"match {handle.id} is over: {_outcome_line(handle)}")
    if handle.seat is not None:
        await _replace_lost_chain(handle)
    else:
        await _take_free_seat(
            handle, army, f"`{program_name()} watch {handle.id}` shows it, and --token brings back who sat there"
        )
    if not options.match and not options.bot:
        address = f"--url {shlex.quote(options.url)} --match {handle.id}"
        console.print_line(f"waiting for an opponent: {program_name()} play {address} --army NAME")
    return handle


@contextlib.asynccontextmanager
async def _connect_bots(options: Options, handle: MatchHandle, army: Loadout) -> AsyncIterator[list[str]]:
    """Provide a bot on each free seat, if wanted, and the tokens with which they reconnect. Raises CommandError."""
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        bots, tokens = [], []
        for token in _bot_tokens(options, handle):
            client = await stack.enter_async_context(connect(options.url, name=bot_label(options.bot), token=token))
            other = await client.watch(handle.id)
            await other.wait_caught_up()
            if other.seat is None:
                await _take_free_seat(other, army, "a bot that had it returns with its --bot-token")
            else:
                await _replace_lost_chain(other)
            bots.append(group.create_task(play_bot(other, find_chooser(options.bot), random.Random())))
            tokens.append(client.token)
        try:
            yield tokens
        finally:
            for bot in bots:
                bot.cancel()


def _bot_tokens(options: Options, handle: MatchHandle) -> list[str]:
    """Return the tokens of the bots that are to come, empty for new ones: at least one, which may find no seat."""
    if not options.bot:
        return []
    if options.bot_token:
        return str(options.bot_token).split(",")
    return [""] * max(1, sum(not chair.player for chair in handle.match.seats))


async def _take_free_seat(handle: MatchHandle, army: Loadout, instead: str) -> None:
    """Raise CommandError with what may be done instead where no seat is free."""
    try:
        await handle.take_seat(army)
    except DecisionUnavailable:
        raise CommandError(f"match {handle.id} has no free seat; {instead}") from None


async def _replace_lost_chain(handle: MatchHandle) -> None:
    """Replace the nonce chain of a player who has returned: the secrets of the old one are gone."""
    try:
        await handle.replace_chain()
    except CommandRefused as refused:
        if refused.code != "match_ended":
            raise


def _run_client(job: Coroutine[None, None, int]) -> int:
    """End at SIGTERM as at Ctrl-C. Raises CommandError, BrokenPipeError."""
    try:
        return asyncio.run(_run_until_terminated(job))
    except (ClientError, CommandError, BotError) as told:
        raise CommandError(str(told)) from None
    except BaseExceptionGroup as several:
        fault: BaseException = several
        while isinstance(fault, BaseExceptionGroup):
            fault = fault.exceptions[0]
        if isinstance(fault, ClientError | CommandError | BotError):
            raise CommandError(str(fault)) from None
        raise


async def _run_until_terminated(job: Coroutine[None, None, int]) -> int:
    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # not on every system
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        return await job
    except asyncio.CancelledError:
        if task.cancelling():
            return EXIT_INTERRUPTED
        raise
