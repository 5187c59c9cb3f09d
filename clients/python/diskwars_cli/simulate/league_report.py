"""Report on a league in Markdown, with its charts as SVG files beside it.

The same results give the same bytes: no clock is read, and decision times are shown only where they were asked for.
"""

import errno
import os
from pathlib import Path

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.odds import wilson_interval
from diskwars_cli.simulate.league_charts import ChartRow, rate_chart, rating_chart
from diskwars_cli.simulate.league_deeds import deeds_table, has_deeds, never_lines
from diskwars_cli.simulate.league_options import LeagueOptions, repeat_command
from diskwars_cli.simulate.league_standings import Standings
from diskwars_cli.simulate.league_table import (
    bot_table,
    fault_lines,
    has_times,
    pair_table,
    rate_texts,
    rating_texts,
    sequential_text,
    times_table,
)

READING_TEXT = """\
Each pair of bots plays each seed from every seat: with the same armies and the same dice seeds. A tie counts half.
*win rate* is followed by its 95 % interval (Wilson), which takes matches as independent. The matches of one seed are
not: luck that favours a seat favours both bots in turn, so that the interval is rather too wide.

*Elo* is fitted to the results of all pairs (Bradley-Terry), with one imagined tie for each pair; the rating of
{anchor} is 0. 400 Elo are odds of ten to one. *points* is the mean of the scores that the rules give, *records* the
mean length of a match, both over matches in which no bot had a fault."""

DEEDS_TEXT = """\
How often each bot chose each kind of action, by which rule, and in which share of its seats at least once."""

NEVER_TEXT = "What no bot chose, the random one and those of one idea aside, and why:"


def write_report(file: str, options: LeagueOptions, standings: Standings) -> None:
    """Write the report and its charts. Raises CommandError."""
    path = Path(file)
    charts = {
        path.with_name(f"{path.stem}-{name}.svg"): text
        for name, text in (("rates", rate_chart(_rate_rows(standings))), ("elo", rating_chart(_elo_rows(standings))))
    }
    text = render_report(options, standings, [chart.name for chart in charts])
    for target, content in {path: text, **charts}.items():
        try:
            target.write_text(content, "utf-8")
        except OSError as fault:
            reason = os.strerror(fault.errno or errno.EIO)
            raise CommandError(f"--report: {target} cannot be written: {reason}") from None


def render_report(options: LeagueOptions, standings: Standings, charts: list[str]) -> str:
    """Return the report; `charts` are the names of the pictures of win rates and of ratings."""
    plan, now = standings.plan, standings.plan.conditions
    produced = f"{standings.matches:,} matches of {plan.ruleset}, produced by"
    lines = [f"# {options.title}", "", produced, "", f"    {repeat_command(options)}", ""]
    lines += [f"- diskwars {now.program}, rules {now.rules} of {now.ruleset}"]
    lines += [f"- pack {pack}" for pack in now.packs]
    lines += [f"- bot `{bot}` {identity}" for bot, identity in zip(plan.bots, plan.identities, strict=True)]
    lines += ["", READING_TEXT.format(anchor=f"`{plan.bots[standings.anchor]}`")]
    lines += ["", "## Bots", "", bot_table(standings)]
    lines += ["", *(f"![{alt}]({chart})" for alt, chart in zip(("Win rates", "Elo"), charts, strict=True))]
    if len(plan.bots) > 2:
        lines += ["", "## Pairs", "", pair_table(standings)]
    if result := standings.sequential:
        lines += ["", "## Sequential test", "", sequential_text(result, plan.bots) + "."]
    if has_times(standings.bots):
        lines += ["", "## Decision times", "", times_table(standings)]
    if has_deeds(standings.bots):
        lines += ["", "## Deeds", "", DEEDS_TEXT, "", deeds_table(standings)]
        if never := never_lines(standings):
            lines += ["", NEVER_TEXT, "", *never]
    lines += ["", "## Faults", "", *(f"    {line}" for line in fault_lines(standings))]
    return "\n".join(lines) + "\n"


def _rate_rows(standings: Standings) -> list[ChartRow]:
    rows = []
    for bot, _ in standings.ranking():
        tally = standings.bots[bot]
        if tally.matches:
            low, high = wilson_interval(tally.score, tally.matches)
            value = 100 * tally.score / tally.matches
            rows.append(ChartRow(standings.plan.bots[bot], value, 100 * low, 100 * high, rate_texts(tally)[0]))
    return rows


def _elo_rows(standings: Standings) -> list[ChartRow]:
    return [
        ChartRow(
            standings.plan.bots[bot],
            rating.elo,
            rating.elo - rating.margin,
            rating.elo + rating.margin,
            rating_texts(rating)[0],
        )
        for bot, rating in standings.ranking()
        if rating is not None
    ]
