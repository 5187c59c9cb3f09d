"""The vocabulary of close quarters: what its records say, and how its board folds."""

from diskwars_protocol.match.history_facts import HistoryFacts, two_sides
from diskwars_protocol.match.ids import EndReason
from diskwars_protocol.match.tasks import TASK_END_REASONS
from diskwars_protocol.match.vocabulary import Vocabulary
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    CloseQuartersLoadout,
    CloseQuartersSettings,
    Question,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, fold
from diskwars_protocol.rulesets.close_quarters.catalogue import CloseQuartersCatalogue
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersEvent, CombatBegan, TurnBegan, UnitActivated
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions
from diskwars_protocol.rulesets.close_quarters.position_bounds import BOUNDS
from diskwars_protocol.rulesets.close_quarters.rolls import rolls

END_REASONS: tuple[EndReason, ...] = ("last_side", "turn_limit", *TASK_END_REASONS)
"""One side is left on the table; or the last turn is over, and model points are counted."""

CLOSE_QUARTERS: Vocabulary[Action, Question, CloseQuartersBoard] = Vocabulary(
    "close_quarters",
    settings=CloseQuartersSettings,
    loadout=CloseQuartersLoadout,
    action=Action,
    question=Question,
    event=CloseQuartersEvent,
    board=CloseQuartersBoard,
    catalogue=CloseQuartersCatalogue,
    options=CloseQuartersOptions,
    end_reasons=END_REASONS,
    last_side_reasons=("last_side",),
    fold_board=fold,
    tuple_labels={"formation": ("dx", "dy")},
    position_bounds=BOUNDS,
    pack_facts=("profiles", "ranged_weapons", "melee_weapons"),
    history_facts=HistoryFacts(
        {TurnBegan: "round", UnitActivated: "activation", CombatBegan: "melee"}, rolls, sides=two_sides
    ),
)
