"""The content of Diskwars as a client gets it: disks, cards, armies, scenarios, terrain, options, with texts.

All texts are our own wording, made from figures (`effect_text`). Entries name the pack that they come from.
"""

from msgspec import Struct

from diskwars_protocol.identifiers import ContentId, DisplayName, ShortName
from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.rulesets.diskwars.actions import ContentIds, Regiment
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Symbol
from diskwars_protocol.schema_types import AtLeastZero, PackId


class CatalogueWord(Struct, frozen=True):
    """A race or a trait: disks and effects name it by its id."""

    id: ContentId
    name: DisplayName


class CatalogueDisk(Struct, frozen=True, omit_defaults=True):
    """A disk with the texts of its abilities. `copies` is how often it is in the box, which limits no army."""

    profile: Profile
    copies: AtLeastZero
    pack: PackId
    texts: tuple[str, ...] = ()


class CatalogueCard(Struct, frozen=True, omit_defaults=True):
    """A command card with the texts of its abilities."""

    card: CommandCard
    pack: PackId
    texts: tuple[str, ...] = ()


class CatalogueArmy(Struct, frozen=True, omit_defaults=True):
    """A starter army. `unspent` are its unspent recruitment points, which count at initiative."""

    id: ContentId
    name: DisplayName
    regiments: tuple[Regiment, ...]
    hand: ContentIds
    unspent: AtLeastZero
    pack: PackId
    short_name: ShortName | None = None


class CatalogueScenario(Struct, frozen=True, omit_defaults=True):
    """A scenario card. A `special` one is in no deck: the option of that name chooses it."""

    scenario: Scenario
    pack: PackId
    text: str
    objective_texts: tuple[str, ...]
    special: bool = False


class CatalogueDeploymentCard(Struct, frozen=True):
    card: DeploymentCard
    pack: PackId


class CatalogueTerrain(Struct, frozen=True):
    card: TerrainCard
    pack: PackId


class DiskwarsCatalogue(CatalogueHead, frozen=True):
    """Everything of the packs that a server plays with, each list by id."""

    races: tuple[CatalogueWord, ...]
    traits: tuple[CatalogueWord, ...]
    field: Field
    battle_die: tuple[Symbol, ...]
    disks: tuple[CatalogueDisk, ...]
    cards: tuple[CatalogueCard, ...]
    armies: tuple[CatalogueArmy, ...]
    scenarios: tuple[CatalogueScenario, ...]
    deployments: tuple[CatalogueDeploymentCard, ...]
    terrain: tuple[CatalogueTerrain, ...]
