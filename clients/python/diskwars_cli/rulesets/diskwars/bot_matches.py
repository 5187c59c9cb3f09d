"""Repeatable matches of Diskwars between bots, for tests, benchmarks and pictures."""

from collections.abc import Iterator, Sequence

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody

QUICK_SETTINGS = a.DiskwarsSettings(setup="quick", regiments=1)


def bot_match_records(
    seed: int,
    bots: Sequence[str],
    armies: Sequence[a.Loadout],
    settings: a.DiskwarsSettings = QUICK_SETTINGS,
    packs: tuple[str, ...] = (),
) -> Iterator[DiskwarsBody]:
    """Yield the records of a whole match between bots."""
    return play_bots(seeded_match(load_ruleset("diskwars", packs), seed, armies, settings), seed, bots)
