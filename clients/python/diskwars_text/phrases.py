"""Phrases that are the same in every ruleset: lists, counts, names, seats, dice, results."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import EndReason, Seat, seat_letter
from diskwars_protocol.records.fairness import Draw


def joined(texts: Iterable[str]) -> str:
    """Join with commas and a final "and"."""
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `1 model` or `3 models`; `plural` is for nouns that take more than an s."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def number_namesakes(names: Sequence[str]) -> tuple[str, ...]:
    """Number the names that occur more than once: `A Foot 1`, `A Foot 2`."""
    counts, seen = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} {seen[name]}" if counts[name] > 1 else name)
    return tuple(numbered)


def seat_text(seat: Seat) -> str:
    return f"seat {seat_letter(seat)}"


def seats_text(seats: Iterable[Seat]) -> str:
    return joined(map(seat_text, seats))


def cell_text(x: int, y: int) -> str:
    return f"({x}, {y})"


def faces_text(draw: Draw) -> str:
    return ", ".join(map(str, draw.results))


def percent_text(chance: Fraction) -> str:
    """Return `33 %`; what can happen is never 0 %, and what can fail never 100 %."""
    whole = round(100 * chance)
    if 0 < chance < 1 and whole in (0, 100):
        return "under 1 %" if whole == 0 else "over 99 %"
    return f"{whole} %"


def tag_text(value: Any) -> str:
    """Return the tag of a question or an action as words."""
    return str(value.__struct_config__.tag).replace("_", " ")


def result_text(result: Result, end_reason_texts: Mapping[EndReason, str], scores: str = "") -> str:
    """Return who won, why the match ended, and the scores with what they count: `fighters left: A 3, B 0`."""
    why = end_reason_texts.get(result.end_reason, result.end_reason.replace("_", " "))
    return f"{seats_text(result.winners) or 'nobody'} ({why}{f'; {scores}' if scores else ''})"
