"""The boards of the smaller games in a terminal: by following what they say, and by never doing it."""

from diskwars_cli.rulesets.small_lessons import SMALL_LESSONS, SmallLessonPlay, open_small_lessons
from tests.rows import each_row

PLACES = [(ruleset, number) for ruleset, texts in SMALL_LESSONS.items() for number in range(len(texts))]


def has_ended(played: SmallLessonPlay) -> bool:
    return played.is_done


@each_row(("ruleset", "number"), PLACES)
def test_board_is_done_by_the_two_orders_that_it_names(ruleset: str, number: int) -> None:
    texts, played = SMALL_LESSONS[ruleset][number], open_small_lessons(ruleset)[number]
    opening = played.opening_lines()
    assert opening[0] == f"Board {number + 1} of 2: {texts.name}"
    assert texts.tried_order in opening[-1]
    refused = played.follow(texts.tried_order)
    assert refused[0].startswith(f"refused: {texts.refused}  [")
    assert texts.wanted_order in refused[1]
    assert not has_ended(played)
    told = played.follow(texts.wanted_order)
    assert has_ended(played)
    assert told[-1] == texts.done
    assert len(told) > 2, "what follows is printed"


@each_row(("ruleset", "number"), PLACES)
def test_board_shows_what_it_means_to_a_player_who_types_something_else(ruleset: str, number: int) -> None:
    texts, played = SMALL_LESSONS[ruleset][number], open_small_lessons(ruleset)[number]
    assert played.follow("hello")[0] == "That is something else."
    assert played.follow("hello")[0] == f"`{texts.tried_order}` was meant."
    assert not has_ended(played)
    assert "That is something else." in played.follow("hello")
    told = played.follow("hello")
    assert "This was meant:" in told
    assert has_ended(played)
    assert told[-1] == texts.done


def test_other_ways_to_do_it_are_taken_too() -> None:
    """Another cell beside an enemy, the other target, no fire, and a shorter march."""
    orders = {("pit", 0): "engage A1 5 7", ("pit", 1): "attack Bulwark", ("close_quarters", 1): "2"}
    for (ruleset, number), order in (orders | {("regiments", 0): "march forward"}).items():
        played = open_small_lessons(ruleset)[number]
        played.follow(SMALL_LESSONS[ruleset][number].tried_order)
        played.follow(order)
        assert has_ended(played), (ruleset, number)


def test_what_the_sentences_say_is_what_the_engine_does() -> None:
    """The flank counts, the Foot fail their test and leave the field."""
    played = open_small_lessons("regiments")[1]
    played.follow("charge B2")
    told = "\n".join(played.follow("charge B1"))
    assert "break" in told
    assert "flees" in told or "fled" in told or "leaves" in told, told
