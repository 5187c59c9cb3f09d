"""Frozen match files are read, folded and verified for ever (tests/golden/files/README.md)."""

import json
from functools import cache
from typing import Any

import msgspec.inspect as mi
import pytest

from diskwars_client.verify import verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.match import RecordBody
from diskwars_protocol.match_file import MatchFile, read_file
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_protocol.vocabulary import AnyVocabulary
from tests.golden.write_files import COUNTING, FILES, FOLDER, SUFFIX

HEADS = {line.split()[1]: line.split()[0] for line in (FOLDER / "heads.txt").read_text("utf-8").splitlines()}
"""The hash after the last record of each file: a file that was written again has another."""
NAMES = sorted(HEADS)
DISKWARS_NAMES = [name for name in NAMES if name.startswith("diskwars-")]
DECIDED_OTHERWISE_SINCE: dict[str, str] = {}
"""By file: the change of the rules after which an action of it is decided otherwise."""
VOCABULARIES: dict[str, AnyVocabulary] = {"diskwars": DISKWARS, "counting": COUNTING.vocabulary}


@cache
def golden_file(name: str) -> MatchFile:
    return read_file((FOLDER / f"{name}{SUFFIX}").read_bytes())


@cache
def folded(name: str) -> Any:
    file = golden_file(name)
    vocabulary = VOCABULARIES[file.header.ruleset]
    return vocabulary.fold_log([vocabulary.decode_body(body) for body in file.bodies])


@pytest.mark.parametrize("name", NAMES)
def test_the_chain_of_a_frozen_file_holds_and_ends_in_its_head(name: str) -> None:
    file = golden_file(name)
    assert (file.head, file.sealed, file.unfinished_at) == (HEADS[name], 0, None)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_frozen_record_says_is_understood_whole(name: str) -> None:
    """Encoded again it is the same: no field is unknown, and no default has changed."""
    file = golden_file(name)
    vocabulary = VOCABULARIES[file.header.ruleset]
    for body in file.bodies:
        assert encode_canonical(vocabulary.decode_body(body)) == body


@pytest.mark.parametrize("name", NAMES)
def test_a_frozen_match_folds_to_its_result(name: str) -> None:
    match = folded(name)
    assert match.status == "ended"
    assert match.result is not None
    assert match.decisions == ()


@pytest.mark.parametrize("name", DISKWARS_NAMES)
def test_dice_cards_and_actions_of_a_frozen_match_are_verified(name: str) -> None:
    raw = (FOLDER / f"{name}{SUFFIX}").read_bytes()
    result = verify(raw, head=HEADS[name], catalogues=(core_pack(),))
    assert result.unproven_draws == 0
    assert result.head_seq == result.records
    assert result.is_redecided == (name not in DECIDED_OTHERWISE_SINCE)


def test_the_files_end_in_every_way_there_is() -> None:
    ends = {(folded(name).result.end_reason, folded(name).result.winner is None) for name in DISKWARS_NAMES}
    assert {reason for reason, _ in ends} >= {"victory_points", "elimination", "abandoned", "resignation"}
    assert any(is_draw for reason, is_draw in ends if reason != "abandoned")
    assert {len(folded(name).seats) for name in DISKWARS_NAMES} == {2, 3, 4}
    assert any(any(seat.resigned for seat in folded(name).seats) for name in DISKWARS_NAMES)


def test_every_file_is_frozen_and_known() -> None:
    assert {path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}")} == set(HEADS) == set(FILES)


NOT_IN_A_FILE_YET = {
    # Needs the disks of the expansion pack, or cards that no starter army of these matches holds.
    *("guard_rolled", "disk_healed", "disk_poisoned", "danger_rolled", "rampaged", "rampage"),
    *("reinforcement", "engage_ability", "use_engage_ability", "pass_disk"),
    # Happens in crowded set-ups, and when a whole reserve is lost.
    *("setup_card_discarded", "reserves_lost"),
    # No rule takes anything back, and there is one version of the rules.
    *("taken_back_to", "rules"),
}
"""Kinds and fields of the records of Diskwars that no frozen file holds. A file that shows one shortens the list."""


def test_every_kind_and_field_of_a_record_is_in_a_frozen_file_or_listed() -> None:
    found: set[str] = set()
    for name in DISKWARS_NAMES:
        for body in map(json.loads, golden_file(name).bodies):
            found |= {*body, *(event["type"] for event in body.get("events", ()))}
            found |= {decision["question"]["type"] for decision in body.get("decisions", ())}
            found |= {body["action"]["type"]} if "action" in body else set()
    wanted = set(RecordBody.__struct_fields__)
    for union in (DISKWARS.event, DISKWARS.question, DISKWARS.action):
        info = mi.type_info(union)
        assert isinstance(info, mi.UnionType)
        wanted |= {str(kind.tag) for kind in info.types if isinstance(kind, mi.StructType) and kind.tag}
    assert wanted - found == NOT_IN_A_FILE_YET
