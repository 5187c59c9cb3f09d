"""Positions out of bounds are refused by every reader, as tests/vectors/positions.json says, which the page reads too.

`./dev golden tests/protocol/match/test_position_bounds.py` writes the vectors.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.replays import replay_file
from diskwars_client.verification.record_checks import ImpossiblePosition
from diskwars_client.verification.verify import verify
from diskwars_protocol.match.ids import ALL
from diskwars_protocol.match.position_bounds import MAX_ENTRIES, MAX_NUMBER, MAX_TEXT, MAX_VALUES, board_faults
from diskwars_protocol.match.replay import ReplayError
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES
from tests.golden.write_files import write_match
from tests.rulesets.matches import played
from tests.rulesets.test_branches import BRANCH, opened, places, start_of
from tools.invented_positions import changed_value, places_in

FILE = Path(__file__).parents[2] / "vectors" / "positions.json"
NAMES = ("diskwars", "pit", "close_quarters", "regiments")
CHANGES = 60
MAX_CHANGE_BYTES = 300
Json = Any


def bounds_of(name: str) -> Json:
    return json.loads(msgspec.json.encode(VOCABULARIES[name].position_bounds))


def board_of(name: str) -> Json:
    parent = played(name, 2, 1)
    return json.loads(msgspec.json.encode(parent.states[places(parent)[-1]].board))


def changed(board: Json, path: list[Any], value: Json) -> Json:
    board = json.loads(json.dumps(board))
    *above, last = path
    parent = board
    for key in above:
        parent = parent[key]
    parent[last] = value
    return board


def write_vectors() -> Json:
    """Return boards of real matches, and single changes of them with their faults."""
    limits = {"number": MAX_NUMBER, "entries": MAX_ENTRIES, "text": MAX_TEXT, "values": MAX_VALUES}
    rulesets = {}
    for name in NAMES:
        rng, board = random.Random(name), board_of(name)
        changes: list[Json] = []
        while len(changes) < CHANGES:
            path = list(rng.choice(list(places_in(board))))
            value = board
            for key in path:
                value = value[key]
            value = changed_value(value, rng)
            if len(json.dumps(value)) <= MAX_CHANGE_BYTES:
                changes.append({"path": path, "value": value, "faults": faults_of(name, changed(board, path, value))})
        rulesets[name] = {"bounds": bounds_of(name), "board": board, "changes": changes}
    return {"limits": limits, "rulesets": rulesets}


def format_vectors(vectors: Json) -> str:
    """Return the vectors with a line for each change, so that differences can be read."""
    text = json.dumps(vectors, separators=(",", ":"), ensure_ascii=False)
    return (
        text.replace('{"path":', '\n{"path":').replace('"bounds":', '\n"bounds":').replace('"board":', '\n"board":')
        + "\n"
    )


def faults_of(name: str, board: Json) -> list[str]:
    return sorted(board_faults(board, VOCABULARIES[name].position_bounds))


def test_vectors_say_what_the_readers_do() -> None:
    if os.environ.get("DISKWARS_GOLDEN"):
        FILE.write_text(format_vectors(write_vectors()), "utf-8")
    vectors = json.loads(FILE.read_text("utf-8"))
    for name in NAMES:
        found = vectors["rulesets"][name]
        assert found["bounds"] == bounds_of(name)
        assert faults_of(name, found["board"]) == []
        for change in found["changes"]:
            board = changed(found["board"], change["path"], change["value"])
            assert faults_of(name, board) == change["faults"], (name, change["path"])
        assert any(change["faults"] for change in found["changes"])


def test_lists_texts_and_boards_have_a_size() -> None:
    bounds = VOCABULARIES["pit"].position_bounds
    for board, fault in (
        ({"fought": [0] * (MAX_ENTRIES + 1)}, f"$.board.fought: more than {MAX_ENTRIES} entries"),
        ({"phase": "x" * (MAX_TEXT + 1)}, f"$.board.phase: longer than {MAX_TEXT}"),
        ({"a": [[0] * 999] * 999}, f"$.board: more than {MAX_VALUES} values"),
        (7, "$.board: it is no object"),
    ):
        assert fault in list(board_faults(board, bounds))


def branch_file(name: str, path: list[Any], value: Json, rules_version: int | None = None) -> bytes:
    """Return the file of a branch whose position has one value changed, decided by a version of the rules."""
    parent = played(name, 2, 1)
    n = places(parent)[-1]
    rules, branch = parent.local.rules, opened(parent, n, start_of(parent, n, ALL))
    (body,) = branch.records
    opening, first = body.events
    board = changed(msgspec.json.decode(msgspec.json.encode(first.position.board)), path, value)
    typed = msgspec.convert(board, rules.vocabulary.board)
    if rules_version is not None:
        opening = replace(opening, rules_version=rules_version)
    forged = replace(body, events=(opening, replace(first, position=replace(first.position, board=typed))))
    return write_match(rules, BRANCH, len(parent.local.seats), [forged])


OUT_OF_BOUNDS = (
    ("pit", ["width"], 1_000_000),
    ("pit", ["fighters", 0, "profile"], 99),
    ("close_quarters", ["units", 0, "markers"], 10**9),
    ("regiments", ["units", 0, "files"], 10**6),
    ("diskwars", ["disks", 0, "damage"], 10**6),
    ("diskwars", ["disks", 0, "seat"], 9),
)


@pytest.mark.parametrize(("name", "path", "value"), OUT_OF_BOUNDS, ids=lambda value: str(value))
def test_no_reader_draws_or_folds_a_position_out_of_bounds(name: str, path: list[Any], value: Json) -> None:
    raw = branch_file(name, path, value)
    with pytest.raises(ReplayError, match="record 1: no match can have come to this position, "):
        replay_file(raw)
    with pytest.raises(ImpossiblePosition):
        verify(raw)


def test_position_of_rules_that_are_not_here_is_held_to_the_bounds() -> None:
    later = 10_000
    verify(branch_file("pit", ["round"], 1, later))
    for name, path, value in OUT_OF_BOUNDS:
        with pytest.raises(ImpossiblePosition):
            verify(branch_file(name, path, value, later))
