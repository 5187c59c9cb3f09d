"""Packs of close quarters in the `packs` verb."""

from diskwars_cli.pack_tools import PackTools, count_line
from diskwars_content.rulesets.close_quarters import core_content


class CloseQuartersPacks(PackTools):
    """The pack that comes with close quarters."""

    def count_lines(self) -> list[str]:
        content = core_content()
        counts = {
            "units": content.profiles,
            "ranged weapons": content.ranged_weapons,
            "melee weapons": content.melee_weapons,
            "scenarios": content.scenarios,
        }
        return [count_line({noun: len(entries) for noun, entries in counts.items()})]
