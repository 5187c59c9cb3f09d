"""A round of melee in all combats at once: steps, scores, break tests, flight and pursuit (C-4 to C-15)."""

from collections.abc import Sequence

from msgspec import Struct

from diskwars_engine.rulesets.regiments import attacks, flight
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_protocol.rulesets.regiments import checks, events, formation, position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import AttackRoll, Contact, Side, SideScore, Touch


class Melee(Struct):
    """The state that is frozen when a melee begins, and the results of its combats."""

    combats: tuple[tuple[int, ...], ...]
    contacts: tuple[Contact, ...]
    touches: tuple[Touch, ...]
    losers: list[tuple[int, Side, int]]
    """Combat, side, and by how much it lost."""

    def opponents(self, id: int) -> list[int]:
        """List the units that a unit was in contact with when the melee began."""
        return sorted(
            contact.target if contact.charger == id else contact.charger
            for contact in self.contacts
            if id in (contact.charger, contact.target)
        )


def fight(resolution: Resolution) -> None:
    """Fight a round of melee: all steps, then scores, tests, flights and pursuits."""
    resolution.emit(events.PhaseBegan("melee"))
    board = resolution.board
    # C-4: contacts are frozen for the whole phase.
    melee = Melee(tuple(position.combats(board)), board.contacts, formation.all_touches(board), [])
    if melee.combats:
        reasons = because("C-3", combats=len(melee.combats), touches=len(melee.touches))
        resolution.emit(events.CombatsFixed(melee.combats, melee.touches, reasons))
    wounds = strike(resolution, melee)
    resolution.emit(events.PhaseBegan("score"))
    for number in range(len(melee.combats)):
        score(resolution, melee, number, wounds)
    resolution.emit(events.PhaseBegan("break"))
    carry_out_breaks(resolution, melee, roll_break_tests(resolution, melee))


# ---------------------------------------------------------------- steps


def strike(resolution: Resolution, melee: Melee) -> dict[int, int]:
    """Carry out steps 11 to 1, each rolled whole before it wounds (C-5), and return the wounds that each unit took."""
    taken: dict[int, int] = {}
    for priority in range(checks.CHARGE_PRIORITY, 0, -1):
        rolled: list[AttackRoll] = []
        for combat, members in enumerate(melee.combats):
            for id in members:
                unit = resolution.unit(id)
                if unit.is_fielded and checks.priority_of(resolution.board, unit) == priority:
                    rolled += attacks.roll_attacks(resolution, combat, unit, melee.touches)
        for id, wounds in attacks.deal_wounds(resolution, rolled).items():
            taken[id] = taken.get(id, 0) + wounds
    return taken


# ---------------------------------------------------------------- score


def score(resolution: Resolution, melee: Melee, number: int, wounds: dict[int, int]) -> None:
    """Score one combat: the lower side loses, and equal scores are a draw without a test (C-10, C-11)."""
    board, members = resolution.board, melee.combats[number]
    side_scores = (
        score_side(board, melee, members, 0, wounds),
        score_side(board, melee, members, 1, wounds),
    )
    difference = abs(side_scores[0].total - side_scores[1].total)
    loser: Side | None = None
    if difference:
        loser = 0 if side_scores[0].total < side_scores[1].total else 1
        melee.losers.append((number, loser, difference))
    reasons = (*because("C-10"), *because("C-11", difference=difference))
    resolution.emit(events.CombatScored(number, side_scores, difference, reasons, loser))


def score_side(
    board: RegimentsBoard, melee: Melee, members: Sequence[int], side: Side, wounds: dict[int, int]
) -> SideScore:
    """Return the score of a side: wounds dealt, ranks of its best unit, enemies taken in the flank and rear (C-10)."""
    units = [board.units[id] for id in members]
    own = [unit for unit in units if board.side(unit) == side]
    enemies = [unit for unit in units if board.side(unit) != side]
    dealt = sum(wounds.get(enemy.id, 0) for enemy in enemies)
    # Counted after casualties, with the models that are left closed up; a destroyed unit has no rank.
    ranks = max((formation.rank_bonus(unit.size, unit.files) for unit in own), default=0)
    flanks = rears = 0
    for enemy in enemies:
        arcs = _arcs_taken(board, melee, enemy)
        flanks += bool(arcs & {"left", "right"})  # C-11: both flanks of an enemy count as one
        rears += 2 * ("rear" in arcs)
    return SideScore(dealt, ranks, flanks, rears, dealt + ranks + flanks + rears)


def _arcs_taken(board: RegimentsBoard, melee: Melee, enemy: Unit) -> set[events.Arc]:
    """Return the sides on which units that are large enough fight an enemy, both still there (C-10)."""
    if not enemy.is_fielded:
        return set()
    fighting = [board.units[id] for id in melee.opponents(enemy.id)]
    return {position.arc_of(enemy, unit.cell) for unit in fighting if unit.is_fielded and _counts(board, unit)}


def _counts(board: RegimentsBoard, unit: Unit) -> bool:
    least = formation.MIN_RANK if board.profile(unit).size == "regular" else 1
    return unit.size >= least


# ---------------------------------------------------------------- break


def roll_break_tests(resolution: Resolution, melee: Melee) -> list[int]:
    """Roll the break tests of all combats, and return the units that broke. C-13: before any of them runs."""
    broken = []
    for number, loser, difference in melee.losers:
        for id in melee.combats[number]:
            unit = resolution.unit(id)
            if resolution.board.side(unit) == loser and unit.is_fielded and not stands(resolution, unit, difference):
                broken.append(id)
    return broken


def stands(resolution: Resolution, unit: Unit, difference: int) -> bool:
    """Test whether a unit stands: its leadership is at least the roll and the difference (C-12)."""
    board, leadership = resolution.board, resolution.board.profile(unit).leadership
    if board.settings.break_die == "d12":
        drawn = resolution.dice.roll("number_dice", 12, 1, "break test")
    else:
        drawn = resolution.dice.roll("number_dice", 6, 2, "break test")
    needed = leadership - difference
    passed = sum(drawn.results) <= needed
    reasons = because("C-12", leadership=leadership, difference=difference)
    resolution.emit(events.BreakTested(unit.id, needed, passed, reasons, drawn))
    return passed


def carry_out_breaks(resolution: Resolution, melee: Melee, broken: Sequence[int]) -> None:
    """Let the units that broke flee, one after another; then the winners pursue (C-13 to C-15)."""
    for id in broken:
        hackers = [other for other in melee.opponents(id) if resolution.unit(other).is_fielded]
        flight.flee(resolution, id, "broken", hackers, melee.touches)
    winners = sorted({other for id in broken for other in melee.opponents(id)})
    for id in winners:
        flight.pursue(resolution, id, [number for number in melee.opponents(id) if number in broken])
