"""Everything that follows from a seed: secrets of server and seats, random choices of bots, and armies.

`demo` and `simulate` play the same match from the same seed.
"""

import random
from collections.abc import Sequence

from diskwars_client.seat_secrets import Entropy
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import Seat


def server_entropy(seed: int) -> Entropy:
    """Return the secrets of the first match that a server opens with this seed."""
    return seeded_entropy(seed, "match 1")


def seat_entropy(seed: int, seat: Seat) -> Entropy:
    return seeded_entropy(seed, f"seat {seat}")


def bot_rng(seed: int, seat: Seat) -> random.Random:
    """Each seat has its own: which of two bots is quicker decides nothing."""
    return random.Random(f"diskwars bot {seed} {seat}")


def draw_armies(seed: int | None, names: Sequence[str], players: int) -> list[str]:
    """Return one for each player, different ones as long as there are enough."""
    chance = random.Random() if seed is None else random.Random(f"diskwars armies {seed}")
    known = sorted(names)
    return chance.sample(known, players) if len(known) >= players else chance.choices(known, k=players)
