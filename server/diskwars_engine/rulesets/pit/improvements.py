"""The improvement deck: a fighter that takes an enemy out draws a card at once (A-17)."""

from collections.abc import Mapping

from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_protocol.rulesets.pit import events
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.stats import ImprovedStat, ImprovementCard, Promotion

CAPS: Mapping[ImprovedStat, int] = {"wounds": 3, "attacks": 3, "pierce": 5, "injury": 5}
LOWEST_TARGET_NUMBER = 5


def draw(resolution: Resolution, fighter_id: int, victim_id: int) -> None:
    """Draw one of the cards that do something for a fighter, and apply it (A-17)."""
    fighter = resolution.fighter(fighter_id)
    card = _draw_card(resolution, fighter, victim_id)
    if card is None:
        return
    if resolution.board.rank(fighter) == "henchman":
        resolution.emit(events.FighterImproved(fighter.id, because("A-17"), promoted=True))
    elif card.hero != "skill":  # such a card is never drawn
        _improve(resolution, fighter, card.hero)


def _draw_card(resolution: Resolution, fighter: Fighter, victim_id: int) -> ImprovementCard | None:
    """Draw one of the cards left that do something; without one all are shuffled again. None if no card does."""
    board = resolution.board
    is_useful = [does_something(board, fighter, card, victim_id) for card in board.deck]
    copies = [left * useful for left, useful in zip(board.cards_left, is_useful, strict=True)]
    is_empty = not any(copies)
    if is_empty:
        copies = [card.copies * useful for card, useful in zip(board.deck, is_useful, strict=True)]
    count, pick, number = sum(copies), None, 1
    if not count:
        return None
    if count > 1:  # a pick of one card draws nothing
        pick = resolution.dice.roll("pick", count, 1, "improvement")
        number = pick.results[0]
    card = _nth_card(board, copies, number)
    resolution.emit(events.ImprovementDrawn(fighter.id, card.id, because("A-17", cards=count), pick, is_empty))
    return card


def _nth_card(board: PitBoard, copies: list[int], number: int) -> ImprovementCard:
    for card, left in zip(board.deck, copies, strict=True):
        if number <= left:
            return card
        number -= left
    raise ValueError(f"there is no card {number}")


def does_something(board: PitBoard, fighter: Fighter, card: ImprovementCard, victim_id: int) -> bool:
    """Return whether a card has something for a fighter that took this victim out (A-17)."""
    if board.rank(fighter) == "henchman":
        return _is_promoted(board, card.henchman, victim_id)
    return card.hero != "skill" and not is_at_cap(fighter, card.hero)


def _is_promoted(board: PitBoard, promotion: Promotion | None, victim_id: int) -> bool:
    victim = board.rank(board.fighters[victim_id])
    match promotion:
        case None:
            return False
        case "always":
            return True
        case "victim_hero":  # a leader is no hero here
            return victim == "hero"
        case "victim_leader":
            return victim == "leader"


def _value(fighter: Fighter, stat: ImprovedStat) -> int | None:
    value: int | None = fighter.wound_limit if stat == "wounds" else getattr(fighter, stat)
    return value


def is_at_cap(fighter: Fighter, stat: ImprovedStat) -> bool:
    """Return whether a figure cannot become better. A fighter without defence cannot improve it."""
    value = _value(fighter, stat)
    if value is None:
        return True
    return value >= CAPS[stat] if stat in CAPS else value <= LOWEST_TARGET_NUMBER


def _improve(resolution: Resolution, fighter: Fighter, stat: ImprovedStat) -> None:
    value = _value(fighter, stat)
    assert value is not None
    if stat in CAPS:
        resolution.emit(events.FighterImproved(fighter.id, because("A-17", value=value + 1), stat, value + 1))
        return
    check = resolution.dice.roll("number_dice", 20, 1, "improvement check")
    after = value - (check.results[0] <= value)
    resolution.emit(
        events.FighterImproved(fighter.id, because("A-17", value=after), stat, after, needed=value, dice=check)
    )
