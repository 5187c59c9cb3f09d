"""Rules of tournaments: from a state to the events that follow. They know no server, no clock and no store.

- `entries`: entries, withdrawals and check-ins
- `opening`: options that fit together
- `organising`: what organisers do: start, pause, cancel, correct a result
- `progress`: what follows from the end of matches, and from the time
- `round_robin`: the schedule in which everybody meets everybody
- `rounds`: the pairing of the next round in every format, and the end
- `swiss`: pairing by points, as a matching
"""
