"""The page of all figures: summary, how to read it, all bounds, the tables, and the profiles.

The prose is in Markdown files beside this one and contains no figure that a run could change.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measuring.tables import SUMMARY_PREFIX

FOLDER = Path(__file__).parent
READING_FILE, PROFILES_FILE = FOLDER / "reading.md", FOLDER / "profiles.md"
PAGE_TITLE = "# Benchmarks"

_SECTION_PATTERN = re.compile(r"<!-- bench (\w+) -->\n(.*?)\n<!-- end of \1 -->", re.DOTALL)
_BOUND_PATTERN = re.compile(
    r"^- (?P<what>.+): (?P<found>[^:]+), bound (?P<side>at least|at most) (?P<limit>[^:]+): (?P<verdict>[^:\n]+)$", re.M
)
_SHORT_PATTERN = re.compile(rf"^{SUMMARY_PREFIX}(.+)$", re.M)
_NUMBER_PATTERN = re.compile(r"[\d,]*\.?\d+")


def read_sections(page: str) -> dict[str, str]:
    """Return the section of each program on a page."""
    return {found[1]: found[2] for found in _SECTION_PATTERN.finditer(page)}


def render_page(machine: str, sections: Mapping[str, str], names: Sequence[str]) -> str:
    """Render the page with these sections, in the order of the names."""
    ordered = {name: sections[name] for name in names if name in sections}
    introduction, *reading = READING_FILE.read_text("utf-8").strip().partition("\n## ")
    parts = [
        PAGE_TITLE,
        f"Last written: {machine}.",
        introduction.strip(),
        summary_section(ordered),
        "".join(reading).strip(),
    ]
    parts.append(bounds_section(ordered))
    for name, text in ordered.items():
        parts.append(f"## {name}\n\n<!-- bench {name} -->\n{text.strip()}\n<!-- end of {name} -->")
    parts.append(PROFILES_FILE.read_text("utf-8").strip())
    return "\n\n".join(filter(None, parts)) + "\n"


def replace_sections(page: str, sections: Mapping[str, str]) -> str:
    """Return a page of prose with these sections in the place of its own."""

    def replaced(found: re.Match[str]) -> str:
        text = sections.get(found[1], found[2]).strip()
        return f"<!-- bench {found[1]} -->\n{text}\n<!-- end of {found[1]} -->"

    return _SECTION_PATTERN.sub(replaced, page)


def reason_not_writable(file: Path) -> str:
    """Return why the page cannot be written there, or an empty string. Only benchmark pages are overwritten."""
    if file.is_dir():
        return f"{file} is a folder"
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}"
    if not os.access(file if file.exists() else file.parent, os.R_OK | os.W_OK):
        return f"{file} may not be read and written"
    if file.exists() and not (file.is_file() and _is_benchmark_page(file)):
        return f"{file} exists and is not a benchmark page: its first line is not {PAGE_TITLE!r}"
    return ""


def _is_benchmark_page(file: Path) -> bool:
    """Return whether it is the page of all benchmarks, or prose with sections of some."""
    with file.open("rb") as lines:
        if lines.readline(len(PAGE_TITLE) + 2).strip() == PAGE_TITLE.encode():
            return True
    return _SECTION_PATTERN.search(file.read_text("utf-8", "replace")) is not None


def summary_section(tables: Mapping[str, str]) -> str:
    """Return all summary sentences, for readers who skip the tables."""
    lines = [f"- {sentence[1]}" for text in tables.values() for sentence in _SHORT_PATTERN.finditer(text)]
    return "\n".join(["## Summary", "", *lines]) if lines else ""


def bounds_section(tables: Mapping[str, str]) -> str:
    """Return a table of all bounds in the sections and whether they are met; empty if there are none."""
    lines = [
        "## All bounds",
        "",
        "| program | what | found | bound | times the bound, better above 1 | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    heading = len(lines)
    for name, text in tables.items():
        for bound in _BOUND_PATTERN.finditer(text):
            what, value, side, limit = bound["what"], bound["found"], bound["side"], bound["limit"]
            share = _ratio(value, limit) if side == "at least" else _ratio(limit, value)
            lines.append(f"| {name} | {what} | {value} | {side} {limit} | {share} | {bound['verdict']} |")
    return "\n".join(lines) if len(lines) > heading else ""


def _ratio(dividend: str, divisor: str) -> str:
    """Return the ratio of two figures as text."""
    figures = [_NUMBER_PATTERN.match(text) for text in (dividend, divisor)]
    if not all(figures):
        return "–"
    above, below = (float(figure[0].replace(",", "")) for figure in figures if figure)
    return f"{above / below:.2f}" if below else "–"
