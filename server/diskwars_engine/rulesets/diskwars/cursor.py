"""The cursor: the tasks still to do, as one opaque, versioned text.

Boards and records carry it; only the rules read it, and only in a match that is not over. The text is the number of
its version and the tasks as a JSON array. When the rules change a task so that older cursors do not decode to it any
more, `VERSION` goes up and `UPGRADES` gets a function that rewrites the older array.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Any, Union

import msgspec

from diskwars_engine.ruleset import UnreadableCursor
from diskwars_engine.rulesets.diskwars.tasks import Task

VERSION = 1
UPGRADES: Mapping[int, Callable[[list[Any]], list[Any]]] = {}
"""By version: the function that turns its tasks, as plain JSON, into those of the next version."""
CACHE_SIZE = 1024
"""One position has its cursor read for each question, option and answer, and matches are played side by side."""

_ENCODER = msgspec.json.Encoder()


def encode_cursor(tasks: Sequence[Task]) -> str:
    """Return the cursor of these tasks; empty when there are none."""
    return f"{VERSION}{_ENCODER.encode(tasks).decode()}" if tasks else ""


class CursorReader:
    """Reads cursors whose tasks are of the given kinds."""

    def __init__(self, kinds: Iterable[type[Task]]) -> None:
        union: object = Union[tuple(kinds)]  # noqa: UP007 - the union is made from a table
        self._decoder: msgspec.json.Decoder[tuple[Task, ...]] = msgspec.json.Decoder(GenericAlias(tuple, (union, ...)))
        self.read = lru_cache(maxsize=CACHE_SIZE)(self._read)

    def _read(self, cursor: str) -> tuple[Task, ...]:
        """Return the tasks of a cursor, next first. Raises `UnreadableCursor`."""
        if not cursor:
            return ()
        version, bracket, rest = cursor.partition("[")
        tasks = bracket + rest
        try:
            return self._decoder.decode(tasks if version == str(VERSION) else _upgrade(version, tasks))
        except msgspec.DecodeError as error:
            raise UnreadableCursor(f"its cursor is broken: {error}") from error


def _upgrade(version: str, tasks: str) -> bytes:
    """Rewrite the tasks of an older version as those of this one."""
    known = {str(number): number for number in UPGRADES}
    if version not in known:
        readable = ", ".join(map(str, (*sorted(UPGRADES), VERSION)))
        raise UnreadableCursor(f"its cursor has version {version or 'none'}; these rules read {readable}")
    plain = msgspec.json.decode(tasks)
    for step in range(known[version], VERSION):
        plain = UPGRADES[step](plain)
    return _ENCODER.encode(plain)
