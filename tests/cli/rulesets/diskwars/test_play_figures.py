"""Figures of play count what the events of a match say."""

from msgspec.structs import replace

from diskwars_cli.plugs.report import ReportHeading, render_report
from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_cli.rulesets.diskwars.play_figures import PlayCounter, PlayFigure
from diskwars_cli.rulesets.diskwars.report import diskwars_parts
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsStatistics
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.engine.rulesets.diskwars.positions import scripted_position

POSITION = """\
A Hero (10, 10)
A Guard (14, 10)
A Spare (20, 20)
B Foe (26, 26)
disk Hero: hero, small M2
disk Guard: small M3
disk Spare: small M3
disk Foe: small M3
"""
SCORED = Result("initiative", (0,), (3, 3))


def counts_of(board: Board, *events: e.BoardEvent) -> dict[PlayFigure, int]:
    """Return the counts of a match that goes on from a position."""
    counter = PlayCounter(board)
    for event in events:
        counter.add_event(event)
    return counter.finished_counts(SCORED)


def reinforcement(disk: int, *pinned: int) -> e.DiskReinforced:
    return e.DiskReinforced(disk, 0, 0, 9, tuple(e.Pin(disk, other) for other in pinned), ())


def test_reinforcement_on_an_own_disk_counts_unless_it_pins_an_enemy() -> None:
    board = scripted_position(POSITION).board
    counts = counts_of(board, reinforcement(2), reinforcement(2, 1), reinforcement(2, 1, 3), reinforcement(2, 3))
    assert (counts["reinforcements"], counts["reinforcements_on_own"]) == (4, 1)


def test_hero_counts_as_covered_only_under_an_own_disk_at_melee() -> None:
    board = scripted_position(POSITION).board
    melee = e.PhaseBegan("melee")
    free = counts_of(board, melee)
    covered = counts_of(board, reinforcement(1, 0), melee)
    engaged = counts_of(board, reinforcement(3, 0), melee)
    assert [counts.get("heroes_covered", 0) for counts in (free, covered, engaged)] == [0, 1, 0]
    assert free["heroes_at_melee"] == 1


def test_locks_count_by_the_cards_that_were_left_to_choose_from() -> None:
    board, lock = scripted_position(POSITION).board, e.CardLocked(0, 1, "00" * 32, HIDDEN, HIDDEN)
    hands = [replace(board, sides=(replace(board.sides[0], card_count=cards), *board.sides[1:])) for cards in (1, 2, 3)]
    figures: tuple[PlayFigure, ...] = ("locks", "locks_of_last_card", "locks_of_two_cards")
    counted = [[counts_of(hand, lock).get(figure, 0) for figure in figures] for hand in hands]
    assert counted == [[1, 1, 0], [1, 0, 1], [1, 0, 0]]


def test_impact_on_own_disks_is_a_part_of_all_impact_hits() -> None:
    board = scripted_position(POSITION).board
    counts = counts_of(board, e.ImpactRolled(0, 3, (1, 3), ()), e.ImpactRolled(3, 3, (0,), ()))
    assert (counts["impact_hits"], counts["impact_hits_on_own"]) == (3, 1)


def test_match_is_late_without_an_engagement_before_round_three() -> None:
    board = scripted_position(POSITION).board
    began = e.EngagementBegan(0, ())
    late = counts_of(board, e.RoundBegan(3), began)
    early = counts_of(board, e.RoundBegan(2), began, e.RoundBegan(3), began)
    assert [counts["late_matches"] for counts in (late, early, counts_of(board))] == [1, 0, 1]
    assert early["engagements"] == 2
    assert (early["points"], early["initiative_matches"]) == (6, 1)


def test_counts_of_a_whole_match_agree_with_its_events() -> None:
    armies = [a.Loadout("empire-patrol"), a.Loadout("chaos-patrol")]
    records = list(bot_match_records(3, ["greedy", "greedy"], armies))
    events = [event for body in records for event in body.events]
    counter = PlayCounter()
    for event in events:
        counter.add_event(event)
    assert records[-1].result is not None
    counts = counter.finished_counts(records[-1].result)
    flipped = {event.disk for event in events if isinstance(event, e.DiskFlipped)}
    assert counts["fielded_disks"] - counts["unflipped_disks"] == len(flipped)
    assert counts["activations"] == sum(isinstance(event, e.ActivationBegan) for event in events)
    assert 0 < counts["activations"] <= counts["printed_activations"]


def test_report_has_a_row_for_each_figure_that_was_counted() -> None:
    counts: dict[PlayFigure, int] = {"matches": 2, "late_matches": 1, "engagements": 5, "points": 9}
    played = DiskwarsStatistics(seed=1, armies=("Reds", "Blues"), order=(0, 1), winners=(0,), play=counts)
    text = render_report(ReportHeading("Test", "", (), (), 1), [played], diskwars_parts([played], ()))
    section = text.split("## Play\n")[1].split("\n## ")[0]
    assert "50.0 %" in next(line for line in section.splitlines() if "before round 3" in line)
    assert "engagements a match" in section
    assert "Impact" not in section
