"""Report on many matches in Markdown: faults, length, winners, cards, dice.

It also reads well as plain text. The same matches give the same bytes: no clock is read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from statistics import mean, median
from typing import TypeAlias

from msgspec import Struct

from diskwars_cli.match_statistics import MatchStatistics, count_broken_invariants, count_crashes
from diskwars_cli.odds import chi_square, chi_square_tail, wilson_interval
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsStatistics, FaceCounts
from diskwars_text.rulesets.diskwars.phrases import end_reason_text

TableRow: TypeAlias = Sequence[object]
ArmyPair: TypeAlias = tuple[str, str]

MAX_FAULTS_LISTED = 20
"""The number of faults that are listed; the rest are only counted."""
FAIR_SHARE_BOUNDS = (0.3, 0.7)
"""A pairing is fair if the interval of its share of wins lies within these bounds."""
SUSPICIOUS_PROBABILITY = 0.01
"""Fair dice are this uneven in one report of a hundred; below that, dice deserve a second look."""

READING_TEXT = """\
The bots look one action ahead, so this shows how the armies do in the hands of beginners, not how strong they are in
yours. Each share is followed by its 95 % interval (Wilson), which contains the true share nineteen times in twenty. If
the intervals of two rows overlap, their difference may be chance. The same command with the same versions reproduces
this report byte for byte."""


class ReportHeading(Struct, frozen=True):
    """The heading of a report: command, versions of program and packs, and number of planned matches.

    `die_faces` are the faces of the battle die in order.
    """

    title: str
    command: str
    versions: tuple[str, ...]
    planned: int
    die_faces: tuple[str, ...] = ()


def render_report(heading: ReportHeading, matches: Sequence[MatchStatistics]) -> str:
    """Render the whole report. Matches that crashed appear only among the faults."""
    ended = [played for played in matches if isinstance(played, DiskwarsStatistics)]
    duels = Pairings(ended)
    parts = [_heading_section(heading, matches)]
    if ended:
        parts += [_summary_section(matches, ended, duels)]
    parts += [_faults_section(matches)]
    if ended:
        parts += [
            _armies_section(ended),
            *_pairing_sections(duels),
            _initiative_section(ended),
            _length_section(ended),
            _endings_section(ended),
        ]
        parts += [*_card_sections(ended), _dice_section(heading.die_faces, ended)]
    return "\n\n".join(parts) + "\n"


# ---------------------------------------------------------------- heading and summary


def _heading_section(heading: ReportHeading, matches: Sequence[MatchStatistics]) -> str:
    count = f"{len(matches):,} matches"
    if len(matches) < heading.planned:
        count += f" of {heading.planned:,}, then the run was stopped"
    lines = [f"# {heading.title}", "", f"{count}, produced by", "", f"    {heading.command}", ""]
    lines += [f"- {version}" for version in heading.versions]
    return "\n".join([*lines, "", READING_TEXT])


def _summary_section(matches: Sequence[MatchStatistics], ended: Sequence[DiskwarsStatistics], duels: "Pairings") -> str:
    events, size = median(played.events for played in ended), median(played.size for played in ended)
    first = sum(played.order[:1] == played.winners for played in ended)
    lines = [f"- {count_crashes(matches)} crashes, {count_broken_invariants(matches)} broken invariants"]
    lines += [f"- half of the matches have at most {events:,.0f} events and {size / 1000:,.0f} kB"]
    lines += [f"- the first player wins {_share_phrase(first, len(ended))}"]
    rows = _ranked_by_share(_game_results(ended))
    if len(rows) > 1:
        (best, *best_counts), (worst, *worst_counts) = rows[0], rows[-1]
        highest, lowest = _share_phrase(*best_counts), _share_phrase(*worst_counts)
        lines += [f"- highest share of wins: {best}, {highest}; lowest: {worst}, {lowest}"]
    lines += [f"- {text}" for text in _fairness_lines(duels)]
    probabilities = [p for _, _, p in _dice_rows(ended)]
    lines += [f"- dice: {_dice_verdict(min(probabilities))}"] if probabilities else []
    return "\n".join(["## Summary", "", *lines])


def _fairness_lines(duels: "Pairings") -> Iterator[str]:
    verdicts = Counter(fairness_verdict(duels.won[pair], played) for pair, played in duels.played.items())
    if verdicts:
        more = "".join(f", {verdicts[name]} {name}" for name in ("open", "outside") if verdicts[name])
        fair = f"{verdicts['']} of {len(duels.played)} pairings are fair"
        yield f"{fair}: their whole interval is within 30 to 70 %{more}"


def _dice_verdict(least: float) -> str:
    if least < SUSPICIOUS_PROBABILITY:
        return f"one kind is so uneven that chance explains it {least:.4f} of the time; try another seed"
    return "consistent with fair dice"


def _faults_section(matches: Sequence[MatchStatistics]) -> str:
    lines = [
        "## Faults",
        "",
        f"- crashes: {count_crashes(matches)}",
        f"- invariants broken: {count_broken_invariants(matches)}",
    ]
    texts = [
        f"seed {played.seed}: {text}"
        for played in matches
        for text in (*played.broken_invariants, played.crash)
        if text
    ]
    if texts:
        lines += ["", *(f"    {text}" for text in texts[:MAX_FAULTS_LISTED])]
        lines += [f"    and {len(texts) - MAX_FAULTS_LISTED} more"] if len(texts) > MAX_FAULTS_LISTED else []
    lines += ["", "All invariants of a position are checked after each action."]
    return "\n".join(lines)


# ---------------------------------------------------------------- winners

GameResult: TypeAlias = tuple[str, bool]
"""A name, and whether it won."""


def _game_results(ended: Iterable[DiskwarsStatistics]) -> list[GameResult]:
    return [(army, seat in played.winners) for played in ended for seat, army in enumerate(played.armies)]


def _ranked_by_share(games: Iterable[GameResult]) -> list[tuple[str, int, int]]:
    """Return (name, won, played) for each name, ordered by share of wins, best first."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for name, is_won in games:
        played[name] += 1
        won[name] += is_won
    rows = [(name, won[name], count) for name, count in played.items()]
    return sorted(rows, key=lambda row: (-row[1] / row[2], row[0]))


def _armies_section(ended: Sequence[DiskwarsStatistics]) -> str:
    rows = [(army, count, won, *share_text(won, count)) for army, won, count in _ranked_by_share(_game_results(ended))]
    after = "An army that plays against itself both wins and loses."
    mirrors = any(len(set(played.armies)) < len(played.armies) for played in ended)
    text = "\n".join(["## Wins by army", "", markdown_table(["army", "played", "won", "share", "95 %"], rows)])
    return f"{text}\n\n{after}" if mirrors else text


class Pairings:
    """Results of matches between two different armies. In each pair the army that won more often comes first."""

    def __init__(self, ended: Iterable[DiskwarsStatistics]) -> None:
        self.played: Counter[ArmyPair] = Counter()
        self.won: Counter[ArmyPair] = Counter()
        self.lost: Counter[ArmyPair] = Counter()
        duels = [first for first in ended if len(first.armies) == 2 and first.armies[0] != first.armies[1]]
        self.ranking = [name for name, _, _ in _ranked_by_share(_game_results(duels))]
        wins = Counter((first.armies[winner], first.armies[1 - winner]) for first in duels for winner in first.winners)
        meetings = Counter(tuple(sorted(first.armies)) for first in duels)
        for first, second in combinations(sorted(self.ranking), 2):
            if count := meetings[first, second]:
                pair = (first, second) if wins[first, second] >= wins[second, first] else (second, first)
                self.played[pair], self.won[pair], self.lost[pair] = count, wins[pair], wins[pair[::-1]]

    def win_percentage(self, army: str, opponent: str) -> str:
        """Return the share of matches that `army` won against `opponent`, in whole percent; empty if they never met."""
        pair = (army, opponent)
        won, played = (self.won[pair], self.played[pair]) if pair in self.played else (self.lost[pair[::-1]], 0)
        played = played or self.played[pair[::-1]]
        return f"{100 * won / played:.0f}" if played else ""


def _pairing_sections(duels: Pairings) -> Iterator[str]:
    """Yield the section on duels: a cross table, then one row per pairing, the most lopsided first."""
    if not duels.played:
        return
    numbers = [str(n) for n in range(1, len(duels.ranking) + 1)]
    cross: list[TableRow] = [
        (
            f"{n} {army}",
            *("·" if army == opponent else duels.win_percentage(army, opponent) for opponent in duels.ranking),
        )
        for n, army in enumerate(duels.ranking, 1)
    ]
    rows: list[TableRow] = []
    for pair, count in sorted(duels.played.items(), key=lambda item: (-duels.won[item[0]] / item[1], item[0])):
        won = duels.won[pair]
        rows.append((*pair, count, won, duels.lost[pair], *share_text(won, count), fairness_verdict(won, count)))
    headings = ["army", "against", "matches", "won", "lost", "share", "95 %", ""]
    before = "Matches out of a hundred that the army of a row wins against that of a column."
    after = "Open: the interval is partly outside 30 to 70 %. Outside: completely. No word: within."
    parts = [
        "## Army against army",
        "",
        before,
        "",
        markdown_table(["", *numbers], cross),
        "",
        markdown_table(headings, rows),
        "",
        after,
    ]
    yield "\n".join(parts)


def fairness_verdict(won: int, of: int) -> str:
    """Return `outside` or `open` if the interval is wholly or partly outside the fair bounds; empty if it is within."""
    low, high = wilson_interval(won, of)
    if FAIR_SHARE_BOUNDS[0] <= low and high <= FAIR_SHARE_BOUNDS[1]:
        return ""
    return "outside" if high < FAIR_SHARE_BOUNDS[0] or FAIR_SHARE_BOUNDS[1] < low else "open"


def _initiative_section(ended: Sequence[DiskwarsStatistics]) -> str:
    rows: list[TableRow] = []
    places = max(len(played.order) for played in ended)
    for place in range(places):
        with_place = [played for played in ended if place < len(played.order)]
        won = sum(played.order[place] in played.winners for played in with_place)
        rows.append((f"{place + 1}.", len(with_place), won, *share_text(won, len(with_place))))
    after = (
        f"Initiative as rolled before round 1. If it did not matter, each place would win {percent_text(1, places)}."
    )
    return "\n".join(
        ["## Wins by initiative", "", markdown_table(["place", "matches", "won", "share", "95 %"], rows), "", after]
    )


# ---------------------------------------------------------------- length


def _length_section(ended: Sequence[DiskwarsStatistics]) -> str:
    measured = [
        ("actions", [played.records - 1 for played in ended]),
        ("events", [played.events for played in ended]),
        ("bytes", [played.size for played in ended]),
    ]
    rows = [
        (name, min(values), f"{median(values):,.0f}", f"{mean(values):,.0f}", f"{max(values):,}")
        for name, values in measured
    ]
    after = "Each action is one append. Bytes count its records as JSON with nothing hidden, without salts and hashes."
    return "\n".join(
        ["## Length of a match", "", markdown_table(["", "least", "median", "mean", "most"], rows), "", after]
    )


def _endings_section(ended: Sequence[DiskwarsStatistics]) -> str:
    endings = Counter(("" if one.winners else "nobody wins: ") + end_reason_text(one.end_reason) for one in ended)
    rows = [(ending, count, percent_text(count, len(ended))) for ending, count in _most_common_first(endings.items())]
    return "\n".join(["## How matches end", "", markdown_table(["end", "matches", "share"], rows)])


def _most_common_first(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(counts, key=lambda item: (-item[1], item[0]))


# ---------------------------------------------------------------- cards and dice


def _card_sections(ended: Sequence[DiskwarsStatistics]) -> Iterator[str]:
    counts = sum((Counter(played.cards) for played in ended), Counter())
    names = {name for what, name in counts if what in ("held", "played", "used")}
    rows: list[TableRow] = []
    for name, played in _most_common_first((name, counts["played", name]) for name in names):
        hands = counts["held", name]
        per_hand = f"{played / hands:.2f}" if hands else ""
        rows.append((name, hands, played, per_hand, counts["used", name]))
    after = (
        "Held: hands with the card. Played: how often it was revealed, in total and per match in which it was held.\n"
        "Used: its battle ability; cards with passive abilities only have none."
    )
    headings = ["card", "held", "played", "a match", "used"]
    yield "\n".join(["## Command cards", "", markdown_table(headings, rows), "", after])
    for title, subjects in (
        ("Scenario cards", ("scenario", "objective")),
        ("Deployment cards", ("deployment",)),
        ("Terrain", ("terrain",)),
    ):
        totals = {name: sum(counts[what, name] for what in subjects) for what, name in counts if what in subjects}
        if totals:
            rows = [
                (name, *(counts[what, name] for what in subjects)) for name, _ in _most_common_first(totals.items())
            ]
            headings = ["card", *(what if len(subjects) > 1 else "played" for what in subjects)]
            yield "\n".join([f"## {title}", "", markdown_table(headings, rows)])


def _dice_rows(ended: Sequence[DiskwarsStatistics]) -> list[tuple[str, tuple[int, ...], float]]:
    """Return the counts of each kind of die, with the probability that fair dice are at least this uneven."""
    counts = sorted(sum_face_counts(played.dice for played in ended).items())
    return [(kind, faces, chi_square_tail(chi_square(faces), len(faces) - 1)) for kind, faces in counts]


def _dice_section(die: Sequence[str], ended: Sequence[DiskwarsStatistics]) -> str:
    rows: list[TableRow] = []
    for kind, faces, p in _dice_rows(ended):
        rows.append((kind, sum(faces), *faces, f"{chi_square(faces):.2f}", len(faces) - 1, f"{p:.3f}"))
    most = max((len(row) - 5 for row in rows), default=0)
    headings = ["die", "rolled", *(str(face + 1) for face in range(most)), "chi-square", "freedom", "p"]
    after = "p is the probability that fair dice are at least this uneven; for fair dice every p is equally likely."
    named = f"\nThe battle die shows, from 1 to {len(die)}: {', '.join(die)}." if die else ""
    return "\n".join(["## Dice", "", markdown_table(headings, rows), "", after + named])


def sum_face_counts(counts: Iterable[FaceCounts]) -> dict[str, tuple[int, ...]]:
    """Add up the dice of many matches, face by face."""
    totals: dict[str, list[int]] = {}
    for match_counts in counts:
        for kind, faces in match_counts.items():
            total = totals.setdefault(kind, [0] * len(faces))
            totals[kind] = [a + b for a, b in zip(total, faces, strict=True)]
    return {kind: tuple(faces) for kind, faces in totals.items()}


# ---------------------------------------------------------------- Markdown


def percent_text(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %"


def share_text(won: int, of: int) -> tuple[str, str]:
    """Return a share and its 95 % interval, both in percent."""
    low, high = wilson_interval(won, of)
    return percent_text(won, of), f"{100 * low:.1f}–{100 * high:.1f} %"


def _share_phrase(won: int, of: int) -> str:
    share, interval = share_text(won, of)
    return f"{share} ({interval})"


def markdown_table(headings: Sequence[str], rows: Iterable[TableRow]) -> str:
    """Return a Markdown table whose columns also line up as plain text, the first to the left, others to the right."""
    lines = [list(headings), *([f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows)]
    widths = [max(3, *(len(line[n]) for line in lines)) for n in range(len(headings))]
    padded = [
        [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))]
        for line in lines
    ]
    rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [padded[0], rule, *padded[1:]])
