"""The acts of the `club` verb with their options and help texts."""

from typing import TYPE_CHECKING, Any, get_args

import click

from diskwars_cli.account.account_commands import server_options
from diskwars_protocol.clubs.options import ClubEntry, ClubRole, ClubVisibility
from diskwars_protocol.match.match_options import DEFAULT_RULESET

if TYPE_CHECKING:
    from diskwars_cli.account.account import AccountServer


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def club() -> None:
    """Open and run clubs, come in, and see their ladders.

    Everybody may list and show public clubs; to open one and come in you need an account (`account register`).
    """


@club.command("list")
@click.option("--mine", is_flag=True, help="List only those that you are in")
@server_options
def list_clubs(mine: bool, server: "AccountServer") -> int:
    """List the newest clubs."""
    from diskwars_cli.account.clubs import run_list

    return run_list(server, mine=mine)


@club.command("show")
@click.argument("club_id", metavar="CLUB")
@click.option("--follow", is_flag=True, help="Show it again after each change, until it is closed")
@server_options
def show_club(club_id: str, follow: bool, server: "AccountServer") -> int:
    """Show the members, seasons and rules of a club; to its leader and officers the invitations too."""
    from diskwars_cli.account.clubs import run_show

    return run_show(server, club_id, follow=follow)


@club.command("matches")
@click.argument("club_id", metavar="CLUB", required=False)
@server_options
def list_club_matches(club_id: str | None, server: "AccountServer") -> int:
    """List the matches of a club that have not ended, or those of all your clubs."""
    from diskwars_cli.account.clubs import run_matches

    return run_matches(server, club_id)


@club.command("ladder")
@click.argument("club_id", metavar="CLUB")
@click.option("--season", type=click.IntRange(1), metavar="N", help="Show the final standings of this season")
@server_options
def show_ladder(club_id: str, season: int | None, server: "AccountServer") -> int:
    """Show the ladder of the season under way, or of all time."""
    from diskwars_cli.account.clubs import run_ladder

    return run_ladder(server, club_id, season)


@club.command("open")
@click.argument("name")
@click.option("--visibility", type=click.Choice(get_args(ClubVisibility)), default="public", help="Who sees it")
@click.option("--entry", type=click.Choice(get_args(ClubEntry)), default="invitation", help="How players come in")
@click.option("--ruleset", metavar="NAME", default=DEFAULT_RULESET, help="Ruleset of the ladder")
@click.option("--rules", "house_rules", metavar="TEXT", help="House rules, in words")
@server_options
def open_club(name: str, server: "AccountServer", **options: Any) -> int:
    """Open a club, which you lead. Its id is printed."""
    from diskwars_cli.account.clubs import run_open

    return run_open(server, name, options)


@club.command("edit")
@click.argument("club_id", metavar="CLUB")
@click.option("--name", metavar="TEXT", help="New name")
@click.option("--visibility", type=click.Choice(get_args(ClubVisibility)), help="Who sees it")
@click.option("--entry", type=click.Choice(get_args(ClubEntry)), help="How players come in")
@click.option("--ruleset", metavar="NAME", help="Ruleset of the ladder")
@click.option("--rules", "house_rules", metavar="TEXT", help="House rules, in words")
@server_options
def edit_club(club_id: str, name: str | None, server: "AccountServer", **options: Any) -> int:
    """Change what is given, as the leader or an officer; the rest stays."""
    from diskwars_cli.account.clubs import run_edit

    return run_edit(server, club_id, name, {key: value for key, value in options.items() if value is not None})


@club.command("join")
@click.argument("club_or_code", metavar="CLUB|CODE")
@server_options
def join_club(club_or_code: str, server: "AccountServer") -> int:
    """Come into a club: by the code of an invitation, or by its id where everybody may."""
    from diskwars_cli.account.clubs import run_join

    return run_join(server, club_or_code)


@club.command("leave")
@click.argument("club_id", metavar="CLUB")
@server_options
def leave_club(club_id: str, server: "AccountServer") -> int:
    """Leave a club. If you lead it, the longest-serving officer takes over."""
    from diskwars_cli.account.clubs import run_leave

    return run_leave(server, club_id)


@club.command("invite")
@click.argument("club_id", metavar="CLUB")
@click.option("--days", type=click.IntRange(1, 365), metavar="N", help="Days for which it lets players in")
@click.option("--revoke", metavar="INVITATION", help="Instead revoke the invitation of this id")
@server_options
def invite(club_id: str, days: int | None, revoke: str | None, server: "AccountServer") -> int:
    """Make an invitation, and print the command that uses it; its code is shown once."""
    from diskwars_cli.account.clubs import run_invite, run_revoke

    return run_invite(server, club_id, days) if revoke is None else run_revoke(server, club_id, revoke)


@club.command("role")
@click.argument("club_id", metavar="CLUB")
@click.argument("name")
@click.argument("role", type=click.Choice(get_args(ClubRole)))
@server_options
def give_role(club_id: str, name: str, role: ClubRole, server: "AccountServer") -> int:
    """Make a member an officer or a member again, or give the lead away."""
    from diskwars_cli.account.clubs import run_role

    return run_role(server, club_id, name, role)


@club.command("remove")
@click.argument("club_id", metavar="CLUB")
@click.argument("name")
@server_options
def remove_member(club_id: str, name: str, server: "AccountServer") -> int:
    """Remove a member; only an invitation lets them in again."""
    from diskwars_cli.account.clubs import run_remove

    return run_remove(server, club_id, name)


@club.command("season")
@click.argument("club_id", metavar="CLUB")
@click.option("--begin", "name", metavar="NAME", help="Begin a season")
@click.option("--days", type=click.IntRange(1, 1000), metavar="N", help="With --begin: it ends by itself after N days")
@click.option("--end", is_flag=True, help="End the season under way, and keep its standings")
@server_options
def season(club_id: str, name: str | None, days: int | None, end: bool, server: "AccountServer") -> int:
    """Begin or end a season, as the leader or an officer."""
    from diskwars_cli.account.clubs import run_begin_season, run_end_season

    if (name is None) != end:
        raise click.UsageError("give --begin NAME or --end")
    return run_end_season(server, club_id) if name is None else run_begin_season(server, club_id, name, days)


@club.command("close")
@click.argument("club_id", metavar="CLUB")
@server_options
def close_club(club_id: str, server: "AccountServer") -> int:
    """Close a club for good, as its leader."""
    from diskwars_cli.account.clubs import run_close

    return run_close(server, club_id)


@club.command("report")
@click.argument("club_id", metavar="CLUB")
@click.argument("text")
@server_options
def report_club(club_id: str, text: str, server: "AccountServer") -> int:
    """Report the name or the rules of a club to the operators of the server; TEXT says what is wrong."""
    from diskwars_cli.account.clubs import run_report

    return run_report(server, club_id, text)
