"""The session of one connected user: from each request to its response.

- `handover`: what one worker hands over to another together with the socket of a connection, and when it may
- `handshake`: answers to hello: who a token stands for, and the welcome
- `requests`: the table of requests: the rows of every service, by the type of the request
- `session`: one connected user, from the hello to the end: admission of requests, their answers and refusals
"""
