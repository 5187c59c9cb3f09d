"""Forecast of a landing before any melee, in the order of R8.5: Impact, Guard, then the engage abilities of both sides.

After each of these, disks whose toughness has fallen are wounded (R-45), and pins laid bare let abilities work (R6.6).
The page computes the same: clients/web/src/rulesets/diskwars/forecast/clash.ts.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from diskwars_client.rulesets.diskwars.wounds import (
    Fall,
    Fate,
    Wounding,
    landed_board,
    settle,
    strike,
    with_disk,
    wound,
)
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.actions import Vector
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Pin
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordKind
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    DamageType,
    DealDamage,
    DealDamageNear,
    Effect,
    ReduceToughness,
    RemoveEmpowerment,
)

StrikeCause: TypeAlias = Literal["ability", "guard", "impact"]


class Strike(Struct, frozen=True):
    """Damage that one disk deals another before the melee; `dealt` is what Immune and Resistant reduce to `taken`.

    `tokens` is the damage of the target with it.
    """

    cause: StrikeCause
    disk: int
    target: int
    dealt: int
    taken: int
    tokens: int
    toughness: int
    fate: Fate


class Engage(NamedTuple):
    """An engage event of a disk with an enemy (R6.6)."""

    user: int
    enemy: int


class Clash(Struct, frozen=True):
    """Certain consequences of a landing or an ability, and what a die or a player decides about them.

    `open` are abilities of which a die or a player decides the effect, or that deal no damage. `stripper` takes the
    empowerment of the disk that lands (R16.7). A path pauses where something follows from the landing.
    """

    board: Board
    strikes: tuple[Strike, ...] = ()
    falls: tuple[Fall, ...] = ()
    open: tuple[tuple[int, Ability], ...] = ()
    stripper: int | None = None
    is_order_open: bool = False
    is_pause: bool = False


def flat_amount(amount: Amount | None) -> int | None:
    """Return an amount that no die decides; None for another."""
    return amount.flat if amount is not None and not amount.d6 else None


def landing_clash(board: Board, disk: int, x: int, y: int, *, is_move: bool, is_last: bool = True) -> Clash:
    """Return what a landing certainly does; `board` is the one on which the flip begins.

    A reinforcement has neither Impact nor Guard (R9.4, R16.2). Falls of toughness are tested where the move pauses or
    ends: of a landing without consequences `is_last` says whether it does.
    """
    pinned = [pin.bottom for pin in position.pins_if_placed(board, disk, x, y)]
    enemies = [other for other in pinned if position.are_enemies(board, disk, other)]
    field = _Field(landed_board(board, disk, x, y))
    profile = board.profile(disk)
    struck = (pinned if board.settings.impact_own else enemies) if is_move else []
    if is_move:
        field.strip(disk)
    impact = keywords.impact_amount(profile) if struck else None
    field.is_pause = bool(
        enemies
        or impact is not None
        or _has_ground_tasks(board, field.board, disk)
        or not position.is_fielded(field.board, disk)
    )
    if not is_last and not field.is_pause:
        return field.clash()
    field.settle()
    if (dealt := flat_amount(impact)) is not None:
        unprotected = [other for other in struck if not terrain.is_fortified(field.board, other)]  # R10.7
        field.strike("impact", disk, unprotected, dealt, "physical")
    for enemy in enemies if is_move else ():
        if (dealt := flat_amount(keywords.guard_amount(board.profile(enemy)))) is not None:
            field.strike("guard", enemy, [disk], dealt, "physical")
    field.trigger([engage for enemy in enemies for engage in (Engage(disk, enemy), Engage(enemy, disk))])  # R6.7
    return field.clash()


class PathStep(Struct, frozen=True):
    """One landing of a path, the board on which its flip begins, and what it brings besides melee."""

    x: int
    y: int
    before: Board
    clash: Clash
    is_passed: bool


def path_steps(board: Board, disk: int, path: Sequence[Vector]) -> Iterator[PathStep]:
    """Yield the landings of a path, up to the one that its disk does not survive; all of them are on the field.

    A flying disk only passes those before its last (R8.7).
    """
    for number, (dx, dy) in enumerate(path, 1):
        now, is_last = board.disks[disk], number == len(path)
        x, y, before = now.x + dx, now.y + dy, board
        is_passed = keywords.is_flying(board.profile(disk)) and not is_last
        clash = (
            passage(board, disk, x, y) if is_passed else landing_clash(board, disk, x, y, is_move=True, is_last=is_last)
        )
        yield PathStep(x, y, before, clash, is_passed)
        board = clash.board
        if not position.is_fielded(board, disk):
            return


def passage(board: Board, disk: int, x: int, y: int) -> Clash:
    """Return what a flying disk certainly loses at a place that it passes (R8.7, R16.7)."""
    field = _Field(landed_board(board, disk, x, y, is_flight=True))
    field.strip(disk)
    field.is_pause = not position.is_fielded(field.board, disk)
    return field.clash()


def _has_ground_tasks(before: Board, after: Board, disk: int) -> bool:
    """Return whether the ground under a landing stops the path, or rolls for its damage (R10.5, R10.9)."""
    if keywords.ignores_terrain(after.profile(disk)):
        return False
    rough = terrain.pieces_with_keyword(after, disk, terrain.ROUGH)
    entered = [number for number in rough if number not in before.disks[disk].terrain]
    return bool(entered or terrain.pieces_with_keyword(after, disk, terrain.DANGEROUS))


def blow(board: Board, disk: int, target: int | None, effect: Effect) -> Clash | None:
    """Return what an ability that is used certainly does; None where it strikes nobody, or a die decides how hard."""
    field = _Field(board)
    match effect:
        case DealDamage() if target is not None and (dealt := flat_amount(effect.amount)) is not None:
            field.strike("ability", disk, field.blast(target, effect), dealt, effect.damage_type)
        case DealDamageNear() if (dealt := flat_amount(effect.amount)) is not None:
            field.strike("ability", disk, field.enemies_within(disk, effect), dealt, effect.damage_type)
        case ReduceToughness() if target is not None:
            field.weaken(target, effect.toughness)
        case _:
            return None
    field.trigger(())
    return field.clash()


def aftermath(board: Board, target: int) -> Clash:
    """Return what a wound of a disk brings besides: without stamina it leaves the board (R6.4, R13.5, R-45)."""
    field = _Field(board)
    field.wound(target)
    field.trigger(())
    return field.clash()


class _Field:
    """The board as one consequence after another changes it."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.is_pause = False
        self._strikes: list[Strike] = []
        self._falls: list[Fall] = []
        self._open: list[tuple[int, Ability]] = []
        self._stripper: int | None = None
        self._is_order_open = False
        self._laid_bare: list[list[Engage]] = []
        """Triggers of pins that removals have laid bare, in order: they follow those of the landing (R-32)."""

    def clash(self) -> Clash:
        return Clash(
            self.board,
            tuple(self._strikes),
            tuple(self._falls),
            tuple(self._open),
            self._stripper,
            self._is_order_open,
            self.is_pause,
        )

    def strip(self, disk: int) -> None:
        """Take the empowerment of a disk that has landed near one that strips it; it may not survive that (R16.7)."""
        if not self.board.disks[disk].empowered:
            return
        for other in position.fielded_disks(self.board):
            effect = position.passive_effect(self.board, other.id, RemoveEmpowerment)
            if effect and other.id != disk and position.is_within(self.board, other.id, disk, effect.reach):
                self._stripper = other.id
                self.board = with_disk(self.board, disk, empowered=False)
                self.settle()
                return

    def settle(self) -> None:
        """Wound the disks whose toughness has fallen (R-45)."""
        wounding = settle(self.board)
        self._falls += wounding.falls
        self._take(wounding)

    def _take(self, wounding: Wounding) -> None:
        self.board = wounding.board
        if between := position.enemy_pins(self.board, wounding.gained):
            self._laid_bare.append([engage for pin in between for engage in _both_ways(pin)])

    @property
    def _is_on(self) -> bool:
        """Whether the game goes on: with the last disk of all other sides it ends (R4.7)."""
        return not self.board.round or len({disk.seat for disk in position.fielded_disks(self.board)}) > 1

    def strike(
        self, cause: StrikeCause, disk: int, targets: Sequence[int], dealt: int, damage_type: DamageType
    ) -> None:
        """Strike disks all at once; the dead are passed over."""
        if not self._is_on:
            return
        board, damage = self.board, []
        source: KeywordKind | None = None if cause == "ability" else cause
        for target in targets:
            if position.is_fielded(board, target):
                profile = board.profile(target)
                taken = keywords.damage_after_reduction(profile, dealt, damage_type, source)
                damage.append((target, taken))
        wounding, fates = strike(board, damage)
        self._strikes += [
            Strike(
                cause,
                disk,
                target,
                dealt,
                taken,
                board.disks[target].damage + taken,
                effective_stats.toughness(board, target),
                fates[target],
            )
            for target, taken in damage
        ]
        self._take(wounding)
        self.settle()

    def wound(self, target: int) -> None:
        """Wound a disk that something else than a certain strike harms."""
        self._take(wound(self.board, [target]))
        self.settle()

    def blast(self, target: int, effect: DealDamage) -> list[int]:
        """Return the target and those around it that are struck with it."""
        around = effect.around
        near = [
            other.id
            for other in position.fielded_disks(self.board)
            if around and other.id != target and position.is_within(self.board, target, other.id, around)
        ]
        return [target, *near]

    def enemies_within(self, disk: int, effect: DealDamageNear) -> list[int]:
        return [
            other.id
            for other in position.fielded_disks(self.board)
            if position.are_enemies(self.board, disk, other.id)
            and position.is_within(self.board, disk, other.id, effect.reach)
        ]

    def weaken(self, target: int, by: int) -> None:
        """Lower the toughness of a disk, which may not survive that (R-33)."""
        if position.is_fielded(self.board, target) and self._is_on:
            self.board = with_disk(self.board, target, weakened=self.board.disks[target].weakened + by)
            self.settle()

    def trigger(self, landing: Iterable[Engage]) -> None:
        """Let the abilities of a landing's pins work, then those of the pins that are laid bare meanwhile."""
        waiting = [list(landing)]
        while waiting:
            engages = waiting.pop(0)
            able = {engage.user for engage in engages if self._is_effective(engage)}
            abilities = [ability for user in able for ability in _engage_abilities(self.board, user)]
            self._is_order_open |= len(able) > 1 or len(abilities) > 1
            for engage in engages:
                self._engage(engage)
            waiting += self._laid_bare
            self._laid_bare = []

    def _is_effective(self, engage: Engage) -> bool:
        return position.is_fielded(self.board, engage.user) and any(
            isinstance(ability.effect, DealDamageNear) or position.is_fielded(self.board, engage.enemy)
            for ability in _engage_abilities(self.board, engage.user)
        )

    def _engage(self, engage: Engage) -> None:
        """Let all abilities of a disk that engages an enemy work, if that disk is still there (R8.5.3)."""
        user, enemy = engage
        for ability in _engage_abilities(self.board, user):
            if not position.is_fielded(self.board, user) or not self._is_on:
                return
            effect = ability.effect
            is_sure = not ability.optional
            match effect:
                case DealDamage() if is_sure and (dealt := flat_amount(effect.amount)) is not None:
                    if position.is_fielded(self.board, enemy):
                        self.strike("ability", user, self.blast(enemy, effect), dealt, effect.damage_type)
                case DealDamageNear() if is_sure and (dealt := flat_amount(effect.amount)) is not None:
                    self.strike("ability", user, self.enemies_within(user, effect), dealt, effect.damage_type)
                case _:
                    if (user, ability) not in self._open:
                        self._open.append((user, ability))
                    if isinstance(effect, ReduceToughness) and is_sure:
                        self.weaken(enemy, effect.toughness)


def _both_ways(pin: Pin) -> tuple[Engage, Engage]:
    return Engage(pin.top, pin.bottom), Engage(pin.bottom, pin.top)


def _engage_abilities(board: Board, disk: int) -> list[Ability]:
    return [ability for _, ability in position.abilities(board, disk, "engage")]
