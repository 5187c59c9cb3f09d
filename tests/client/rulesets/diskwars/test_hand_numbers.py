"""Command cards keep their numbers through a match, in any order of play."""

from msgspec.structs import replace

from diskwars_client.plugs.terminal_ruleset import NumberedOption, find_option, numbers_text
from diskwars_client.rulesets.diskwars.hand_numbers import hand_numbers
from diskwars_client.rulesets.diskwars.orders import numbered_options, parse_order
from diskwars_client.rulesets.diskwars.terminal_ruleset import DiskwarsTerminal
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from tests.client.terminal.test_terminal import match

DECISION: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.CommandCardQuestion())


def held(hand: tuple[str, ...], discards: tuple[str, ...] = (), revealed: str | None = None) -> DiskwarsMatch:
    """Return a match in which seat A has these cards, in this order."""
    now = match()
    assert now.board is not None
    side = replace(now.board.sides[0], hand=hand, discards=discards, revealed_card=revealed, card_count=len(hand))
    return replace(now, board=replace(now.board, sides=(side, now.board.sides[1])))


def table(now: DiskwarsMatch) -> Board:
    assert now.board is not None
    return now.board


def cards() -> list[str]:
    return [card.id for card in table(match()).cards][:3]


def offered(now: DiskwarsMatch) -> list[NumberedOption]:
    hand = table(now).sides[0].hand
    assert isinstance(hand, tuple)
    return numbered_options(now, DECISION, DiskwarsOptions(tuple(a.LockCard(card) for card in hand)))


def test_cards_are_offered_in_the_same_order_however_they_came_back() -> None:
    first, second, third = cards()
    for hand in ((first, second, third), (third, first, second)):
        options = offered(held(hand))
        assert [(one.number, str(one.action.card)) for one in options] == [(1, first), (2, second), (3, third)]


def test_card_keeps_its_number_when_others_are_played_or_discarded() -> None:
    first, second, third = cards()
    now = held((third,), discards=(second,), revealed=first)
    assert hand_numbers(table(now), 0) == {first: 1, second: 2, third: 3}
    assert DiskwarsTerminal().option_lines(now, DECISION, offered(now))[0].startswith("  3. ")
    shown = DiskwarsTerminal().answer_information_order("cards", "", now, 0, "diskwars") or []
    assert [line.rsplit(" (")[-1] for line in shown[:2]] == ["played now)", "discarded)"]
    assert shown[2].startswith("  3. ")


def test_number_of_a_discarded_card_chooses_no_other() -> None:
    first, second, third = cards()
    now = held((second, third), discards=(first,))
    options = offered(now)
    assert find_option(options, 1) is None
    assert parse_order("3", now, DECISION, options) == a.LockCard(third)
    assert numbers_text(options) == "a number from 2 to 3"


def test_last_card_is_also_option_1() -> None:
    first, second, _ = cards()
    now = held((second,), discards=(first,))
    assert parse_order("2", now, DECISION, offered(now)) == a.LockCard(second)
    assert parse_order("1", now, DECISION, offered(now)) == a.LockCard(second)


def test_hidden_hand_has_no_numbers() -> None:
    now = table(match())
    hidden = replace(now, sides=(replace(now.sides[0], hand=HIDDEN), now.sides[1]))
    assert hand_numbers(hidden, 0) == {}


def test_numbers_with_gaps_are_listed() -> None:
    options = [NumberedOption("", None, number=number) for number in (1, 3, 4)]
    assert numbers_text(options) == "1, 3 or 4"
    assert numbers_text(options[1:2]) == "3"
