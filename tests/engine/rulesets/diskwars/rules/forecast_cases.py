"""Moves, reinforcements, shots and fights of random armies, each with what the engine decides, to compare forecasts.

The armies are drawn from disks with auras, engage abilities, Relentless, Immune and the like; many disks are one damage
below their toughness, some are empowered or weakened.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import factorial
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_engine.rulesets.diskwars import rounds
from diskwars_engine.rulesets.diskwars.activation import shooting
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, fold
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    DamageAround,
    DealDamage,
    IncreaseToughness,
    Profile,
)
from tests.engine.rulesets.diskwars.positions import (
    CRITICAL,
    HIT,
    MISS,
    ScriptedPosition,
    scripted_position,
)
from tests.engine.rulesets.diskwars.rules.test_forecast_vectors import TERRAIN, FixedDice, board_text, is_over
from tests.engine.scripted_dice import BadScript

Json: TypeAlias = Any  # what json.loads gives
ROWS_OF_A_BOARD, DISKS, SIZE = 14, 11, 8.5
FIGHT_SIZE, SHOT_SIZE, REINFORCEMENT_SIZE = 6.0, 10.0, 7.0
RESERVES = 4
FACES = 6
SHOWN_FACES = {HIT: 1, CRITICAL: 1, MISS: 4}
"""The numbers of faces of a battle die that hit, are critical, or do neither at first."""
PACK = combine_packs(core_pack(), expansion_pack())
WARRIORS = PACK.disks["kurgan-marauders"]
PROFILES = sorted(
    [
        *PACK.disks.values(),
        replace(
            WARRIORS,
            id="banners",
            name="Banners",
            short_name=None,
            abilities=(Ability("passive", IncreaseToughness(1, reach="medium")),),
        ),
        replace(
            WARRIORS,
            id="scorchers",
            name="Scorchers",
            short_name=None,
            abilities=(Ability("engage", DealDamage(Amount(2), "arcane", "short", "short")),),
        ),
    ],
    key=lambda profile: profile.name,
)
"""The disks of both packs, and two that fall to any wound: with an aura for all, and with an engage ability."""
TELLING_EFFECTS = {"IncreaseToughness", "IncreaseMeleeStrength", "RemoveEmpowerment"}
TELLING_KEYWORDS = {"relentless", "immune", "resistant", "impact", "guard", "flying", "frenzy"}
PRINTED = {
    "Guards": "small M4 S2 C2 T3, Guard 2",
    "Bulls": "medium M4 S5 C3 T6, Relentless, Impact 1",
    "Ghosts": "small M4 S3 C3 T4, Immune (physical)",
    "Rams": "small M5 S3 C3 T2, Relentless, Impact 2",
}


def is_telling(profile: Profile) -> bool:
    """Return whether a disk has an aura, strips empowerment, engages with an ability, or has a keyword of a landing."""
    effects = {type(ability.effect).__name__ for ability in profile.abilities}
    engages = any(ability.timing == "engage" for ability in profile.abilities)
    return engages or bool(effects & TELLING_EFFECTS) or any(one.id in TELLING_KEYWORDS for one in profile.keywords)


TELLING = [profile.name for profile in PROFILES if is_telling(profile)]
AURAS = ["Banners", "Banners"] + [
    profile.name
    for profile in PROFILES
    if {type(ability.effect).__name__ for ability in profile.abilities} & TELLING_EFFECTS
]
SHOOTERS = [profile.name for profile in PROFILES if profile.shots]


# ---------------------------------------------------------------- positions


def heap(
    chance: Random, size: float, *, seats: str = "AB", shooters: bool = False, reserves: int = 0, is_worn: bool = False
) -> ScriptedPosition:
    """Return disks in a heap, many of them one damage below their toughness; the reserve is of the first seat."""
    lines, used = [TERRAIN], set()
    pools = [AURAS, TELLING, list(PRINTED), [one.name for one in PROFILES], *([SHOOTERS] * 2 if shooters else [])]
    for number in range(DISKS):
        place = f"({chance.uniform(2, 2 + size):.2f}, {chance.uniform(2, 2 + size):.2f})"
        name = chance.choice(chance.choice(pools))
        used.add(name)
        lines.append(f"{seats[number % len(seats)]} {name} {place}")
    for _ in range(reserves):
        name = chance.choice(chance.choice(pools))
        used.add(name)
        lines.append(f"{seats[0]} reserve: {name}")
    lines += [f"disk {name}: {text}" for name, text in PRINTED.items() if name in used]
    if reserves:
        lines.append("zone A (0, 0) to (36, 36) for 20")
    for option, values in (
        ("weakened_wounds", ("at_toughness", "above_toughness")),
        ("pins", ("strict", "contact")),
        ("impact_own", ("yes", "no")),
    ):
        lines.append(f"option {option} {chance.choice(values)}")
    board = scripted_position("\n".join(lines), PROFILES).board
    return ScriptedPosition(hurt(worn(board, chance) if is_worn else board, chance))


def worn(board: Board, chance: Random) -> Board:
    """Return the board with all stamina of some disks used up, so that heroes with auras fall too."""
    disks = [replace(disk, wounds=board.profile(disk.id).stamina * chance.choice((0, 1, 1))) for disk in board.disks]
    return replace(board, disks=tuple(disks))


def hurt(board: Board, chance: Random) -> Board:
    """Return the board with tokens on its fielded disks, none of which is due a wound."""
    disks = tuple(
        replace(disk, empowered=chance.random() < 0.4, weakened=int(chance.random() < 0.4))
        if disk.place == BATTLEFIELD
        else disk
        for disk in board.disks
    )
    board = replace(board, disks=disks)
    toughness = [effective_stats.toughness(board, disk.id) for disk in disks]
    most = [max(0, tough - 1) for tough in toughness]
    damaged = [
        replace(disk, damage=chance.choice((0, most[disk.id], most[disk.id], most[disk.id] // 2)))
        if disk.place == BATTLEFIELD
        else disk
        for disk in disks
    ]
    return replace(board, disks=tuple(damaged))


# ---------------------------------------------------------------- what the engine decides


def consequences(table: ScriptedPosition, outcome: Outcome[Board, a.BoardQuestion]) -> Json:
    has_dice = any(getattr(event, "dice", None) for event in outcome.events)
    return {"open": has_dice or not is_over(table.after(outcome)), **facts_of(outcome.events)}


def facts_of(events: Iterable[object]) -> Json:
    """Return what events deal, wound and destroy, and whether they take an empowerment."""
    dealt: Counter[int] = Counter()
    wounded: list[int] = []
    destroyed: list[int] = []
    is_stripped = False
    for event in events:
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
        "dealt": sorted([disk, taken] for disk, taken in dealt.items() if taken),
        "wounded": sorted(wounded),
        "destroyed": sorted(destroyed),
        "stripped": is_stripped,
    }


def decided(table: ScriptedPosition, action: a.Action, dice: FixedDice) -> Outcome[Board, a.BoardQuestion] | None:
    """Return the outcome of an action; None where it is not legal."""
    seat, question = table.open_questions[0]
    try:
        return rounds.decide(table.board, seat, question, action, dice)
    except Illegal:
        return None


# ---------------------------------------------------------------- moves


def judged_moves(seeds: Iterable[int]) -> Iterator[Json]:
    for seed in seeds:
        chance = Random(7000 + seed)
        table = heap(chance, SIZE).with_card_turn(0)
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
    outcome = decided(table, a.MoveDisk(disk, path, end_activation=False, over_own_disks=True), FixedDice())
    if outcome is None:
        return None
    x, y, places = table.board.disks[disk].x, table.board.disks[disk].y, []
    for dx, dy in path:
        x, y = x + dx, y + dy
        places.append([x, y])
    made = sum(isinstance(event, e.DiskFlipped) for event in outcome.events)
    return {"disk": disk, "path": places, "flips": made, **consequences(table, outcome)}


# ---------------------------------------------------------------- reinforcements


def judged_reinforcements(seeds: Iterable[int]) -> Iterator[Json]:
    for seed in seeds:
        chance = Random(8000 + seed)
        table = heap(chance, REINFORCEMENT_SIZE, reserves=RESERVES).with_card_turn(0)
        reserve = [disk.id for disk in table.board.disks if disk.place != BATTLEFIELD]
        rows: list[Json] = []
        for _ in range(4 * ROWS_OF_A_BOARD):
            if len(rows) == ROWS_OF_A_BOARD:
                break
            onto = chance.choice(table.board.disks)
            x, y = (int(at + chance.uniform(-60_000, 60_000)) for at in (onto.x, onto.y))
            disk = chance.choice(reserve)
            outcome = decided(table, a.Reinforce(disk, x, y), FixedDice())
            if outcome is not None:
                rows.append({"disk": disk, "x": x, "y": y, **consequences(table, outcome)})
        yield {"board": board_text(table.board), "rows": rows}


# ---------------------------------------------------------------- shots


def judged_shots(seeds: Iterable[int]) -> Iterator[Json]:
    for seed in seeds:
        chance = Random(9000 + seed)
        table = heap(chance, SHOT_SIZE, shooters=True, is_worn=True).with_card_turn(0)
        if not table.open_questions:
            continue
        shots = [action for action in table.options().actions if isinstance(action, a.Shoot)]
        chosen = chance.sample(shots, min(ROWS_OF_A_BOARD, len(shots)))
        yield {"board": board_text(table.board), "rows": [shot_row(table, shot) for shot in chosen]}


class Throw(NamedTuple):
    """Faces of battle dice and of the die of a strength, and in how many of the throws they come up."""

    faces: tuple[int, ...]
    number: int
    weight: int


def throws(dice: int, numbers: Iterable[int]) -> Iterator[Throw]:
    """Yield the throws of battle dice that differ, whatever their order."""
    for number in numbers:
        for hits in range(dice + 1):
            for criticals in range(dice + 1 - hits):
                misses = dice - hits - criticals
                ways = factorial(dice) // (factorial(hits) * factorial(criticals) * factorial(misses))
                faces = (HIT,) * hits + (CRITICAL,) * criticals + (MISS,) * misses
                yield Throw(faces, number, ways * SHOWN_FACES[MISS] ** misses)


def shot_row(table: ScriptedPosition, action: a.Shoot) -> Json:
    """Return the chances of a shot, and what its best throw brings others than its target."""
    fired = shot_fired(table, action)
    dice, numbers = len(fired.dice.results), range(1, FACES + 1) if fired.strength_dice else range(1, 2)
    unharmed = struck = taken = 0
    best: Outcome[Board, a.BoardQuestion] | None = None
    for throw in throws(dice, numbers):
        outcome = decided(table, action, FixedDice(throw.faces, throw.number))
        assert outcome is not None
        found = facts_of(outcome.events)
        dealt = dict(found["dealt"]).get(action.target, 0)
        is_struck = action.target in (*found["wounded"], *found["destroyed"])
        taken += throw.weight * dealt
        unharmed += throw.weight * (dealt == 0 and not is_struck)
        struck += throw.weight * is_struck
        if action.target in found["destroyed"]:
            best = outcome
    splashes = any(isinstance(one.effect, DamageAround) for one in table.board.profile(action.disk).abilities)
    nearest = shooting.nearest_disks(table.board, fired.attack)
    row = {"disk": action.disk, "target": action.target, "shot": action.shot, "dice": dice, "nearest": nearest}
    # The damage around a target is dealt with that of the target, so what follows is not its destruction's alone.
    after = {"after": after_destruction(table, best, action)} if best and not splashes else {}
    chances = {"of": FACES**dice * len(numbers), "unharmed": unharmed, "struck": struck, "taken": taken}
    return {**row, **chances, **after}


def shot_fired(table: ScriptedPosition, action: a.Shoot) -> e.ShotFired:
    outcome = decided(table, action, FixedDice())
    assert outcome is not None
    return next(event for event in outcome.events if isinstance(event, e.ShotFired))


def after_destruction(table: ScriptedPosition, outcome: Outcome[Board, a.BoardQuestion], action: a.Shoot) -> Json:
    """Return what follows of the removal of a target; `open` where a die or a player decides part of it."""
    found = consequences(table, outcome)
    later = [event for event in outcome.events if not isinstance(event, e.ShotFired)]
    is_open = not is_over(table.after(outcome)) or any(getattr(event, "dice", None) for event in later)
    others = [disk for disk in found["destroyed"] if disk != action.target]
    dealt = [pair for pair in found["dealt"] if pair[0] != action.target]
    return {"open": is_open, "dealt": dealt, "wounded": found["wounded"], "destroyed": others}


# ---------------------------------------------------------------- fights


class FightFollower:
    """Follows the events of a melee and writes down each engagement, as it begins and again before each later step."""

    def __init__(self, table: ScriptedPosition) -> None:
        self.board = table.board
        self.rows: list[Json] = []
        self._running: list[Json] = []

    def take(self, event: Any) -> None:
        match event:
            case e.EngagementBegan():
                self._open(event.engagement)
            case e.BlowsStruck():
                if self._running[0]["steps"]:
                    self._open(event.engagement)
                blows = sorted([blow.disk, blow.target, blow.strength] for blow in event.blows)
                self._add("steps", {"speed": event.speed, "blows": blows})
            case e.DamageDealt():
                self._add("damage", [event.disk, event.taken])
            case e.DiskWounded():
                self._add("wounded", event.disk)
            case e.DisksRemoved():
                for disk in event.disks:
                    self._add("destroyed", disk)
            case e.TriggerResolved():
                self._add("triggers", 1)
            case e.EngagementEnded():
                self.rows += [row for row in self._running if row["steps"]]
                self._running = []
            case _:
                pass  # tells nothing of the fight
        self.board = fold(self.board, event)

    def _open(self, number: int) -> None:
        board = self.board
        disks, pins, engagements = msgspec.to_builtins((board.disks, board.pins, board.engagements))
        outcome: Json = {"steps": [], "damage": [], "wounded": [], "destroyed": [], "triggers": []}
        row = {"disks": disks, "pins": pins, "engagements": engagements, "engagement": number, **outcome}
        self._running.append(row)

    def _add(self, field: str, found: Json) -> None:
        for row in self._running:
            row[field].append(found)


def judged_fights(seeds: Iterable[int]) -> Iterator[Json]:
    for seed in seeds:
        chance = Random(10_000 + seed)
        table = heap(chance, FIGHT_SIZE, seats=chance.choice(("AB", "AB", "ABC")), is_worn=True)
        follower, before = FightFollower(table), table.board
        try:
            table = table.start_melee()
        except BadScript:
            continue  # an ability that rolls dice comes before the first question
        for event in table.events:
            follower.take(event)
        while table.open_questions:
            seat, question = table.open_questions[0]
            action = chance.choice(rounds.options(table.board, seat, question).actions)
            table = table.after(rounds.decide(table.board, seat, question, action, FixedDice()))
            for event in table.events:
                follower.take(event)
        rows = [{**row, "triggers": len(row["triggers"])} for row in follower.rows]
        yield {"board": {**board_text(before), "disks": [], "pins": []}, "rows": rows}


JUDGES: Mapping[str, Any] = {
    "outcomes": judged_moves,
    "reinforcements": judged_reinforcements,
    "shots": judged_shots,
    "fights": judged_fights,
}
"""How each kind of row is made; `outcomes` are moves."""
