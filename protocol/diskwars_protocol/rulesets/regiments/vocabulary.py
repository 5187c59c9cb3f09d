"""The vocabulary of regiments: what its records say, and how its board folds."""

from diskwars_protocol.match.history_facts import HistoryFacts, two_sides
from diskwars_protocol.match.ids import EndReason
from diskwars_protocol.match.tasks import TASK_END_REASONS
from diskwars_protocol.match.vocabulary import Vocabulary
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Question,
    RegimentsLoadout,
    RegimentsSettings,
    with_secrets,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, fold
from diskwars_protocol.rulesets.regiments.catalogue import RegimentsCatalogue
from diskwars_protocol.rulesets.regiments.events import CombatsFixed, RegimentsEvent, RoundBegan, UnitActed
from diskwars_protocol.rulesets.regiments.options import RegimentsOptions
from diskwars_protocol.rulesets.regiments.position_bounds import BOUNDS
from diskwars_protocol.rulesets.regiments.rolls import rolls

END_REASONS: tuple[EndReason, ...] = ("last_side", "round_limit", *TASK_END_REASONS)
"""One side is left on the field; or the last round is over, and what is left of the units is compared."""


def _has_secret_orders(settings: RegimentsSettings) -> bool:
    return settings.secret_orders


REGIMENTS: Vocabulary[Action, Question, RegimentsBoard] = Vocabulary(
    "regiments",
    settings=RegimentsSettings,
    loadout=RegimentsLoadout,
    action=Action,
    question=Question,
    event=RegimentsEvent,
    board=RegimentsBoard,
    catalogue=RegimentsCatalogue,
    options=RegimentsOptions,
    end_reasons=END_REASONS,
    last_side_reasons=("last_side",),
    fold_board=fold,
    with_secrets=with_secrets,
    asks_for_nonces=_has_secret_orders,
    tuple_labels={"side_scores": ("side_0", "side_1")},
    position_bounds=BOUNDS,
    pack_facts=("profiles", "weapons"),
    history_facts=HistoryFacts(
        {RoundBegan: "round", UnitActed: "activation", CombatsFixed: "melee"}, rolls, sides=two_sides
    ),
)
