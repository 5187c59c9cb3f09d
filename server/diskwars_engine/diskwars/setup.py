"""How does a game begin: armies to disks, initiative, deployment (R3)?

The set-up of a fixed field: every seat has one zone on its own edge. Must not know rounds, cards in play or fighting.
"""

from collections.abc import Sequence

from diskwars_engine.diskwars import state
from diskwars_engine.diskwars.evolve import Play
from diskwars_engine.diskwars.roster import Army, Catalogue, unspent
from diskwars_engine.ruleset import Dice, Illegal
from diskwars_protocol import plane
from diskwars_protocol.diskwars.actions import ChooseFirst, Deploy, Placing, Settings
from diskwars_protocol.diskwars.board import RESERVE, Board, fold
from diskwars_protocol.diskwars.events import (
    Deployments,
    DisksDeployed,
    FirstPlayer,
    HandTaken,
    InitiativeRolled,
    MatchStarted,
    OrderSet,
    Owned,
    Placed,
    Rounds,
    Zone,
)
from diskwars_protocol.diskwars.figures import Field
from diskwars_protocol.match import Because, Seat

ROUNDS = 5
"""R4.1"""
ZONE_VALUE = 5
ZONE_WIDTH_DIVISOR = 3
"""The zone of a seat covers the middle two thirds of its edge."""


def start(catalogue: Catalogue, settings: Settings, armies: Sequence[Army], dice: Dice) -> Play:
    """Lays out figures and hands, and rolls for initiative."""
    started = _started(catalogue, settings, armies)
    play = Play(fold(None, started), dice)
    play.events.append(started)
    for seat, army in enumerate(armies):
        play.emit(HandTaken(seat, len(army.hand), army.hand))
    winner = _initiative(play, [unspent(army, catalogue.disks) for army in armies])
    play.push(FirstPlayer(winner))
    return play


def _started(catalogue: Catalogue, settings: Settings, armies: Sequence[Army]) -> MatchStarted:
    names = list(dict.fromkeys(name for army in armies for name in army.disks))
    return MatchStarted(
        settings=settings,
        field=catalogue.field,
        battle_die=catalogue.battle_die,
        profiles=tuple(catalogue.disks[name] for name in names),
        # all cards of the pack: which of them are held is secret
        cards=tuple(catalogue.cards.values()),
        armies=tuple(army.name for army in armies),
        disks=tuple(Owned(seat, names.index(name)) for seat, army in enumerate(armies) for name in army.disks),
        zones=zones(catalogue.field, len(armies)),
        packs=(catalogue.pack,),
        seats=len(armies),
        rounds=ROUNDS,
    )


def zones(field: Field, seats: int) -> tuple[Zone, ...]:
    """R3.4.2: from the edge to medium range. Two players have opposite edges (R3.1)."""
    if seats != 2:
        raise Illegal("bad_settings", "this set-up has two seats", "R3.1")
    margin = field.width // ZONE_WIDTH_DIVISOR // 2
    return (
        Zone(0, margin, 0, field.width - margin, field.medium, ZONE_VALUE),
        Zone(1, margin, field.height - field.medium, field.width - margin, field.height, ZONE_VALUE),
    )


def _initiative(play: Play, spare: Sequence[int]) -> Seat:
    """R3.2: a d6 and all unspent recruitment points; those who tie for the highest roll again."""
    rolling = list(range(len(spare)))
    while True:
        dice = play.dice.roll("d6", 6, len(rolling), "initiative")
        sums = {seat: face + spare[seat] for seat, face in zip(rolling, dice.faces, strict=True)}
        highest = tuple(seat for seat in rolling if sums[seat] == max(sums.values()))
        bonus = tuple(spare[seat] for seat in rolling)
        because = (Because("R3.2", {"highest": max(sums.values())}),)
        play.emit(InitiativeRolled(tuple(rolling), bonus, dice, highest, because))
        if len(highest) == 1:
            return highest[0]
        rolling = list(highest)


def choose_first(play: Play, action: ChooseFirst) -> None:
    """R3.2: the winner of the roll says who is first; the others follow round the table."""
    seats = len(play.board.sides)
    if not 0 <= action.seat < seats:
        raise Illegal("not_legal", f"there are seats 0 to {seats - 1}", "R3.2", "$.action.seat")
    order = tuple((action.seat + n) % seats for n in range(seats))
    play.emit(OrderSet(order, (Because("R3.2"),)))
    play.push(Deployments(tuple(reversed(order))), Rounds(1))  # R3.6 in reverse initiative order


# ---------------------------------------------------------------- deployment


def counts(board: Board, seat: Seat) -> tuple[tuple[int, int], ...]:
    """R3.6, R3.6.1: how many disks go into each own zone: its value, or as many as there are."""
    left = len(state.reserve(board, seat))
    found = []
    for number, zone in enumerate(board.zones):
        if zone.seat == seat:
            found.append((number, min(zone.value, left)))
            left -= min(zone.value, left)
    return tuple(found)


def deploy(play: Play, seat: Seat, action: Deploy) -> None:
    """R3.6: wholly inside own zones, in the right number, every hero among them. A later disk lies higher (R3.6.2)."""
    _check_deployment(play.board, seat, action)
    height = play.board.height
    laid = tuple(Placed(p.disk, p.x, p.y, height + n) for n, p in enumerate(action.disks, 1))
    table = [(p.disk, p.x, p.y, play.board.profile(p.disk).radius, p.z) for p in laid]
    # R3.6.3 enemies cannot be overlapped, so only the own disks pin each other
    play.emit(DisksDeployed(seat, laid, plane.pins(table, play.board.settings.pins)))


def _check_deployment(board: Board, seat: Seat, action: Deploy) -> None:
    found = {number: 0 for number, _ in counts(board, seat)}
    for n, placing in enumerate(action.disks):
        found[_checked_place(board, seat, placing, f"$.action.disks[{n}]")] += 1
    named = [placing.disk for placing in action.disks]
    if len(set(named)) != len(named):
        raise Illegal("not_legal", "a disk is placed twice", "R3.6", "$.action.disks")
    for number, count in counts(board, seat):
        if found[number] != count:
            text = f"zone {number} takes {count} disks, not {found[number]}"
            raise Illegal("wrong_count", text, "R3.6", "$.action.disks")
    for disk in state.reserve(board, seat):
        if board.profile(disk.id).kind == "hero" and disk.id not in named:
            text = f"disk {disk.id}, {board.profile(disk.id).name}, is a hero"
            raise Illegal("not_legal", f"every hero has to be deployed: {text}", "R3.6.4", "$.action.disks")


def _checked_place(board: Board, seat: Seat, placing: Placing, place: str) -> int:
    if not 0 <= placing.disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {placing.disk}", place=place)
    disk = board.disks[placing.disk]
    if disk.seat != seat:
        raise Illegal("not_your_disk", f"disk {disk.id} is another player's", "R3.6", place)
    if disk.place != RESERVE:
        raise Illegal("not_in_reserve", f"disk {disk.id} lies on the battlefield already", "R3.6", place)
    zone = state.zone_of(board, disk.id, placing.x, placing.y)
    if zone is None:
        raise Illegal("outside_zone", f"disk {disk.id} would not lie wholly inside an own zone", "R3.6", place)
    return zone


def example(board: Board, seat: Seat) -> Deploy:
    """A legal deployment: heroes first, then by number, side by side in the front of each zone."""
    waiting = sorted(state.reserve(board, seat), key=lambda disk: board.profile(disk.id).kind != "hero")
    placings: list[Placing] = []
    for number, count in counts(board, seat):
        zone = board.zones[number]
        for n, disk in enumerate(waiting[:count]):
            placings.append(_in_row(board, zone, disk.id, n, count))
        waiting = waiting[count:]
    return Deploy(tuple(placings))


def _in_row(board: Board, zone: Zone, disk: int, n: int, count: int) -> Placing:
    """Place n of count, evenly along the zone, at its border to the field."""
    radius = board.profile(disk).radius
    x = zone.x0 + (zone.x1 - zone.x0) * (2 * n + 1) // (2 * count)
    y = zone.y1 - radius if zone.y0 == 0 else zone.y0 + radius
    return Placing(disk, x, y)
