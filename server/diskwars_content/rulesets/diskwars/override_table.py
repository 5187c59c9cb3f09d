"""The table part of an override file (field, ruler, sizes, battle die, deployment cards), and the file's hash."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.packs import PackText
from diskwars_content.rulesets.diskwars.entry_checks import Fault, die_faults, field_faults, size_faults
from diskwars_content.rulesets.diskwars.keyword_text import did_you_mean
from diskwars_content.rulesets.diskwars.pack_loader import HashedContent, HashedDisk, HashedSizes
from diskwars_content.rulesets.diskwars.setup_cards import DeploymentsFile
from diskwars_content.rulesets.diskwars.specs import BattleDieSpec, FieldSpec, SizesSpec, build_field
from diskwars_content.rulesets.diskwars.toml_reader import FileFaults, Table, read_struct
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, DeploymentFace
from diskwars_protocol.rulesets.diskwars.stats import Size

OVERRIDE_BASIS = "own"
T = TypeVar("T")


class OverrideFile(Struct, frozen=True):
    """An override file as a whole; its entries are checked one by one."""

    id: PackText
    version: PackText
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


def read_override_table(raw_override: object, base: Table, log: FileFaults) -> tuple[OverrideTableSpec, Table] | None:
    """Merge the file's `table` over the packs'.

    Returns the result as a spec and as a raw table; None if the file has no table or the table has faults.
    """
    if not isinstance(raw_override, dict):
        return None  # absent, or not a table; the latter is reported when the file is read as a whole
    before, merged = len(log.faults), dict(base)
    for part, override in raw_override.items():
        if part not in OVERRIDE_TABLE_PARTS:
            log.add(("table", part), f"unknown field{did_you_mean(part, OVERRIDE_TABLE_PARTS)}")
        elif not isinstance(override, dict):
            log.add(("table", part), "expected a table")
        else:
            merged[part] = _merge_part(base.get(part), override)
    deployment = merged["deployment"]
    assert isinstance(deployment, dict)
    spec = read_struct({**merged, "deployment": {**deployment, "deployment": []}}, OverrideTableSpec, ("table",), log)
    if spec is not None:
        log.add_all(("table",), _table_faults(spec))
    return (spec, merged) if spec is not None and len(log.faults) == before else None


def _merge_part(base: object, override: Table) -> Table:
    base_part = base if isinstance(base, dict) else {}
    base_basis = base_part.get("basis")
    figures = [key for key in (*base_part, *override) if key not in ("basis", "deployment")]
    basis = {
        key: OVERRIDE_BASIS if key in override else base_basis[key] if isinstance(base_basis, dict) else base_basis
        for key in figures
    }
    return {**base_part, **override, "basis": basis}


def _table_faults(table: OverrideTableSpec) -> Iterator[Fault]:
    checks = (
        ("field", field_faults(table.field)),
        ("sizes", size_faults(table.sizes)),
        ("battle_die", die_faults(table.battle_die)),
    )
    for part, faults in checks:
        yield from (((part, *place), text) for place, text in faults)


def apply_table(catalogue: Catalogue, table: OverrideTableSpec) -> Catalogue:
    """Return the catalogue with this table and what is derived from it: radii of disks, faces of deployment cards."""
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
    """Return the content that the file's hash covers: the table and every entry that the file names."""
    disks = overridden.get("disks", ())
    faces = set(overridden.get("terrain", ()))
    pieces = [card.id for card in catalogue.terrain.values() if faces & {face.id for face in card.faces}]
    scenarios = overridden.get("scenarios", ())
    return HashedContent(
        field=catalogue.field,
        sizes=HashedSizes(catalogue.sizes["small"], catalogue.sizes["medium"], catalogue.sizes["large"]),
        battle_die=catalogue.battle_die,
        disks=tuple(HashedDisk(catalogue.disks[id], catalogue.copies[id]) for id in sorted(disks)),
        cards=_select_sorted(catalogue.cards, overridden.get("cards", ())),
        armies=_select_sorted(catalogue.armies, overridden.get("armies", ())),
        scenarios=_select_sorted(catalogue.scenarios, set(scenarios) & set(catalogue.scenarios)),
        special_scenarios=_select_sorted(
            catalogue.special_scenarios, set(scenarios) & set(catalogue.special_scenarios)
        ),
        deployments=_select_sorted(catalogue.deployments, overridden.get("deployments", ())),
        terrain=_select_sorted(catalogue.terrain, pieces),
    )


def _select_sorted(named: Mapping[str, T], names: Iterable[str]) -> tuple[T, ...]:
    return tuple(named[name] for name in sorted(names))
