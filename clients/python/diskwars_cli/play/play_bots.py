"""The bots that `play` seats: those of the server in processes of its own, and others beside the terminal."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from diskwars_bots.loader import bot_label
from diskwars_cli.console.command import CommandError
from diskwars_cli.play.remembered.seat_keeper import SeatKeeper, recover_secrets
from diskwars_cli.play.remembered.seat_memory import RememberedBot
from diskwars_cli.plugs.match_options import find_chooser
from diskwars_cli.plugs.own_bots import run_chooser
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.ids import Seat


class WantedBots(Struct, frozen=True):
    """The bot that the player wants on each free seat, and what the bots bring, the first again after the last.

    Only who opened a match has the bots of the server.
    """

    name: str
    loadouts: tuple[Any, ...]
    is_opener: bool

    def loadout(self, number: int) -> Any:
        """Return what the bot of this number, from 0, brings."""
        return self.loadouts[number % len(self.loadouts)]


async def seat_bots(
    client: Client, handle: MatchHandle, keeper: SeatKeeper, wanted: WantedBots
) -> tuple[RememberedBot, ...]:
    """Give the free seats to bots of the server, whose thinking does not delay this terminal.

    Return those that the server has not: this process plays them. There is at least one, even if no seat is free.
    """
    free = [seat for seat, state in enumerate(handle.match.seats) if not state.player]
    while free and await _seat_server_bot(client, handle, free[0], wanted, len(keeper.seat.server_bots)):
        keeper.add_server_bot(wanted.name)
        del free[0]
        if not free:
            return ()
    return (RememberedBot(wanted.name, ""),) * max(1, len(free))


async def _seat_server_bot(client: Client, handle: MatchHandle, seat: Seat, wanted: WantedBots, number: int) -> bool:
    """Return whether the server has seated the bot of this number. Raises CommandRefused."""
    known = next((ruleset.bots for ruleset in client.rulesets if ruleset.id == handle.match.ruleset), ())
    if not wanted.is_opener or wanted.name not in known:
        return False
    try:
        await client.lobby.seat_bot(handle.id, wanted.name, wanted.loadout(number), seat)
    except CommandRefused as refused:
        if refused.code != "too_many_bots":
            raise
        return False
    return True


@contextlib.asynccontextmanager
async def run_own_bots(
    url: str, handle: MatchHandle, keeper: SeatKeeper, bots: tuple[RememberedBot, ...], wanted: WantedBots | None
) -> AsyncIterator[dict[Seat, str]]:
    """Play bots from this process: those of an earlier run, or new ones, which find seats and bring what is wanted.

    Provides their names by seat. Raises CommandError if one finds no seat.
    """
    seated = len(keeper.seat.server_bots)
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        tasks, players = [], {}
        for number, bot in enumerate(bots):
            find_chooser(bot.name, handle.match.ruleset)  # a name that is wrong is refused before a seat is taken
            chooser = await stack.enter_async_context(run_chooser(bot.name, handle.vocabulary))
            client = await stack.enter_async_context(connect(url, name=bot_label(bot.name), token=bot.token))
            other = await client.watch(handle.id, history=False, mode=WatchMode(push_options=True))
            await other.wait_caught_up()
            if other.seat is None:
                loadout = None if wanted is None else wanted.loadout(seated + number)
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


async def take_free_seat(handle: MatchHandle, loadout: Any, hint: str, seat: Seat | None = None) -> None:
    """Take a free seat, this one if it is named. Raises CommandError with a hint if none is free."""
    try:
        await handle.take_seat(loadout, seat)
    except DecisionUnavailable:
        raise CommandError(f"match {handle.id} has no free seat; {hint}") from None
