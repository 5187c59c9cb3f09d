"""Matches of Diskwars as `play` opens them: armies by name or file, and as many regiments as the opener's army has."""

from diskwars_cli.plugs.match_options import MatchFlags
from diskwars_cli.plugs.match_setup import MatchSetup
from diskwars_cli.rulesets.diskwars.match_options import (
    DEFAULT_REGIMENTS,
    diskwars_flags,
    find_army,
    load_catalogue,
    match_settings,
    regiment_count,
)
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

DEFAULT_ARMIES = {1: ("empire-patrol", "chaos-patrol"), 2: ("reikland-host", "everchosen-host")}
"""By number of regiments: the army of a player who names none, and of the bot opposite."""


class DiskwarsSetup(MatchSetup):
    """Armies and settings of Diskwars."""

    join_options = " --army NAME"

    def loadouts(
        self, options: MatchFlags, settings: DiskwarsSettings | None = None
    ) -> tuple[Loadout, tuple[Loadout, ...]]:
        catalogue, flags = load_catalogue(options.data.packs), diskwars_flags(options)
        count = DEFAULT_REGIMENTS if settings is None else settings.regiments
        own = find_army(flags.army or DEFAULT_ARMIES.get(count, DEFAULT_ARMIES[DEFAULT_REGIMENTS])[0], catalogue)
        if flags.bot_army:
            return own, (find_army(flags.bot_army, catalogue),)
        return own, _default_bot_armies(own, catalogue)

    def settings(self, options: MatchFlags, loadout: Loadout) -> DiskwarsSettings:
        return match_settings(options, regiment_count(loadout, load_catalogue(options.data.packs)))


def _default_bot_armies(own: Loadout, catalogue: Catalogue) -> tuple[Loadout, ...]:
    """Return the other starter armies with as many regiments as the player's, the default first; else the same one."""
    count = regiment_count(own, catalogue)
    _, default = DEFAULT_ARMIES.get(count, ("", ""))
    armies = sorted(army.id for army in catalogue.armies.values() if len(army.regiments) == count)
    others = [army for army in armies if army != own.army]
    return tuple(Loadout(army) for army in sorted(others, key=lambda army: army != default)) or (own,)
