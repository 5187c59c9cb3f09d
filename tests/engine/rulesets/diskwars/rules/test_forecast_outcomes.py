"""Moves among disks of both packs turn out as tests/vectors/forecast_outcomes.json says; the page forecasts the same.

DISKWARS_GOLDEN=1 writes the file again. `python -m tests.engine.rulesets.diskwars.rules.test_forecast_outcomes FILE`
writes 10,000 others, which the page's test reads where DISKWARS_OUTCOMES names them.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_engine.rulesets.diskwars import rounds
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.stats import Profile
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.test_forecast_vectors import TERRAIN, FixedDice, board_text, is_over

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[4] / "vectors" / "forecast_outcomes.json"
BOARDS, ROWS_OF_A_BOARD, DISKS, SIZE = 28, 14, 11, 8.5
MANY_LANDINGS = 10_000
MAX_FILE_SIZE = 420_000
ABOUT = [
    "Moves of disks of both packs at random places, and what the engine decides.",
    "`path` are landings of one move, `flips` of them are made before the player decides again.",
    "`open`: a die or a player decides part of it, so the numbers are only one outcome.",
    "`dealt`, `wounded`, `destroyed`: by disk; `stripped`: the disk loses its empowerment (R16.7).",
]
PACK = combine_packs(core_pack(), expansion_pack())
PROFILES = sorted(PACK.disks.values(), key=lambda profile: profile.name)
TELLING_EFFECTS = {"IncreaseToughness", "IncreaseMeleeStrength", "RemoveEmpowerment"}
TELLING_KEYWORDS = {"relentless", "immune", "resistant", "impact", "guard", "flying", "frenzy"}
PRINTED = {
    "Guards": "small M4 S2 C2 T3, Guard 2",
    "Bulls": "medium M4 S5 C3 T6, Relentless, Impact 1",
    "Ghosts": "small M4 S3 C3 T4, Immune (physical)",
    "Rams": "small M5 S3 C3 T2, Relentless, Impact 2",
}


# ---------------------------------------------------------------- boards


def is_telling(profile: Profile) -> bool:
    """Return whether a disk has an aura, strips empowerment, engages with an ability, or has a keyword of a landing."""
    effects = {type(ability.effect).__name__ for ability in profile.abilities}
    engages = any(ability.timing == "engage" for ability in profile.abilities)
    return engages or bool(effects & TELLING_EFFECTS) or any(one.id in TELLING_KEYWORDS for one in profile.keywords)


TELLING = [profile.name for profile in PROFILES if is_telling(profile)]
AURAS = [
    profile.name
    for profile in PROFILES
    if {type(ability.effect).__name__ for ability in profile.abilities} & TELLING_EFFECTS
]


def outcome_position(chance: Random) -> ScriptedPosition:
    """Return disks in a heap, many of them one damage below their toughness."""
    lines, used = [TERRAIN], set()
    for number in range(DISKS):
        place = f"({chance.uniform(2, 2 + SIZE):.2f}, {chance.uniform(2, 2 + SIZE):.2f})"
        pool = chance.choice((AURAS, TELLING, list(PRINTED), [one.name for one in PROFILES]))
        name = chance.choice(pool)
        used.add(name)
        lines.append(f"{'AB'[number % 2]} {name} {place}")
    lines += [f"disk {name}: {text}" for name, text in PRINTED.items() if name in used]
    for option, values in (
        ("weakened_wounds", ("at_toughness", "above_toughness")),
        ("pins", ("strict", "contact")),
        ("impact_own", ("yes", "no")),
    ):
        lines.append(f"option {option} {chance.choice(values)}")
    board = scripted_position("\n".join(lines), PROFILES).board
    return ScriptedPosition(hurt(board, chance))


def hurt(board: Board, chance: Random) -> Board:
    """Return the board with tokens on its disks, none of which is due a wound."""
    disks = tuple(
        replace(disk, empowered=chance.random() < 0.4, weakened=int(chance.random() < 0.4)) for disk in board.disks
    )
    board = replace(board, disks=disks)
    toughness = [effective_stats.toughness(board, disk.id) for disk in disks]
    most = [max(0, tough - 1) for tough in toughness]
    return replace(
        board,
        disks=tuple(
            replace(disk, damage=chance.choice((0, most[disk.id], most[disk.id], most[disk.id] // 2))) for disk in disks
        ),
    )


# ---------------------------------------------------------------- what the engine decides


def judged_outcomes(seeds: Iterable[int]) -> Iterator[Json]:
    for seed in seeds:
        chance = Random(7000 + seed)
        table = outcome_position(chance).with_card_turn(0)
        if not table.open_questions:
            continue  # all disks are pinned
        moves = [
            option for option in table.options().parametric if isinstance(option.example, a.MoveDisk) and option.flips
        ]
        rows: list[Json] = []
        for _ in range(4 * ROWS_OF_A_BOARD):
            if not moves or len(rows) == ROWS_OF_A_BOARD:
                break
            option = chance.choice(moves)
            assert isinstance(option.example, a.MoveDisk)
            row = moved_row(table, option.example.disk, chance.randint(1, min(3, option.flips)), chance)
            if row is not None:
                rows.append(row)
        yield {"board": board_text(table.board), "rows": rows}


def moved_row(table: ScriptedPosition, disk: a.DiskId, flips: int, chance: Random) -> Json:
    """Return a path and what comes of it; none where it is not legal."""
    diameter = 2 * table.board.profile(disk).radius
    path = tuple(geometry.flip_at(chance.randrange(72), diameter) for _ in range(flips))
    seat, question = table.open_questions[0]
    action = a.MoveDisk(disk, path, end_activation=False, over_own_disks=True)
    try:
        outcome = rounds.decide(table.board, seat, question, action, FixedDice())
    except Illegal:
        return None
    x, y, places = table.board.disks[disk].x, table.board.disks[disk].y, []
    for dx, dy in path:
        x, y = x + dx, y + dy
        places.append([x, y])
    made = sum(isinstance(event, e.DiskFlipped) for event in outcome.events)
    return {"disk": disk, "path": places, "flips": made, **consequences(table, outcome)}


def consequences(table: ScriptedPosition, outcome: Outcome[Board, a.BoardQuestion]) -> Json:
    dealt: Counter[int] = Counter()
    wounded: list[int] = []
    destroyed: list[int] = []
    is_open = not is_over(table.after(outcome))
    is_stripped = False
    for event in outcome.events:
        is_open |= bool(getattr(event, "dice", None))
        match event:
            case e.DamageDealt():
                dealt[event.disk] += event.taken
            case e.DiskWounded():
                wounded.append(event.disk)
            case e.DisksRemoved():
                destroyed += event.disks
            case e.DiskEmpowered():
                is_stripped |= not event.empowered
            case _:
                pass
    return {
        "open": is_open,
        "dealt": sorted([disk, taken] for disk, taken in dealt.items() if taken),
        "wounded": sorted(wounded),
        "destroyed": sorted(destroyed),
        "stripped": is_stripped,
    }


# ---------------------------------------------------------------- the file


def outcomes_text(groups: list[Json]) -> str:
    text = json.dumps({"about": ABOUT, "outcomes": groups}, separators=(",", ":"))
    return text.replace('{"board"', '\n{"board"') + "\n"


def test_the_engine_decides_as_the_outcomes_say() -> None:
    text = outcomes_text(list(judged_outcomes(range(BOARDS))))
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text
    assert len(text) <= MAX_FILE_SIZE


def test_the_outcomes_hold_cases_of_every_kind() -> None:
    rows = [row for group in json.loads(FILE.read_text("utf-8"))["outcomes"] for row in group["rows"]]
    sure = [row for row in rows if not row["open"]]
    assert len(rows) > 200
    for field in ("dealt", "wounded", "destroyed", "stripped"):
        assert sum(bool(row[field]) for row in sure) > 3, field
    assert sum(bool((row["wounded"] or row["destroyed"]) and not row["dealt"]) for row in sure) > 5
    assert any(row["flips"] < len(row["path"]) for row in sure)


if __name__ == "__main__":
    boards = range(BOARDS, BOARDS + MANY_LANDINGS // ROWS_OF_A_BOARD + 1)
    Path(sys.argv[1]).write_text(outcomes_text(list(judged_outcomes(boards))), "utf-8")
