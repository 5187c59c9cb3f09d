"""The catalogue of the pit: everything that a match may use."""

from msgspec import Struct

from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Weapon
from diskwars_protocol.setting_options import SettingOption


class PitCatalogue(Struct, frozen=True, gc=False):
    """All settings, fighters, weapons and cards."""

    options: tuple[SettingOption, ...]
    profiles: tuple[FighterProfile, ...]
    weapons: tuple[Weapon, ...]
    deck: tuple[ImprovementCard, ...]
