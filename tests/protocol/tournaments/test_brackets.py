"""The tree of an elimination: seeds, winners and losers come where they belong."""

import pytest

from diskwars_protocol.tournaments.brackets import build_bracket, seed_order


def test_best_seeds_meet_last() -> None:
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 9, 16, 31, 128])
def test_every_match_comes_after_those_whose_winner_or_loser_it_takes(count: int) -> None:
    for is_double in (False, True):
        levels: dict[str, int] = {}
        for match in build_bracket(count, is_double=is_double, third_place=True):
            assert match.place not in levels
            for source in match.sources:
                if source.kind != "seed":
                    assert levels[source.of] < match.level
            levels[match.place] = match.level


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_double_elimination_takes_the_loser_of_every_match_of_the_winners_once(depth: int) -> None:
    tree = build_bracket(2**depth, is_double=True)

    taken = [source.of for match in tree for source in match.sources if source.kind == "loser" and source.of != "F"]

    assert sorted(taken) == sorted(match.place for match in tree if match.place.startswith("W"))


def test_losers_of_both_semi_finals_meet_for_the_third_place() -> None:
    tree = {match.place: match for match in build_bracket(8, third_place=True)}

    assert [source.of for source in tree["T"].sources] == ["W2.1", "W2.2"]
    assert [source.kind for source in tree["T"].sources] == ["loser", "loser"]
