"""What does a player's own file say otherwise than the packs? One TOML file, merged over them figure by figure.

    name, version        what the file is called
    [table.field] ...    the field and the ruler; [table.sizes], [table.battle_die], [table.deployment] likewise
    [disks."Orc Boyz"]   figures of a disk, or a disk that no pack has; [cards...], [scenarios...], [deployments...],
                         [armies...] likewise
    [terrain."Gully"]    keywords and outline of a face

What a file names is its own, in the words of `printed.Basis`; all else stays what it was. Must not know any rule
beyond what makes a figure possible and an army legal.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_content.entry_checks import NO_FIGURES, Fault, card_faults, disk_faults
from diskwars_content.keyword_text import quoted, suggestion
from diskwars_content.override_table import PrintedOwn, figures_of, read_table, with_table
from diskwars_content.pack_loader import unmet
from diskwars_content.raw_tables import Tables
from diskwars_content.setup_cards import (
    PrintedDeployment,
    PrintedScenario,
    deployment_faults,
    deployment_of,
    scenario_faults,
    scenario_of,
)
from diskwars_content.specs import (
    Faction,
    PrintedArmy,
    PrintedCard,
    PrintedDisk,
    PrintedPiece,
    PrintedRace,
    army_of,
    card_of,
    profile_of,
)
from diskwars_content.terrain import card_of as terrain_of
from diskwars_content.terrain import piece_faults
from diskwars_content.toml_reader import Notes, Table, parse, read
from diskwars_engine.rulesets.diskwars.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue, words_of
from diskwars_protocol.canonical import JsonPath as Place
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.diskwars.stats import Profile

OWN = "own"
S = TypeVar("S", bound=Struct)


class PrintedOwnDisk(PrintedDisk, frozen=True, kw_only=True):
    """A disk with what the file of its race says of all."""

    race: str
    faction: Faction


class PrintedOwnFace(Struct, frozen=True):
    """What may be said of a face of terrain: its outline is seen from its own side, and the back is its mirror."""

    keywords: tuple[str, ...] = ()
    corners: tuple[tuple[int, ...], ...] = ()


KINDS: Mapping[str, tuple[str, type[Struct]]] = {
    "disks": ("disk", PrintedOwnDisk),
    "cards": ("command card", PrintedCard),
    "scenarios": ("scenario", PrintedScenario),
    "deployments": ("deployment card", PrintedDeployment),
    "armies": ("starter army", PrintedArmy),
}
"""What a file may speak of by name: how it is called, and what has to be said of a new one."""


class Own(Struct, frozen=True):
    """Packs with a file merged over them. `said` is what the file names, by kind and name, whole and with its basis.

    `dropped` are starter armies of the packs that are legal no longer, with the reason. `given` is what of each table
    the file writes.
    """

    catalogue: Catalogue
    tables: Tables
    said: Mapping[str, Mapping[str, Table]]
    dropped: Mapping[str, str]
    given: Mapping[Place, tuple[str, ...]] = {}


class OwnReading:
    """A file on its way: what was found sound so far, and every fault."""

    def __init__(
        self, path: Path, beneath: Catalogue, tables: Tables, elsewhere: Mapping[str, str] | None = None
    ) -> None:
        """`elsewhere` says of names in packs that are not played with which pack has them."""
        self.faults: list[str] = []
        self._notes = _OwnNotes(path.name, self.faults)
        self._path, self._beneath, self._tables = path, beneath, tables
        self._elsewhere = elsewhere or {}
        self._said: dict[str, dict[str, Table]] = {}
        self._dropped: dict[str, str] = {}
        self._written: dict[Place, tuple[str, ...]] = {}

    def own(self) -> Own | None:
        """All together, or None with the reasons in `faults`."""
        tree = parse(self._path, self._notes)
        if tree is None:
            return None
        printed = read(tree, PrintedOwn, (), self._notes)
        before = self._beneath
        if printed is not None and printed.name in [pack.name for pack in (before.pack, *before.others)]:
            self._notes.add(("name",), f"{quoted(printed.name)} is the name of another pack")
        catalogue = self._with_entries(self._with_table(tree), tree)
        if printed is None or self.faults:
            return None
        figures = figures_of(catalogue, {kind: tuple(said) for kind, said in self._said.items()})
        pack = Pack(printed.name, printed.version, hashlib.sha256(encode_canonical(figures)).hexdigest())
        whole = replace(catalogue, others=(*catalogue.others, pack))
        return Own(whole, self._tables.with_entries(self._said), self._said, self._dropped, self._written)

    def _with_table(self, tree: Table) -> Catalogue:
        found = read_table(tree.get("table"), self._tables.table, self._notes)
        if found is None:
            return self._beneath
        printed, merged = found
        self._tables = replace(self._tables, table=merged)
        for part, given in self._given(tree, "table").items():
            self._written["table", part] = tuple(given) if isinstance(given, dict) else ()
        return with_table(self._beneath, printed)

    def _with_entries(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        disks = self._read(tree, "disks", PrintedOwnDisk, disk_faults)
        profiles = {name: _profile(disk, catalogue) for name, disk in disks.items()}
        cards = {name: card_of(card) for name, card in self._read(tree, "cards", PrintedCard, card_faults).items()}
        scenarios = self._read(tree, "scenarios", PrintedScenario, scenario_faults)
        laid = self._read(tree, "deployments", PrintedDeployment, deployment_faults)
        drawn = {name: scenario_of(card) for name, card in scenarios.items()}
        special = {card.name for card in catalogue.special.values()}
        catalogue = replace(
            catalogue,
            disks={**catalogue.disks, **profiles},
            copies={**catalogue.copies, **{name: disk.copies for name, disk in disks.items()}},
            cards={**catalogue.cards, **cards},
            scenarios={**catalogue.scenarios, **{name: card for name, card in drawn.items() if name not in special}},
            special={key: drawn.get(card.name, card) for key, card in catalogue.special.items()},
            deployments={
                **catalogue.deployments,
                **{name: deployment_of(card, self._tables.deployment_cards) for name, card in laid.items()},
            },
        )
        self._note_unmet(catalogue, profiles, cards)
        return self._with_armies(self._with_terrain(catalogue, tree), tree)

    # --- entries by name

    def _read(self, tree: Table, kind: str, printed: type[S], ask: Callable[[S], Iterable[Fault]]) -> dict[str, S]:
        """The entries of a kind, merged over what the packs say of them; those with faults are left out."""
        found: dict[str, S] = {}
        for name, given in self._given(tree, kind).items():
            place: Place = (kind, name)
            if not isinstance(given, dict):
                self._notes.add(place, f"expected a table, found {quoted(given)}")
                continue
            merged = self._merged(kind, name, given)
            before = len(self.faults)
            entry = None if merged is None else read(merged, printed, place, self._notes)
            if entry is not None:
                self._notes.add_all(place, ask(entry))
            if merged is not None and entry is not None and len(self.faults) == before:
                found[name] = entry
                self._said.setdefault(kind, {})[name] = merged
                self._written[place] = tuple(given)
        return found

    def _given(self, tree: Table, kind: str) -> Table:
        given = tree.get(kind, {})
        return given if isinstance(given, dict) else {}  # what is no table is told by reading the file as a whole

    def _merged(self, kind: str, name: str, given: Table) -> Table | None:
        """The whole entry with a basis for each figure; None for one that is neither known nor complete."""
        place, base = (kind, name), self._tables.entries.get(kind, {}).get(name)
        for key in ("name", "basis"):
            if key in given:
                why = "stands in the head of the table" if key == "name" else "is not written here: all is your own"
                self._notes.add((*place, key), f'"{key}" {why}')
        called, printed = KINDS[kind]
        wanted = {field.name for field in fields(printed) if field.required} - {"name", "basis"}
        lacking = sorted(wanted - set(given))
        if base is None and lacking:
            self._notes.add(place, self._unknown(kind, name, called, lacking))
            return None
        given = {key: _with_basis(value) if key in ("shots", "abilities") else value for key, value in given.items()}
        merged = {**(base or {}), **given, "name": name}
        if "basis" in {field.name for field in fields(printed)}:
            merged["basis"] = _basis(base or {}, given, merged, printed)
        return merged

    def _unknown(self, kind: str, name: str, called: str, lacking: list[str]) -> str:
        if name in self._elsewhere:
            return f"{called} of {self._elsewhere[name]}, which is not played with: name that pack too"
        near = suggestion(name, self._tables.entries.get(kind, {}))
        return f"there is no {called} of this name, and a new one would say {', '.join(lacking)} too{near}"

    # --- terrain

    def _with_terrain(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        terrain = dict(catalogue.terrain)
        for name, given in self._given(tree, "terrain").items():
            place: Place = ("terrain", name)
            before = len(self.faults)
            face = read(given, PrintedOwnFace, place, self._notes)
            known = self._tables.piece_of(name)
            if known is None:
                self._notes.add(place, f"there is no face of this name{suggestion(name, self._tables.faces)}")
            if face is None or known is None or not isinstance(given, dict):
                continue
            piece, side = known
            merged = _piece_seen_from(piece, side, given)
            printed = read(merged, PrintedPiece, place, self._notes)
            if printed is not None:
                self._notes.add_all(place, (_on_face(fault) for fault in piece_faults(printed)))
            if printed is None or len(self.faults) > before:
                continue
            turned = merged if side == 0 else _turned(merged)
            self._tables = self._tables.with_piece(name, turned)
            self._said.setdefault("terrain", {})[name] = turned
            self._written[place] = tuple(given)
            card = terrain_of(read(turned, PrintedPiece, place, self._notes) or printed)
            terrain[card.name] = card
        return replace(catalogue, terrain=terrain)

    # --- what only the whole can answer

    def _note_unmet(self, catalogue: Catalogue, *changed: Mapping[str, object]) -> None:
        words = {word for disk in catalogue.disks.values() for word in words_of(disk)}
        for kind, entries in zip(("disks", "cards"), changed, strict=True):
            for name, entry in entries.items():
                for number, ability in enumerate(getattr(entry, "abilities", ())):
                    place = (kind, name, "abilities", number)
                    self._notes.add_all(place, unmet(ability, catalogue.disks, words))

    def _with_armies(self, catalogue: Catalogue, tree: Table) -> Catalogue:
        """Starter armies of the file have to be legal; one of a pack that is so no longer is not offered."""
        own = {name: army_of(army) for name, army in self._read(tree, "armies", PrintedArmy, lambda _: ()).items()}
        armies = {}
        for name, army in {**catalogue.armies, **own}.items():
            faults = list(army_faults(army, catalogue.disks, catalogue.cards))
            if not faults:
                armies[name] = army
            elif name in own:
                self._notes.add_all(("armies", name), ((fault.place, str(fault)) for fault in faults))
            else:
                self._dropped[name] = str(faults[0])
        return replace(catalogue, armies=armies)


class _OwnNotes(Notes):
    """Places in the words of the file: `$.disks."Orc Boyz".movement`."""

    def add(self, place: Place, text: str) -> None:
        self.faults.append(f"{self.file} {toml_place(place)}: {text}")


def toml_place(place: Place) -> str:
    words = ["$"]
    for step in place:
        plain = isinstance(step, str) and step.replace("_", "").replace("-", "").isalnum() and step.isascii()
        words.append(f"[{step}]" if isinstance(step, int) else f".{step}" if plain else f'."{step}"')
    return "".join(words)


def _profile(disk: PrintedOwnDisk, catalogue: Catalogue) -> Profile:
    return profile_of(disk, PrintedRace(disk.race, disk.faction, ()), catalogue.sizes[disk.size])


def _with_basis(entries: object) -> object:
    """Shots and abilities say themselves where their figures come from: here all of them from the player."""
    if not isinstance(entries, list):
        return entries
    return [{**entry, "basis": OWN} if isinstance(entry, dict) else entry for entry in entries]


def _basis(base: Table, given: Table, merged: Table, printed: type[Struct]) -> dict[str, object]:
    """A word for each figure: `own` where the file says it, else that of the pack."""
    before = base.get("basis", OWN)
    of_race = {"race", "faction"} if printed is PrintedOwnDisk else set()
    known = {field.name for field in fields(printed)} - of_race - set(NO_FIGURES)
    words: dict[str, object] = before if isinstance(before, dict) else {}
    return {name: OWN if name in given else words.get(name, before) for name in merged if name in known}


def _piece_seen_from(piece: Table, side: int, given: Table) -> Table:
    """The piece with that side in front, and what the file says of it."""
    seen = piece if side == 0 else _turned(piece)
    front, back = _faces(seen)
    changed = {**front, "keywords": given["keywords"], "basis": OWN} if "keywords" in given else front
    outline = {"corners": given["corners"], "basis": OWN} if "corners" in given else {}
    return {**seen, **outline, "faces": [changed, back]}


def _turned(piece: Table) -> Table:
    """R-54: the other side of the cardboard."""
    corners = piece.get("corners")
    front, back = _faces(piece)
    mirrored = [[-x, y] for x, y in reversed(corners)] if isinstance(corners, list) else corners
    return {**piece, "corners": mirrored, "faces": [back, front]}


def _faces(piece: Table) -> tuple[Table, Table]:
    faces = piece.get("faces")
    assert isinstance(faces, list)
    return faces[0], faces[1]


def _on_face(fault: Fault) -> Fault:
    """A fault of the piece at the place where the file says it: the face that it speaks of is in front."""
    place, text = fault
    return (place[2:] if place[:2] == ("faces", 0) else place), text
