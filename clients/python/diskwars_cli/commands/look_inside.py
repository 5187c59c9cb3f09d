"""Verbs of the section `Look inside`: bots, packs, rules, armies and the protocol."""

from typing import Any

import click

from diskwars_cli import completion
from diskwars_cli.commands.shared_options import bots_option, match_options, ruleset_option
from diskwars_cli.options.ruleset_verb import MatchVerb, RulesetVerb
from diskwars_cli.options.setting_flags import data_options


@click.command(cls=MatchVerb)
@click.option("--matches", type=click.IntRange(min=1), default=1, metavar="N", help="Number of matches")
@click.option("--seed", type=int, default=1, metavar="NUMBER", help="Seed of the first match; the next adds 1")
@match_options
@bots_option
@click.option("--report", metavar="FILE", help="Write a report in Markdown to this file")
@click.option("--records", metavar="FILE", help="Write all records to this file, .jsonl or .jsonl.zst")
@click.option("--title", default="Simulated matches", metavar="TEXT", help="Title of the report")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: one per CPU)")
@data_options(database=False, packs=True)
def simulate(**values: Any) -> int:
    """Let bots play many matches in memory."""
    from diskwars_cli.plugs.simulation import SimulateOptions
    from diskwars_cli.simulate.simulate import run_simulate

    return run_simulate(SimulateOptions(**values))


@click.command(cls=MatchVerb)
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
@data_options(database=False, packs=True)
def league(**values: Any) -> int:
    """Let bots play each other, and measure their strength.

    BOT is one of those below or my_bot.py:choose; without any, the default one plays the random one.
    """
    from diskwars_cli.simulate.league import run_league
    from diskwars_cli.simulate.league_options import LeagueOptions

    return run_league(LeagueOptions(**values))


@click.command(cls=RulesetVerb)
@click.argument("action", type=click.Choice(["list", "check", "new"]), default="list")
@click.argument("path", required=False)
@ruleset_option("Ruleset of the packs (default: list those of all, check and new for diskwars)", default=None)
@data_options(database=False, packs=True)
def packs(**values: Any) -> int:
    """List the content packs, check one, or start your own.

    PATH is the folder of a pack or a TOML file.
    """
    from diskwars_cli.content.packs import run_packs

    return run_packs(**values)


@click.command()
@click.argument("words", nargs=-1, metavar="[ID|WORD]...")
@click.option("--play", is_flag=True, help="Play the figure of this ID; without ID list the figures")
@click.option("--variant", default="", metavar="NAME", help="With --play, another form: core has disks of the core set")
@click.option("--learn", is_flag=True, help="Play the boards of a first match, from board [ID] on: 3, pit or pit-2")
def rules(words: tuple[str, ...], play: bool, variant: str, learn: bool) -> int:
    """Look up a rule: its text, reason, code and tests.

    R15.2 is a rule, R15 a section, R-16 a ruling, F7 a figure; other words are searched for.
    """
    from diskwars_cli.content.figures import run_figure
    from diskwars_cli.content.lessons import run_lessons
    from diskwars_cli.content.rules import run_rules

    if (variant and not play) or (play and learn) or ((play or learn) and len(words) > 1):
        raise click.UsageError("--play or --learn takes one ID at most, and --variant goes with --play")
    if learn:
        return run_lessons(words[0] if words else None)
    return run_figure(words[0] if words else None, variant) if play else run_rules(words)


@click.command(cls=RulesetVerb)
@click.argument("action", type=click.Choice(["check", "show", "list"]))
@click.argument("source", required=False, metavar="[FILE|NAME]", shell_complete=completion.complete_armies)
@ruleset_option("Ruleset of the armies")
@data_options(database=False, packs=True)
def army(**values: Any) -> int:
    """Check armies in a file, print one as text, or list the starter armies.

    `check FILE` (- is standard input), `show NAME` or `show FILE`, `list`.
    """
    from diskwars_cli.content.armies import run_army

    return run_army(**values)


@click.command()
@click.option("--asyncapi", is_flag=True, help="Print an AsyncAPI document instead")
@click.option("--typescript", is_flag=True, help="Print TypeScript types instead")
@click.option("--part", metavar="NAME", help="Only what all rulesets share (core), or messages of one ruleset")
def schema(asyncapi: bool, typescript: bool, part: str | None) -> int:
    """Print the protocol as JSON Schema."""
    from diskwars_cli.commands.schema import run_schema

    if asyncapi and typescript:
        raise click.UsageError("--asyncapi and --typescript exclude each other")
    if typescript and part is not None:
        raise click.UsageError("--typescript prints all types: leave --part out")
    return run_schema(asyncapi=asyncapi, typescript=typescript, part=part)


VERBS: tuple[click.Command, ...] = (simulate, league, packs, rules, army, schema)
