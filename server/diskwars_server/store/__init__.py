"""The store of a server: one port for each kind of data, implemented in PostgreSQL and in memory.

- `accounts`: the port that keeps accounts of players, and the devices on which they are logged in
- `admissions`: the port that stores which players have entered locked matches, and invites; and the lock, a secret
  of its match
- `archive`: records of old matches outside the database, as files in a folder or a bucket
- `challenges`: the port that stores challenges between players, and who takes none
- `changes`: difference that one record makes to a match: what is stored, published and listed with it
- `chat`: the port that keeps the chat of matches, and whom players have muted
- `clubs`: the port of clubs
- `database`: the database of a server: it owns the connections and gives out the ports
- `deadlines`: the port that keeps deadlines: when the server answers an open decision
- `errors`: errors of every port of the store
- `event_log`: the port that stores the records of all matches
- `device_logins`: the port that stores logins of programs without a browser, while a player has not answered them
- `lesson_progress`: the port that stores what players have done of the first match, and how what two devices say of
  it is joined
- `listed_settings`: settings of matches in lists: the store holds all of them, and players are shown those that are
  not usual
- `match_index`: the port that lists matches for the lobby: a projection, written with the records that change it
- `match_loading`: loading of stored matches into memory, in pieces between which everything else goes on
- `memory`: the store in memory, for tests, simulation and a server that may forget: each port under the same name
- `notices`: the port of notices: what is planned for players, their channels, and what is being sent to them
- `operator_acts`: the port that keeps what operators do: every act with its operator, time, reason and target
- `page_parts`: the port that keeps parts of built pages: files whose names say their content, of this release and
  the one before
- `postgres`: the store in PostgreSQL: each port of `store` under the same name, and what they share
- `rated_matches`: the rule of which matches move ratings: they were played, and their players have not met too often
- `rating_model`: the model of ratings: Bradley and Terry between sides, in the form of Weng and Lin (2011)
- `rating_tally`: the arithmetic of ratings and statistics: one counted match after another, in their order
- `ratings`: the port that keeps ratings and statistics: a projection of ended matches, which can be made again from
  them
- `reports`: the port that keeps reports of players about players, for operators
- `seeks`: the port that stores who seeks a match, and pairs players who seek the same
- `tournaments`: the port of tournaments
- `vault`: the port that keeps secrets: those of matches under way, and the key that signs tokens
"""
