"""What the greedy bot of the pit thinks worth how much: each number with its reason."""

from diskwars_protocol.rulesets.pit.events import Status
from diskwars_protocol.rulesets.pit.stats import Rank

FIGHTER_WORTH: dict[Rank, float] = {"leader": 4.0, "hero": 3.0, "henchman": 2.0}
"""A side without leaders and heroes cannot pass a rout check (A-7), so that these are worth more."""
STATE_SHARE: dict[Status, float] = {"dazed": 0.45, "stunned": 0.3}
"""The part of its worth that a fighter keeps which is down: it recovers, unless somebody beside it finishes it off."""
ROUT_SHARE = 0.4
"""The part of a side that counts as lost once its losses call for rout checks, one each turn (A-7)."""
WAITING_ROUNDS = 3
"""The rounds in which a side waits in a corner for the charge of the enemy: nobody waits for ever."""
IMPATIENCE = 0.1
"""The loss that a charge may bring, for each round: two sides that wait for each other draw the match."""
