"""Catalogue of disks, cards and starter armies."""

from collections.abc import Mapping

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, TerrainCard
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Size, Symbol


class Army(Struct, frozen=True):
    """An army (R2.1, R2.6): regiments and a command hand, all as ids. `id` is empty unless it is a starter army."""

    id: str
    name: str
    regiments: tuple[Regiment, ...]
    hand: tuple[str, ...]
    short_name: str | None = None

    @property
    def disks(self) -> tuple[str, ...]:
        """All disks, in the order of their numbers in a match: each hero, followed by the hero's units."""
        return tuple(name for regiment in self.regiments for name in (regiment.hero, *regiment.units))


def unspent_points(army: Army, profiles: Mapping[str, Profile]) -> int:
    """Return the recruitment points that all heroes together have left (R2.2); negative if the units cost too much."""
    return sum(profiles[name].points - profiles[name].cost for name in army.disks)


class Catalogue(Struct, frozen=True):
    """Everything that the loaded content packs offer, by id.

    `pack` is the pack that supplies the field, `other_packs` are played together with it. `sources` names the pack of
    each entry that is not from `pack`, by field and id. `sizes` are diameters in micrometres; `copies` is how often a
    disk is in the box, which does not limit armies (R-36). `special_scenarios` are in no deck. `races` and `traits`
    are the closed lists of ids that disks have. `pack_names` are by id of a pack that has a name.
    """

    pack: Pack
    field: Field
    sizes: Mapping[Size, int]
    battle_die: tuple[Symbol, ...]
    disks: Mapping[str, Profile]
    copies: Mapping[str, int]
    cards: Mapping[str, CommandCard]
    armies: Mapping[str, Army]
    scenarios: Mapping[str, Scenario] = {}
    deployments: Mapping[str, DeploymentCard] = {}
    terrain: Mapping[str, TerrainCard] = {}
    other_packs: tuple[Pack, ...] = ()
    special_scenarios: Mapping[str, Scenario] = {}
    races: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    sources: Mapping[tuple[str, str], str] = {}
    pack_names: Mapping[str, str] = {}

    def pack_of(self, kind: str, id: str) -> str:
        """Return the name of the pack that an entry is from; `kind` is a field of this class."""
        return self.sources.get((kind, id), self.pack.id)
