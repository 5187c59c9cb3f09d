"""A match is compared with the rules of today, whichever version decided it."""

import pytest
from msgspec.structs import replace

from diskwars_cli.look_back.verify import load_rulesets
from diskwars_client.verification.rules_comparison import CannotCompare, compare_rulings
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars.events import DamageDealt, InitiativeRolled
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from tests.client.match_files import (
    find_event,
    greedy_records,
    match_file,
    replace_event,
    seal_records,
    write_match_file,
)
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rows import each_row

RULESETS = load_rulesets("diskwars", ())
NAMES = sorted(
    path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}") if not path.name.startswith("counting")
)


def file_of(bodies: list[DiskwarsBody]) -> bytes:
    return write_match_file(seal_records(bodies))


def decided_by_others(bodies: list[DiskwarsBody]) -> list[DiskwarsBody]:
    """Return the same records as another version of the rules would have written them."""
    opened = bodies[0].events[0]
    assert isinstance(opened, MatchOpened)
    return [replace(bodies[0], events=(replace(opened, rules_version=opened.rules_version + 1),)), *bodies[1:]]


OTHERWISE_DECIDED = {
    "diskwars-upgrade": (11, "R8.5.1"),  # version 0 decided a part of it, with a reason less
    # version 1 sent models to other places in contact
    "close-quarters-agreements": (20, "B-15"),
    "close-quarters-barricade": (12, "B-15"),
    "close-quarters-branch": (8, "B-15"),
    "close-quarters-brutes": (14, "B-15"),
    "close-quarters-counted": (12, "B-15"),
    "close-quarters-four": (17, "B-15"),
    "close-quarters-partners": (24, "B-15"),
    "close-quarters-random": (53, "B-15"),
    "close-quarters-taken-out": (11, "B-15"),
    # version 1 of the pit drew cards that do nothing, and promoted henchmen to nothing
    "pit-branch": (12, "A-17"),
    "pit-conceded": (23, "A-17"),
    "pit-counted": (19, "A-17"),
    "pit-divided": (22, "A-17"),
    "pit-four": (31, "A-17"),
    "pit-taken-out": (18, "A-17"),
    # version 1 let a seat that had left win with its partner, and gave each seat scores of its own
    "regiments-four": (58, "C-23"),
}
"""Files that the rules of today would decide otherwise: the first such record, and the rule that says why."""


@each_row("name", NAMES)
def test_frozen_matches_are_ruled_as_they_were(name: str) -> None:
    raw = (FOLDER / f"{name}{SUFFIX}").read_bytes()
    file = read_file(raw)
    rulesets = load_rulesets(file.header.ruleset, ())
    if file.sealed:
        with pytest.raises(CannotCompare, match="unfinished, or some of its secrets are sealed"):
            compare_rulings(raw, rulesets)
    elif name in OTHERWISE_DECIDED:
        seq, rule = OTHERWISE_DECIDED[name]
        difference = compare_rulings(raw, rulesets)
        assert difference is not None
        assert (difference.seq, difference.rules, difference.is_same_version) == (seq, (rule,), False)
    else:
        assert compare_rulings(raw, rulesets) is None


def test_first_difference_names_its_record_and_the_rule_behind_it() -> None:
    seq, event = find_event(InitiativeRolled)
    assert isinstance(event, InitiativeRolled)
    changed = replace_event(greedy_records(), seq, rolls=tuple(replace(roll, unspent=9) for roll in event.rolls))
    difference = compare_rulings(file_of(decided_by_others(changed)), RULESETS)
    assert difference is not None
    assert (difference.match, difference.seq, difference.rules, difference.is_same_version) == (
        "seed-1",
        seq,
        ("R3.2",),
        False,
    )
    assert difference.text.startswith("initiative_rolled: by the rules $.rolls[0].unspent is ")


def test_difference_to_a_record_of_the_same_version_is_a_fault() -> None:
    seq, event = find_event(DamageDealt)
    assert isinstance(event, DamageDealt)
    difference = compare_rulings(file_of(replace_event(greedy_records(), seq, dealt=event.dealt + 1)), RULESETS)
    assert difference is not None
    assert (difference.seq, difference.is_same_version) == (seq, True)
    assert difference.rules


def test_match_of_another_version_that_is_ruled_the_same_is_no_difference() -> None:
    assert compare_rulings(file_of(decided_by_others(list(greedy_records()))), RULESETS) is None


def test_damaged_and_unfinished_files_are_not_compared() -> None:
    with pytest.raises(BadRecord):
        compare_rulings(match_file().replace(b'"seat":0', b'"seat":1', 1), RULESETS)
    with pytest.raises(CannotCompare):
        compare_rulings(b"".join(match_file().splitlines(keepends=True)[:30]), RULESETS)
