"""How far the server scales: a plan from measured costs, and a simulation of it with failures.

- `costs`: what was measured of one act, connection, record and failure, and how people play
- `partitions`: records in one table against records partitioned by the hash of their match
- `plan`: nodes, databases, memory and disk for a number of live matches
- `report`: the tables of docs/capacity.md
- `simulation`: a deployment as queues, with failures
"""
