"""Packs of regiments in the `packs` verb."""

from diskwars_cli.pack_tools import PackTools, count_line
from diskwars_content.rulesets.regiments import core_content


class RegimentsPacks(PackTools):
    """The pack that comes with regiments."""

    def count_lines(self) -> list[str]:
        content = core_content()
        counts = {"units": content.profiles, "weapons": content.weapons, "scenarios": content.scenarios}
        return [count_line({noun: len(entries) for noun, entries in counts.items()})]
