"""The bounds of a typed order are those of tests/vectors/order_size.json, which the page reads too."""

import json
from pathlib import Path
from typing import Any

import pytest

from diskwars_client.plugs.terminal_ruleset import OrderError, check_order_size
from tests.rows import each_row

LINES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "order_size.json").read_text())[
    "lines"
]


@each_row("line", LINES, ids=[line["name"] for line in LINES])
def test_order_within_the_bounds_is_taken_and_a_longer_one_refused(line: dict[str, Any]) -> None:
    typed = line["before"] + line["unit"] * line["times"] + line["after"]
    if line["taken"]:
        check_order_size(typed)
    else:
        with pytest.raises(OrderError, match="at most"):
            check_order_size(typed)
