"""Invariants of every board of the pit."""

from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import PitBoard


def check(board: PitBoard) -> list[str]:
    """List what is broken, in words."""
    problems = []
    cells = [(fighter.x, fighter.y) for fighter in position.fielded(board)]
    if len(set(cells)) != len(cells):
        problems.append("two fighters in one cell")
    if any(not (0 <= x < board.width and 0 <= y < board.height) for x, y in cells):
        problems.append("a fighter is off the field")
    if any(wall.contains(x, y) for wall in board.walls for x, y in cells):
        problems.append("a fighter is in a wall")
    if any(fighter.wounds < 1 for fighter in board.fighters):
        problems.append("a fighter has no wounds left, and no injury instead")
    for seat, state in enumerate(board.seats):
        lost = sum(fighter.status == "incapacitated" for fighter in board.fighters if fighter.seat == seat)
        if lost != state.losses:
            problems.append(f"seat {seat} has lost {lost} fighters, not {state.losses}")
    if any(left < 0 or left > card.copies for left, card in zip(board.cards_left, board.deck, strict=True)):
        problems.append("more or fewer cards in the deck than there are")
    return problems
