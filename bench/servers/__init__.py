"""The servers that are measured: ours, and bare ones to compare it with.

- `asgi_program`: the page and echo of `page_server` by Starlette on uvicorn, run by the Python in which these are
  installed
- `broadcast_server`: server that only broadcasts every message to every connection with `websockets.broadcast`
- `measured_server`: the measured server, composed like `diskwars serve` except for four things
- `measured_nodes`: several measured servers on one port, as `diskwars serve --workers` runs them, with a NATS of
  their own
- `null_ruleset`: the null ruleset: `decide` does nothing, so that only the server is measured
- `page_server`: server of one page and an echo on one port, as ours answers both: `websockets` with a hook for
  plain requests
- `reference_server`: the bare reference: websockets, uvloop and group commit without any rules, the upper bound of
  this stack
"""
