"""The rule of close quarters about high ground: who fights better or worse for it, and that it is an option."""

from diskwars_engine.rulesets.close_quarters.scenario import starting_event
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters import checks
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersSettings
from diskwars_protocol.rulesets.close_quarters.events import MeleeRolled
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    WEAPONS,
    find,
    go_on,
    in_cycle,
    lay_out,
    squad,
)
from tests.rows import each_row

HILL = ScenarioArea(1000, 600, 1400, 1000)


@each_row("has_hills", [False, True])
def test_hills_count_with_the_option_only(has_hills: bool) -> None:
    """B-28: off by default."""
    settings = CloseQuartersSettings(high_ground=True) if has_hills else CloseQuartersSettings()
    assert bool(starting_event(CLOSE_QUARTERS.content, settings, 2).high_ground) == has_hills


@each_row(
    ("own", "enemies", "bonus"),
    [
        ((1400, 800), ((1500, 800),), 1),
        ((1500, 800), ((1400, 800),), -1),
        ((1300, 800), ((1400, 800),), 0),
        ((1500, 800), ((1600, 800),), 0),
        ((1400, 800), ((1500, 800), (1300, 800)), 0),  # one of the two is on the hill too
        ((1500, 800), ((1400, 800), (1600, 800)), 0),
    ],
)
def test_model_above_all_that_it_touches_fights_better(
    own: tuple[int, int], enemies: tuple[tuple[int, int], ...], bonus: int
) -> None:
    """B-28: 1 more or less of WS: what is needed goes from 3 to 4 or 2."""
    board = lay_out(squad(0, own), squad(1, *enemies), high_ground=(HILL,))
    model, touched = board.models[0], board.models[1:]
    assert checks.height_bonus(board, model, touched) == bonus
    assert checks.melee_needed(board, model, WEAPONS[0], touched) == 3 + bonus
    flat = lay_out(squad(0, own), squad(1, *enemies))
    assert checks.melee_needed(flat, model, WEAPONS[0], touched) == 3


def test_melee_from_a_hill_is_rolled_against_what_it_needs() -> None:
    """B-10, B-28: a 4 hits from above."""
    board = in_cycle(lay_out(squad(0, (1400, 800)), squad(1, (1500, 800)), high_ground=(HILL,)), step="melee")
    resolution = go_on(board, [4, 1])
    rolled = find(resolution.events, "melee_rolled")
    assert isinstance(rolled, MeleeRolled)
    assert [(assault.needed, assault.hits) for assault in rolled.assaults] == [(4, 1)]
