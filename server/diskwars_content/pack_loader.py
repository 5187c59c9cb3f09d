"""What does a whole pack offer? Brings the files of a folder together and asks what only a whole pack can answer.

Must not know how a single figure is written. A fault in one entry never hides those of another.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from diskwars_content.entry_checks import (
    Fault,
    basis_faults,
    card_faults,
    die_faults,
    disk_faults,
    field_faults,
    size_faults,
)
from diskwars_content.keyword_text import quoted, suggestion
from diskwars_content.setup_cards import (
    PrintedDeployment,
    PrintedDeployments,
    PrintedScenario,
    PrintedScenarios,
    deployment_faults,
    deployment_of,
    scenario_faults,
    scenario_of,
)
from diskwars_content.specs import (
    PrintedArmies,
    PrintedArmy,
    PrintedCard,
    PrintedCards,
    PrintedDie,
    PrintedDisk,
    PrintedField,
    PrintedGround,
    PrintedPack,
    PrintedPiece,
    PrintedRace,
    PrintedSizes,
    PrintedTable,
    army_of,
    card_of,
    field_of,
    profile_of,
)
from diskwars_content.terrain import card_of as terrain_of
from diskwars_content.terrain import piece_faults
from diskwars_content.toml_reader import Notes, Table, entries, parse, read
from diskwars_engine.rulesets.diskwars.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue, words_of
from diskwars_protocol.canonical import JsonPath as Place
from diskwars_protocol.canonical import encode_canonical, format_path
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.stats import Ability, CommandCard, Field, Profile, Refresh, Size, Symbol

PACK, TABLE, COMMANDS, ARMIES = "pack.toml", "table.toml", "commands.toml", "armies.toml"
SCENARIOS, DEPLOYMENTS, TERRAIN = "scenarios.toml", "deployments.toml", "terrain.toml"
NAMED = (PACK, TABLE, COMMANDS, ARMIES, SCENARIOS, DEPLOYMENTS, TERRAIN)
UNNAMED = ""
"""Stands among the doubtful names for entries whose names are not known."""

S = TypeVar("S", bound=Struct)
T = TypeVar("T")


class Figures(Struct, frozen=True):
    """Everything of a pack that a match can depend on, in an order of its own: this is what the hash is made of."""

    field: Field
    sizes: tuple[tuple[Size, int], ...]
    battle_die: tuple[Symbol, ...]
    disks: tuple[Profile, ...]
    copies: tuple[tuple[str, int], ...]
    cards: tuple[CommandCard, ...]
    armies: tuple[Army, ...]
    scenarios: tuple[Scenario, ...]
    deployments: tuple[DeploymentCard, ...]
    terrain: tuple[TerrainCard, ...]
    special: tuple[Scenario, ...] = ()


class Reading:
    """A folder on its way to a catalogue: what was found sound so far, and every fault."""

    def __init__(self, folder: Path, known: Mapping[str, Callable[[], Catalogue]] | None = None) -> None:
        """`known` are packs that this one may need, by name."""
        self.folder = folder
        self._known = known or {}
        self._beneath_disks: Mapping[str, Profile] = {}
        self._beneath_cards: Mapping[str, CommandCard] = {}
        self.faults: list[str] = []
        self._disks: dict[str, Profile] = {}
        self._copies: dict[str, int] = {}
        self._cards: dict[str, CommandCard] = {}
        self._armies: dict[str, Army] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._special: dict[str, Scenario] = {}
        self._deployments: dict[str, DeploymentCard] = {}
        self._terrain: dict[str, TerrainCard] = {}
        self._abilities: list[tuple[Notes, Place, tuple[Ability, ...]]] = []
        self._seen: dict[tuple[str, str], str] = {}
        self._doubtful: set[str] = set()  # names of entries with faults: what stands on them is not judged

    def catalogue(self) -> Catalogue | None:
        """The catalogue, or None with the reasons in `faults`."""
        files = self._files()
        if files is None:
            return None
        pack = self._read_pack()
        table = self._read_table()
        for file in files:
            if file not in NAMED:
                self._read_race(file, table)
        if COMMANDS in files:
            self._read_cards()
        self._note_unmet()
        if ARMIES in files:
            self._read_armies()
        if SCENARIOS in files:
            self._read_scenarios()
        if DEPLOYMENTS in files:
            self._read_deployments()
        if TERRAIN in files:
            self._read_terrain()
        if pack is None or table is None or self.faults:
            return None
        return self._bound(pack, table)

    # --- files

    def _files(self) -> list[str] | None:
        try:
            return sorted(path.name for path in self.folder.iterdir() if path.suffix == ".toml")
        except OSError as error:
            self.faults.append(f"{self.folder}: cannot be read ({error.strerror})")
            return None

    def _read_pack(self) -> PrintedPack | None:
        notes, tree = self._open(PACK)
        pack = None if tree is None else read(tree, PrintedPack, (), notes)
        for number, name in enumerate(pack.needs if pack else ()):
            if name in self._known:
                beneath = self._known[name]()
                self._beneath_disks = {**self._beneath_disks, **beneath.disks}
                self._beneath_cards = {**self._beneath_cards, **beneath.cards}
            else:
                notes.add(("needs", number), f"no pack {quoted(name)} is known here{suggestion(name, self._known)}")
        return pack

    def _read_table(self) -> PrintedTable | None:
        notes, tree = self._open(TABLE)
        if tree is None:
            return None
        table = read(tree, PrintedTable, (), notes)
        for key, printed in (("field", PrintedField), ("sizes", PrintedSizes), ("battle_die", PrintedDie)):
            notes.add_all((key,), basis_faults(tree.get(key), printed))
        if table is not None:
            notes.add_all(("field",), field_faults(table.field))
            notes.add_all(("sizes",), size_faults(table.sizes))
            notes.add_all(("battle_die",), die_faults(table.battle_die))
        return table

    def _read_race(self, file: str, table: PrintedTable | None) -> None:
        notes, tree, race = self._open_list(file, PrintedRace)
        for place, entry in entries(tree, "disk"):
            disk = self._entry(entry, PrintedDisk, place, notes, disk_faults)
            if disk is None or race is None or table is None:
                self._doubt(entry)
            elif self._is_new("disk", disk.name, place, notes):
                profile = profile_of(disk, race, getattr(table.sizes, disk.size))
                self._disks[disk.name] = profile
                self._copies[disk.name] = disk.copies
                self._abilities.append((notes, place, profile.abilities))

    def _read_cards(self) -> None:
        notes, tree, _ = self._open_list(COMMANDS, PrintedCards)
        for place, entry in entries(tree, "card"):
            card = self._entry(entry, PrintedCard, place, notes, card_faults)
            if card is None:
                self._doubt(entry)
            elif self._is_new("card", card.name, place, notes):
                self._cards[card.name] = card_of(card)
                self._abilities.append((notes, place, self._cards[card.name].abilities))

    def _read_armies(self) -> None:
        notes, tree, _ = self._open_list(ARMIES, PrintedArmies)
        for place, entry in entries(tree, "army"):
            printed = self._entry(entry, PrintedArmy, place, notes, lambda _: ())
            if printed is not None and self._is_new("army", printed.name, place, notes):
                self._take_army(printed, place, notes)

    def _read_scenarios(self) -> None:
        notes, tree, _ = self._open_list(SCENARIOS, PrintedScenarios)
        for place, entry in entries(tree, "scenario"):
            card = self._entry(entry, PrintedScenario, place, notes, scenario_faults)
            if card is not None and self._is_new("scenario", card.name, place, notes):
                self._scenarios[card.name] = scenario_of(card)
        for place, entry in entries(tree, "special"):
            card = self._entry(entry, PrintedScenario, place, notes, scenario_faults)
            if card is not None and self._is_new("scenario", card.name, place, notes):
                self._special[card.name.lower()] = scenario_of(card)

    def _read_deployments(self) -> None:
        notes, tree, whole = self._open_list(DEPLOYMENTS, PrintedDeployments)
        notes.add_all((), basis_faults(tree, PrintedDeployments))
        for place, entry in entries(tree, "deployment"):
            card = self._entry(entry, PrintedDeployment, place, notes, deployment_faults)
            is_new = card is not None and self._is_new("deployment card", card.name, place, notes)
            if card is not None and whole is not None and is_new:
                self._deployments[card.name] = deployment_of(card, whole)

    def _read_terrain(self) -> None:
        notes, tree, _ = self._open_list(TERRAIN, PrintedGround)
        for place, entry in entries(tree, "piece"):
            piece = self._entry(entry, PrintedPiece, place, notes, piece_faults)
            if piece is None:
                continue
            is_new = [
                self._is_new("terrain", face.name, (*place, "faces", number), notes)
                for number, face in enumerate(piece.faces)
            ]
            if all(is_new):
                card = terrain_of(piece)
                self._terrain[card.name] = card

    def _open(self, file: str) -> tuple[Notes, Table | None]:
        notes = Notes(file, self.faults)
        return notes, parse(self.folder / file, notes)

    def _open_list(self, file: str, printed: type[S]) -> tuple[Notes, Table, S | None]:
        """A file of entries: its tables as they stand there, and itself as a struct, None when that is not sound."""
        notes, tree = self._open(file)
        whole = None if tree is None else read(tree, printed, (), notes)
        if whole is None:
            self._doubtful.add(UNNAMED)
        return notes, tree or {}, whole

    # --- entries

    def _entry(
        self, entry: Table, printed: type[S], place: Place, notes: Notes, ask: Callable[[S], Iterable[Fault]]
    ) -> S | None:
        """One table of a list as a struct; None when anything is wrong with it, which is noted."""
        before = len(self.faults)
        found = read(entry, printed, place, notes)
        notes.add_all(place, basis_faults(entry, printed))
        if found is not None:
            notes.add_all(place, ask(found))
        return found if len(self.faults) == before else None

    def _doubt(self, entry: Table) -> None:
        name = entry.get("name")
        self._doubtful.add(name if isinstance(name, str) else UNNAMED)

    def _is_new(self, kind: str, name: str, place: Place, notes: Notes) -> bool:
        first = self._seen.setdefault((kind, name), f"{notes.file} {format_path(place)}")
        if first == f"{notes.file} {format_path(place)}":
            return True
        notes.add((*place, "name"), f'"{name}" is the name of {first} already')
        return False

    # --- questions to the whole pack

    def _note_unmet(self) -> None:
        """A battle ability that no disk of the pack can use, or a focus that fits none, is a slip of the pen."""
        if self._doubtful:
            return
        disks = {**self._beneath_disks, **self._disks}
        words = {word for disk in disks.values() for word in words_of(disk)}
        for notes, place, abilities in self._abilities:
            for number, ability in enumerate(abilities):
                notes.add_all((*place, "abilities", number), unmet(ability, disks, words))

    def _take_army(self, printed: PrintedArmy, place: Place, notes: Notes) -> None:
        army = army_of(printed)
        if self._doubtful & {*army.disks, *army.hand, UNNAMED}:
            return
        faults = army_faults(army, {**self._beneath_disks, **self._disks}, {**self._beneath_cards, **self._cards})
        notes.add_all(place, ((fault.place, str(fault)) for fault in faults))
        if not faults:
            self._armies[army.name] = army

    # --- the result

    def _bound(self, pack: PrintedPack, table: PrintedTable) -> Catalogue:
        sizes: dict[Size, int] = {
            "small": table.sizes.small,
            "medium": table.sizes.medium,
            "large": table.sizes.large,
        }
        figures = Figures(
            field=field_of(table.field),
            sizes=tuple(sizes.items()),
            battle_die=table.battle_die.faces,
            disks=_sorted(self._disks),
            copies=tuple(sorted(self._copies.items())),
            cards=_sorted(self._cards),
            armies=_sorted(self._armies),
            scenarios=_sorted(self._scenarios),
            deployments=_sorted(self._deployments),
            terrain=_sorted(self._terrain),
            special=_sorted(self._special),
        )
        return Catalogue(
            pack=Pack(pack.name, pack.version, hashlib.sha256(encode_canonical(figures)).hexdigest()),
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
            special=self._special,
        )


def _sorted(named: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(named[name] for name in sorted(named))


def unmet(ability: Ability, disks: Iterable[str], words: Iterable[str]) -> Iterator[Fault]:
    """What an ability is for, where nobody is that."""
    effect = ability.effect
    of: str = getattr(effect, "of", "")
    for place, word in ((("user",), ability.user), (("effect", "of"), of)):
        if word and word not in words:
            yield place, f"no disk is {quoted(word)} by trait, race, kind or name{suggestion(word, sorted(words))}"
    if isinstance(effect, Refresh) and not any(effect.named in name for name in disks):
        yield ("effect", "named"), f"no disk has {quoted(effect.named)} in its name"
