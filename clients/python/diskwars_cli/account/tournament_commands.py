"""The acts of the `tournament` verb with their options and help texts."""

from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec

from diskwars_cli.account.account_commands import server_options
from diskwars_protocol.match.match_options import DEFAULT_RULESET, MatchOptions, Watchers
from diskwars_protocol.messages.tournaments import (
    AddOrganiserAct,
    CancelAct,
    CheckInAct,
    CorrectResultAct,
    EnterAct,
    EnterBotAct,
    PairRoundAct,
    PauseAct,
    RemoveOrganiserAct,
    ResumeAct,
    StartAct,
    WithdrawAct,
)
from diskwars_protocol.tournaments.options import MAX_ENTRANTS, MatchTemplate, TournamentFormat, TournamentOptions

if TYPE_CHECKING:
    from diskwars_cli.account.account import AccountServer

MIN_ENTRANTS = 2
FINAL_SIZES = ("0", "2", "4", "8", "16")
HALF_POINTS = {"1:0": (2, 0), "0:1": (0, 2), "draw": (1, 1), "0:0": (0, 0)}


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def tournament() -> None:
    """Open and run tournaments, enter them, and see their tables.

    Everybody may list and show; to open and enter one you need an account (`account register`).
    """


@tournament.command("list")
@click.option("--over", is_flag=True, help="List those that are over")
@click.option("--mine", is_flag=True, help="List only those that you organise or have entered")
@server_options
def list_tournaments(over: bool, mine: bool, server: "AccountServer") -> int:
    """List the newest tournaments."""
    from diskwars_cli.account.tournaments import run_list

    return run_list(server, over=over, mine=mine)


@tournament.command("show")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--follow", is_flag=True, help="Show it again after each change, until it is over")
@server_options
def show_tournament(tournament_id: str, follow: bool, server: "AccountServer") -> int:
    """Show the table of a tournament, and the matches of its round."""
    from diskwars_cli.account.tournaments import run_show

    return run_show(server, tournament_id, follow=follow)


@tournament.command("export")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--format", type=click.Choice(["json", "csv"]), default="csv", help="Everything as JSON, or the table")
@click.option("-o", "--output", metavar="FILE", default="-", help="File to write; - is standard output")
@server_options
def export_tournament(tournament_id: str, format: Any, output: str, server: "AccountServer") -> int:
    """Write a tournament to a file."""
    from diskwars_cli.account.tournaments import run_export

    return run_export(server, tournament_id, format, output)


@tournament.command("open")
@click.argument("name")
@click.option("--format", type=click.Choice(get_args(TournamentFormat)), default="swiss", help="Who meets whom")
@click.option("--ruleset", metavar="NAME", default=DEFAULT_RULESET, help="Ruleset of the matches")
@click.option("--settings", metavar="JSON", default="{}", help="Settings of the ruleset, as in the protocol")
@click.option("--match-options", metavar="JSON", default="{}", help="Options of the matches, such as their clock")
@click.option("--watchers", type=click.Choice(get_args(Watchers)), default="live", help="What spectators see")
@click.option("--rounds", type=click.IntRange(1, 64), metavar="N", help="Rounds of a Swiss tournament")
@click.option(
    "--final", "final_top", type=click.Choice(["0", "2", "4", "8", "16"]), default="0", help="Size of a final"
)
@click.option("--entrants", type=click.IntRange(MIN_ENTRANTS, MAX_ENTRANTS), metavar="N", help="Limit of entrants")
@click.option("--round-minutes", type=click.IntRange(1), metavar="N", help="Longest time of a round")
@click.option("--no-show-minutes", type=click.IntRange(1), default=10, metavar="N", help="Time to come to a match")
@click.option("--bots", is_flag=True, help="Let bots of the server in")
@click.option("--private", is_flag=True, help="Show it to nobody without its id")
@click.option("--late-entry", is_flag=True, help="Let players in after the start")
@click.option("--by-hand", is_flag=True, help="Begin each round with `tournament pair`")
@click.option("--club", metavar="CLUB", help="Let members of this club enter only")
@server_options
def open_tournament(name: str, settings: str, match_options: str, server: "AccountServer", **values: Any) -> int:
    """Open a tournament, which you organise. Its id is printed."""
    from diskwars_cli.account.tournaments import run_open

    return run_open(server, name, _options_of(settings, match_options, **values))


def _options_of(settings: str, match_options: str, **values: Any) -> TournamentOptions:
    try:
        wanted = msgspec.json.decode(match_options, type=dict[str, Any]) | {"watchers": values["watchers"]}
        msgspec.convert(wanted, MatchOptions)
        msgspec.json.decode(settings, type=dict[str, Any])
    except msgspec.MsgspecError as fault:
        raise click.UsageError(f"--settings and --match-options are objects in JSON: {fault}") from None
    template = MatchTemplate(
        values["ruleset"], msgspec.Raw(settings.encode()), msgspec.Raw(msgspec.json.encode(wanted))
    )
    limit = values["entrants"] or (32 if values["format"] == "round_robin" else 64)
    return TournamentOptions(
        values["format"],
        template,
        rounds=values["rounds"],
        final_top=int(values["final_top"]),
        entrant_limit=limit,
        visibility="link" if values["private"] else "public",
        round_minutes=values["round_minutes"],
        no_show_minutes=values["no_show_minutes"],
        pairs_by_hand=values["by_hand"],
        late_entry=values["late_entry"],
        bots=values["bots"],
        club=values["club"],
    )


@tournament.command("enter")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--bot", metavar="NAME", help="Let this bot of the server in, as an organiser")
@server_options
def enter_tournament(tournament_id: str, bot: str | None, server: "AccountServer") -> int:
    """Enter a tournament."""
    return _act(server, tournament_id, EnterAct() if bot is None else EnterBotAct(bot), "entered")


@tournament.command("leave")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--entrant", type=click.IntRange(1), metavar="N", help="Remove this entrant, as an organiser")
@server_options
def leave_tournament(tournament_id: str, entrant: int | None, server: "AccountServer") -> int:
    """Withdraw from a tournament."""
    return _act(server, tournament_id, WithdrawAct(entrant), "withdrawn")


@tournament.command("check-in")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--entrant", type=click.IntRange(1), metavar="N", help="Check this entrant in, as an organiser")
@server_options
def check_in(tournament_id: str, entrant: int | None, server: "AccountServer") -> int:
    """Say before the start that you are there."""
    return _act(server, tournament_id, CheckInAct(entrant), "checked in")


@tournament.command("start")
@click.argument("tournament_id", metavar="TOURNAMENT")
@server_options
def start_tournament(tournament_id: str, server: "AccountServer") -> int:
    """Start a tournament."""
    return _act(server, tournament_id, StartAct(), "started")


@tournament.command("pair")
@click.argument("tournament_id", metavar="TOURNAMENT")
@server_options
def pair_round(tournament_id: str, server: "AccountServer") -> int:
    """Begin the next round of a tournament whose rounds are begun by hand."""
    return _act(server, tournament_id, PairRoundAct(), "paired")


@tournament.command("pause")
@click.argument("tournament_id", metavar="TOURNAMENT")
@server_options
def pause_tournament(tournament_id: str, server: "AccountServer") -> int:
    """Let no round begin and no limit of the tournament run."""
    return _act(server, tournament_id, PauseAct(), "paused")


@tournament.command("resume")
@click.argument("tournament_id", metavar="TOURNAMENT")
@server_options
def resume_tournament(tournament_id: str, server: "AccountServer") -> int:
    """End a pause."""
    return _act(server, tournament_id, ResumeAct(), "resumed")


@tournament.command("cancel")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.option("--note", metavar="TEXT", help="Why; everybody sees it")
@server_options
def cancel_tournament(tournament_id: str, note: str | None, server: "AccountServer") -> int:
    """End a tournament without a winner."""
    return _act(server, tournament_id, CancelAct(note), "cancelled")


@tournament.command("correct")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.argument("round_number", metavar="ROUND", type=click.IntRange(1))
@click.argument("board", metavar="BOARD", type=click.IntRange(1))
@click.argument("result", type=click.Choice(list(HALF_POINTS)))
@click.option("--note", metavar="TEXT", help="Why; everybody sees it")
@server_options
def correct_result(
    tournament_id: str, round_number: int, board: int, result: str, note: str | None, server: "AccountServer"
) -> int:
    """Decide a match, or replace its result; 1:0 is a win of seat A."""
    act = CorrectResultAct(round_number, board, HALF_POINTS[result], note)
    return _act(server, tournament_id, act, "corrected")


@tournament.command("organiser")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.argument("name")
@click.option("--remove", is_flag=True, help="Let this organiser go")
@server_options
def organiser(tournament_id: str, name: str, remove: bool, server: "AccountServer") -> int:
    """Let the player of another account organise too."""
    act = RemoveOrganiserAct(name) if remove else AddOrganiserAct(name)
    return _act(server, tournament_id, act, "changed")


def _act(server: "AccountServer", tournament_id: str, act: Any, done: str) -> int:
    from diskwars_cli.account.tournaments import run_act

    return run_act(server, tournament_id, act, done)


@tournament.command("report")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.argument("text")
@server_options
def report_tournament(tournament_id: str, text: str, server: "AccountServer") -> int:
    """Report the name or the notes of a tournament to the operators of the server; TEXT says what is wrong."""
    from diskwars_cli.account.tournaments import run_report

    return run_report(server, tournament_id, text)
