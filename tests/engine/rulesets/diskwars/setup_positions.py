"""Build a full setup step by step, and the refusals on the way.

The small pack here keeps tests independent of our own cards. Everything goes through the engine's `decide`.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue, unspent_points
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.stats import IncreaseMovement
from tests.engine.rulesets.diskwars.positions import (
    ExpectedRefusal,
    ScriptedFaces,
    ScriptedMatchDice,
    ScriptedPosition,
    scripted_position,
    with_tasks,
)

INCH = 25400
CARD_WIDTH = 7 * INCH // 2
ARMIES = ("chaos-patrol", "empire-patrol", "greenskin-patrol", "high-elf-patrol")


def square_outline(half: int) -> tuple[tuple[int, int], ...]:
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def make_scenario(id: str, *objective: s.Objective) -> s.Scenario:
    return s.Scenario(id, id.upper(), IncreaseMovement(1), objective or (s.Survive(1),))


def make_deployment_card(id: str, value: int, *abilities: s.ZoneAbility) -> s.DeploymentCard:
    return s.DeploymentCard(id, id.upper(), CARD_WIDTH, (s.DeploymentFace(3), s.DeploymentFace(value, abilities)))


def make_terrain_card(id: str, half: int) -> s.TerrainCard:
    wide = ((-2 * half, -half), (2 * half, -half), (2 * half, half), (-2 * half, half))
    front = s.Terrain(f"{id}-front", f"{id.upper()} front", square_outline(half))
    return s.TerrainCard(id, id.upper(), (front, s.Terrain(f"{id}-back", f"{id.upper()} back", wide)))


SCENARIOS = [make_scenario(f"s{number}") for number in range(6)]
DEPLOYMENTS = [
    make_deployment_card("d0", 1, "rendezvous"),
    make_deployment_card("d1", 2, "scouting"),
    make_deployment_card("d2", 2, "ambush"),
    make_deployment_card("d3", 4),
    make_deployment_card("d4", 5),
    make_deployment_card("d5", 1, "scouting", "ambush"),
    make_deployment_card("d6", 2),
    make_deployment_card("d7", 3),
]
TERRAIN = [make_terrain_card(f"t{number}", INCH) for number in range(5)]


def small_catalogue(**changes: object) -> Catalogue:
    """Return the disks and armies of the core pack, the cards of this file; by name also others."""
    found = {
        "scenarios": {card.id: card for card in SCENARIOS},
        "deployments": {card.id: card for card in DEPLOYMENTS},
        "terrain": {card.id: card for card in TERRAIN},
        **changes,
    }
    return replace(core_pack(), **found)


def with_unspent_points(catalogue: Catalogue, armies: Sequence[str], spare: Sequence[int]) -> Catalogue:
    """The heroes of these armies have other recruitment points, so that this many are left unspent."""
    disks = dict(catalogue.disks)
    for name, points in zip(armies, spare, strict=True):
        army = catalogue.armies[name]
        hero = disks[army.disks[0]]
        disks[hero.id] = replace(hero, points=hero.points - unspent_points(army, catalogue.disks) + points)
    return replace(catalogue, disks=disks)


def start_setup(dice: Sequence[ScriptedFaces], seats: int = 2, catalogue: Catalogue | None = None) -> ScriptedPosition:
    """All have rolled for initiative; `dice` begin with the draw of the edges."""
    chance = ScriptedMatchDice(dice, 1)
    cards = catalogue or small_catalogue()
    rules = Diskwars(with_unspent_points(cards, ARMIES[:seats], (0,) * seats))
    outcome = rules.start(
        a.DiskwarsSettings(setup="full", regiments=1), [a.Loadout(name) for name in ARMIES[:seats]], chance
    )
    chance.finish()
    return ScriptedPosition(outcome.board, tuple(outcome.events))


def setup_with_order(seats: int = 2, catalogue: Catalogue | None = None) -> ScriptedPosition:
    """Seat 0 is first player, the others follow; the last player has drawn S0 and S1. Edges go round by seat."""
    rolls = (6, *range(1, seats))
    table = start_setup([tuple(range(seats)), rolls], seats, catalogue)
    first: a.Action = a.ChooseFirstPlayer(0) if seats == 2 else a.SetOrder(tuple(range(seats)))
    return table.answer(first, 0, 0)


def setup_with_deployment_cards(
    seats: int = 2, cards: Sequence[int] = tuple(range(8)), catalogue: Catalogue | None = None
) -> ScriptedPosition:
    """The scenario is S0, and the deployment cards are dealt in this order."""
    return setup_with_order(seats, catalogue).answer(a.ChooseScenario("s0"), *[0] * seats, tuple(cards))


def setup_with_zones(
    *laid: a.LayDeploymentCard, cards: Sequence[int] = tuple(range(8)), catalogue: Catalogue | None = None
) -> ScriptedPosition:
    """Two players have laid these, seat 1 first. Without terrain cards in the pack they deploy now."""
    table = setup_with_deployment_cards(2, cards, catalogue or small_catalogue(terrain={}))
    for action in laid:
        table = table.answer(action)
    return table


def setup_with_terrain(catalogue: Catalogue | None = None, order: Sequence[int] = tuple(range(5))) -> ScriptedPosition:
    """Two players have laid their cards in the middle, and the terrain cards are dealt."""
    table = setup_with_deployment_cards(2, catalogue=catalogue)
    table = table.answer(a.LayDeploymentCard("d0", 0, 16 * INCH))
    return table.answer(a.LayDeploymentCard("d1", 0, 16 * INCH), tuple(order))


def with_two_regiments(table: ScriptedPosition) -> ScriptedPosition:
    """Return as if each army had a second hero, so that each player lays two deployment cards."""
    turns = t.DeploymentCardsTask((1, 0, 1, 0))
    offered = ("d0", "d1", "d2", "d3")
    layout = replace(table.board.layout, offered_cards=offered)
    return ScriptedPosition(with_tasks(replace(table.board, layout=layout), turns, *table.tasks[1:]))


def deciding_seat(table: ScriptedPosition) -> Seat:
    return table.open_questions[0][0]


def example_action(table: ScriptedPosition) -> a.Action:
    return table.options().parametric[0].example


def deploy_from(text: str, *seats: Seat) -> ScriptedPosition:
    return scripted_position(text).run_tasks(t.DeploymentTask(seats or (0,)))


def scout_from(text: str) -> ScriptedPosition:
    """Return the scouts of this position, of which seat A has two in a zone that lets them scout."""
    return scripted_position(text).run_tasks(t.SetupStepTask("scouts"))


SCOUT_POSITION = """
phase setup
zone A (6, 0) to (30, 6) for 5 at south with scouting
A Orc Boyz  (10, 3)
A Arrer Boyz  (20, 3)
B Sun Dragon  (20, 8)
"""

OVERLAPPING_ZONES_POSITION = """
zone A (0, 0) to (20, 6) for 1 at south
zone B (10, 0) to (36, 6) for 2 at south
A reserve: Orc Boyz
B Black Orcs  (8, 3)
"""

SETUP_CASES: dict[
    str, tuple[Callable[[], ScriptedPosition], Callable[[ScriptedPosition], a.Action], ExpectedRefusal]
] = {
    "an order that leaves a seat out": (
        lambda: start_setup([(0, 1, 2), (6, 1, 2)], 3),
        lambda t: a.SetOrder((0, 1, 1)),
        ExpectedRefusal("not_legal", "R18.1", "$.action.order"),
    ),
    "a scenario that was not drawn": (
        setup_with_order,
        lambda t: a.ChooseScenario("s4"),
        ExpectedRefusal("not_legal", "R3.3.1", "$.action.scenario"),
    ),
    "a deployment card that was not dealt": (
        setup_with_deployment_cards,
        lambda t: a.LayDeploymentCard("d7", 0, 0),
        ExpectedRefusal("not_legal", "R3.4", "$.action.card"),
    ),
    "a third face of a deployment card": (
        setup_with_deployment_cards,
        lambda t: a.LayDeploymentCard("d0", 2, 0),
        ExpectedRefusal("not_legal", "R3.4", "$.action.face"),
    ),
    "a deployment card off the end of its edge": (
        setup_with_deployment_cards,
        lambda t: a.LayDeploymentCard("d0", 0, 36 * INCH - CARD_WIDTH + 1),
        ExpectedRefusal("not_legal", "R3.4", "$.action.offset"),
    ),
    "a deployment card on another of its owner": (
        lambda: (
            with_two_regiments(setup_with_deployment_cards())
            .answer(a.LayDeploymentCard("d0", 0, 10 * INCH))
            .answer(a.LayDeploymentCard("d1", 0, 10 * INCH))
        ),
        lambda t: a.LayDeploymentCard("d2", 0, 10 * INCH + CARD_WIDTH - 1),
        ExpectedRefusal("not_legal", "R3.4", "$.action.offset"),
    ),
    "three players, a card too far from the far corner": (
        lambda: setup_with_deployment_cards(3),
        lambda t: a.LayDeploymentCard("d0", 0, 24 * INCH - 1),
        ExpectedRefusal("not_legal", "R18.2.1", "$.action.offset"),
    ),
    "four players, a card within medium range of a corner": (
        lambda: setup_with_deployment_cards(4),
        lambda t: a.LayDeploymentCard("d0", 0, 6 * INCH),
        ExpectedRefusal("not_legal", "R18.2.2", "$.action.offset"),
    ),
    "a terrain card that was not dealt": (
        setup_with_terrain,
        lambda t: a.PlaceTerrain("t4", 0, 18 * INCH, 18 * INCH, 0),
        ExpectedRefusal("not_legal", "R3.5", "$.action.card"),
    ),
    "a third face of a terrain card": (
        setup_with_terrain,
        lambda t: a.PlaceTerrain("t0", 2, 18 * INCH, 18 * INCH, 0),
        ExpectedRefusal("not_legal", "R3.5", "$.action.face"),
    ),
    "a turn of more than a circle": (
        setup_with_terrain,
        lambda t: a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, 72),
        ExpectedRefusal("not_legal", "R10.12", "$.action.rotation_steps"),
    ),
    "a piece within short range of an edge": (
        setup_with_terrain,
        lambda t: a.PlaceTerrain("t0", 0, 4 * INCH, 18 * INCH, 0),
        ExpectedRefusal("not_legal", "R3.5.1", "$.action"),
    ),
    "a piece within short range of another": (
        lambda: setup_with_terrain().answer(a.PlaceTerrain("t0", 0, 18 * INCH, 18 * INCH, 0)),
        lambda t: a.PlaceTerrain("t1", 0, 23 * INCH, 18 * INCH, 0),
        ExpectedRefusal("not_legal", "R3.5.1", "$.action"),
    ),
    "deploying into a zone of an enemy that reaches over": (
        lambda: deploy_from(OVERLAPPING_ZONES_POSITION),
        lambda t: a.Deploy((a.Placement(t.number("Orc Boyz"), 11 * INCH, 3 * INCH),)),
        ExpectedRefusal("outside_zone", "R3.6.3", "$.action.disks[0]"),
    ),
    "deploying onto an enemy": (
        lambda: deploy_from(OVERLAPPING_ZONES_POSITION),
        lambda t: a.Deploy((a.Placement(t.number("Orc Boyz"), 8 * INCH, 3 * INCH),)),
        ExpectedRefusal("overlaps_enemy", "R3.6.3", "$.action.disks[0]"),
    ),
    "scouting with a disk that is no scout": (
        lambda: scout_from(SCOUT_POSITION),
        lambda t: a.MoveDisk(t.number("Sun Dragon"), ((0, 76200),)),
        ExpectedRefusal("not_legal", "R8.9", "$.action.disk"),
    ),
    "scouting onto an enemy": (
        lambda: scout_from(SCOUT_POSITION),
        lambda t: t.move_action("Arrer Boyz", 90, 90),
        ExpectedRefusal("overlaps_enemy", "R8.9", "$.action.path[1]"),
    ),
    "an answer to another question of the setup": (
        setup_with_order,
        lambda t: a.ChooseFirstPlayer(0),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
}
