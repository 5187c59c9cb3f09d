"""docs/data.md: its programs read a stream that `simulate` has written."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.command_runner import CommandRunner
from tests.optional_packages import import_or_skip

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
BLOCKS = {
    block.splitlines()[0].strip("# "): block
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
}


def test_programs_of_the_page_read_a_stream(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for package in ("pyarrow", "duckdb", "polars"):
        import_or_skip(package)
    file = tmp_path / "pit.jsonl.zst"
    words = ("simulate", "--ruleset", "pit", "--bots", "random", "--matches", "3", "--records", str(file))
    assert CommandRunner(capsys)(*words).code == 0
    folder = tmp_path / "tables"
    assert CommandRunner(capsys)("dump", "--tables", str(folder), "--from", str(file)).code == 0
    monkeypatch.setattr(sys, "argv", ["program", str(file), str(folder)])
    printed = {}
    for name, block in BLOCKS.items():
        exec(compile(block, name, "exec"), {"__name__": "__main__"})
        printed[name] = capsys.readouterr().out
    assert set(printed) == {"count.py", "whole.py", "by_duckdb.py", "by_polars.py"}
    assert re.search(r"\('\w+', \d+, [01]\.\d+\)", printed["by_duckdb.py"])
    assert re.search(r"melee +┆ \d+ +┆ \d+\.\d+", printed["by_polars.py"])
    answers, winners = printed["count.py"].splitlines()
    assert "'take_seat', 6" in answers or "('engage'," in answers
    assert sum(map(int, re.findall(r"(\d+)\)(?:,|\])", winners))) == 3
    assert re.findall(r"^(seed-\d) \d+ records \w+$", printed["whole.py"], re.MULTILINE) == [
        "seed-1",
        "seed-2",
        "seed-3",
    ]
