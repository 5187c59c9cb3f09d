"""Matches of Diskwars as `play` opens them: armies by name or file, and as many regiments as the opener's army has."""

from diskwars_cli.plugs.match_options import MatchFlags
from diskwars_cli.plugs.match_setup import MatchSetup
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

    def loadouts(self, options: MatchFlags) -> tuple[Loadout, tuple[Loadout, ...]]:
        catalogue, flags = load_catalogue(options.data.packs), diskwars_flags(options)
        own = find_army(flags.army or DEFAULT_ARMY, catalogue)
        if flags.bot_army:
            return own, (find_army(flags.bot_army, catalogue),)
        return own, _default_bot_armies(own, catalogue)

    def settings(self, options: MatchFlags, loadout: Loadout) -> DiskwarsSettings:
        return match_settings(options, regiment_count(loadout, load_catalogue(options.data.packs)))


def _default_bot_armies(own: Loadout, catalogue: Catalogue) -> tuple[Loadout, ...]:
    """Return the other starter armies with as many regiments as the player's, Chaos first; the same one if none has."""
    count, default = regiment_count(own, catalogue), find_army(DEFAULT_BOT_ARMY, catalogue).army
    armies = sorted(army.id for army in catalogue.armies.values() if len(army.regiments) == count)
    others = [army for army in armies if army != own.army]
    return tuple(Loadout(army) for army in sorted(others, key=lambda army: army != default)) or (own,)
