"""The command line: every verb with its options and help texts.

Only click and the settings are imported here, so that help and shell completion respond at once. The code of a verb is
imported when it runs.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

from diskwars_cli import completion
from diskwars_cli.account.account_commands import account
from diskwars_cli.admin.admin_commands import admin
from diskwars_cli.options.match_filters import filter_options
from diskwars_cli.options.opening_options import opening_options
from diskwars_cli.options.ruleset_verb import RULESET_FLAG, MatchVerb, RulesetVerb
from diskwars_cli.options.setting_flags import setting_options
from diskwars_cli.play.match_entry import entry_options
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.messages.lobby import MAX_INVITE_USES
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_server.settings import SERVER_SETTINGS, STORE_SETTINGS, ServerSettings

Callback: TypeAlias = Callable[..., int]

SECTIONS = {
    "Play": ("demo", "serve", "play", "watch", "matches", "invites", "account"),
    "Look back": ("replay", "luck", "leaderboard", "draw", "export", "import", "verify"),
    "Look inside": ("simulate", "league", "packs", "rules", "army", "schema"),
    "Run a server": ("backup", "restore", "ratings", "admin"),
}
"""The verbs in the order in which help lists them."""
DEFAULT_URL = "ws://127.0.0.1:8765/ws"
OUTPUT_HELP = "File to write; - is standard output"
BOARD_HELP = "Print the map at the start of each round"
RULESET_NAMES = " or ".join([", ".join(list(RULESETS)[:-1]), *list(RULESETS)[-1:]])


class VerbGroup(click.Group):
    """A command group whose help lists the verbs in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [verb for verbs in SECTIONS.values() for verb in verbs]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for title, verbs in SECTIONS.items():
            with formatter.section(title):
                rows = [(verb.ljust(width), self.commands[verb].get_short_help_str(100)) for verb in verbs]
                formatter.write_dl(rows)


CONTEXT = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}


@click.group(cls=VerbGroup, context_settings=CONTEXT, epilog="`VERB --help` lists the options of a verb.")
@click.version_option(package_name="diskwars", message="diskwars %(version)s")
@completion.install_option
@completion.show_option
def cli() -> None:
    """Play, watch, store and verify matches of Warhammer: Diskwars."""


cli.add_command(account)
cli.add_command(admin)

# ---------------------------------------------------------------- shared options


def ruleset_option(text: str, default: str | None = DEFAULT_RULESET) -> Callable[[Callback], Callback]:
    return click.option(
        RULESET_FLAG, metavar="NAME", default=default, help=text, shell_complete=completion.complete_rulesets
    )


def match_options(callback: Callback) -> Callback:
    """Add the options for ruleset, players and settings."""
    for option in (
        click.option(
            "--option",
            "house_rules",
            multiple=True,
            metavar="NAME=VALUE",
            help="Override an option of the match, listed below (repeatable)",
            shell_complete=completion.complete_house_rules,
        ),
        click.option("--players", type=click.IntRange(2, 4), default=2, metavar="N", help="Number of players"),
        ruleset_option(f"Ruleset to play: {RULESET_NAMES}"),
    ):
        callback = option(callback)
    return callback


bots_option = click.option(
    "--bots",
    "--bot",
    metavar="A,B",
    default="",
    show_default=False,
    help="Bot of each seat: one of those below, or my_bot.py:choose; one counts for all",
    shell_complete=completion.complete_bots,
)

url_option = click.option("--url", metavar="URL", default=DEFAULT_URL, help="Address of the server")


server_option = click.option("--url", metavar="URL", help="Ask this server, as a guest, instead of the own database")


# ---------------------------------------------------------------- play


@cli.command(cls=MatchVerb)
@click.option("--seed", type=int, metavar="NUMBER", help="Make the match repeatable: the same number, the same match")
@match_options
@bots_option
@click.option("--pace", type=click.FloatRange(min=0), default=0.0, metavar="SECONDS", help="Pause before each action")
@click.option("--board", "show_board", is_flag=True, help=BOARD_HELP)
@setting_options(*STORE_SETTINGS, "pack")
def demo(**values: Any) -> int:
    """Watch bots play a whole match on a real server."""
    from diskwars_cli.play.demo import DemoOptions, run_demo

    return run_demo(DemoOptions(**values))


@cli.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="TOML file of settings, by their names with _ for -  [DISKWARS_CONFIG]",
)
@setting_options(*SERVER_SETTINGS)
def serve(**values: Any) -> int:
    """Run the server until SIGINT (Ctrl-C) or SIGTERM."""
    from diskwars_cli.own_server.serve import run_serve

    return run_serve(**values)


@cli.command(cls=MatchVerb)
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
@setting_options("port", *STORE_SETTINGS, "pack")
def play(**values: Any) -> int:
    """Play a match in this terminal; type `help` at its prompt.

    Without options it begins a match against a bot, on a server of your own; after a break it offers the unfinished
    one. Your seats are kept in a private file.
    """
    from diskwars_cli.play.play import run_play
    from diskwars_cli.play.play_session import PlayOptions

    return run_play(PlayOptions(**values))


@cli.command()
@click.argument("match")
@click.option("--board", "show_board", is_flag=True, help=BOARD_HELP)
@click.option("--from-start", is_flag=True, help="Also show what has happened so far")
@entry_options
@url_option
def watch(match: str, show_board: bool, from_start: bool, password: str, invite: str | None, url: str) -> int:
    """Follow a match on a server as text."""
    from diskwars_cli.play.play import run_watch

    return run_watch(match, show_board=show_board, from_start=from_start, password=password, invite=invite, url=url)


@cli.command()
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
@setting_options(*STORE_SETTINGS)
def matches(url: str | None, follow: bool, mine: bool, **values: Any) -> int:
    """List the newest matches, or those that have ended and fit all of the filters."""
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_matches_remotely

        return run_matches_remotely(url, follow=follow, mine=mine, **values)
    if follow or mine:
        raise click.UsageError("--follow and --mine need --url")
    from diskwars_cli.look_back.stored_matches import run_matches

    return run_matches(**values)


@cli.command()
@click.argument("match")
@click.option("--new", is_flag=True, help="Make an invite, and print the command that uses it; its code is shown once")
@click.option("--army", metavar="TEXT", help="With --new: a text for those who use it, such as an army to bring")
@click.option("--uses", type=click.IntRange(1, MAX_INVITE_USES), metavar="N", help="With --new: for N players at most")
@click.option("--revoke", metavar="INVITE", help="Revoke the invite of this id")
@click.option("--url", metavar="URL", help=f"Address of the server (default: where your seat is, else {DEFAULT_URL})")
def invites(**values: Any) -> int:
    """List the invites of a match that you have opened; make and revoke them."""
    from diskwars_cli.play.invites import InvitesOptions, run_invites

    return run_invites(InvitesOptions(**values), DEFAULT_URL)


# ---------------------------------------------------------------- look back


@cli.command()
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
@setting_options(*STORE_SETTINGS)
def replay(settings: ServerSettings, **values: Any) -> int:
    """Narrate a match, show a moment of it, or step through it.

    MATCH is the id of a match, or a moment: MATCH/SEQ, or MATCH/SEQ?as=WHO, alone or at the end of a link.
    """
    from diskwars_cli.look_back.replay import ReplayOptions, run_replay

    return run_replay(ReplayOptions(**values), settings)


@cli.command()
@click.argument("match", required=False)
@click.option("--file", metavar="FILE", help="Read this match file instead of a stored match")
@server_option
@setting_options(*STORE_SETTINGS)
def luck(match: str | None, **values: Any) -> int:
    """Compare what each player rolled with what was to be expected."""
    from diskwars_cli.look_back.luck import run_luck

    return run_luck(match, **values)


@cli.command()
@ruleset_option(f"Ruleset of the leaderboard: {RULESET_NAMES}")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, metavar="N", help="List at most this many players")
@server_option
@setting_options(*STORE_SETTINGS)
def leaderboard(ruleset: str, **values: Any) -> int:
    """List the players with the highest ratings: those with an account and at least five rated games."""
    from diskwars_cli.look_back.ratings import run_leaderboard

    return run_leaderboard(ruleset, **values)


@cli.command()
@click.argument("match", required=False)
@click.option("--position", metavar="FILE", help="Draw the position in this text file instead, close up")
@ruleset_option(f"Ruleset of the position: {RULESET_NAMES}")
@click.option("--at", "seq", type=int, metavar="SEQ", help="Draw the field after this record (default: the last)")
@click.option("-o", "--output", metavar="FILE", default="-", help=OUTPUT_HELP)
@server_option
@setting_options(*STORE_SETTINGS)
def draw(url: str | None, **values: Any) -> int:
    """Draw the field after any record, or a position, as an SVG picture."""
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_draw_remotely

        return run_draw_remotely(url, **values)
    from diskwars_cli.look_back.stored_matches import run_draw

    return run_draw(**values)


@cli.command()
@click.argument("match")
@click.option("-o", "--output", metavar="FILE", default="-", help=OUTPUT_HELP)
@server_option
@setting_options(*STORE_SETTINGS)
def export(url: str | None, **values: Any) -> int:
    """Write a match to a file that anybody can check.

    The file of an ended match holds every secret; that of any other match holds only what the public may see.
    """
    if url is not None:
        from diskwars_cli.look_back.remote_matches import run_export_remotely

        return run_export_remotely(url, **values)
    from diskwars_cli.look_back.stored_matches import run_export

    return run_export(**values)


@cli.command("import")
@click.argument("file")
@click.option("--url", metavar="URL", default=DEFAULT_URL, help="Address of the server")
def import_match(file: str, url: str) -> int:
    """Give a match file to a server, where its match can then be looked back on.

    The server verifies the file, and marks the match as imported. FILE was written by `diskwars export`; - is standard
    input. The same file is the same match.
    """
    from diskwars_cli.look_back.match_import import run_import

    return run_import(file, url)


@cli.command()
@click.argument("file", required=False)
@click.option("--all", "all_matches", is_flag=True, help="Decide every ended match of the own database again")
@click.option(
    "--head",
    metavar="HASH",
    help="A hash of this match that you noted while it was played (64 hex digits): the file has to contain it",
)
@setting_options(*STORE_SETTINGS, "pack")
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

    return run_release_diff(values["settings"])


# ---------------------------------------------------------------- run a server


@cli.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@setting_options(*STORE_SETTINGS)
def backup(**values: Any) -> int:
    """Write everything that is stored to FILE while servers go on.

    The file holds secrets of running matches and the key of the server's tokens: keep it like a password.
    """
    from diskwars_cli.own_server.backup import run_backup

    return run_backup(**values)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@setting_options(*STORE_SETTINGS)
def restore(**values: Any) -> int:
    """Store the content of FILE, a backup, in an empty database."""
    from diskwars_cli.own_server.backup import run_restore

    return run_restore(**values)


# ---------------------------------------------------------------- look inside


@cli.command(cls=MatchVerb)
@click.option("--matches", type=click.IntRange(min=1), default=1, metavar="N", help="Number of matches")
@click.option("--seed", type=int, default=1, metavar="NUMBER", help="Seed of the first match; the next adds 1")
@match_options
@bots_option
@click.option("--report", metavar="FILE", help="Write a report in Markdown to this file")
@click.option("--title", default="Simulated matches", metavar="TEXT", help="Title of the report")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: one per CPU)")
@setting_options("pack")
def simulate(**values: Any) -> int:
    """Let bots play many matches in memory."""
    from diskwars_cli.plugs.simulation import SimulateOptions
    from diskwars_cli.simulate.simulate import run_simulate

    return run_simulate(SimulateOptions(**values))


@cli.command(cls=MatchVerb)
@click.argument("names", nargs=-1, metavar="[BOT]...", shell_complete=completion.complete_bots)
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    metavar="N",
    help="Matches of each pair at least: whole rounds over the seats  (default: 100; with --sprt at most 20000)",
)
@click.option("--seed", type=int, default=1, metavar="NUMBER", help="First seed; each is played from every seat")
@match_options
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    default="",
    show_default=False,
    help="Stop as soon as it is known which of two differences in Elo holds",
)
@click.option(
    "--decision-seconds",
    type=click.FloatRange(min=0.01, max=3600),
    default=10.0,
    metavar="N",
    help="A bot that takes longer for a decision loses the match",
)
@click.option(
    "--results",
    metavar="FILE",
    default="",
    show_default=False,
    help="Append results to FILE, and go on from those in it",
)
@click.option(
    "--resume", metavar="FILE", default="", show_default=False, help="Go on with the league whose results are in FILE"
)
@click.option(
    "--report", metavar="FILE", default="", show_default=False, help="Write a report in Markdown, and charts beside it"
)
@click.option("--title", default="League", metavar="TEXT", help="Title of the report")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Number of processes (default: one per CPU)")
@click.option("--times", "with_times", is_flag=True, help="Measure decision times, which do not repeat")
@setting_options("pack")
def league(**values: Any) -> int:
    """Let bots play each other, and measure their strength.

    BOT is one of those below or my_bot.py:choose; without any, the default one plays the random one.
    """
    from diskwars_cli.simulate.league import run_league
    from diskwars_cli.simulate.league_options import LeagueOptions

    return run_league(LeagueOptions(**values))


@cli.command(cls=RulesetVerb)
@click.argument("action", type=click.Choice(["list", "check", "new"]), default="list")
@click.argument("path", required=False)
@ruleset_option("Ruleset of the packs (default: list those of all, check and new for diskwars)", default=None)
@setting_options("pack")
def packs(**values: Any) -> int:
    """List the content packs, check one, or start your own.

    PATH is the folder of a pack or a TOML file.
    """
    from diskwars_cli.content.packs import run_packs

    return run_packs(**values)


@cli.command()
@click.argument("words", nargs=-1, metavar="[ID|WORD]...")
def rules(words: tuple[str, ...]) -> int:
    """Look up a rule: its text, reason, code and tests.

    R15.2 is a rule, R15 a section, R-16 a ruling, F7 a figure; other words are searched for.
    """
    from diskwars_cli.content.rules import run_rules

    return run_rules(words)


@cli.command(cls=RulesetVerb)
@click.argument("action", type=click.Choice(["check", "show", "list"]))
@click.argument("source", required=False, metavar="[FILE|NAME]", shell_complete=completion.complete_armies)
@ruleset_option("Ruleset of the armies")
@setting_options("pack")
def army(**values: Any) -> int:
    """Check armies in a file, print one as text, or list the starter armies.

    `check FILE` (- is standard input), `show NAME` or `show FILE`, `list`.
    """
    from diskwars_cli.content.armies import run_army

    return run_army(**values)


@cli.command()
@click.option("--asyncapi", is_flag=True, help="Print an AsyncAPI 3.0 document instead")
@click.option("--typescript", is_flag=True, help="Print TypeScript types instead")
def schema(asyncapi: bool, typescript: bool) -> int:
    """Print the protocol as JSON Schema."""
    from diskwars_cli.commands.schema import run_schema

    if asyncapi and typescript:
        raise click.UsageError("--asyncapi and --typescript exclude each other")
    return run_schema(asyncapi=asyncapi, typescript=typescript)


# ---------------------------------------------------------------- run a server


@cli.command()
@click.option("--rebuild", is_flag=True, help="Store what the matches make, where it is not what is stored")
@setting_options(*STORE_SETTINGS)
def ratings(**values: Any) -> int:
    """Compute ratings and statistics again from the stored matches, and compare them with what is stored."""
    from diskwars_cli.look_back.ratings import run_ratings

    return run_ratings(**values)
