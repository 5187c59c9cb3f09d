"""What a ruleset with armies gives to the `army` verb."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from diskwars_cli.plugs.data_options import DataOptions


class ArmyFlags(Struct, frozen=True):
    """Options of the `army` verb. `values` are those of the ruleset, by name."""

    data: DataOptions
    values: Mapping[str, Any]


class ArmyTools(Struct, frozen=True):
    """How armies are checked, shown and listed; each function prints and returns the exit code. Raises CommandError."""

    check: Callable[[str, ArmyFlags], int]
    show: Callable[[str, ArmyFlags], int]
    list_all: Callable[[ArmyFlags], int]
