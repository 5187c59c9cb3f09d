"""The store in memory, for tests, simulation and a server that may forget: each port under the same name.

- `accounts`: accounts and devices in memory
- `admissions`: admissions and invites in memory
- `challenges`: challenges in memory
- `chat`: chat in memory
- `clubs`: clubs in memory
- `database`: the database in memory: for tests, simulation and a server that may forget
- `deadlines`: deadlines in memory
- `event_log`: records in memory
- `device_logins`: logins of programs without a browser, in memory
- `lesson_progress`: progress of first matches in memory
- `match_index`: match index in memory
- `notices`: notices in memory
- `operator_acts`: acts of operators in memory
- `page_parts`: parts of built pages in memory
- `ratings`: ratings and statistics in memory
- `reports`: reports in memory
- `seeks`: seeks in memory
- `streams`: streams of events in memory: records, and what is due in which of them
- `tournaments`: tournaments in memory
- `vault`: secrets and keys in memory
"""
