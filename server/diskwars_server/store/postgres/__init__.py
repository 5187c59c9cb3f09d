"""The store in PostgreSQL: each port of `store` under the same name, and what they share.

- `accounts`: accounts and devices in PostgreSQL
- `admissions`: admissions and invites in PostgreSQL
- `append_statement`: the statement that stores a batch of appends in one transaction and one round trip, of the parts
  that it needs
- `backup_file`: the backup file: the rows of every table in PostgreSQL's binary COPY format, compressed, with a
  header and an end
- `backups`: backup of a database that is in use, and its restoration into an empty one
- `challenges`: challenges in PostgreSQL
- `chat`: chat in PostgreSQL
- `clubs`: clubs in PostgreSQL
- `connections`: connections as the ports on PostgreSQL take them
- `database`: the database in PostgreSQL: its schema, its connections, and the one writer of appends
- `database_url`: the address of a database: read from the forms of hosting providers, and what of it a connection is
  made with
- `deadlines`: deadlines in PostgreSQL: claims, graces and moves; appends write them with their records
- `event_log`: records in PostgreSQL: reads, imports and removals; appends go through `group_commit`
- `group_commit`: group commit: the appends of many matches become durable in one transaction
- `device_logins`: logins of programs without a browser, in PostgreSQL
- `lesson_progress`: progress of first matches in PostgreSQL
- `match_index`: match index in PostgreSQL: rows as listings, and the statements that list and search matches
- `migrations`: the database schema and its migrations
- `notices`: notices in PostgreSQL; appends write the planned ones with their records
- `operator_acts`: acts of operators in PostgreSQL
- `outages`: log of database outages: one line when an outage begins and one when it is over, however many requests
  it fails
- `page_parts`: parts of built pages in PostgreSQL
- `ratings`: ratings and statistics in PostgreSQL
- `reports`: reports in PostgreSQL
- `seeks`: seeks in PostgreSQL
- `streams`: streams of events in PostgreSQL: a table of records, and one of listings
- `tables`: tables of the database, as SQLAlchemy knows them
- `tournaments`: tournaments in PostgreSQL
- `vault`: secrets and keys in PostgreSQL
"""
