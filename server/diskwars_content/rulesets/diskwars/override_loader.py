"""Override files: a player's own TOML file, merged over the packs figure by figure.

    name, version        what the file is called
    [table.field] ...    the field and the ruler; [table.sizes], [table.battle_die], [table.deployment] likewise
    [disks."Orc Boyz"]   figures of a disk, or a disk that no pack has; [cards...], [scenarios...], [deployments...],
                         [armies...] likewise
    [terrain."Gully"]    keywords and outline of a face

Figures in the file get the basis `own`; everything else keeps its value.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_content.rulesets.diskwars.entry_checks import FIELDS_WITHOUT_BASIS, Fault, card_faults, disk_faults
from diskwars_content.rulesets.diskwars.identity import identity_faults, unknown_word_faults, with_identity
from diskwars_content.rulesets.diskwars.keyword_text import did_you_mean, quote
from diskwars_content.rulesets.diskwars.override_table import (
    OverrideFile,
    apply_table,
    hashed_content,
    read_override_table,
)
from diskwars_content.rulesets.diskwars.pack_loader import ability_reference_faults
from diskwars_content.rulesets.diskwars.raw_tables import RawTables
from diskwars_content.rulesets.diskwars.selector_words import is_selector_word, word_list_faults
from diskwars_content.rulesets.diskwars.setup_cards import (
    DeploymentCardSpec,
    ScenarioSpec,
    build_deployment_card,
    build_scenario,
    deployment_faults,
    scenario_faults,
)
from diskwars_content.rulesets.diskwars.specs import (
    ArmySpec,
    CommandCardSpec,
    DiskSpec,
    RaceFile,
    TerrainPieceSpec,
    build_army,
    build_command_card,
    build_profile,
)
from diskwars_content.rulesets.diskwars.terrain import build_terrain_card as terrain_of
from diskwars_content.rulesets.diskwars.terrain import piece_faults
from diskwars_content.rulesets.diskwars.toml_reader import FileFaults, Table, parse_toml_file, read_struct
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_engine.rulesets.diskwars.setup.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.setup.loadout import resolve_names
from diskwars_protocol.identifiers import make_id
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.records.canonical import JsonPath as Place
from diskwars_protocol.records.figures import figures_hash
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from diskwars_protocol.rulesets.diskwars.effective_stats import selectors_of
from diskwars_protocol.rulesets.diskwars.stats import Faction, Profile

OVERRIDE_BASIS = "own"
S = TypeVar("S", bound=Struct)


class OverrideDiskSpec(DiskSpec, frozen=True, kw_only=True):
    """A disk with the race and faction that a pack states once per race file."""

    race: str
    faction: Faction


class OverrideFaceSpec(Struct, frozen=True):
    """A terrain face in an override file, with the outline as seen from this side."""

    keywords: tuple[str, ...] = ()
    corners: tuple[tuple[int, ...], ...] = ()


OVERRIDABLE_KINDS: Mapping[str, tuple[str, type[Struct]]] = {
    "disks": ("disk", OverrideDiskSpec),
    "cards": ("command card", CommandCardSpec),
    "scenarios": ("scenario", ScenarioSpec),
    "deployments": ("deployment card", DeploymentCardSpec),
    "armies": ("starter army", ArmySpec),
}
"""The tables of named entries in an override file: what an entry is called, and the spec that a new one must fill."""


class OverriddenPacks(Struct, frozen=True):
    """Packs with an override file merged over them.

    `overridden` holds the merged entries that the file names, by kind and id, each with its basis. `dropped_armies` are
    starter armies of the packs that are no longer legal, with the reason. `written_keys` are the keys that the file
    itself writes, by place.
    """

    catalogue: Catalogue
    tables: RawTables
    overridden: Mapping[str, Mapping[str, Table]]
    dropped_armies: Mapping[str, str]
    written_keys: Mapping[Place, tuple[str, ...]] = {}


class OverrideLoader:
    """Loader of one override file; collects its valid parts and every fault."""

    def __init__(
        self, path: Path, base: Catalogue, tables: RawTables, unloaded_entries: Mapping[str, str] | None = None
    ) -> None:
        """Prepare to load `path` over `base`. `unloaded_entries` maps ids to the names of packs that are not loaded."""
        self.faults: list[str] = []
        self._log = _OverrideFileFaults(path.name, self.faults)
        self._path, self._base, self._raw_tables = path, base, tables
        self._packs_not_loaded = unloaded_entries or {}
        self._overridden: dict[str, dict[str, Table]] = {}
        self._dropped_armies: dict[str, str] = {}
        self._written_keys: dict[Place, tuple[str, ...]] = {}

    def load(self) -> OverriddenPacks | None:
        """Load the file; return None, with the reasons in `faults`, if anything is wrong."""
        tree = parse_toml_file(self._path, self._log)
        if tree is None:
            return None
        file_spec = read_struct(tree, OverrideFile, (), self._log)
        base = self._base
        if file_spec is not None:
            self._log.add_all(
                (), word_list_faults(file_spec.races, file_spec.traits, base.races, base.traits, list(base.disks))
            )
            self._base = replace(base, races=(*base.races, *file_spec.races), traits=(*base.traits, *file_spec.traits))
        if file_spec is not None and file_spec.id in [pack.id for pack in (base.pack, *base.other_packs)]:
            self._log.add(("id",), f"{quote(file_spec.id)} is the id of another pack")
        catalogue = self._apply_entries(self._apply_table(tree), tree)
        if file_spec is None or self.faults:
            return None
        figures = hashed_content(catalogue, {kind: tuple(entries) for kind, entries in self._overridden.items()})
        pack = Pack(file_spec.id, file_spec.version, figures_hash(figures))
        own = {
            ("special_scenarios" if id in catalogue.special_scenarios else kind, id): pack.id
            for kind, entries in self._overridden.items()
            for id in entries
        }
        sources = {**catalogue.sources, **own}
        whole = replace(
            catalogue,
            other_packs=(*catalogue.other_packs, pack),
            sources=sources,
            races=self._base.races,
            traits=self._base.traits,
        )
        return OverriddenPacks(
            whole,
            self._raw_tables.with_entries(self._overridden),
            self._overridden,
            self._dropped_armies,
            self._written_keys,
        )

    def _apply_table(self, tree: Table) -> Catalogue:
        table_override = read_override_table(tree.get("table"), self._raw_tables.table, self._log)
        if table_override is None:
            return self._base
        table_spec, merged = table_override
        self._raw_tables = replace(self._raw_tables, table=merged)
        for part, given in self._tables_of_kind(tree, "table").items():
            self._written_keys["table", part] = tuple(given) if isinstance(given, dict) else ()
        return apply_table(self._base, table_spec)

    def _apply_entries(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        disks = self._read_entries(tree, "disks", OverrideDiskSpec, with_identity(self._disk_faults))
        profiles = {id: _build_profile(disk, catalogue) for id, disk in disks.items()}
        cards = {
            id: build_command_card(card)
            for id, card in self._read_entries(tree, "cards", CommandCardSpec, with_identity(card_faults)).items()
        }
        scenarios = self._read_entries(tree, "scenarios", ScenarioSpec, with_identity(scenario_faults))
        deployments = self._read_entries(tree, "deployments", DeploymentCardSpec, with_identity(deployment_faults))
        scenario_cards = {id: build_scenario(card) for id, card in scenarios.items()}
        special = catalogue.special_scenarios
        catalogue = replace(
            catalogue,
            disks={**catalogue.disks, **profiles},
            copies={**catalogue.copies, **{id: disk.copies for id, disk in disks.items()}},
            cards={**catalogue.cards, **cards},
            scenarios={**catalogue.scenarios, **{id: card for id, card in scenario_cards.items() if id not in special}},
            special_scenarios={id: scenario_cards.get(id, card) for id, card in special.items()},
            deployments={
                **catalogue.deployments,
                **{
                    id: build_deployment_card(card, self._raw_tables.deployment_settings)
                    for id, card in deployments.items()
                },
            },
        )
        self._check_ability_references(catalogue, profiles, cards)
        return self._apply_armies(self._apply_terrain(catalogue, tree), tree)

    # --- entries by id or name

    def _disk_faults(self, disk: OverrideDiskSpec) -> Iterator[Fault]:
        yield from disk_faults(disk)
        yield from unknown_word_faults("traits", disk.traits, self._base.traits, "trait")
        if is_selector_word(disk.id, self._base.races, self._base.traits):
            yield (), f"{quote(disk.id)} is a trait, a race or a kind of disk"
        if disk.race not in self._base.races:
            yield from (
                (("race",), text) for _, text in unknown_word_faults("", (disk.race,), self._base.races, "race")
            )

    def _read_entries(
        self, tree: Table, kind: str, spec_type: type[S], find_faults: Callable[[S], Iterable[Fault]]
    ) -> dict[str, S]:
        """Read the entries of a kind by id, merged over the packs' own; leave out those with faults."""
        entries: dict[str, S] = {}
        for key, given in self._tables_of_kind(tree, kind).items():
            place: Place = (kind, key)
            if not isinstance(given, dict):
                self._log.add(place, f"expected a table, found {quote(given)}")
                continue
            id = self._raw_tables.find_id(kind, key) or make_id(key)
            merged = self._merge_entry(kind, key, id, given)
            before = len(self.faults)
            spec = None if merged is None else read_struct(merged, spec_type, place, self._log)
            if spec is not None:
                self._log.add_all(place, find_faults(spec))
            if merged is not None and spec is not None and len(self.faults) == before:
                entries[id] = spec
                self._overridden.setdefault(kind, {})[id] = merged
                self._written_keys[place] = tuple(given)
        return entries

    def _tables_of_kind(self, tree: Table, kind: str) -> Table:
        given = tree.get(kind, {})
        # A value that is not a table is reported when the file is read as a whole.
        return given if isinstance(given, dict) else {}

    def _merge_entry(self, kind: str, name: str, id: str, given: Table) -> Table | None:
        """Merge an entry over the packs' own, with a basis for each figure; None if it is unknown and incomplete."""
        place, base = (kind, name), self._raw_tables.entries.get(kind, {}).get(id)
        for key in ("id", "basis"):
            if key in given:
                why = "is the head of the table" if key == "id" else "is not written here: all is your own"
                self._log.add((*place, key), f'"{key}" {why}')
        noun, spec_type = OVERRIDABLE_KINDS[kind]
        required = {field.name for field in fields(spec_type) if field.required} - {"id", "name", "basis"}
        missing = sorted(required - set(given))
        if base is None and missing:
            self._log.add(place, self._unknown(kind, name, noun, missing))
            return None
        given = {
            key: _with_override_basis(value) if key in ("shots", "abilities") else value for key, value in given.items()
        }
        merged = {"name": name, **(base or {}), **given, "id": id}
        if "basis" in {field.name for field in fields(spec_type)}:
            merged["basis"] = _merge_basis(base or {}, given, merged, spec_type)
        return merged

    def _unknown(self, kind: str, name: str, noun: str, missing: list[str]) -> str:
        if make_id(name) in self._packs_not_loaded:
            return f"{noun} of {self._packs_not_loaded[make_id(name)]}, which is not played with: name that pack too"
        hint = did_you_mean(name, self._raw_tables.names(kind))
        return f"there is no {noun} of this name, and a new one also needs {', '.join(missing)}{hint}"

    # --- terrain

    def _apply_terrain(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        terrain = dict(catalogue.terrain)
        for name, given in self._tables_of_kind(tree, "terrain").items():
            place: Place = ("terrain", name)
            before = len(self.faults)
            face = read_struct(given, OverrideFaceSpec, place, self._log)
            known = self._raw_tables.find_piece(name)
            if known is None:
                self._log.add(place, f"there is no face of this name{did_you_mean(name, self._raw_tables.face_names)}")
            if face is None or known is None or not isinstance(given, dict):
                continue
            piece, side = known
            merged = _override_piece(piece, side, given)
            printed = read_struct(merged, TerrainPieceSpec, place, self._log)
            if printed is not None:
                self._log.add_all(place, (_face_fault(fault) for fault in piece_faults(printed)))
            if printed is None or len(self.faults) > before:
                continue
            turned = merged if side == 0 else _turn_over(merged)
            self._raw_tables = self._raw_tables.with_piece(turned)
            self._overridden.setdefault("terrain", {})[_face_id(piece, side)] = turned
            self._written_keys[place] = tuple(given)
            card = terrain_of(read_struct(turned, TerrainPieceSpec, place, self._log) or printed)
            terrain[card.id] = card
        return replace(catalogue, terrain=terrain)

    # --- checks of the whole catalogue

    def _check_ability_references(self, catalogue: Catalogue, *changed: Mapping[str, object]) -> None:
        words = {word for disk in catalogue.disks.values() for word in selectors_of(disk)}
        for kind, entries in zip(("disks", "cards"), changed, strict=True):
            for name, entry in entries.items():
                for number, ability in enumerate(getattr(entry, "abilities", ())):
                    place = (kind, name, "abilities", number)
                    self._log.add_all(place, ability_reference_faults(ability, catalogue.disks, words))

    def _apply_armies(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        """Check the file's starter armies, and drop those of the packs that are no longer legal."""
        own = {
            id: build_army(army) for id, army in self._read_entries(tree, "armies", ArmySpec, identity_faults).items()
        }
        keys = {
            self._raw_tables.find_id("armies", key) or make_id(key): key for key in self._tables_of_kind(tree, "armies")
        }
        own = {id: _with_ids(army, catalogue) for id, army in own.items()}
        armies = {}
        for id, army in {**catalogue.armies, **own}.items():
            faults = list(army_faults(army, catalogue.disks, catalogue.cards))
            if not faults:
                armies[id] = army
            elif id in own:
                self._log.add_all(("armies", keys[id]), ((fault.place, str(fault)) for fault in faults))
            else:
                self._dropped_armies[army.name] = str(faults[0])
        return replace(catalogue, armies=armies)


class _OverrideFileFaults(FileFaults):
    """A fault log whose places are paths in the file: `$.disks."Orc Boyz".movement`."""

    def add(self, place: Place, text: str) -> None:
        self.faults.append(f"{self.file} {format_toml_path(place)}: {text}")


def format_toml_path(place: Place) -> str:
    words = ["$"]
    for step in place:
        plain = isinstance(step, str) and step.replace("_", "").replace("-", "").isalnum() and step.isascii()
        words.append(f"[{step}]" if isinstance(step, int) else f".{step}" if plain else f'."{step}"')
    return "".join(words)


def _with_ids(army: Army, catalogue: Catalogue) -> Army:
    """Replace names of disks and cards by ids; override files may use either."""
    resolved, _ = resolve_names(catalogue, Loadout(army.id, army.regiments, army.hand))
    assert isinstance(resolved.regiments, tuple)
    assert isinstance(resolved.hand, tuple)
    return replace(army, regiments=resolved.regiments, hand=resolved.hand)


def _build_profile(disk: OverrideDiskSpec, catalogue: Catalogue) -> Profile:
    return build_profile(disk, RaceFile(disk.race, disk.faction, ()), catalogue.sizes[disk.size])


def _with_override_basis(entries: object) -> object:
    """Set the basis of shots and abilities to `own`."""
    if not isinstance(entries, list):
        return entries
    return [{**entry, "basis": OVERRIDE_BASIS} if isinstance(entry, dict) else entry for entry in entries]


def _merge_basis(base: Table, given: Table, merged: Table, spec_type: type[Struct]) -> dict[str, object]:
    """Return a basis for each figure: `own` where the file states it, otherwise the pack's."""
    base_basis = base.get("basis", OVERRIDE_BASIS)
    of_race = {"race", "faction"} if spec_type is OverrideDiskSpec else set()
    known = {field.name for field in fields(spec_type)} - of_race - set(FIELDS_WITHOUT_BASIS)
    words: dict[str, object] = base_basis if isinstance(base_basis, dict) else {}
    return {name: OVERRIDE_BASIS if name in given else words.get(name, base_basis) for name in merged if name in known}


def _override_piece(piece: Table, side: int, given: Table) -> Table:
    """Return the piece with the given side in front and the override applied to it."""
    seen = piece if side == 0 else _turn_over(piece)
    front, back = _faces(seen)
    changed = {**front, "keywords": given["keywords"], "basis": OVERRIDE_BASIS} if "keywords" in given else front
    outline = {"corners": given["corners"], "basis": OVERRIDE_BASIS} if "corners" in given else {}
    return {**seen, **outline, "faces": [changed, back]}


def _turn_over(piece: Table) -> Table:
    """Turn a piece over, which mirrors its outline (R-54)."""
    corners = piece.get("corners")
    front, back = _faces(piece)
    mirrored = [[-x, y] for x, y in reversed(corners)] if isinstance(corners, list) else corners
    return {**piece, "corners": mirrored, "faces": [back, front]}


def _faces(piece: Table) -> tuple[Table, Table]:
    faces = piece.get("faces")
    assert isinstance(faces, list)
    return faces[0], faces[1]


def _face_id(piece: Table, side: int) -> str:
    return str(_faces(piece)[side]["id"])


def _face_fault(fault: Fault) -> Fault:
    """Move a fault of the front face to the place of the named face in the file."""
    place, text = fault
    return (place[2:] if place[:2] == ("faces", 0) else place), text
