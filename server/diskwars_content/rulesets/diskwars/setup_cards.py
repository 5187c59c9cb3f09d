"""TOML specs of the cards around the field: scenarios and deployment cards."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import fields

from diskwars_content.rulesets.diskwars.entry_checks import EFFECTS_BY_TIMING, Fault, bearer_faults, effect_faults
from diskwars_content.rulesets.diskwars.specs import Basis, Count, Length, RawEntries
from diskwars_protocol.rulesets.diskwars.setup_cards import (
    DeploymentCard,
    DeploymentFace,
    Objective,
    Scenario,
    ZoneAbility,
)
from diskwars_protocol.rulesets.diskwars.stats import Effect

MAX_OBJECTIVE_FIGURE = 99


class ScenariosFile(Struct, frozen=True):
    """scenarios.toml. `special` scenarios are in no deck (R-74)."""

    scenario: RawEntries
    special: RawEntries = ()


class ScenarioSpec(Struct, frozen=True):
    """A scenario card: its ability while it is active, and the scoring parts of its objective."""

    id: str
    name: str
    ability: Effect
    objective: tuple[Objective, ...]
    basis: Basis
    short_name: str | None = None


class DeploymentsFile(Struct, frozen=True):
    """deployments.toml: the width of all cards, the value of their common side, and the cards."""

    width: Length
    common: Count
    basis: Basis
    deployment: RawEntries


class DeploymentCardSpec(Struct, frozen=True):
    """The side of a deployment card that is its own; the other side is common to all."""

    id: str
    name: str
    value: Count
    basis: Basis
    abilities: tuple[ZoneAbility, ...] = ()
    short_name: str | None = None


def scenario_faults(scenario: ScenarioSpec) -> Iterator[Fault]:
    # A scenario affects all players for the whole match, so its ability has to be one that lasts.
    if not isinstance(scenario.ability, EFFECTS_BY_TIMING["passive"]):
        yield ("ability", "type"), f'"{scenario.ability.__struct_config__.tag}" does not last'
    for place, text in (*bearer_faults(scenario.ability, is_disk=False), *effect_faults(scenario.ability)):
        yield ("ability", *place), text
    if not scenario.objective:
        yield ("objective",), "an objective has at least one part"
    for number, part in enumerate(scenario.objective):
        yield from _objective_faults(("objective", number), part)


def _objective_faults(place: tuple[str | int, ...], table: Struct) -> Iterator[Fault]:
    for field in fields(type(table)):
        figure = getattr(table, field.name)
        if isinstance(figure, int) and not 1 <= figure <= MAX_OBJECTIVE_FIGURE:
            yield (*place, field.name), f"{figure} is not from 1 to {MAX_OBJECTIVE_FIGURE}"


def deployment_faults(card: DeploymentCardSpec) -> Iterator[Fault]:
    for ability, count in Counter(card.abilities).items():
        if count > 1:
            yield ("abilities",), f'"{ability}" is listed {count} times'


def build_scenario(card: ScenarioSpec) -> Scenario:
    return Scenario(card.id, card.name, card.ability, card.objective, card.short_name)


def build_deployment_card(card: DeploymentCardSpec, whole: DeploymentsFile) -> DeploymentCard:
    own = DeploymentFace(card.value, card.abilities)
    return DeploymentCard(card.id, card.name, whole.width, (DeploymentFace(whole.common), own), card.short_name)
