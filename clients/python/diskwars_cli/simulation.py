"""Simulation of one ruleset: which matches are played, and what is counted in them.

The base class suits every ruleset; one with armies, dice and cards of its own extends it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from diskwars_cli.command import CommandError
from diskwars_cli.match_options import BotMatchFlags, parse_bot_names
from diskwars_cli.match_statistics import (
    MatchStatistics,
    StatisticsCollector,
    count_broken_invariants,
    count_crashes,
)
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match import Seat

DEFAULT_TITLE = "Simulated matches"


class SimulateOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `simulate`. Match n is played with the seed `seed` + n - 1."""

    ruleset: str = "diskwars"
    matches: int = 1
    seed: int = 1
    pairings: bool = False
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
    """Matches between bots with the default settings, in which every seat brings `new_loadout(seat)`."""

    def __init__(
        self, load_ruleset: Callable[[tuple[str, ...]], AnyRuleset], new_loadout: Callable[[Seat], Any]
    ) -> None:
        """`load_ruleset` gets the packs that the user names."""
        self.load_ruleset, self._new_loadout = load_ruleset, new_loadout

    def jobs(self, options: SimulateOptions) -> Iterator[MatchJob]:
        """Yield the matches to play. Raises CommandError."""
        if options.armies or options.regiments or options.pairings or options.house_rules:
            refused = "--armies, --regiments, --pairings and --option"
            raise CommandError(f"{refused} belong to Diskwars; {options.ruleset} has none of them")
        if options.report:
            raise CommandError(f"--report: there is no report for {options.ruleset}")
        ruleset = self.load_ruleset(options.settings.pack)
        if options.players not in ruleset.seats:
            able = " or ".join(map(str, ruleset.seats))
            raise CommandError(f"--players: {options.ruleset} is played by {able}, not by {options.players}")
        bots = parse_bot_names(options.bots, options.players, options.ruleset)
        loadouts = [self._new_loadout(seat) for seat in range(options.players)]
        for seed in range(options.seed, options.seed + options.matches):
            settings = ruleset.vocabulary.settings()
            yield MatchJob(options.ruleset, seed, bots, loadouts, settings, options.settings.pack)

    def new_collector(self, seed: int) -> StatisticsCollector:
        """Return an empty collector for one match."""
        return StatisticsCollector(seed)

    def summary_lines(self, ended: Sequence[MatchStatistics]) -> list[str]:
        """Return the lines that end the summary of matches that did not crash."""
        return []

    def write_report(self, options: SimulateOptions, file: str, statistics: Sequence[MatchStatistics]) -> None:
        """Write a report on all matches, for a ruleset whose `jobs` accept one. Raises CommandError."""
        raise NotImplementedError


def generic_summary_lines(statistics: Sequence[MatchStatistics], ended: Sequence[MatchStatistics]) -> list[str]:
    """Return what the summary of every ruleset begins with: faults, length, winners by seat, and endings."""
    seats = Counter(one.winner_label for one in ended)
    reasons = Counter(one.end_reason for one in ended)
    lines = [f"matches {len(statistics)}", f"crashes {count_crashes(statistics)}"]
    lines += [f"invariants broken {count_broken_invariants(statistics)}"]
    if ended:
        lines += [f"events {sum(one.events for one in ended) // len(ended)} per match on average"]
    lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
    return lines + [f"ended by {why}: {count}" for why, count in sorted(reasons.items())]
