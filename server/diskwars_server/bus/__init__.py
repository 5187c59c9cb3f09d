"""Notification between the nodes of a server.

- `bus`: notification of other nodes, such as that a match has moved on
- `nats`: the bus between nodes on several machines, over NATS
- `signed`: a bus whose messages are signed: for those that a node acts on without looking into the database
"""
