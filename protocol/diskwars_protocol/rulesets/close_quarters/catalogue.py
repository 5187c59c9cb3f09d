"""The catalogue of close quarters: everything that a match may use."""

from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.rulesets.close_quarters.stats import (
    CloseQuartersScenario,
    MeleeWeapon,
    RangedWeapon,
    UnitProfile,
)


class CloseQuartersCatalogue(CatalogueHead, frozen=True):
    """All units, weapons and scenarios."""

    profiles: tuple[UnitProfile, ...]
    ranged_weapons: tuple[RangedWeapon, ...]
    melee_weapons: tuple[MeleeWeapon, ...]
    scenarios: tuple[CloseQuartersScenario, ...]
