"""A golden file that differs is reported with the command that writes it."""

from pathlib import Path

import pytest

from tests.golden_files import assert_golden


def test_report_names_the_test_that_writes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISKWARS_GOLDEN", raising=False)
    file, command = tmp_path / "page.md", "./dev golden tests/golden/test_golden_files.py writes it"
    with pytest.raises(AssertionError, match=rf"page\.md is missing: {command}"):
        assert_golden(file, "new")
    file.write_text("old")
    with pytest.raises(AssertionError, match=rf"page\.md differs: {command}"):
        assert_golden(file, "new")
