"""Simulation of Diskwars: armies that are named or drawn, pairings, shares of wins by army, and the report."""

import errno
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from platform import python_version

from diskwars_bots.rulesets.diskwars.bots import DEFAULT_BOT
from diskwars_cli.command import CommandError
from diskwars_cli.match_options import BotMatchFlags, parse_bot_names
from diskwars_cli.match_statistics import MatchStatistics
from diskwars_cli.rulesets.diskwars import report
from diskwars_cli.rulesets.diskwars.match_options import ArmySelection, diskwars_flags, load_catalogue, select_armies
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsCollector, DiskwarsStatistics
from diskwars_cli.seeds import draw_armies
from diskwars_cli.simulation import DEFAULT_TITLE, MatchJob, SimulateOptions, Simulation
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
            yield MatchJob(options.ruleset, seed, bots, armies, selection.settings, options.settings.pack)

    def check_report(self, file: str) -> None:
        """Check that a report can be written to a file, without touching it. Raises CommandError."""
        path = Path(file)
        if path.is_dir():
            raise _unwritable(file, errno.EISDIR)
        if not path.parent.is_dir():
            raise _unwritable(file, errno.ENOENT)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise _unwritable(file, errno.EACCES)

    def new_collector(self, seed: int) -> DiskwarsCollector:
        return DiskwarsCollector(seed)

    def summary_lines(self, ended: Sequence[MatchStatistics]) -> list[str]:
        """Return the share of wins of each army."""
        matches = _diskwars_only(ended)
        played = Counter(army for one in matches for army in one.armies)
        won = Counter(one.armies[seat] for one in matches for seat in one.winners)
        return [f"{army}: won {won[army]} of {count}" for army, count in sorted(played.items())]

    def write_report(self, options: SimulateOptions, file: str, statistics: Sequence[MatchStatistics]) -> None:
        """Write the report in Markdown. Raises CommandError."""
        catalogue = load_catalogue(options.settings.pack)
        packs = (catalogue.pack, *catalogue.other_packs)
        versions = [f"Python {python_version()}", *(f"pack {pack.name} {pack.version}, {pack.hash}" for pack in packs)]
        heading = report.ReportHeading(
            options.title, _repeat_command(options), tuple(versions), options.matches, catalogue.battle_die
        )
        try:
            Path(file).write_text(report.render_report(heading, statistics), "utf-8")
        except OSError as fault:
            raise _unwritable(file, fault.errno or errno.EIO) from None


def _unwritable(file: str, number: int) -> CommandError:
    return CommandError(f"--report: {file} cannot be written: {os.strerror(number)}")


def _diskwars_only(statistics: Sequence[MatchStatistics]) -> list[DiskwarsStatistics]:
    return [one for one in statistics if isinstance(one, DiskwarsStatistics)]


def _army_pairings(selection: ArmySelection, players: int) -> list[list[str]]:
    """Return every pair of starter armies, in both orders."""
    if players != 2 or selection.armies:
        raise CommandError("--pairings needs two players and excludes --armies")
    pairs = [list(pair) for pair in combinations(sorted(selection.starter_names), 2)]
    return [*pairs, *(pair[::-1] for pair in pairs)]


def _repeat_command(options: SimulateOptions) -> str:
    """Return the command that repeats this run."""
    flags = diskwars_flags(options)
    words = ["diskwars simulate", f"--matches {options.matches}", f"--seed {options.seed}"]
    words += [
        f"--players {options.players}",
        f"--setup {flags.setup}",
        f"--bots {options.bots or DEFAULT_BOT}",
    ]
    words += [f"--armies '{flags.armies}'"] if flags.armies else []
    words += [f"--regiments {flags.regiments}"] if flags.regiments else []
    words += [f"--pack {shlex.quote(pack)}" for pack in options.settings.pack]
    words += [f"--option {given}" for given in options.house_rules]
    words += ["--pairings"] if flags.pairings else []
    words += [f"--title {shlex.quote(options.title)}"] if options.title != DEFAULT_TITLE else []
    return " ".join([*words, f"--report {options.report}"])
