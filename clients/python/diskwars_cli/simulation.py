"""Simulation of one ruleset: which matches are played, and what is counted in them.

The base class suits every ruleset; one with armies, dice and cards of its own extends it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from diskwars_cli.command import CommandError
from diskwars_cli.match_options import BotMatchFlags, parse_bot_names
from diskwars_cli.match_setup import MatchSetup, load_ruleset
from diskwars_cli.match_statistics import (
    MatchStatistics,
    StatisticsCollector,
    count_broken_invariants,
    count_crashes,
)

DEFAULT_TITLE = "Simulated matches"


class SimulateOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `simulate`. Match n is played with the seed `seed` + n - 1."""

    matches: int = 1
    seed: int = 1
    report: str | None = None
    title: str = DEFAULT_TITLE
    jobs: int | None = None


class MatchJob(Struct, frozen=True):
    """A match to be played; can be sent to another process."""

    ruleset: str
    seed: int
    bots: list[str]
    loadouts: Sequence[Any]
    settings: Any
    packs: tuple[str, ...] = ()


class Simulation:
    """Matches between bots in which every seat brings the default loadout."""

    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup

    def jobs(self, options: BotMatchFlags, seeds: Iterable[int]) -> Iterator[MatchJob]:
        """Yield the match of each seed. Raises CommandError."""
        packs = options.settings.pack
        able = load_ruleset(options.ruleset, packs).seat_counts
        if options.players not in able:
            counts = " or ".join(map(str, able))
            raise CommandError(f"--players: {options.ruleset} is played by {counts}, not by {options.players}")
        bots = parse_bot_names(options)
        _, loadout = self._setup.loadouts(options)
        settings = self._setup.settings(options, loadout)
        for seed in seeds:
            yield MatchJob(options.ruleset, seed, bots, [loadout] * options.players, settings, packs)

    def new_collector(self, seed: int) -> StatisticsCollector:
        """Return an empty collector for one match."""
        return StatisticsCollector(seed)

    def summary_lines(self, ended: Sequence[MatchStatistics]) -> list[str]:
        """Return the lines that end the summary of matches that did not crash."""
        return []

    def check_report(self, file: str) -> None:
        """Raise CommandError if matches of this ruleset cannot be reported on, or the file cannot be written."""
        raise CommandError(f"--report: there is no report for {self._setup.ruleset}")

    def write_report(self, options: SimulateOptions, file: str, statistics: Sequence[MatchStatistics]) -> None:
        """Write a report on all matches, where `check_report` allows one. Raises CommandError."""
        self.check_report(file)


def generic_summary_lines(statistics: Sequence[MatchStatistics], ended: Sequence[MatchStatistics]) -> list[str]:
    """Return the first lines of every summary: faults, length, winners by seat, and endings."""
    seats = Counter(one.winner_label for one in ended)
    reasons = Counter(one.end_reason for one in ended)
    lines = [f"matches {len(statistics)}", f"crashes {count_crashes(statistics)}"]
    lines += [f"invariants broken {count_broken_invariants(statistics)}"]
    if ended:
        lines += [f"events {sum(one.events for one in ended) // len(ended)} per match on average"]
    lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
    return lines + [f"ended by {why.replace('_', ' ')}: {count}" for why, count in sorted(reasons.items())]
