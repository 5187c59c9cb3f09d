"""Source of the salts with which the records of one match are sealed."""

from collections.abc import Callable, Iterator
from functools import partial

from diskwars_engine.record_codec import Salts
from diskwars_protocol.records.fairness import SALT_BYTES

SALT_BATCH_SIZE = 32
"""Salts drawn at once."""


def make_salt_source(stream: Callable[[int], bytes]) -> Salts:
    """Drawn many at a time: asking the system for one costs more than hashing with it."""

    def drawn() -> Iterator[bytes]:
        while True:
            many = stream(SALT_BATCH_SIZE * SALT_BYTES)
            yield from (many[at : at + SALT_BYTES] for at in range(0, len(many), SALT_BYTES))

    return partial(next, drawn())
