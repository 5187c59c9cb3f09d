"""Interfaces that rulesets fill in for the verbs, and the parts of simulation that rulesets share with its verbs.

- `army_tools`: the part of the `army` verb that a ruleset with armies provides
- `bot_digest`: identity of a bot: a digest of its source, by which results and reports of an earlier version are
  noticed
- `data_options`: options that say where matches and packs are kept, for every verb but `serve`
- `figures`: the part of `rules --play` that a ruleset provides: positions of its rules with recorded answers
- `file_programs`: the commands of the processes in which a server started by this command works on match files
- `lesson_steps`: steps of one board of a first match in a terminal, whatever the ruleset: one thing is tried in vain,
  one is done
- `match_options`: options that `demo`, `simulate`, `league` and `play` share: ruleset, settings and bots
- `match_setup`: setup of the matches that the command opens, for one ruleset
- `match_statistics`: statistics of one match of any ruleset, collected while it is played
- `odds`: confidence intervals of shares, and the likelihood of dice results
- `own_bots`: bots outside a league, and the limits of those in files of the user: their time and what they print
- `pack_tools`: the part of the `packs` verb that a ruleset provides: two classes suit one that is played with its own
  packs only
- `pictures`: the part of the `draw` verb that a ruleset provides, and the picture of a position in a text file
- `record_streams`: streams of match files: many matches in one file, as JSON lines, compressed with Zstandard where its
  name says so
- `report`: report on many matches in Markdown: faults, winners, length, endings, dice, and what a ruleset adds
- `ruleset_options`: options that one ruleset adds to the verbs of the command
- `seeded_match`: repeatable match in memory: the same seed gives the same secrets, the same random choices and the
  same bytes
- `seeds`: values derived from a seed: secrets of server and seats, random generators of bots, and armies
- `setting_texts`: settings of a ruleset as texts, the way `--option` takes them: `pins=contact`
- `simulation`: simulation of one ruleset: the matches that are played, and the figures counted in them
"""
