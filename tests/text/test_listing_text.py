"""A match in a list as text: what a player looks for."""

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.match_summary import ClockSummary, MatchOptionsSummary, MatchSummary
from diskwars_text.listing_text import duration_text, listing_text
from tests.rows import each_row


def summary(options: MatchOptionsSummary, **more: object) -> MatchSummary:
    return MatchSummary(MatchId("m"), "diskwars", "open", (), 0, 0, options, **more)  # type: ignore[arg-type]


def test_usual_match_needs_no_words() -> None:
    assert listing_text(summary(MatchOptionsSummary())) == ""


def test_what_is_unusual_is_said() -> None:
    options = MatchOptionsSummary(
        "link", "round_later", True, ClockSummary("bank", bank_seconds=900, increment_seconds=5)
    )
    text = listing_text(summary(options, settings={"regiments": 2, "impact_own": False}, packs=("diskwars/expansion",)))
    assert text == (
        "regiments 2, impact own no, with diskwars/expansion, 15 min + 5 s for each player, rated, by link, "
        "watchers round later"
    )


def test_clock_of_a_later_version_is_named() -> None:
    assert listing_text(summary(MatchOptionsSummary(clock=ClockSummary("hour_glass")))) == "clock hour glass"


@each_row(
    ("seconds", "text"), [(0, "0 s"), (45, "45 s"), (60, "1 min"), (5400, "90 min"), (7200, "2 h"), (259_200, "3 d")]
)
def test_time_is_in_the_largest_unit_that_it_is_a_whole_number_of(seconds: int, text: str) -> None:
    assert duration_text(seconds) == text
