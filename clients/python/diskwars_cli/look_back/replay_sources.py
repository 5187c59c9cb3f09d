"""Sources of the replays that the command shows: the own database, a server, or a match file."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.signals import run_async
from diskwars_cli.look_back.remote_matches import opened_match
from diskwars_cli.look_back.stored_matches import load_match, run_with_store, write_output
from diskwars_cli.play.play import run_client
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import UnknownRuleset, replay_file, replay_handle
from diskwars_protocol.match.replay import Replay, ReplayError
from diskwars_protocol.match.replay_scenes import list_scenes
from diskwars_protocol.records.match_file import NewerFormat, undo_text_conversion
from diskwars_protocol.records.records import BadRecord
from diskwars_server.store.database import Database

ReplayJob: TypeAlias = Callable[[Replay], Awaitable[None]]


def run_on_replay(match: str | None, *, file: str | None, url: str | None, data: DataOptions, job: ReplayJob) -> int:
    """Run a job on the replay of a match or of a file. Raises CommandError."""
    if (match is None) == (file is None):
        raise CommandError("name either a MATCH or --file FILE")
    if file is not None:
        run_async(_finished(job(_read_replay(file))))
        return 0
    named = match or ""
    if url is not None:
        return run_client(_replay_remote(url, named, job))
    return run_with_store(data, lambda database: _replay_stored(database, named, job))


def run_animate(file: str, output: str) -> int:
    """Write the animated replay of a match file."""
    from diskwars_cli.look_back.animation import animate

    replay = _read_replay(file)
    course = list_scenes(replay, find_pictures(replay.state(replay.last).ruleset).scenes)
    if course is None:
        raise CommandError(f"{file}: the match has no board")
    try:
        write_output(output, [animate(course)])
    except ImportError as missing:
        raise CommandError(f"animated pictures need Pillow and resvg-py: {missing.name} is not installed") from None
    return 0


async def _finished(work: Awaitable[None]) -> None:
    await work


def _read_replay(file: str) -> Replay:
    try:
        return replay_file(undo_text_conversion(Path(file).read_bytes()))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except (BadRecord, NewerFormat, UnknownRuleset, ReplayError) as fault:
        raise CommandError(f"{file}: {fault}") from None


async def _replay_stored(database: Database, match: str, job: ReplayJob) -> int:
    await job((await load_match(database, match)).replay())
    return 0


async def _replay_remote(url: str, match: str, job: ReplayJob) -> int:
    async with opened_match(url, match) as handle:
        await job(replay_handle(handle))
    return 0
