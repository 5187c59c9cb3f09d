"""Verbs of the section `Look back`: matches that are stored, on this machine or on a server."""

from typing import Any

import click

from diskwars_cli.commands.shared_options import DEFAULT_URL, OUTPUT_HELP, RULESET_NAMES, ruleset_option, server_option
from diskwars_cli.options.setting_flags import data_options
from diskwars_cli.plugs.data_options import DataOptions


@click.command()
@click.argument("match", required=False)
@click.option("--file", metavar="FILE", help="Replay this match file instead of a stored match")
@click.option("--at", "seq", type=int, metavar="SEQ", help="Print the map after this record instead")
@click.option("--round", type=int, metavar="N", help="Print the map as round N begins")
@click.option("--activation", type=int, metavar="N", help="Print the map as activation N begins")
@click.option("--melee", type=int, metavar="N", help="Print the map as melee N begins")
@click.option("--as", "viewpoint", metavar="WHO", help="See it as all, public, or the seat a, b, c or d")
@click.option("--step", is_flag=True, help="Step through the match from there; `help` lists the orders")
@click.option("--stats", is_flag=True, help="Print how long it took to rebuild the match from its records")
@server_option
@data_options()
def replay(data: DataOptions, **values: Any) -> int:
    """Narrate a match, show a moment of it, or step through it.

    MATCH is the id of a match, or a moment: MATCH/SEQ, or MATCH/SEQ?as=WHO, alone or at the end of a link.
    """
    from diskwars_cli.look_back.replay import ReplayOptions, run_replay

    return run_replay(ReplayOptions(**values), data)


@click.command()
@click.argument("match", required=False)
@click.option("--file", metavar="FILE", help="Read this match file instead of a stored match")
@server_option
@data_options()
def luck(match: str | None, **values: Any) -> int:
    """Compare what each player rolled with what was to be expected."""
    from diskwars_cli.look_back.luck import run_luck

    return run_luck(match, **values)


@click.command()
@click.argument("match", required=False)
@click.option("--file", metavar="FILE", help="Read this match file instead of a stored match")
@click.option("--seat", type=click.Choice("abcd", case_sensitive=False), default="a", help="Whose decisions to review")
@click.option(
    "--simulations", type=click.IntRange(1, 10_000), default=60, metavar="N", help="Search each decision so long"
)
@click.option(
    "--play-outs", type=click.IntRange(10, 10_000), default=100, metavar="N", help="Play each answer out N times"
)
@click.option("--decisions", type=click.IntRange(1, 1000), default=60, metavar="N", help="Look at N decisions at most")
@click.option("--moments", "lessons", type=click.IntRange(1, 20), default=3, metavar="N", help="Show N moments at most")
@click.option("--seed", type=int, default=1, metavar="N", help="Another seed draws other dice")
@server_option
@data_options()
def review(match: str | None, seat: str, file: str | None, url: str | None, data: DataOptions, **effort: Any) -> int:
    """Show where the search would have done otherwise, and how much more often it wins then.

    It knows no more than the seat did. The same options give the same review.
    """
    from diskwars_bots.search.review import ReviewEffort
    from diskwars_cli.look_back.review import run_review

    return run_review(match, ReviewEffort(**effort), seat=seat, file=file, url=url, data=data)


@click.command()
@ruleset_option(f"Ruleset of the leaderboard: {RULESET_NAMES}")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, metavar="N", help="List at most this many players")
@click.option(
    "--bots", is_flag=True, help="List the bots that players keep online, which have a leaderboard of their own"
)
@server_option
@data_options()
def leaderboard(ruleset: str, **values: Any) -> int:
    """List the players with the highest ratings: those with an account and at least five rated games."""
    from diskwars_cli.look_back.ratings import run_leaderboard

    return run_leaderboard(ruleset, **values)


@click.command()
@click.argument("match", required=False)
@click.option("--position", metavar="FILE", help="Draw the position in this text file instead, close up")
@ruleset_option(f"Ruleset of the position: {RULESET_NAMES}")
@click.option(
    "--animate", "file", metavar="FILE", help="Draw this match file as an animated WebP, a frame an activation or melee"
)
@click.option("--at", "seq", type=int, metavar="SEQ", help="Draw the field after this record (default: the last)")
@click.option("-o", "--output", metavar="FILE", default="-", help=OUTPUT_HELP)
@server_option
@data_options()
def draw(url: str | None, file: str | None, **values: Any) -> int:
    """Draw the field after any record, or a position, as an SVG picture; or a whole match as an animated WebP."""
    if file is not None:
        from diskwars_cli.look_back.replay_sources import run_animate

        if any(values[name] is not None for name in ("match", "position", "seq")) or url is not None:
            raise click.UsageError("--animate takes a match file, and no MATCH, --position, --at or --url")
        return run_animate(file, values["output"])
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_draw_remotely

        return run_draw_remotely(url, **values)
    from diskwars_cli.look_back.stored_matches import run_draw

    return run_draw(**values)


@click.command()
@click.argument("match")
@click.option("-o", "--output", metavar="FILE", default="-", help=OUTPUT_HELP)
@server_option
@data_options()
def export(url: str | None, **values: Any) -> int:
    """Write a match to a file that anybody can check.

    The file of an ended match holds every secret; that of any other match holds only what the public may see.
    """
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_export_remotely

        return run_export_remotely(url, **values)
    from diskwars_cli.look_back.stored_matches import run_export

    return run_export(**values)


@click.command()
@click.option("--public", is_flag=True, help="Write the ended public matches of the own database")
@click.option("-o", "--output", metavar="FILE", help="Where they are written: .jsonl or .jsonl.zst")
@click.option("--check", metavar="FILE", help="Check the hashes of a file of matches instead")
@click.option("--from", "source", metavar="FILE", help="With --tables: the file of matches that is read")
@click.option("--tables", metavar="FOLDER", help="Write matches, decisions and rolls of a file as Parquet")
@data_options()
def dump(
    public: bool, output: str | None, check: str | None, source: str | None, tables: str | None, data: DataOptions
) -> int:
    """Write all public matches that have ended to one file, as data.

    Players are in it by their ids only. A file of `simulate --records` is checked as well.
    """
    from diskwars_cli.look_back.public_dump import run_check, run_dump

    if tables is not None and source is not None and not public and output is None and check is None:
        from diskwars_cli.look_back.record_tables import run_tables

        return run_tables(source, tables)
    if tables is not None or source is not None:
        raise click.UsageError("--tables and --from go together, and without other options")
    if check is not None and not public and output is None:
        return run_check(check)
    if not public or output is None or check is not None:
        raise click.UsageError("dump takes either --public with --output, or --check")
    return run_dump(output, data)


@click.command("import")
@click.argument("file")
@click.option("--url", metavar="URL", default=DEFAULT_URL, help="Address of the server")
def import_match(file: str, url: str) -> int:
    """Give a match file to a server, where its match can then be looked back on.

    The server verifies the file, and marks the match as imported. FILE was written by `diskwars export`; - is standard
    input. The same file is the same match.
    """
    from diskwars_cli.look_back.match_import import run_import

    return run_import(file, url)


@click.command()
@click.argument("file", required=False)
@click.option("--all", "all_matches", is_flag=True, help="Decide every ended match of the own database again")
@click.option(
    "--head",
    metavar="HASH",
    help="A hash of this match that you noted while it was played (64 hex digits): the file has to contain it",
)
@data_options(packs=True)
def verify(file: str | None, all_matches: bool, **values: Any) -> int:
    """Check that a match was played by the rules and that its file is whole.

    It finds out whether a record was changed, whether dice and cards are those that were promised before the match, and
    whether the rules decide every answer as recorded. FILE was written by `diskwars export`; - is standard input.

    With --all it compares the matches of the own database with this version of the rules, and lists those that it would
    rule differently, by rule.
    """
    from diskwars_cli.look_back.verify import run_verify

    if all_matches == (file is not None) or (all_matches and values["head"] is not None):
        raise click.UsageError("verify takes either a FILE or --all")
    if file is not None:
        return run_verify(file, **values)
    from diskwars_cli.look_back.release_diff import run_release_diff

    return run_release_diff(values["data"])


VERBS: tuple[click.Command, ...] = (replay, luck, review, leaderboard, draw, export, dump, import_match, verify)
