"""Invariants of every board of close quarters."""

from diskwars_protocol.rulesets.close_quarters import barricade, plans, position
from diskwars_protocol.rulesets.close_quarters.board import HITS_PER_MARKER, CloseQuartersBoard


def check(board: CloseQuartersBoard) -> list[str]:
    """List what is broken, in words."""
    problems = []
    models = position.standing(board)
    for place, model in enumerate(models):
        if not plans.is_on_table(board, (model.x, model.y)):
            problems.append(f"model {model.id} is off the table")
        if board.barricade is not None and barricade.lies_on(board.barricade, (model.x, model.y)):
            problems.append(f"model {model.id} lies on the barricade")
        problems += [
            f"models {model.id} and {other.id} overlap"
            for other in models[place + 1 :]
            if position.squared_distance(model, other) < position.OVERLAP_SQUARED
        ]
    for unit in board.units:
        if not 0 <= unit.hit_counter < HITS_PER_MARKER or unit.markers < 0:
            problems.append(f"unit {unit.id} has {unit.hit_counter} hits and {unit.markers} markers")
    fielded = {unit.id for unit in position.fielded(board) if not unit.has_fallen_back}
    if board.combat is not None and not fielded.issuperset(board.combat.units):
        problems.append("a unit is in the combat that has fallen back, or has left the table")
    return problems
