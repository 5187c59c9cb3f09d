"""The vocabulary of the pit: what its records say, and how its board folds."""

from diskwars_protocol.match.history_facts import HistoryFacts
from diskwars_protocol.match.ids import EndReason
from diskwars_protocol.match.tasks import TASK_END_REASONS
from diskwars_protocol.match.vocabulary import Vocabulary
from diskwars_protocol.rulesets.pit.actions import Action, PitLoadout, PitSettings, Question
from diskwars_protocol.rulesets.pit.board import PitBoard, fold
from diskwars_protocol.rulesets.pit.catalogue import PitCatalogue
from diskwars_protocol.rulesets.pit.events import CombatBegan, PitEvent, RoundBegan, TurnBegan
from diskwars_protocol.rulesets.pit.options import PitOptions
from diskwars_protocol.rulesets.pit.position_bounds import BOUNDS
from diskwars_protocol.rulesets.pit.rolls import rolls

END_REASONS: tuple[EndReason, ...] = ("last_side", "round_limit", *TASK_END_REASONS)
"""One side is left on the field; or the last round is over, and fighters and wounds are counted."""

PIT: Vocabulary[Action, Question, PitBoard] = Vocabulary(
    "pit",
    settings=PitSettings,
    loadout=PitLoadout,
    action=Action,
    question=Question,
    event=PitEvent,
    board=PitBoard,
    catalogue=PitCatalogue,
    options=PitOptions,
    end_reasons=END_REASONS,
    last_side_reasons=("last_side",),
    fold_board=fold,
    tuple_labels={"places": ("x", "y")},
    position_bounds=BOUNDS,
    pack_facts=("profiles", "weapons", "deck"),
    history_facts=HistoryFacts({RoundBegan: "round", TurnBegan: "activation", CombatBegan: "melee"}, rolls),
)
