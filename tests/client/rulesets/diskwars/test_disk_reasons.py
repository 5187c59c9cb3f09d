"""`why` of a disk tells the truth: what it can do, who can aim at it, and which distance, range or sight forbids it."""

import pytest
from msgspec.structs import replace

from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError
from diskwars_client.rulesets.diskwars.terminal_ruleset import DiskwarsTerminal
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeyword
from tests.client.rulesets.diskwars.test_preview import CROSSBOWMEN, DECISION, INCH, MARAUDERS, placed, with_piece
from tests.client.terminal.test_terminal import SWORDSMEN, match, plain

RULESET = DiskwarsTerminal()


def why(
    name: str, now: Board, *offered: NumberedOption, unavailable: tuple[DiskwarsUnavailable, ...] = ()
) -> list[str]:
    return RULESET.unavailable_lines(replace(match(), board=now), 0, unavailable, name, "diskwars", offered)


def test_enemy_out_of_range_is_answered_with_distance_and_range() -> None:
    far = placed(d4=(10, 2), d8=(10, 30))
    gap = position.distance(far, CROSSBOWMEN, MARAUDERS) / INCH
    line = next(line for line in why("k", far) if line.startswith("  Reikland Crossbowmen (R) "))
    assert line.startswith("  Reikland Crossbowmen (R) cannot shoot at Kurgan Marauders#1: ")
    assert line.endswith(f"{gap:.2f}".rstrip("0").rstrip(".") + " in away, long range ends at 12 in (R11.4)")


def test_enemy_behind_terrain_is_answered_with_sight() -> None:
    near = placed(d4=(10, 10), d8=(10, 16))
    wall = with_piece(near, 10, 13, 300, 5, TerrainKeyword("blocks_sight"))
    assert any("hidden by terrain (R11.1)" in line for line in why("k", wall))
    assert not any("hidden by terrain" in line for line in why("k", near))


def test_enemy_that_can_be_shot_names_the_order() -> None:
    near = placed(d4=(10, 10), d8=(10, 16))
    lines = why("k", near, *plain(a.Shoot(CROSSBOWMEN, MARAUDERS)))
    assert "  Reikland Crossbowmen (R) can: `shoot R k`" in lines
    assert any(
        "(R) is not asked to act now; Kurgan Marauders#1 is in its range and sight" in line for line in why("k", near)
    )


def test_reason_of_the_server_is_completed_by_the_distance() -> None:
    far = placed(d4=(10, 2), d8=(10, 30))
    reason = DiskwarsUnavailable(
        "out_of_range",
        f"disk {MARAUDERS} lies beyond long range of disk {CROSSBOWMEN}",
        "R11.4",
        CROSSBOWMEN,
        action="shoot",
        target=MARAUDERS,
        numbers={"disk": CROSSBOWMEN, "target": MARAUDERS, "length": 12 * INCH},
    )
    lines = why("k", far, unavailable=(reason,))
    assert lines[0].endswith(" in away, long range ends at 12 in (R11.4)")
    assert not any(line.startswith("  Reikland Crossbowmen (R) cannot shoot") for line in lines), "one line is enough"


def test_own_disk_is_answered_with_what_it_can_do() -> None:
    near = placed(d3=(10, 10), d4=(10, 12), d8=(10, 16))
    lines = why("R", near, *plain(a.MoveDisk(CROSSBOWMEN, ()), a.Shoot(CROSSBOWMEN, MARAUDERS)))
    assert "  Reikland Crossbowmen can do now: `move R`, `shoot R k`" in lines
    lines = why("S", near, *plain(a.Shoot(CROSSBOWMEN, MARAUDERS)))
    assert "  Marienburg Swordsmen#2 is not what this question is about; `options` shows what is" in lines
    away = replace(near.disks[SWORDSMEN], place="casualty")
    gone = replace(near, disks=(*near.disks[:SWORDSMEN], away, *near.disks[SWORDSMEN + 1 :]))
    assert "  Marienburg Swordsmen#2 is a casualty" in why("Swordsmen#2", gone)


def test_card_that_is_not_on_offer_is_not_said_to_be_possible() -> None:
    assert why("Press", placed())[0] == "'Press' is not what this question is about; `options` shows what is"
    offered = NumberedOption("lock Press On", a.LockCard("press-on"))
    assert why("Press", placed(), offered)[0] == "nothing prevents 'Press': it is among the options"


def test_order_at_a_target_out_of_range_says_so() -> None:
    far = placed(d4=(10, 2), d8=(10, 30), d9=(10, 8))
    shown = replace(match(), board=far)
    shot = effective_stats.shot(far, CROSSBOWMEN, 0)
    assert shot.reach == "long"
    with pytest.raises(OrderError, match=r"\(k\) cannot be aimed at now: .* in away, long range ends at 12 in"):
        RULESET.parse_order("shoot R k", shown, DECISION, plain(a.Shoot(CROSSBOWMEN, MARAUDERS + 1)))
