"""Standings of a league: what each bot and each pair got, computed from results in the order of the plan.

How many processes there were, and which match ended first, makes no difference.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.simulate.league_match import DecisionTimes, Fault, PlayedMatch
from diskwars_cli.simulate.league_plan import LeagueMatch, LeaguePlan
from diskwars_cli.simulate.strength import PairScore, Rating, SequentialTest, Verdict, fit_ratings

MAX_LOST_PROCESSES = 5
"""A bot that has cost this many processes plays no more: each costs the whole time of a decision."""
MAX_FAULTS_LISTED = 3
"""For each bot."""


class Tally(Struct):
    """Matches of a bot, or of the first bot of a pair: a match can be shared where more than one seat wins."""

    matches: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    score: float = 0.0

    def add(self, score: float) -> None:
        self.matches += 1
        self.score += score
        self.won += score == 1
        self.lost += score == 0
        self.tied += 0 < score < 1


class BotTally(Tally):
    """Besides: victory points and lengths of its matches that had no fault, its faults, its decision times, its deeds.

    `deeds` are how often it chose each kind of action, `deed_seats` in how many seats of a match it did so at least
    once, of `seats`.
    """

    points: int = 0
    point_seats: int = 0
    records: int = 0
    full_matches: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    fault_texts: list[str] = field(default_factory=list)
    lost_processes: int = 0
    times: DecisionTimes = field(default_factory=DecisionTimes)
    deeds: Counter[str] = field(default_factory=Counter)
    deed_seats: Counter[str] = field(default_factory=Counter)
    seats: int = 0

    def add_fault(self, fault: Fault, seed: int) -> None:
        self.faults[fault.kind] += 1
        self.lost_processes += fault.lost_process
        if len(self.fault_texts) < MAX_FAULTS_LISTED:
            self.fault_texts.append(f"seed {seed}: {fault.text}")

    def add_times(self, seat: DecisionTimes) -> None:
        own = self.times
        self.times = DecisionTimes(
            own.decisions + seat.decisions, own.total_ms + seat.total_ms, max(own.longest_ms, seat.longest_ms)
        )

    def add_deeds(self, deeds: Mapping[str, int]) -> None:
        self.seats += 1
        self.deeds.update(deeds)
        self.deed_seats.update(deeds.keys())

    @property
    def is_out(self) -> bool:
        return self.lost_processes >= MAX_LOST_PROCESSES


class SequentialResult(Struct, frozen=True):
    """Result of the sequential test after this many pairs of matches."""

    test: SequentialTest
    verdict: Verdict
    ratio: float
    pairs: int


class Standings:
    """The state of a league after results were added in the order of the plan."""

    def __init__(self, plan: LeaguePlan, test: SequentialTest | None) -> None:
        self.plan, self._test = plan, test
        self.bots = [BotTally() for _ in plan.bots]
        self.pairs = {pair: Tally() for pair in plan.pairs}
        self.crashes: list[str] = []
        self.verdict: Verdict = "open"
        self.pair_counts = [0] * 5
        """Mirrored pairs of matches by what the first bot got in both: nothing, 0.5, 1, 1.5 or 2."""
        self._halves: list[float] = []

    def add(self, match: LeagueMatch, played: PlayedMatch) -> None:
        """Count a match, unless one of its bots is out."""
        if self.is_skipped(match):
            return
        if played.crash:
            self.crashes.append(f"seed {match.seed}, {' against '.join(self.plan.names(match))}: {played.crash}")
        else:
            score = first_score(match, played)
            self.pairs[match.pair].add(score)
            for bot, own in zip(match.pair, (score, 1 - score), strict=True):
                self.bots[bot].add(own)
                self._add_play(self.bots[bot], match, played, bot)
            self._halves.append(score)
        if played.fault is not None:
            self.bots[match.seats[played.fault.seat]].add_fault(played.fault, match.seed)
        if self._test is not None and (match.number + 1) % len(self.plan.seatings) == 0:
            self._end_pair(self._test)

    def _add_play(self, tally: BotTally, match: LeagueMatch, played: PlayedMatch, bot: int) -> None:
        seats = match.seats_of(bot)
        if played.fault is None:
            tally.full_matches += 1
            tally.records += played.records
            if played.scores:
                tally.points += sum(played.scores[seat] for seat in seats)
                tally.point_seats += len(seats)
        for seat in seats:
            if seat < len(played.times):
                tally.add_times(played.times[seat])
            if seat < len(played.deeds):
                tally.add_deeds(played.deeds[seat])

    def _end_pair(self, test: SequentialTest) -> None:
        """Count the pair of matches that ends here, if both have a result."""
        if len(self._halves) == len(self.plan.seatings):
            self.pair_counts[round(2 * sum(self._halves))] += 1
            self.verdict = test.verdict(test.ratio(self.pair_counts))
        self._halves.clear()

    def is_skipped(self, match: LeagueMatch) -> bool:
        """Return whether a bot of the match is out."""
        return any(self.bots[bot].is_out for bot in match.pair)

    @property
    def is_decided(self) -> bool:
        """Return whether more matches would change nothing: the test knows, or there are no two bots left."""
        return self.verdict != "open" or sum(not bot.is_out for bot in self.bots) < 2

    @property
    def sequential(self) -> SequentialResult | None:
        if self._test is None:
            return None
        return SequentialResult(self._test, self.verdict, self._test.ratio(self.pair_counts), sum(self.pair_counts))

    @property
    def matches(self) -> int:
        return sum(pair.matches for pair in self.pairs.values())

    @property
    def anchor(self) -> int:
        """The bot whose rating is 0: the default one of the ruleset if it takes part, otherwise the first."""
        default = find_bots(self.plan.ruleset).default
        return self.plan.bots.index(default) if default in self.plan.bots else 0

    def ratings(self) -> list[Rating | None]:
        scores = [PairScore(*pair, tally.score, tally.matches) for pair, tally in self.pairs.items()]
        return fit_ratings(len(self.plan.bots), scores, self.anchor)

    def ranking(self) -> list[tuple[int, Rating | None]]:
        """Return the bots with their ratings, the strongest first."""
        rated = list(enumerate(self.ratings()))
        return sorted(rated, key=lambda row: (row[1] is None, -(row[1].elo if row[1] else 0.0), self.plan.bots[row[0]]))


def first_score(match: LeagueMatch, played: PlayedMatch) -> float:
    """Return what the first bot of the pair got: its share of the winning seats, half if nobody wins.

    A bot with a fault gets nothing.
    """
    if played.fault is not None:
        return float(match.seats[played.fault.seat] != match.pair[0])
    if not played.winners:
        return 0.5
    return sum(match.seats[seat] == match.pair[0] for seat in played.winners) / len(played.winners)


def compute_standings(plan: LeaguePlan, played: Mapping[int, PlayedMatch], test: SequentialTest | None) -> Standings:
    """Return the standings after all results up to the one that decides the sequential test."""
    standings = Standings(plan, test)
    for number in _counted_numbers(played, test):
        if standings.is_decided:
            break
        standings.add(plan.match(number), played[number])
    return standings


def _counted_numbers(played: Mapping[int, Any], test: SequentialTest | None) -> Iterator[int]:
    """Yield the results in the order of the plan; with a test, only up to the first that is missing.

    A test that left out matches which take longer would be biased towards the short ones.
    """
    if test is None:
        yield from sorted(played)
        return
    number = 0
    while number in played:
        yield number
        number += 1
