"""Narration of the events of a full setup, edges, scenarios, deployment cards, terrain, and of what objectives pay.

Each event becomes one sentence or a list.
"""

from collections.abc import Callable, Mapping
from typing import assert_never

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.effect_text import effect_text, objective_part_text
from diskwars_protocol.rulesets.diskwars.events import Scored
from diskwars_text.rulesets.diskwars.lexer import counted_list
from diskwars_text.rulesets.diskwars.phrases import length_text, point_text

OBJECTIVE_PART_TEXTS = {
    "slay_units": "destroyed enemy units",
    "slay_heroes": "destroyed enemy heroes",
    "slay_elite": "destroyed enemy elite disks",
    "hold_zones": "disks in enemy zones",
    "hold_terrain": "terrain controlled",
    "hold_middle": "disks near the middle",
    "survive": "disks on the field",
}
"""The achievements that the parts of an objective pay points for, by their tags."""

SeatNamer = Callable[[Seat], str]
"""A function that returns the name of a player."""


def setup_event_text(board: Board, name: SeatNamer, event: se.LayoutEvent | se.ScenarioEvent) -> str:
    """Describe an event; `board` is the board after it."""
    match event:
        case se.EdgesDrawn():
            places = ", ".join(f"{name(drawn.seat)} {drawn.edge}" for drawn in event.edges)
            return f"Edges: {places}"
        case se.DeploymentCardsDealt():
            return f"Deployment cards on offer: {counted_list(list(map(board.card_name, event.cards)))}"
        case se.DeploymentCardLaid():
            at = f"at {length_text(event.offset)} along the {board.layout.edges[event.seat]} edge"
            return f"{name(event.seat)} laid {_deployment_card_text(board, event)} {at}"
        case se.SetupCardDiscarded():
            return f"{name(event.seat)} has no room for any remaining card: {board.card_name(event.card)} is discarded"
        case se.TerrainCardsDealt():
            return f"Terrain on offer: {counted_list(list(map(board.card_name, event.cards)))}"
        case se.TerrainPlaced():
            turned = f", turned by {5 * event.rotation_steps}°" if event.rotation_steps else ""
            face = board.layout.terrain_card(event.card).faces[event.face]
            return f"{name(event.seat)} placed {face.name} at {point_text(event.x, event.y)}{turned}"
        case se.ScenariosDrawn():
            drawn = (
                "two scenario cards"
                if isinstance(event.cards, Sealed)
                else " and ".join(map(board.card_name, event.cards))
            )
            return f"{name(event.seat)} drew {drawn}"
        case se.ScenarioChosen():
            ability = next(card.ability for card in board.layout.scenarios if card.id == event.scenario)
            return f"Scenario: {board.card_name(event.scenario)} (for everybody: {effect_text(ability)})"
        case se.ObjectiveDealt():
            secret = isinstance(event.scenario, Sealed)
            objective = "a secret objective" if secret else _objective_text(board, str(event.scenario))
            return f"{name(event.seat)} was dealt {objective}"
        case se.ObjectivesRevealed():
            shown = [
                f"  {name(objective.seat)} {_objective_text(board, objective.scenario)}"
                for objective in event.objectives
            ]
            return "\n".join(["Objectives:", *shown])
        case _:
            assert_never(event)


def scored_text(name: SeatNamer, event: Scored) -> str:
    """Return the victory points of all seats, and a line for each seat about what its objective has paid."""
    totals = ", ".join(f"{name(seat)} {points}" for seat, points in enumerate(event.points))
    paid = {reason.numbers.get("seat"): reason.numbers for reason in event.reasons}
    seats = [seat for seat in range(len(event.points)) if seat in paid]  # eliminated seats have no reason
    return "\n".join([f"Victory points: {totals}", *(f"  {name(seat)}: {_paid_text(paid[seat])}" for seat in seats)])


def _paid_text(numbers: Mapping[str, int]) -> str:
    """Return what the parts of an objective have paid: `3 for disks on the field, 1 for terrain controlled`."""
    paid = [
        f"{points} for {OBJECTIVE_PART_TEXTS[part]}"
        for part, points in numbers.items()
        if points and part in OBJECTIVE_PART_TEXTS
    ]
    return ", ".join(paid) or "none"


def _deployment_card_text(board: Board, event: se.DeploymentCardLaid) -> str:
    face = next(card for card in board.layout.deployments if card.id == event.card).faces[event.face]
    abilities = f", {', '.join(face.abilities)}" if face.abilities else ""
    return f"{board.card_name(event.card)} (value {face.value}{abilities})"


def _objective_text(board: Board, id: str) -> str:
    card = board.layout.scenario_card(id)
    return f"{card.name} ({'; '.join(map(objective_part_text, card.objective))})"
