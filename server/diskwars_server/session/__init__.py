"""The session of one connected user: from each request to its response.

- `handover`: state of a connection that one node hands over to another with its socket, and the port that
  does so
- `handshake`: answers to hello: who a token stands for, and the welcome
- `requests`: the table of requests: the rows of every service, by the type of the request
- `session`: one connected user, from the hello to the end: admission of requests, their answers and refusals
"""
