"""Landings, fights and shots turn out as tests/vectors/forecasts.json says, with which the page agrees.

The engine judges boards of disks of the core pack at random places. DISKWARS_GOLDEN=1 writes the file again.
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import rounds
from diskwars_engine.rulesets.diskwars.activation import shooting
from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import DiceKind, Draw
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, fold
from diskwars_protocol.rulesets.diskwars.setup_cards import Layout
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    DealDamage,
    DealDamageNear,
    Heal,
    Keyword,
    ReduceToughness,
)
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.engine.rulesets.diskwars.positions import (
    CRITICAL,
    HIT,
    MISS,
    ScriptedMatchDice,
    ScriptedPosition,
    scripted_position,
)
from tests.engine.scripted_dice import BadScript

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[4] / "vectors" / "forecasts.json"
MAX_FILE_SIZE = 520_000
FACES = 6
SHOWN_FACES = {HIT: 1, CRITICAL: 1, MISS: 4}
"""The numbers of faces of a battle die that hit, are critical, or do neither at first."""
LANDING_BOARDS, PATH_BOARDS, CLASH_BOARDS, ABILITY_BOARDS, FIGHT_BOARDS, SHOT_BOARDS = 10, 5, 7, 5, 24, 16
LANDINGS_OF_A_DISK = 10
PATHS_OF_A_DISK = 6
SHOTS_OF_A_BOARD = 12
TERRAIN = """\
terrain Wood at (3, 3) (6, 3) (6, 6) (3, 6); Blocks Sight, Cover
terrain Mere at (9, 2) (12, 2) (12, 5) (9, 5); Rough
terrain Gully at (4, 9) (7, 9) (7, 12) (4, 12); Dangerous (physical)
terrain Wall at (10, 9) (13, 9) (13, 11) (10, 11); Defensive, Cover
"""
PRINTED = {
    "Guards": "small T6, Guard 2",
    "Stout": "medium M4 S4 C4 T6 St1, Resistant (physical)",
    "Ghosts": "small M4 S3 C3 T4, Immune (physical)",
    "Furies": "large M4 S4 C3 T6 St1, Frenzy",
    "Bulls": "medium M4 S5 C3 T6, Relentless, Impact 1",
    "Mortars": "small M3, shot 3 dice strength 2 physical to siege",
}
"""Disks with keywords that few or none of the core pack have."""
ABOUT = [
    "Boards of disks at random places, and what the engine decides on them.",
    "landings: a flip of a disk to (x, y): is it legal, pins, ground, what is rolled, and does the move go on.",
    "paths: flips of a move to each (x, y), up to the one that ends it, and the dangerous ground that each rolls for.",
    "clashes: a flip of a disk to (x, y) onto enemies, and the damage that is dealt there before any melee.",
    "abilities: a focus ability that is used on a target, and what it deals there and around, or heals, or weakens.",
    "fights: each engagement as it begins, whom disks with a choice strike, the blows of each step and their outcome.",
    "shots: chances in parts of `of`, each die that shows scatter or chaos counting as a miss; `taken` is their mean.",
    "`nearest` are the disks of which scatter dice strike one.",
]


class FixedDice(ScriptedMatchDice):
    """Dice of which every battle die of the first throw shows a face of `symbols`, and every number die `number`."""

    def __init__(self, symbols: tuple[int, ...] = (), number: int = 1) -> None:
        super().__init__((), 1)
        self._symbols, self._number, self._index = symbols, number, 0

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        faces = (self._number,) * count
        if kind == "symbol_dice":
            faces = self._symbols if len(self._symbols) == count else (MISS,) * count
        drawn = Draw(self.step, self._index, kind, sides, tag, faces)
        self._index += count
        return drawn


# ---------------------------------------------------------------- boards


def random_position(chance: Random, size: float, disks: int, topmost: str = "") -> ScriptedPosition:
    """Return disks of two seats in a square, its sides this many inches long; later disks are on top."""
    names = sorted(disk.name for disk in core_pack().disks.values())
    lines, used = [TERRAIN], set()
    for number in range(disks):
        place = f"({chance.uniform(2, 2 + size):.2f}, {chance.uniform(2, 2 + size):.2f})"
        tokens = chance.choice(("", "", "  damage 1", "  damage 2", "  empowered", "  damage 1 weakened 1"))
        name = chance.choice(chance.choice((names, names, list(PRINTED))))
        name = topmost if topmost and number == disks - 1 else name
        used.add(name)
        lines.append(f"{'AB'[number % 2]} {name} {place}{tokens}")
    lines += [f"disk {name}: {text}" for name, text in PRINTED.items() if name in used]
    return scripted_position("\n".join(lines))


def board_text(board: Board) -> Json:
    """Return a board with what forecasts read of it."""
    revealed = {side.revealed_card for side in board.sides}
    cards = tuple(card for card in board.cards if card.id in revealed)
    return msgspec.to_builtins(replace(board, cards=cards, layout=Layout(), cursor="", engagements=()))


# ---------------------------------------------------------------- landings


def judged_landings() -> Iterator[Json]:
    for seed in range(LANDING_BOARDS):
        chance = Random(seed)
        table = random_position(chance, 11, 12).with_card_turn(0)
        moves = [
            option
            for option in table.options().parametric
            if isinstance(option.example, a.MoveDisk) and option.flips > 1
        ]
        rows = [
            landing(table, move.example.disk, vector)
            for move in moves
            if isinstance(move.example, a.MoveDisk)
            for vector in flips_of(table.board, chance, move.example.disk)
        ]
        yield {"board": board_text(table.board), "rows": rows}


def flips_of(board: Board, chance: Random, disk: a.DiskId) -> list[geometry.Point]:
    """Return flips toward other disks and others at random."""
    diameter = 2 * board.profile(disk).radius
    steps = chance.sample(range(72), LANDINGS_OF_A_DISK)
    return [geometry.flip_at(step, diameter) for step in steps]


def landing(table: ScriptedPosition, disk: a.DiskId, vector: geometry.Point) -> Json:
    x, y = table.board.disks[disk].x + vector[0], table.board.disks[disk].y + vector[1]
    row: Json = {"disk": disk, "x": x, "y": y}
    seat, question = table.open_questions[0]
    action = a.MoveDisk(disk, (vector,), end_activation=False)
    try:
        outcome = rounds.decide(table.board, seat, question, action, FixedDice())
    except Illegal:
        return {**row, "legal": False}
    flipped = next(event for event in outcome.events if isinstance(event, e.DiskFlipped))
    now = fold_until(table.board, outcome.events, flipped).disks[disk]
    impact = [event.targets for event in outcome.events if isinstance(event, e.ImpactRolled)]
    guards = [event.disk for event in outcome.events if isinstance(event, e.GuardRolled)]
    dangers = [event.piece for event in outcome.events if isinstance(event, e.DangerRolled)]
    pins = [pin.bottom for pin in flipped.pins_gained if pin.top == disk]
    found = {"pins": pins, "ground": now.terrain, "impact": sorted(impact[0]) if impact else [], "guards": guards}
    after = table.after(outcome)
    # It falls before the ground harms it, or an ability is asked for first.
    is_early = after.board.disks[disk].place != BATTLEFIELD or not is_over(after)
    return {**row, "legal": True, **found, "dangers": None if is_early else dangers, "goes_on": goes_on(after, disk)}


def is_over(table: ScriptedPosition) -> bool:
    """Return whether all that a landing brings has happened."""
    return all(
        isinstance(question, a.ActivationQuestion | a.ContinuationQuestion) for _, question in table.open_questions
    )


def fold_until(board: Board, events: Any, last: e.BoardEvent) -> Board:
    for event in events:
        board = fold(board, event)
        if event is last:
            return board
    raise AssertionError("the event is not among them")


def goes_on(table: ScriptedPosition, disk: a.DiskId) -> bool | None:
    """Return whether the disk may flip once more; None where it has fallen or something else is asked first.

    None of a flying disk too: where its path is longer, what it passes does not stop it (R8.7).
    """
    is_flying = any(keyword.id == "flying" for keyword in table.board.profile(disk).keywords)
    if is_flying or table.board.disks[disk].place != BATTLEFIELD or not is_over(table):
        return None
    questions = [question for _, question in table.open_questions]
    return any(isinstance(question, a.ContinuationQuestion) and "move" in question.allowed for question in questions)


# ---------------------------------------------------------------- paths


def judged_paths() -> Iterator[Json]:
    """Judge moves that leave ground and return to it."""
    for seed in range(PATH_BOARDS):
        chance = Random(3000 + seed)
        table = path_position(chance).with_card_turn(0)
        moves = [
            option
            for option in table.options().parametric
            if isinstance(option.example, a.MoveDisk) and option.flips > 1
        ]
        rows = [
            row
            for move in moves
            if isinstance(move.example, a.MoveDisk)
            for _ in range(PATHS_OF_A_DISK)
            if (row := path_row(table, move.example.disk, move.flips, chance))
        ]
        yield {"board": board_text(table.board), "rows": rows}


def path_position(chance: Random) -> ScriptedPosition:
    lines = [
        "terrain Fissure at (6, 6) (9, 6) (9, 8) (6, 8); Dangerous (arcane), Rough",
        "terrain Gully at (6, 9) (9, 9) (9, 11) (6, 11); Dangerous (physical)",
        "disk Riders: small M5 T9 St2",
        "disk Walkers: medium M4 T9 St2, Strider",
        "disk Kites: small M4 T9 St2, Flying",
        "disk Posts: small T4",
    ]
    for number, name in enumerate(("Riders", "Walkers", "Kites", "Posts")):
        lines.append(f"{'AAAB'[number]} {name} ({chance.uniform(5, 10):.2f}, {chance.uniform(5, 11):.2f})")
    return scripted_position("\n".join(lines))


def path_row(table: ScriptedPosition, disk: a.DiskId, flips: int, chance: Random) -> Json:
    """Flip forth and back at random until the move ends; none where a flip is not legal."""
    diameter, step = 2 * table.board.profile(disk).radius, chance.randrange(72)
    is_flying = any(keyword.id == "flying" for keyword in table.board.profile(disk).keywords)
    path: list[geometry.Point] = []
    places, dangers = [], []
    x, y = table.board.disks[disk].x, table.board.disks[disk].y
    for _ in range(flips - 1):
        step = (step + chance.choice((36, 36, 0, 12))) % 72
        path.append(geometry.flip_at(step, diameter))
        x, y = x + path[-1][0], y + path[-1][1]
        places.append([x, y])
        if is_flying:
            continue  # R8.7: the whole path at once
        outcome = flip_once(table, disk, tuple(path[-1:]))
        if outcome is None:
            return None
        dangers.append([event.piece for event in outcome.events if isinstance(event, e.DangerRolled)])
        table = table.after(outcome)
        if not goes_on(table, disk):
            return {"disk": disk, "places": places, "dangers": dangers, "ends": True}
    if is_flying:
        outcome = flip_once(table, disk, tuple(path))
        if outcome is None:
            return None
        last = [event.piece for event in outcome.events if isinstance(event, e.DangerRolled)]
        return {"disk": disk, "places": places, "dangers": [*([] for _ in path[1:]), last], "ends": False}
    return {"disk": disk, "places": places, "dangers": dangers, "ends": False}


def flip_once(table: ScriptedPosition, disk: a.DiskId, path: tuple[geometry.Point, ...]) -> Any:
    seat, question = table.open_questions[0]
    action = a.MoveDisk(disk, path, end_activation=False, over_own_disks=True)
    try:
        return rounds.decide(table.board, seat, question, action, FixedDice())
    except Illegal:
        return None


# ---------------------------------------------------------------- clashes


def judged_clashes() -> Iterator[Json]:
    """Judge landings on enemies where engage abilities work and no die is rolled."""
    for seed in range(CLASH_BOARDS):
        chance = Random(4000 + seed)
        table = clash_position(chance).with_card_turn(0)
        if not table.open_questions:
            continue  # all disks are pinned
        moves = [option.example for option in table.options().parametric]
        disks = [move.disk for move in moves if isinstance(move, a.MoveDisk)]
        rows = [
            row
            for disk in disks
            for vector in flips_of(table.board, chance, disk)
            if (row := clash_row(table, disk, vector))
        ]
        if rows:
            yield {"board": board_text(table.board), "rows": rows}


def clash_position(chance: Random) -> ScriptedPosition:
    known = list(core_pack().disks.values())
    striker = Ability("engage", DealDamage(Amount(2), "arcane", "short", "short"))
    burner = Ability("engage", DealDamageNear(Amount(1), "true", "medium"))
    profiles = [
        replace(known[0], id="scorcher", name="Scorcher", short_name="", keywords=(), abilities=(striker,)),
        replace(known[1], id="burner", name="Burner", short_name="", keywords=(), abilities=(burner,)),
    ]
    names = ["Archaon", "Scorcher", "Burner", "Karl Franz", "Guards", "Stout", "Ghosts", "Bulls", "Maiden Guard"]
    chance.shuffle(names)
    lines, used = [TERRAIN], set()
    for number, name in enumerate(names[:6]):
        tokens = chance.choice(("", "  damage 1", "  damage 3", "  damage 3"))
        lines.append(f"{'BA'[number % 2]} {name} ({chance.uniform(3, 8):.2f}, {chance.uniform(3, 8):.2f}){tokens}")
        used.add(name)
    lines += [f"disk {name}: {text}" for name, text in PRINTED.items() if name in used]
    return scripted_position("\n".join(lines), profiles)


def clash_row(table: ScriptedPosition, disk: a.DiskId, vector: geometry.Point) -> Json:
    """Return what a landing deals; none where a die, a choice or a pin that a removal lays bare has a part in it."""
    outcome = flip_once(table, disk, (vector,))
    if outcome is None or not is_over(table.after(outcome)):
        return None
    dealt: list[Json] = []
    removed: list[a.DiskId] = []
    for event in outcome.events:
        if getattr(event, "dice", None) or (isinstance(event, e.DisksRemoved) and event.pins_gained):
            return None
        if isinstance(event, e.DamageDealt):
            dealt.append([event.disk, event.taken])
        if isinstance(event, e.DisksRemoved):
            removed += event.disks
    wounded = [event.disk for event in outcome.events if isinstance(event, e.DiskWounded)]
    x, y = table.board.disks[disk].x + vector[0], table.board.disks[disk].y + vector[1]
    row = {"disk": disk, "x": x, "y": y, "dealt": dealt, "wounded": wounded, "destroyed": removed}
    return row if dealt else None


# ---------------------------------------------------------------- abilities


def judged_abilities() -> Iterator[Json]:
    """Judge focus abilities on a target where no die is rolled."""
    for seed in range(ABILITY_BOARDS):
        table = ability_position(Random(5000 + seed)).with_card_turn(0)
        actions = table.options().actions if table.open_questions else ()
        uses = [action for action in actions if isinstance(action, a.Focus) and action.target is not None]
        rows = [row for use in uses if (row := ability_row(table, use))]
        if rows:
            yield {"board": board_text(table.board), "rows": rows}


def ability_position(chance: Random) -> ScriptedPosition:
    known = list(core_pack().disks.values())
    bolt = Ability("focus", DealDamage(Amount(3), "physical", "long"))
    blast = Ability("focus", DealDamage(Amount(2), "arcane", "medium", "short"))
    both = replace(known[0], id="sage", name="Sage", short_name="", abilities=(bolt, blast))
    sage = replace(both, keywords=(Keyword("magic", Amount(2)),))
    soothe, sap = Ability("focus", Heal(Amount(2), "long")), Ability("focus", ReduceToughness(2, "long"))
    archer = replace(both, id="adept", name="Adept", keywords=(), abilities=(bolt, blast, soothe, sap))
    names = ["Sage", "Adept", "Karl Franz", "Guards", "Stout", "Ghosts", "Bulls", "Furies"]
    chance.shuffle(names)
    lines, used = [], set()
    for number, name in enumerate(names):
        tokens = chance.choice(("", "  damage 1", "  damage 3", "  damage 4", "  damage 1 weakened 1"))
        lines.append(f"{'AB'[number % 2]} {name} ({chance.uniform(2, 14):.2f}, {chance.uniform(2, 14):.2f}){tokens}")
        used.add(name)
    lines += [f"disk {name}: {text}" for name, text in PRINTED.items() if name in used]
    return scripted_position("\n".join(lines), [sage, archer])


def ability_row(table: ScriptedPosition, use: a.Focus) -> Json:
    """Return what an ability deals, heals or weakens; none where a pin that a removal lays bare has a part in it."""
    seat, question = table.open_questions[0]
    outcome = rounds.decide(table.board, seat, question, use, FixedDice())
    if any(isinstance(event, e.DisksRemoved) and event.pins_gained for event in outcome.events):
        return None
    dealt = [[event.disk, event.taken] for event in outcome.events if isinstance(event, e.DamageDealt)]
    wounded = [event.disk for event in outcome.events if isinstance(event, e.DiskWounded)]
    removed = [disk for event in outcome.events if isinstance(event, e.DisksRemoved) for disk in event.disks]
    row = {"action": msgspec.to_builtins(use), "dealt": dealt, "wounded": wounded, "destroyed": removed}
    healed = [[event.disk, event.tokens] for event in outcome.events if isinstance(event, e.DiskHealed)]
    weakened = [[event.disk, event.reduction] for event in outcome.events if isinstance(event, e.DiskWeakened)]
    row |= {name: found for name, found in (("healed", healed), ("weakened", weakened)) if found}
    return row if dealt or healed or weakened else None


# ---------------------------------------------------------------- fights


class FightRecorder:
    """Follows the events of a melee, and writes down each engagement with how it began and what came of it."""

    def __init__(self, table: ScriptedPosition) -> None:
        self.board = table.board
        self.rows: list[Json] = []
        self._row: Json = None

    def take(self, event: Any) -> None:
        if isinstance(event, e.EngagementBegan):
            links = self.board.engagements[event.engagement].links
            disks, pins = msgspec.to_builtins((self.board.disks, self.board.pins))
            outcome: Json = {"steps": [], "damage": [], "wounded": [], "destroyed": [], "triggers": 0}
            self._row = {"disks": disks, "pins": pins, "links": msgspec.to_builtins(links), **outcome}
        elif self._row is not None:
            self._follow(event)
        self.board = fold(self.board, event)

    def _follow(self, event: Any) -> None:
        match event:
            case e.BlowsStruck():
                blows = [[blow.disk, blow.target, blow.strength] for blow in event.blows]
                self._row["steps"].append({"speed": event.speed, "blows": sorted(blows)})
            case e.DamageDealt():
                self._row["damage"].append([event.disk, event.taken])
            case e.DiskWounded():
                self._row["wounded"].append(event.disk)
            case e.DisksRemoved():
                self._row["destroyed"] += event.disks
            case e.TriggerResolved():
                self._row["triggers"] += 1
            case e.EngagementEnded():
                if self._row["steps"]:
                    self.rows.append(self._row)
                self._row = None
            case _:
                pass  # tells nothing of the fight


def judged_fights() -> Iterator[Json]:
    for seed in range(FIGHT_BOARDS):
        chance = Random(1000 + seed)
        is_heap = seed % 3 == 0
        table = random_position(chance, 4 if is_heap else 7, 10 + seed % 4, "Furies" if is_heap else "")
        before, recorder = table.board, FightRecorder(table)
        try:
            table = table.start_melee()
        except BadScript:
            continue  # an ability that rolls dice comes before the first question
        events = table.events
        while True:
            for event in events:
                recorder.take(event)
            if not table.open_questions:
                break
            seat, question = table.open_questions[0]
            actions = rounds.options(table.board, seat, question).actions
            table = answer(table, seat, question, chance.choice(actions))
            events = table.events
        # A new pin that triggers an ability changes what comes after it, and is not forecast.
        rows = [row for row in recorder.rows if not row.pop("triggers")]
        yield {"board": {**board_text(before), "disks": [], "pins": []}, "rows": rows}


def answer(table: ScriptedPosition, seat: Seat, question: a.BoardQuestion, action: a.Action) -> ScriptedPosition:
    outcome = rounds.decide(table.board, seat, question, action, FixedDice())
    return table.after(outcome)


# ---------------------------------------------------------------- shots


def judged_shots() -> Iterator[Json]:
    for seed in range(SHOT_BOARDS):
        chance = Random(2000 + seed)
        table = random_position(chance, 18, 9).with_card_turn(0)
        shots = [action for action in table.options().actions if isinstance(action, a.Shoot)]
        rows = [shot_chances(table, shot) for shot in shots[:SHOTS_OF_A_BOARD]]
        if rows:
            yield {"board": board_text(table.board), "rows": rows}


def shot_chances(table: ScriptedPosition, action: a.Shoot) -> Json:
    """Return the chances of a shot, by rolling every combination of its dice."""
    seat, question = table.open_questions[0]
    fired = next(
        event
        for event in rounds.decide(table.board, seat, question, action, FixedDice()).events
        if isinstance(event, e.ShotFired)
    )
    count = len(fired.dice.results)
    numbers = range(1, FACES + 1) if fired.strength_dice else (1,)
    unharmed = struck = taken = 0
    for symbols, number in product(product(SHOWN_FACES, repeat=count), numbers):
        weight = 1
        for face in symbols:
            weight *= SHOWN_FACES[face]
        outcome = rounds.decide(table.board, seat, question, action, FixedDice(symbols, number))
        dealt = sum(
            event.taken for event in outcome.events if isinstance(event, e.DamageDealt) and event.disk == action.target
        )
        taken += weight * dealt
        unharmed += weight * (dealt == 0)
        struck += weight * any(is_struck(event, action.target) for event in outcome.events)
    nearest = shooting.nearest_disks(table.board, fired.attack)
    row = {"disk": action.disk, "target": action.target, "shot": action.shot, "dice": count, "nearest": nearest}
    return {**row, "of": FACES**count * len(numbers), "unharmed": unharmed, "struck": struck, "taken": taken}


def is_struck(event: Any, disk: a.DiskId) -> bool:
    match event:
        case e.DiskWounded():
            return event.disk == disk
        case e.DisksRemoved():
            return disk in event.disks
        case _:
            return False


# ---------------------------------------------------------------- the file


def test_the_engine_decides_as_the_vectors_say() -> None:
    parts: Json = {
        "landings": list(judged_landings()),
        "paths": list(judged_paths()),
        "clashes": list(judged_clashes()),
        "abilities": list(judged_abilities()),
        "fights": list(judged_fights()),
        "shots": list(judged_shots()),
    }
    text = json.dumps({"about": ABOUT, **parts}, separators=(",", ":"))
    text = text.replace('{"board"', '\n{"board"') + "\n"
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text
    assert len(text) <= MAX_FILE_SIZE


def test_the_vectors_hold_cases_of_every_kind() -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    landings = [row for board in vectors["landings"] for row in board["rows"]]
    assert any(not row["legal"] for row in landings)
    legal = [row for row in landings if row["legal"]]
    for field in ("pins", "ground", "impact", "dangers"):
        assert any(row[field] for row in legal), field
    assert {row["goes_on"] for row in legal} >= {True, False}
    paths = [row for board in vectors["paths"] for row in board["rows"]]
    assert {row["ends"] for row in paths} == {True, False}
    assert any(len(row["places"]) > 1 for row in paths if row["ends"])
    assert any(sum(map(bool, row["dangers"])) > 1 for row in paths)
    clashes = [row for board in vectors["clashes"] for row in board["rows"]]
    assert any(row["wounded"] for row in clashes)
    assert any(row["destroyed"] for row in clashes)
    abilities = [row for board in vectors["abilities"] for row in board["rows"]]
    assert any(len(row["dealt"]) > 1 for row in abilities)
    for field in ("wounded", "destroyed", "healed", "weakened"):
        assert any(row.get(field) for row in abilities), field
    assert any(row["wounded"] or row["destroyed"] for row in abilities if "weakened" in row)
    fights = [row for board in vectors["fights"] for row in board["rows"]]
    assert {len(row["steps"]) for row in fights} >= {1, 2}
    assert {step["speed"] for row in fights for step in row["steps"]} == {"swift", "normal", "slow"}
    shots = [row for board in vectors["shots"] for row in board["rows"]]
    assert {row["dice"] for row in shots} >= {1, 2, 3}
    assert {len(row["nearest"]) for row in shots} >= {0, 1}
    assert any(row["struck"] for row in shots)
