"""Values derived from a seed: secrets of server and seats, random generators of bots, and armies.

`demo` and `simulate` play the same match from the same seed.
"""

import random
from collections.abc import Sequence

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import Entropy, seeded_entropy


def server_entropy(seed: int) -> Entropy:
    """Return the entropy of the first match that a server with this seed opens."""
    return seeded_entropy(seed, "match 1")


def seat_entropy(seed: int, seat: Seat) -> Entropy:
    return seeded_entropy(seed, f"seat {seat}")


def bot_rng(seed: int, seat: Seat) -> random.Random:
    """Return a seat's own random generator, so that the order in which bots answer does not matter."""
    return random.Random(f"diskwars bot {seed} {seat}")


def draw_armies(seed: int, names: Sequence[str], players: int) -> list[str]:
    """Draw an army for each player, all different if there are enough."""
    rng = random.Random(f"diskwars armies {seed}")
    sorted_names = sorted(names)
    return rng.sample(sorted_names, players) if len(sorted_names) >= players else rng.choices(sorted_names, k=players)
