"""The part of the `army` verb that a ruleset with armies provides."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from diskwars_cli.plugs.data_options import DataOptions


class ArmyFlags(Struct, frozen=True):
    """Options of the `army` verb. `values` are those of the ruleset, by name."""

    data: DataOptions
    values: Mapping[str, Any]


class ArmyTools(Struct, frozen=True):
    """Functions that check, show and list armies; each prints and returns the exit code. Raises CommandError."""

    check: Callable[[str, ArmyFlags], int]
    show: Callable[[str, ArmyFlags], int]
    list_all: Callable[[ArmyFlags], int]
