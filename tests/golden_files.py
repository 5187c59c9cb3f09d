"""Texts that follow from code but are read by people: compared as they are; `./dev golden` writes them."""

import json
import os
from pathlib import Path

MAX_LINE_WIDTH = 110


def assert_golden(file: Path, text: str) -> None:
    """Assert that the file holds this text, or write it when golden files are regenerated."""
    if os.environ.get("DISKWARS_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"{file.name} is missing: ./dev golden {running_test_file()} writes it"
    assert file.read_text(encoding="utf-8") == text, (
        f"{file.name} differs: ./dev golden {running_test_file()} writes it"
    )


def running_test_file() -> str:
    """Return the path of the test that runs, as pytest says it."""
    return os.environ.get("PYTEST_CURRENT_TEST", "tests").partition("::")[0]


def format_json(value: object, indent: int = 0, column: int = 0) -> str:
    """Return JSON for people: values that fit are on one line, others one level deeper."""
    flat = json.dumps(value, ensure_ascii=False)
    if column + len(flat) <= MAX_LINE_WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = indent + 2
    if isinstance(value, dict):
        keys = [json.dumps(name, ensure_ascii=False) + ": " for name in value]
        parts = [
            key + format_json(item, deeper, deeper + len(key)) for key, item in zip(keys, value.values(), strict=True)
        ]
    else:
        parts = [format_json(item, deeper, deeper) for item in value]
    brackets = "{}" if isinstance(value, dict) else "[]"
    lines = [brackets[0], ",\n".join(" " * deeper + part for part in parts), " " * indent + brackets[1]]
    return "\n".join(lines)
