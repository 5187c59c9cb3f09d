"""Other servers and event stores, as they are installed and run for comparison.

- `eventsourcing_program`: benchmark of the Python library `eventsourcing`: appends to PostgreSQL, and rebuilding
  from it
- `external_packages`: installer of third-party software for comparison, into a folder of the user's cache
"""
