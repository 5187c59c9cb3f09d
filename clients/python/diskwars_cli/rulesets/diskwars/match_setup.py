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
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

DEFAULT_ARMY, DEFAULT_BOT_ARMY = "empire", "chaos"


class DiskwarsSetup(MatchSetup):
    """Armies and settings of Diskwars."""

    join_options = " --army NAME"

    def loadouts(self, options: MatchFlags) -> tuple[Loadout, Loadout]:
        catalogue, flags = load_catalogue(options.settings.pack), diskwars_flags(options)
        return (
            find_army(flags.army or DEFAULT_ARMY, catalogue),
            find_army(flags.bot_army or DEFAULT_BOT_ARMY, catalogue),
        )

    def settings(self, options: MatchFlags, loadout: Loadout) -> DiskwarsSettings:
        return match_settings(options, regiment_count(loadout, load_catalogue(options.settings.pack)))
