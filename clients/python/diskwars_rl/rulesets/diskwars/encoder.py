"""Diskwars in arrays: disks, cards, zones, terrain and the round, as one seat may know them.

Rows are written again only for disks that have changed: the structs of a board are frozen and shared from one board to
the next, so that a look at their identities is enough.
"""

from typing import Any

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board, Disk, Side
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeywordId
from diskwars_rl.arrays import Array, Arrays, Axes, Row, one_hot, prefixed, question_tag
from diskwars_rl.deeds import NO_PIECE

MAX_DISKS, MAX_CARDS, MAX_ZONES, MAX_TERRAIN = 96, 48, 16, 16
QUESTIONS = (
    *("first_player", "initiative_order", "scenario", "deployment_card", "terrain", "deployment", "scout"),
    *("command_card", "activation", "continuation", "scatter", "trigger_order", "engage_ability", "reinforcement"),
    *("rampage", "engagement", "melee_targets"),
)
PHASES = ("setup", "activation", "melee", "end")
STRATEGIES = ("bold", "steady", "devious", "slow")
KEYWORDS: tuple[TerrainKeywordId, ...] = (
    *("blocks_sight", "cave", "cover", "dangerous", "defensive", "fortified", "high_ground", "rough", "windmill"),
)

STATE = (
    *("present", "own", "on_battlefield", "in_reserve", "x", "y", "height", "damage", "wounds", "is_activated"),
    *("is_empowered", "weakened", "is_poisoned", "terrain"),
)
"""Columns of a disk that change with it; what follows is printed on it, or depends on other disks."""
PRINTED = (
    *("is_hero", "radius", "movement", "strength", "counter_strength", "toughness", "stamina", "cost", "shot_dice"),
    "keywords",
)
DISKS = Axes("pieces", (*STATE, *PRINTED, "pins", "pinned_by", "is_active"), MAX_DISKS)
CARDS = Axes(
    "cards",
    (
        *("present", *prefixed("strategy", STRATEGIES), "activations", "in_own_hand", "is_own_lock"),
        *("is_own_open", "is_enemy_open", "own_discards", "enemy_discards"),
    ),
    MAX_CARDS,
)
ZONES = Axes("zones", ("present", "own", "x0", "y0", "x1", "y1", "value"), MAX_ZONES)
TERRAIN = Axes("terrain", ("present", "x0", "y0", "x1", "y1", *KEYWORDS), MAX_TERRAIN)
ROUND = Axes(
    "match",
    (
        *("is_asked", *prefixed("question", QUESTIONS), "asked_piece", "activations_left", "flips_left", "round"),
        *("rounds", *prefixed("phase", PHASES), "own_turn", "own_points", "enemy_points", "own_cards", "enemy_cards"),
        *("own_has_locked", "enemies_locked", "own_is_out"),
    ),
)
OWN = DISKS.columns.index("own")
PINS, PINNED, ACTIVE = (DISKS.columns.index(name) for name in ("pins", "pinned_by", "is_active"))
FIRST_STATUS = CARDS.columns.index("in_own_hand")


class DiskwarsEncoder:
    """Fills the arrays of a match of Diskwars."""

    def __init__(self, board: Board) -> None:
        if len(board.disks) > MAX_DISKS or len(board.cards) > MAX_CARDS:
            raise ValueError(f"an observation holds {MAX_DISKS} disks and {MAX_CARDS} cards")
        self._disks: list[Disk | None] = [None] * len(board.disks)
        self._rows, self._owners = DISKS.zeros(), [disk.seat for disk in board.disks]
        for number in range(len(board.disks)):
            self._rows[number, len(STATE) : len(STATE) + len(PRINTED)] = _printed_row(board, number)
        self._own: dict[Seat, list[float]] = {}
        self._cards, self._numbers = _card_rows(board), {card.id: row for row, card in enumerate(board.cards)}
        self._sides: dict[Seat, tuple[tuple[Side, ...], Array]] = {}
        self._ground: dict[Seat, tuple[object, object, Array, Array]] = {}

    def encode(self, view: Board, seat: Seat, question: Any) -> Arrays:
        """Return the arrays for a seat."""
        match = ROUND.zeros()
        match[:] = _round_row(view, seat, question)
        zones, terrain = self._encode_ground(view, seat)
        cards = self._encode_cards(view, seat)
        return {"match": match, "pieces": self._encode_disks(view, seat), "cards": cards} | {
            "zones": zones,
            "terrain": terrain,
        }

    def _encode_disks(self, view: Board, seat: Seat) -> Array:
        known, rows = self._disks, self._rows
        for number, disk in enumerate(view.disks):
            if known[number] is not disk:
                known[number] = disk
                rows[number, : len(STATE)] = _state_row(view, disk)
        if seat not in self._own:
            self._own[seat] = [float(owner == seat) for owner in self._owners]
        pieces = rows.copy()
        pieces[: len(known), OWN] = self._own[seat]
        for pin in view.pins:
            pieces[pin.top, PINS] += 1.0
            pieces[pin.bottom, PINNED] += 1.0
        if view.active_disk is not None:
            pieces[view.active_disk, ACTIVE] = 1.0
        return pieces

    def _encode_cards(self, view: Board, seat: Seat) -> Array:
        known = self._sides.get(seat)
        if known is None or known[0] != view.sides:
            cards = self._cards.copy()
            for side in view.sides:
                self._mark_cards(cards, side, side.seat == seat)
            known = self._sides[seat] = (view.sides, cards)
        return known[1].copy()

    def _mark_cards(self, cards: Array, side: Side, is_own: bool) -> None:
        """Mark where the cards of a side are, as far as its view says it."""
        numbers = self._numbers
        if is_own and isinstance(side.hand, tuple):
            for id in side.hand:
                cards[numbers[id], FIRST_STATUS] += 1.0
        if is_own and isinstance(side.locked_card, str):
            cards[numbers[side.locked_card], FIRST_STATUS + 1] = 1.0
        if side.revealed_card is not None:
            cards[numbers[side.revealed_card], FIRST_STATUS + (2 if is_own else 3)] += 1.0
        for id in side.discards:
            cards[numbers[id], FIRST_STATUS + (4 if is_own else 5)] += 1.0

    def _encode_ground(self, view: Board, seat: Seat) -> tuple[Array, Array]:
        known = self._ground.get(seat)
        if known is None or known[0] is not view.zones or known[1] is not view.terrain:
            known = self._ground[seat] = (view.zones, view.terrain, _zone_rows(view, seat), _terrain_rows(view))
        return known[2].copy(), known[3].copy()


def _state_row(board: Board, disk: Disk) -> Row:
    field = board.field
    return (
        *(1.0, 0.0, float(disk.place == BATTLEFIELD), float(disk.place == RESERVE), disk.x / field.width),
        *(disk.y / field.height, min(disk.z, 999), disk.damage, disk.wounds, disk.activated, disk.empowered),
        *(disk.weakened, disk.poisoned, len(disk.terrain)),
    )


def _printed_row(board: Board, number: int) -> Row:
    profile = board.profile(number)
    return (
        *(float(profile.kind == "hero"), profile.radius / board.field.width, profile.movement, profile.strength),
        *(profile.counter_strength, profile.toughness, profile.stamina, profile.cost or profile.points),
        *(sum(shot.dice for shot in profile.shots), len(profile.keywords)),
    )


def _card_rows(board: Board) -> Array:
    rows = CARDS.zeros()
    for number, card in enumerate(board.cards):
        rows[number, :FIRST_STATUS] = (1.0, *one_hot(card.strategy, STRATEGIES), card.activations)
    return rows


def _zone_rows(board: Board, seat: Seat) -> Array:
    rows, field = ZONES.zeros(), board.field
    for number, zone in enumerate(board.zones[:MAX_ZONES]):
        x0, y0, x1, y1 = zone.x0 / field.width, zone.y0 / field.height, zone.x1 / field.width, zone.y1 / field.height
        rows[number] = (1.0, float(zone.seat == seat), x0, y0, x1, y1, zone.value)
    return rows


def _terrain_rows(board: Board) -> Array:
    """Return the boxes around the pieces of terrain, and their keywords."""
    rows, field = TERRAIN.zeros(), board.field
    for number, piece in enumerate(board.terrain[:MAX_TERRAIN]):
        xs, ys = [x / field.width for x, _ in piece.corners], [y / field.height for _, y in piece.corners]
        present = {keyword.id for keyword in piece.terrain.keywords}
        flags = [float(keyword in present) for keyword in KEYWORDS]
        rows[number] = (1.0, min(xs), min(ys), max(xs), max(ys), *flags)
    return rows


_QUESTION_ROWS: dict[str, tuple[float, ...]] = {tag: tuple(one_hot(tag, QUESTIONS)) for tag in (*QUESTIONS, "")}
_PHASE_ROWS: dict[str, tuple[float, ...]] = {phase: tuple(one_hot(phase, PHASES)) for phase in (*PHASES, "over")}


def _round_row(board: Board, seat: Seat, question: Any) -> Row:
    own = board.sides[seat]
    enemies = [side for side in board.sides if side.seat != seat]
    activations = question.activations_left if isinstance(question, a.ActivationQuestion) else 0
    flips = question.flips_left if isinstance(question, a.ContinuationQuestion) else 0
    return (
        *(float(question is not None), *_QUESTION_ROWS[question_tag(question)], getattr(question, "disk", NO_PIECE)),
        *(activations, flips, board.round, board.rounds, *_PHASE_ROWS[board.phase], float(board.active_seat == seat)),
        *(own.points, max(side.points for side in enemies), own.card_count, sum(side.card_count for side in enemies)),
        *(own.has_locked, sum(side.has_locked for side in enemies), own.eliminated),
    )
