"""Chances of attacks in the small games are as tests/vectors/small_odds.json says, with which the page agrees.

The engine rolls every combination of the dice of an attack. DISKWARS_GOLDEN=1 writes the file again.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import casualties, combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution as CloseQuartersPlay
from diskwars_engine.rulesets.pit.attacks import resolve_target
from diskwars_engine.rulesets.pit.resolution import Resolution as PitPlay
from diskwars_engine.rulesets.regiments.attacks import UnitAttacks
from diskwars_engine.rulesets.regiments.resolution import Resolution as RegimentsPlay
from diskwars_protocol.records.fairness import DiceKind, Draw
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from diskwars_protocol.rulesets.pit import checks, position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, PitBoard
from diskwars_protocol.rulesets.pit.odds import UNARMED
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.engine.rulesets.close_quarters import close_quarters_positions
from tests.engine.rulesets.close_quarters.close_quarters_positions import in_cycle, squad, tagged
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.pit import pit_positions
from tests.engine.rulesets.regiments import regiments_positions
from tests.rows import each_row

Json: TypeAlias = Any  # what json.loads gives
Faces: TypeAlias = dict[int, int]
"""Faces that stand for all faces of a die, and how many each stands for."""
FILE = Path(__file__).parents[2] / "vectors" / "small_odds.json"
MAX_FILE_SIZE = 60_000
ABOUT = [
    "Chances of attacks, as [numerator, denominator], found by letting the engine roll every combination of dice.",
    "pit: attacks of a fighter on one target: `hit` that the first hits, `unsaved` that one hit or more is not saved,",
    "`out` that the target is taken out.",
    "close_quarters: `fires` that leadership lets it fire, `hit` and `falls` that one die or more hits, and one falls.",
    "regiments: `wound` that one attack takes a wound.",
]
PIT_ROWS = 40
RELEVANT: frozenset[str] = frozenset(
    {"melee", "defence", "dropped hit", "leadership", "shot", "save", "kill", "attack", "hack"}
)
"""Tags of the dice that decide an attack; who falls and what is gained by it comes after."""


class BranchAt(Exception):
    """Raised for a throw that the script does not hold, with all that it can show and how likely that is."""

    def __init__(self, throws: list[tuple[tuple[int, ...], Fraction]]) -> None:
        super().__init__()
        self.throws = throws


class AttackIsOver(Exception):
    """Raised for dice that decide nothing of the attack any more."""


class ScriptOfThrows(NumberDice):
    """Dice that fall as a list of throws says; beyond it, they tell how they may fall."""

    def __init__(self, throws: tuple[tuple[int, ...], ...], faces_of: Callable[[str, int], Faces]) -> None:
        super().__init__()
        self._throws, self._faces_of = list(throws), faces_of

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        if tag not in RELEVANT:
            raise AttackIsOver
        if not self._throws:
            faces = self._faces_of(tag, sides)
            raise BranchAt([(throw, _chance(throw, faces, sides)) for throw in product(faces, repeat=count)])
        return Draw(self.step, 0, kind, sides, tag, self._throws.pop(0))


def _chance(throw: tuple[int, ...], faces: Faces, sides: int) -> Fraction:
    weight = 1
    for face in throw:
        weight *= faces[face]
    return Fraction(weight, sides ** len(throw))


def every_face(_tag: str, sides: int) -> Faces:
    return dict.fromkeys(range(1, sides + 1), 1)


def outcomes(
    play_with: Callable[[ScriptOfThrows], list[Any]], faces_of: Callable[[str, int], Faces] = every_face
) -> Iterator[tuple[list[Any], Fraction]]:
    """Yield the events of each way in which the dice may fall, with its chance; together these are 1."""
    waiting: list[tuple[tuple[tuple[int, ...], ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        throws, chance = waiting.pop()
        try:
            events = play_with(ScriptOfThrows(throws, faces_of))
        except BranchAt as branch:
            waiting += [((*throws, throw), chance * likely) for throw, likely in branch.throws]
        else:
            yield events, chance


def chances(found: list[tuple[list[Any], Fraction]], **holds: Callable[[list[Any]], bool]) -> dict[str, list[int]]:
    """Return how likely each of these is, as a numerator and a denominator."""
    assert sum(chance for _, chance in found) == 1
    totals = {name: sum((part for events, part in found if is_so(events)), Fraction()) for name, is_so in holds.items()}
    return {name: [total.numerator, total.denominator] for name, total in totals.items()}


# ---------------------------------------------------------------- pit


def judged_pit() -> Json:
    board = pit_board(Random(1))
    count = len(board.fighters) // 2
    rows = []
    for row in range(PIT_ROWS):
        chance = Random(row)
        fighter, target = board.fighters[row % count], board.fighters[count + chance.randrange(count)]
        weapons = position.weapons_of(board, fighter)
        attacks = tuple(Attack(target.id, weapons[k % len(weapons)]) for k in range(1 + row % 3 // 2 * (row % 2)))
        if len(weapons) > 1 and target.status != "staggered":
            attacks = tuple(Attack(target.id, weapon) for weapon in weapons)
        rows.append(pit_row(board, fighter.id, target.id, attacks))
    return {"board": {**msgspec.to_builtins(board), "deck": [], "cards_left": []}, "rows": rows}


def pit_board(chance: Random) -> PitBoard:
    """Return fighters of two seats with figures, arms and states at random."""
    fighters = [
        pit_positions.fighter(seat, number, 8 * seat, *arms(chance), **figures(chance, number))
        for seat in (0, 1)
        for number in range(12)
    ]
    return pit_positions.lay_out(*fighters)


def arms(chance: Random) -> tuple[str, ...]:
    return chance.choice(
        (("sword",), ("hammer",), ("spear",), ("great-sword",), ("sword", "hammer"), ("dagger", "sword"))
    )


def figures(chance: Random, number: int) -> dict[str, Any]:
    printed: dict[str, Any] = {
        "melee": chance.randint(6, 19),
        "defence": chance.choice((None, 12, 15, 18, 20)),
        "wounds": chance.randint(1, 3),
        "injury": chance.randint(0, 4),
        "pierce": chance.randint(0, 3),
        "shield": chance.choice((None, "shield", "tower_shield")),
        "armour": chance.choice((None, "light", "heavy", "fine")),
        "status": chance.choice(("ok", "ok", "staggered", "dazed", "stunned")),
    }
    if number % 6 == 0:
        printed["natural_weapons" if number else "unarmed"] = True
    return printed


def pit_row(board: PitBoard, fighter: int, target: int, attacks: tuple[Attack, ...]) -> Json:
    fought = replace(board, combats=((fighter, target),), combat=CombatState(0, (), fighter, attacks))

    def attack(dice: ScriptOfThrows) -> list[Any]:
        resolution = PitPlay(fought, dice)
        with suppress(AttackIsOver):
            resolve_target(resolution, fighter, target, attacks)
        return resolution.events

    found = list(outcomes(attack, lambda tag, sides: pit_faces(board, fighter, target, attacks, tag, sides)))
    named = chances(
        found,
        hit=lambda events: any(event.checks[0].passed for event in tagged(events, "melee_rolled")),
        unsaved=lambda events: bool(tagged(events, "fighter_injured") or tagged(events, "wounds_lost")),
        out=lambda events: any(event.status == "incapacitated" for event in tagged(events, "fighter_injured")),
    )
    return {"fighter": fighter, "target": target, "attacks": msgspec.to_builtins(attacks), **named}


def pit_faces(board: PitBoard, fighter: int, target: int, attacks: tuple[Attack, ...], tag: str, sides: int) -> Faces:
    """Let the lowest of the faces that do the same in all checks stand for them: 20 faces of four dice are too many."""
    if tag == "dropped hit":
        return every_face(tag, sides)
    own, other = board.fighters[fighter], board.fighters[target]
    weapons = [board.weapon(attack.weapon) if attack.weapon else UNARMED for attack in attacks]
    needed, bonus = checks.defence_needed(board, other)

    def effect(face: int) -> object:
        found: list[object] = []
        for weapon in weapons:
            if tag == "melee":
                hit = checks.judge((face,), weapon.melee, own.melee, 0)
                found += [
                    hit.passed,
                    checks.is_critical(hit),
                    checks.injury_status(face + own.injury + weapon.injury),
                ]
            else:
                found.append(checks.judge((face,), bonus - own.pierce - weapon.pierce, needed or 0, 0).passed)
        return tuple(found)

    faces: Faces = {}
    standing: dict[object, int] = {}
    for face in range(1, sides + 1):
        stands = standing.setdefault(effect(face), face)
        faces[stands] = faces.get(stands, 0) + 1
    return faces


# ---------------------------------------------------------------- close quarters


def judged_close_quarters() -> Json:
    yield from (fire_row(board, dice) for board, dice in fire_boards())
    yield from (melee_row(*board) for board in melee_boards())


def fire_boards() -> Iterator[tuple[CloseQuartersBoard, int]]:
    """Yield boards on which unit 0 may fire at unit 1 before the combat, of all kinds of figures."""
    chance = Random(7)
    for number in range(14):
        toughness = 1 + number % 2
        gun = chance.choice(("pistol", "carbine", "long-gun"))
        firers = [(1000, 300), (1000, 420)][: 1 + (number % 4 == 0)]
        board = close_quarters_positions.lay_out(
            squad(
                0,
                *firers,
                (1000, 2300),
                gun=gun,
                ballistic_skill=chance.randint(1, 5),
                markers=number % 3,
                has_leader=number % 5 > 0,
                nerve=3,
                awareness_inches=6 + number % 7,
            ),
            squad(
                1,
                (1000 + 100 * (5 + number % 4), 300),
                evasion=chance.randint(1, 5),
                armour=chance.choice((0, 2, 4)),
                toughness=toughness,
            ),
        )
        yield board, number


def fire_row(board: CloseQuartersBoard, number: int) -> Json:
    board = replace(in_cycle(board, unit=1, units=(0, 1) if number % 2 else (1,)), phase="defensive_fire")

    def fire(dice: ScriptOfThrows) -> list[Any]:
        resolution = CloseQuartersPlay(board, dice)
        combat.declare_defensive_fire(resolution, 0, 1)
        return resolved(resolution)

    found = list(outcomes(fire))
    volleys = next(
        (tagged(events, "shots_fired")[0].volleys for events, _ in found if tagged(events, "shots_fired")), ()
    )
    row = {
        "board": close_quarters_text(board),
        "unit": 0,
        "target": 1,
        "models": len(volleys),
        "dice": sum(volley.dice_count for volley in volleys),
    }
    return {
        **row,
        **chances(found, fires=lambda events: bool(tagged(events, "shots_fired")), hit=is_hit, falls=is_killed),
    }


def melee_boards() -> Iterator[tuple[CloseQuartersBoard, str]]:
    """Yield boards on which model 0 fights one or two enemies, the last ones across a barricade."""
    chance = Random(9)
    for number in range(10):
        units = [
            squad(
                1,
                (1100 + number % 2 * 3, 300),
                weapon_skill=chance.randint(2, 6),
                armour=chance.choice((0, 3, 5)),
                toughness=1 + number % 2,
            )
        ]
        if number % 3 == 2:
            units.append(squad(1, (1000, 400), weapon_skill=5, armour=4, seat=1))
        own = squad(
            0,
            (1000, 300),
            (1000, 900),
            arms=("blade", "axe"),
            weapon_skill=chance.randint(2, 6),
            strength=chance.randint(1, 5),
        )
        yield close_quarters_positions.lay_out(own, *units), ("blade", "axe")[number % 2]
    across = close_quarters_positions.lay_out(
        squad(0, (1000, 300)), squad(1, (1108, 300), (1150, 330)), barricade=Barricade(1054, 200, 1054, 400)
    )
    yield across, "blade"


def melee_row(board: CloseQuartersBoard, weapon: str) -> Json:
    board = in_cycle(board, step="melee")

    def strike(dice: ScriptOfThrows) -> list[Any]:
        resolution = CloseQuartersPlay(board, dice)
        combat.choose_weapon(resolution, 0, weapon)
        combat.fight(resolution, 0)
        return resolved(resolution)

    found = list(outcomes(strike))
    (assault,) = tagged(found[0][0], "melee_rolled")[0].assaults
    row = {
        "board": close_quarters_text(board),
        "model": 0,
        "weapon": weapon,
        "touched": list(assault.touched),
        "dice": assault.dice_count,
    }
    # Hits on models of several units are dealt by their players: there is no one chance that a model falls.
    is_split = any(tagged(events, "melee_rolled")[0].pools for events, _ in found)
    return {**row, **chances(found, hit=is_hit), **({} if is_split else chances(found, falls=is_killed))}


def resolved(resolution: CloseQuartersPlay) -> list[Any]:
    """Resolve the hits, as far as dice decide it, and return the events."""
    with suppress(AttackIsOver):
        while casualties.is_under_way(resolution.board) and casualties.question(resolution.board) is None:
            casualties.carry_on(resolution)
    return resolution.events


def is_hit(events: list[Any]) -> bool:
    rolled = [*tagged(events, "shots_fired"), *tagged(events, "melee_rolled")]
    return any(
        volley.hits for event in rolled for volley in getattr(event, "volleys", ()) or getattr(event, "assaults", ())
    )


def is_killed(events: list[Any]) -> bool:
    return any(event.killing for event in tagged(events, "kills_rolled"))


def close_quarters_text(board: CloseQuartersBoard) -> Json:
    arms = {
        id for profile in board.profiles for id in (*profile.weapons, *profile.leader_weapons, profile.ranged_weapon)
    }
    melee = tuple(weapon for weapon in board.melee_weapons if weapon.id in arms)
    return msgspec.to_builtins(
        replace(
            board,
            melee_weapons=melee,
            ranged_weapons=tuple(weapon for weapon in board.ranged_weapons if weapon.id in arms),
        )
    )


# ---------------------------------------------------------------- regiments


def judged_regiments() -> Json:
    kinds = sorted(regiments_positions.PROFILES)
    placed = [
        regiments_positions.unit(kind, seat, 5 * seat, row, "east", models=6, attacks=1)
        for seat in (0, 1)
        for row, kind in enumerate(kinds)
    ]
    odd = [
        regiments_positions.unit(kinds[0], 1, 9, row, "west", models=6, attacks=1, **changed)
        for row, changed in enumerate(({"toughness": 9}, {"weapon_skill": 9}, {"armour": 6}))
    ]
    board = regiments_positions.lay_out(*placed, *odd)
    rows = []
    for unit, other in product(board.units, board.units):
        if board.side(unit) == board.side(other) or unit.id >= other.id:
            continue
        for is_charging, is_hack in ((False, False), (True, False), (False, True)):
            rows.append(
                [
                    unit.id,
                    other.id,
                    is_charging,
                    is_hack,
                    *regiments_chance(board, unit.id, other.id, is_charging, is_hack),
                ]
            )
    return {"board": msgspec.to_builtins(board), "rows": rows}


def regiments_chance(board: Any, one: int, other: int, is_charging: bool, is_hack: bool) -> list[int]:
    def strike(dice: ScriptOfThrows) -> list[Any]:
        rolled = UnitAttacks(
            RegimentsPlay(board, dice), board.units[one], is_charging, is_hack, "hack" if is_hack else "attack"
        )
        rolled.strike([(0, [(other, 0)])])
        return rolled.attacks

    return chances(list(outcomes(strike)), wound=lambda attacks: attacks[0].wounded)["wound"]


# ---------------------------------------------------------------- the file


JUDGES: dict[str, Callable[[], Json]] = {
    "pit": judged_pit,
    "close_quarters": lambda: list(judged_close_quarters()),
    "regiments": judged_regiments,
}


@each_row("game", JUDGES)
def test_the_engine_rolls_as_the_vectors_say(game: str) -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    parts = {name: JUDGES[name]() if name == game else vectors.get(name) for name in JUDGES}
    text = json.dumps({"about": ABOUT, **parts}, separators=(",", ":"))
    text = text.replace('{"board"', '\n{"board"') + "\n"
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text
    assert len(text) <= MAX_FILE_SIZE


def test_the_vectors_hold_cases_of_every_kind() -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    pit = vectors["pit"]["rows"]
    assert {len(row["attacks"]) for row in pit} >= {1, 2}
    states = {vectors["pit"]["board"]["fighters"][row["target"]].get("status", "ok") for row in pit}
    assert states == {"ok", "staggered", "dazed", "stunned"}
    rows = vectors["close_quarters"]
    assert {row["models"] for row in rows if "models" in row} >= {1, 2}
    assert any(row["fires"] != [1, 1] for row in rows if "fires" in row)
    assert any("falls" not in row for row in rows)
    assert any(len(row.get("touched", ())) > 1 for row in rows)
    wounds = [row[4:] for row in vectors["regiments"]["rows"]]
    assert [0, 1] in wounds
