"""What the greedy bot of regiments thinks worth how much: each number with its reason."""

FLIGHT_COST = 3 / 5
"""The part of a unit that its flight costs: it may leave the field, and seldom rallies in time."""
IMPATIENCE = 1 / 30
"""The loss that a charge may bring, for each round: two lines that wait for each other draw the match."""
EXPOSED_COST = 3
"""The number of steps nearer to an enemy that are worth a flank or rear that an enemy can charge."""
CHARGED_COST = 6
"""The number of steps that are worth a whole unit lost to the charge of an enemy: who charges strikes first (C-1)."""
READY_GAIN = 4
"""The number of steps that are worth a whole unit won by a charge in the next round, if the enemy stays there."""
REFORM_GAIN = 1 / 10
"""How much better a unit has to fight with other files, in parts of a unit, to spend a round on reforming (C-25)."""
