"""Moves, reinforcements, shots and fights turn out as tests/vectors/forecast_outcomes.json says.

Page and terminal forecast the same, or say what they leave out. DISKWARS_GOLDEN=1 writes the file again;
docs/forecasts.md names the command that compares many more.
"""

import json
from pathlib import Path

from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.engine.rulesets.diskwars.rules.forecast_cases import JUDGES, Json

FILE = Path(__file__).parents[4] / "vectors" / "forecast_outcomes.json"
BOARDS = {"outcomes": 28, "reinforcements": 8, "shots": 12, "fights": 14}
"""Boards of each kind that the file holds; the seeds behind them are for longer comparisons."""
MAX_FILE_SIZE = 760_000
ABOUT = [
    "Moves, reinforcements, shots and fights of disks of both packs at random places, and what the engine decides.",
    "outcomes: `path` are landings of a move, `flips` of them are made before the player decides again.",
    "`open`: a die or a player decides part of it, so the numbers are only one outcome.",
    "`dealt`, `wounded`, `destroyed`: by disk; `stripped`: the disk loses its empowerment (R16.7).",
    "reinforcements: a disk of the reserve is laid at (x, y).",
    "shots: chances in parts of `of`, each die that shows scatter or chaos counting as a miss; `taken` is their mean.",
    "`nearest` are the disks of which scatter dice strike one; `after` is what the destruction of the target brings.",
    "fights: an engagement as it begins or goes on, whom disks with a choice strike, each step's blows, the outcome.",
    "`triggers` counts the engage abilities of pins laid bare, which change what comes after them.",
]


def outcomes_text(groups: Json) -> str:
    text = json.dumps({"about": ABOUT, **groups}, separators=(",", ":"))
    return text.replace('{"board"', '\n{"board"') + "\n"


def test_the_engine_decides_as_the_outcomes_say() -> None:
    text = outcomes_text({kind: list(judge(range(BOARDS[kind]))) for kind, judge in JUDGES.items()})
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text
    assert len(text) <= MAX_FILE_SIZE


def rows_of(kind: str) -> list[Json]:
    return [row for group in json.loads(FILE.read_text("utf-8"))[kind] for row in group["rows"]]


def test_the_outcomes_hold_cases_of_every_kind() -> None:
    rows = rows_of("outcomes")
    sure = [row for row in rows if not row["open"]]
    assert len(rows) > 200
    for field in ("dealt", "wounded", "destroyed", "stripped"):
        assert sum(bool(row[field]) for row in sure) > 3, field
    assert sum(bool((row["wounded"] or row["destroyed"]) and not row["dealt"]) for row in sure) > 5
    assert any(row["flips"] < len(row["path"]) for row in sure)
    reinforced = [row for row in rows_of("reinforcements") if not row["open"]]
    assert sum(bool(row["dealt"]) for row in reinforced) > 2
    shots = rows_of("shots")
    assert {row["dice"] for row in shots} >= {1, 2, 3}
    assert sum("after" in row for row in shots) > 10
    assert sum(bool(row["after"]["wounded"] or row["after"]["destroyed"]) for row in shots if "after" in row) > 1
    fights = rows_of("fights")
    assert any(row["engagements"][row["engagement"]].get("strikers") for row in fights), "some go on"
    assert {step["speed"] for row in fights for step in row["steps"]} >= {"swift", "normal"}
