"""The five boards of a first match in a terminal: by following what they say, and by never doing it."""

from diskwars_cli.rulesets.diskwars.lesson_boards import LESSONS, LessonPlay, open_lessons
from tests.rows import each_row

NUMBERS = range(len(LESSONS))


def has_ended(played: LessonPlay) -> bool:
    return played.is_done


def board(number: int) -> LessonPlay:
    return open_lessons()[number]


@each_row("number", NUMBERS)
def test_board_is_done_by_the_two_orders_that_it_names(number: int) -> None:
    texts, played = list(LESSONS.values())[number], board(number)
    opening = played.opening_lines()
    assert opening[0] == f"Board {number + 1} of 5: {texts.name}"
    assert texts.tried_order in opening[-1]
    refused = played.follow(texts.tried_order)
    assert refused[0].startswith(f"refused: {texts.refused}")
    assert texts.wanted_order in refused[1]
    assert not has_ended(played)
    told = played.follow(texts.wanted_order)
    assert has_ended(played)
    assert told[-1] == texts.done


@each_row("number", NUMBERS)
def test_board_shows_what_it_means_to_a_player_who_types_something_else(number: int) -> None:
    texts, played = list(LESSONS.values())[number], board(number)
    assert played.follow("hello")[0] == "That is something else."
    assert played.follow("hello")[0] == f"`{texts.tried_order}` was meant."
    assert not has_ended(played)
    assert "That is something else." in played.follow("hello")
    told = played.follow("hello")
    assert "This was meant:" in told
    assert has_ended(played)
    assert told[-1] == texts.done


def test_other_ways_to_do_it_are_taken_too() -> None:
    """The other of two targets, and the other card."""
    for number, order in ((2, "1"), (3, "2")):
        played = board(number)
        played.follow(list(LESSONS.values())[number].tried_order)
        played.follow(order)
        assert has_ended(played)


def test_points_of_the_last_board_are_those_of_the_rules() -> None:
    played = board(4)
    played.follow("move Orc Boyz S")
    assert any("Victory points: seat A 3" in line for line in played.follow("1"))
