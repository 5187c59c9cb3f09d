"""Load generators: players, spectators and strangers, and the connections that they use.

- `attackers`: attacks of strangers on a server on this machine: what each of them does, and the process that does
  it
- `boardgame_io`: load generator for boardgame.io: a two-player game over its lobby and its socket.io
- `crowd`: the load generator of a crowd: thousands of matches, most of which rest, and connections that are all cut
  at once
- `forged_files`: match files that no server may take: branches that begin at invented positions, and files that are
  large or deep
- `load`: the load generator: how many actions a server takes, how long each takes, and what it costs
- `load_matches`: matches as the load generator plays them: one action at a time, sent by one player and received by
  another
- `load_runs`: servers under load, each with its own load generator, and the columns of a closed loop
- `raw_websocket`: WebSocket client of the load generator: one connection, text frames, callbacks, at the least cost
  to itself
- `spectators`: load generator of spectators: time until the last one has a message, and memory per connection
- `strangers`: connections of strangers to a server on this machine, frame by frame, from loopback addresses of
  their own
"""
