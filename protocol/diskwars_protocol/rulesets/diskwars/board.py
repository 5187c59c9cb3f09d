"""The board of Diskwars and its fold.

`Board` is the whole position; values that a viewer may not know are None. `fold` is total on recorded events: it
derives nothing from rules, refuses nothing and rolls nothing. The engine's state is this board with nothing hidden.
Lengths are micrometres."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar, assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.identifiers import Identified, find_by_id
from diskwars_protocol.match import Match, Pack, Seat
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.actions import DiskId, DiskwarsSettings, Question
from diskwars_protocol.rulesets.diskwars.events import Engagement, Phase, Pin
from diskwars_protocol.rulesets.diskwars.setup_cards import LaidCard, Layout, TerrainPiece, Zone
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Symbol
from diskwars_protocol.sealed import Sealed

RESERVE = "reserve"  # R3.6.5 not deployed
BATTLEFIELD = "battlefield"
CASUALTY = "casualty"  # R1.6 destroyed; never the reserve again
WITHDRAWN = "gone"
"""Out of the game without having been destroyed: what was left of a player who is out."""


# The structs of the vocabulary are frozen and built from their parts, so they form no cycles. `gc=False` spares the
# collector from visiting them: a log of 10,000 events decodes and folds at 175,000 events per second, not 111,000.


class Disk(Struct, frozen=True, gc=False, omit_defaults=True):
    """One disk (R1.2).

    `place` is one of reserve, battlefield, casualty, gone; x, y, z count on the battlefield only, a greater z lies
    higher; `terrain` are the pieces of terrain that it lies on, by number.
    """

    id: DiskId
    seat: Seat
    profile: int
    place: str = RESERVE
    x: int = 0
    y: int = 0
    z: int = 0
    damage: int = 0
    wounds: int = 0
    activated: bool = False
    empowered: bool = False
    weakened: int = 0
    poisoned: bool = False
    terrain: tuple[int, ...] = ()


class Side(Struct, frozen=True, gc=False):
    """One player: cards, and the name of the army.

    `hand`, `locked_card` and `locked_salt` are None where hidden (the latter two also when nothing is locked). So are
    `drawn_scenarios`, the scenario cards that the last player chose from, and `objective` until `objective_revealed`.
    """

    seat: Seat
    hand: tuple[str, ...] | None = None
    card_count: int = 0
    has_locked: bool = False
    locked_card: str | None = None
    locked_salt: str | None = None
    revealed_card: str = ""
    discards: tuple[str, ...] = ()
    eliminated: bool = False
    points: int = 0
    army: str = ""
    drawn_scenarios: tuple[str, ...] | None = None
    objective: str | None = None
    objective_revealed: bool = False


class Board(Struct, frozen=True, gc=False):
    """A position.

    `pins` are sorted; `terrain` are the pieces on the field; `cursor` is what the rules have still to do, an opaque
    text that only they read. `revealed_salts` are those of all cards revealed so far.
    """

    settings: DiskwarsSettings
    field: Field
    battle_die: tuple[Symbol, ...]
    profiles: tuple[Profile, ...]
    cards: tuple[CommandCard, ...]
    zones: tuple[Zone, ...]
    packs: tuple[Pack, ...]
    rounds: int
    disks: tuple[Disk, ...]
    sides: tuple[Side, ...]
    pins: tuple[Pin, ...] = ()
    order: tuple[Seat, ...] = ()
    round: int = 0
    phase: Phase = "setup"
    top_z: int = 0
    active_seat: Seat | None = None
    active_disk: DiskId | None = None
    engagements: tuple[Engagement, ...] = ()
    active_engagement: int | None = None
    cursor: str = ""
    layout: Layout = Layout()
    terrain: tuple[TerrainPiece, ...] = ()
    revealed_salts: tuple[str, ...] = ()

    def profile(self, disk: DiskId) -> Profile:
        """Return what is printed on a disk."""
        return self.profiles[self.disks[disk].profile]

    def card(self, id: str) -> CommandCard:
        """A command card by its id. Raises KeyError for a card that this match does not hold."""
        return find_by_id(self.cards, id)

    def card_name(self, id: str) -> str:
        """The display name of a card of any kind; the id itself for one that this match does not hold."""
        decks: tuple[tuple[Identified, ...], ...] = (
            self.cards,
            self.layout.scenarios,
            self.layout.deployments,
            self.layout.terrain,
        )
        return next((card.name for deck in decks for card in deck if card.id == id), id)


T = TypeVar("T", int, Pin)

DiskwarsMatch: TypeAlias = Match[Question, Board]


def fold(board: Board | None, event: e.BoardEvent) -> Board:
    """Return the board after one more event. Raises ValueError when the first is not `MatchStarted`."""
    if board is None and not isinstance(event, e.MatchStarted):
        raise ValueError(f"a board begins with match_started, not with {type(event).__name__}")
    return _FOLDS[type(event)](board, event)


def _start_board(board: Board | None, event: e.MatchStarted) -> Board:
    return Board(
        settings=event.settings,
        field=event.field,
        battle_die=event.battle_die,
        profiles=event.profiles,
        cards=event.cards,
        zones=event.zones,
        packs=event.packs,
        rounds=event.rounds,
        disks=tuple(Disk(number, owned.seat, owned.profile) for number, owned in enumerate(event.disks)),
        sides=tuple(Side(seat, army=army.name) for seat, army in enumerate(event.armies)),
        layout=Layout(scenarios=event.scenarios, deployments=event.deployments, terrain=event.terrain),
    )


def _fold_setup(board: Board, event: e.SetupEvent) -> Board:
    match event:
        case e.HandTaken():
            hand = None if isinstance(event.cards, Sealed) else event.cards
            return _with_side(board, replace(board.sides[event.seat], hand=hand, card_count=event.count))
        case e.InitiativeRolled():
            return board
        case e.OrderSet():
            return replace(board, order=event.order)
        case e.DisksDeployed():
            for placed in event.disks:
                board = _place_disk(board, placed, placed.terrain, board.pins)
            return _change_pins(board, event.pins_gained, ())
        case _:
            assert_never(event)


def _fold_layout(board: Board, event: se.LayoutEvent) -> Board:
    layout = board.layout
    match event:
        case se.EdgesDrawn():
            return replace(board, layout=replace(layout, edges=event.edges))
        case se.DeploymentCardsDealt() | se.TerrainCardsDealt():
            return replace(board, layout=replace(layout, offered_cards=event.cards))
        case se.DeploymentCardLaid():
            laid = (*layout.laid_cards, LaidCard(event.seat, event.card, event.face, event.offset))
            return replace(_without_offered(board, event.card, replace(layout, laid_cards=laid)), zones=event.zones)
        case se.SetupCardDiscarded():
            return _without_offered(board, event.card, layout)
        case se.TerrainPlaced():
            return replace(_without_offered(board, event.card, layout), terrain=(*board.terrain, event.piece))
        case _:
            assert_never(event)


def _without_offered(board: Board, card: str, layout: Layout) -> Board:
    """The card lies no longer among those that are offered."""
    return replace(
        board, layout=replace(layout, offered_cards=tuple(name for name in layout.offered_cards if name != card))
    )


def _fold_scenario(board: Board, event: se.ScenarioEvent) -> Board:
    match event:
        case se.ScenariosDrawn():
            drawn = None if isinstance(event.cards, Sealed) else event.cards
            return _with_side(board, replace(board.sides[event.seat], drawn_scenarios=drawn))
        case se.ScenarioChosen():
            return replace(board, layout=replace(board.layout, active_scenario=event.scenario))
        case se.ObjectiveDealt():
            objective = None if isinstance(event.scenario, Sealed) else event.scenario
            return _with_side(board, replace(board.sides[event.seat], objective=objective))
        case se.ObjectivesRevealed():
            for seat, objective in enumerate(event.scenarios):
                if objective:
                    board = _with_side(board, replace(board.sides[seat], objective=objective, objective_revealed=True))
            return board
        case _:
            assert_never(event)


def _fold_course(board: Board, event: e.CourseEvent) -> Board:
    match event:
        case e.ActivationBegan():
            return replace(board, active_disk=event.disk)
        case e.ActivationEnded():
            disk = board.disks[event.disk]
            disks = _replace_disk(board.disks, replace(disk, activated=True)) if event.activated else board.disks
            return replace(board, disks=disks, active_disk=None)
        case e.RoundBegan():
            return replace(board, round=event.round)
        case e.PhaseBegan():
            return replace(board, phase=event.phase, active_seat=None)
        case e.TokensCleared():
            plain = [disk for disk in event.disks if disk not in event.still_poisoned]
            return _change_disks(
                _change_disks(board, plain, _clear_tokens), event.still_poisoned, _clear_all_but_damage
            )
        case e.SeatEliminated():
            return _with_side(board, _without_cards(board.sides[event.seat]))
        case e.DisksWithdrawn():
            return _change_pins(_change_disks(board, event.disks, _withdraw_disk), event.pins_gained, event.pins_lost)
        case e.ReservesLost():
            return _change_disks(board, event.disks, _casualty)
        case e.Scored():
            sides = tuple(replace(side, points=points) for side, points in zip(board.sides, event.points, strict=True))
            return replace(board, sides=sides)
        case _:
            assert_never(event)


def _fold_card(board: Board, event: e.CardEvent) -> Board:
    match event:
        case e.CardLocked():
            card = None if isinstance(event.card, Sealed) else event.card
            salt = None if isinstance(event.salt, Sealed) else event.salt
            return _with_side(
                board, replace(board.sides[event.seat], has_locked=True, locked_card=card, locked_salt=salt)
            )
        case e.CardsRevealed():
            for shown in event.cards:
                board = _with_side(board, _reveal_card(board.sides[shown.seat], shown.card))
            return replace(board, revealed_salts=(*board.revealed_salts, *(shown.salt for shown in event.cards)))
        case e.CardBegan():
            return replace(board, active_seat=event.seat)
        case e.CardsDiscarded():
            return replace(board, active_seat=None, sides=tuple(_discard_card(side) for side in board.sides))
        case e.CardsReturned():
            return replace(board, sides=tuple(_return_cards(side) for side in board.sides))
        case _:
            assert_never(event)


def _reveal_card(side: Side, card: str) -> Side:
    hand = None if side.hand is None else tuple(held for held in side.hand if held != card)
    return replace(
        side,
        hand=hand,
        card_count=side.card_count - 1,
        has_locked=False,
        locked_card=None,
        locked_salt=None,
        revealed_card=card,
    )


def _discard_card(side: Side) -> Side:
    if not side.revealed_card:
        return side
    return replace(side, revealed_card="", discards=(*side.discards, side.revealed_card))


def _without_cards(side: Side) -> Side:
    hand = None if side.hand is None else ()
    bare = replace(
        side,
        hand=hand,
        card_count=0,
        has_locked=False,
        locked_card=None,
        locked_salt=None,
        revealed_card="",
        discards=(),
    )
    return replace(bare, eliminated=True)


def _return_cards(side: Side) -> Side:
    hand = None if side.hand is None else side.hand + side.discards
    return replace(side, hand=hand, card_count=side.card_count + len(side.discards), discards=())


def _fold_disk(board: Board, event: e.DiskEvent) -> Board:
    match event:
        case e.DiskFlipped():
            ground = _add_and_remove(board.disks[event.disk].terrain, event.terrain_entered, event.terrain_left)
            return _place_disk(board, event, ground, _add_and_remove(board.pins, event.pins_gained, event.pins_lost))
        case e.DiskReinforced():
            ground = _add_and_remove(board.disks[event.disk].terrain, event.terrain_entered, ())
            return _place_disk(board, event, ground, _add_and_remove(board.pins, event.pins_gained, event.pins_lost))
        case e.DamageDealt() | e.DiskHealed():
            return _with_disk(board, replace(board.disks[event.disk], damage=event.tokens))
        case e.DiskPoisoned():
            return _with_disk(board, replace(board.disks[event.disk], poisoned=event.poisoned))
        case e.DiskWounded():
            wounded = replace(board.disks[event.disk], damage=0, poisoned=False, wounds=event.wounds)
            return _with_disk(board, wounded)
        case e.DisksRemoved():
            return _change_pins(_change_disks(board, event.disks, _casualty), event.pins_gained, event.pins_lost)
        case e.ActivationTokenChanged():
            return _with_disk(board, replace(board.disks[event.disk], activated=event.activated))
        case e.DiskEmpowered():
            return _with_disk(board, replace(board.disks[event.disk], empowered=event.empowered))
        case e.DiskWeakened():
            return _with_disk(board, replace(board.disks[event.disk], weakened=event.reduction))
        case _:
            assert_never(event)


def _fold_melee(board: Board, event: e.MeleeEvent) -> Board:
    match event:
        case e.EngagementsFrozen():
            return replace(board, engagements=event.engagements)
        case e.EngagementBegan():
            return replace(board, active_engagement=event.engagement)
        case e.BlowsStruck():
            engagement = board.engagements[event.engagement]
            struck = (*engagement.strikers, *sorted({blow.disk for blow in event.blows}))
            return _with_engagement(board, event.engagement, replace(engagement, strikers=struck))
        case e.EngagementEnded():
            ended = replace(board.engagements[event.engagement], resolved=True)
            # one that is dropped while another is fought ends without that
            fighting = None if board.active_engagement == event.engagement else board.active_engagement
            return _with_engagement(replace(board, active_engagement=fighting), event.engagement, ended)
        case _:
            assert_never(event)


def _clear_tokens(disk: Disk) -> Disk:
    return replace(disk, damage=0, activated=False, empowered=False, weakened=0, poisoned=False)


def _clear_all_but_damage(disk: Disk) -> Disk:
    """Remove all tokens of a poisoned disk except its damage and the poison."""
    return replace(disk, activated=False, empowered=False, weakened=0)


def _casualty(disk: Disk) -> Disk:
    """A casualty keeps nothing: what lay on it goes back to the box."""
    return Disk(disk.id, disk.seat, disk.profile, place=CASUALTY)


def _withdraw_disk(disk: Disk) -> Disk:
    return Disk(disk.id, disk.seat, disk.profile, place=WITHDRAWN)


def _change_disks(board: Board, disks: Sequence[DiskId], change: Callable[[Disk], Disk]) -> Board:
    if not disks:
        return board
    changed = list(board.disks)
    for number in disks:
        changed[number] = change(changed[number])
    return replace(board, disks=tuple(changed))


def _place_disk(
    board: Board,
    there: e.DeployedDisk | e.DiskFlipped | e.DiskReinforced,
    ground: tuple[int, ...],
    pins: tuple[Pin, ...],
) -> Board:
    x, y, z = there.x, there.y, there.z
    disk = replace(board.disks[there.disk], place=BATTLEFIELD, x=x, y=y, z=z, terrain=ground)
    return replace(board, disks=_replace_disk(board.disks, disk), top_z=max(board.top_z, z), pins=pins)


def _change_pins(board: Board, gained: tuple[Pin, ...], lost: tuple[Pin, ...]) -> Board:
    return replace(board, pins=_add_and_remove(board.pins, gained, lost)) if gained or lost else board


def _add_and_remove(before: tuple[T, ...], gained: tuple[T, ...], lost: tuple[T, ...]) -> tuple[T, ...]:
    """Return the sorted tuple of what is left and what is new."""
    if not (gained or lost):
        return before
    kept = set(before)
    kept.difference_update(lost)
    kept.update(gained)
    return tuple(sorted(kept))


def _replace_disk(disks: tuple[Disk, ...], disk: Disk) -> tuple[Disk, ...]:
    """Return the disks of the board with one of them replaced."""
    changed = list(disks)
    changed[disk.id] = disk
    return tuple(changed)


def _with_disk(board: Board, disk: Disk) -> Board:
    return replace(board, disks=_replace_disk(board.disks, disk))


def _with_side(board: Board, side: Side) -> Board:
    return replace(board, sides=(*board.sides[: side.seat], side, *board.sides[side.seat + 1 :]))


def _with_engagement(board: Board, number: int, engagement: Engagement) -> Board:
    return replace(board, engagements=(*board.engagements[:number], engagement, *board.engagements[number + 1 :]))


def _keep_board(board: Board, event: e.RollEvent) -> Board:
    return board


_FOLDS_BY_GROUP: tuple[tuple[object, Callable[..., Board]], ...] = (
    (e.SetupEvent, _fold_setup),
    (se.LayoutEvent, _fold_layout),
    (se.ScenarioEvent, _fold_scenario),
    (e.CardEvent, _fold_card),
    (e.CourseEvent, _fold_course),
    (e.RollEvent, _keep_board),
    (e.DiskEvent, _fold_disk),
    (e.MeleeEvent, _fold_melee),
)
# A table, because `match` over more than fifty types calls isinstance on one msgspec struct after another, 0.1 µs each.
_FOLDS: dict[type, Callable[..., Board]] = {
    e.MatchStarted: _start_board,
    **{kind: change for group, change in _FOLDS_BY_GROUP for kind in get_args(group)},
}
"""Which function folds which event. A table, for `match` would ask one class after another."""
