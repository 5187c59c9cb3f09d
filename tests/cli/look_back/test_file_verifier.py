"""The program that verifies one file for a server: whatever the file says, its verdict names what is wrong."""

import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diskwars_cli.look_back import file_verifier
from diskwars_cli.look_back.file_verifier import MAX_LINE_BYTES, judge_file
from diskwars_protocol.messages.file_verdicts import MAX_VERDICT_TEXT, FileVerdict
from tests.golden.write_files import todays_file
from tests.interop.forgeries import Forgery

FILES = ("pit-counted", "pit-agreements")
OUT_OF_RANGE = (99, -1)


def indexing_places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of each number in a record that stands for a seat, slot, offer or record."""
    if isinstance(value, dict):
        items: Any = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        words = ("seat", "missing", "winners", "_id", "taken_back_to", "record", "step", "index")
        if type(value) is int and any(word in name for word in words):
            yield path
        return
    for step, child in items:
        if step != "board":
            yield from indexing_places(child, (*path, step))


def with_value(raw: bytes, seq: int, place: tuple[str | int, ...], value: int) -> bytes:
    forgery = Forgery(raw)
    parent = forgery.body(seq)
    for step in place[:-1]:
        parent = parent[step]
    parent[place[-1]] = value
    return forgery.written(is_rechained=True)


@pytest.mark.parametrize("name", FILES)
def test_number_that_is_out_of_range_is_refused_with_its_record(name: str) -> None:
    """One record of each kind has each of its numbers that index something changed."""
    raw, tried = todays_file(name), set[tuple[Any, ...]]()
    for record in Forgery(raw).records:
        body = record["body"]
        for place in indexing_places(body):
            event = body["events"][place[1]].get("type") if place[0] == "events" else body.get("action", {}).get("type")
            kind = (event, *(step for step in place if isinstance(step, str)))
            if kind in tried:
                continue
            tried.add(kind)
            for value in OUT_OF_RANGE:
                verdict = judge_file(with_value(raw, record["seq"], place, value))
                assert verdict.code in ("import_changed", "import_unfinished"), (kind, value, verdict)
                assert verdict.line is not None, (kind, value, verdict)
    assert len(tried) > 10


def test_time_before_the_epoch_is_refused_with_its_record() -> None:
    verdict = judge_file(with_value(todays_file("pit-counted"), 1, ("at_ms",), -1))
    assert (verdict.code, verdict.line) == ("import_changed", 1)
    assert "it was done at -1" in verdict.text


def test_long_line_is_refused_with_its_number() -> None:
    raw = todays_file("pit-counted")
    forgery = Forgery(raw)
    forgery.body(3)["events"][0]["player"] = "x" * MAX_LINE_BYTES
    verdict = judge_file(forgery.written(is_rechained=True))
    assert (verdict.code, verdict.line) == ("import_too_large", 3)
    assert judge_file(b"{" * (MAX_LINE_BYTES + 1) + raw).line == 0


def test_text_of_a_verdict_quotes_no_whole_record() -> None:
    forgery = Forgery(todays_file("pit-counted"))
    forgery.body(1)["decisions"] *= 3000
    verdict = judge_file(forgery.written(is_rechained=True))
    assert (verdict.code, verdict.line, len(verdict.text)) == ("import_changed", 1, MAX_VERDICT_TEXT)


def test_crash_of_the_program_is_a_verdict_of_its_own(tmp_path: Path) -> None:
    program = tmp_path / "crashing.py"
    program.write_text(
        f"from {file_verifier.__name__} import main\nimport {file_verifier.__name__} as program\n"
        "def crash(raw, packs):\n    raise KeyError('slot')\n"
        "program.judge_file = crash\nmain(['1000', '20'])\n"
    )
    done = subprocess.run(
        [sys.executable, program], input=zlib.compress(b""), capture_output=True, timeout=60, check=True
    )
    verdict = msgspec.json.decode(done.stdout, type=FileVerdict)
    assert (verdict.file, verdict.code) == (None, "import_failed")
