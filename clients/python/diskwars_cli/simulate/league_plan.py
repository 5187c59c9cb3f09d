"""Plan of a league: its matches in order, and the conditions that its results depend on."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.simulation import MatchJob
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_protocol.match.ids import Seat

MIN_BOTS, MAX_BOTS = 2, 32
MAX_LEAGUE_MATCHES = 1_000_000
"""Results are kept in memory until the league ends: about 2 kB a match."""


class Conditions(Struct, frozen=True):
    """Everything that the result of a match depends on besides bots, seed and loadouts; written with every result."""

    program: str
    ruleset: str
    rules: int
    packs: list[str]
    settings: Any
    decision_seconds: float


class LeagueMatch(Struct, frozen=True):
    """A match of the plan: its number, the pair of bots that it is between, and the bot of each seat, by index."""

    number: int
    pair: tuple[int, int]
    seed: int
    seats: tuple[int, ...]

    def seats_of(self, bot: int) -> list[Seat]:
        return [seat for seat, other in enumerate(self.seats) if other == bot]


def mirrored_seats(players: int) -> list[tuple[int, ...]]:
    """Return how bots 0 and 1 of a pair are seated with one seed: each sits in each seat equally often.

    Every rotation of half the seats for either; with three seats, of one against two and of two against one.
    """
    half, odd = divmod(players, 2)
    first = [0] * half + [1] * (half + odd)
    lines = [first] if not odd else [first, [1 - bot for bot in first]]
    return [tuple(line[turn:] + line[:turn]) for line in lines for turn in range(players)]


class LeaguePlan:
    """A round robin: every pair of bots plays every seed from every seat.

    The matches of a seed come before those of the next, so that a league that is stopped has met all pairs evenly.
    """

    def __init__(self, bots: Sequence[str], options: BotMatchFlags, seeds: range, decision_seconds: float) -> None:
        """Raises CommandError for options with which nothing can be played."""
        _check_bots(bots)
        self.bots, self.players, self.seeds = list(bots), options.players, seeds
        self.seatings = mirrored_seats(options.players)
        self.pairs = list(combinations(range(len(bots)), 2))
        self._matches_per_seed = len(self.pairs) * len(self.seatings)
        if len(self) > MAX_LEAGUE_MATCHES:
            raise CommandError(f"{len(self):,} matches are more than the {MAX_LEAGUE_MATCHES:,} that a league may have")
        self._jobs = list(find_simulation(options.ruleset).jobs(options, seeds))
        ruleset = load_ruleset(options.ruleset, options.data.packs)
        self.ruleset, self.vocabulary = options.ruleset, ruleset.vocabulary
        self.identities = [bot_identity(bot, options.ruleset) for bot in bots]
        self.conditions = Conditions(
            version("diskwars"),
            options.ruleset,
            ruleset.rules_version,
            [f"{pack.id} {pack.version} {pack.hash}" for pack in ruleset.packs],
            as_json(self._jobs[0].settings),
            decision_seconds,
        )
        self._numbers = {names: index for index, names in enumerate(self._seated_names())}

    def __len__(self) -> int:
        return len(self.seeds) * self._matches_per_seed

    def __iter__(self) -> Iterator[LeagueMatch]:
        return map(self.match, range(len(self)))

    def match(self, number: int) -> LeagueMatch:
        seed, rest = divmod(number, self._matches_per_seed)
        pair, seating = divmod(rest, len(self.seatings))
        bots = self.pairs[pair]
        return LeagueMatch(number, bots, self.seeds[seed], tuple(bots[end] for end in self.seatings[seating]))

    def find(self, seed: int, names: Sequence[str]) -> LeagueMatch | None:
        """Return the match of a seed with these bots by seat; None if the league has no such match."""
        index = self._numbers.get(tuple(names))
        if index is None or seed not in self.seeds:
            return None
        return self.match(self.seeds.index(seed) * self._matches_per_seed + index)

    def _seated_names(self) -> Iterator[tuple[str, ...]]:
        for number in range(self._matches_per_seed):
            yield self.names(self.match(number))

    def names(self, match: LeagueMatch) -> tuple[str, ...]:
        return tuple(self.bots[bot] for bot in match.seats)

    def job(self, match: LeagueMatch) -> MatchJob:
        """Return the match as it is played: armies and settings are those of its seed, for any seating."""
        job = self._jobs[self.seeds.index(match.seed)]
        return msgspec.structs.replace(job, bots=list(self.names(match)))

    def loadouts(self, match: LeagueMatch) -> list[Any]:
        """Return what the seats bring, as it is written with the result."""
        return [as_json(loadout) for loadout in self._jobs[self.seeds.index(match.seed)].loadouts]


def as_json(value: object) -> Any:
    """Return a value as it is read back from JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def planned_seeds(first: int, matches: int, players: int) -> range:
    """Return the seeds with which each pair plays at least this many matches."""
    each = len(mirrored_seats(players))
    return range(first, first + -(-matches // each))


def _check_bots(bots: Sequence[str]) -> None:
    if not MIN_BOTS <= len(bots) <= MAX_BOTS:
        raise CommandError(f"a league has {MIN_BOTS} to {MAX_BOTS} bots, not {len(bots)}: name them, or a file's own")
    for bot in bots:
        if bots.count(bot) > 1:
            raise CommandError(f"{bot} is named twice; a bot of your own can be copied to a file of another name")
