"""The `army` verb: checks armies in a file, prints one as text, lists the starter armies."""

from collections.abc import Mapping
from typing import Any, Literal

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.army_tools import ArmyFlags
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.rulesets.registry import find_armies


def run_army(
    action: Literal["check", "show", "list"],
    source: str | None,
    *,
    ruleset: str,
    data: DataOptions,
    ruleset_values: Mapping[str, Any],
) -> int:
    tools, flags = find_armies(ruleset), ArmyFlags(data, ruleset_values)
    if action == "list" and source is None:
        return tools.list_all(flags)
    if action == "check" and source is not None:
        return tools.check(source, flags)
    if action == "show" and source is not None:
        return tools.show(source, flags)
    raise CommandError("expected `army check FILE`, `army show NAME`, or `army list`")
