"""The acts of the `admin` verb with their options and help texts."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias

import click

from diskwars_cli.options.match_filters import filter_options
from diskwars_cli.options.setting_flags import data_options
from diskwars_protocol.messages.chat import ChatChannel

Callback: TypeAlias = Callable[..., int]

OPERATOR_VARIABLE = "DISKWARS_OPERATOR"
TIME_FORMATS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def admin() -> None:
    """Look after players and matches; each act is stored, with its operator and the reason.

    It works on the database itself, whether servers are running or not; those that are carry an act out within two
    seconds. PLAYER is the name of an account, or the id of any player.
    """


def act_options(callback: Callback) -> Callback:
    """Add what every act needs: the responsible operator, the reason, and the database."""
    for option in (
        data_options(),
        click.option(
            "--operator",
            metavar="ACCOUNT",
            default="",
            envvar=OPERATOR_VARIABLE,
            show_default=False,
            help=f"Your account, which has to be one of an operator  [{OPERATOR_VARIABLE}]",
        ),
        click.option("--reason", metavar="TEXT", required=True, help="Why; stored with the act"),
    ):
        callback = option(callback)
    return callback


@admin.command("list")
@click.option("--status", type=click.Choice(["open", "running", "ended"]), help="List only matches with this status")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, metavar="N", help="List at most N matches")
@filter_options
@data_options()
def list_matches(**values: Any) -> int:
    """List matches of every visibility with the names of their players, the newest first."""
    from diskwars_cli.admin.admin_matches import run_list

    return run_list(**values)


@admin.command()
@click.argument("match")
@click.option("--at", "seq", type=click.IntRange(1), metavar="SEQ", help="Print the state after this record instead")
@act_options
def inspect(**values: Any) -> int:
    """Print the stored records of a match as JSON lines, or its state at one of them. It is an act like the others.

    What is hidden stays hidden until the match has ended, also from operators.
    """
    from diskwars_cli.admin.admin_matches import run_inspect

    return run_inspect(**values)


@admin.command()
@click.argument("player")
@act_options
def grant(**values: Any) -> int:
    """Make an account one of an operator; the first needs no --operator."""
    from diskwars_cli.admin.admin import run_grant

    return run_grant(**values)


@admin.command()
@click.argument("player")
@act_options
def revoke(**values: Any) -> int:
    """Let an account no longer be one of an operator."""
    from diskwars_cli.admin.admin import run_revoke

    return run_revoke(**values)


@admin.command()
@click.argument("player")
@click.option(
    "--until",
    type=click.DateTime(TIME_FORMATS),
    metavar="YYYY-MM-DD[THH:MM]",
    help="When the ban ends, by the clock of this computer (default: never)",
)
@act_options
def ban(until: datetime | None, **values: Any) -> int:
    """Keep a player out; the reason is shown to the player.

    Connections are closed with code 4011 within two seconds, and matches go on: clocks decide them.
    """
    from diskwars_cli.admin.admin import run_ban

    return run_ban(until=until, **values)


@admin.command()
@click.argument("player")
@act_options
def unban(**values: Any) -> int:
    """Let a player in again."""
    from diskwars_cli.admin.admin import run_unban

    return run_unban(**values)


@admin.command()
@data_options()
def bans(**values: Any) -> int:
    """List the bans in force, the newest first."""
    from diskwars_cli.admin.admin import run_bans

    return run_bans(**values)


@admin.command()
@click.argument("player")
@click.argument("name")
@act_options
def rename(**values: Any) -> int:
    """Give an account another name."""
    from diskwars_cli.admin.admin import run_rename

    return run_rename(**values)


@admin.command("erase-name")
@click.argument("player")
@act_options
def erase_name(**values: Any) -> int:
    """Erase the name that a guest has chosen; PLAYER is their id."""
    from diskwars_cli.admin.admin import run_erase_name

    return run_erase_name(**values)


@admin.command("login-link")
@click.argument("player")
@act_options
def login_link(**values: Any) -> int:
    """Make a code that lets a player set a new password, once and within an hour.

    Give it to nobody but the player: it lets its holder into the account.
    """
    from diskwars_cli.admin.admin import run_login_link

    return run_login_link(**values)


@admin.command("end")
@click.argument("match")
@act_options
def end_match(**values: Any) -> int:
    """End a match without a winner; it counts in no rating. One that has not begun is closed.

    The last record says that the match was stopped, and not why: the reason is in the act alone.
    """
    from diskwars_cli.admin.admin_matches import run_end

    return run_end(**values)


@admin.command("close-club")
@click.argument("club")
@act_options
def close_club(**values: Any) -> int:
    """Close a club for good, and show nobody its name, house rules and names of seasons any more.

    A season under way ends with its standings. The record of it names no reason: that is in the act alone.
    """
    from diskwars_cli.admin.admin_content import run_close_club

    return run_close_club(**values)


@admin.command("cancel-tournament")
@click.argument("tournament")
@act_options
def cancel_tournament(**values: Any) -> int:
    """Cancel a tournament, and show nobody its name and notes any more; one that is over keeps its results."""
    from diskwars_cli.admin.admin_content import run_cancel_tournament

    return run_cancel_tournament(**values)


@admin.command("erase-chat")
@click.option("--match", metavar="MATCH", help="Messages of this match")
@click.option("--player", metavar="PLAYER", help="Messages of this player")
@click.option("--channel", type=click.Choice(["players", "watchers"]), help="With --match: of this channel")
@click.option("--number", type=click.IntRange(1), metavar="N", help="With --channel: message N")
@act_options
def erase_chat(
    match: str | None, player: str | None, channel: ChatChannel | None, number: int | None, **values: Any
) -> int:
    """Erase the texts of chat messages that fit all that is named."""
    from diskwars_cli.admin.admin import run_erase_chat

    if match is None and player is None:
        raise click.UsageError("name a --match, a --player or both")
    if channel is not None and match is None:
        raise click.UsageError("--channel needs --match")
    if number is not None and channel is None:
        raise click.UsageError("--number needs --channel")
    return run_erase_chat(match=match, player=player, channel=channel, number=number or 0, **values)


@admin.command()
@click.option("--all", "show_all", is_flag=True, help="List closed reports too")
@click.option("--about", metavar="ID", help="Only reports about this player, match, club or tournament")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, metavar="N", help="List at most N reports")
@data_options()
def reports(**values: Any) -> int:
    """List what players report, the newest first: about others with the moment as MATCH/SEQ.

    About a club or tournament each text of it is shown as it was at that record.
    """
    from diskwars_cli.admin.admin_reports import run_reports

    return run_reports(**values)


@admin.command("close-report")
@click.argument("number", type=click.IntRange(1))
@act_options
def close_report(**values: Any) -> int:
    """Close report NUMBER, with what came of it as the reason."""
    from diskwars_cli.admin.admin_reports import run_close_report

    return run_close_report(**values)


@admin.command("notices")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, metavar="N", help="List at most N notices")
@data_options()
def dead_notices(**values: Any) -> int:
    """List notices that no receiver has taken and that were given up, the latest first, each with the reason."""
    from diskwars_cli.admin.admin_notices import run_notices

    return run_notices(**values)


@admin.command()
@click.option("--about", metavar="ID", help="Only acts about this match, player, club or tournament")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, metavar="N", help="List at most N acts")
@data_options()
def acts(**values: Any) -> int:
    """List what operators have done, the newest first."""
    from diskwars_cli.admin.admin import run_acts

    return run_acts(**values)
