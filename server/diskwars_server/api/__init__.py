"""The HTTP interface at `/api/v1`: matches, players, ratings, tournaments and rules, for programs of any language.

- `answers`: answers of the interface: JSON, streams, what may be kept and for how long, and compression
- `bodies`: bodies of requests over HTTP: JSON, with the limits of a frame, read into the structs of the protocol
- `challenges`: operations about challenges of the player whose token it is
- `conversations`: conversations with a session that has no socket: a request over HTTP goes the way of a frame
- `device_logins`: operations of programs without a browser (RFC 8628)
- `documents`: operations that describe the interface itself: the OpenAPI document, and the reference page
- `interface`: the interface itself: finds the operation of a request, admits it, and turns faults into problems
- `openapi`: OpenAPI document of the interface, made from the table of operations and the structs of the protocol
- `operations`: rows of the table of operations: a method, a path, the request that they stand for, and who answers it
- `parameters`: parameters of requests over HTTP, read from path and query into the structs of the protocol
- `problems`: the one shape in which the interface refuses a request, and the status of each code
- `read_requests`: requests that only the interface has, and their responses
- `reads`: operations that anybody may use: matches, records, boards, players, ratings, tournaments, clubs,
  rules, the server
- `reference_page`: the page to read: every operation with parameters, problems and an example, without a script
- `stream_places`: places for answers that are sent for long, in all and of one address
- `writes`: operations of players with a token: open a match, act in one, and follow one as its player sees it
"""
