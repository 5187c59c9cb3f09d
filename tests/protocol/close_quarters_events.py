"""Events of close quarters at times when they change all that they can, which no frozen match does."""

from diskwars_protocol.fairness import Draw
from diskwars_protocol.rulesets.close_quarters import events as e
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove

DICE = Draw(step=1, index=0, tag="allocation", kind="number_dice", size=6, results=(1, 6))
HITS = e.UnitHits(0, (e.Hit(20, 3, 0),), (0, 1))
POOL = e.HitPool((e.Hit(20, 3, 0),), (0, 6))
MOVES = (ModelMove(0, 11, 12), ModelMove(1, 13, 14))
MODELS = {0: (0, 1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10, 11)}
"""The models of the first two units: in every scenario of the core pack these are squads of six."""


def _loss(unit: int) -> e.AllocationRolled:
    return e.AllocationRolled(unit, 2, MODELS[unit], 1, DICE, ())


RARE_EVENTS: tuple[e.CloseQuartersEvent, ...] = (
    # a turn begins while a unit acts, and while there is a combat
    e.TurnBegan(1, 97),
    e.CombatBegan(0, (0, 1), ()),
    e.UnitActivated(0),
    e.TurnBegan(1, 98),
    e.UnitMoved(0, MOVES, (), doubled=True),
    e.TurnBegan(0, 99),
    # a unit that is asked in a phase has been chosen too
    e.CombatBegan(0, (0, 1), ()),
    e.UnitActivated(1),
    e.PhaseBegan("defensive_fire", (), (0, 1)),
    e.UnitChosen(0),
    e.DefensiveFireDeclared(0, (), 1),
    e.UnitChosen(1),
    e.DefensiveFireLost(1, ()),
    # a cycle begins while hits of the one before are under way
    e.UnitChosen(0),
    e.WeaponChosen(0, "club", ()),
    e.MeleeRolled(0, (), DICE, (), (HITS,), (POOL,)),
    _loss(0),
    e.CycleBegan(2, 1, (0, 1), ()),
    # a unit falls back whose part of the cycle it is, whose models are picked, or that is still to be asked
    e.UnitChosen(0),
    e.ShotsFired(0, (), targets=(HITS,)),
    _loss(0),
    e.UnitFellBack(0, 20, MOVES, ()),
    e.UnitsJoinedCombat((0,), ()),
    e.PhaseBegan("cycle", (), (0, 1)),
    e.UnitFellBack(0, 20, (), (), MODELS[0]),
    # a seat resigns: its units leave in the middle of everything
    e.ModelsRemoved(1, MODELS[1], "routed", ()),
    e.UnitsJoinedCombat((1,), ()),
    e.PhaseBegan("cycle", (), (0, 1)),
    e.UnitChosen(1),
    _loss(1),
    e.ModelsRemoved(1, MODELS[1], "resigned", ()),
    # a unit outside the combat loses its last model, and stays among those that are asked
    e.PhaseBegan("defensive_fire", (), (0, 1)),
    e.ModelsRemoved(0, MODELS[0], "killed", ()),
    e.CombatEnded("apart", ()),
    e.ModelsRemoved(0, MODELS[0], "resigned", ()),
)
"""One after another, on any board of a match that has begun."""
