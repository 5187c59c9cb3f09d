"""Deeds in the report of a league: every kind has its rule, and every row at zero its reason."""

import re
from collections.abc import Iterator
from pathlib import Path

from diskwars_bots.rulesets.registry import BOTS
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.simulate.league_deeds import DEED_NOTES, NO_REASON, RANDOM, deeds_of
from tests.rows import each_row

DOCS = Path(__file__).parents[3] / "docs"
REPORTS = sorted(DOCS.glob("simulation/league-*.md"))
RULE = re.compile(r"^\*\*(\S+)\*\*", re.M)


def rows_of(report: str) -> Iterator[list[str]]:
    """Yield the rows of the table of deeds, the headings first."""
    section = report.partition("\n## Deeds")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("|") and "---" not in line:
            yield re.split(r" *\| *", line.strip("| "))


def unexplained(report: str) -> list[str]:
    """Return the kinds that no bot chose which plays to win, and for which the report gives no reason."""
    found = re.search(r"^- diskwars \S+, rules \d+ of (\w+)$", report, re.M)
    assert found, "a report names its ruleset"
    (_, _, *bots), *rows = rows_of(report)
    idle = {RANDOM, *BOTS[found[1]].references}
    serious = [number for number, bot in enumerate(bots) if bot not in idle]
    explained = {deed for deed, reason in re.findall(r"^- `(\w+)`: (.+)\.$", report, re.M) if reason != NO_REASON}
    return [
        deed for deed, _, *counts in rows if all(counts[number] == "0" for number in serious) and deed not in explained
    ]


@each_row("ruleset", sorted(BOTS))
def test_every_deed_of_a_ruleset_names_a_rule_of_its_register(ruleset: str) -> None:
    page = "rules.md" if ruleset == "diskwars" else f"rules-{ruleset.replace('_', '-')}.md"
    register = set(RULE.findall((DOCS / page).read_text("utf-8")))
    notes = DEED_NOTES[ruleset]
    assert list(notes) == deeds_of(load_ruleset(ruleset, ()).vocabulary)
    assert {note.rule for note in notes.values()} <= register


def has_rules(report: Path) -> bool:
    """Return whether the deeds of a report have their rules; the oldest have not."""
    headings = next(rows_of(report.read_text("utf-8")), [])
    return headings[1:2] == ["rule"]


@each_row("report", [report for report in REPORTS if has_rules(report)], ids=lambda at: at.name)
def test_kept_report_says_why_no_bot_chose_a_deed(report: Path) -> None:
    assert unexplained(report.read_text("utf-8")) == []


def test_row_at_zero_without_a_sentence_is_found() -> None:
    heading = (
        "- diskwars 0.1.0, rules 1 of pit\n\n## Deeds\n\n| deed | rule | greedy | random |\n| :-- | --: | --: | --: |\n"
    )
    rows = "| move | A-10 | 0 | 3 (9 %) |\n| engage | A-9 | 4 (2 %) | 0 |\n\n"
    assert unexplained(heading + rows) == ["move"]
    assert unexplained(f"{heading}{rows}- `move`: {NO_REASON}.\n") == ["move"]
    assert unexplained(f"{heading}{rows}- `move`: nobody may.\n") == []
