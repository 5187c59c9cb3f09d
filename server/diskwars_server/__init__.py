"""The server: sockets, storage, clocks. No rules of any game.

- `api`: the HTTP interface at `/api/v1`, for programs of any language
- `app`: composition of a server: settings, database, matches and transport
- `bots`: bots of the server: their seats, their secrets, and the players that answer for them
- `broadcast`: what the people who follow a match are sent, and the queues in which it waits
- `build`: version of the program, and the commit that a release was built from
- `bus`: notification between the nodes of a server
- `clubs`: clubs: members and roles, invitations, ladders, and what a season leaves behind
- `community`: what players do beside the board: chat, reports, ratings; and what operators do about players
- `connections`: connections: sockets, handshakes, flood protection, places, and moves between the processes of one
  machine
- `http`: answers to plain HTTP requests on the port of the WebSocket
- `limits`: limits of what one client, address or player may cost, and the turns in which they are served
- `lobby`: everything before and after a match: lists, searches, entry, quick matches, rematches, branches, imports
- `logs`: the server's log: one line per message, as text or JSON, on stderr
- `matches`: live matches: decide, append, commit, publish, answer; and everything that one match needs around it
- `monitoring`: measurements of a node: metrics, the endpoint that is scraped, and the health check
- `notices`: notices to players who are not looking: by mail, to a browser with the page closed, and to webhooks
- `players`: players: accounts, devices, tokens and names, and which of them are connected
- `processes`: child processes of a server: its own PostgreSQL and NATS, and helpers that verify, draw and think
- `refusals`: refusals that do not come from the rules, decoding of a ruleset's types, and what a fault may write to
  the log
- `session`: the session of one connected user: from each request to its response
- `settings`: server settings: one struct declares every name, default, unit, range and help text
- `store`: what a server stores: one port for each kind of data, implemented in PostgreSQL and in memory
- `tournaments`: tournaments: who plays whom in which match, and what their results make of the table
- `upkeep`: loops that run beside the requests: deadlines, polls, ratings, and matches that are given up
"""
