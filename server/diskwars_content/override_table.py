"""The table part of an override file (field, ruler, sizes, battle die, deployment cards), and the file's hash."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.entry_checks import Fault, die_faults, field_faults, size_faults
from diskwars_content.keyword_text import did_you_mean
from diskwars_content.pack_loader import HashedContent
from diskwars_content.setup_cards import DeploymentsFile
from diskwars_content.specs import BattleDieSpec, FieldSpec, SizesSpec, build_field
from diskwars_content.toml_reader import FaultLog, Table, read_struct
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, DeploymentFace
from diskwars_protocol.rulesets.diskwars.stats import Size

OVERRIDE_BASIS = "own"
T = TypeVar("T")


class OverrideFile(Struct, frozen=True):
    """The file as a whole."""

    name: str
    version: str
    races: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    table: dict[str, object] = {}
    disks: dict[str, object] = {}
    cards: dict[str, object] = {}
    scenarios: dict[str, object] = {}
    deployments: dict[str, object] = {}
    armies: dict[str, object] = {}
    terrain: dict[str, object] = {}


class OverrideTableSpec(Struct, frozen=True):
    field: FieldSpec
    sizes: SizesSpec
    battle_die: BattleDieSpec
    deployment: DeploymentsFile


OVERRIDE_TABLE_PARTS = ("field", "sizes", "battle_die", "deployment")


def read_override_table(raw_override: object, base: Table, notes: FaultLog) -> tuple[OverrideTableSpec, Table] | None:
    """The table with what the file says of it, and as it would be written; None when anything is wrong with it."""
    if not isinstance(raw_override, dict):
        return None  # nothing is said, or no table, which reading the file as a whole tells
    before, merged = len(notes.faults), dict(base)
    for part, said in raw_override.items():
        if part not in OVERRIDE_TABLE_PARTS:
            notes.add(("table", part), f"unknown field{did_you_mean(part, OVERRIDE_TABLE_PARTS)}")
        elif not isinstance(said, dict):
            notes.add(("table", part), "expected a table")
        else:
            merged[part] = _merge_part(base.get(part), said)
    deployment = merged["deployment"]
    assert isinstance(deployment, dict)
    printed = read_struct(
        {**merged, "deployment": {**deployment, "deployment": []}}, OverrideTableSpec, ("table",), notes
    )
    if printed is not None:
        notes.add_all(("table",), _table_faults(printed))
    return (printed, merged) if printed is not None and len(notes.faults) == before else None


def _merge_part(base: object, said: Table) -> Table:
    known = base if isinstance(base, dict) else {}
    words = known.get("basis")
    figures = [key for key in (*known, *said) if key not in ("basis", "deployment")]
    basis = {
        key: OVERRIDE_BASIS if key in said else words[key] if isinstance(words, dict) else words for key in figures
    }
    return {**known, **said, "basis": basis}


def _table_faults(table: OverrideTableSpec) -> Iterator[Fault]:
    asked = (
        ("field", field_faults(table.field)),
        ("sizes", size_faults(table.sizes)),
        ("battle_die", die_faults(table.battle_die)),
    )
    for part, faults in asked:
        yield from (((part, *place), text) for place, text in faults)


def apply_table(catalogue: Catalogue, table: OverrideTableSpec) -> Catalogue:
    """All that was made for the packs' table, made for this one: the radii of disks, the common face of cards."""
    sizes: dict[Size, int] = {
        "small": table.sizes.small,
        "medium": table.sizes.medium,
        "large": table.sizes.large,
    }
    return replace(
        catalogue,
        field=build_field(table.field),
        sizes=sizes,
        battle_die=table.battle_die.faces,
        disks={name: replace(disk, radius=sizes[disk.size] // 2) for name, disk in catalogue.disks.items()},
        deployments={
            name: _rebuild_deployment_card(card, table.deployment) for name, card in catalogue.deployments.items()
        },
    )


def _rebuild_deployment_card(card: DeploymentCard, all_cards: DeploymentsFile) -> DeploymentCard:
    return replace(card, width=all_cards.width, faces=(DeploymentFace(all_cards.common), card.faces[1]))


def hashed_content(catalogue: Catalogue, overridden: Mapping[str, Sequence[str]]) -> HashedContent:
    """Return what the hash is made of: the table, and every named entry of the file."""
    disks = overridden.get("disks", ())
    faces = set(overridden.get("terrain", ()))
    pieces = [card.id for card in catalogue.terrain.values() if faces & {face.id for face in card.faces}]
    return HashedContent(
        field=catalogue.field,
        sizes=tuple(catalogue.sizes.items()),
        battle_die=catalogue.battle_die,
        disks=_select_sorted(catalogue.disks, disks),
        copies=tuple((name, catalogue.copies[name]) for name in sorted(disks)),
        cards=_select_sorted(catalogue.cards, overridden.get("cards", ())),
        armies=_select_sorted(catalogue.armies, overridden.get("armies", ())),
        scenarios=_select_sorted(
            {**catalogue.scenarios, **catalogue.special_scenarios}, overridden.get("scenarios", ())
        ),
        deployments=_select_sorted(catalogue.deployments, overridden.get("deployments", ())),
        terrain=_select_sorted(catalogue.terrain, pieces),
    )


def _select_sorted(named: Mapping[str, T], names: Iterable[str]) -> tuple[T, ...]:
    return tuple(named[name] for name in sorted(names))
