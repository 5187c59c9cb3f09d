"""Verbs of the section `Play`: matches and the accounts of players."""

from pathlib import Path
from typing import Any

import click

from diskwars_cli import completion
from diskwars_cli.account.account_commands import account
from diskwars_cli.account.challenge_commands import challenge
from diskwars_cli.account.club_commands import club
from diskwars_cli.account.tournament_commands import tournament
from diskwars_cli.commands.shared_options import BOARD_HELP, DEFAULT_URL, bots_option, match_options, url_option
from diskwars_cli.online_bots.bot_commands import bot
from diskwars_cli.options.match_filters import filter_options
from diskwars_cli.options.opening_options import opening_options
from diskwars_cli.options.ruleset_verb import MatchVerb
from diskwars_cli.options.setting_flags import data_options, server_setting_options
from diskwars_cli.play.match_entry import entry_options
from diskwars_protocol.messages.lobby import MAX_INVITE_USES


@click.command(cls=MatchVerb)
@click.option("--seed", type=int, metavar="NUMBER", help="Make the match repeatable: the same number, the same match")
@match_options
@bots_option
@click.option("--pace", type=click.FloatRange(min=0), default=0.0, metavar="SECONDS", help="Pause before each action")
@click.option("--board", "show_board", is_flag=True, help=BOARD_HELP)
@data_options(packs=True)
def demo(**values: Any) -> int:
    """Watch bots play a whole match on a real server."""
    from diskwars_cli.play.demo import DemoOptions, run_demo

    return run_demo(DemoOptions(**values))


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="TOML file of settings, by their names with _ for -  [DISKWARS_CONFIG]",
)
@server_setting_options
def serve(**values: Any) -> int:
    """Run the server until SIGINT (Ctrl-C) or SIGTERM."""
    from diskwars_cli.own_server.serve import run_serve

    return run_serve(**values)


@click.command(cls=MatchVerb)
@click.option("--resume", is_flag=True, help="Go on with an unfinished match; with several you choose")
@click.option("--match", metavar="MATCH", help="Join this match, or return to your seat in it, instead of opening one")
@click.option("--quick", is_flag=True, help="Play against people who seek the same match, usually with --url")
@click.option(
    "--from", "branch_of", metavar="MATCH/SEQ", help="Play on from this moment of another match, in a match of its own"
)
@match_options
@click.option(
    "--bot",
    metavar="NAME",
    help="Bot on every free seat: one of those below, my_bot.py:choose, or none to wait for people "
    "(default: the first below, without --url)",
    shell_complete=completion.complete_bots,
)
@opening_options
@entry_options
@click.option("--invited-only", is_flag=True, help="Let only those join a match you open who have an invite")
@click.option(
    "--url", metavar="URL", help="Address of another server (default: your own on this machine, started if none runs)"
)
@click.option("--bell/--no-bell", default=True, help="Ring the terminal's bell when it is your turn")
@data_options(port=True, packs=True)
def play(**values: Any) -> int:
    """Play a match in this terminal; type `help` at its prompt.

    Without options it begins a match against a bot, on a server of your own; after a break it offers the unfinished
    one. Your seats are kept in a private file.
    """
    from diskwars_cli.play.play import run_play
    from diskwars_cli.play.play_session import PlayOptions

    return run_play(PlayOptions(**values))


@click.command()
@click.argument("match")
@click.option("--board", "show_board", is_flag=True, help=BOARD_HELP)
@click.option("--from-start", is_flag=True, help="Also show what has happened so far")
@entry_options
@url_option
def watch(match: str, show_board: bool, from_start: bool, password: str, invite: str | None, url: str) -> int:
    """Follow a match on a server as text."""
    from diskwars_cli.play.play import run_watch

    return run_watch(match, show_board=show_board, from_start=from_start, password=password, invite=invite, url=url)


@click.command()
@click.option("--status", type=click.Choice(["open", "running", "ended"]), help="List only matches with this status")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="List at most this many matches",
)
@click.option("--free-seat", is_flag=True, help="List only matches with a free seat to take")
@click.option("--mine", is_flag=True, help="With --url: list only matches that your account has opened or plays in")
@click.option("--follow", is_flag=True, help="With --url: show what changes until Ctrl-C")
@filter_options
@click.option("--url", metavar="URL", help="Ask this server, with your account if you have one there")
@data_options()
def matches(url: str | None, follow: bool, mine: bool, **values: Any) -> int:
    """List the newest matches, or search those that have ended."""
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_matches_remotely

        return run_matches_remotely(url, follow=follow, mine=mine, **values)
    if follow or mine:
        raise click.UsageError("--follow and --mine need --url")
    from diskwars_cli.look_back.stored_matches import run_matches

    return run_matches(**values)


@click.command()
@click.argument("match")
@click.option("--new", is_flag=True, help="Make an invite, and print the command that uses it; its code is shown once")
@click.option("--army", metavar="TEXT", help="With --new: a text for those who use it, such as an army to bring")
@click.option("--uses", type=click.IntRange(1, MAX_INVITE_USES), metavar="N", help="With --new: for N players at most")
@click.option("--revoke", metavar="INVITE", help="Revoke the invite of this id")
@click.option("--url", metavar="URL", help=f"Address of the server (default: where your seat is, else {DEFAULT_URL})")
def invites(**values: Any) -> int:
    """List, make and revoke invites of a match that you opened."""
    from diskwars_cli.play.invites import InvitesOptions, run_invites

    return run_invites(InvitesOptions(**values), DEFAULT_URL)


@click.command()
@click.argument("id", required=False, metavar="[ID]")
@click.option("--list", "lists", is_flag=True, help="List the puzzles, in the order of their days")
def puzzle(id: str | None, lists: bool) -> int:
    """Solve the puzzle of the day, or the one of an ID."""
    from diskwars_cli.content.puzzles import run_puzzle

    return run_puzzle(id, lists=lists)


VERBS: tuple[click.Command, ...] = (
    demo,
    serve,
    play,
    puzzle,
    watch,
    matches,
    invites,
    challenge,
    tournament,
    club,
    account,
    bot,
)
