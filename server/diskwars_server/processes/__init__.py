"""Child processes of a server: its own PostgreSQL and NATS, and helpers that verify, draw and think.

- `bot_processes`: processes in which bots think, each started when it is first needed and replaced when it hangs or
  dies
- `child_processes`: what child processes of a server have in common: on Linux they end with it, even if it is
  killed
- `embedded_nats`: an embedded NATS, for the workers of one server: a child process on loopback that only who knows
  its token can use
- `embedded_postgres`: an embedded PostgreSQL, for servers without a configured database
- `file_verifier`: verification of match files in processes of their own, one file after another
- `worker_environment`: the environment of a process that the server starts: nothing of its own, which may hold the
  database's password
- `worker_runs`: work in a process that is started for it: input goes in, output comes out, and then the process is
  gone
"""
