"""Measurements of a node: metrics, the endpoint that is scraped, and the health check.

- `endpoint`: the endpoint that Prometheus scrapes: `/metrics` on a port of its own, away from players
- `health`: the health check of a server: it writes to the database, within a time limit
- `histograms`: histogram without locks, for what is measured once an act by the event loop alone
- `measured_events`: an event log that measures how long its appends take, over another one that stores them
- `metrics`: measurements of one node for Prometheus: counters, histograms, and gauges that are read when they are
  scraped
- `tracing`: traces of some acts as OpenTelemetry has them: command, decision, commit, fan-out, and notices
"""
