"""Files of a later version, whose records have fields that neither verifier knows: Python and Node say the same."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from diskwars_client.verification.verify import VerificationResult, verify
from diskwars_protocol.records.match_file import NewerFormat
from diskwars_protocol.records.records import BadRecord
from tests.golden.test_files import DISKWARS_NAMES, LOCAL_RULESETS, PIT_NAMES
from tests.golden.write_files import FOLDER, SUFFIX
from tests.interop.forgeries import Forgery, canonical
from tests.interop.node_program import Json, run_node
from tests.protocol.records.test_records_growth import with_later_fields

ONE_MATCH = "diskwars-points"


def golden(name: str) -> Forgery:
    return Forgery((FOLDER / f"{name}{SUFFIX}").read_bytes())


def grow(file: Forgery, seq: int) -> None:
    """Put a later field into every object of a record, secrets included, as a later version would have written it."""
    record = file.records[seq - 1]
    body, openings = record["body"], record.get("openings", [])
    for opening in openings:
        *path, last = opening["path"]
        _inner(body, path)[last] = opening["value"]
    body = with_later_fields(body)
    if "action" in body:
        body["digest"] = hashlib.sha256(canonical([body.get("decision"), body["action"]])).hexdigest()
    for opening in openings:
        *path, last = opening["path"]
        place = _inner(body, path)
        opening["value"] = place[last]
        place[last] = {"#": hashlib.sha256(bytes.fromhex(opening["salt"]) + canonical(place[last])).hexdigest()}
    record["body"] = body


def _inner(value: Json, path: list[Any]) -> Json:
    for step in path:
        value = value[step]
    return value


def node_verdict(raw: bytes, folder: Path) -> Json:
    path = folder / "file"
    path.write_bytes(raw)
    (verdict,) = run_node("verify", "-", path)
    return verdict


def both_verdicts(file: Forgery, folder: Path) -> VerificationResult:
    """Return what Python says about a file in which neither verifier finds anything wrong."""
    raw = file.written(is_rechained=True)
    ours, theirs = verify(raw, rulesets=LOCAL_RULESETS), node_verdict(raw, folder)
    assert "wrong" not in theirs, theirs
    assert (theirs["head"], theirs["records"], theirs["unproven_draws"]) == (ours.head, ours.records, 0)
    return ours


@pytest.mark.parametrize("name", DISKWARS_NAMES)
def test_file_with_a_later_field_in_every_object_is_not_wrong(name: str, tmp_path: Path) -> None:
    file = golden(name)
    file.header["later_field"] = {"is": [1]}
    for seq in range(1, len(file.records) + 1):
        grow(file, seq)
    result = both_verdicts(file, tmp_path)
    assert not result.is_redecided
    assert [seq for seq, _ in result.unknown_fields] == list(range(1, result.records + 1))


@pytest.mark.parametrize("name", PIT_NAMES)
def test_file_of_the_pit_with_a_later_field_in_every_object_is_not_wrong(name: str) -> None:
    """The program in Node knows Diskwars only."""
    file = golden(name)
    for seq in range(1, len(file.records) + 1):
        grow(file, seq)
    result = verify(file.written(is_rechained=True), rulesets=LOCAL_RULESETS)
    assert [seq for seq, _ in result.unknown_fields] == list(range(1, result.records + 1))


def test_later_field_of_the_header_leaves_nothing_undecided(tmp_path: Path) -> None:
    file = golden(ONE_MATCH)
    file.header["later_field"] = 1
    assert both_verdicts(file, tmp_path).is_redecided


@pytest.mark.parametrize("place", ["options", "settings", "packs"])
def test_later_field_of_the_opening_leaves_the_other_records_decided(place: str, tmp_path: Path) -> None:
    file = golden(ONE_MATCH)
    _, opened = file.find("match_opened")
    _, started = file.find("match_started")
    opened.setdefault(place, {})
    for event in (opened, started) if place == "settings" else (opened,):
        event[place] = with_later_fields(event[place])
    result = both_verdicts(file, tmp_path)
    assert result.unknown_fields[0][0] == 1
    assert len(result.unknown_fields) <= 1 + (place == "settings")
    seq, event = file.find("damage_dealt", field="toughness")
    event["toughness"] += 1
    with pytest.raises(BadRecord, match="by the rules") as refused:
        verify(file.written(is_rechained=True), rulesets=LOCAL_RULESETS)
    assert refused.value.seq == seq


def test_digest_and_decision_are_checked_in_a_record_with_later_fields(tmp_path: Path) -> None:
    for field, value in (("digest", "ab" * 32), ("decision", "1.0")):
        file = golden(ONE_MATCH)
        seq, _ = file.find_action("move_disk")
        grow(file, seq)
        both_verdicts(file, tmp_path)
        file.body(seq)[field] = value
        raw = file.written(is_rechained=True)
        with pytest.raises(BadRecord) as refused:
            verify(raw, rulesets=LOCAL_RULESETS)
        assert refused.value.seq == node_verdict(raw, tmp_path)["wrong"] == seq


def test_later_field_outside_of_bodies_and_header_needs_another_format(tmp_path: Path) -> None:
    """No hash covers a line outside of its body."""
    files = [golden(ONE_MATCH), golden(ONE_MATCH)]
    seq = next(record["seq"] for record in files[0].records if record.get("openings"))
    files[0].records[seq - 1]["later_field"] = 1
    files[1].records[seq - 1]["openings"][0]["later_field"] = 1
    for file in files:
        raw = file.written(is_rechained=True)
        with pytest.raises(BadRecord) as refused:
            verify(raw)
        assert refused.value.seq == node_verdict(raw, tmp_path)["wrong"] == seq
        file.header["format"] = 2
        raw = file.written(is_rechained=True)
        with pytest.raises(NewerFormat):
            verify(raw)
        assert node_verdict(raw, tmp_path)["newer"] == "format 2"
