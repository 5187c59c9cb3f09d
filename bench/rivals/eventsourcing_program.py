"""Benchmark of the Python library `eventsourcing`: appends to PostgreSQL, and rebuilding from it.

It runs in the Python in which that library is installed, so it imports none of our packages. A two-player game with one
event per action uses the library's own recorder; each append is a transaction. The output is one line of JSON.

    python eventsourcing_program.py FOLDER_OF_SOCKET DATABASE EVENTS SECONDS
"""

import json
import os
import sys
import time
from collections.abc import Callable

HOST, DATABASE, EVENTS, SECONDS = sys.argv[1:5]
os.environ |= {
    "PERSISTENCE_MODULE": "eventsourcing.postgres",
    "POSTGRES_DBNAME": DATABASE,
    "POSTGRES_HOST": HOST,
    "POSTGRES_PORT": "5432",
    "POSTGRES_USER": "postgres",
    "POSTGRES_PASSWORD": "none",  # required, although the socket trusts every local process
}

from eventsourcing.application import Application  # type: ignore[import-not-found] # noqa: E402  it reads the environment
from eventsourcing.domain import Aggregate, event  # type: ignore[import-not-found] # noqa: E402

MOVE_TEXT = "x" * 120  # as long as one of our actions


class DuelAggregate(Aggregate):  # type: ignore[misc]
    @event("Started")  # type: ignore[untyped-decorator]
    def __init__(self) -> None:
        self.moves, self.text = 0, ""

    @event("Moved")  # type: ignore[untyped-decorator]
    def move(self, seat: int, text: str) -> None:
        self.moves += 1
        self.text = text


def rate_per_second(what: Callable[[], object]) -> float:
    """Return how many times per second a function can be called."""
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < float(SECONDS):
        what()
        done += 1
    return done / spent


application = Application()
stored_duel = DuelAggregate()


def append_event() -> None:
    stored_duel.move(stored_duel.moves % 2, MOVE_TEXT)
    application.save(stored_duel)


def rebuild_duel() -> None:
    rebuilt = application.repository.get(long_duel.id)
    assert rebuilt.moves == long_duel.moves, "everything is read"


long_duel = DuelAggregate()
for number in range(int(EVENTS) - 1):
    long_duel.move(number % 2, MOVE_TEXT)
application.save(long_duel)
application.save(stored_duel)
print(json.dumps({"appends": rate_per_second(append_event), "events": int(EVENTS) * rate_per_second(rebuild_duel)}))
application.close()
