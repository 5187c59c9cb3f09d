"""Activation of disks in Diskwars: command cards, turns, moves, shots, and what they trigger.

- `ability_reinforcement`: reinforcement by abilities, which bring disks of the reserve in beside their user (R9.6,
  R19.16)
- `activation`: activations: the actions that a disk may take, and those that it has left (R8.1, R8.2)
- `aiming`: legal targets of ranged attacks and abilities, and explanations for the illegal ones (R8.3, R12.1)
- `card_turns`: resolution of a revealed command card: activations, reinforcing, the battle ability (R7.7 to R7.15)
- `command_cards`: command cards: locked in secret, revealed together, and put in order (R7.3 to R7.5, R7.16 to
  R7.21)
- `move_options`: moves and reinforcements as parametric options: their limits, and a legal example (R8.4, R8.9,
  R9.1)
- `movement`: movement: flips, landings and their consequences, and reinforcing (R8, R9)
- `rampage`: rampage: the flip that a disk has to make after a ranged attack that shows chaos (R12.6)
- `reinforcement_places`: places for a disk of the reserve: areas to choose from, and one legal example
- `shooting`: ranged attacks: range, battle dice, scatter, results (R12)
- `triggers`: engage abilities: the order of several that trigger together, and the use of each (R6.6, R19.19,
  R19.20)
"""
