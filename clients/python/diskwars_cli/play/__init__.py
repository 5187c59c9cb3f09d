"""Playing and watching: `play`, `watch`, `demo`, `invites`.

- `demo`: the `demo` verb: bots play a whole match over sockets, while another client watches and narrates it
- `invites`: the `invites` verb: list, make and revoke the invites of a match that one has opened
- `match_entry`: entering locked matches from the command line: by a password, which is asked for, or by the code of
  an invite
- `play`: the `play` and `watch` verbs: connect the console to a server
- `play_bots`: the bots that `play` seats: those of the server in processes of its own, and others beside the
  terminal
- `play_session`: one run of `play` on a connection: find the seat, seat the bots, play, and keep the seat for the
  next run
- `remembered`: memory of this machine between two runs: seats and accounts, by server
- `seat_choice`: the choice between unfinished matches and a new one, before `play` connects to a server
"""
