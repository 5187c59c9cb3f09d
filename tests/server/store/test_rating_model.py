"""The model of ratings: every result of two to four sides, with every pattern of shared places."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Protocol, TypeAlias, TypeVar

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from diskwars_server.store.rating_model import MIN_SIGMA, NEW_SKILL, START_MU, START_SIGMA, Skill, rate
from tests.rows import each_row

Model: TypeAlias = Callable[[Sequence[Sequence[Skill]], Sequence[int]], list[list[Skill]]]


class LibraryRating(Protocol):
    """A rating of openskill, whatever its model."""

    mu: float
    sigma: float


R = TypeVar("R", bound=LibraryRating)

PRIORS = (Skill(15, 3), NEW_SKILL, Skill(35, MIN_SIGMA), Skill(45, 1.5))
"""A weak, an unknown, a strong and a very strong player."""
ROUNDING = 1e-9


def patterns(sides: int) -> list[tuple[int, ...]]:
    """Return every way in which sides take places, with all that may be shared."""
    found = product(range(1, sides + 1), repeat=sides)
    return [places for places in found if set(places) == set(range(1, max(places) + 1))]


PATTERNS = [places for sides in (2, 3, 4) for places in patterns(sides)]
DECIDED = [places for places in PATTERNS if len(set(places)) > 1]


def of_library(
    create: Callable[[list[float]], R], rate_teams: Callable[[list[list[R]], list[float]], list[list[R]]]
) -> Model:
    def rated(sides: Sequence[Sequence[Skill]], places: Sequence[int]) -> list[list[Skill]]:
        teams = [[create([skill.mu, skill.sigma]) for skill in side] for side in sides]
        after = rate_teams(teams, [float(place) for place in places])
        return [[Skill(rating.mu, rating.sigma) for rating in team] for team in after]

    return rated


PLACKETT_LUCE, BRADLEY_TERRY, BRADLEY_TERRY_PART = PlackettLuce(), BradleyTerryFull(), BradleyTerryPart()
THURSTONE_MOSTELLER, THURSTONE_MOSTELLER_PART = ThurstoneMostellerFull(), ThurstoneMostellerPart()


def shown(skill: Skill) -> float:
    return skill.mu - 3 * skill.sigma


def lifts_a_lower_place(model: Model, places: Sequence[int]) -> bool:
    """Return whether, from equal priors, a lower place ends at or above a higher one, in mean or as it is shown."""
    after = [side[0] for side in model([[NEW_SKILL]] * len(places), places)]
    return any(
        low.mu >= high.mu - ROUNDING or shown(low) >= shown(high) - ROUNDING
        for low, place in zip(after, places, strict=True)
        for high, higher in zip(after, places, strict=True)
        if place > higher
    )


def lets_a_winner_lose(model: Model, skills: Sequence[Skill], places: Sequence[int]) -> bool:
    after = model([[skill] for skill in skills], places)
    return any(
        place == 1 and (side[0].mu < skill.mu - ROUNDING or shown(side[0]) < shown(skill) - ROUNDING)
        for skill, side, place in zip(skills, after, places, strict=True)
    )


def test_patterns_are_all_weak_orders_of_two_three_and_four() -> None:
    assert [len(patterns(sides)) for sides in (2, 3, 4)] == [3, 13, 75]


@each_row("places", PATTERNS, ids=str)
def test_no_lower_place_ends_above_a_higher_one_from_equal_priors(places: tuple[int, ...]) -> None:
    assert not lifts_a_lower_place(rate, places)


def test_no_winner_loses_against_any_opponents() -> None:
    tried = [(skills, places) for places in DECIDED for skills in product(PRIORS, repeat=len(places))]
    assert len(tried) == 2 * 4**2 + 12 * 4**3 + 74 * 4**4
    assert [one for one in tried if lets_a_winner_lose(rate, *one)] == []


@each_row(
    ("model", "lifted"),
    [
        (of_library(PLACKETT_LUCE.create_rating, PLACKETT_LUCE.rate), 12),
        (of_library(BRADLEY_TERRY.create_rating, BRADLEY_TERRY.rate), 0),
        (of_library(BRADLEY_TERRY_PART.create_rating, BRADLEY_TERRY_PART.rate), 0),
        (of_library(THURSTONE_MOSTELLER.create_rating, THURSTONE_MOSTELLER.rate), 0),
        (of_library(THURSTONE_MOSTELLER_PART.create_rating, THURSTONE_MOSTELLER_PART.rate), 0),
    ],
    ids=["PL", "BTF", "BTP", "TMF", "TMP"],
)
def test_models_of_the_library_let_a_winner_lose(model: Model, lifted: int) -> None:
    """The comparison in docs/operating.md: a favourite wins or shares first place in 31 results."""
    assert sum(lifts_a_lower_place(model, places) for places in PATTERNS) == lifted
    favourite = [(Skill(45, 1.5), *[NEW_SKILL] * (len(places) - 1)) for places in DECIDED]
    assert sum(map(lets_a_winner_lose, [model] * len(favourite), favourite, DECIDED)) == 14


def test_three_wins_and_then_two_losses_end_above_the_opponent() -> None:
    ann, ben = NEW_SKILL, NEW_SKILL
    for places in ((1, 2), (1, 2), (1, 2), (2, 1), (2, 1)):
        (ann,), (ben,) = rate([[ann], [ben]], places)
    assert ann.mu > ben.mu
    assert shown(ann) > shown(ben)


def test_draw_of_all_brings_the_players_nearer() -> None:
    (strong,), (weak,) = rate([[Skill(35, 3)], [Skill(25, 3)]], (1, 1))
    assert 25 < weak.mu < strong.mu < 35


def test_partners_rise_and_fall_together() -> None:
    winners, losers = rate([[NEW_SKILL, NEW_SKILL], [NEW_SKILL, NEW_SKILL]], (1, 2))
    assert winners[0] == winners[1]
    assert losers[0] == losers[1]
    assert losers[0].mu < START_MU < winners[0].mu
    assert losers[0].sigma < START_SIGMA


def test_two_who_share_a_side_are_no_stronger_than_one() -> None:
    """In close quarters with three, two lead half a force each."""
    pair, single = rate([[NEW_SKILL, NEW_SKILL], [NEW_SKILL]], (1, 1))
    assert {skill.mu for skill in (*pair, *single)} == {START_MU}


def test_deviation_never_grows_and_has_a_floor() -> None:
    sure = Skill(40, MIN_SIGMA)
    (after,), _ = rate([[sure], [NEW_SKILL]], (1, 2))
    assert after.sigma == MIN_SIGMA
    assert after.mu > sure.mu
