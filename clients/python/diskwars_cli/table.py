"""How does one play or watch at a terminal? Connects a client of a server to the console.

Must not know what is shown or asked.
"""

import argparse
import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Coroutine

from diskwars_cli.choices import army_name
from diskwars_cli.verb import Complaint, Options, Verbs
from diskwars_client import terminal
from diskwars_client.bots import BOTS
from diskwars_client.client import Client, ClientError, MatchHandle, connect
from diskwars_client.phrases import outcome
from diskwars_client.runner import play
from diskwars_client.terminal import Left, StandardConsole
from diskwars_protocol.diskwars.actions import Entry

URL = "ws://127.0.0.1:8765/ws"


def add(verbs: Verbs) -> None:
    watch = verbs.add("watch", "Follow a match on a server as text.", run_watch)
    watch.add_argument("match", metavar="MATCH")
    watch.add_argument("--board", action="store_true", help="show the table at the beginning of each round")
    playing = verbs.add("play", "Play a match on a server in this terminal; `help` at its prompt says how.", run_play)
    playing.add_argument("--match", metavar="MATCH", help="the match to play in, instead of opening a new one")
    playing.add_argument("--army", metavar="NAME", default="empire", help="the army to play, by name or its beginning")
    playing.add_argument("--bot", choices=sorted(BOTS), help="play against this bot")
    playing.add_argument("--bot-army", metavar="NAME", default="chaos", help="the army of the bot")
    playing.add_argument("--token", default="", metavar="TOKEN", help="who you were before, to go on with a match")
    for parser in (watch, playing):
        add_url(parser)


def add_url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", metavar="URL", default=URL, help=f"the server ({URL})")


def run_watch(options: Options) -> int:
    async def watched() -> int:
        console = StandardConsole()
        async with connect(options.url) as client:
            await terminal.watch(await client.watch(options.match), console, options.board)
        return 0

    return _run(watched())


def run_play(options: Options) -> int:
    armies = army_name(options.army), army_name(options.bot_army)

    async def played() -> int:
        console = StandardConsole()
        async with connect(options.url, token=options.token) as client:
            handle = await _seated(client, options, armies[0], console)
            has_left = False
            try:
                async with _opponent(options, handle, armies[1]):
                    await terminal.play(handle, console)
            except* Left:
                has_left = True
            console.say(_farewell(handle, options, client.token) if has_left else _outcome(handle))
        return 0

    return _run(played())


def _farewell(handle: MatchHandle, options: Options, token: str) -> str:
    return f"come back with: diskwars play --url {options.url} --match {handle.id} --token {token}"


def _outcome(handle: MatchHandle) -> str:
    result = handle.match.result
    return "" if result is None else f"winner {outcome(handle.match, result)}"


async def _seated(client: Client, options: Options, army: str, console: terminal.Console) -> MatchHandle:
    """A match in which this player has a seat, a new one or the one that is named."""
    handle = await client.watch(options.match) if options.match else await client.open_match()
    await handle.known()
    if handle.seat is None:
        await handle.take_seat(Entry(army))
    if not options.match and not options.bot:
        console.say(f"waiting for an opponent: diskwars play --url {options.url} --match {handle.id} --army NAME")
    return handle


@contextlib.asynccontextmanager
async def _opponent(options: Options, handle: MatchHandle, army: str) -> AsyncIterator[None]:
    """A bot on the other seat, if one is wanted."""
    if not options.bot:
        yield
        return
    async with connect(options.url, name=f"{options.bot} bot") as client, asyncio.TaskGroup() as group:
        other = await client.watch(handle.id)
        await other.take_seat(Entry(army))
        bot = group.create_task(play(other, BOTS[options.bot], random.Random()))
        try:
            yield
        finally:
            bot.cancel()


def _run(job: Coroutine[None, None, int]) -> int:
    """Raises Complaint."""
    try:
        return asyncio.run(job)
    except ClientError as fault:
        raise Complaint(str(fault)) from None
    except ExceptionGroup as several:
        raise Complaint(str(several.exceptions[0])) from None
