#!/usr/bin/env python3
"""The measured ladder: let each bot play the one below it, and write docs/league.md, the page and the words of bots.

    python -m tools.ladder pit    plays this game again and renews its rows; those of other games stay
    python -m tools.ladder        writes the rows of docs/league.md to the other files, and plays nothing

Times of decisions belong to the machine; the numbers of matches won by bots that count no time repeat.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/league.md"
WORDS = ROOT / "clients/python/diskwars_bots/strength.py"
WEB = ROOT / "clients/web/src/page/bot_strength.ts"
BEGIN, END = "<!-- ladder -->\n", "<!-- end of ladder -->\n"
SEED = 31001
SEARCHES: Mapping[str, tuple[str, str]] = {
    "diskwars": ("search100", "search"),
    "pit": ("search40n", "search200n"),
    "close_quarters": ("search8n", "search40n"),
    "regiments": ("search40n", "search200n"),
}
"""By game: two searches; the second stands for `search`, with as many simulations as 500 ms give on a quiet machine.

A number of simulations repeats; in Diskwars, whose matches are long, the rows are those of a run by the clock.
"""
RUNGS: Mapping[str, Sequence[tuple[str, str]]] = {
    game: (("mild", "random"), ("greedy", "mild"), *((search, "greedy") for search in searches))
    for game, searches in SEARCHES.items()
}
"""By game: each bot and the weaker one that it plays, the weakest first."""


class Rung(Struct, frozen=True):
    """One row of the ladder: matches of a bot against a weaker one, and what its decisions take."""

    game: str
    bot: str
    over: str
    matches: int
    won: int
    tied: int
    rate: str
    interval: str
    mean_ms: str
    longest_ms: str

    @property
    def score(self) -> float:
        return self.won + self.tied / 2


HEADINGS = ("game", "bot", "over", "matches", "won", "tied", "win rate", "95 %", "mean ms", "longest ms")


def play_rung(game: str, bot: str, over: str, matches: int, options: Sequence[str] = ()) -> Rung:
    """Play one row. A bot with a fault ends the league with its error."""
    words = [sys.executable, "-m", "diskwars_cli", "league", bot, over, "--ruleset", game, "--matches", str(matches)]
    words += ["--seed", str(SEED), "--workers", "1", "--times", *options]
    shown = subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    result, times = (row for row in map(_cells, shown.splitlines()) if row and row[0] == bot)
    return Rung(game, bot, over, int(result[1]), int(result[2]), int(result[3]), *result[5:7], *times[2:4])


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table; none of any other line."""
    return [cell.strip(" `") for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []


def read_rungs(page: str) -> list[Rung]:
    """Return the rows of the ladder in the page."""
    rows = map(_cells, page.partition(BEGIN)[2].partition(END)[0].splitlines())
    return [
        Rung(game, bot, over, int(matches), int(won), int(tied), *texts)
        for game, bot, over, matches, won, tied, *texts in filter(None, rows)
        if matches.isdigit()
    ]


def render_table(rungs: Iterable[Rung]) -> str:
    """Return the table of the page."""
    rows = [
        (
            *(rung.game, f"`{rung.bot}`", f"`{rung.over}`", str(rung.matches), str(rung.won), str(rung.tied)),
            *(rung.rate, rung.interval, rung.mean_ms, rung.longest_ms),
        )
        for rung in rungs
    ]
    lines = [HEADINGS, ["---" if place < 3 else "--:" for place in range(len(HEADINGS))], *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _offered_name(rung: Rung) -> str:
    """Return the name by which a bot of a row is offered to players; empty for a search of another budget."""
    if not rung.bot.startswith("search"):
        return rung.bot
    return "search" if rung.bot == SEARCHES[rung.game][-1] else ""


def with_table(page: str, rungs: Iterable[Rung]) -> str:
    """Return the page with its table replaced."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{render_table(rungs)}\n{end}{after}"


def with_python(source: str, rungs: Sequence[Rung]) -> str:
    """Return the module of words with the measured numbers replaced."""
    lines = ["STRENGTHS: Mapping[str, Mapping[str, MeasuredStrength]] = {"]
    for game in dict.fromkeys(rung.game for rung in rungs):
        lines.append(f'    "{game}": {{')
        lines += [
            f'        "{_offered_name(rung)}": MeasuredStrength("{rung.over}", {rung.score:g}, {rung.matches}),'
            for rung in rungs
            if rung.game == game and _offered_name(rung)
        ]
        lines.append("    },")
    return re.sub(r"STRENGTHS: .*?\n}\n", lambda _: "\n".join([*lines, "}"]) + "\n", source, count=1, flags=re.S)


def with_web(source: str, rungs: Sequence[Rung]) -> str:
    """Return the table of the page with the measured numbers replaced."""
    lines = ["export const BOT_STRENGTH: Readonly<Record<string, Readonly<Record<string, Measured>>>> = {"]
    for game in dict.fromkeys(rung.game for rung in rungs):
        lines.append(f"  {game}: {{")
        lines += [
            f'    {_offered_name(rung)}: {{ over: "{rung.over}", percent: {round(100 * rung.score / rung.matches)} }},'
            for rung in rungs
            if rung.game == game and _offered_name(rung)
        ]
        lines.append("  },")
    return re.sub(r"export const BOT_STRENGTH.*?\n};\n", lambda _: "\n".join([*lines, "};"]) + "\n", source, flags=re.S)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", choices=[*RUNGS, []], metavar="GAME")
    parser.add_argument("--matches", type=int, default=60, help="matches of each row (default: 60)")
    parser.add_argument("--bots", default="", help="only the rows of these bots, separated by commas")
    options = parser.parse_args(words)
    page = PAGE.read_text("utf-8")
    known = {(rung.game, rung.bot): rung for rung in read_rungs(page)}
    for game in options.games:
        for bot, over in RUNGS[game]:
            if not options.bots or bot in options.bots.split(","):
                known[game, bot] = rung = play_rung(game, bot, over, options.matches)
                print(render_table([rung]).splitlines()[-1], flush=True)
    rungs = [known[game, bot] for game, rows in RUNGS.items() for bot, _ in rows if (game, bot) in known]
    PAGE.write_text(with_table(page, rungs), "utf-8")
    WORDS.write_text(with_python(WORDS.read_text("utf-8"), rungs), "utf-8")
    WEB.write_text(with_web(WEB.read_text("utf-8"), rungs), "utf-8")


if __name__ == "__main__":
    main()
