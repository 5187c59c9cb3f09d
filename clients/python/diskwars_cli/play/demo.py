"""The `demo` verb: bots play a whole match over sockets, while another client watches and narrates it.

Database, server and clients run in this process, on loopback; a bot that searches thinks in another one.
"""

import asyncio
import contextlib
import random
import secrets
import shlex
from collections.abc import AsyncIterator

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError, UserBot, bot_label, load_chooser
from diskwars_cli.console.command import CommandError, program_name, requires_server
from diskwars_cli.console.fault_log import install_fault_log
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.own_bots import OwnBot, limit_own_bot, run_chooser
from diskwars_cli.plugs.simulation import MatchJob
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import ClientError
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.terminal.terminal import watch_match
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_server.settings import ServerSettings

ARMY_SEED_BITS = 32
DEMO_RETRY_POLICY = RetryPolicy(max_attempts=2)
"""The server of a demo has no other clients: what fails twice would fail again."""


class DemoOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `demo`. `pace` is the pause in seconds before each action."""

    seed: int | None = None
    pace: float = 0.0
    show_board: bool = False


class DemoPlan(Struct, frozen=True):
    """The match to show, with all options resolved."""

    seed: int | None
    job: MatchJob
    pace: float
    show_board: bool
    replay_options: str


def run_demo(options: DemoOptions) -> int:
    with requires_server():
        from diskwars_server.app import open_database
        from diskwars_server.processes.embedded_postgres import EmbeddedError
        from diskwars_server.store.errors import StoreError
    log = install_fault_log()
    army_seed = secrets.randbits(ARMY_SEED_BITS) if options.seed is None else options.seed
    job = next(find_simulation(options.ruleset).jobs(options, [army_seed]))
    plan = DemoPlan(options.seed, job, options.pace, options.show_board, _replay_options(options))
    settings = options.data.server_settings()
    settings = replace(settings, host="127.0.0.1", port=0, seed=options.seed, tls_cert=None, tls_key=None)
    try:
        with open_database(settings) as url:
            run_async(play_demo(settings, url, plan))
    except (EmbeddedError, StoreError, ClientError, OSError) as fault:
        raise CommandError(log.describe(str(fault))) from None
    except ExceptionGroup as group:
        raise CommandError(log.describe(str(_first_client_fault(group)))) from None
    return 0


def _first_client_fault(group: ExceptionGroup[Exception]) -> Exception:
    """Return the error that stopped a player or the spectator. Raises the group if it is a bug of this program."""
    client_faults = group.subgroup((ClientError, BotError))
    fault: Exception | None = client_faults
    while isinstance(fault, ExceptionGroup):
        fault = fault.exceptions[0]
    if fault is None:
        raise group
    return fault


def _replay_options(options: DemoOptions) -> str:
    """Return the options that `replay` needs to find the match.

    A database URL is left out: it may hold a password.
    """
    return f" --data {shlex.quote(str(options.data.folder))}" if options.data.folder else ""


async def play_demo(settings: ServerSettings, database_url: str, plan: DemoPlan) -> None:
    """Play one match and narrate it. If cancelled, the match is left as it stands."""
    from diskwars_server.app import start_server
    from diskwars_server.store.postgres.database import PostgresDatabase

    async with contextlib.AsyncExitStack() as stack:
        database = await stack.enter_async_context(PostgresDatabase(database_url))
        url = (await stack.enter_async_context(start_server(settings, database))).url
        seat_numbers = range(len(plan.job.bots))
        players = [await stack.enter_async_context(_connect_player(url, plan, seat)) for seat in seat_numbers]
        spectator = await stack.enter_async_context(connect(url, name="demo spectator"))
        seats = await seat_players(players, plan)
        watched = await spectator.watch(seats[0].id)
        async with asyncio.TaskGroup() as group:
            group.create_task(watch_match(watched, print_line, plan.show_board))
            for seat, handle in enumerate(seats):
                name = plan.job.bots[seat]
                chooser = await stack.enter_async_context(_run_chooser(name, handle.vocabulary))
                group.create_task(play_bot(handle, chooser, _bot_rng(plan, seat), plan.pace))
        print_line("\n".join(["", *closing_lines(watched, plan.replay_options)]))


@contextlib.asynccontextmanager
async def _run_chooser(name: str, vocabulary: AnyVocabulary) -> AsyncIterator[Chooser | OwnBot]:
    """Provide a bot; one of a file draws from its generator in this process, so that it plays as in `simulate`."""
    chooser = load_chooser(name, vocabulary.name)
    if isinstance(chooser, UserBot):
        yield limit_own_bot(chooser, name)
        return
    async with run_chooser(name, vocabulary) as other:
        yield other


def _connect_player(url: str, plan: DemoPlan, seat: int) -> contextlib.AbstractAsyncContextManager[Client]:
    entropy = secrets.token_bytes if plan.seed is None else seeds.seat_entropy(plan.seed, seat)
    return connect(url, name=bot_label(plan.job.bots[seat]), entropy=entropy, retry_policy=DEMO_RETRY_POLICY)


def _bot_rng(plan: DemoPlan, seat: int) -> random.Random:
    return random.Random() if plan.seed is None else seeds.bot_rng(plan.seed, seat)


async def seat_players(players: list[Client], plan: DemoPlan) -> list[MatchHandle]:
    """Seat players one after another, so that each gets the seat in the plan."""
    job, mode = plan.job, WatchMode(push_options=True)
    first = await players[0].open_match(job.settings, len(players), ruleset=job.ruleset, mode=mode)
    seats = [first, *[await player.watch(first.id, mode=mode) for player in players[1:]]]
    for seat, handle in enumerate(seats):
        await handle.take_seat(job.loadouts[seat], seat)
    return seats


def closing_lines(handle: MatchHandle, replay_options: str) -> list[str]:
    """Return the last lines, which programs parse: how to replay the match, its id, and its number of records."""
    return [
        f"replay with: {program_name()} replay {handle.id}{replay_options}",
        f"match {handle.id}",
        f"records {handle.head}",
    ]
