"""The invariant check, which all other tests rely on, can fail."""

from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars.invariants import check
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.rows import each_row

VALID_POSITION = "A Orc Boyz (10, 10) damage 3\nB Big Boss (10.5, 10)\nB reserve: Maiden Guard\nA hand: Feint"


def with_disk(table: ScriptedPosition, name: str, **changes: object) -> list[str]:
    """Return what is wrong when a disk is otherwise, pins and heights left as they are."""
    number = table.number(name)
    disks = [replace(disk, **changes) if disk.id == number else disk for disk in table.board.disks]
    return check(replace(table.board, disks=tuple(disks)))


def test_a_position_in_order_has_no_faults() -> None:
    assert check(scripted_position(VALID_POSITION).board) == []


@each_row(
    ("name", "changes", "complaint"),
    [
        ("Orc Boyz", {"x": 0}, "off the field"),
        ("Orc Boyz", {"x": 600_000}, "pins are"),
        ("Orc Boyz", {"damage": 4}, "4 damage with toughness 4"),
        ("Orc Boyz", {"damage": -1}, "-1 damage"),
        ("Orc Boyz", {"weakened": 1}, "3 damage with toughness 3"),
        ("Orc Boyz", {"wounds": 1}, "1 wounds with stamina 0"),
        ("Orc Boyz", {"wounds": -1}, "-1 wounds"),
        ("Orc Boyz", {"z": 2}, "the same height"),
        ("Big Boss", {"z": 9}, "higher than 2"),
        ("Maiden Guard", {"damage": 1}, "still carries something"),
        ("Maiden Guard", {"activated": True}, "still carries something"),
    ],
)
def test_a_disk_out_of_order_is_found(name: str, changes: dict[str, object], complaint: str) -> None:
    faults = with_disk(scripted_position(VALID_POSITION), name, **changes)
    assert any(complaint in fault for fault in faults), faults


def test_a_hand_that_is_not_as_large_as_it_looks_is_found() -> None:
    board = scripted_position(VALID_POSITION).board
    for cards, complaint in ((2, "holds 1 cards and shows 2"), (-1, "shows -1 cards")):
        sides = (replace(board.sides[0], card_count=cards), *board.sides[1:])
        assert any(complaint in fault for fault in check(replace(board, sides=sides)))


def test_a_pin_that_is_missing_is_found() -> None:
    assert any("pins are ()" in fault for fault in check(replace(scripted_position(VALID_POSITION).board, pins=())))
