"""Checks of positions of Diskwars that come from outside: whether a match can have come to them."""

from collections.abc import Iterator, Mapping
from math import isqrt
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import fields

from diskwars_engine.position_checks import (
    changed_entries,
    changed_figures,
    limit_problems,
    out_of_bounds,
    unbounded_figures,
    wrong_order,
    wrong_references,
)
from diskwars_engine.ruleset import PositionTerms, UnreadableCursor
from diskwars_engine.rulesets.diskwars import invariants, rounds, zones
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_engine.rulesets.diskwars.setup import setup
from diskwars_engine.rulesets.diskwars.setup.army_rules import army_faults
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Side
from diskwars_protocol.rulesets.diskwars.events import Cause
from diskwars_protocol.rulesets.diskwars.setup_cards import Layout, Terrain, TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import Profile

CONTENT_FIELDS = ("field", "battle_die", "cards", "profiles")
LAYOUT_FIELDS = ("scenarios", "deployments", "terrain")
MAX_TASKS = 400
"""Tasks of a cursor. A move with many triggers has left 30 in play."""
MAX_DISKS = 400
MAX_TOKENS = 1000
MAX_HEIGHT = 1_000_000
"""Bounds far above what play has ever given."""
ROUNDING = 4
"""Micrometres by which the sides of a piece that was turned may differ, for its corners are rounded."""

T = TypeVar("T", bound=Struct)


def check(content: Catalogue, board: Board, terms: PositionTerms) -> list[str]:
    """List why no match under these terms can have come to a board."""
    faults = [*limit_problems(board), *_match(board, terms)]
    faults = faults or [*_disks(board), *_sides(board)]
    if terms.has_known_figures:
        faults = faults or [*_content(content, board), *_armies(content, board)]
    else:
        faults = faults or [*unbounded_figures(board, (*CONTENT_FIELDS, "layout"))]
    faults = faults or [*_layout(board), *_terrain(board), *_course(board), *_engagements(board), *_cursor(board)]
    return faults or [f"$: {problem}" for problem in invariants.check(board)]


def _match(board: Board, terms: PositionTerms) -> Iterator[str]:
    if board.settings != terms.settings:
        yield "$.settings: these are not the settings of the match"
    if board.rounds != setup.ROUNDS:
        yield f"$.rounds: a match has {setup.ROUNDS}"
    if [side.seat for side in board.sides] != list(range(terms.seat_count)):
        yield f"$.sides: they are not those of {terms.seat_count} seats"
    yield from out_of_bounds("$.disks", len(board.disks), 1, MAX_DISKS)


# ---------------------------------------------------------------- content


def _content(content: Catalogue, board: Board) -> Iterator[str]:
    """Yield what differs from the packs."""
    full = board.settings.setup == "full"
    names = list(dict.fromkeys(profile.id for profile in board.profiles))
    if len(names) != len(board.profiles) or not {*names} <= content.disks.keys():
        yield "$.profiles: they are not those of different disks of the packs"
        return
    yield from changed_entries([content.disks[name] for name in names], board.profiles, PROFILE_FIELDS, "$.profiles")
    yield from changed_figures(_Table(content.field, content.battle_die), board, ("field", "battle_die"))
    yield from changed_entries(list(content.cards.values()), board.cards, CARD_FIELDS, "$.cards")
    right = Layout(
        scenarios=setup.match_scenarios(content, board.settings),
        deployments=_sorted_by_id(content.deployments) if full else (),
        terrain=_sorted_by_id(content.terrain) if full else (),
    )
    yield from changed_figures(right, board.layout, LAYOUT_FIELDS, "$.layout")


class _Table(Struct, frozen=True):
    field: object
    battle_die: object


PROFILE_FIELDS = tuple(field.name for field in fields(Profile) if field.name not in ("name", "short_name"))
CARD_FIELDS = ("id", "strategy", "activations", "faction", "abilities")


def _sorted_by_id(named: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(named[name] for name in sorted(named))


def _armies(content: Catalogue, board: Board) -> Iterator[str]:
    """Yield the armies that no player can bring: their disks, and the cards that are left of their hands."""
    for side in board.sides:
        place, own = f"$.sides[{side.seat}]", _regiments(board, side.seat)
        id = None if side.army is None else side.army.id
        printed = None if id is None else content.armies.get(id)
        if id is not None and (printed is None or printed.regiments != own):
            yield f"{place}.army: its disks are not those of {id}"
        hand = _cards(side)
        army = Army(id or "", "", own, () if printed is None else printed.hand)
        found = army_faults(army, content.disks, content.cards, board.settings.regiments)
        yield from (f"{place}: {fault}" for fault in found if fault.place[:1] != ("hand",))
        if not {*hand} <= content.cards.keys() or (printed is not None and not {*hand} <= {*printed.hand}):
            yield f"{place}.hand: a card that the army cannot hold"


def _regiments(board: Board, seat: Seat) -> tuple[Regiment, ...]:
    """Return the regiments of a seat: each hero is followed by its units."""
    regiments: list[Regiment] = []
    for disk in board.disks:
        profile = board.profile(disk.id)
        if disk.seat == seat and profile.kind == "hero":
            regiments.append(Regiment(profile.id, ()))
        elif disk.seat == seat:
            last = regiments.pop()  # IndexError: the first disk of an army is a hero
            regiments.append(Regiment(last.hero, (*last.units, profile.id)))
    return tuple(regiments)


# ---------------------------------------------------------------- disks and cards


def _disks(board: Board) -> Iterator[str]:
    seats = [disk.seat for disk in board.disks]
    if seats != sorted(seats) or not {*seats} <= set(range(len(board.sides))):
        yield "$.disks: they are not in the order of the seats"
    for number, disk in enumerate(board.disks):
        place = f"$.disks[{number}]"
        if disk.id != number:
            yield f"{place}.id: it is number {number}"
        if not 0 <= disk.profile < len(board.profiles):
            yield f"{place}.profile: there is none such"
            continue
        yield from wrong_references(f"{place}.terrain", disk.terrain, len(board.terrain))
        yield from out_of_bounds(f"{place}.z", disk.z, 0, min(board.top_z, MAX_HEIGHT))
        for name in ("damage", "wounds", "weakened"):
            yield from out_of_bounds(f"{place}.{name}", getattr(disk, name), 0, MAX_TOKENS)
        if disk.place == BATTLEFIELD and board.sides[disk.seat].eliminated:
            yield f"{place}.place: its player is out of the game"


def _cards(side: Side) -> list[str]:
    """Return the cards of a seat, wherever they are."""
    hand = side.hand if isinstance(side.hand, tuple) else ()
    return [*hand, *side.discards, *([] if side.revealed_card is None else [side.revealed_card])]


def _sides(board: Board) -> Iterator[str]:
    known = {card.id for card in board.cards}
    scenarios = {scenario.id for scenario in board.layout.scenarios}
    for side in board.sides:
        place, cards = f"$.sides[{side.seat}]", _cards(side)
        secrets = (side.hand, side.locked_card, side.locked_salt, side.drawn_scenarios, side.objective)
        if any(isinstance(secret, Sealed) for secret in secrets):
            yield f"{place}: it is sealed"
        if len({*cards}) != len(cards) or not {*cards} <= known:
            yield f"{place}.hand: the same card twice, or one that the match does not hold"
        if side.has_locked != (side.locked_card is not None) or side.has_locked != bool(side.locked_salt):
            yield f"{place}.locked_card: a card is locked with its salt, or none"
        hand = side.hand if isinstance(side.hand, tuple) else ()
        if side.locked_card is not None and side.locked_card not in hand:
            yield f"{place}.locked_card: it is not in the hand"
        drawn = side.drawn_scenarios if isinstance(side.drawn_scenarios, tuple) else ()
        named = [*drawn, *([side.objective] if isinstance(side.objective, str) else [])]
        if not {*named} <= scenarios:
            yield f"{place}.objective: the match has no such scenario"
        yield from out_of_bounds(f"{place}.points", side.points, 0, MAX_TOKENS)


# ---------------------------------------------------------------- the field


def _layout(board: Board) -> Iterator[str]:
    layout, seats = board.layout, len(board.sides)
    if board.settings.setup != "full":
        if board.zones != zones.quick_zones(board.field, seats, board.settings.regiments):
            yield "$.zones: they are not those of a quick set-up"
        if layout.edges or layout.laid_cards or layout.offered_cards or layout.active_scenario or board.terrain:
            yield "$.layout: a quick set-up lays no cards"
        return
    if not {*layout.edges} <= {*zones.EDGES_BY_SEAT_COUNT[seats]} or not (
        len({*layout.edges}) == len(layout.edges) == seats
    ):
        yield "$.layout.edges: each seat has an edge of its own"
    if layout.active_scenario is not None:
        layout.scenario_card(layout.active_scenario)
    if len({card.card for card in layout.laid_cards}) != len(layout.laid_cards):
        yield "$.layout.laid_cards: the same card twice"
    for card in layout.laid_cards:
        yield from wrong_references("$.layout.laid_cards.seat", [card.seat], seats)
        start, end = zones.usable_span(board.field, layout.edges[card.seat], seats)
        width = layout.deployment_card(card.card).width
        yield from out_of_bounds("$.layout.laid_cards.offset", card.offset, start, end - width)
    if board.zones != zones.merge_zones(board, layout.laid_cards):
        yield "$.zones: they are not those of the cards that are laid"
    offered = {card.id for card in layout.deployments} | {card.id for card in layout.terrain}
    if not {*layout.offered_cards} <= offered or len({*layout.offered_cards}) != len(layout.offered_cards):
        yield "$.layout.offered_cards: the match has no such cards"


def _terrain(board: Board) -> Iterator[str]:
    for number, piece in enumerate(board.terrain):
        place = f"$.terrain[{number}]"
        if not any(piece.terrain in card.faces for card in board.layout.terrain):
            yield f"{place}.terrain: it is on no card of the match"
        if not _has_shape(piece, piece.terrain):
            yield f"{place}.corners: they are not those of the piece"
        if not all(0 <= x <= board.field.width and 0 <= y <= board.field.height for x, y in piece.corners):
            yield f"{place}.corners: it lies off the field"
    yield from out_of_bounds("$.terrain", len(board.terrain), 0, len(board.layout.terrain))


def _has_shape(piece: TerrainPiece, terrain: Terrain) -> bool:
    """Return whether corners are those of a piece that was turned and moved: all their distances are."""
    found, printed = piece.corners, terrain.corners
    if len(found) != len(printed):
        return False
    pairs = [(one, other) for one in range(len(found)) for other in range(one)]
    return all(
        abs(_distance(found[one], found[other]) - _distance(printed[one], printed[other])) <= ROUNDING
        for one, other in pairs
    )


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return the distance of two points in micrometres. Integers: the same on every machine."""
    return isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


# ---------------------------------------------------------------- the course of the match


def _course(board: Board) -> Iterator[str]:
    if board.order or board.phase != "setup":
        yield from wrong_order("$.order", board.order, len(board.sides))
    yield from out_of_bounds("$.round", board.round, 0, board.rounds)
    if (board.phase == "setup") != (board.round == 0):
        yield "$.phase: round 1 begins after the set-up"
    yield from out_of_bounds("$.top_z", board.top_z, 0, MAX_HEIGHT)
    yield from wrong_references("$.active_disk", [board.active_disk], len(board.disks))
    yield from wrong_references("$.active_seat", [board.active_seat], len(board.sides))
    most = (board.round + 1) * len(board.sides) * len(board.cards)
    yield from out_of_bounds("$.revealed_salts", len(board.revealed_salts), 0, most)


def _engagements(board: Board) -> Iterator[str]:
    yield from wrong_references("$.active_engagement", [board.active_engagement], len(board.engagements))
    yield from out_of_bounds("$.engagements", len(board.engagements), 0, len(board.disks))
    for number, engagement in enumerate(board.engagements):
        place, disks = f"$.engagements[{number}]", len(board.disks)
        yield from wrong_references(place, (*engagement.attackers, *engagement.defenders), disks)
        yield from out_of_bounds(f"{place}.links", len(engagement.links), 0, disks * disks)
        yield from out_of_bounds(f"{place}.strikers", len(engagement.strikers), 0, MAX_TOKENS)
        for link in engagement.links:
            yield from _names(board, link, f"{place}.links")
        for striker in engagement.strikers:
            yield from wrong_references(f"{place}.strikers", [striker], disks)


def _cursor(board: Board) -> Iterator[str]:
    """Yield what is wrong with the tasks that are still to do."""
    try:
        tasks = rounds.tasks_of(board)
    except UnreadableCursor as unreadable:
        yield f"$.cursor: {unreadable.text}"
        return
    yield from out_of_bounds("$.cursor", len(tasks), 1, MAX_TASKS)
    for task in tasks:
        yield from _names(board, task, "$.cursor")


_COUNTED: Mapping[str, str] = {
    "disk": "disks",
    "disks": "disks",
    "enemy": "disks",
    "source": "disks",
    "target": "disks",
    "targets": "disks",
    "shooter": "disks",
    "candidates": "disks",
    "seat": "sides",
    "seats": "sides",
    "piece": "terrain",
    "engagement": "engagements",
}
"""By the name of a field of a task: the list of the board into which its numbers lead."""
MAX_TASK_FIGURE = 200
"""Rounds, flips, activations, dice: no number of a task is as large."""
MAX_STRENGTH = 1000


def _names(board: Board, part: Struct, place: str) -> Iterator[str]:
    """Yield the numbers of a task, or of a part of one, that lead nowhere or are too large."""
    for field in fields(part):
        value, here = getattr(part, field.name), f"{place}.{field.name}"
        entries = _COUNTED.get(field.name)
        most = MAX_TASK_FIGURE if entries is None else len(getattr(board, entries)) - 1
        values = value if isinstance(value, tuple) else (value,)
        yield from out_of_bounds(here, len(values), 0, MAX_TASKS)
        for number in values:
            if isinstance(number, Struct) and not isinstance(number, Cause):
                yield from _names(board, number, here)
            elif isinstance(number, int) and not isinstance(number, bool):
                yield from out_of_bounds(here, number, 0, most)
