"""The `replay` verb: narrates a match, shows one moment of it, or lets somebody step through it."""

import sys
import time

from msgspec import Struct

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.console import open_console
from diskwars_cli.console.output import print_line
from diskwars_cli.look_back.replay_sources import run_on_replay
from diskwars_cli.look_back.stored_matches import StoredMatch, load_match, run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.terminal.replay import browse_replay, narration, read_pages, table_lines
from diskwars_protocol.match.history_facts import MarkKind
from diskwars_protocol.match.ids import Viewer
from diskwars_protocol.match.moments import BadMoment, Moment, parse_moment, parse_viewpoint, viewer_of
from diskwars_protocol.match.replay import Replay, ReplayError
from diskwars_server.store.database import Database


class ReplayOptions(Struct, frozen=True, kw_only=True):
    """The part of a match to show: every record, or the moment that at most one of the numbers names."""

    match: str | None
    file: str | None
    url: str | None
    seq: int | None
    round: int | None
    activation: int | None
    melee: int | None
    viewpoint: str | None
    step: bool
    stats: bool


def run_replay(options: ReplayOptions, data: DataOptions) -> int:
    moment = _moment_of(options)
    if options.stats and (moment is None or options.url is not None):
        raise CommandError("--stats measures the store of this machine; it cannot be given with --url or --file")
    if options.stats and moment is not None:
        return run_with_store(data, lambda database: _print_times(database, moment.match))
    match = None if moment is None else moment.match

    async def show(replay: Replay) -> None:
        await _show(replay, options, moment)

    return run_on_replay(match, file=options.file, url=options.url, data=data, job=show)


def _moment_of(options: ReplayOptions) -> Moment | None:
    """Return the match and the moment that the command line names; None where it names a file. Raises CommandError."""
    numbers = (options.seq, options.round, options.activation, options.melee)
    has_seq = options.match is not None and "/" in options.match
    if sum(number is not None for number in numbers) + has_seq > 1:
        raise CommandError("name one moment: --at, --round, --activation, --melee or MATCH/SEQ")
    if options.match is None:
        return None
    try:
        # The number only completes the form of a moment: without one, none is shown.
        moment = parse_moment(options.match if has_seq else f"{options.match}/1")
    except BadMoment:
        if has_seq:
            raise CommandError(
                f'"{options.match}" is not a moment: write MATCH/SEQ or MATCH/SEQ?as=VIEWPOINT'
            ) from None
        raise CommandError(f"no match {options.match} is stored") from None
    return moment if has_seq else Moment(moment.match, 0)


async def _print_times(database: Database, match: str) -> int:
    print(_timing_text(await load_match(database, match)))
    return 0


async def _show(replay: Replay, options: ReplayOptions, moment: Moment | None) -> None:
    """Print what was asked for. Raises CommandError."""
    try:
        seen = replay.seen_by(_viewer_of(options, moment, replay.viewer))
        seq = _seq_of(seen, options, moment)
        if not (sys.stdin.isatty() and sys.stdout.isatty()) and not options.step:
            print_line("\n".join(narration(seen) if seq is None else table_lines(seen, seq)))
            return
        with open_console(bell=False) as console:
            if options.step:
                await browse_replay(seen, console, seq or 1)
            else:
                lines = narration(seen) if seq is None else table_lines(seen, seq, console.screen())
                await read_pages("\n".join(lines), console)
    except (BadMoment, ReplayError) as fault:
        raise CommandError(str(fault)) from None


def _viewer_of(options: ReplayOptions, moment: Moment | None, otherwise: Viewer) -> Viewer:
    if options.viewpoint is not None:
        return viewer_of(parse_viewpoint(options.viewpoint))
    return otherwise if moment is None or moment.viewpoint is None else viewer_of(moment.viewpoint)


def _seq_of(replay: Replay, options: ReplayOptions, moment: Moment | None) -> int | None:
    """Return the record that the command line names, or None. Raises ReplayError."""
    named: dict[MarkKind, int | None] = {
        "round": options.round,
        "activation": options.activation,
        "melee": options.melee,
    }
    for kind, number in named.items():
        if number is not None:
            return replay.seq_of(kind, number)
    if options.seq is not None:
        return replay.moment(options.seq).seq
    return None if moment is None or not moment.seq else replay.moment(moment.seq).seq


def _timing_text(stored: StoredMatch) -> str:
    count = len(stored.records)
    rate = round(count / stored.rebuild_ms * 1000)
    rebuilt = f"rebuilt {count} records in {stored.rebuild_ms:.1f} ms, {rate} records/s"
    started_at = time.perf_counter()
    replay = stored.replay()
    opened_at = time.perf_counter()
    for seq in (1, replay.last // 2 or 1, replay.last):
        replay.state(seq)
    seek_ms = (time.perf_counter() - opened_at) / 3 * 1000
    opened = f"replay opened in {(opened_at - started_at) * 1000:.1f} ms, {seek_ms:.1f} ms a seek"
    return f"{rebuilt}; read from the store in {stored.read_ms:.1f} ms; {opened}"
