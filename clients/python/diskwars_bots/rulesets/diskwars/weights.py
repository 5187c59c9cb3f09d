"""Weights of the greedy bot's evaluation, each with its reason. Scores are hundredths of a victory point.

A disk's worth and the terms below are all there is: what a move is worth is what it destroys and denies, less what it
risks and covers, plus what it brings nearer.
"""

HERO_COST = 12
"""The worth of a hero, in recruitment points: they have none printed, and fight like the dearest units."""
FIGHT_PER_COST_AND_ROUND = 3
"""Worth of a living disk for each recruitment point and round still to come: it destroys about its cost in a match."""
WOUND_SHARE = 25
"""Percent of a life's worth for damage that does not wound yet: it is gone at the end of the round (R13.6)."""
DENIED_SHARE = 30
"""Percent of an enemy's worth for keeping it from acting this round: pinned, or given an activation token."""
RESCUE_SHARE = 60
"""Percent of an own disk's risk for destroying what pins it: the pinned strike too, so it was not lost for sure."""
EXPOSED_SHARES = ((40, 0), (40, 15), (20, 5), (10, 0), (20, 0))
"""Percent of a disk's worth for standing where an enemy can land on it, by round: one that has not acted, and others.

The others can do it next round only, and then we may be first; in round 1 armies that hold back would meet only in
round 3. From round 3 on there is less to lose by being met and more by waiting: points are for what is destroyed or
taken.
"""
RETURN_SHARE = 50
"""Percent of what an enemy would suffer for landing on a disk that is taken off the risk of standing there."""
LATER_CARD = 150
"""Cost of a reinforcement under a card that makes moves longer, while another card in hand can bring the disk in."""
COVERED_HERO = 260
"""Cost of lying on an own hero: the best fighter neither moves nor chooses its fight until the disk above has left."""
COVERED_READY = 140
"""Cost of lying on an own disk that has not acted: its activation is lost."""
COVERED = 60
"""Cost of lying on any other own disk: it can act next round only after the disk above has."""
ADVANCE = (120, 180, 240, 240, 10)
"""Value of having come all the way to the enemy, by round: fights bring points, and none begins by itself.

In the last round nothing follows from it, but a disk without anything better to do still moves up.
"""
REINFORCE = 90
"""Value of bringing a disk in, beside what its loss with the reserve would cost (R4.11): it acts from next round on."""
HOLD_PERCENT = (100, 90, 80, 70, 60)
"""Percent of the points for a held place that count with 0, 1, 2, … rounds to go: only the end is scored (R4.12)."""
HOLD_NEAR_SHARE = 80
"""Percent of a held place's points for having come all the way to it."""
EMPOWER_FIGHTING = 90
"""Value of +1 strength, counter-strength and toughness for a disk that fights in this round."""
EMPOWER_IDLE = 15
"""The same for a disk that does not: the token is gone at the end of the round."""
WEAKEN_LIKELY = 20
"""Value of less toughness for an enemy that a likely blow wounds only then."""
HEAL_FIGHTING = 20
"""Value of one damage token less on a disk that fights in this round."""
ANOTHER_ACTIVATION = 120
"""Value of an own disk that may act once more."""
ACTIVATION_USED = 40
"""Value of an activation of a card that finds a disk to act."""
ACTIVATION_WASTED = 30
"""Cost of an activation of a card that finds none: a smaller card would do."""
