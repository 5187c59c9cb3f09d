"""The session of one connected user: from each request to its response.

- `handover`: what one worker hands over to another together with the socket of a connection, and when it may
- `session`: one connected user: who they are, which matches they watch, and the response to every request
"""
