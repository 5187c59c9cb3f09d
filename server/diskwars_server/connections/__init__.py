"""Connections: sockets, handshakes, flood protection, places, and moves between the processes of one machine.

- `acceptor`: accepts connections, a few at a time, and turns away those that have no place before anything is begun
  for them
- `connection`: one open connection, from its place in the server to the close of its socket: one reader and one
  writer
- `entry_queue`: lets accepted connections begin one after another while the event loop is busy, the addresses in
  turn
- `fast_socket`: short cuts past the public API of `websockets`: acts are handled as they are read, frames are
  written at once
- `frame_meter`: flood protection: frames are counted on the raw bytes of a WebSocket, and what they hold before it
  is decoded
- `game_socket`: a server's end of one WebSocket: incoming frames are metered, a client that takes nothing is closed
- `handovers`: hand-over of one connection to the node that is the home of its match, at the frame that takes up the
  match
- `listening`: sockets that a server listens on, and how many files it may have open: every connection is one
- `parse_queue`: turns of connections that have received more than one frame at once
- `placement`: homes of matches among the nodes of one machine, and the handing over of sockets to them
  (SCM_RIGHTS)
- `places`: the places for connections of a server, and who gives one up when all are taken
- `request_head`: the HTTP request that begins a connection: bounded as a whole, and answered in words where it cannot
  be read
- `tls`: the certificate of a server that speaks TLS itself: read from files, and read again while it serves
- `transport`: the listening end of a server: WebSockets at `/ws`, `/healthz` and `/readyz` for monitoring, HTTP for
  the rest
"""
