"""What the greedy bot of close quarters thinks worth how much: each number with its reason."""

FALLS_BACK = 0.6
"""The part of a unit that is worth its falling back: it is out of the phase, and may be caught (B-17, B-19)."""
STANDS_OFF = 0.13
"""The expected casualties of one model's shot from which a unit is better off firing than in contact (B-9)."""
NEARER = 1 / 20000
"""The worth of a hundredth of an inch towards the enemy: two sides that wait for each other draw the match."""
AHEAD = 2.0
"""What it is worth to have more model points than the enemy when nobody can attack any more (B-23)."""
LEADER = 2
"""A leader strikes best, gives a die of leadership and counts two points (B-3, B-23)."""
COMES = 0.8
"""How sure it is that the enemy comes in its turn where that is best for it: what is not done yet may not be done."""
CYCLES = 6
"""The cycles of a combat that are forecast, both sides counted; most are decided by then."""
