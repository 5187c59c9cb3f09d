"""The catalogue of the pit: everything that a match may use."""

from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, PitScenario, Weapon


class PitCatalogue(CatalogueHead, frozen=True):
    """All fighters, weapons, cards and scenarios."""

    profiles: tuple[FighterProfile, ...]
    weapons: tuple[Weapon, ...]
    deck: tuple[ImprovementCard, ...]
    scenarios: tuple[PitScenario, ...]
