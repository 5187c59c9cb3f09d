"""Settings, questions and actions of the pit."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.records.sealed import always_written
from diskwars_protocol.schema_types import AtLeastZero, values_of_this_version

FighterId: TypeAlias = AtLeastZero
CombatId: TypeAlias = AtLeastZero
Column: TypeAlias = AtLeastZero
Row: TypeAlias = AtLeastZero


class PitSettings(Struct, frozen=True, gc=False, omit_defaults=True):
    """Options of a match. A record holds all of them."""

    scenario: Annotated[
        str,
        Meta(
            description="which fighters meet, on which ground, and what decides (A-0, A-25)",
            extra_json_schema=values_of_this_version(
                "the-pit",
                "grave-pit",
                "the-shrine",
                "the-gate",
                "the-captive",
                "the-last-stand",
                "the-ambush",
            ),
        ),
    ] = always_written("the-pit")


class PitLoadout(Struct, frozen=True, gc=False):
    """Nothing: the scenario gives each side its fighters."""


# ---------------------------------------------------------------- questions


class EngageQuestion(Struct, frozen=True, gc=False, tag="engagement"):
    """Which fighter engages next, and where? Or none."""


class MoveQuestion(Struct, frozen=True, gc=False, tag="movement"):
    """Which fighter moves next, and where? Or none."""


class CombatQuestion(Struct, frozen=True, gc=False, tag="combat"):
    """Which combat is fought next?"""


class FighterQuestion(Struct, frozen=True, gc=False, tag="fighter"):
    """Which of several fighters of yours, next in the order of the combat, attacks now?"""


class DeclareQuestion(Struct, frozen=True, gc=False, tag="attack_declaration"):
    """Which weapon does each attack of this fighter use, and whom does it strike?"""

    fighter: FighterId


class TargetQuestion(Struct, frozen=True, gc=False, tag="target"):
    """Against which declared target are the attacks rolled next?"""

    fighter: FighterId


class ConcedeQuestion(Struct, frozen=True, gc=False, tag="concession"):
    """The rout check is passed. Concede all the same?"""


# ---------------------------------------------------------------- actions


class Engage(Struct, frozen=True, gc=False, tag="engage"):
    """A fighter runs to a cell beside one or more enemies."""

    fighter: FighterId
    x: Column
    y: Row


class Move(Struct, frozen=True, gc=False, tag="move"):
    """A fighter walks to a cell beside no enemy."""

    fighter: FighterId
    x: Column
    y: Row


class EndPhase(Struct, frozen=True, gc=False, tag="end_phase"):
    """No further fighter engages, or moves."""


class ChooseCombat(Struct, frozen=True, gc=False, tag="choose_combat"):
    """The combat that is fought now, by its number among those of the turn."""

    combat: CombatId


class ChooseFighter(Struct, frozen=True, gc=False, tag="choose_fighter"):
    """The fighter that attacks now."""

    fighter: FighterId


class Attack(Struct, frozen=True, gc=False, omit_defaults=True):
    """One attack on `target` with the weapon of this id; without `weapon`, with bare hands or natural weapons."""

    target: FighterId
    weapon: IdText | None = None


class DeclareAttacks(Struct, frozen=True, gc=False, tag="declare_attacks"):
    """All attacks of the fighter, in the order in which they are rolled."""

    attacks: Annotated[tuple[Attack, ...], Meta(min_length=1, max_length=8)]


class ChooseTarget(Struct, frozen=True, gc=False, tag="choose_target"):
    """The declared target against which the attacks are rolled now."""

    target: FighterId


class Concede(Struct, frozen=True, gc=False, tag="concede"):
    """Whether the fighters leave the field."""

    concede: bool


PitQuestion: TypeAlias = (
    EngageQuestion
    | MoveQuestion
    | CombatQuestion
    | FighterQuestion
    | DeclareQuestion
    | TargetQuestion
    | ConcedeQuestion
)
PitAction: TypeAlias = Engage | Move | EndPhase | ChooseCombat | ChooseFighter | DeclareAttacks | ChooseTarget | Concede
Question: TypeAlias = SeatQuestion | ReadyQuestion | PitQuestion
Action: TypeAlias = TakeSeat[PitLoadout] | Ready | UnpromptedAction | PitAction
