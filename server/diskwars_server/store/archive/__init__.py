"""Records of old matches outside the database, as files in a folder or a bucket.

- `archived_events`: the event log that finds in the archive what the database no longer has
- `archived_match`: one match as a file
- `objects`: the folder or bucket
"""
