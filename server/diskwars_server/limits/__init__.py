"""Limits of what one client, address or player may cost, and the turns in which they are served.

- `address_quotas`: quotas for each network address: connections, bursts of frames, requests, matches and bots
- `addresses`: the network address by which quotas count a client: the other end of its socket, or whom a trusted
  proxy names
- `entry_refusals`: answers to clients for whom there is no place: an HTTP response with a code and the time to wait
- `loop_load`: measured load of the thread of an event loop
- `rate_limits`: rate limits for many keys at once: addresses, names, players
- `turns`: a queue that serves addresses one after another
- `usage`: budgets of the bytes that connections are sent and write, and who pays for what
"""
