"""Times of the tests: recorded while they run, and shown as tables.

- `recorder`: the plugin for pytest
- `table`: tables of what was recorded
"""
