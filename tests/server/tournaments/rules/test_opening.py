"""Options of a tournament that fit together."""

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.tournaments.rules.opening import open_tournament
from tests.server.tournaments.played_tournaments import ORGANISER, START_MS, options_of


def test_opener_is_the_first_organiser() -> None:
    opened = open_tournament("Cup", options_of("swiss", rounds=5, final_top=4), PlayerId("olga"), START_MS)

    assert (opened.name, opened.organiser) == ("Cup", ORGANISER)


@pytest.mark.parametrize(
    ("format", "field", "value"),
    [
        ("round_robin", "entrant_limit", 64),
        ("swiss", "final_top", 3),
        ("arena", "final_top", 4),
        ("round_robin", "rounds", 3),
        ("double_elimination", "third_place", True),
        ("single_elimination", "late_entry", True),
        ("arena", "pairs_by_hand", True),
        ("swiss", "starts_ms", START_MS),
        ("swiss", "check_in_minutes", 5),
        ("swiss", "tie_breaks", ("buchholz", "buchholz")),
    ],
)
def test_options_that_do_not_fit_together_are_refused_with_their_place(format: str, field: str, value: object) -> None:
    options = options_of(format, entrant_limit=32)  # type: ignore[arg-type]
    options = options_of(format, **{"entrant_limit": options.entrant_limit, field: value})  # type: ignore[arg-type]

    with pytest.raises(Illegal) as refused:
        open_tournament("Cup", options, ORGANISER, START_MS)

    assert (refused.value.code, refused.value.place) == ("bad_tournament", f"$.options.{field}")
