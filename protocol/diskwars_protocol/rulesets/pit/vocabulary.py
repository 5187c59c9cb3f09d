"""The vocabulary of the pit: what its records say, and how its board folds."""

from diskwars_protocol.rulesets.pit.actions import Action, PitLoadout, PitSettings, Question
from diskwars_protocol.rulesets.pit.board import PitBoard, fold
from diskwars_protocol.rulesets.pit.events import PitEvent
from diskwars_protocol.rulesets.pit.options import PitOptions
from diskwars_protocol.vocabulary import AnyVocabulary, Vocabulary

PIT: AnyVocabulary = Vocabulary(
    "pit",
    settings=PitSettings,
    loadout=PitLoadout,
    action=Action,
    question=Question,
    event=PitEvent,
    board=PitBoard,
    options=PitOptions,
    fold_board=fold,
)
