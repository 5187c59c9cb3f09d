"""Environments for research: matches of every ruleset as PettingZoo and Gymnasium know them. Needs the extra `rl`.

- `aec_environment`: the PettingZoo environment in which agents act one after another
- `arrays`: arrays of an observation: their axes, and the interface by which a ruleset fills them
- `deeds`: deeds: the answers that a decision offers, numbered, with a row of figures for each
- `environment_match`: one match of an environment: seeds, decisions, observations and rewards by seat
- `parallel_environment`: the PettingZoo environment in which all agents act at once
- `policy`: a linear softmax policy over the features of the offered deeds, for any ruleset, and a bot made of one
- `random_steps`: `python -m diskwars_rl.random_steps`: plays steps at random, and counts what went wrong
- `rulesets`: what one ruleset shows and offers, one folder per ruleset
- `single_agent`: the Gymnasium environment of one seat, with bots in the others
- `training`: `python -m diskwars_rl.training`: trains a linear policy against a bot by policy gradient, and measures
  it
"""
