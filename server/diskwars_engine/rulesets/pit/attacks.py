"""One fighter's attacks: what it may declare (A-15), and how they are carried out (A-16, A-17)."""

from collections import Counter
from collections.abc import Sequence

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.pit import improvements, rolls
from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_protocol.rulesets.pit import checks, events, position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import Check, Status


def check_declared(board: PitBoard, fighter: Fighter, members: Sequence[int], attacks: Sequence[Attack]) -> None:
    """Check a declaration. Raises `Illegal`."""
    wanted = position.attack_count(board, fighter)
    if len(attacks) != wanted:
        numbers = {"attacks": len(attacks), "wanted": wanted}
        raise Illegal("not_legal", f"it has to declare {wanted} attacks", "A-15", "$.action.attacks", numbers)
    targets = {enemy.id for enemy in position.valid_targets(board, fighter, members)}
    weapons = position.weapons_of(board, fighter)
    for place, attack in enumerate(attacks):
        where = f"$.action.attacks[{place}]"
        if attack.target not in targets:
            refuse_target(board, fighter, members, attack.target, where)
        if attack.weapon not in weapons:
            raise Illegal("not_legal", "the fighter does not carry this weapon", "A-15", f"{where}.weapon")
    unused = [weapon for weapon in weapons if weapon not in {attack.weapon for attack in attacks}]
    if unused:
        raise Illegal("not_legal", "each of two weapons strikes at least once", "A-15", "$.action.attacks")


def refuse_target(board: PitBoard, fighter: Fighter, members: Sequence[int], target: int, where: str) -> None:
    """Raises `Illegal` for an enemy that is no target of a fighter, and says why."""
    touched = {enemy.id for enemy in position.touched_enemies(board, fighter)}
    numbers = {"fighter": fighter.id, "target": target}
    if target in touched and target in members:
        text = "a dazed or stunned enemy is no target while it touches another"
        raise Illegal("not_legal", text, "A-15", f"{where}.target", numbers)
    raise Illegal("not_legal", "the target is no enemy in contact in this combat", "A-15", f"{where}.target", numbers)


# ---------------------------------------------------------------- carrying out


def resolve_target(resolution: Resolution, fighter_id: int, target_id: int, attacks: Sequence[Attack]) -> None:
    """Carry out all attacks declared against one target."""
    target = resolution.fighter(target_id)
    if target.status == "stunned":  # one attack, no dice; the others are lost
        _injure(resolution, fighter_id, target_id, "incapacitated", None)
    else:
        _roll(resolution, fighter_id, target, attacks)
    resolution.emit(events.TargetResolved(fighter_id, target_id))


def _roll(resolution: Resolution, fighter_id: int, target: Fighter, attacks: Sequence[Attack]) -> None:
    fighter, is_dazed = resolution.fighter(fighter_id), target.status == "dazed"
    melee = roll_melee(resolution, fighter, target, attacks)
    hits = [place for place, check in enumerate(melee) if check.passed for _ in range(1 + checks.is_critical(check))]
    if not hits:
        return
    unsaved = _roll_defence(resolution, fighter, target, attacks, hits)
    if not unsaved:
        return
    if is_dazed:  # no chart
        _injure(resolution, fighter_id, target.id, "incapacitated", None)
        return
    values = [_injury_value(resolution.board, fighter, attacks[hit], melee[hit]) for hit in unsaved]
    _wound(resolution, fighter_id, target, values)


def roll_melee(
    resolution: Resolution, fighter: Fighter, target: Fighter, attacks: Sequence[Attack]
) -> tuple[Check, ...]:
    """Roll the Melee Checks against one target, in declared order (A-3)."""
    board = resolution.board
    wanted = [(_melee_modifier(board, attack), fighter.melee) for attack in attacks]
    draw, rolled = rolls.roll_checks(resolution.dice, wanted, checks.melee_mode(board, fighter, target), "melee")
    reasons = because("A-3", needed=fighter.melee)
    resolution.emit(events.MeleeRolled(fighter.id, target.id, tuple(attacks), draw, rolled, reasons))
    return rolled


def _melee_modifier(board: PitBoard, attack: Attack) -> int:
    return board.weapon(attack.weapon).melee if attack.weapon else 0


def _roll_defence(
    resolution: Resolution, fighter: Fighter, target: Fighter, attacks: Sequence[Attack], hits: Sequence[int]
) -> list[int]:
    """Roll a Defence Check for each hit and return the hits that are not saved."""
    needed, bonus = checks.defence_needed(resolution.board, target)
    if needed is None:
        reasons = because("A-4", hits=len(hits))
        resolution.emit(events.DefenceRolled(fighter.id, target.id, tuple(hits), reasons))
        return list(hits)
    wanted = [(bonus - fighter.pierce - _pierce(resolution.board, attacks[hit]), needed) for hit in hits]
    mode = checks.balance(False, target.status == "staggered")
    draw, rolled = rolls.roll_checks(resolution.dice, wanted, mode, "defence")
    reasons = because("A-4", needed=needed)
    resolution.emit(events.DefenceRolled(fighter.id, target.id, tuple(hits), reasons, draw, rolled))
    return [hit for hit, check in zip(hits, rolled, strict=True) if not check.passed]


def _pierce(board: PitBoard, attack: Attack) -> int:
    return board.weapon(attack.weapon).pierce if attack.weapon else 0


def _injury_value(board: PitBoard, fighter: Fighter, attack: Attack, check: Check) -> int:
    """Return the value for the injury chart: the natural roll, without the weapon's melee modifier (A-6)."""
    return check.kept + fighter.injury + (board.weapon(attack.weapon).injury if attack.weapon else 0)


def _wound(resolution: Resolution, fighter_id: int, target: Fighter, values: list[int]) -> None:
    """Take the wounds of unsaved hits, and injure by the highest value that is left (A-16)."""
    wounds = target.wounds
    if len(values) < wounds:
        left = wounds - len(values)
        resolution.emit(events.WoundsLost(target.id, fighter_id, left, because("A-16", hits=len(values), wounds=left)))
        return
    if wounds > 1:
        values = _drop(resolution, fighter_id, target, values, wounds - 1)
        # the last wound is replaced by the injury
        resolution.emit(events.WoundsLost(target.id, fighter_id, 1, because("A-16", wounds=1)))
    value = max(values)
    _injure(resolution, fighter_id, target.id, checks.injury_status(value), value)


def _drop(resolution: Resolution, fighter_id: int, target: Fighter, values: list[int], count: int) -> list[int]:
    """Drop `count` hits at random; a pick of one hit draws nothing."""
    left, dropped, draws = list(values), [], []
    for _ in range(count):
        place = 0
        if len(left) > 1:
            draws.append(resolution.dice.roll("pick", len(left), 1, "dropped hit"))
            place = draws[-1].results[0] - 1
        dropped.append(place)
        del left[place]
    reasons = because("A-16", dropped=count)
    resolution.emit(events.HitsDropped(target.id, fighter_id, tuple(values), tuple(dropped), reasons, tuple(draws)))
    return left


def _injure(resolution: Resolution, fighter_id: int, target_id: int, status: Status, value: int | None) -> None:
    reasons = because("A-16") if value is None else because("A-6", value=value)
    resolution.emit(events.FighterInjured(target_id, fighter_id, status, reasons, value))
    if status == "incapacitated":
        improvements.draw(resolution, fighter_id, target_id)


def by_target(attacks: Sequence[Attack]) -> dict[int, list[Attack]]:
    """Group attacks by target, in declared order."""
    groups: dict[int, list[Attack]] = {target: [] for target in Counter(attack.target for attack in attacks)}
    for attack in attacks:
        groups[attack.target].append(attack)
    return groups
