"""Tables of a league in Markdown, which also read well as plain text."""

from collections.abc import Sequence

from diskwars_cli.plugs.odds import wilson_interval
from diskwars_cli.plugs.report import TableRow, markdown_table
from diskwars_cli.simulate.league_standings import MAX_LOST_PROCESSES, BotTally, SequentialResult, Standings, Tally
from diskwars_cli.simulate.strength import Rating

UNKNOWN = "-"


def bot_table(standings: Standings) -> str:
    """Return the table of the bots, the strongest first."""
    headings = ["bot", "matches", "won", "tied", "lost", "win rate", "95 %", "Elo", "95 %", "points", "records"]
    rows = [
        (
            standings.plan.bots[bot],
            *_counts(standings.bots[bot]),
            *rate_texts(standings.bots[bot]),
            *rating_texts(rating),
            _mean(standings.bots[bot].points, standings.bots[bot].point_seats, 1),
            _mean(standings.bots[bot].records, standings.bots[bot].full_matches, 0),
        )
        for bot, rating in standings.ranking()
    ]
    return markdown_table(headings, rows)


def pair_table(standings: Standings) -> str:
    """Return the table of the pairs, in the order in which the bots were named."""
    headings = ["bot", "against", "matches", "won", "tied", "lost", "win rate", "95 %"]
    names = standings.plan.bots
    rows: list[TableRow] = [
        (names[first], names[second], *_counts(tally), *rate_texts(tally))
        for (first, second), tally in standings.pairs.items()
    ]
    return markdown_table(headings, rows)


def times_table(standings: Standings) -> str:
    """Return the table of decision times."""
    rows = []
    for bot, _ in standings.ranking():
        times = standings.bots[bot].times
        mean = _mean(times.total_ms, times.decisions, 2)
        rows.append((standings.plan.bots[bot], times.decisions, mean, f"{times.longest_ms:.1f}"))
    return markdown_table(["bot", "decisions", "mean ms", "longest ms"], rows)


def fault_lines(standings: Standings) -> list[str]:
    """Return what bots did wrong, and crashes of the program: counts, and the first of each bot in words."""
    lines = []
    for name, tally in zip(standings.plan.bots, standings.bots, strict=True):
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(tally.faults.items()))
        lines.append(
            f"{name}: {kinds or 'no faults'}" + f"; out after {MAX_LOST_PROCESSES} lost workers" * tally.is_out
        )
        lines += [f"  {text}" for text in tally.fault_texts]
    if standings.crashes:
        lines.append(f"crashes of the program: {len(standings.crashes)}")
        lines += [f"  {text}" for text in standings.crashes[:3]]
    return lines


def sequential_text(result: SequentialResult, names: Sequence[str]) -> str:
    """Say what the sequential test knows."""
    test = result.test
    low, high = test.limits
    numbers = f"log-likelihood ratio {result.ratio:.2f}, limits {low:.2f} and {high:.2f}, {2 * result.pairs:,} matches"
    between = f"{names[0]} against {names[1]}"
    zero, one = (f"{elo:+g}" if elo else "0" for elo in (test.elo0, test.elo1))
    match result.verdict:
        case "elo1":
            return f"{between}: {one} Elo is accepted, {zero} rejected ({numbers})"
        case "elo0":
            return f"{between}: {zero} Elo is accepted, {one} rejected ({numbers})"
        case "open":
            return f"{between}: not decided between {zero} and {one} Elo ({numbers})"


def _counts(tally: Tally) -> tuple[int, int, int, int]:
    return tally.matches, tally.won, tally.tied, tally.lost


def rate_texts(tally: Tally) -> tuple[str, str]:
    """Return the win rate, in which a tie counts half, and its interval."""
    if not tally.matches:
        return UNKNOWN, UNKNOWN
    low, high = wilson_interval(tally.score, tally.matches)
    return f"{100 * tally.score / tally.matches:.1f} %", f"{100 * low:.1f}–{100 * high:.1f} %"


def rating_texts(rating: Rating | None) -> tuple[str, str]:
    """Return a rating and its interval."""
    if rating is None:
        return UNKNOWN, UNKNOWN
    if not rating.margin:
        return f"{rating.elo:.0f}", "anchor"
    return f"{rating.elo:+.0f}", f"±{rating.margin:.0f}"


def _mean(total: float, of: int, digits: int) -> str:
    return f"{total / of:.{digits}f}" if of else UNKNOWN


def has_times(tallies: Sequence[BotTally]) -> bool:
    return any(tally.times.decisions for tally in tallies)
