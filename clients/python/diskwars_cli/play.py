"""How does one play or watch at a terminal? Connects a client of a server to the console.

Must not know what is shown or asked.
"""

import argparse
import asyncio
import contextlib
import random
import shlex
import signal
from collections.abc import AsyncIterator, Callable, Coroutine

from diskwars_bots.bots import BOTS
from diskwars_cli.command import Complaint, Options, Verbs, called
from diskwars_cli.match_options import add_packs, add_table, army_of, catalogue_of, regiments, settings_with
from diskwars_client import terminal
from diskwars_client.bot_runner import play
from diskwars_client.client import Client, ClientError, MatchHandle, NotYours, Refused, connect
from diskwars_client.terminal import Left, StandardConsole
from diskwars_protocol.rulesets.diskwars.actions import Entry
from diskwars_text.phrases import outcome

STOPPED = 130
"""The exit code of whoever was told to stop."""
URL = "ws://127.0.0.1:8765/ws"


def add(verbs: Verbs) -> None:
    watch = verbs.add("watch", "Follow a match on a server as text.", run_watch)
    watch.add_argument("match", metavar="MATCH")
    watch.add_argument("--board", action="store_true", help="show the table at the beginning of each round")
    playing = verbs.add("play", "Play a match on a server in this terminal; `help` at its prompt says how.", run_play)
    playing.add_argument("--match", metavar="MATCH", help="the match to play in, instead of opening a new one")
    add_table(playing)
    add_packs(playing)
    playing.add_argument(
        "--army", metavar="NAME", default="empire", help="the army to play: its name or a file (empire)"
    )
    playing.add_argument("--bot", choices=sorted(BOTS), help="play against this bot, on every seat that is free")
    playing.add_argument("--bot-army", metavar="NAME", default="chaos", help="the army of each bot (chaos)")
    playing.add_argument("--token", default="", metavar="TOKEN", help="who you were before, to go on with a match")
    playing.add_argument("--bot-token", default="", metavar="A,B", help="who the bots were before, to bring them back")
    for parser in (watch, playing):
        add_url(parser)


def add_url(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", metavar="URL", default=URL, help=f"the server ({URL})")


def run_watch(options: Options) -> int:
    async def watched() -> int:
        console = StandardConsole()
        async with connect(options.url, link=_told(console)) as client:
            await terminal.watch(await client.watch(options.match), console, options.board)
        return 0

    return _run(watched())


def run_play(options: Options) -> int:
    catalogue = catalogue_of(options)
    armies = army_of(options.army, catalogue), army_of(options.bot_army, catalogue)

    async def played() -> int:
        console = StandardConsole()
        async with connect(options.url, token=options.token, link=_told(console)) as client:
            handle = await _seated(client, options, armies[0], console)
            await _play(options, handle, armies[1], console, _come_back(handle, options, client.token))
        return 0

    return _run(played())


async def _play(options: Options, handle: MatchHandle, bot_army: Entry, console: StandardConsole, back: str) -> None:
    """Until the match is over or the player leaves; `back` is how he comes back without bots."""
    bots = 0
    try:
        async with _opponents(options, handle, bot_army) as tokens:
            back += f" --bot {options.bot} --bot-token {','.join(tokens)}" if tokens else ""
            bots = len(tokens)
            console.say(f"come back at any time with: {back}")
            await terminal.play(handle, console, called())
    except* Left:
        pass
    finally:
        console.say(_last_words(handle, bots, back))


def _told(console: terminal.Console) -> Callable[[bool], None]:
    return lambda is_back: console.say("back" if is_back else "connection lost, trying again …")


def _come_back(handle: MatchHandle, options: Options, token: str) -> str:
    """Without what brings bots back, whose tokens are not known before they have come."""
    return f"{called()} play --url {shlex.quote(options.url)} --match {handle.id} --token {token}"


def _last_words(handle: MatchHandle, bots: int, back: str) -> str:
    """Who has won, or for somebody who leaves how to come back."""
    if handle.match.result is not None:
        return _outcome(handle)
    leaves = ("", "the bot leaves with you; this brings both of you back\n")
    many = "the bots leave with you; this brings all of you back\n"
    return f"{leaves[bots] if bots < len(leaves) else many}come back with: {back}"


def _outcome(handle: MatchHandle) -> str:
    result = handle.match.result
    return "" if result is None else f"winner {outcome(handle.match, result)}"


async def _seated(client: Client, options: Options, army: Entry, console: terminal.Console) -> MatchHandle:
    """A match in which this player has a seat, a new one or the one that is named. Raises Complaint."""
    if options.match:
        handle = await client.watch(options.match)
    else:
        settings = settings_with(options, regiments(army, catalogue_of(options)))
        handle = await client.open_match(settings, options.players)
    match = await handle.known()
    if match.status == "ended":
        raise Complaint(f"match {handle.id} is over: {_outcome(handle)}")
    if handle.seat is not None:
        await _come_again(handle)
    else:
        await _sat_down(handle, army, f"`{called()} watch {handle.id}` shows it, and --token brings back who sat there")
    if not options.match and not options.bot:
        address = f"--url {shlex.quote(options.url)} --match {handle.id}"
        console.say(f"waiting for an opponent: {called()} play {address} --army NAME")
    return handle


@contextlib.asynccontextmanager
async def _opponents(options: Options, handle: MatchHandle, army: Entry) -> AsyncIterator[list[str]]:
    """A bot on each free seat, if any is wanted, and the tokens with which they come back. Raises Complaint."""
    async with contextlib.AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        bots, tokens = [], []
        for token in _comers(options, handle):
            client = await stack.enter_async_context(connect(options.url, name=f"{options.bot} bot", token=token))
            other = await client.watch(handle.id)
            await other.known()
            if other.seat is None:
                await _sat_down(other, army, "a bot that sat there comes back with its --bot-token")
            else:
                await _come_again(other)
            bots.append(group.create_task(play(other, BOTS[options.bot], random.Random())))
            tokens.append(client.token)
        try:
            yield tokens
        finally:
            for bot in bots:
                bot.cancel()


def _comers(options: Options, handle: MatchHandle) -> list[str]:
    """The tokens of the bots that are to come, empty for new ones: at least one, which may find no seat."""
    if not options.bot:
        return []
    if options.bot_token:
        return str(options.bot_token).split(",")
    return [""] * max(1, sum(not chair.player for chair in handle.match.seats))


async def _sat_down(handle: MatchHandle, army: Entry, instead: str) -> None:
    """Raises Complaint with what may be done instead where no seat is free."""
    try:
        await handle.take_seat(army)
    except NotYours:
        raise Complaint(f"match {handle.id} has no free seat; {instead}") from None


async def _come_again(handle: MatchHandle) -> None:
    """Whoever comes back has left the secrets of his dice behind, and gives to the dice from new ones."""
    try:
        await handle.replace_chain()
    except Refused as refused:
        if refused.code != "match_ended":
            raise


def _run(job: Coroutine[None, None, int]) -> int:
    """Ends at SIGTERM as at Ctrl-C. Raises Complaint, BrokenPipeError."""
    try:
        return asyncio.run(_until_told(job))
    except (ClientError, Complaint) as told:
        raise Complaint(str(told)) from None
    except BaseExceptionGroup as several:
        fault: BaseException = several
        while isinstance(fault, BaseExceptionGroup):
            fault = fault.exceptions[0]
        if isinstance(fault, ClientError | Complaint):
            raise Complaint(str(fault)) from None
        raise


async def _until_told(job: Coroutine[None, None, int]) -> int:
    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # not on every system
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        return await job
    except asyncio.CancelledError:
        if task.cancelling():
            return STOPPED
        raise
