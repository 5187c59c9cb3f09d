"""Loader of a whole pack: it reads the files of a folder and runs the checks that need all of them.

A fault in one entry never hides those of another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from diskwars_content.rulesets.diskwars.entry_checks import (
    Fault,
    basis_faults,
    card_faults,
    die_faults,
    disk_faults,
    field_faults,
    size_faults,
)
from diskwars_content.rulesets.diskwars.identity import (
    IdentityClaims,
    id_faults,
    identity_faults,
    terrain_identity_faults,
    unknown_word_faults,
    with_identity,
)
from diskwars_content.rulesets.diskwars.keyword_text import did_you_mean, quote
from diskwars_content.rulesets.diskwars.selector_words import is_selector_word, word_list_faults
from diskwars_content.rulesets.diskwars.setup_cards import (
    DeploymentCardSpec,
    DeploymentsFile,
    ScenariosFile,
    ScenarioSpec,
    build_deployment_card,
    build_scenario,
    deployment_faults,
    scenario_faults,
)
from diskwars_content.rulesets.diskwars.specs import (
    ArmiesFile,
    ArmySpec,
    BattleDieSpec,
    CommandCardsFile,
    CommandCardSpec,
    DiskSpec,
    DiskwarsPackFile,
    FieldSpec,
    RaceFile,
    SizesSpec,
    TableFile,
    TerrainFile,
    TerrainPieceSpec,
    build_army,
    build_command_card,
    build_field,
    build_profile,
)
from diskwars_content.rulesets.diskwars.terrain import build_terrain_card as terrain_of
from diskwars_content.rulesets.diskwars.toml_reader import FileFaults, Table, list_tables, parse_toml_file, read_struct
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_engine.rulesets.diskwars.setup.army_rules import army_faults
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.records.canonical import JsonPath as Place
from diskwars_protocol.records.figures import figures_hash
from diskwars_protocol.rulesets.diskwars.effective_stats import selectors_of
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    CommandCard,
    Field,
    Profile,
    RemoveActivationToken,
    Size,
    Symbol,
)

PACK_FILE, TABLE_FILE, COMMANDS_FILE, ARMIES_FILE = "pack.toml", "table.toml", "commands.toml", "armies.toml"
SCENARIOS_FILE, DEPLOYMENTS_FILE, TERRAIN_FILE = "scenarios.toml", "deployments.toml", "terrain.toml"
RESERVED_FILES = (PACK_FILE, TABLE_FILE, COMMANDS_FILE, ARMIES_FILE, SCENARIOS_FILE, DEPLOYMENTS_FILE, TERRAIN_FILE)
UNKNOWN_ID = ""
"""A placeholder among the faulty ids, for entries whose ids could not be read."""

S = TypeVar("S", bound=Struct)
T = TypeVar("T")


class HashedSizes(Struct, frozen=True):
    """Diameters in micrometres."""

    small: int
    medium: int
    large: int


class HashedDisk(Struct, frozen=True):
    profile: Profile
    copies: int


class HashedContent(Struct, frozen=True):
    """The content whose figures a pack's hash covers, each list by id; docs/fairness.md specifies it."""

    field: Field
    sizes: HashedSizes
    battle_die: tuple[Symbol, ...]
    disks: tuple[HashedDisk, ...]
    cards: tuple[CommandCard, ...]
    armies: tuple[Army, ...]
    scenarios: tuple[Scenario, ...]
    special_scenarios: tuple[Scenario, ...]
    deployments: tuple[DeploymentCard, ...]
    terrain: tuple[TerrainCard, ...]


class PackLoader:
    """Loader of one pack folder; collects its valid parts and every fault."""

    def __init__(self, folder: Path, available_packs: Mapping[str, Callable[[], Catalogue]] | None = None) -> None:
        """Prepare to load a folder. `available_packs` are the packs that this one may need, by name."""
        self.folder = folder
        self._available_packs = available_packs or {}
        self._base_disks: Mapping[str, Profile] = {}
        self._base_cards: Mapping[str, CommandCard] = {}
        self.faults: list[str] = []
        self._disks: dict[str, Profile] = {}
        self._copies: dict[str, int] = {}
        self._cards: dict[str, CommandCard] = {}
        self._armies: dict[str, Army] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._special_scenarios: dict[str, Scenario] = {}
        self._deployments: dict[str, DeploymentCard] = {}
        self._terrain: dict[str, TerrainCard] = {}
        self._abilities: list[tuple[FileFaults, Place, tuple[Ability, ...]]] = []
        self._claims = IdentityClaims()
        self._races: set[str] = set()
        self._has_word_lists = False
        self._traits: set[str] = set()
        self._faulty_ids: set[str] = set()  # ids of entries with faults: entries that refer to them are not checked

    def load(self) -> Catalogue | None:
        """Load the pack; return None, with the reasons in `faults`, if anything is wrong."""
        files = self._list_files()
        if files is None:
            return None
        pack = self._load_pack_file()
        table = self._load_table_file()
        for file in files:
            if file not in RESERVED_FILES:
                self._load_race_file(file, table)
        if COMMANDS_FILE in files:
            self._load_cards()
        self._check_ability_references()
        if ARMIES_FILE in files:
            self._load_armies()
        if SCENARIOS_FILE in files:
            self._load_scenarios()
        if DEPLOYMENTS_FILE in files:
            self._load_deployments()
        if TERRAIN_FILE in files:
            self._load_terrain()
        if pack is None or table is None or self.faults:
            return None
        return self._build_catalogue(pack, table)

    # --- files

    def _list_files(self) -> list[str] | None:
        try:
            return sorted(path.name for path in self.folder.iterdir() if path.suffix == ".toml")
        except OSError as error:
            self.faults.append(f"{self.folder}: cannot be read ({error.strerror})")
            return None

    def _load_pack_file(self) -> DiskwarsPackFile | None:
        log, tree = self._parse_file(PACK_FILE)
        pack = None if tree is None else read_struct(tree, DiskwarsPackFile, (), log)
        for number, name in enumerate(pack.needs if pack else ()):
            if name in self._available_packs:
                base = self._available_packs[name]()
                self._base_disks = {**self._base_disks, **base.disks}
                self._base_cards = {**self._base_cards, **base.cards}
                self._races.update(base.races)
                self._traits.update(base.traits)
            else:
                log.add(
                    ("needs", number), f"no pack {quote(name)} is known here{did_you_mean(name, self._available_packs)}"
                )
        if pack is not None:
            self._has_word_lists = True
            log.add_all(
                (), word_list_faults(pack.races, pack.traits, self._races, self._traits, list(self._base_disks))
            )
            self._races.update(pack.races)
            self._traits.update(pack.traits)
            for field, words in (("races", pack.races), ("traits", pack.traits)):
                log.add_all((), (((field, n), text) for n, word in enumerate(words) for _, text in id_faults(word)))
        return pack

    def _load_table_file(self) -> TableFile | None:
        log, tree = self._parse_file(TABLE_FILE)
        if tree is None:
            return None
        table = read_struct(tree, TableFile, (), log)
        for key, spec_type in (("field", FieldSpec), ("sizes", SizesSpec), ("battle_die", BattleDieSpec)):
            log.add_all((key,), basis_faults(tree.get(key), spec_type))
        if table is not None:
            log.add_all(("field",), field_faults(table.field))
            log.add_all(("sizes",), size_faults(table.sizes))
            log.add_all(("battle_die",), die_faults(table.battle_die))
        return table

    def _load_race_file(self, file: str, table: TableFile | None) -> None:
        log, tree, race = self._parse_list_file(file, RaceFile)
        if race is not None and self._has_word_lists and race.race not in self._races:
            log.add_all((), ((("race",), text) for _, text in self._race_faults(race)))
        for place, entry in list_tables(tree, "disk"):
            disk = self._read_entry(entry, DiskSpec, place, log, self._disk_faults)
            if disk is None or race is None or table is None or not self._claims.claim("disk", disk, place, log):
                self._mark_faulty(entry)
            else:
                profile = build_profile(disk, race, getattr(table.sizes, disk.size))
                self._disks[disk.id] = profile
                self._copies[disk.id] = disk.copies
                self._abilities.append((log, place, profile.abilities))

    def _load_cards(self) -> None:
        log, tree, _ = self._parse_list_file(COMMANDS_FILE, CommandCardsFile)
        for place, entry in list_tables(tree, "card"):
            card = self._read_entry(entry, CommandCardSpec, place, log, with_identity(card_faults))
            if card is None or not self._claims.claim("card", card, place, log):
                self._mark_faulty(entry)
            else:
                self._cards[card.id] = build_command_card(card)
                self._abilities.append((log, place, self._cards[card.id].abilities))

    def _load_armies(self) -> None:
        log, tree, _ = self._parse_list_file(ARMIES_FILE, ArmiesFile)
        for place, entry in list_tables(tree, "army"):
            spec = self._read_entry(entry, ArmySpec, place, log, identity_faults)
            if spec is not None and self._claims.claim("army", spec, place, log):
                self._add_army(spec, place, log)

    def _load_scenarios(self) -> None:
        log, tree, _ = self._parse_list_file(SCENARIOS_FILE, ScenariosFile)
        for place, entry in list_tables(tree, "scenario"):
            card = self._read_entry(entry, ScenarioSpec, place, log, with_identity(scenario_faults))
            if card is not None and self._claims.claim("scenario", card, place, log):
                self._scenarios[card.id] = build_scenario(card)
        for place, entry in list_tables(tree, "special"):
            card = self._read_entry(entry, ScenarioSpec, place, log, with_identity(scenario_faults))
            if card is not None and self._claims.claim("scenario", card, place, log):
                self._special_scenarios[card.id] = build_scenario(card)

    def _load_deployments(self) -> None:
        log, tree, whole = self._parse_list_file(DEPLOYMENTS_FILE, DeploymentsFile)
        log.add_all((), basis_faults(tree, DeploymentsFile))
        for place, entry in list_tables(tree, "deployment"):
            card = self._read_entry(entry, DeploymentCardSpec, place, log, with_identity(deployment_faults))
            is_new = card is not None and self._claims.claim("deployment card", card, place, log)
            if card is not None and whole is not None and is_new:
                self._deployments[card.id] = build_deployment_card(card, whole)

    def _load_terrain(self) -> None:
        log, tree, _ = self._parse_list_file(TERRAIN_FILE, TerrainFile)
        for place, entry in list_tables(tree, "piece"):
            piece = self._read_entry(entry, TerrainPieceSpec, place, log, terrain_identity_faults)
            if piece is None:
                continue
            is_new = [
                self._claims.claim_word("terrain card", "id", piece.id, place, log),
                *(
                    self._claims.claim("terrain", face, (*place, "faces", number), log)
                    for number, face in enumerate(piece.faces)
                ),
            ]
            if all(is_new):
                self._terrain[piece.id] = terrain_of(piece)

    def _parse_file(self, file: str) -> tuple[FileFaults, Table | None]:
        log = FileFaults(file, self.faults)
        return log, parse_toml_file(self.folder / file, log)

    def _parse_list_file(self, file: str, spec_type: type[S]) -> tuple[FileFaults, Table, S | None]:
        """Parse a file of entries. Return its log, its raw tables, and the file as a struct (None if it has faults)."""
        log, tree = self._parse_file(file)
        whole = None if tree is None else read_struct(tree, spec_type, (), log)
        if whole is None:
            self._faulty_ids.add(UNKNOWN_ID)
        return log, tree or {}, whole

    # --- entries

    def _read_entry(
        self,
        entry: Table,
        spec_type: type[S],
        place: Place,
        log: FileFaults,
        find_faults: Callable[[S], Iterable[Fault]],
    ) -> S | None:
        """Read one table of a list as a struct. Return None, with every fault logged, if anything is wrong with it."""
        before = len(self.faults)
        spec = read_struct(entry, spec_type, place, log)
        log.add_all(place, basis_faults(entry, spec_type))
        if spec is not None:
            log.add_all(place, find_faults(spec))
        return spec if len(self.faults) == before else None

    def _mark_faulty(self, entry: Table) -> None:
        id = entry.get("id")
        self._faulty_ids.add(id if isinstance(id, str) else UNKNOWN_ID)

    def _disk_faults(self, disk: DiskSpec) -> Iterator[Fault]:
        yield from identity_faults(disk)
        yield from disk_faults(disk)
        if self._has_word_lists:
            yield from unknown_word_faults("traits", disk.traits, self._traits, "trait")
        if is_selector_word(disk.id, self._races, self._traits):
            yield ("id",), f"{quote(disk.id)} is a trait, a race or a kind of disk"

    def _race_faults(self, race: RaceFile) -> Iterator[Fault]:
        return unknown_word_faults("race", (race.race,), self._races, "race")

    # --- checks of the whole pack

    def _check_ability_references(self) -> None:
        """Log battle abilities that no disk can use and effects that match no disk: these are typing errors."""
        if self._faulty_ids:
            return
        disks = {**self._base_disks, **self._disks}
        words = {word for disk in disks.values() for word in selectors_of(disk)}
        for log, place, abilities in self._abilities:
            for number, ability in enumerate(abilities):
                log.add_all((*place, "abilities", number), ability_reference_faults(ability, disks, words))

    def _add_army(self, spec: ArmySpec, place: Place, log: FileFaults) -> None:
        army = build_army(spec)
        if self._faulty_ids & {*army.disks, *army.hand, UNKNOWN_ID}:
            return
        faults = army_faults(army, {**self._base_disks, **self._disks}, {**self._base_cards, **self._cards})
        log.add_all(place, ((fault.place, str(fault)) for fault in faults))
        if not faults:
            self._armies[army.id] = army

    # --- the result

    def _build_catalogue(self, pack: DiskwarsPackFile, table: TableFile) -> Catalogue:
        sizes: dict[Size, int] = {
            "small": table.sizes.small,
            "medium": table.sizes.medium,
            "large": table.sizes.large,
        }
        figures = HashedContent(
            field=build_field(table.field),
            sizes=HashedSizes(table.sizes.small, table.sizes.medium, table.sizes.large),
            battle_die=table.battle_die.faces,
            disks=tuple(HashedDisk(self._disks[id], self._copies[id]) for id in sorted(self._disks)),
            cards=_sorted_by_id(self._cards),
            armies=_sorted_by_id(self._armies),
            scenarios=_sorted_by_id(self._scenarios),
            special_scenarios=_sorted_by_id(self._special_scenarios),
            deployments=_sorted_by_id(self._deployments),
            terrain=_sorted_by_id(self._terrain),
        )
        return Catalogue(
            pack=Pack(pack.id, pack.version, figures_hash(figures)),
            field=figures.field,
            sizes=sizes,
            battle_die=figures.battle_die,
            disks=self._disks,
            copies=self._copies,
            cards=self._cards,
            armies=self._armies,
            scenarios=self._scenarios,
            deployments=self._deployments,
            terrain=self._terrain,
            special_scenarios=self._special_scenarios,
            races=tuple(sorted(self._races)),
            traits=tuple(sorted(self._traits)),
            pack_names={pack.id: pack.name} if pack.name else {},
        )


def _sorted_by_id(entries: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(entries[id] for id in sorted(entries))


def ability_reference_faults(ability: Ability, disks: Iterable[str], words: Iterable[str]) -> Iterator[Fault]:
    """Yield a fault for each trait, race or name in an ability that no disk has."""
    effect = ability.effect
    selector: str | None = getattr(effect, "selector", None)
    for place, word in ((("user",), ability.user), (("effect", "selector"), selector)):
        if word and word not in words:
            yield place, f"no disk is {quote(word)} by trait, race, kind or id{did_you_mean(word, sorted(words))}"
    if isinstance(effect, RemoveActivationToken) and not any(effect.id_word in id.split("-") for id in disks):
        yield ("effect", "id_word"), f"no disk has the word {quote(effect.id_word)} in its id"
