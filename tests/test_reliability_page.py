"""The tests that docs/reliability.md names exist."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "reliability.md"
NAMED = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", PAGE.read_text().partition("## Promises and their tests")[2])


def test_the_page_names_tests() -> None:
    assert len(NAMED) > 100


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_named_test_exists(file: str, name: str) -> None:
    assert re.search(rf"(?m)^(?:async )?def {name or 'test_'}", (TESTS / file).read_text())
