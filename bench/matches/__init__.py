"""The matches that are measured.

- `melee`: the worst melee: twenty disks on top of twenty others, each on two, all in one engagement
- `played_matches`: the matches that programs measure: greedy bots play them from a seed, record by record
- `traces`: the actions that the load generator sends: whole matches of greedy bots, played in memory beforehand
"""
