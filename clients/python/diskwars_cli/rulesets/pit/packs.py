"""Packs of the pit in the `packs` verb."""

from diskwars_cli.pack_tools import PackTools, count_line
from diskwars_content.rulesets.pit import core_content


class PitPacks(PackTools):
    """The pack that comes with the pit."""

    def count_lines(self) -> list[str]:
        content = core_content()
        counts = {
            "fighters": content.profiles,
            "weapons": content.weapons,
            "improvement cards": content.deck,
            "scenarios": content.scenarios,
        }
        return [count_line({noun: len(entries) for noun, entries in counts.items()})]
