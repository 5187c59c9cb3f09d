"""Matches of Diskwars as `play` opens them: armies by name or file, and as many regiments as the opener's army has."""

from diskwars_cli.match_options import MatchFlags
from diskwars_cli.match_setup import MatchSetup
from diskwars_cli.rulesets.diskwars.match_options import find_army, load_catalogue, match_settings, regiment_count
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

DEFAULT_ARMY, DEFAULT_BOT_ARMY = "empire", "chaos"


class DiskwarsSetup(MatchSetup):
    """Armies and settings of Diskwars."""

    join_options = " --army NAME"

    def loadouts(self, army: str, bot_army: str, packs: tuple[str, ...]) -> tuple[Loadout, Loadout]:
        catalogue = load_catalogue(packs)
        return find_army(army or DEFAULT_ARMY, catalogue), find_army(bot_army or DEFAULT_BOT_ARMY, catalogue)

    def settings(self, options: MatchFlags, loadout: Loadout) -> DiskwarsSettings:
        return match_settings(options, regiment_count(loadout, load_catalogue(options.settings.pack)))
