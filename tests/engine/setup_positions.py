"""How does a test lay a set-up in full, step by step, and what of it is refused?

A small pack of its own, so that no test leans on the cards of the house. Everything goes through the engine's `decide`.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_content import core
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue, unspent
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.stats import Faster
from tests.engine.positions import Chance, Faces, Refused, Table, lay

INCH = 25400
WIDTH = 7 * INCH // 2
ARMIES = ("Chaos Patrol", "Empire Patrol", "Greenskin Patrol", "High Elf Patrol")


def square(half: int) -> tuple[tuple[int, int], ...]:
    return ((-half, -half), (half, -half), (half, half), (-half, half))


def scenario(name: str, *objective: s.Objective) -> s.Scenario:
    return s.Scenario(name, Faster(1), objective or (s.Survive(1),))


def deployment(name: str, value: int, *abilities: s.ZoneAbility) -> s.DeploymentCard:
    return s.DeploymentCard(name, WIDTH, (s.DeploymentFace(3), s.DeploymentFace(value, abilities)))


def terrain(name: str, half: int) -> s.TerrainCard:
    wide = ((-2 * half, -half), (2 * half, -half), (2 * half, half), (-2 * half, half))
    return s.TerrainCard(name, (s.Terrain(f"{name} front", square(half)), s.Terrain(f"{name} back", wide)))


SCENARIOS = [scenario(f"S{number}") for number in range(6)]
DEPLOYMENTS = [
    deployment("D0", 1, "rendezvous"),
    deployment("D1", 2, "scouting"),
    deployment("D2", 2, "ambush"),
    deployment("D3", 4),
    deployment("D4", 5),
    deployment("D5", 1, "scouting", "ambush"),
    deployment("D6", 2),
    deployment("D7", 3),
]
TERRAIN = [terrain(f"T{number}", INCH) for number in range(5)]


def pack(**changes: object) -> Catalogue:
    """The disks and armies of the core pack, the cards of this file; by name also others."""
    found = {
        "scenarios": {card.name: card for card in SCENARIOS},
        "deployments": {card.name: card for card in DEPLOYMENTS},
        "terrain": {card.name: card for card in TERRAIN},
        **changes,
    }
    return replace(core(), **found)


def with_spare(catalogue: Catalogue, armies: Sequence[str], spare: Sequence[int]) -> Catalogue:
    """The heroes of these armies have other recruitment points, so that so many are left unspent."""
    disks = dict(catalogue.disks)
    for name, points in zip(armies, spare, strict=True):
        army = catalogue.armies[name]
        hero = disks[army.disks[0]]
        disks[hero.name] = replace(hero, points=hero.points - unspent(army, catalogue.disks) + points)
    return replace(catalogue, disks=disks)


def started(dice: Sequence[Faces], seats: int = 2, catalogue: Catalogue | None = None) -> Table:
    """All have rolled for initiative; `dice` begin with the draw of the edges."""
    chance = Chance(dice, 1)
    cards = catalogue or pack()
    rules = Diskwars(with_spare(cards, ARMIES[:seats], (0,) * seats))
    events = rules.start(a.Settings(setup="full"), [a.Entry(name) for name in ARMIES[:seats]], chance)
    chance.finish()
    board: Board | None = None
    for event in events:
        board = fold(board, event)
    assert board is not None
    return Table(board, tuple(events))


def ordered(seats: int = 2, catalogue: Catalogue | None = None) -> Table:
    """Seat 0 is first player, the others follow; the last player has drawn S0 and S1. Edges go round by seat."""
    rolls = (6, *range(1, seats))
    table = started([tuple(range(seats)), rolls], seats, catalogue)
    first: a.Action = a.ChooseFirst(0) if seats == 2 else a.SetOrder(tuple(range(seats)))
    return table.answer(first, 0, 0)


def dealt(seats: int = 2, cards: Sequence[int] = tuple(range(8)), catalogue: Catalogue | None = None) -> Table:
    """The scenario is S0, and the deployment cards are dealt in this order."""
    return ordered(seats, catalogue).answer(a.ChooseScenario("S0"), *[0] * seats, tuple(cards))


def zoned(*laid: a.LayDeployment, cards: Sequence[int] = tuple(range(8)), catalogue: Catalogue | None = None) -> Table:
    """Two players have laid these, seat 1 first. Without terrain cards in the pack they deploy now."""
    table = dealt(2, cards, catalogue or pack(terrain={}))
    for action in laid:
        table = table.answer(action)
    return table


def land(catalogue: Catalogue | None = None, order: Sequence[int] = tuple(range(5))) -> Table:
    """Two players have laid their cards in the middle, and the terrain cards are dealt."""
    table = dealt(2, catalogue=catalogue)
    table = table.answer(a.LayDeployment("D0", 0, 16 * INCH))
    return table.answer(a.LayDeployment("D1", 0, 16 * INCH), tuple(order))


def two_regiments(table: Table) -> Table:
    """As if each army had a second hero, so that each player lays two deployment cards."""
    turns = e.DeploymentTurns((1, 0, 1, 0))
    offered = ("D0", "D1", "D2", "D3")
    layout = replace(table.board.layout, offered=offered)
    return Table(replace(table.board, layout=layout, work=(turns, *table.board.work[1:])))


def seat_of(table: Table) -> Seat:
    return table.asks[0][0]


def example(table: Table) -> a.Action:
    return table.options().parametric[0].example


def deploying(text: str, *seats: Seat) -> Table:
    return lay(text).works(e.Deployments(seats or (0,)))


def scouting(text: str) -> Table:
    """The scouts of this position, of which seat A has two in a zone that lets them scout."""
    return lay(text).works(e.FullSetup("scouts"))


SCOUTS = """
phase setup
zone A (6, 0) to (30, 6) for 5 at south with scouting
A Orc Boyz  (10, 3)
A Arrer Boyz  (20, 3)
B Sun Dragon  (20, 8)
"""

CROSSED = """
zone A (0, 0) to (20, 6) for 1 at south
zone B (10, 0) to (36, 6) for 2 at south
A reserve: Orc Boyz
B Black Orcs  (8, 3)
"""

SETUP_CASES: dict[str, tuple[Callable[[], Table], Callable[[Table], a.Action], Refused]] = {
    "an order that leaves a seat out": (
        lambda: started([(0, 1, 2), (6, 1, 2)], 3),
        lambda t: a.SetOrder((0, 1, 1)),
        Refused("not_legal", "R18.1", "$.action.order"),
    ),
    "a scenario that was not drawn": (
        ordered,
        lambda t: a.ChooseScenario("S4"),
        Refused("not_legal", "R3.3.1", "$.action.scenario"),
    ),
    "a deployment card that was not dealt": (
        dealt,
        lambda t: a.LayDeployment("D7", 0, 0),
        Refused("not_legal", "R3.4", "$.action.card"),
    ),
    "a third face of a deployment card": (
        dealt,
        lambda t: a.LayDeployment("D0", 2, 0),
        Refused("not_legal", "R3.4", "$.action.face"),
    ),
    "a deployment card off the end of its edge": (
        dealt,
        lambda t: a.LayDeployment("D0", 0, 36 * INCH - WIDTH + 1),
        Refused("not_legal", "R3.4", "$.action.offset"),
    ),
    "a deployment card on another of its owner": (
        lambda: (
            two_regiments(dealt())
            .answer(a.LayDeployment("D0", 0, 10 * INCH))
            .answer(a.LayDeployment("D1", 0, 10 * INCH))
        ),
        lambda t: a.LayDeployment("D2", 0, 10 * INCH + WIDTH - 1),
        Refused("not_legal", "R3.4", "$.action.offset"),
    ),
    "three players, a card too far from the far corner": (
        lambda: dealt(3),
        lambda t: a.LayDeployment("D0", 0, 24 * INCH - 1),
        Refused("not_legal", "R18.2.1", "$.action.offset"),
    ),
    "four players, a card within medium range of a corner": (
        lambda: dealt(4),
        lambda t: a.LayDeployment("D0", 0, 6 * INCH),
        Refused("not_legal", "R18.2.2", "$.action.offset"),
    ),
    "a terrain card that was not dealt": (
        land,
        lambda t: a.PlaceTerrain("T4", 0, 18 * INCH, 18 * INCH, 0),
        Refused("not_legal", "R3.5", "$.action.card"),
    ),
    "a third face of a terrain card": (
        land,
        lambda t: a.PlaceTerrain("T0", 2, 18 * INCH, 18 * INCH, 0),
        Refused("not_legal", "R3.5", "$.action.face"),
    ),
    "a turn of more than a circle": (
        land,
        lambda t: a.PlaceTerrain("T0", 0, 18 * INCH, 18 * INCH, 72),
        Refused("not_legal", "R10.12", "$.action.turn"),
    ),
    "a piece within short range of an edge": (
        land,
        lambda t: a.PlaceTerrain("T0", 0, 4 * INCH, 18 * INCH, 0),
        Refused("not_legal", "R3.5.1", "$.action"),
    ),
    "a piece within short range of another": (
        lambda: land().answer(a.PlaceTerrain("T0", 0, 18 * INCH, 18 * INCH, 0)),
        lambda t: a.PlaceTerrain("T1", 0, 23 * INCH, 18 * INCH, 0),
        Refused("not_legal", "R3.5.1", "$.action"),
    ),
    "deploying into a zone of an enemy that reaches over": (
        lambda: deploying(CROSSED),
        lambda t: a.Deploy((a.Placing(t.number("Orc Boyz"), 11 * INCH, 3 * INCH),)),
        Refused("outside_zone", "R3.6.3", "$.action.disks[0]"),
    ),
    "deploying onto an enemy": (
        lambda: deploying(CROSSED),
        lambda t: a.Deploy((a.Placing(t.number("Orc Boyz"), 8 * INCH, 3 * INCH),)),
        Refused("overlaps_enemy", "R3.6.3", "$.action.disks[0]"),
    ),
    "scouting with a disk that is no scout": (
        lambda: scouting(SCOUTS),
        lambda t: a.MoveDisk(t.number("Sun Dragon"), ((0, 76200),)),
        Refused("not_legal", "R8.9", "$.action.disk"),
    ),
    "scouting onto an enemy": (
        lambda: scouting(SCOUTS),
        lambda t: t.moves("Arrer Boyz", 90, 90),
        Refused("overlaps_enemy", "R8.9", "$.action.path[1]"),
    ),
    "an answer to another question of the set-up": (
        ordered,
        lambda t: a.ChooseFirst(0),
        Refused("wrong_action", "", "$.action"),
    ),
}
