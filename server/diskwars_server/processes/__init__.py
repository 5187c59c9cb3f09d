"""Child processes of a server: its own PostgreSQL and NATS, and helpers that verify, draw and think.

- `bot_processes`: processes in which bots think, each started when it is first needed and replaced when it hangs or
  dies
- `children`: child processes of a server: their environment, their end with the server, and jobs that one is started
  for
- `embedded_nats`: an embedded NATS, for the nodes of one server: a child process on loopback that only who knows
  its token can use
- `embedded_postgres`: an embedded PostgreSQL, for servers without a configured database
- `file_verifier`: verification of match files in processes of their own, one file after another
- `postgres_files`: files that a PostgreSQL keeps for its owner: the pid file, which says where it answers, and its log
"""
