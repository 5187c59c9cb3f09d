"""Events of close quarters at times when they change all that they can, which no frozen match does."""

from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.rulesets.close_quarters import events
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove

DICE = Draw(step=1, index=0, tag="allocation", kind="number_dice", size=6, results=(1, 6))
HITS = events.UnitHits(0, (events.Hit(20, 3, 0),), (0, 1))
POOL = events.HitPool((events.Hit(20, 3, 0),), (0, 6))
MOVES = (ModelMove(0, 11, 12), ModelMove(1, 13, 14))
MODELS = {0: (0, 1, 2, 3, 4, 5), 1: (6, 7, 8, 9, 10, 11)}
"""The models of the first two units: in every scenario of the core pack these are squads of six."""


def _loss(unit: int) -> events.AllocationRolled:
    return events.AllocationRolled(unit, 2, MODELS[unit], 1, DICE, ())


RARE_EVENTS: tuple[events.CloseQuartersEvent, ...] = (
    # a turn begins while a unit acts, and while there is a combat
    events.TurnBegan(1, 97),
    events.CombatBegan(0, (0, 1), ()),
    events.UnitActivated(0),
    events.TurnBegan(1, 98),
    events.UnitMoved(0, MOVES, (), is_doubled=True),
    events.TurnBegan(0, 99),
    # a unit that is asked in a phase has been chosen too
    events.CombatBegan(0, (0, 1), ()),
    events.UnitActivated(1),
    events.PhaseBegan("defensive_fire", (), (0, 1)),
    events.UnitChosen(0),
    events.DefensiveFireDeclared(0, (), 1),
    events.UnitChosen(1),
    events.DefensiveFireLost(1, ()),
    # a cycle begins while hits of the one before are under way
    events.UnitChosen(0),
    events.WeaponChosen(0, "club", ()),
    events.MeleeRolled(0, (), DICE, (), (HITS,), (POOL,)),
    _loss(0),
    events.CycleBegan(2, 1, (0, 1), ()),
    # a unit falls back whose part of the cycle it is, whose models are picked, or that is still to be asked
    events.UnitChosen(0),
    events.ShotsFired(0, (), targets=(HITS,)),
    _loss(0),
    events.UnitFellBack(0, 20, MOVES, ()),
    events.UnitsJoinedCombat((0,), ()),
    events.PhaseBegan("cycle", (), (0, 1)),
    events.UnitFellBack(0, 20, (), (), MODELS[0]),
    # a seat resigns: its units leave in the middle of everything
    events.ModelsRemoved(1, MODELS[1], "routed", ()),
    events.UnitsJoinedCombat((1,), ()),
    events.PhaseBegan("cycle", (), (0, 1)),
    events.UnitChosen(1),
    _loss(1),
    events.ModelsRemoved(1, MODELS[1], "withdrawn", ()),
    # a unit outside the combat loses its last model, and stays among those that are asked
    events.PhaseBegan("defensive_fire", (), (0, 1)),
    events.ModelsRemoved(0, MODELS[0], "killed", ()),
    events.CombatEnded("apart", ()),
    events.ModelsRemoved(0, MODELS[0], "withdrawn", ()),
)
"""One after another, on any board of a match that has begun."""
