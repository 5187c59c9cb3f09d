"""Matches of Diskwars as `play` opens them: armies by name or file, and as many regiments as the opener's army has."""

from diskwars_cli.match_options import MatchFlags
from diskwars_cli.match_setup import MatchSetup
from diskwars_cli.rulesets.diskwars.match_options import (
    diskwars_flags,
    find_army,
    load_catalogue,
    match_settings,
    regiment_count,
)
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

DEFAULT_ARMY, DEFAULT_BOT_ARMY = "empire", "chaos"


class DiskwarsSetup(MatchSetup):
    """Armies and settings of Diskwars."""

    join_options = " --army NAME"

    def loadouts(self, options: MatchFlags) -> tuple[Loadout, Loadout]:
        catalogue, flags = load_catalogue(options.settings.pack), diskwars_flags(options)
        own = find_army(flags.army or DEFAULT_ARMY, catalogue)
        return own, find_army(flags.bot_army, catalogue) if flags.bot_army else _default_bot_army(own, catalogue)

    def settings(self, options: MatchFlags, loadout: Loadout) -> DiskwarsSettings:
        return match_settings(options, regiment_count(loadout, load_catalogue(options.settings.pack)))


def _default_bot_army(own: Loadout, catalogue: Catalogue) -> Loadout:
    """Return an army with as many regiments as the player's: Chaos, another starter army, or else the same one."""
    count, default = regiment_count(own, catalogue), find_army(DEFAULT_BOT_ARMY, catalogue)
    if regiment_count(default, catalogue) == count:
        return default
    others = sorted(army.id for army in catalogue.armies.values() if len(army.regiments) == count)
    return next((Loadout(army) for army in others if army != own.army), own)
