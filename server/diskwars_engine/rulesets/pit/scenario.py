"""Scenarios of the pit: who starts where, on which ground, and with which task."""

from collections.abc import Mapping

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.pit.actions import PitSettings
from diskwars_protocol.rulesets.pit.events import PitMatchStarted, StartingFighter
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, PitScenario, Weapon

FACING_ROWS = (1, 3, 5, 7, 9, 4, 6)
"""Of two sides, who face each other in columns 1 and 10."""
RING_SIZE = 12
RING_CELLS = (
    *((0, y) for y in (2, 4, 6, 8, 10, 5, 7, 3, 9, 1)),
    *((1, y) for y in (5, 7, 3, 9, 4, 6, 8, 2)),
)
"""Of three or four sides: along an edge each, then behind it, every side turned by a quarter against the one before."""


class PitContent(Struct, frozen=True):
    """The content pack of the pit."""

    pack: Pack
    profiles: tuple[FighterProfile, ...]
    weapons: tuple[Weapon, ...]
    deck: tuple[ImprovementCard, ...]
    scenarios: Mapping[str, PitScenario]


def played_scenario(content: PitContent, settings: PitSettings, seats: int) -> PitScenario:
    """Return a scenario as it is played by this many seats: without places for all, on an open square (A-0)."""
    scenario = content.scenarios[settings.scenario]
    if seats <= 2 or len(scenario.places) >= seats:
        return scenario
    return PitScenario(scenario.id, scenario.name, scenario.bands, RING_SIZE, RING_SIZE, scenario.rounds)


def starting_event(content: PitContent, settings: PitSettings, seats: int) -> PitMatchStarted:
    """Return the event that puts every fighter in its place."""
    scenario = played_scenario(content, settings, seats)
    bands = scenario.bands
    numbers = {profile.id: number for number, profile in enumerate(content.profiles)}
    fighters = tuple(
        StartingFighter(seat, numbers[name], *_cell(scenario, seat, place, seats))
        for seat in range(seats)
        for place, name in enumerate(bands[seat % len(bands)])
    )
    sizes = [sum(fighter.seat == seat for fighter in fighters) for seat in range(seats)]
    return PitMatchStarted(
        settings,
        scenario.width,
        scenario.height,
        scenario.rounds,
        content.profiles,
        content.weapons,
        content.deck,
        fighters,
        rout_losses=tuple((size + 1) // 2 for size in sizes),  # half of them, rounded up
        walls=scenario.walls,
        task=scenario.task,
    )


def _cell(scenario: PitScenario, seat: Seat, place: int, seats: int) -> tuple[int, int]:
    if scenario.places:
        return scenario.places[seat][place]
    last = RING_SIZE - 1
    if seats == 2:
        return (1 if seat == 0 else last - 1, FACING_ROWS[place])
    x, y = RING_CELLS[place]
    for _ in range(seat):
        x, y = last - y, x
    return x, y
