"""What do many matches show? Their facts as a report in Markdown: faults, length, who wins, cards, dice.

The same facts make the same bytes: no clock is read. Must not know how matches are played.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from statistics import mean, median
from typing import TypeAlias

from msgspec import Struct

from diskwars_cli.facts import Facts, Falls
from diskwars_cli.odds import chi_square, exceeded, wilson

Row: TypeAlias = Sequence[object]
Wins: TypeAlias = Counter[str]

SHOWN = 20
"""So many faults are listed; the rest are counted."""
BOUNDS = (0.3, 0.7)
"""A pairing whose interval lies within these is a fair one."""


class Heading(Struct, frozen=True):
    """What a report says about itself: how it was made, and with which program, rules and packs."""

    command: str
    versions: tuple[str, ...]


def written(heading: Heading, facts: Sequence[Facts]) -> str:
    """The whole report. Matches that crashed count among the faults alone."""
    ended = [one for one in facts if not one.crash]
    parts = [_top(heading, facts), _faults(facts)]
    if ended:
        parts += [_size(ended), _ends(ended), _armies(ended), *_pairings(ended), _initiative(ended)]
        parts += [*_cards(ended), _dice(ended)]
    return "\n\n".join(parts) + "\n"


def crashes(facts: Iterable[Facts]) -> int:
    return sum(bool(one.crash) for one in facts)


def breaches(facts: Iterable[Facts]) -> int:
    """How many times an invariant did not hold."""
    return sum(len(one.broken) for one in facts)


# ---------------------------------------------------------------- its parts


def _top(heading: Heading, facts: Sequence[Facts]) -> str:
    lines = ["# Simulated matches", "", f"{len(facts):,} matches, made with", "", f"    {heading.command}", ""]
    lines += [f"- {version}" for version in heading.versions]
    lines += ["", "The same command of the same versions writes the same report. Intervals are those of Wilson, 95 %."]
    return "\n".join(lines)


def _faults(facts: Sequence[Facts]) -> str:
    lines = ["## Faults", "", f"- crashes: {crashes(facts)}", f"- invariants broken: {breaches(facts)}"]
    found = [f"seed {one.seed}: {text}" for one in facts for text in (*one.broken, one.crash) if text]
    if found:
        lines += ["", *(f"    {text}" for text in found[:SHOWN])]
        lines += [f"    and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    lines += ["", "All invariants are looked at after each append."]
    return "\n".join(lines)


def _size(ended: Sequence[Facts]) -> str:
    measured = [
        ("appends", [one.appends for one in ended]),
        ("events", [one.events for one in ended]),
        ("bytes", [one.size for one in ended]),
    ]
    rows = [
        (name, min(all_), f"{median(all_):,.0f}", f"{mean(all_):,.0f}", f"{max(all_):,}") for name, all_ in measured
    ]
    after = "Bytes are those of the records as canonical JSON, nothing hidden, without salts and hashes."
    return "\n".join(["## Length of a match", "", table(["", "least", "median", "mean", "most"], rows), "", after])


def _ends(ended: Sequence[Facts]) -> str:
    whys = Counter(one.why if one.winner is not None else f"nobody wins: {one.why}" for one in ended)
    rows = [(why, count, percent(count, len(ended))) for why, count in sorted(whys.items())]
    return "\n".join(["## How matches end", "", table(["end", "matches", "share"], rows)])


def _armies(ended: Sequence[Facts]) -> str:
    played: Wins = Counter(army for one in ended for army in one.armies)
    won: Wins = Counter(one.armies[one.winner] for one in ended if one.winner is not None)
    rows = [(army, count, won[army], *share(won[army], count)) for army, count in sorted(played.items())]
    return "\n".join(["## Wins by army", "", table(["army", "played", "won", "share", "95 %"], rows)])


def _pairings(ended: Sequence[Facts]) -> Iterator[str]:
    """Army against army, where two play."""
    duels = [one for one in ended if len(one.armies) == 2 and one.armies[0] != one.armies[1]]
    played = Counter(tuple(sorted(one.armies)) for one in duels)
    won = Counter((tuple(sorted(one.armies)), one.armies[one.winner]) for one in duels if one.winner is not None)
    rows: list[Row] = []
    for pair in combinations(sorted({army for one in duels for army in one.armies}), 2):
        if played[pair]:
            wins = won[pair, pair[0]]
            counts = played[pair], wins, won[pair, pair[1]]
            rows.append((*pair, *counts, *share(wins, played[pair]), verdict(wins, played[pair])))
    if rows:
        heads = ["army", "against", "matches", "won", "lost", "share", "95 %", ""]
        after = "Outside: the whole interval lies outside of 30 to 70 %. Open: part of it does."
        yield "\n".join(["## Army against army", "", table(heads, rows), "", after])


def verdict(won: int, of: int) -> str:
    """How the interval lies to the bounds: nothing to say when it lies within them."""
    low, high = wilson(won, of)
    if BOUNDS[0] <= low and high <= BOUNDS[1]:
        return ""
    return "outside" if high < BOUNDS[0] or BOUNDS[1] < low else "open"


def _initiative(ended: Sequence[Facts]) -> str:
    rows: list[Row] = []
    for place in range(max(len(one.order) for one in ended)):
        here = [one for one in ended if place < len(one.order)]
        won = sum(one.order[place] == one.winner for one in here)
        rows.append((place + 1, len(here), won, *share(won, len(here))))
    return "\n".join(["## Wins by initiative", "", table(["place", "matches", "won", "share", "95 %"], rows)])


# ---------------------------------------------------------------- cards and dice


def _cards(ended: Sequence[Facts]) -> Iterator[str]:
    counts = sum((Counter(one.cards) for one in ended), Counter())
    names = sorted({name for what, name in counts if what in ("held", "played", "used")})
    rows: list[Row] = [(name, *(counts[what, name] for what in ("held", "played", "used"))) for name in names]
    after = "Held: hands with the card. Played: how often it was revealed. Used: its battle ability."
    yield "\n".join(["## Command cards", "", table(["card", "held", "played", "used"], rows), "", after])
    for title, subjects in (
        ("Scenario cards", ("scenario", "objective")),
        ("Deployment cards", ("deployment",)),
        ("Terrain", ("terrain",)),
    ):
        found = sorted({name for what, name in counts if what in subjects})
        if found:
            rows = [(name, *(counts[what, name] for what in subjects)) for name in found]
            heads = ["card", *(what if len(subjects) > 1 else "played" for what in subjects)]
            yield "\n".join([f"## {title}", "", table(heads, rows)])


def _dice(ended: Sequence[Facts]) -> str:
    rows: list[Row] = []
    for kind, faces in sorted(fallen(one.dice for one in ended).items()):
        statistic, freedom = chi_square(faces), len(faces) - 1
        chance = f"{statistic:.2f}", freedom, f"{exceeded(statistic, freedom):.3f}"
        rows.append((kind, sum(faces), *faces, *chance))
    most = max((len(row) - 5 for row in rows), default=0)
    heads = ["die", "rolled", *(str(face + 1) for face in range(most)), "chi-square", "freedom", "p"]
    after = "p is the probability that fair dice fall at least so unevenly."
    return "\n".join(["## Dice", "", table(heads, rows), "", after])


def fallen(all_: Iterable[Falls]) -> dict[str, tuple[int, ...]]:
    """The dice of many matches added up, face by face."""
    sums: dict[str, list[int]] = {}
    for falls in all_:
        for kind, faces in falls.items():
            known = sums.setdefault(kind, [0] * len(faces))
            sums[kind] = [a + b for a, b in zip(known, faces, strict=True)]
    return {kind: tuple(faces) for kind, faces in sums.items()}


# ---------------------------------------------------------------- Markdown


def percent(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %"


def share(won: int, of: int) -> tuple[str, str]:
    """The share and its interval."""
    low, high = wilson(won, of)
    return percent(won, of), f"{100 * low:.1f}–{100 * high:.1f} %"


def table(heads: Sequence[str], rows: Iterable[Row]) -> str:
    """Numbers stand to the right, the first column to the left."""
    lines = [heads, [":--" if not number else "--:" for number in range(len(heads))]]
    told = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in [*lines, *told])
