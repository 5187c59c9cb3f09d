"""The server as the command runs it: `serve`, its processes, its page, and backups.

- `backup`: the `backup` and `restore` verbs: everything that is stored, in one file
- `own_bot_process`: a process in which a bot thinks for `play` or `demo`: one decision after another from standard
  input
- `own_server`: the server that `play` starts in its own process when none runs on this machine; it ends with the
  process
- `page_build`: the page that `serve` answers with: found in the package of the command, and in a clone built there
  from its sources
- `process_groups`: programs that start others: all of them end with the program, and with the process that runs it
- `serve`: the `serve` verb: runs the server until a stop signal
- `serve_process`: serving in this process until a stop signal: what `serve` does, and each of its nodes
- `serve_node`: one of the processes that serve on one port: `serve --workers` starts it, and it ends with the one
  that did
- `serve_nodes`: `serve --workers`: one process holds the port, the database and NATS, and several others serve
- `server_bots`: the bots that a server started by this command can seat: those of each ruleset, in processes of
  their own
- `sql`: the `sql` verb: one statement that only reads, on the stored database
"""
