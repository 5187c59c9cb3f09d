"""What does the page of all figures say? The machine, how to read it, all bounds, the tables, and what was made faster.

Everything but the figures is prose that lies beside this file and holds none that a run could change. Must not know
what is measured.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
READING, PROFILES = FOLDER / "reading.md", FOLDER / "profiles.md"

_SECTION = re.compile(r"<!-- bench (\w+) -->\n(.*?)\n<!-- end of \1 -->", re.DOTALL)
_BOUND = re.compile(
    r"^- (?P<what>.+): (?P<found>[^:]+), bound (?P<side>at least|at most) (?P<limit>[^:]+): (?P<verdict>[^:\n]+)$", re.M
)
_NUMBER = re.compile(r"[\d,]*\.?\d+")


def sections(page: str) -> dict[str, str]:
    """What a page has about each program."""
    return {found[1]: found[2] for found in _SECTION.finditer(page)}


def whole(machine: str, found: Mapping[str, str], names: Sequence[str]) -> str:
    """The page of these sections, in the order of the names."""
    ordered = {name: found[name] for name in names if name in found}
    parts = ["# Benchmarks", f"Last written: {machine}.", READING.read_text("utf-8").strip(), bounds(ordered)]
    for name, text in ordered.items():
        parts.append(f"## {name}\n\n<!-- bench {name} -->\n{text.strip()}\n<!-- end of {name} -->")
    return "\n\n".join([*parts, PROFILES.read_text("utf-8").strip()]) + "\n"


def bounds(found: Mapping[str, str]) -> str:
    """All bounds that the sections name, and whether they are met."""
    lines = [
        "## All bounds",
        "",
        "| program | what | found | bound | of the bound | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, text in found.items():
        for bound in _BOUND.finditer(text):
            what, value, limit = bound["what"], bound["found"], bound["limit"]
            share = _share(value, limit)
            lines.append(f"| {name} | {what} | {value} | {bound['side']} {limit} | {share} | {bound['verdict']} |")
    return "\n".join(lines)


def _share(found: str, limit: str) -> str:
    """How much of its limit a figure comes to."""
    figures = [_NUMBER.match(text) for text in (found, limit)]
    if not all(figures):
        return "–"
    value, most = (float(figure[0].replace(",", "")) for figure in figures if figure)
    return f"{value / most:.2f}" if most else "–"
