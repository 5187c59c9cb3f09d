"""Source of the salts with which the records of one match are sealed."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from struct import Struct

from diskwars_engine.record_codec import Salts
from diskwars_protocol.records.fairness import SALT_BYTES

SALT_BATCH_SIZE = 32
"""Salts drawn at once."""
_SALTS = Struct(f"{SALT_BYTES}s")


def make_salt_source(stream: Callable[[int], bytes]) -> Salts:
    """Return a source that draws many salts at a time: asking the system for one costs more than hashing with it.

    Built of iterators of C, so that a record which is sealed calls no function of this module.
    """
    batches = iter(partial(stream, SALT_BATCH_SIZE * SALT_BYTES), b"")
    salts: chain[bytes] = chain.from_iterable(chain.from_iterable(map(_SALTS.iter_unpack, batches)))
    return salts.__next__
