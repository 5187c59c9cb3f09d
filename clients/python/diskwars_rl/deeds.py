"""Deeds: the answers that a decision offers, numbered, with a row of figures for each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Options

DEED_COLUMNS = ("present", "kind", "actor", "target", "x", "y", "count", "is_free")
"""Columns of the array `deeds`.

`kind` is the place of the action among the kinds of the ruleset, `actor` and `target` are numbers of pieces, -1 where
there is none; `x` and `y` are where it leads. `is_free` says that direction and reach count.
"""
DeedRow: TypeAlias = tuple[float, float, float, float, float]
"""Actor, target, x, y and count of an action."""
Describe: TypeAlias = Callable[[Any, Any], DeedRow]
"""Describes an action on a board."""

NO_PIECE = -1.0


class Deed(Struct, frozen=True, gc=False):
    """An answer that is offered; with the parametric option that it is an example of, if there is one."""

    action: Any
    option: Any = None


class DeedTable:
    """The kinds of deeds of a ruleset, in order, and how each becomes a row."""

    def __init__(self, describe: Mapping[type, Describe]) -> None:
        self.kinds = tuple(str(kind.__struct_config__.tag) for kind in describe)  # type: ignore[attr-defined]
        self._rows = {kind: (float(number), function) for number, (kind, function) in enumerate(describe.items())}

    def row(self, board: Any, deed: Deed) -> tuple[float, ...]:
        """Return the row of a deed, by `DEED_COLUMNS`."""
        action = deed.action
        number, describe = self._rows[type(action)]
        return (1.0, number, *describe(board, action), 0.0 if deed.option is None else 1.0)


def nothing(board: Any, action: Any) -> DeedRow:
    """Describe an action that names no piece and no place."""
    return NO_PIECE, NO_PIECE, 0.0, 0.0, 0.0


def offered_deeds(options: Options[Any, Any, Any]) -> list[Deed]:
    """Return the listed actions, and the example of each parametric option."""
    return [*map(Deed, options.actions), *(Deed(option.example, option) for option in options.parametric)]


def distinct(deeds: Sequence[Deed]) -> list[Deed]:
    """Return deeds without those whose action comes before them already."""
    return list({deed.action: deed for deed in reversed(deeds)}.values())[::-1]
