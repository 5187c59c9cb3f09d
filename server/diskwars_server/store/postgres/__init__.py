"""The store in PostgreSQL: each port of `store` under the same name, and what they share.

- `accounts`: accounts and devices in PostgreSQL
- `admissions`: admissions and invites in PostgreSQL
- `backup_file`: the backup file: the rows of every table in PostgreSQL's binary COPY format, compressed, with a
  header and an end
- `backups`: backup of a database that is in use, and its restoration into an empty one
- `chat`: chat in PostgreSQL
- `database`: the database in PostgreSQL: its schema, its connections, and the one writer of appends
- `group_commit`: group commit: the appends of many matches become durable in one transaction
- `match_index`: listings of matches in PostgreSQL: rows as listings, and the statements that search ended matches
- `migrations`: the database schema and its migrations
- `operator_acts`: acts of operators in PostgreSQL
- `outages`: log of database outages: one line when an outage begins and one when it is over, however many requests
  it fails
- `ports`: the ports of the store on PostgreSQL: every query except the append, which goes through `group_commit`
- `ratings`: ratings and statistics in PostgreSQL
- `reports`: reports in PostgreSQL
- `seeks`: seeks in PostgreSQL
- `tables`: tables of the database, as SQLAlchemy knows them
"""
