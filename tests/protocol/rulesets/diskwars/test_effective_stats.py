"""Stats in force are what is printed, and all that adds to it."""

from collections.abc import Iterator

from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_text.rulesets.diskwars.phrases import disk_text
from tests.client.match_files import full_setup_records
from tests.engine.rulesets.diskwars.positions import scripted_position
from tests.protocol.rulesets.diskwars import naive_stats

ABILITIES: tuple[f.Effect, ...] = (
    f.IncreaseToughness(1),
    f.IncreaseMeleeStrength(1, 2),
    f.IncreaseMovement(1),
    f.IncreaseRange(1, selector="missile"),
    f.IncreaseShotStrength(2),
)


def positions() -> Iterator[Board]:
    """Yield those of a whole match, each under a scenario of each kind in turn."""
    match: DiskwarsMatch | None = None
    for number, body in enumerate(full_setup_records(3)):
        match = DISKWARS.fold(match, body)
        if match.board is not None:
            scenario = s.Scenario("test", "Test", ABILITIES[number % len(ABILITIES)], ())
            layout = replace(match.board.layout, scenarios=(scenario,), active_scenario="test")
            yield replace(match.board, layout=layout)


STATS = ("strength", "counter_strength", "toughness", "movement")


def test_stats_in_force_are_the_printed_ones_and_all_that_adds_to_them_in_any_position() -> None:
    differing: set[str] = set()
    for board in positions():
        for disk in range(len(board.disks)):
            printed = board.profile(disk)
            for name in STATS:
                now = getattr(effective_stats, name)(board, disk)
                assert now == getattr(naive_stats, name)(board, disk)
                differing |= {name} if now != getattr(printed, name) else set()
            for number, shot in enumerate(printed.shots):
                assert effective_stats.shot(board, disk, number) == naive_stats.shot(board, disk, number)
                differing |= {"shot"} if effective_stats.shot(board, disk, number) != shot else set()
    assert differing == {*STATS, "shot"}


def test_range_bands_are_measured_from_rim_to_rim_in_any_position() -> None:
    bands = set()
    for board in list(positions())[::10]:
        there = [disk.id for disk in board.disks if disk.place == BATTLEFIELD]
        for first in there:
            for second in there:
                bands.add(position.range_band(board, first, second))
                assert position.range_band(board, first, second) == naive_stats.range_band(board, first, second)
    assert bands == set(f.REACHES)


def test_a_disk_is_stronger_for_a_neighbour_that_makes_it_so() -> None:
    text = (
        "A Captain (5, 5)\nA Near (8, 5)\nA Far (20, 20)\nA reserve: Waiting\n"
        'disk Captain: small, S3 C3 T3, passive increase_melee_strength 1 2 "" medium\n'
        "disk Near: small, S3 C3 T3\ndisk Far: small, S3 C3 T3\ndisk Waiting: small, S3 C3 T3\n"
    )
    board = scripted_position(text).board
    found = {name: disk_text(board, number) for number, name in enumerate(("Captain", "Near", "Far", "Waiting"))}
    assert "strength 4, counter 5;" in found["Near"]
    assert all("strength 3, counter 3;" in found[name] for name in ("Captain", "Far", "Waiting"))
