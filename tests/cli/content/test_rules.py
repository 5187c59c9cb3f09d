"""Tests of looking up a rule by its id, with its reason, its code and its tests."""

import re
from pathlib import Path

import pytest

from diskwars_cli.content.rules import compress_ids
from diskwars_content import rule_citations, rule_register
from tests.cli.command_runner import CommandRunner
from tests.code_sizes import ROOT

IDS = re.compile(r"(?:R|[A-Z]-|F|FAQ)\d[\d.]*[a-z]?")


def test_rule_is_printed_with_ruling_code_and_tests(diskwars: CommandRunner) -> None:
    result = diskwars("rules", "R15.1.4")
    assert result.code == 0
    flat = " ".join(result.out.split())
    assert result.lines[0] == "R15.1.4 (R15 Melee phase)".replace(" (", "  (")
    assert "With three or four players, attackers of different enemies act together" in flat
    assert "from: summary, our ruling" in flat
    assert "ruling R-16: Three or four players" in flat
    assert "Reason: a disk has one role in an engagement" in flat
    assert "    server/diskwars_engine/rulesets/diskwars/engagements.py:" in result.out
    folder, test = "tests/engine/rulesets/diskwars", "test_an_engagement_with_a_disk_in_both_parts_is_split_by_layers"
    assert f"    {folder}/test_melee.py::{test}" in result.lines


def test_lines_of_a_section_fit_the_terminal(diskwars: CommandRunner) -> None:
    for section in ("R2", "R15", "R18", "r19"):
        lines = diskwars("rules", section).lines
        assert max(map(len, lines)) <= 100
        assert sum(line.startswith(f"  {section.upper()}.") for line in lines) > 4


def test_ruling_is_printed_with_default_option_and_reason(diskwars: CommandRunner) -> None:
    flat = " ".join(diskwars("rules", "R-04").out.split())
    for part in ("default: strict.", "option: contact, the top pins", "stands in: R6.1, R6.2.", "reason: strict is"):
        assert part in flat


def test_worked_example_is_printed_with_its_tests(diskwars: CommandRunner) -> None:
    result = diskwars("rules", "F7")
    assert "  code:" not in result.lines
    assert any("::test_figure_7_azhag_kills" in line for line in result.lines)
    assert "  worked in: F7" in diskwars("rules", "R14.4").lines


def test_rule_with_parts_lists_them(diskwars: CommandRunner) -> None:
    assert "  parts: R8.1.1, R8.1.2, R8.1.3, R8.1.4" in diskwars("rules", "R8.1").lines


def test_rule_of_another_ruleset_is_printed(diskwars: CommandRunner) -> None:
    result = diskwars("rules", "a-3")
    assert result.lines[0] == "A-3  (The pit: checks)"
    assert "    server/diskwars_engine/rulesets/pit/attacks.py:" in result.out


def test_several_rules_are_printed_in_order(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "R6.1", "r-16").lines
    assert lines[0].startswith("R6.1 ")
    assert any(line.startswith("R-16 ") for line in lines)


def test_sections_of_every_ruleset_are_listed_without_an_id(diskwars: CommandRunner) -> None:
    lines = diskwars("rules").lines
    assert lines[:2] == ["Rules of Diskwars", "  R1    Objects and state: R1.1 to R1.7"]
    assert [line.split()[0] for line in lines[1:21]] == [f"R{number}" for number in range(1, 21)]
    assert lines[21].startswith("  Rulings: R-01 to R-")
    for line in (
        "  Worked examples: F1 to F10, FAQ1",
        "Rules of the pit",
        "  The pit: match and end: A-0, A-22 to A-25",
        "Rules of close quarters",
        "  Close quarters: tests and markers: B-1 to B-5",
        "Rules of regiments",
    ):
        assert line in lines


def test_ranges_of_the_contents_hold_every_rule_once(diskwars: CommandRunner) -> None:
    sections = [line for line in diskwars("rules").lines if line.startswith("  ")]
    printed = [id for line in sections for id in IDS.findall(line.rpartition(": ")[2])]
    first_rules = {section.rules[0].id for section in rule_register.load_register().sections if section.rules}
    assert first_rules <= set(printed), "a range begins with the first rule of its section"
    assert len(printed) == len(set(printed))


@pytest.mark.parametrize(
    ("ids", "compressed"),
    [
        ((), ""),
        (("R4.1", "R4.2", "R4.3"), "R4.1 to R4.3"),
        (("R4.9", "R4.10"), "R4.9, R4.10"),
        (("R4.9", "R4.10", "R4.11", "R5.1"), "R4.9 to R4.11, R5.1"),
        (("R4.9", "R15.1", "R15.2"), "R4.9, R15.1, R15.2"),
        (("A-0", "A-22", "A-23", "A-7"), "A-0, A-22, A-23, A-7"),
        (("B-7", "B-8", "B-8a", "B-9"), "B-7, B-8, B-8a, B-9"),
        (("F10", "FAQ1"), "F10, FAQ1"),
    ],
)
def test_ids_without_a_gap_are_written_as_a_range(ids: tuple[str, ...], compressed: str) -> None:
    assert compress_ids(ids) == compressed


def test_range_of_ids_is_printed_whole(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "r4.1-r4.3").lines
    assert [line.split()[0] for line in lines if line.endswith(")") and not line.startswith(" ")] == [
        "R4.1",
        "R4.2",
        "R4.3",
    ]
    assert diskwars("rules", "A-1-A-2").lines[0] == "A-1  (The pit: checks)"
    message = diskwars.error_message("rules", "R4.3-R4.1")
    assert message == "'R4.3-R4.1' is no range of rules of one section; `diskwars rules` lists the ranges"


@pytest.mark.parametrize(("words", "rule"), [("Melee phase", "  R15.1 "), ("the PIT: checks", "  A-1 ")])
def test_title_of_a_section_prints_it(diskwars: CommandRunner, words: str, rule: str) -> None:
    lines = diskwars("rules", *words.split()).lines
    assert lines[0].lower().endswith(words.lower())
    assert any(line.startswith(rule) for line in lines)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("r15.22", "did you mean R15.2.2"),
        ("r-99", "did you mean R-"),
        ("pins", "`diskwars rules` lists the sections"),
        ("", "`diskwars rules` lists the sections"),
    ],
)
def test_unknown_id_gets_a_suggestion(diskwars: CommandRunner, word: str, hint: str) -> None:
    message = diskwars.error_message("rules", "R6.1", word)
    assert message.startswith(f"there is no rule {word!r}; ")
    assert hint in message


def test_words_list_the_rules_that_mention_them(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "high", "ground").lines
    assert lines[0].startswith("R10.8 High ground: a disk overlapping the piece draws")
    assert any(line.startswith("R-22 ") for line in lines)
    assert max(map(len, lines)) <= 100
    assert diskwars("rules", "damage").lines[0] == "section R13 Damage, wounds, stamina: R13.1 to R13.8"
    many = diskwars("rules", "disk").lines
    assert (len(many), many[-1].startswith("… and ")) == (21, True)


def test_words_need_not_follow_each_other_in_a_rule(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "stunned", "dice").lines
    assert any(line.startswith("A-16 ") for line in lines)
    sections = [line for line in diskwars("rules", "close", "quarters").lines if line.startswith("section ")]
    assert len(sections) == 4, "one for each section of that ruleset"


@pytest.mark.parametrize("words", [("strawberries",), ("",), (" ",)])
def test_words_that_no_rule_mentions_are_an_error(diskwars: CommandRunner, words: tuple[str, ...]) -> None:
    result = f"no rule mentions {' '.join(words)!r}; `diskwars rules` lists the sections"
    assert diskwars.error_message("rules", *words) == result


def test_every_entry_of_the_register_can_be_printed(diskwars: CommandRunner) -> None:
    for id, rule in rule_register.load_register().rules.items():
        result = diskwars("rules", id)
        assert result.code == 0
        assert result.lines[0].startswith(f"{id}  (")
        assert rule.statement.split()[0] in result.out


def test_rule_is_printed_without_tests_outside_a_checkout(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In an installed package the register is beside the module that reads it, and there is no folder of tests."""
    beside = tmp_path / "diskwars_content"
    beside.mkdir()
    for page in rule_register.PAGES:
        (beside / page).write_text((ROOT / "docs" / page).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(rule_register, "REGISTER_FOLDERS", (beside, tmp_path / "docs"))
    monkeypatch.setattr(rule_citations, "tests_folder", lambda: None)
    rule_register.load_register.cache_clear()
    lines = diskwars("rules", "R6.1").lines
    rule_register.load_register.cache_clear()
    assert lines[0] == "R6.1  (R6 Pinning)"
    assert "  tests: not installed; they are in a checkout of the project" in lines
