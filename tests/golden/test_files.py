"""Frozen match files are read, folded and verified for ever (tests/golden/files/README.md)."""

import json
from collections.abc import Iterable
from functools import cache
from itertools import accumulate, groupby
from typing import Any

import msgspec.inspect as mi
import pytest

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_client.verification.verify import RulesStretch, verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets import close_quarters, diskwars, pit, regiments
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.match_file import MatchFile, read_file
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_protocol.rulesets.registry import RULESETS
from tests.golden.write_files import (
    BOTH_PACKS,
    COUNTING,
    FILES,
    FOLDER,
    HEADS_FILE,
    STATES_FILE,
    SUFFIX,
    hash_states,
)
from tests.interop.forgeries import Forgery
from tests.rows import each_row

LOCAL_RULESETS = (Diskwars(core_pack()), Diskwars(BOTH_PACKS))
HEADS = {line.split()[1]: line.split()[0] for line in HEADS_FILE.read_text("utf-8").splitlines()}
"""The hash after the last record of each file: a file that was written again has another."""
STATES = {line.split()[1]: line.split()[0] for line in STATES_FILE.read_text("utf-8").splitlines()}
"""The hash over the states that each file folds to: a fold that has changed gives others."""
NAMES = sorted(HEADS)
DISKWARS_NAMES = [name for name in NAMES if name.startswith("diskwars-")]
PIT_NAMES = [name for name in NAMES if name.startswith("pit-")]
CLOSE_QUARTERS_NAMES = [name for name in NAMES if name.startswith("close-quarters-")]
REGIMENTS_NAMES = [name for name in NAMES if name.startswith("regiments-")]
NAMES_BY_RULESET = {
    "diskwars": DISKWARS_NAMES,
    "pit": PIT_NAMES,
    "close_quarters": CLOSE_QUARTERS_NAMES,
    "regiments": REGIMENTS_NAMES,
    "counting": [name for name in NAMES if name.startswith("counting")],
}
RULES_VERSIONS = {
    "diskwars": diskwars.RULES_VERSION,
    "pit": pit.RULES_VERSION,
    "close_quarters": close_quarters.RULES_VERSION,
    "regiments": regiments.RULES_VERSION,
}
VOCABULARIES: dict[str, AnyVocabulary] = {**RULESETS, "counting": COUNTING.vocabulary}


@cache
def golden_file(name: str) -> MatchFile:
    return read_file((FOLDER / f"{name}{SUFFIX}").read_bytes())


@cache
def folded(name: str) -> Any:
    file = golden_file(name)
    vocabulary = VOCABULARIES[file.header.ruleset]
    return vocabulary.fold_log([vocabulary.decode_body(body) for body in file.bodies])


@each_row("name", NAMES)
def test_the_chain_of_a_frozen_file_holds_and_ends_in_its_head(name: str) -> None:
    file = golden_file(name)
    assert (file.head, file.sealed, file.unfinished_at) == (HEADS[name], 0, None)


@each_row("name", NAMES)
def test_every_field_of_a_frozen_record_is_understood(name: str) -> None:
    """Encoded again it is the same: no field is unknown, and no default has changed."""
    file = golden_file(name)
    vocabulary = VOCABULARIES[file.header.ruleset]
    for body in file.bodies:
        assert encode_canonical(vocabulary.decode_body(body)) == body


@each_row("name", NAMES)
def test_a_frozen_match_folds_to_its_result(name: str) -> None:
    match = folded(name)
    assert match.status == "ended"
    assert match.result is not None
    assert match.decisions == ()


@each_row("name", NAMES)
def test_records_of_a_frozen_match_fold_to_the_states_they_have_always_folded_to(name: str) -> None:
    assert hash_states(golden_file(name)) == STATES[name]


# ---------------------------------------------------------------- verification, where these rules decided


def rules_by_record(name: str) -> list[int]:
    """Return the version of the rules that decided each record of a file."""
    file = golden_file(name)
    bodies = [VOCABULARIES[file.header.ruleset].decode_body(body) for body in file.bodies]
    opened = bodies[0].events[0]
    assert isinstance(opened, MatchOpened)
    return list(
        accumulate(
            (body.rules_version for body in bodies[1:]), lambda before, now: now or before, initial=opened.rules_version
        )
    )


def other_rules(name: str) -> tuple[RulesStretch, ...]:
    """Return the stretches of a file that another version of the rules decided than the one of today."""
    today, found = RULES_VERSIONS[golden_file(name).header.ruleset], list[RulesStretch]()
    for version, group in groupby(enumerate(rules_by_record(name), 1), key=lambda record: record[1]):
        seqs = [seq for seq, _ in group]
        found += [RulesStretch(seqs[0], seqs[-1], version)] if version != today else []
    return tuple(found)


@each_row("name", DISKWARS_NAMES)
def test_dice_cards_and_actions_of_a_frozen_match_are_verified(name: str) -> None:
    raw = (FOLDER / f"{name}{SUFFIX}").read_bytes()
    result = verify(raw, head=HEADS[name], rulesets=LOCAL_RULESETS)
    assert result.unproven_draws == 0
    assert result.head_seq == result.records
    assert result.other_rules == other_rules(name)
    assert result.is_redecided == (not result.other_rules)


@each_row("name", [*PIT_NAMES, *CLOSE_QUARTERS_NAMES, *REGIMENTS_NAMES])
@each_row("known", [True, False])
def test_frozen_match_without_secrets_is_decided_again(name: str, known: bool) -> None:
    """With the reader's figures, or else with those of the file."""
    rulesets = (load_ruleset(golden_file(name).header.ruleset, ()),) if known else ()
    result = verify((FOLDER / f"{name}{SUFFIX}").read_bytes(), head=HEADS[name], rulesets=rulesets)
    assert result.other_rules == other_rules(name)
    assert result.is_redecided == (not result.other_rules)
    assert result.unproven_draws == 0


@pytest.mark.parametrize("ruleset", RULES_VERSIONS)
def test_todays_rules_decided_a_whole_file(ruleset: str) -> None:
    """A new version of the rules needs files of its own: it decides none of the older records again."""
    assert {RULES_VERSIONS[ruleset]} in [set(rules_by_record(name)) for name in NAMES_BY_RULESET[ruleset]]


def test_todays_rules_decided_a_part_of_a_file() -> None:
    versions = [set(rules_by_record(name)) for name in DISKWARS_NAMES]
    assert any(diskwars.RULES_VERSION in found and len(found) > 1 for found in versions)


def test_file_across_an_upgrade_is_decided_again_only_where_todays_rules_decided() -> None:
    """A reason is added to each record that no rules would give. Another version might have, so it is not accused."""
    name = next(
        name
        for name in reversed(DISKWARS_NAMES)
        if diskwars.RULES_VERSION in rules_by_record(name) and other_rules(name)
    )
    raw, versions = (FOLDER / f"{name}{SUFFIX}").read_bytes(), rules_by_record(name)
    for seq, version in enumerate(versions, 1):
        forgery = Forgery(raw)
        events = [event for event in forgery.body(seq).get("events", ()) if event.get("reasons")]
        if not events:
            continue
        events[0]["reasons"].append({"rule": "R1.1"})
        forged = forgery.written(is_rechained=True)
        if version == diskwars.RULES_VERSION:
            with pytest.raises(BadRecord, match=f"record {seq}: .*by the rules "):
                verify(forged, rulesets=LOCAL_RULESETS)
        else:
            assert verify(forged, rulesets=LOCAL_RULESETS).other_rules == other_rules(name)


# ---------------------------------------------------------------- coverage


def test_the_files_end_in_every_way_there_is() -> None:
    ends = {(folded(name).result.end_reason, folded(name).result.winners == ()) for name in DISKWARS_NAMES}
    assert {reason for reason, _ in ends} == set(DISKWARS.end_reasons)
    assert any(is_draw for reason, is_draw in ends if reason not in ("abandoned", "closed"))
    assert {len(folded(name).seats) for name in DISKWARS_NAMES} == {2, 3, 4}
    assert any(any(seat.resigned for seat in folded(name).seats) for name in DISKWARS_NAMES)


def test_every_file_is_frozen_and_known() -> None:
    assert {path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}")} == set(HEADS) == set(FILES)


def test_readme_names_every_file() -> None:
    lines = (FOLDER / "README.md").read_text("utf-8").splitlines()
    rows = [line.split("|")[1] for line in lines if line.startswith("| `")]
    assert {name.strip(" `") for row in rows for name in row.split(",")} == set(FILES)


CANNOT_OCCUR = {
    "diskwars": {
        # Only dwarfs guard, and only lizardmen and skaven poison. No pack has a hero of these races, and without one
        # their disks are in no army (R2.3).
        *("guard_rolled", "disk_poisoned"),
    },
    # A ruleset without a work list has no cursor, and one in which each answer is a secret no free takebacks.
    "counting": {"cursor", "take_back"},
    # No match across two versions of these rules is kept.
    "pit": {"cursor", "rules_version"},
    "close_quarters": {"cursor", "rules_version"},
    "regiments": {"cursor", "rules_version"},
}
"""By ruleset: kinds and fields of records that no frozen file can hold, because no match does today."""


def names_in_files(names: Iterable[str]) -> set[str]:
    """Return the fields of the records of these files, and the kinds of their events, questions and actions."""
    found: set[str] = set()
    for body in (json.loads(body) for name in names for body in golden_file(name).bodies):
        found |= {*body, *(event["type"] for event in body.get("events", ()))}
        found |= {decision["question"]["type"] for decision in body.get("decisions", ())}
        found |= {body["action"]["type"]} if "action" in body else set()
    return found


def names_of(vocabulary: AnyVocabulary) -> set[str]:
    """Return the same of all that records of a ruleset can hold."""
    found = set(RecordBody.__struct_fields__)
    for union in (vocabulary.event, vocabulary.question, vocabulary.action):
        info = mi.type_info(union)
        assert isinstance(info, mi.UnionType)
        found |= {str(kind.tag) for kind in info.types if isinstance(kind, mi.StructType) and kind.tag}
    return found


@each_row("ruleset", NAMES_BY_RULESET)
def test_every_kind_and_field_of_a_record_that_can_occur_is_in_a_frozen_file(ruleset: str) -> None:
    assert names_of(VOCABULARIES[ruleset]) - names_in_files(NAMES_BY_RULESET[ruleset]) == CANNOT_OCCUR[ruleset]


def test_disks_that_guard_or_poison_have_no_hero_to_lead_them() -> None:
    """Otherwise a file can show what they do."""
    disks = BOTH_PACKS.disks.values()
    rare = {disk.race for disk in disks if {word.id for word in disk.keywords} & {"guard", "poison"}}
    assert rare == {"dwarfs", "lizardmen", "skaven"}
    assert not rare & {disk.race for disk in disks if disk.kind == "hero"}
