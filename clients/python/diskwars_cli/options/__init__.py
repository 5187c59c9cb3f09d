"""Options that several verbs share, and what they mean.

- `match_filters`: filters of the `matches` verb: what ended matches are searched by, as options and as a search
- `opening_options`: options of a match besides the settings of its ruleset, as flags of the verb that opens it
- `ruleset_verb`: verbs with options of the ruleset that `--ruleset` names
- `setting_flags`: flags for settings of the server, for the verbs that need some of them
"""
