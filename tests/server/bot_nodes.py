"""Servers in memory that seat bots, and programs that think for them."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from msgspec import Raw

from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.messages.seats import SeatBot
from diskwars_server.bots.bot_players import BotPlayers
from diskwars_server.processes.bot_processes import BotProcess, BotProgram
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer

ODD_PROGRAM = Path(__file__).with_name("odd_bot_process.py")
WAIT_SECONDS = TEST_TIMEOUT_SECONDS


def odd_program(*arguments: str) -> BotProgram:
    """Return a program of the bot `steady` that thinks as `odd_bot_process.py` does with these arguments."""
    return BotProgram((sys.executable, str(ODD_PROGRAM), *arguments), {"counting": ("steady", "wild")})


@contextlib.asynccontextmanager
async def playing_bots(node: InMemoryServer, seconds: int = 10, count: int = 1) -> AsyncIterator[list[BotProcess]]:
    """Let the bots of a node play. A decision waits and is thought about for this many seconds."""
    players = BotPlayers(
        node.matches, node.rules, node.database.matches, node.services.bot_turns, node.bot_secrets, seconds
    )
    processes = [BotProcess(node.bots.command, seconds) for _ in range(count)]
    task = asyncio.create_task(players.run(processes))
    try:
        yield processes
    finally:
        task.cancel()
        await asyncio.wait([task])


def seat_message(
    client: InMemoryClient, match: MatchId, seat: Seat | None = None, bot: str = "steady", id: str = ""
) -> SeatBot:
    return SeatBot(id or client.id(), match, bot, seat, Raw(b'{"name":"bot","lucky":5}'))


async def begin_against_bot(
    client: InMemoryClient, rounds: int = 2, options: MatchOptions = DEFAULT_MATCH_OPTIONS
) -> MatchId:
    """Return a match in which a player and a bot sit, and the player is ready."""
    match = await client.open_match(rounds, options)
    await client.expect_accepted(seat_message(client, match, 1))
    await client.take_seat(match, 0)
    await client.be_ready(match, 0)
    return match


async def wait_until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_true():
            await asyncio.sleep(0.005)


async def wait_for_bot(node: InMemoryServer, match: MatchId) -> None:
    """Wait until no decision of the bot on seat 1 is open."""
    async with asyncio.timeout(WAIT_SECONDS):
        while any(decision.seat == 1 for decision in (await node.state(match)).decisions):
            await asyncio.sleep(0.005)


async def play_against_bot(client: InMemoryClient, match: MatchId, rounds: int = 2) -> None:
    """Choose a number in each round, after the bot has chosen."""
    for _ in range(rounds):
        await wait_for_bot(client.node, match)
        await client.choose_number(match, 0, 2)
