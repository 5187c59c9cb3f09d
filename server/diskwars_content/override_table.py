"""What does a player's own file say of the table: the field and the ruler, sizes, the battle die, deployment cards?

Also what all of such a file comes to, for its hash. Must not know of disks and cards by name, nor how files are read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.entry_checks import Fault, die_faults, field_faults, size_faults
from diskwars_content.keyword_text import suggestion
from diskwars_content.pack_loader import Figures
from diskwars_content.setup_cards import PrintedDeployments
from diskwars_content.specs import PrintedDie, PrintedField, PrintedSizes, field_of
from diskwars_content.toml_reader import Notes, Table, read
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, DeploymentFace
from diskwars_protocol.rulesets.diskwars.stats import Size

OWN = "own"
T = TypeVar("T")


class PrintedOwn(Struct, frozen=True):
    """The file as a whole."""

    name: str
    version: str
    table: dict[str, object] = {}
    disks: dict[str, object] = {}
    cards: dict[str, object] = {}
    scenarios: dict[str, object] = {}
    deployments: dict[str, object] = {}
    armies: dict[str, object] = {}
    terrain: dict[str, object] = {}


class PrintedOwnTable(Struct, frozen=True):
    field: PrintedField
    sizes: PrintedSizes
    battle_die: PrintedDie
    deployment: PrintedDeployments


PARTS = ("field", "sizes", "battle_die", "deployment")


def read_table(given: object, base: Table, notes: Notes) -> tuple[PrintedOwnTable, Table] | None:
    """The table with what the file says of it, and as it would be written; None when anything is wrong with it."""
    if not isinstance(given, dict):
        return None  # nothing is said, or no table, which reading the file as a whole tells
    before, merged = len(notes.faults), dict(base)
    for part, said in given.items():
        if part not in PARTS:
            notes.add(("table", part), f"unknown field{suggestion(part, PARTS)}")
        elif not isinstance(said, dict):
            notes.add(("table", part), "expected a table")
        else:
            merged[part] = _merged(base.get(part), said)
    deployment = merged["deployment"]
    assert isinstance(deployment, dict)
    printed = read({**merged, "deployment": {**deployment, "deployment": []}}, PrintedOwnTable, ("table",), notes)
    if printed is not None:
        notes.add_all(("table",), _faults(printed))
    return (printed, merged) if printed is not None and len(notes.faults) == before else None


def _merged(base: object, said: Table) -> Table:
    known = base if isinstance(base, dict) else {}
    words = known.get("basis")
    figures = [key for key in (*known, *said) if key not in ("basis", "deployment")]
    basis = {key: OWN if key in said else words[key] if isinstance(words, dict) else words for key in figures}
    return {**known, **said, "basis": basis}


def _faults(table: PrintedOwnTable) -> Iterator[Fault]:
    asked = (
        ("field", field_faults(table.field)),
        ("sizes", size_faults(table.sizes)),
        ("battle_die", die_faults(table.battle_die)),
    )
    for part, faults in asked:
        yield from (((part, *place), text) for place, text in faults)


def with_table(catalogue: Catalogue, table: PrintedOwnTable) -> Catalogue:
    """All that was made for the packs' table, made for this one: the radii of disks, the common face of cards."""
    sizes: dict[Size, int] = {
        "small": table.sizes.small,
        "medium": table.sizes.medium,
        "large": table.sizes.large,
    }
    return replace(
        catalogue,
        field=field_of(table.field),
        sizes=sizes,
        battle_die=table.battle_die.faces,
        disks={name: replace(disk, radius=sizes[disk.size] // 2) for name, disk in catalogue.disks.items()},
        deployments={name: _on_table(card, table.deployment) for name, card in catalogue.deployments.items()},
    )


def _on_table(card: DeploymentCard, all_cards: PrintedDeployments) -> DeploymentCard:
    return DeploymentCard(card.name, all_cards.width, (DeploymentFace(all_cards.common), card.faces[1]))


def figures_of(catalogue: Catalogue, said: Mapping[str, Sequence[str]]) -> Figures:
    """The table, and whatever the file speaks of by name: what its hash is made of."""
    disks = said.get("disks", ())
    faces = set(said.get("terrain", ()))
    pieces = [card.name for card in catalogue.terrain.values() if faces & {face.name for face in card.faces}]
    special = {card.name: card for card in catalogue.special.values()}
    return Figures(
        field=catalogue.field,
        sizes=tuple(catalogue.sizes.items()),
        battle_die=catalogue.battle_die,
        disks=_of(catalogue.disks, disks),
        copies=tuple((name, catalogue.copies[name]) for name in sorted(disks)),
        cards=_of(catalogue.cards, said.get("cards", ())),
        armies=_of(catalogue.armies, said.get("armies", ())),
        scenarios=_of({**catalogue.scenarios, **special}, said.get("scenarios", ())),
        deployments=_of(catalogue.deployments, said.get("deployments", ())),
        terrain=_of(catalogue.terrain, pieces),
    )


def _of(named: Mapping[str, T], names: Iterable[str]) -> tuple[T, ...]:
    return tuple(named[name] for name in sorted(names))
