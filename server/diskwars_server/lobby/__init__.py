"""Everything before and after a match: lists, searches, entry, quick matches, rematches, challenges, branches, imports.

- `branches`: branches: a player opens a match that plays on from a moment of another match, as far as they may see
  that one
- `challenges`: challenges: a player asks another one for a match of two, which is opened once the other accepts
- `club_matches`: matches of clubs: which members open, whose lists show them, and who enters them
- `feed`: live changes of the lists that connections follow
- `history_search`: searches of ended matches: their limits, and checks of what is searched for
- `imports`: imports of match files: uploads in parts, verification, and storing a match that was played elsewhere
- `lists`: requests for lists of matches: one page, or one that is followed
- `match_access`: entry to locked matches by passwords and invites
- `opening`: requests that open a match
- `quick_matches`: quick matches: players who seek the same match are paired, and it is opened for them
- `rematches`: rematches: the people of a match that has ended agree on another one, which is opened once
- `reviews`: reviews of ended matches, searched in a process of their own one after another, and kept for a while
- `watching`: requests to watch matches, and the matches that each connection watches
"""
