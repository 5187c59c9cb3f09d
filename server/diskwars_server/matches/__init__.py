"""Live matches: decide, append, commit, publish, answer; and everything that one match needs around it.

- `bot_turns`: queue of the matches in which a bot has to decide: fair between those who opened them
- `catalogues`: catalogues of the rulesets as they are sent: encoded and hashed once
- `game`: command loop of one live match: decide, append, commit, publish, answer
- `grace_times`: grace for players who lose their connection while they decide: their deadlines leave time to
  reconnect
- `inbox`: what waits for a match: commands, the house, and reads of what other nodes have stored
- `list_pages`: names of the pages of lists and searches: what `next_page` holds, and where it leads
- `listings`: what the lobby shows of a match, read off its state
- `live_matches`: the matches in memory: each is brought once, however many ask for it, and goes again when others
  need its place
- `lobby`: the matches of a server under one name: rules on offer, openings, matches in memory, and lists
- `openings`: openings of matches: each is opened once, however often its command comes, and within the limits of its
  opener
- `pack_choices`: the rules of a ruleset by the content packs that a match is played with: all of the server's, or
  some of them
- `repository`: repository of the matches in memory: finds them, restores them on first access, and unloads them when
  idle
- `rules_on_offer`: the rulesets that a server offers: their packs, settings, bots, catalogues, and checks of loadouts
- `salts`: source of the salts with which the records of one match are sealed
- `services`: what every match of a server uses: ports of the store, other nodes, the time, encoded frames, turns of
  bots
- `stops`: ending of a match for an operator, directly in the store: no node has to run, and those that do find the
  record
- `summaries`: summaries of matches as lists show them, and the filters of a request for a list
- `watcher_counts`: counts of the people who watch each match: each node publishes its own, and forgets those of a
  silent one
"""
