"""What rulesets give to the verbs, and what the verbs of simulation share with it.

- `army_tools`: what a ruleset with armies gives to the `army` verb
- `bot_digest`: identity of a bot: a digest of its source, by which results and reports of an earlier version are
  noticed
- `data_options`: options that say where matches and packs are kept, for every verb but `serve`
- `file_programs`: the commands of the processes in which a server started by this command works on match files
- `match_options`: options that `demo`, `simulate`, `league` and `play` share: ruleset, settings and bots
- `match_setup`: what the command needs to open matches of one ruleset
- `match_statistics`: statistics of one match of any ruleset, collected while it is played
- `odds`: confidence intervals of shares, and the likelihood of dice results
- `own_bots`: where bots think outside a league, and the limits of those in files of the user: their time and what
  they print
- `pack_tools`: what a ruleset gives to the `packs` verb: two classes suit one that is always played with its own
  packs
- `pictures`: what a ruleset gives to the `draw` verb, and the picture of a position in a text file
- `report`: report on many matches in Markdown: faults, winners, length, endings, dice, and what a ruleset adds
- `ruleset_options`: options that one ruleset adds to the verbs of the command
- `seeded_match`: repeatable match in memory: the same seed gives the same secrets, the same random choices and the
  same bytes
- `seeds`: values derived from a seed: secrets of server and seats, random generators of bots, and armies
- `setting_texts`: settings of a ruleset as texts, the way `--option` takes them: `pins=contact`
- `simulation`: simulation of one ruleset: which matches are played, and what is counted in them
"""
