"""Tests of looking up a rule by its id, with its reason, its code and its tests."""

from pathlib import Path

import pytest

from diskwars_content import rule_citations, rule_register
from tests.cli.command_runner import CommandRunner
from tests.code_sizes import ROOT


def test_a_rule_is_printed_with_its_ruling_its_places_and_its_tests(diskwars: CommandRunner) -> None:
    said = diskwars("rules", "R15.1.4")
    assert said.code == 0
    flat = " ".join(said.out.split())
    assert said.lines[0] == "R15.1.4 (R15 Melee phase)".replace(" (", "  (")
    assert "With three or four players, attackers of different enemies act together" in flat
    assert "from: summary, our ruling" in flat
    assert "ruling R-16: Three or four players" in flat
    assert "Reason: a disk has one role in an engagement" in flat
    assert "    server/diskwars_engine/rulesets/diskwars/engagements.py:" in said.out
    assert (
        "    tests/engine/test_melee.py::test_an_engagement_with_a_disk_in_both_parts_is_split_by_layers" in said.lines
    )


def test_no_line_is_wider_than_a_terminal_but_the_name_of_a_test(diskwars: CommandRunner) -> None:
    for section in ("R2", "R15", "R18", "r19"):
        lines = diskwars("rules", section).lines
        assert max(map(len, lines)) <= 100
        assert sum(line.startswith(f"  {section.upper()}.") for line in lines) > 4


def test_a_ruling_is_printed_with_its_default_its_option_and_its_reason(diskwars: CommandRunner) -> None:
    flat = " ".join(diskwars("rules", "R-04").out.split())
    for part in ("default: strict.", "option: contact, the top pins", "stands in: R6.1, R6.2.", "reason: strict is"):
        assert part in flat


def test_a_worked_example_is_printed_with_its_tests(diskwars: CommandRunner) -> None:
    said = diskwars("rules", "F7")
    assert "  obeyed in:" not in said.lines
    assert any("::test_figure_7_azhag_kills" in line for line in said.lines)
    assert "  worked in: F7" in diskwars("rules", "R14.4").lines


def test_a_rule_with_parts_names_them(diskwars: CommandRunner) -> None:
    assert "  parts: R8.1.1, R8.1.2, R8.1.3, R8.1.4" in diskwars("rules", "R8.1").lines


def test_several_ids_are_printed_one_below_the_other(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "R6.1", "r-16").lines
    assert lines[0].startswith("R6.1 ")
    assert any(line.startswith("R-16 ") for line in lines)


def test_without_an_id_the_sections_are_listed(diskwars: CommandRunner) -> None:
    lines = diskwars("rules").lines
    assert lines[0] == "R1    Objects and state: R1.1 to R1.7"
    assert [line.split()[0] for line in lines[:20]] == [f"R{number}" for number in range(1, 21)]
    assert lines[20].startswith("R-01  Rulings: R-01 to R-")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("r15.22", "did you mean R15.2.2"),
        ("r-99", "did you mean R-"),
        ("pins", "`diskwars rules` lists the sections"),
        ("", "`diskwars rules` lists the sections"),
    ],
)
def test_an_unknown_id_is_answered_with_a_suggestion(diskwars: CommandRunner, word: str, meant: str) -> None:
    complaint = diskwars.error_message("rules", "R6.1", word)
    assert complaint.startswith(f"there is no rule {word!r}; ")
    assert meant in complaint


def test_words_find_the_rules_that_mention_them(diskwars: CommandRunner) -> None:
    lines = diskwars("rules", "high", "ground").lines
    assert lines[0].startswith("R10.8 High ground: a disk overlapping the piece draws")
    assert any(line.startswith("R-22 ") for line in lines)
    assert max(map(len, lines)) <= 100
    many = diskwars("rules", "disk").lines
    assert (len(many), many[-1].startswith("… and ")) == (21, True)


@pytest.mark.parametrize("words", [("strawberries",), ("",), (" ",)])
def test_words_of_which_no_rule_speaks_are_a_complaint(diskwars: CommandRunner, words: tuple[str, ...]) -> None:
    said = f"no rule mentions {' '.join(words)!r}; `diskwars rules` lists the sections"
    assert diskwars.error_message("rules", *words) == said


def test_every_entry_of_the_register_can_be_printed(diskwars: CommandRunner) -> None:
    for id, rule in rule_register.load_register().rules.items():
        said = diskwars("rules", id)
        assert said.code == 0
        assert said.lines[0].startswith(f"{id}  (")
        assert rule.statement.split()[0] in said.out


def test_without_a_checkout_the_rule_is_printed_and_the_tests_are_said_to_be_missing(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As in an installed package: the register lies beside the module that reads it, and there is no tests folder."""
    beside = tmp_path / "diskwars_content" / "rules.md"
    beside.parent.mkdir()
    beside.write_text((ROOT / "docs" / "rules.md").read_text("utf-8"), "utf-8")
    monkeypatch.setattr(rule_register, "REGISTER_PATHS", (beside, tmp_path / "docs" / "rules.md"))
    monkeypatch.setattr(rule_citations, "tests_folder", lambda: None)
    rule_register.load_register.cache_clear()
    lines = diskwars("rules", "R6.1").lines
    rule_register.load_register.cache_clear()
    assert lines[0] == "R6.1  (R6 Pinning)"
    assert "  shown by: the tests are not installed; look into a checkout of the project" in lines
