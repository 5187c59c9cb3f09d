"""Comparison of what the terminal forecasts with what the engine decides, for rows of forecast_cases.py.

`python -m tests.client.rulesets.diskwars.forecast_comparison COUNT SEED [--write]` makes COUNT rows of each kind,
compares terminal and page with them, and prints a table; `--write` puts it into docs/forecasts.md.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.rulesets.diskwars.clash import Clash, aftermath, landing_clash, path_steps
from diskwars_client.rulesets.diskwars.melee_outlook import melee_outlook, standing_links, struck_in
from diskwars_client.rulesets.diskwars.preview import preview_lines
from diskwars_client.rulesets.diskwars.shot_odds import scatter_targets, shot_odds
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Engagement, Pin
from tests.client.rulesets.diskwars.forecast_vectors import read_board
from tests.engine.rulesets.diskwars.rules.forecast_cases import JUDGES

Json: TypeAlias = Any  # what json.loads gives
ROOT = Path(__file__).parents[4]
FILE = ROOT / "tests" / "vectors" / "forecast_outcomes.json"
PAGE = ROOT / "docs" / "forecasts.md"
PAGE_TIMEOUT_MS = 3_600_000
BEGIN, END = "<!-- comparison -->\n", "<!-- end of comparison -->\n"
KIND_NAMES = {"outcomes": "moves", "reinforcements": "reinforcements", "shots": "shots", "fights": "fights"}
SAID = ("not forecast: ", " engages: ", " % to wound ", " % to destroy ")
"""Words that say that a die, a choice or something not worked out has a part in a landing."""


class Tally(Struct):
    """Rows of one kind: compared, of which open, and the first of those that disagree."""

    rows: int = 0
    open: int = 0
    disagreements: list[str] = []


def compared(kind: str, groups: Sequence[Json]) -> Tally:
    """Compare the terminal with all rows of one kind."""
    tally = Tally()
    for group in groups:
        board = read_board(group["board"])
        for row in group["rows"]:
            tally.rows += 1
            tally.open += bool(row.get("open") or row.get("triggers"))
            tally.disagreements += [f"{kind}: {what} in {json.dumps(row)}" for what in COMPARISONS[kind](board, row)]
    return tally


# ---------------------------------------------------------------- landings


def facts(clashes: Sequence[Clash]) -> Json:
    """Return what clashes bring, as rows write it."""
    dealt: dict[int, int] = {}
    for strike in (strike for clash in clashes for strike in clash.strikes if strike.taken):
        dealt[strike.target] = dealt.get(strike.target, 0) + strike.taken
    fates = [(strike.target, strike.fate) for clash in clashes for strike in clash.strikes]
    fates += [(fall.disk, fall.fate) for clash in clashes for fall in clash.falls]
    return {
        "dealt": sorted(map(list, dealt.items())),
        "wounded": sorted(disk for disk, fate in fates if fate == "wounded"),
        "destroyed": sorted(disk for disk, fate in fates if fate == "destroyed"),
    }


def differences(found: Json, row: Json) -> Iterator[str]:
    for field, value in found.items():
        if value != row[field]:
            yield f"{field} is forecast as {value}"


def move_differences(board: Board, row: Json) -> Iterator[str]:
    disk, now = row["disk"], board.disks[row["disk"]]
    places = [(now.x, now.y), *row["path"]]
    flips = tuple((x - x0, y - y0) for (x0, y0), (x, y) in pairwise(places))
    pauses = [number for number, step in enumerate(path_steps(board, disk, flips), 1) if step.clash.is_pause]
    made = pauses[0] if pauses else len(flips)
    if made != row["flips"]:
        yield f"{made} flips are forecast"
    # What a walking disk does after the flips that are made is decided again; a flight goes on to its last place.
    path = flips if keywords.is_flying(board.profile(disk)) else flips[: row["flips"]]
    clashes = [step.clash for step in path_steps(board, disk, path)]
    text = "\n".join(preview_lines(board, a.MoveDisk(disk, path, over_own_disks=True)))
    if row["open"] and any(words in text for words in SAID):
        return  # where nothing is said to be open, such as a die that harms nobody, the rest has to agree
    stripped = any(clash.stripper is not None for clash in clashes)
    yield from differences({**facts(clashes), "stripped": stripped}, row)
    yield from text_differences(text, row)


def text_differences(text: str, row: Json) -> Iterator[str]:
    """Yield what the lines name too often or too seldom."""
    landing = "\n".join(line for line in text.splitlines() if "in the melee" not in line and " toughness " not in line)
    for verb, field in (("wounds", "wounded"), ("destroys", "destroyed")):
        if landing.count(f" damage {verb} ") > len(row[field]):
            yield f"too many disks are said to be {field}: {text}"


def reinforcement_differences(board: Board, row: Json) -> Iterator[str]:
    action = a.Reinforce(row["disk"], row["x"], row["y"])
    text = "\n".join(preview_lines(board, action))
    if row["open"] and any(words in text for words in SAID):
        return  # where nothing is said to be open, such as a die that harms nobody, the rest has to agree
    yield from differences(facts([landing_clash(board, row["disk"], row["x"], row["y"], is_move=False)]), row)
    yield from text_differences(text, row)


# ---------------------------------------------------------------- shots and fights


def shot_differences(board: Board, row: Json) -> Iterator[str]:
    action = a.Shoot(row["disk"], row["target"], row["shot"])
    odds, of = shot_odds(board, action), row["of"]
    found = {"unharmed": odds.unharmed, "struck": odds.wounded, "taken": odds.mean, "dice": Fraction(odds.dice, of)}
    yield from differences(found, {field: Fraction(row[field], of) for field in found})
    yield from differences({"nearest": scatter_targets(board, row["disk"], row["target"])}, row)
    if after := row.get("after"):
        clash = aftermath(board, row["target"])
        text = "\n".join(preview_lines(board, action))
        if after["open"]:
            if " engages: " not in text and "not forecast: another order" not in text:
                yield f"nothing is said to be open: {text}"
            return
        yield from differences(facts([clash]), after)


def fight_differences(board: Board, row: Json) -> Iterator[str]:
    disks, pins = msgspec.convert((row["disks"], row["pins"]), tuple[tuple[Disk, ...], tuple[Pin, ...]])
    engagements = msgspec.convert(row["engagements"], tuple[Engagement, ...])
    board = replace(board, disks=disks, pins=pins, engagements=engagements)
    engagement = engagements[row["engagement"]]
    targets = {disk: target for step in row["steps"] for disk, target, _ in step["blows"]}
    outlook = melee_outlook(board, standing_links(board, engagement.links), targets, struck_in(board, engagement))
    if row["triggers"]:
        if not outlook.is_triggering:
            yield "abilities of pins laid bare are not said to be left out"
        return
    steps = [
        {"speed": step.speed, "blows": sorted([blow.disk, blow.target, blow.strength] for blow in step.blows)}
        for step in outlook.steps
    ]
    found = {
        "steps": steps,
        "damage": [[disk, step.taken[disk]] for step in outlook.steps for disk in sorted(step.taken)],
        "wounded": sorted(outlook.disks_of_fate("wounded")),
        "destroyed": sorted(outlook.disks_of_fate("destroyed")),
    }
    judged = {**row, "wounded": sorted(row["wounded"]), "destroyed": sorted(row["destroyed"])}
    yield from differences(found, judged)


COMPARISONS = {
    "outcomes": move_differences,
    "reinforcements": reinforcement_differences,
    "shots": shot_differences,
    "fights": fight_differences,
}


# ---------------------------------------------------------------- the command


def random_groups(kind: str, count: int, seed: int) -> list[Json]:
    """Make at least `count` rows of a kind; `seed` is the number of its first board."""
    groups: list[Json] = []
    rows = number = 0
    while rows < count:
        groups += JUDGES[kind]([seed + number])
        rows += len(groups[-1]["rows"]) if groups else 0
        number += 1
    return groups


def page_fails(groups: dict[str, list[Json]]) -> str:
    """Compare the page with rows, and return what its test prints; empty if it passes."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes.json"
        file.write_text(json.dumps(groups), "utf-8")
        test = "tests/rulesets/diskwars/forecast_outcomes.test.ts"
        command = ["node_modules/.bin/vitest", "run", test, "--testTimeout", str(PAGE_TIMEOUT_MS)]
        run = subprocess.run(
            command,
            cwd=ROOT / "clients" / "web",
            env={**os.environ, "DISKWARS_OUTCOMES": str(file)},
            capture_output=True,
            text=True,
            check=False,
        )
        return "" if run.returncode == 0 else run.stdout + run.stderr


def main(count: int, seed: int, is_writing: bool) -> None:
    groups = {kind: random_groups(kind, count, seed) for kind in JUDGES}
    tallies = {kind: compared(kind, of) for kind, of in groups.items()}
    page = page_fails(groups)
    lines = ["| kind | rows | of which a die or a player decides a part | terminal differs |", "|---|--:|--:|--:|"]
    lines += [
        f"| {KIND_NAMES[kind]} | {tally.rows:,} | {tally.open:,} | {len(tally.disagreements)} |"
        for kind, tally in tallies.items()
    ]
    text = f"{count:,} rows of each kind from board {seed:,} on. The page's test of the same rows "
    text += "passes.\n\n" if not page else "fails.\n\n"
    report = text + "\n".join(lines) + "\n"
    print(report)
    for tally in tallies.values():
        print(*tally.disagreements[:3], sep="\n")
    print(page[-4000:])
    if is_writing:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{report}\n{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "--write" in sys.argv[3:])
