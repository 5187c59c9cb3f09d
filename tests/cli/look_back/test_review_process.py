"""The process that reviews a match for a server: a file goes in, moments or a fault come out."""

import subprocess
import sys

import msgspec

from diskwars_bots.rulesets.pit.search_game import PIT_GAME
from diskwars_bots.search.review import ReviewEffort, review
from diskwars_cli.look_back.review_process import review_file
from diskwars_client.replays import replay_file
from diskwars_protocol.messages.file_verdicts import MAX_REVIEW_BYTES, ReviewResult
from tests.golden.write_files import FOLDER, SUFFIX

EFFORT = ReviewEffort(simulations=20, play_outs=40, decisions=8, seed=3)


def golden(name: str) -> bytes:
    return (FOLDER / f"{name}{SUFFIX}").read_bytes()


def run(raw: bytes, seat: str, seconds: str = "100") -> ReviewResult:
    command = [sys.executable, "-m", "diskwars_cli.look_back.review_process", seat, seconds]
    done = subprocess.run(command, input=raw, capture_output=True, check=True, timeout=120)
    return msgspec.json.decode(done.stdout, type=ReviewResult)


def test_moments_are_those_of_the_review_in_thousandths() -> None:
    raw = golden("pit-counted")
    lessons = review(PIT_GAME, replay_file(raw), 0, EFFORT)
    result = review_file(raw, 0, EFFORT)
    assert lessons
    assert (result.play_outs, result.fault) == (40, "")
    for lesson, moment in zip(lessons, result.moments, strict=True):
        assert (moment.seq, bytes(moment.done)) == (lesson.seq, msgspec.json.encode(lesson.done))
        assert bytes(moment.better) == msgspec.json.encode(lesson.better)
        assert abs(moment.better_wins - 1000 * lesson.better_chance) <= 0.5
        assert abs(moment.error - 1000 * lesson.error) <= 0.5
    assert len(msgspec.json.encode(result)) < MAX_REVIEW_BYTES


def test_file_that_cannot_be_reviewed_gives_the_kind_of_fault_alone() -> None:
    assert run(b"no match file", "0") == ReviewResult(fault=run(b"no match file", "0").fault)
    assert run(b"no match file", "0").fault.isidentifier()


def test_process_ends_itself_after_its_seconds() -> None:
    command = [sys.executable, "-m", "diskwars_cli.look_back.review_process", "0", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.wait(timeout=60) != 0  # its input never ends
