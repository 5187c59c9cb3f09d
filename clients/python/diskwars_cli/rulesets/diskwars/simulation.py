"""Simulation of Diskwars: armies that are named or drawn, pairings, shares of wins by army, and the report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.match_options import BotMatchFlags, parse_bot_names
from diskwars_cli.plugs.match_statistics import MatchStatistics
from diskwars_cli.plugs.report import ReportParts
from diskwars_cli.plugs.seeds import draw_armies
from diskwars_cli.plugs.simulation import MatchJob, SimulateOptions, Simulation
from diskwars_cli.rulesets.diskwars.match_options import ArmySelection, diskwars_flags, load_catalogue, select_armies
from diskwars_cli.rulesets.diskwars.report import diskwars_parts
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsCollector, DiskwarsStatistics
from diskwars_protocol.rulesets.diskwars.actions import Loadout


class DiskwarsSimulation(Simulation):
    """Matches of Diskwars between bots."""

    def jobs(self, options: BotMatchFlags, seeds: Iterable[int]) -> Iterator[MatchJob]:
        """Yield the match of each seed. Raises CommandError."""
        bots = parse_bot_names(options)
        selection = select_armies(options)
        pairings = _army_pairings(selection, options.players) if diskwars_flags(options).pairings else []
        for number, seed in enumerate(seeds):
            if pairings:
                names = pairings[number % len(pairings)]
            elif not selection.armies:
                names = draw_armies(seed, selection.starter_names, options.players)
            else:
                names = []
            armies = [Loadout(name) for name in names] or selection.armies
            yield MatchJob(options.ruleset, seed, bots, armies, selection.settings, options.data.packs)

    def new_collector(self, seed: int) -> DiskwarsCollector:
        return DiskwarsCollector(seed)

    def summary_lines(self, ended: Sequence[MatchStatistics]) -> list[str]:
        """Return the share of wins of each army."""
        matches = _diskwars_only(ended)
        played = Counter(army for match in matches for army in match.armies)
        won = Counter(match.armies[seat] for match in matches for seat in match.winners)
        return [f"{army}: won {won[army]} of {count}" for army, count in sorted(played.items())]

    def report_parts(self, options: SimulateOptions, ended: Sequence[MatchStatistics]) -> ReportParts:
        return diskwars_parts(_diskwars_only(ended), load_catalogue(options.data.packs).battle_die)


def _diskwars_only(statistics: Sequence[MatchStatistics]) -> list[DiskwarsStatistics]:
    return [match for match in statistics if isinstance(match, DiskwarsStatistics)]


def _army_pairings(selection: ArmySelection, players: int) -> list[list[str]]:
    """Return every pair of starter armies, in both orders."""
    if players != 2 or selection.armies:
        raise CommandError("--pairings needs two players and excludes --armies")
    pairs = [list(pair) for pair in combinations(sorted(selection.starter_names), 2)]
    return [*pairs, *(pair[::-1] for pair in pairs)]
