"""The catalogue of regiments: everything that a match may use."""

from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, UnitProfile, Weapon


class RegimentsCatalogue(CatalogueHead, frozen=True):
    """All units, weapons and scenarios."""

    profiles: tuple[UnitProfile, ...]
    weapons: tuple[Weapon, ...]
    scenarios: tuple[RegimentsScenario, ...]
