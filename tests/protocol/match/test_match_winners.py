"""A side of several seats wins together; the rules of an option are found whatever the letter of the ruleset."""

from typing import Annotated

from msgspec import Meta, Struct

from diskwars_cli.plugs.match_statistics import MatchStatistics
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.records.canonical import encode_canonical


class ToySettings(Struct, frozen=True):
    """Settings with a rule of each ruleset."""

    ours: Annotated[bool, Meta(description="theirs (R-04)")] = True
    theirs: Annotated[bool, Meta(description="ours (C-12)")] = True
    both: Annotated[bool, Meta(description="both (B-8a)")] = True


def test_all_seats_of_a_side_win_together() -> None:
    assert encode_canonical(Result("last_side", (1, 3), (0, 5, 0, 5))) == (
        b'{"end_reason":"last_side","winners":[1,3],"scores":[0,5,0,5]}'
    )
    assert encode_canonical(Result("last_side")) == b'{"end_reason":"last_side"}'


def test_statistics_name_all_seats_that_won() -> None:
    assert MatchStatistics(seed=1, winners=(1, 3)).winner_label == "seat B and seat D"
    assert MatchStatistics(seed=1).winner_label == "nobody"


def test_rule_of_a_setting_may_have_the_id_of_any_ruleset() -> None:
    assert [(setting.text, setting.rule) for setting in ruleset_settings(ToySettings)] == [
        ("theirs", "R-04"),
        ("ours", "C-12"),
        ("both", "B-8a"),
    ]
