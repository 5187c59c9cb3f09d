"""The opening of a match as text: a table of what was chosen."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions, PerDecisionClock
from diskwars_text.opening_text import opening_lines


class Settings(Struct, frozen=True):
    """Settings of a ruleset that is made up."""

    scenario: Annotated[Literal["field", "barrow-road"], Meta(description="which units meet")] = "field"
    flank_test: Annotated[bool, Meta(description="a charged unit tests its leadership (C-2)")] = True
    rounds: int = 15


OPENED: MatchOpened[Settings] = MatchOpened(
    match=MatchId("match-1"),
    ruleset="regiments",
    rules_version=1,
    settings=Settings(flank_test=False),
    seat_count=4,
    anchor="00" * 32,
    deal_commitment="00" * 32,
    opener=PlayerId("ann"),
    match_options=DEFAULT_MATCH_OPTIONS,
)


def test_settings_are_aligned_and_say_what_they_mean() -> None:
    assert opening_lines(OPENED) == [
        "Match match-1 of regiments for 4 players",
        "  scenario    field  which units meet",
        "  flank_test  no     a charged unit tests its leadership (C-2)",
        "  rounds      15",
    ]


def test_options_of_the_match_are_shown_unless_they_are_the_usual_ones() -> None:
    options = MatchOptions(visibility="link", rated=True, clock=PerDecisionClock(60))
    assert opening_lines(replace(OPENED, match_options=options))[4:] == [
        "  visibility  link",
        "  rated       yes",
        "  clock       60 seconds for each decision",
    ]


def test_packs_and_dice_from_a_seed_are_named() -> None:
    opened = replace(OPENED, packs=(Pack("regiments/core", "3", "ab" * 32),), repeatable=True)
    assert opening_lines(opened)[4:] == [
        "  packs       regiments/core 3 (abababababab)",
        "  dice        from a seed: anyone who knows the seed can predict every roll",
    ]
