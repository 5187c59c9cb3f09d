"""A trial of Swiss pairing on invented tournaments, with late entries, withdrawals, no-shows and byes.

`python -m tests.server.tournaments.swiss_trial --seed 1 --tournaments 1000` plays them through the rules, from the
entries to the table, and prints what was counted. Docs/tournaments.md has the figures of that command.
"""

import argparse
import random
import time
from collections import Counter

import networkx
from msgspec import Struct

from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.tournaments.rules.entries import withdraw
from diskwars_server.tournaments.rules.rounds import swiss_entrants
from diskwars_server.tournaments.rules.swiss import BYE, SwissEntrant, SwissPairing
from tests.server.tournaments.played_tournaments import PlayedTournament, options_of, random_results

SIZES = (4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 24, 31, 32, 48, 64, 96, 127, 128)
MAX_BRUTE_FORCE = 8


class TrialCounts(Struct):
    """What was counted over all tournaments. `avoidable` are faults that another pairing would have avoided."""

    tournaments: int = 0
    rounds: int = 0
    rematches: int = 0
    second_byes: int = 0
    avoidable: int = 0
    checked_by_force: int = 0
    seats_over_two: int = 0
    seats_of_two: int = 0
    players: int = 0
    slowest_of_128_seconds: float = 0.0


def run_trial(seed: int, tournaments: int, sizes: tuple[int, ...] = SIZES) -> TrialCounts:
    """Play tournaments of all sizes in turn."""
    counts = TrialCounts()
    for number in range(tournaments):
        rng = random.Random(f"{seed} {number}")
        _play(sizes[number % len(sizes)], rng, counts)
    return counts


def _play(size: int, rng: random.Random, counts: TrialCounts) -> None:
    most = min(11, size - 2)
    rounds = rng.randint(min(3, most), max(min(3, most), most))
    played = PlayedTournament(options_of("swiss", rounds=rounds, entrant_limit=128, late_entry=True), size)
    played.start()

    def change_entrants() -> None:
        for entrant in played.state.entrants:
            if entrant.status == "entered" and rng.random() < 0.02:
                played.apply(withdraw(played.state, entrant, "left"))
        if rng.random() < 0.1 and len(played.state.rounds) < played.state.round_count and size < 128:
            played.enter(f"late{len(played.state.entrants)}")

    play = random_results(rng)
    while played.state.status == "running":
        before, began = played.state, time.process_time()
        played.pair()
        if size == 128:
            counts.slowest_of_128_seconds = max(counts.slowest_of_128_seconds, time.process_time() - began)
        if len(played.state.rounds) > len(before.rounds):
            counts.rounds += 1
            _count_faults(before, played.state, counts)
        played.play_round(play)
        if played.state.status == "running":
            change_entrants()
    counts.tournaments += 1
    for entrant in swiss_entrants(played.state, [entrant.number for entrant in played.state.entrants]):
        counts.players += 1
        counts.seats_of_two += abs(entrant.balance) == 2
        counts.seats_over_two += abs(entrant.balance) > 2


def _count_faults(before: Tournament, after: Tournament, counts: TrialCounts) -> None:
    paired = after.rounds[-1]
    numbers = [number for board in paired.boards for number in board.entrants] + list(paired.byes)
    entrants = {entrant.number: entrant for entrant in swiss_entrants(before, numbers)}
    pairing = SwissPairing(
        tuple((board.entrants[0], board.entrants[1]) for board in paired.boards),
        paired.byes[0] if paired.byes else None,
    )
    faults = faults_of(pairing, entrants)
    counts.rematches += faults["rematch"]
    counts.second_byes += faults["bye"]
    if len(numbers) <= MAX_BRUTE_FORCE:
        counts.checked_by_force += 1
        counts.avoidable += sum(faults.values()) > fewest_faults(list(entrants.values()))
    elif sum(faults.values()):
        counts.avoidable += has_pairing_without_fault(list(entrants.values()))


def faults_of(pairing: SwissPairing, entrants: dict[int, SwissEntrant]) -> Counter[str]:
    """Return what must not be in a pairing, by kind."""
    faults = Counter[str]()
    for first, second in pairing.boards:
        faults["rematch"] += second in entrants[first].opponents
        faults["seat"] += entrants[first].balance >= 2 or entrants[second].balance <= -2
    if pairing.bye is not None:
        faults["bye"] += entrants[pairing.bye].had_bye
    return faults


def has_pairing_without_fault(entrants: list[SwissEntrant]) -> bool:
    """Return whether all can be paired without a fault: a matching of the pairs that have none."""
    graph = networkx.Graph()
    graph.add_nodes_from(entrant.number for entrant in entrants)
    for at, entrant in enumerate(entrants):
        graph.add_edges_from(
            (entrant.number, other.number) for other in entrants[:at] if not _pair_faults(entrant, other)
        )
    if len(entrants) % 2:
        graph.add_edges_from((entrant.number, BYE) for entrant in entrants if not entrant.had_bye)
    return bool(networkx.is_perfect_matching(graph, networkx.max_weight_matching(graph, maxcardinality=True)))


def fewest_faults(entrants: list[SwissEntrant]) -> int:
    """Return the fewest faults of any pairing, by trying all of them."""
    by_number = {entrant.number: entrant for entrant in entrants}

    def search(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, *others = left
        return min(
            _pair_faults(by_number[first], by_number[other]) + search(tuple(n for n in others if n != other))
            for other in others
        )

    numbers = tuple(by_number)
    if len(numbers) % 2 == 0:
        return search(numbers)
    return min(by_number[bye].had_bye + search(tuple(number for number in numbers if number != bye)) for bye in numbers)


def _pair_faults(one: SwissEntrant, other: SwissEntrant) -> int:
    is_seat_forced = one.balance == other.balance and abs(one.balance) >= 2
    return (other.number in one.opponents) + is_seat_forced


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tournaments", type=int, default=1000)
    arguments = parser.parse_args()
    counts = run_trial(arguments.seed, arguments.tournaments)
    for name, value in ((field, getattr(counts, field)) for field in counts.__struct_fields__):
        print(f"{name:24} {value if isinstance(value, int) else format(value, '.2f')}")


if __name__ == "__main__":
    main()
