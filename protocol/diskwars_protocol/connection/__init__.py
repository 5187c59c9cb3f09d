"""The conversation of client and server, frame by frame, without I/O.

- `client_connection`: the client's end of the conversation, without I/O
- `connection`: the conversation of client and server, frame by frame, without I/O
- `field_bounds`: bounds of the fields of messages from clients, checked where messages arrive: the ranges and forms
  of the schema
- `known_fields`: check that JSON from a client names existing fields only, at every level
- `shape_faults`: what is wrong with JSON of another shape than expected, in our own words, and the place of the field
- `streams`: the records that a client has received of each match, checked for gaps, openings and hashes as they
  arrive
"""
