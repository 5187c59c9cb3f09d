"""The worked examples with the disks of the core set in place of their own."""

from tests.engine.rulesets.diskwars.positions import FIGURES_FOLDER, ScriptedPosition, scripted_position

CORE_NAMES = {
    "Azhag": "Azhag the Slaughterer",
    "Greatswords": "Talabheim Greatswords",
    "Grimgor": "Grimgor Ironhide",
    "Grom": "Grom the Paunch",
    "Hellblaster": "Hellblaster Volley Gun",
    "Kurgan": "Kurgan Marauders",
    "Luthor": "Luthor Huss",
    "Reavers": "Ellyrian Reavers",
    "Shaman": "Stone Fangz Shaman",
    "Swordmasters": "Swordmasters of Hoeth",
    "Swordsmen": "Marienburg Swordsmen",
    "Valkia": "Valkia the Bloody",
    # figure 5 names no disks: small ones of the same sides
    "H1": "Militia Spearmen",
    "H2": "Maiden Guard",
    "H3": "Swordmasters of Hoeth",
    "O1": "Orc Boyz",
    "O2": "Black Orcs",
    "O3": "Night Goblins",
}
"""Names of disks in the figures, and the same in the core set; others are equal."""


def core_name(name: str) -> str:
    return CORE_NAMES.get(name, name)


def core_position(figure: str) -> ScriptedPosition:
    """Return a figure with the disks of the core set in place of its own."""
    lines = []
    for line in (FIGURES_FOLDER / f"{figure}.txt").read_text("utf-8").splitlines():
        if line.startswith("disk "):
            continue
        seat, _, rest = line.partition(" ")
        name, separator, place = rest.partition("  ")
        is_disk = len(seat) == 1 and seat in "ABC" and separator
        lines.append(f"{seat} {core_name(name.strip())}  {place.strip()}" if is_disk else line)
    return scripted_position("\n".join(lines))
