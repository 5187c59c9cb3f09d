"""The acts of the `challenge` verb with their options and help texts."""

from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec

from diskwars_cli.account.account_commands import server_options
from diskwars_cli.options.opening_options import opening_options
from diskwars_protocol.match.ids import SEAT_LETTERS
from diskwars_protocol.match.match_options import DEFAULT_RULESET, MatchOptions
from diskwars_protocol.messages.challenges import CHALLENGE_SEATS, DeclineReason

if TYPE_CHECKING:
    from diskwars_cli.account.account import AccountServer

SEATS = tuple(SEAT_LETTERS[:CHALLENGE_SEATS].lower())


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def challenge() -> None:
    """Challenge a player to a match, and answer challenges.

    You need an account (`account register`), and so does the other player.
    """


@challenge.command("send")
@click.argument("name")
@click.option("--ruleset", metavar="NAME", default=DEFAULT_RULESET, help="Ruleset of the match")
@click.option("--settings", metavar="JSON", default="{}", help="Settings of the ruleset, as in the protocol")
@click.option("--seat", type=click.Choice(SEATS), help="Your seat (default: by lot)")
@click.option("--wait", is_flag=True, help="Wait for the answer")
@opening_options
@server_options
def send_challenge(
    name: str,
    ruleset: str,
    settings: str,
    seat: str | None,
    wait: bool,
    opened: MatchOptions,
    server: "AccountServer",
) -> int:
    """Challenge the player of this name. The id of the challenge is printed."""
    from diskwars_cli.account.challenges import run_send

    try:
        wanted = msgspec.json.decode(settings, type=dict[str, Any])
    except msgspec.MsgspecError as fault:
        raise click.UsageError(f"--settings is an object in JSON: {fault}") from None
    return run_send(
        server,
        name,
        ruleset=ruleset,
        settings=wanted,
        match_options=opened,
        seat=None if seat is None else SEATS.index(seat),
        wait=wait,
    )


@challenge.command("list")
@server_options
def list_challenges(server: "AccountServer") -> int:
    """List challenges to and from you that are open, or were answered today."""
    from diskwars_cli.account.challenges import run_list

    return run_list(server)


@challenge.command("accept")
@click.argument("challenge_id", metavar="CHALLENGE")
@server_options
def accept_challenge(challenge_id: str, server: "AccountServer") -> int:
    """Accept a challenge. The command that plays the match is printed."""
    from diskwars_cli.account.challenges import run_accept

    return run_accept(server, challenge_id)


@challenge.command("decline")
@click.argument("challenge_id", metavar="CHALLENGE")
@click.option("--reason", type=click.Choice(get_args(DeclineReason)), default="unspecified", help="Why")
@server_options
def decline_challenge(challenge_id: str, reason: Any, server: "AccountServer") -> int:
    """Decline a challenge."""
    from diskwars_cli.account.challenges import run_decline

    return run_decline(server, challenge_id, reason)


@challenge.command("withdraw")
@click.argument("challenge_id", metavar="CHALLENGE")
@server_options
def withdraw_challenge(challenge_id: str, server: "AccountServer") -> int:
    """Take a challenge of yours back."""
    from diskwars_cli.account.challenges import run_withdraw

    return run_withdraw(server, challenge_id)


@challenge.command("allow")
@click.option("--nobody", is_flag=True, help="Take no challenges")
@server_options
def allow_challenges(nobody: bool, server: "AccountServer") -> int:
    """Take challenges of other players, as every account does at first."""
    from diskwars_cli.account.challenges import run_allow

    return run_allow(server, allowed=not nobody)
