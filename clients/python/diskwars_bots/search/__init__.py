"""The search of every game: it plays promising answers on in boards that could be the true one.

- `game`: what a game gives to the search
- `level`: the effort of a search
- `simulation`: one possible board played on by the rules
- `candidates`: the answers that are compared, and their values so far
- `search`: one search, and its budget
- `matrix_games`: the mixed strategies of a table of payoffs
- `secret_choices`: the mix of answers where seats choose at once
- `search_bot`: the chooser
- `review`: the moments of a match at which a search would have done something else
- `puzzles`: the decisions of a match at which one answer wins far more often than all others
- `levels`: the names of searching bots
"""
