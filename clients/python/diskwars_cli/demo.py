"""Subcommand `demo`: bots play a match on a real server while another client watches and narrates it.

Database, server and clients run in this process, on loopback.
"""

import asyncio
import contextlib
import logging
import os
import random
import secrets
import shlex

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.loader import BotError, bot_label, load_chooser
from diskwars_cli import seeds
from diskwars_cli.command import CommandError, Options, VerbRegistry, program_name, requires_server
from diskwars_cli.match_options import (
    ArmySelection,
    add_army_options,
    add_bot_options,
    add_match_options,
    parse_bot_names,
    select_armies,
)
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, ClientError, MatchHandle, connect
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_protocol.rulesets.diskwars.events import RoundBegan
from diskwars_server.settings import STORE_OPTIONS, ServerSettings, SettingsError, add_options, parse_settings
from diskwars_text.narration import narrate
from diskwars_text.phrases import outcome_text
from diskwars_text.text_map import draw_text_map


def add_verbs(verbs: VerbRegistry) -> None:
    parser = verbs.add("demo", "Watch bots play a whole match on a real server.", run_demo)
    parser.add_argument("--seed", type=int, metavar="SEED", help="play the match of this number, always the same")
    add_match_options(parser)
    add_bot_options(parser)
    add_army_options(parser)
    parser.add_argument("--pace", type=float, default=0, metavar="S", help="seconds before each action (0)")
    parser.add_argument("--board", action="store_true", help="show the table at the beginning of each round")
    add_options(parser, *STORE_OPTIONS, "pack")


class DemoOptions(Struct, frozen=True):
    """What is to be shown."""

    seed: int | None
    bots: list[str]
    sides: ArmySelection
    pace: float
    show_board: bool
    replay_options: str


def run_demo(options: Options) -> int:
    with requires_server():
        from diskwars_server.__main__ import open_database
        from diskwars_server.embedded import EmbeddedError
        from diskwars_server.store import StoreError
    if options.pace < 0:
        raise CommandError("--pace is a number of seconds, 0 or more")
    logging.getLogger("diskwars_server").setLevel(logging.ERROR)
    words = _replay_options(options)
    bots = parse_bot_names(options.bots, options.players)
    plan = DemoOptions(options.seed, bots, select_armies(options), options.pace, options.board, words)
    try:
        settings = replace(parse_settings(options, os.environ), host="127.0.0.1", port=0, seed=options.seed)
        with open_database(settings) as url:
            asyncio.run(play_demo(settings, url, plan))
    except (SettingsError, EmbeddedError, StoreError, ClientError, OSError) as fault:
        raise CommandError(str(fault)) from None
    except ExceptionGroup as several:
        raise CommandError(str(_first_client_fault(several))) from None
    return 0


def _first_client_fault(several: ExceptionGroup[Exception]) -> Exception:
    """Return what has stopped the players or the spectator. Raises the group where it is a mistake of the program."""
    found = several.subgroup((ClientError, BotError))
    fault: Exception | None = found
    while isinstance(fault, ExceptionGroup):
        fault = fault.exceptions[0]
    if fault is None:
        raise several
    return fault


def _replay_options(options: Options) -> str:
    """What to say besides to find the match again. A database address may hold a password, so it is not repeated."""
    return f" --data {shlex.quote(options.data)}" if options.data else ""


async def play_demo(settings: ServerSettings, database_url: str, plan: DemoOptions) -> None:
    """Play and tell one match. Cancelled, it leaves the match where it stands."""
    from diskwars_server.__main__ import start_server
    from diskwars_server.postgres import PostgresStore

    async with contextlib.AsyncExitStack() as stack:
        store = await stack.enter_async_context(PostgresStore(database_url))
        url = (await stack.enter_async_context(start_server(settings, store))).url
        players = [await stack.enter_async_context(_connect_player(url, plan, seat)) for seat in range(len(plan.bots))]
        spectator = await stack.enter_async_context(connect(url, name="demo spectator"))
        seats = await seat_players(players, plan)
        watched = await spectator.watch(seats[0].id)
        async with asyncio.TaskGroup() as group:
            group.create_task(narrate_match(watched, plan.show_board))
            for seat, handle in enumerate(seats):
                group.create_task(play_bot(handle, load_chooser(plan.bots[seat]), _bot_rng(plan, seat), plan.pace))
        print("\n".join(["", *closing_lines(watched, plan.replay_options)]), flush=True)


def _connect_player(url: str, plan: DemoOptions, seat: int) -> contextlib.AbstractAsyncContextManager[Client]:
    entropy = secrets.token_bytes if plan.seed is None else seeds.seat_entropy(plan.seed, seat)
    return connect(url, name=bot_label(plan.bots[seat]), entropy=entropy)


def _bot_rng(plan: DemoOptions, seat: int) -> random.Random:
    return random.Random() if plan.seed is None else seeds.bot_rng(plan.seed, seat)


async def seat_players(players: list[Client], plan: DemoOptions) -> list[MatchHandle]:
    """Seat the players one after the other, so that each gets the intended seat."""
    armies = plan.sides.armies or [
        Loadout(name) for name in seeds.draw_armies(plan.seed, plan.sides.starter_names, len(players))
    ]
    opened = await players[0].open_match(plan.sides.settings, len(players))
    seats = [opened, *[await player.watch(opened.id) for player in players[1:]]]
    for seat, handle in enumerate(seats):
        await handle.take_seat(armies[seat], seat)
    return seats


async def narrate_match(handle: MatchHandle, board: bool) -> None:
    """Print a match as it goes on, until it is over."""
    async for update in handle:
        for line in narrate(update.before, update.events):
            print(line, flush=True)
        if board and update.state.board and any(isinstance(event, RoundBegan) for event in update.events):
            print("\n" + draw_text_map(update.state.board), flush=True)


def closing_lines(handle: MatchHandle, again: str) -> list[str]:
    """Return what programs read: how to see the match again, its id, its size, who won."""
    result = handle.match.result
    assert result is not None
    return [
        f"replay with: {program_name()} replay {handle.id}{again}",
        f"match {handle.id}",
        f"events {handle.head}",
        f"winner {outcome_text(handle.match, result)}",
    ]
