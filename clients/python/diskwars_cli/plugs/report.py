"""Report on many matches in Markdown: faults, winners, length, endings, dice, and what a ruleset adds.

It also reads well as plain text. The same matches give the same bytes: no clock is read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median
from typing import TypeAlias

from msgspec import Struct

from diskwars_cli.plugs.match_statistics import (
    MatchStatistics,
    count_broken_invariants,
    count_crashes,
    sum_face_counts,
)
from diskwars_cli.plugs.odds import chi_square, chi_square_tail, wilson_interval
from diskwars_protocol.match.ids import seat_letter

TableRow: TypeAlias = Sequence[object]

MAX_FAULTS_LISTED = 20
"""The number of faults that are listed; the rest are only counted."""
SUSPICIOUS_PROBABILITY = 0.01
"""Fair dice are this uneven in one report of a hundred; below that, dice deserve a second look."""

READING_TEXT = """\
{players}
The results show how the sides do in these hands, not how strong they are in yours.

Each share is followed by its 95 % interval (Wilson), which contains the true share nineteen times in twenty. If the
intervals of two rows overlap, their difference may be chance. The same command with the same versions reproduces this
report byte for byte."""


def words_of_id(id: str) -> str:
    return id.replace("_", " ")


class ReportHeading(Struct, frozen=True):
    """The heading of a report: command, versions of program and packs, bots by seat, and number of planned matches."""

    title: str
    command: str
    versions: tuple[str, ...]
    bots: tuple[str, ...]
    planned: int


class ReportParts(Struct, frozen=True):
    """The parts of a report that depend on the ruleset.

    `summary` are items of the summary; `winners` and `others` are sections; `dice_note` is a text below the dice;
    `end_reason_text` says in words why a match ended.
    """

    summary: Sequence[str] = ()
    winners: Sequence[str] = ()
    others: Sequence[str] = ()
    dice_note: str = ""
    end_reason_text: Callable[[str], str] = words_of_id


def render_report(heading: ReportHeading, matches: Sequence[MatchStatistics], parts: ReportParts) -> str:
    """Render the whole report. Matches that crashed appear only among the faults."""
    ended = [played for played in matches if not played.crash]
    sections = [_heading_section(heading, matches)]
    if ended:
        sections += [_summary_section(matches, ended, parts.summary)]
    sections += [_faults_section(matches)]
    if ended:
        sections += [
            *parts.winners,
            _length_section(ended),
            _endings_section(ended, parts.end_reason_text),
            *parts.others,
        ]
        sections += [_dice_section(parts.dice_note, ended)] if _dice_rows(ended) else []
    return "\n\n".join(sections) + "\n"


def seat_parts(ended: Sequence[MatchStatistics], seats: int) -> ReportParts:
    """Return the parts of a report on a ruleset that adds nothing: the wins of each seat."""
    winners = Counter(seat for played in ended for seat in played.winners)
    rows = [(seat_letter(seat), winners[seat], *share_text(winners[seat], len(ended))) for seat in range(seats)]
    after = f"If the seats are equal, each wins {percent_text(1, seats)}, less the matches that nobody wins."
    section = ["## Wins by seat", "", markdown_table(["seat", "won", "share", "95 %"], rows), "", after]
    first = f"seat {seat_letter(0)} wins {share_phrase(winners[0], len(ended))}"
    return ReportParts(summary=(first,), winners=("\n".join(section),))


# ---------------------------------------------------------------- heading and summary


def _heading_section(heading: ReportHeading, matches: Sequence[MatchStatistics]) -> str:
    count = f"{len(matches):,} matches"
    if len(matches) < heading.planned:
        count += f" of {heading.planned:,}, then the run was stopped"
    lines = [f"# {heading.title}", "", f"{count}, produced by", "", f"    {heading.command}", ""]
    lines += [f"- {version}" for version in heading.versions]
    return "\n".join([*lines, "", READING_TEXT.format(players=_players_text(heading.bots))])


def _players_text(bots: Sequence[str]) -> str:
    """Return who played, as a sentence."""
    if len(set(bots)) == 1:
        return f"The {bots[0]} plays every seat."
    seats = ", ".join(f"the {bot} seat {seat_letter(seat)}" for seat, bot in enumerate(bots))
    return f"{seats[:1].upper()}{seats[1:].replace(' bot seat ', ' bot plays seat ', 1)}."


def _summary_section(matches: Sequence[MatchStatistics], ended: Sequence[MatchStatistics], items: Sequence[str]) -> str:
    events, size = median(played.events for played in ended), median(played.size for played in ended)
    lines = [f"- {count_crashes(matches)} crashes, {count_broken_invariants(matches)} broken invariants"]
    lines += [f"- half of the matches have at most {events:,.0f} events and {size / 1000:,.0f} kB"]
    lines += [f"- {text}" for text in items]
    probabilities = [p for _, _, p in _dice_rows(ended)]
    lines += [f"- dice: {_dice_verdict(min(probabilities))}"] if probabilities else []
    return "\n".join(["## Summary", "", *lines])


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


# ---------------------------------------------------------------- length


def _length_section(ended: Sequence[MatchStatistics]) -> str:
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


def _endings_section(ended: Sequence[MatchStatistics], text_of: Callable[[str], str]) -> str:
    endings = Counter(("" if match.winners else "nobody wins: ") + text_of(match.end_reason) for match in ended)
    rows = [(ending, count, percent_text(count, len(ended))) for ending, count in most_common_first(endings.items())]
    return "\n".join(["## How matches end", "", markdown_table(["end", "matches", "share"], rows)])


def most_common_first(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(counts, key=lambda item: (-item[1], item[0]))


# ---------------------------------------------------------------- dice


def _dice_rows(ended: Sequence[MatchStatistics]) -> list[tuple[str, tuple[int, ...], float]]:
    """Return the counts of each kind of die, with the probability that fair dice are at least this uneven."""
    counts = sorted(sum_face_counts(played.dice for played in ended).items(), key=lambda die: (len(die[1]), die[0]))
    return [(kind, faces, chi_square_tail(chi_square(faces), len(faces) - 1)) for kind, faces in counts]


def _dice_section(note: str, ended: Sequence[MatchStatistics]) -> str:
    counted = _dice_rows(ended)
    most = max(len(faces) for _, faces, _ in counted)
    rows: list[TableRow] = []
    for kind, faces, p in counted:
        blanks = [""] * (most - len(faces))
        rows.append((kind, sum(faces), *faces, *blanks, f"{chi_square(faces):.2f}", len(faces) - 1, f"{p:.3f}"))
    headings = ["die", "rolled", *(str(face + 1) for face in range(most)), "chi-square", "freedom", "p"]
    after = "p is the probability that fair dice are at least this uneven; for fair dice every p is equally likely."
    return "\n".join(["## Dice", "", markdown_table(headings, rows), "", after, *([note] if note else [])])


# ---------------------------------------------------------------- Markdown


def percent_text(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %"


def share_text(won: int, of: int) -> tuple[str, str]:
    """Return a share and its 95 % interval, both in percent."""
    low, high = wilson_interval(won, of)
    return percent_text(won, of), f"{100 * low:.1f}–{100 * high:.1f} %"


def share_phrase(won: int, of: int) -> str:
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
