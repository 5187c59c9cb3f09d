"""Frozen match files are read, folded and verified for ever (tests/golden/files/README.md)."""

from functools import cache
from typing import Any

import pytest

from diskwars_client.verify import verify
from diskwars_content import core_pack
from diskwars_protocol.canonical import encode_canonical
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
