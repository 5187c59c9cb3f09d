"""Checks of single entries: the figures allowed on a disk, a card or the table, and figures without a basis.

Each check yields faults as (place below the checked table, text).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import fields

from diskwars_content.rulesets.diskwars.keyword_text import did_you_mean
from diskwars_content.rulesets.diskwars.specs import (
    AbilitySpec,
    BattleDieSpec,
    CommandCardSpec,
    DiskSpec,
    FieldSpec,
    ShotSpec,
    SizesSpec,
    TerrainFaceSpec,
)
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.records.canonical import JsonPath as Place
from diskwars_protocol.rulesets.diskwars.stats import (
    REACHES,
    AbilityTiming,
    AddActivationToken,
    DamageAround,
    DealDamage,
    DealDamageNear,
    Effect,
    Empower,
    FightEngagement,
    Heal,
    IncreaseMeleeStrength,
    IncreaseMovement,
    IncreaseRange,
    IncreaseShotStrength,
    IncreaseToughness,
    Rampage,
    ReduceToughness,
    ReinforceNear,
    RemoveActivationToken,
    RemoveEmpowerment,
    RollWound,
)

Fault: TypeAlias = tuple[Place, str]

BATTLE_DIE_FACES = 6
"""R12.9"""

FIELDS_WITHOUT_BASIS = (
    "id",
    "name",
    "short_name",
    "kind",
    "timing",
    "basis",
    "shots",
    "abilities",
    "deployment",
    "faces",
)
"""Fields that have no basis: names, and tables that have their own."""

EFFECTS_BY_TIMING: dict[AbilityTiming, tuple[type[Effect], ...]] = {
    "engage": (DealDamage, DealDamageNear, RollWound, Empower, Heal, AddActivationToken, ReduceToughness),
    "focus": (
        DealDamage,
        DealDamageNear,
        Empower,
        Heal,
        AddActivationToken,
        ReduceToughness,
        RemoveActivationToken,
        ReinforceNear,
    ),
    "battle": (
        DealDamage,
        DealDamageNear,
        Empower,
        Heal,
        AddActivationToken,
        ReduceToughness,
        RemoveActivationToken,
        FightEngagement,
    ),
    "passive": (
        IncreaseRange,
        IncreaseMovement,
        IncreaseShotStrength,
        IncreaseToughness,
        IncreaseMeleeStrength,
        RemoveEmpowerment,
        Rampage,
        DamageAround,
    ),
}
"""The effects allowed at each time: one that needs an action of its own is no engage trigger, a lasting one is passive.

R19.15: no passive effect has a target, because there is no decision in which a player could choose it.
"""

DISK_ONLY_EFFECTS = (RemoveEmpowerment, Rampage, DamageAround)
CARD_ONLY_EFFECTS = (IncreaseRange, IncreaseMovement, IncreaseShotStrength)
AURA_EFFECTS = (IncreaseToughness, IncreaseMeleeStrength)
"""Passive effects of disks only, of cards only, and of both. A disk's aura has a reach, a card's affects all disks."""


def field_faults(field: FieldSpec) -> Iterator[Fault]:
    if not field.short < field.medium < field.long:
        yield (), "short, medium and long have to grow"


def size_faults(sizes: SizesSpec) -> Iterator[Fault]:
    for name in ("small", "medium", "large"):
        diameter: int = getattr(sizes, name)
        if diameter % 2:  # R5.1 a disk's radius is a whole number
            yield (name,), f"a diameter of {diameter} is not even"
    if not sizes.small < sizes.medium < sizes.large:
        yield (), "small, medium and large have to grow"


def die_faults(die: BattleDieSpec) -> Iterator[Fault]:
    if len(die.faces) != BATTLE_DIE_FACES:
        yield ("faces",), f"{len(die.faces)} faces, the battle die has {BATTLE_DIE_FACES}"


def disk_faults(disk: DiskSpec) -> Iterator[Fault]:
    yield from _kind_faults(disk)
    yield from _duplicate_faults(disk.traits, ("traits",))
    yield from _duplicate_faults(
        [" ".join(filter(None, (id_title(keyword.id), keyword.kind))) for keyword in disk.keywords], ("keywords",)
    )
    for number, shot in enumerate(disk.shots):
        yield from _with_prefix(("shots", number), _shot_faults(shot))
    for number, ability in enumerate(disk.abilities):
        yield from _with_prefix(("abilities", number), _ability_faults(ability, ("engage", "focus", "passive"), "disk"))
        yield from _with_prefix(("abilities", number, "effect"), bearer_faults(ability.effect, is_disk=True))


def card_faults(card: CommandCardSpec) -> Iterator[Fault]:
    for number, ability in enumerate(card.abilities):
        yield from _with_prefix(("abilities", number), _ability_faults(ability, ("battle", "passive"), "command card"))
        yield from _with_prefix(("abilities", number, "effect"), bearer_faults(ability.effect, is_disk=False))
        if isinstance(ability.effect, IncreaseMeleeStrength):  # R7.8 it is discarded before the melee phase
            yield ("abilities", number, "effect", "type"), "a command card is gone before the blows fall"
    if sum(ability.timing == "battle" for ability in card.abilities) > 1:  # R7.9 a card has one
        yield ("abilities",), "more than one battle ability"


def basis_faults(table: object, spec: type[Struct]) -> Iterator[Fault]:
    """Yield figures of a raw table without a basis, and bases without a figure, nested tables included.

    R20.3: every figure says whether a source states it, a source implies it, or we chose it.

    A basis that is one word covers all figures; a basis that is a table must name exactly the figures that are there.
    """
    if not isinstance(table, dict):
        return
    known = {field.name: field.required for field in fields(spec)}
    figures = [name for name in known if name in table and name not in FIELDS_WITHOUT_BASIS]
    effect = table.get("effect")
    if isinstance(effect, dict):
        figures = [name for name in (*figures, *effect) if name not in ("effect", "type")]
    basis = table.get("basis")
    if isinstance(basis, dict):
        for name in figures:
            if name not in basis:
                yield ("basis",), f'nothing about "{name}"'
        for name in basis:
            if name not in figures and not known.get(name):  # a figure that is missing is a fault of its own
                yield ("basis", name), f"no such figure here{did_you_mean(name, figures)}"
    for name, inner in (("shots", ShotSpec), ("abilities", AbilitySpec), ("faces", TerrainFaceSpec)):
        entries = table.get(name)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            yield from _with_prefix((name, number), basis_faults(entry, inner))


def _kind_faults(disk: DiskSpec) -> Iterator[Fault]:
    own, other = (("points", "command"), ("cost",)) if disk.kind == "hero" else (("cost",), ("points", "command"))
    for name in own:
        if getattr(disk, name) is None:
            yield (), f'"{name}" is missing, as this is a {disk.kind}'
    for name in other:
        if getattr(disk, name) is not None:
            yield (name,), f"a {disk.kind} has none"
    if disk.elite and disk.kind == "hero":
        yield ("elite",), "a hero is never elite"


def _shot_faults(shot: ShotSpec) -> Iterator[Fault]:
    if shot.beyond and REACHES.index(shot.beyond) >= REACHES.index(shot.reach):
        yield ("beyond",), f"from beyond {shot.beyond} to {shot.reach} there is nothing"


def _ability_faults(ability: AbilitySpec, whens: tuple[AbilityTiming, ...], bearer: str) -> Iterator[Fault]:
    effect = ability.effect
    if ability.timing not in whens:
        yield ("timing",), f'a {bearer} has {", ".join(whens[:-1])} and {whens[-1]} abilities, not "{ability.timing}"'
    elif not isinstance(effect, EFFECTS_BY_TIMING[ability.timing]):
        yield ("effect", "type"), f'"{effect.__struct_config__.tag}" does not go with timing = "{ability.timing}"'
    for name in ("user", "unstable"):
        if getattr(ability, name) and ability.timing != "battle":
            yield (name,), "only a battle ability has one"
    if ability.optional and ability.timing != "engage":
        yield ("optional",), "only an engage ability has one"
    yield from _with_prefix(("effect",), effect_faults(effect))


def bearer_faults(effect: Effect, is_disk: bool) -> Iterator[Fault]:
    """Yield faults of a passive effect that its bearer, a disk or a card, cannot have."""
    if isinstance(effect, CARD_ONLY_EFFECTS if is_disk else DISK_ONLY_EFFECTS):
        yield ("type",), f"only {'cards' if is_disk else 'disks'} have such an effect"
    if isinstance(effect, AURA_EFFECTS) and is_disk != bool(effect.reach):
        yield ("reach",), "a disk's effect says how far it reaches" if is_disk else "a card's effect reaches everywhere"


def effect_faults(effect: Effect) -> Iterator[Fault]:
    limits = {"minimum": (1, 6), "toughness": (1, 99), "steps": (1, 3), "flips": (1, 99), "count": (1, 9)}
    yield from _range_faults(effect, limits)
    if isinstance(effect, IncreaseShotStrength | DamageAround):
        yield from _range_faults(effect, {"strength": (1, 99), "amount": (1, 99)})
    if isinstance(effect, IncreaseMeleeStrength):
        yield from _range_faults(effect, {"strength": (0, 99), "counter_strength": (0, 99)})
        if not effect.strength + effect.counter_strength:
            yield (), "neither strength nor counter grows"


def _range_faults(table: object, limits: dict[str, tuple[int, int]]) -> Iterator[Fault]:
    for name, (least, most) in limits.items():
        figure = getattr(table, name, None)
        if isinstance(figure, int) and not least <= figure <= most:
            yield (name,), f"{figure} is not from {least} to {most}"


def _duplicate_faults(words: Iterable[str], place: Place) -> Iterator[Fault]:
    for word, count in Counter(words).items():
        if count > 1:
            yield place, f'"{word}" is listed {count} times'


def _with_prefix(place: Place, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Prefix the place of every fault."""
    for inner, text in faults:
        yield (*place, *inner), text
