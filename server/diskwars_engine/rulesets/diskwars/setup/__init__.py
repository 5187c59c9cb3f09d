"""Setup of Diskwars: armies, scenario, deployment cards, terrain, deployment, scouting.

- `army_rules`: rules of army building (R2): finds every violation in an army, and what would fix it
- `deployment`: deployment of disks before round 1 (R3.6)
- `deployment_cards`: deployment cards: dealt, taken and laid along the edges of the field (R3.4)
- `loadout`: completion and checking of loadouts (R2): a starter army by its id, or a list of disks and cards
- `scenarios`: scenario cards: drawn, chosen and dealt in secret, except for the active one (R3.3)
- `scouting`: scout moves before round 1 (R3.7, R8.9)
- `setup`: the beginning of a game: the disks of the armies, edges, and initiative (R3.1, R3.2)
- `setup_sequence`: the sequence of the setup before round 1 (R3, R18)
- `setup_turns`: turns of the setup that several seats take one after another (R3.4 to R3.6, R18.3)
- `terrain_cards`: terrain cards: dealt and taken, and their pieces placed on the field (R3.5)
"""
