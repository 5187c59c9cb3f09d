"""The engine judges sight and gaps as tests/vectors/sight.json says, which the page reads too.

The file holds boards of played matches: terrain, disks, who sees whom, and the gaps between all disks.
DISKWARS_GOLDEN=1 writes it again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position, sight
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.engine.played_match import ARMIES, IS_UPDATING_GOLDEN, PlayedMatch, mixed_action

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[3] / "vectors" / "sight.json"
MAX_FILE_SIZE = 100_000
MATCHES = 12
ANSWERS = 60
"""After this many, the armies have met between the pieces of terrain."""
ABOUT = [
    "Boards of played matches: disks as [x, y, radius] in micrometres with the numbers of the pieces that they lie on,",
    "rows of 1 and 0 for whom each disk sees, and the gaps between their edges, rounded up.",
]


def judged_boards() -> Iterator[Json]:
    for seed in range(1, MATCHES + 1):
        armies = ARMIES[seed % 3 :][:2]
        playing = (
            PlayedMatch(seed, armies, a.DiskwarsSettings(setup="full", regiments=1)).begin().play(mixed_action, ANSWERS)
        )
        yield judge(playing.board)


def judge(board: Board) -> Json:
    disks = position.fielded_disks(board)
    circles = [(disk.x, disk.y, board.profiles[disk.profile].radius) for disk in disks]
    return {
        "terrain": [
            {
                "name": piece.terrain.name,
                "corners": piece.corners,
                "keywords": [keyword.id for keyword in piece.terrain.keywords],
            }
            for piece in board.terrain
        ],
        "disks": [{"circle": circle, "on": disk.terrain} for disk, circle in zip(disks, circles, strict=True)],
        "seen": ["".join(str(int(sight.sees(board, disk.id, other.id))) for other in disks) for disk in disks],
        "gaps": [[geometry.disk_gap(*circle, *other) for other in circles] for circle in circles],
    }


def test_the_engine_judges_boards_as_the_vectors_say() -> None:
    text = json.dumps({"about": ABOUT, "boards": list(judged_boards())}, separators=(",", ":"))
    text = text.replace('{"terrain"', '\n{"terrain"') + "\n"
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert len(text) <= MAX_FILE_SIZE
    assert FILE.read_text("utf-8") == text
    assert any("0" in row for board in json.loads(text)["boards"] for row in board["seen"])
