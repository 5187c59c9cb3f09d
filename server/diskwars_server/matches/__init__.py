"""Live matches: decide, append, commit, publish, answer; and everything that one match needs around it.

- `bot_turns`: queue of the matches in which a bot has to decide: fair between those who opened them
- `catalogue_requests`: requests about what a ruleset is played with: its catalogue, and checks of armies
- `catalogues`: catalogues of the rulesets as they are sent: encoded and hashed once
- `commands`: requests that act in a match: the actions of its players, their options, and what its opener may do
- `game`: one live match: its inbox, the task that takes one item after another, and those who watch
- `grace_times`: grace for players who lose their connection while they decide: their deadlines leave time to
  reconnect
- `inbox`: queue of one match: commands, actions of the server, and reads of records that other nodes have stored
- `list_pages`: names of the pages of lists and searches: what `next_page` holds, and where it leads
- `listings`: listings of the lobby, read off the state of a match
- `live_matches`: the matches in memory: each is brought once, however many ask for it, and goes again when others
  need its place
- `match_parts`: the parts of a server that handle matches, and how they are made of each other
- `match_users`: a connected user with the matches that their connection watches
- `openings`: openings of matches: each is opened once, however often its command comes, and within the limits of its
  opener
- `pack_choices`: the rules of a ruleset by the content packs that a match is played with: all of the server's, or
  some of them
- `player_commands`: execution of the commands of players and bots in one match: look up, check, decide, store
- `repository`: repository of the matches in memory: finds them, restores them on first access, and unloads them when
  idle
- `ruleset_values`: values of a ruleset's own types as clients send them: decoded, checked, and digested
- `rules_on_offer`: the rulesets that a server offers: their packs, settings, bots, catalogues, and checks of loadouts
- `salts`: source of the salts with which the records of one match are sealed
- `server_actions`: actions of the server itself in a match: time-outs, absences, expiry and idleness
- `services`: services that every match of a server uses: ports of the store, the bus, the time, encoded frames, turns
  of bots
- `stops`: ending of a match for an operator, directly in the store: no node has to run, and those that do find the
  record
- `summaries`: summaries of matches as lists show them, and the filters of a request for a list
- `watcher_counts`: counts of the people who watch each match: each node publishes its own, and forgets those of a
  silent one
- `writer`: writer of one match: append a record, commit it to the state, publish what has changed
"""
