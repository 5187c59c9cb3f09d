"""The `packs` verb: lists content packs, checks one, and starts a file of the user's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.rulesets.registry import find_packs
from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.match.match_options import DEFAULT_RULESET


def run_packs(
    action: Literal["list", "check", "new"],
    path: str | None,
    *,
    ruleset: str | None,
    data: DataOptions,
    ruleset_values: Mapping[str, Any],
) -> int:
    """Without a ruleset, list the packs of all of them; check and start those of the default one."""
    if action == "list" and path is None:
        for name in [ruleset] if ruleset else RULESETS:
            print("\n".join(find_packs(name).pack_lines(data.packs)))
        return 0
    tools = find_packs(ruleset or DEFAULT_RULESET)
    if action == "check" and path is not None:
        return tools.check(Path(path), data.packs)
    if action == "new" and path is not None:
        return tools.write_template(Path(path), data.packs, ruleset_values)
    raise CommandError("expected `packs`, `packs check PATH`, or `packs new FILE`")
