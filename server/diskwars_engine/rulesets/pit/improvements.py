"""The improvement deck: a fighter that takes an enemy out draws a card at once (A-17)."""

from collections.abc import Mapping

from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_protocol.rulesets.pit import events
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.stats import ImprovedStat, ImprovementCard, Promotion

CAPS: Mapping[ImprovedStat, int] = {"wounds": 3, "attacks": 3, "pierce": 5, "injury": 5}
LOWEST_TARGET_NUMBER = 5


def draw(resolution: Resolution, fighter_id: int, victim_id: int) -> None:
    """Draw a card and apply it; draw again while a figure is at its cap."""
    if resolution.fighter(fighter_id).promoted:
        return
    while not _apply(resolution, resolution.fighter(fighter_id), _draw_card(resolution, fighter_id), victim_id):
        pass


def _draw_card(resolution: Resolution, fighter_id: int) -> ImprovementCard:
    """Draw one of the cards left; when none is left, the discards are shuffled into the deck."""
    board = resolution.board
    is_empty = not any(board.cards_left)
    copies = [card.copies for card in board.deck] if is_empty else list(board.cards_left)
    count, pick, number = sum(copies), None, 1
    if count > 1:  # a pick of one card draws nothing
        pick = resolution.dice.roll("pick", count, 1, "improvement")
        number = pick.results[0]
    card = _nth_card(board, copies, number)
    resolution.emit(events.ImprovementDrawn(fighter_id, card.id, because("A-17", cards=count), pick, is_empty))
    return card


def _nth_card(board: PitBoard, copies: list[int], number: int) -> ImprovementCard:
    for card, left in zip(board.deck, copies, strict=True):
        if number <= left:
            return card
        number -= left
    raise ValueError(f"there is no card {number}")


def _apply(resolution: Resolution, fighter: Fighter, card: ImprovementCard, victim_id: int) -> bool:
    """Apply a card to a fighter. Return False if it has to draw again."""
    if resolution.board.rank(fighter) == "henchman":
        promoted = _is_promoted(resolution.board, card.henchman, victim_id)
        resolution.emit(events.FighterImproved(fighter.id, because("A-17"), promoted=promoted))
        return True
    if card.hero == "skill":  # no skills and spells in the arena
        resolution.emit(events.FighterImproved(fighter.id, because("A-17")))
        return True
    if is_at_cap(fighter, card.hero):
        return False
    _improve(resolution, fighter, card.hero)
    return True


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
