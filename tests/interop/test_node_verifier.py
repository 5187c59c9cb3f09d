"""A fold and a verifier in Node agree with ours on whole matches, and both refuse the same forgeries.

They were written from docs/protocol.md, docs/match-state.md, docs/fairness.md and the schema. When one of these
tests fails after a change of a format, the pages have to say what has changed.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from diskwars_client.verification.verify import verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.record_codec import SealedRecord
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.client_catalogue import build_client_catalogue
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.client.match_files import closed_match_file, greedy_records, write_match_file
from tests.interop.forgeries import KINDS, Forgery, Kind
from tests.interop.node_program import Json, run_node, same_states
from tests.interop.played_matches import PLAYED_MATCHES, PlayedMatch, bodies_of, draws_of, file_of, records_of

VECTORS = Path(__file__).parents[1] / "vectors"
GOLDEN_FILES = Path(__file__).parents[1] / "golden" / "files"
FORGED_MATCH = PlayedMatch(seed=5, seats=2, bot="greedy", setup="full")
FORGERY_KINDS_WANTED = 21


def write_catalogue(folder: Path) -> Path:
    """Write what a server answers to `get_catalogue`."""
    file = folder / "catalogue.json"
    file.write_bytes(msgspec.json.encode(build_client_catalogue(core_pack())))
    return file


def node_verdicts(folder: Path, files: Sequence[bytes]) -> list[Json]:
    """Return what the Node verifier says about each of these files."""
    paths = [folder / f"{number}.txt" for number in range(len(files))]
    for path, raw in zip(paths, files, strict=True):
        path.write_bytes(raw)
    verdicts: list[Json] = run_node("verify", write_catalogue(folder), *paths)
    return verdicts


# ---------------------------------------------------------------- what is right


@pytest.mark.parametrize("part", range(5))
def test_node_verifies_and_folds_twenty_matches_as_python_does(part: int, tmp_path: Path) -> None:
    matches = PLAYED_MATCHES[part::5]
    verdicts = node_verdicts(tmp_path, [file_of(played) for played in matches])
    for played, verdict in zip(matches, verdicts, strict=True):
        assert "wrong" not in verdict, verdict
        ours = verify(file_of(played), rulesets=[Diskwars(core_pack())])
        assert ours.is_redecided
        assert (verdict["records"], verdict["head"], verdict["sealed"]) == (ours.records, ours.head, 0)
        assert (verdict["unfinished_at"], verdict["unproven_draws"]) == (None, ours.unproven_draws)
        assert verdict["hashes"] == [record.hash.hex() for record in records_of(played)]
        state = DISKWARS.fold_log(bodies_of(played))
        assert same_states(verdict["state"], state), played.name
        assert verdict["draws"] == [
            [seq, draw.step, draw.index, list(draw.results)]
            for seq, body in enumerate(bodies_of(played), 1)
            for event in body.events
            for draw in sorted(draws_of(event), key=lambda draw: draw.index)
        ]


def test_node_folds_what_a_spectator_sees_of_unfinished_matches(tmp_path: Path) -> None:
    files = [
        write_match_file(records_of(played)[:count], played.seed, viewer=PUBLIC)
        for played in PLAYED_MATCHES[::4]
        for count in (1, 2, 7, 30, 45)
    ]
    verdicts = node_verdicts(tmp_path, files)
    for raw, verdict in zip(files, verdicts, strict=True):
        assert "wrong" not in verdict, verdict
        read, ours = read_file(raw), verify(raw)
        state = DISKWARS.fold_log([DISKWARS.decode_body(body) for body in read.bodies])
        assert same_states(verdict["state"], state)
        assert (verdict["unfinished_at"], verdict["sealed"]) == (len(read.records), ours.sealed_values)
        assert (verdict["head"], verdict["unproven_draws"]) == (ours.head, ours.unproven_draws)


def test_node_folds_what_each_seat_sees(tmp_path: Path) -> None:
    played = PLAYED_MATCHES[-1]
    for seat in range(played.seats):
        (verdict,) = node_verdicts(tmp_path, [write_match_file(records_of(played)[:80], played.seed, viewer=seat)])
        lines = [SealedRecord.of(record).shown_to(seat) for record in records_of(played)[:80]]
        assert verdict["records"] == len(lines)
        hand = verdict["state"]["board"]["sides"][seat]["hand"]
        assert hand is not None
        assert [side["hand"] for side in verdict["state"]["board"]["sides"]].count({"#": ""}) == played.seats - 1


def test_node_verifies_matches_that_were_closed_before_they_began(tmp_path: Path) -> None:
    bodies = greedy_records()
    files = [
        closed_match_file(bodies[:1]),
        closed_match_file(bodies[:3]),
        closed_match_file(bodies[:1], digest="00"),
        closed_match_file(bodies[:3], "house"),
        closed_match_file(bodies[:1], "house", seat=0),
    ]
    right, sealed, wrong, by_house, forged = node_verdicts(tmp_path, files)
    assert (by_house.get("wrong"), by_house["records"], forged["wrong"]) == (None, 4, 2)
    assert (right.get("wrong"), right["records"], right["unfinished_at"], right["sealed"]) == (None, 2, None, 0)
    assert (sealed.get("wrong"), sealed["records"], sealed["sealed"] > 0) == (None, 4, True)
    assert wrong["wrong"] == 2


def test_a_file_that_is_cut_is_unfinished_for_both(tmp_path: Path) -> None:
    raw = file_of(PLAYED_MATCHES[0])
    files = [raw[:place] for place in range(20, len(raw), len(raw) // 25)]
    for cut, verdict in zip(files, node_verdicts(tmp_path, files), strict=True):
        assert verdict.get("unfinished_at") == verify(cut).unfinished_at


def test_node_verifies_and_folds_the_golden_match_files_as_python_does() -> None:
    files = sorted(GOLDEN_FILES.glob("diskwars-*.jsonl"))
    verdicts = run_node("verify", "-", *files)
    assert len(verdicts) == len(files) > 0
    for path, verdict in zip(files, verdicts, strict=True):
        assert (verdict.get("wrong"), verdict.get("unfinished_at")) == (None, None), (path.name, verdict)
        ours = read_file(path.read_bytes())
        assert (verdict["records"], verdict["head"]) == (len(ours.records), ours.head)
        state = DISKWARS.fold_log([DISKWARS.decode_body(body) for body in ours.bodies])
        assert same_states(verdict["state"], state), path.name


def test_position_of_a_branch_is_verified_though_its_openings_name_no_seat(tmp_path: Path) -> None:
    """A verifier that demands `seats` in every opening would refuse it; check 4 demands that there are none."""
    raw = (GOLDEN_FILES / "diskwars-branch.match.jsonl").read_bytes()
    forged = Forgery(raw)
    openings = forged.records[0]["openings"]
    assert forged.body(1)["events"][1]["type"] == "position_set"
    assert {tuple(opening["path"][:3]) for opening in openings} == {("events", 1, "position")}
    assert not any("seats" in opening for opening in openings)
    openings[0]["seats"] = [0]
    seen_by_a_seat = forged.written(is_rechained=False)
    right, wrong = node_verdicts(tmp_path, [raw, seen_by_a_seat])
    assert (right.get("wrong"), right["sealed"]) == (None, 0)
    assert verify(raw).sealed_values == 0
    assert wrong["wrong"] == 1
    with pytest.raises(BadRecord) as refused:
        verify(seen_by_a_seat)
    assert refused.value.seq == 1


@pytest.mark.parametrize(
    ("file", "least"), [("canonical.json", 100), ("fairness.json", 45), ("records.json", 14), ("board_fold.json", 24)]
)
def test_the_vectors_hold_in_node(file: str, least: int) -> None:
    assert run_node("vectors", VECTORS / file)[file] >= least


# ---------------------------------------------------------------- what is forged


def test_there_are_enough_kinds_of_forgery() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= FORGERY_KINDS_WANTED


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_forgery_is_refused_by_python_and_by_node_at_its_record(kind: Kind, tmp_path: Path) -> None:
    forgery = Forgery(file_of(FORGED_MATCH))
    seq = kind.forge(forgery)
    raw = forgery.written(is_rechained=kind.is_rechained)
    with pytest.raises(BadRecord) as refused:
        verify(raw, rulesets=[Diskwars(core_pack())])
    assert refused.value.seq == seq, refused.value
    (verdict,) = node_verdicts(tmp_path, [raw])
    assert verdict.get("wrong") == seq, verdict


def test_unchanged_file_is_written_as_it_was() -> None:
    """Otherwise a forgery could be refused for its spelling."""
    raw = file_of(FORGED_MATCH)
    assert Forgery(raw).written(is_rechained=True) == raw
