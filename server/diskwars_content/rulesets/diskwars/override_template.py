"""Templates of override files: a commented example, or one with every figure that no source states."""

from collections.abc import Iterable, Iterator

from diskwars_content.rulesets.diskwars.entry_checks import FIELDS_WITHOUT_BASIS
from diskwars_content.rulesets.diskwars.override_loader import format_toml_path
from diskwars_content.rulesets.diskwars.override_table import OVERRIDE_TABLE_PARTS
from diskwars_content.rulesets.diskwars.raw_tables import RawTables
from diskwars_content.rulesets.diskwars.toml_reader import Table

OVERRIDE_HEADER = """\
# A pack of your own: figures in this file replace those of the packs. Everything else stays as it is.
#
#   diskwars packs check FILE     list every fault with its place, or what the file changes
#   diskwars demo --pack FILE     play with it; serve, play, simulate, army and verify also take --pack
#
# A line that begins with # has no effect: remove the # and write the figure that is printed on your cardboard.
# `diskwars packs new FILE --all` lists every figure that is ours because no source states it.

"""

OVERRIDE_EXAMPLES = """
# ---- the table: lengths are micrometres, an inch is 25400

# [table.field]
# short = 76200                   # the marks of the ruler
# medium = 152400
# long = 304800

# [table.sizes]
# small = 44450                   # diameters
# medium = 57150
# large = 76200

# [table.battle_die]
# faces = ["hit", "critical", "scatter", "chaos", "miss", "miss"]

# [table.deployment]
# width = 88900                   # of a deployment card, along the edge
# common = 3                      # the value of the side that all cards share

# ---- disks, by id or name: any of name, short_name, movement, strength, counter_strength, toughness, stamina, cost,
# ---- points, command, size, copies, unique, elite, traits, keywords, shots, abilities; a list is written whole

# [disks."Orc Boyz"]
# movement = 5
# toughness = 4
# keywords = ["Impact 1"]

# ---- a disk that no pack has must be complete

# [disks.Snotlings]
# race = "orcs-and-goblins"
# faction = "destruction"
# kind = "unit"
# size = "small"
# copies = 3
# cost = 3
# movement = 5
# strength = 2
# counter_strength = 1
# toughness = 2
# stamina = 0

# ---- command cards, scenarios, deployment cards, terrain by its faces, starter armies

# [cards."Press On"]
# strategy = "bold"
# activations = 3

# [scenarios."Forced March"]
# ability = { type = "increase_movement", flips = 1 }
# objective = [{ type = "slay_units", cost = 4 }, { type = "hold_zones", points = 2 }]

# [deployments.Rendezvous]
# value = 1

# [terrain.Gully]                 # its outline as seen from this side, about its middle, against the clock
# keywords = ["Dangerous (physical)"]
# corners = [[-50800, -25400], [50800, -25400], [0, 25400]]

# [armies."Empire Patrol"]
# hand = ["Aimed Volley", "All Together"]
"""


def write_example_override(pack_id: str) -> str:
    """Return a short override file with an example of everything, commented out."""
    return _format_header(pack_id) + OVERRIDE_EXAMPLES


def write_full_override(pack_id: str, tables: RawTables) -> str:
    """Return an override file with every house figure of the packs, commented out."""
    parts: list[tuple[tuple[str, str], object]] = [
        (("table", part), tables.table.get(part)) for part in OVERRIDE_TABLE_PARTS
    ]
    parts += [((kind, id), entry) for kind, entries in tables.entries.items() for id, entry in entries.items()]
    lines = [
        line
        for place, entry in [*parts, *_terrain_face_tables(tables.pieces)]
        for line in _format_house_figures(place, entry)
    ]
    return "\n".join([_format_header(pack_id), *lines])


def _format_header(pack_id: str) -> str:
    return f'{OVERRIDE_HEADER}id = {_format_toml_value(pack_id)}\nversion = "1"\n'


def _terrain_face_tables(pieces: Iterable[Table]) -> Iterator[tuple[tuple[str, str], object]]:
    """Yield each terrain face with its keywords; the first face of a piece carries the outline too."""
    for piece in pieces:
        faces = piece["faces"]
        assert isinstance(faces, list)
        for number, face in enumerate(faces):
            yield ("terrain", face["name"]), face if number else {**face, "corners": piece["corners"]}


def _format_house_figures(place: tuple[str, str], entry: object) -> Iterator[str]:
    table: Table = entry if isinstance(entry, dict) else {}
    basis = table.get("basis")
    figures = [key for key in table if key not in FIELDS_WITHOUT_BASIS and not isinstance(table[key], dict)]
    ours = [key for key in figures if (basis.get(key) if isinstance(basis, dict) else basis) == "house"]
    if "ability" in table and basis == "house":
        ours.insert(0, "ability")
    if ours:
        yield f"# [{format_toml_path(place).removeprefix('$.')}]"
        yield from (f"# {key} = {_format_toml_value(table[key])}" for key in ours)
        yield ""


def _format_toml_value(value: object) -> str:
    """Format a value as TOML."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case list():
            return "[" + ", ".join(map(_format_toml_value, value)) + "]"
        case dict():
            return "{ " + ", ".join(f"{key} = {_format_toml_value(item)}" for key, item in value.items()) + " }"
        case _:
            return str(value)
