"""Falls of toughness are forecast as the engine decides them, row by row of tests/vectors/forecast_outcomes.json."""

import json
from itertools import pairwise
from pathlib import Path

from diskwars_client.rulesets.diskwars.preview import preview_lines
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import keywords
from tests.client.rulesets.diskwars.forecast_vectors import read_board
from tests.engine.rulesets.diskwars.positions import scripted_position

FILE = Path(__file__).parents[3] / "vectors" / "forecast_outcomes.json"


def test_who_falls_without_damage_is_named_or_said_not_to_be_forecast() -> None:
    fallen = stripped = 0
    for group in json.loads(FILE.read_text("utf-8"))["outcomes"]:
        board = read_board(group["board"])
        for row in group["rows"]:
            if row["open"]:
                continue
            now = board.disks[row["disk"]]
            path = [(now.x, now.y), *row["path"]]
            flips = tuple((x - x0, y - y0) for (x0, y0), (x, y) in pairwise(path))
            made = flips if keywords.is_flying(board.profile(row["disk"])) else flips[: row["flips"]]
            text = "\n".join(preview_lines(board, a.MoveDisk(row["disk"], made)))
            assert ("loses its empowerment to" in text) == row["stripped"], (row, text)
            stripped += row["stripped"]
            if "not forecast: " in text or row["dealt"]:
                continue  # engage abilities are named in words, and the rest is said to be left out
            found = text.count(" loses toughness and is wounded"), text.count(" loses toughness and is destroyed")
            assert found == (len(row["wounded"]), len(row["destroyed"])), (row, text)
            fallen += sum(found)
    assert fallen > 5
    assert stripped > 20


def test_a_disk_that_leaves_an_aura_may_fall_of_the_damage_that_it_has() -> None:
    """R-45: three damage beside Grom, then one flip away from him."""
    board = scripted_position("A Grom the Paunch (3.2, 10)\nA Night Goblins (10, 10) damage 3").board
    (move,) = (disk.id for disk in board.disks if board.profile(disk.id).name == "Night Goblins")
    flip = 2 * board.profile(move).radius
    assert "  Night Goblins loses toughness and is destroyed: damage 3, toughness 3" in preview_lines(
        board, a.MoveDisk(move, ((flip, 0),))
    )
    assert not any("loses toughness" in line for line in preview_lines(board, a.MoveDisk(move, ((-flip, 0),))))
