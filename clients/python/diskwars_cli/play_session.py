"""One run of `play` on a connection: find the seat, seat the bots, play, and keep the seat for the next run."""

import asyncio
import contextlib
import random
import shlex
from collections.abc import AsyncIterator
from typing import Any

from diskwars_bots.loader import bot_label
from diskwars_cli.command import CommandError, program_name
from diskwars_cli.match_options import MatchFlags, find_chooser
from diskwars_cli.rulesets.registry import find_setup
from diskwars_cli.seat_keeper import SeatKeeper, recover_secrets
from diskwars_cli.seat_memory import RememberedBot, RememberedSeat, SeatMemory
from diskwars_client import terminal
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import CommandRefused, DecisionUnavailable, MatchHandle, WatchMode
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal import Console, TerminalClosed
from diskwars_protocol.match import Seat
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions

PLAYER_MODE = WatchMode(push_options=True, include_unavailable=True)
"""A player is offered their options with each record, and can ask why something is not among them."""
NO_BOT = "none"
"""What `--bot` names to wait for people."""


class PlayOptions(MatchFlags, frozen=True, kw_only=True):
    """Options of `play`. `match` is the match to join or resume, `opened` are the options of a match that is opened.

    Without `url` the server is the user's own on this machine. There is no token among them: other users of a machine
    can read its command lines.
    """

    url: str | None = None
    match: str | None = None
    resume: bool = False
    bot: str | None = None
    bell: bool = True
    opened: MatchOptions = DEFAULT_MATCH_OPTIONS


async def play_session(
    client: Client, options: PlayOptions, console: Console, memory: SeatMemory, remembered: RememberedSeat | None
) -> None:
    """Play until the match ends or the player leaves. Raises CommandError, ClientError."""
    keeper = None if remembered is None else SeatKeeper(memory, remembered)
    handle = await _join_match(client, options, console, keeper)
    if keeper is None:
        keeper = SeatKeeper(memory, _new_seat(options, handle))
    keeper.follow(handle, client.token)
    try:
        async with _connect_bots(client.url, options, handle, keeper) as players:
            console.print_line(f"return at any time with: {_return_command()}")
            await terminal.play_match(handle, console, program_name(), players)
    except* TerminalClosed:
        pass
    finally:
        if handle.match.result is not None:  # which the narration has ended with
            keeper.forget()
        else:
            console.print_line(_return_text(len(keeper.seat.bots), _return_command()))


def _new_seat(options: PlayOptions, handle: MatchHandle) -> RememberedSeat:
    data = options.settings.data
    return RememberedSeat(
        match=handle.id,
        ruleset=handle.match.ruleset,
        players=len(handle.match.seats),
        seat=handle.seat or 0,
        token="",
        url=options.url or "",
        data="" if options.url or data is None else str(data.absolute()),
    )


def loadouts(options: PlayOptions, ruleset: str) -> tuple[Any, Any]:
    """Return what the player brings to a match of this ruleset, and what each bot does. Raises CommandError."""
    if ruleset != options.ruleset and options.ruleset_values:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in options.ruleset_values)
        raise CommandError(f"{flags}: the match plays {ruleset}; add --ruleset {ruleset} to choose for it")
    return find_setup(ruleset).loadouts(options)


def _return_command() -> str:
    return f"{program_name()} play --resume"


def _return_text(bots: int, back: str) -> str:
    """Return how a player who leaves can return."""
    texts = ("", "the bot waits for you; ")
    return f"{texts[bots] if bots < len(texts) else 'the bots wait for you; '}return with: {back}"


def _outcome_line(handle: MatchHandle) -> str:
    result = handle.match.result
    if result is None:
        return ""
    return f"winner {find_terminal(handle.match.ruleset).outcome_text(handle.match, result)}"


# ---------------------------------------------------------------- the player


async def _join_match(client: Client, options: PlayOptions, console: Console, keeper: SeatKeeper | None) -> MatchHandle:
    """Return a match in which this player has a seat: a new one, or `options.match`. Raises CommandError."""
    handle = await _find_match(client, options, keeper)
    match = await handle.wait_caught_up()
    if match.status == "ended":
        if keeper is not None:
            keeper.forget()
        raise CommandError(f"match {handle.id} is over: {_outcome_line(handle)}")
    if handle.seat is not None:
        await recover_secrets(handle, None if keeper is None else keeper.seat.secrets)
    else:
        army, _ = loadouts(options, match.ruleset)
        await _take_free_seat(
            handle, army, f"`{program_name()} watch {handle.id}` shows it; `play --resume` is for its players"
        )
    if not options.match and not options.bot:
        address = f"--url {shlex.quote(client.url)} --match {handle.id}{_join_options(match.ruleset)}"
        console.print_line(f"waiting for an opponent: {program_name()} play {address}")
    return handle


async def _find_match(client: Client, options: PlayOptions, keeper: SeatKeeper | None) -> MatchHandle:
    """Watch the match that is named, or open one. A match that a server does not know any more is forgotten."""
    if options.match:
        try:
            return await client.watch(options.match, history=False, mode=PLAYER_MODE)
        except CommandRefused as refused:
            if keeper is not None and refused.code == "unknown_match":
                keeper.forget()
            raise
    army, _ = loadouts(options, options.ruleset)
    settings = find_setup(options.ruleset).settings(options, army)
    return await client.open_match(
        settings, options.players, ruleset=options.ruleset, match_options=options.opened, mode=PLAYER_MODE
    )


def _join_options(ruleset: str) -> str:
    """Return the options that a second player may want; those of a ruleset need its name, unless it is the default."""
    options = find_setup(ruleset).join_options
    return f" --ruleset {ruleset}{options}" if options and ruleset != DEFAULT_RULESET else options


async def _take_free_seat(handle: MatchHandle, army: Any, hint: str) -> None:
    """Take a free seat. Raises CommandError with a hint at what to do instead if none is free."""
    try:
        await handle.take_seat(army)
    except DecisionUnavailable:
        raise CommandError(f"match {handle.id} has no free seat; {hint}") from None


# ---------------------------------------------------------------- the bots


@contextlib.asynccontextmanager
async def _connect_bots(
    url: str, options: PlayOptions, handle: MatchHandle, keeper: SeatKeeper
) -> AsyncIterator[dict[Seat, str]]:
    """Run the bots of this seat in this process: those of an earlier run, or one for each free seat if wanted.

    Provides their names by seat. Raises CommandError if a bot finds no seat.
    """
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        tasks, players = [], {}
        for number, bot in enumerate(_wanted_bots(options, handle, keeper)):
            chooser = find_chooser(bot.name, handle.match.ruleset)
            client = await stack.enter_async_context(connect(url, name=bot_label(bot.name), token=bot.token))
            other = await client.watch(handle.id, history=False, mode=WatchMode(push_options=True))
            await other.wait_caught_up()
            if other.seat is None:
                _, army = loadouts(options, handle.match.ruleset)
                await _take_free_seat(other, army, "all seats are taken")
            else:
                await recover_secrets(other, bot.secrets)
            keeper.follow_bot(number, other, bot.name, client.token)
            players[other.seat or 0] = bot_label(bot.name)
            tasks.append(group.create_task(play_bot(other, chooser, random.Random())))
        try:
            yield players
        finally:
            for task in tasks:
                task.cancel()


def _wanted_bots(options: PlayOptions, handle: MatchHandle, keeper: SeatKeeper) -> tuple[RememberedBot, ...]:
    """Return the bots to run; with `--bot` at least one, even if no seat is free."""
    if keeper.seat.bots or not options.bot:
        return keeper.seat.bots
    return (RememberedBot(options.bot, ""),) * max(1, sum(not seat.player for seat in handle.match.seats))
