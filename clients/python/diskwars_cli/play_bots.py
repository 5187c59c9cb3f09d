"""The bots that `play` seats: those of the server in processes of its own, and others in the terminal's process."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from diskwars_bots.loader import bot_label
from diskwars_cli.command import CommandError
from diskwars_cli.match_options import find_chooser
from diskwars_cli.seat_keeper import SeatKeeper, recover_secrets
from diskwars_cli.seat_memory import RememberedBot
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import CommandRefused, DecisionUnavailable, MatchHandle, WatchMode
from diskwars_protocol.match import Seat


class WantedBots(Struct, frozen=True):
    """The bot that the player wants on each free seat, and what it brings. Only who opened a match has the server's."""

    name: str
    loadout: Any
    is_opener: bool


async def seat_bots(
    client: Client, handle: MatchHandle, keeper: SeatKeeper, wanted: WantedBots
) -> tuple[RememberedBot, ...]:
    """Give the free seats to bots of the server, whose thinking keeps nobody waiting here.

    Return those that the server has not: they play in this process. There is at least one, even if no seat is free.
    """
    free = [seat for seat, state in enumerate(handle.match.seats) if not state.player]
    while free and await _seat_server_bot(client, handle, free[0], wanted):
        keeper.add_server_bot(wanted.name)
        del free[0]
        if not free:
            return ()
    return (RememberedBot(wanted.name, ""),) * max(1, len(free))


async def _seat_server_bot(client: Client, handle: MatchHandle, seat: Seat, wanted: WantedBots) -> bool:
    """Return whether the server has seated the bot. Raises CommandRefused."""
    known = next((ruleset.bots for ruleset in client.rulesets if ruleset.id == handle.match.ruleset), ())
    if not wanted.is_opener or wanted.name not in known:
        return False
    try:
        await client.seat_bot(handle.id, wanted.name, wanted.loadout, seat)
    except CommandRefused as refused:
        if refused.code != "too_many_bots":
            raise
        return False
    return True


@contextlib.asynccontextmanager
async def run_own_bots(
    url: str, handle: MatchHandle, keeper: SeatKeeper, bots: tuple[RememberedBot, ...], loadout: Any
) -> AsyncIterator[dict[Seat, str]]:
    """Run bots in this process: those of an earlier run, or new ones, which bring `loadout` and find seats.

    Provides their names by seat. Raises CommandError if one finds no seat.
    """
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        tasks, players = [], {}
        for number, bot in enumerate(bots):
            chooser = find_chooser(bot.name, handle.match.ruleset)
            client = await stack.enter_async_context(connect(url, name=bot_label(bot.name), token=bot.token))
            other = await client.watch(handle.id, history=False, mode=WatchMode(push_options=True))
            await other.wait_caught_up()
            if other.seat is None:
                await take_free_seat(other, loadout, "all seats are taken")
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


async def take_free_seat(handle: MatchHandle, loadout: Any, hint: str) -> None:
    """Take a free seat. Raises CommandError with a hint at what to do instead if none is free."""
    try:
        await handle.take_seat(loadout)
    except DecisionUnavailable:
        raise CommandError(f"match {handle.id} has no free seat; {hint}") from None
