"""Benchmarks: each module measures one thing, with `tables(effort)`.

- `attacks`: a match of two players beside strangers who attack the server, each attack on a fresh server with all
  its limits
- `bots`: benchmark of the greedy bot of Diskwars: time of a decision and of a match, and how sensibly it plays
- `calls`: count of the calls of Python and C in one act: a measure of its work that is free of noise
- `crowd`: thousands of live matches on one process: memory, CPU and delays while half of them rest, and all
  connections cut
- `decide`: benchmark of single decisions: cost by kind of action, step by step, and the ten slowest
- `event_stores`: benchmark of another event store on the same PostgreSQL: `eventsourcing` and our event log,
  measured in turn
- `fanout`: benchmark of fan-out: time until the last of many spectators has an append, while some of them read
  nothing
- `fold`: benchmark of restoring in memory: records per second from what is stored to the state, for logs of several
  lengths
- `idle`: benchmark of idle connections: memory per connection, and connections per second
- `imports`: memory of uploads: more of the largest files than may be under way at once, on one server
- `inputs`: benchmark of damaged files, lines and requests: the time that one takes until it is taken or refused
- `joins`: benchmark of joining a watched match: CPU of the server for one more spectator, by snapshot and by
  history
- `match`: benchmark of Diskwars: durable actions per second, and the delay until the other player receives one
- `opening`: benchmark of opening a match: the delay for a player without matches, and for one with 20,000 of them
  stored
- `overhead`: benchmark of the server without rules: the null ruleset against the bare reference, in turn
- `pages`: benchmark of the page: how HTTP is answered beside the WebSocket, and what a player waits for in the browser
- `rebuild`: benchmark of restoring from PostgreSQL: records per second from the table to the state, and the first
  access
- `replay`: benchmark of a replay: time to open a long match, and to seek to any record of it from anywhere
- `rest`: memory of a live match while it is played and while it rests, and the time to pack its state and to unpack
  it
- `rivals`: benchmark of other servers in the same run: boardgame.io with and without its PostgreSQL storage, and
  ours
- `rulesets`: benchmark of every registered ruleset: a match between its bots, and its heaviest decisions
- `stages`: profile of one action by part of the server, measured by the server itself while it is under load
- `steps`: benchmark of the environments for research: their steps beside the rules and options alone, in one run
- `workers`: benchmark of several workers on one port: durable actions per second, and what more cores would bring
"""
