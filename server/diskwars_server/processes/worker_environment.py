"""The environment of a process that the server starts: nothing of its own, which may hold the database's password."""

import os

_INHERITED_VARIABLES = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")


def worker_environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
