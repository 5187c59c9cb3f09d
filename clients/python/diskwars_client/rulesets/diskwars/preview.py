"""Forecast of an order on the board as it is: landings, pins, ground, and the damage of a fight or a shot.

Everything is computed from the board and the stats in force. What only the engine decides, such as whether the order is
legal or what an ability does, is left out.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from diskwars_client.rulesets.diskwars.damage_odds import damage_text, danger_text, dangers, wound_word
from diskwars_client.rulesets.diskwars.falls import landed_board, settle, strip
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board
from diskwars_protocol.rulesets.diskwars.effect_text import effect_text
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import DamageType, DealDamage, Shot
from diskwars_text.phrases import counted, joined, percent_text
from diskwars_text.rulesets.diskwars.phrases import (
    COMPASS,
    degrees,
    direction_text,
    disk_names,
    length_text,
    point_text,
)
from diskwars_text.rulesets.diskwars.stat_lines import terrain_keyword_text
from diskwars_text.rulesets.diskwars.text_map import disk_letters

DAMAGING_FACES, SIEGE_FACES, FACES = 2, 1, 6
"""R12.9: faces of a battle die that deal damage: hit and critical; at siege range criticals only."""


# ---------------------------------------------------------------- distances


def measure_lines(board: Board, one: int, other: int) -> list[str]:
    """Return the distance, the range and the direction from one disk to another, and the flips that it takes."""
    start, aim = board.disks[one], board.disks[other]
    names = disk_names(board)
    if BATTLEFIELD not in (start.place, aim.place) or start.place != aim.place:
        return [f"{names[disk]} is not on the battlefield" for disk in (one, other) if not _is_fielded(board, disk)]
    gap, flip = position.distance(board, one, other), 2 * board.profile(one).radius
    if one == other or gap == 0:
        return [f"  {names[one]} touches {names[other]}" if one != other else f"  {names[one]} and itself"]
    way = direction_text(degrees(aim.x - start.x, aim.y - start.y))
    flips = gap // flip + 1  # to touch is not to overlap
    movement = effective_stats.movement(board, one)
    return [
        f"  {names[one]} to {names[other]}: {length_text(gap)} from edge to edge, "
        f"{position.range_band(board, one, other)} range, {way}",
        f"  straight on it overlaps them with flip {flips} of {length_text(flip)}; "
        f"{names[one]} has {counted(movement, 'flip')} in an activation",
    ]


def position_lines(board: Board, disks: Sequence[int]) -> list[str]:
    """Return where disks are, with the ground that they lie on."""
    names, letters = disk_names(board), disk_letters(board)
    lines = []
    for disk in disks:
        now = board.disks[disk]
        if now.place == BATTLEFIELD:
            ground = _ground_text(board, now.terrain)
            lines.append(f"  {letters[disk]} {names[disk]} {point_text(now.x, now.y)}{ground and f', on {ground}'}")
    return lines or ["nobody of them is on the battlefield"]


def live_state(board: Board, disk: int) -> list[str]:
    """Return what the figures of a disk do not say: where it is, on what, and who pins whom."""
    now, names = board.disks[disk], disk_names(board)
    if now.place != BATTLEFIELD:
        return [{"reserve": "in the reserve", "casualty": "a casualty"}.get(now.place, "out of the game")]
    above = [names[pin.top] for pin in board.pins if pin.bottom == disk]
    below = [names[pin.bottom] for pin in board.pins if pin.top == disk]
    ground = _ground_text(board, now.terrain)
    return [
        f"at {point_text(now.x, now.y)}",
        *([f"on {ground}"] if ground else []),
        *(["poisoned"] if now.poisoned else []),
        *([f"pinned by {joined(above)}"] if above else []),
        *([f"pins {joined(below)}"] if below else []),
    ]


def _is_fielded(board: Board, disk: int) -> bool:
    return board.disks[disk].place == BATTLEFIELD


def _ground_text(board: Board, pieces: Sequence[int]) -> str:
    return joined(board.terrain[number].terrain.name for number in pieces)


# ---------------------------------------------------------------- orders


def preview_lines(board: Board, action: a.Action) -> list[str]:
    """Return the lines about an action, none for one of which the board alone says nothing."""
    match action:
        case a.MoveDisk():
            return _move_lines(board, action)
        case a.Reinforce():
            landing = _landing_text(board, action.disk, action.x, action.y)
            danger_lines = [f"  {danger}" for danger in dangers(board, action)]
            after, falls = settle(landed_board(board, action.disk, action.x, action.y))
            fights = _fight_lines(after, action.disk, action.x, action.y)
            return [f"  lands at {landing}", *danger_lines, *falls, *fights]
        case a.Shoot():
            return list(_shot_lines(board, action))
        case a.Focus():
            return list(_focus_lines(board, action))
        case a.Deploy():
            return _deployment_lines(board, action)
        case _:
            return []


def _move_lines(board: Board, move: a.MoveDisk) -> list[str]:
    """Return the landings of a move, up to the one that cuts it short."""
    now, profile = board.disks[move.disk], board.profile(move.disk)
    x, y, under = now.x, now.y, now.terrain
    enemy_landings = 1 + keywords.is_relentless(profile)  # R8.6
    lines: list[str] = []
    after = board
    flips = 0
    for flips, (dx, dy) in enumerate(move.path, 1):
        x, y = x + dx, y + dy
        if not position.is_on_field(board, move.disk, x, y):
            return [*lines, f"  flip {flips} {_way_text(dx, dy)}: leaves the field, which is not allowed"]
        lines.append(f"  flip {flips} {_way_text(dx, dy)}: {_landing_text(board, move.disk, x, y)}")
        after, stripped = strip(landed_board(after, move.disk, x, y), move.disk)
        lines += stripped
        if not _is_fielded(after, move.disk):
            return lines
        if keywords.is_flying(profile) and flips < len(move.path):  # R8.7: nothing follows of landings on its way
            continue
        if not keywords.ignores_terrain(profile) and (danger := danger_text(board, move.disk, x, y)):
            lines.append(f"    {danger}")
        enemy_landings -= bool(_enemies_pinned(board, move.disk, x, y))
        stop = (
            "it pins an enemy, which ends the move" if not enemy_landings else _stop_text(board, move.disk, x, y, under)
        )
        if stop and flips < len(move.path):
            lines.append(f"  {stop}; the flips behind it are not made")
            break
        under = terrain.pieces_under(board, move.disk, x, y)
    movement = effective_stats.movement(board, move.disk)
    spare = f"  {flips} of {movement} flips" if len(move.path) <= movement else ""
    after, falls = settle(after)
    return [*lines, *([spare] if spare else []), *falls, *_fight_lines(after, move.disk, x, y)]


def _stop_text(board: Board, disk: int, x: int, y: int, before: Sequence[int]) -> str:
    """Return why the ground cuts a move short that lands at (x, y), if it does; `before` are the pieces it was on."""
    if keywords.ignores_terrain(board.profile(disk)):  # R8.8
        return ""
    pieces = [(number, board.terrain[number]) for number in terrain.pieces_under(board, disk, x, y)]
    rough = [
        piece.terrain.name
        for number, piece in pieces
        if number not in before and terrain.has_keyword(piece, terrain.ROUGH)
    ]
    if rough:  # R10.9
        return f"{joined(rough)} is rough, which ends the move"
    dangerous = [piece.terrain.name for _, piece in pieces if terrain.has_keyword(piece, terrain.DANGEROUS)]
    return f"{joined(dangerous)} is dangerous, and you are asked again after its damage" if dangerous else ""


def _enemies_pinned(board: Board, disk: int, x: int, y: int) -> list[int]:
    pins = position.pins_if_placed(board, disk, x, y)
    return [pin.bottom for pin in pins if position.are_enemies(board, disk, pin.bottom)]


def _way_text(dx: int, dy: int) -> str:
    angle = degrees(dx, dy)
    return COMPASS[angle // 45] if angle % 45 == 0 else f"{angle}°"


def _landing_text(board: Board, disk: int, x: int, y: int) -> str:
    names, own = disk_names(board), board.disks[disk].seat
    pinned = [pin.bottom for pin in position.pins_if_placed(board, disk, x, y)]
    parts = [point_text(x, y)]
    enemies = [names[other] for other in pinned if board.disks[other].seat != own]
    friends = [names[other] for other in pinned if board.disks[other].seat == own]
    parts += [f"pins {joined(enemies)}"] * bool(enemies) + [f"pins your own {joined(friends)}"] * bool(friends)
    ground = joined(_piece_text(board.terrain[number]) for number in terrain.pieces_under(board, disk, x, y))
    parts += [f"on {ground}"] * bool(ground)
    return ", ".join(parts)


def _piece_text(piece: TerrainPiece) -> str:
    does = ", ".join(map(terrain_keyword_text, piece.terrain.keywords))
    return f"{piece.terrain.name} ({does})" if does else piece.terrain.name


def own_disks_pinned(board: Board, action: a.MoveDisk | a.Reinforce) -> list[int]:
    """Return the own disks that a move or a reinforcement would end on."""
    now = board.disks[action.disk]
    if isinstance(action, a.Reinforce):
        x, y = action.x, action.y
    else:
        x, y = now.x + sum(dx for dx, _ in action.path), now.y + sum(dy for _, dy in action.path)
    return [
        pin.bottom
        for pin in position.pins_if_placed(board, action.disk, x, y)
        if board.disks[pin.bottom].seat == now.seat
    ]


def _fight_lines(board: Board, disk: int, x: int, y: int) -> list[str]:
    """Return the outlook of a melee with each enemy that the disk would pin: melee has no dice (R15.3)."""
    lines = []
    names = disk_names(board)
    enemies = _enemies_pinned(board, disk, x, y) if _is_fielded(board, disk) else []
    for enemy in enemies:
        attack = _blow_text(board, effective_stats.strength(board, disk), enemy)
        counter = _blow_text(board, effective_stats.counter_strength(board, enemy), disk)
        speeds = effective_stats.speed(board, disk, "strength"), effective_stats.speed(board, enemy, "counter")
        lines.append(f"  in the melee {names[disk]} ({speeds[0]}): {attack}; strikes back ({speeds[1]}): {counter}")
    # R6.6: both of those that engage use theirs, at once and before any melee
    for engaged in (disk, *enemies) if enemies else ():
        abilities = [ability for ability in board.profile(engaged).abilities if ability.timing == "engage"]
        lines += [f"  {names[engaged]} engages: {effect_text(ability.effect)}" for ability in abilities]
    return (
        [*lines, "  not forecast: Impact and Guard, what follows of them, and what joins the fight until then"]
        if lines
        else []
    )


def _blow_text(board: Board, strength: int, target: int) -> str:
    """Return what a blow of this strength does to a disk after its Immune and Resistant (R13.3)."""
    taken = keywords.damage_after_reduction(board.profile(target), strength, "physical")
    name = disk_names(board)[target]
    if _is_wounded_by(board, target, taken):
        return f"{taken} damage {'destroys' if wound_word(board, target) == 'destroy' else 'wounds'} {name}"
    return f"{taken} damage, {name} has {board.disks[target].damage} of {effective_stats.toughness(board, target)}"


def _shot_lines(board: Board, action: a.Shoot) -> Iterator[str]:
    """Yield the chances of a shot, by hits on its target after its Immune and Resistant; scatter is not counted."""
    shot = effective_stats.shot(board, action.disk, action.shot)
    band = position.range_band(board, action.disk, action.target)
    dice = terrain.dice_after_cover(board, action.target, shot.dice)
    chance = Fraction(SIEGE_FACES if band == "siege" else DAMAGING_FACES, FACES)
    name = disk_names(board)[action.target]
    roll, cover = f"  {band} range, {counted(dice, 'die', 'dice')}", ", one less for cover" if dice < shot.dice else ""
    if _is_immune_to_shots(board, action.target, shot.damage_type):
        yield f"{roll}{cover}: {name} takes no such damage"
        return
    yield f"{roll}, {percent_text(chance)} each to harm {name}{cover}"
    if shot.strength.d6:
        return
    damage, wound = _shot_odds(board, action.target, shot, dice, chance)
    yield (
        f"  {float(damage):.1f} damage on average, {percent_text(wound)} to {wound_word(board, action.target)}; "
        "before scatter"
    )


def _shot_odds(board: Board, target: int, shot: Shot, dice: int, chance: Fraction) -> tuple[Fraction, Fraction]:
    """Return the mean damage of a shot of flat strength, and the chance that it wounds its target.

    R12.5: all hits on a disk are one instance of damage, which Resistant halves as a whole.
    """
    damage = wound = Fraction(0)
    for hits in range(dice + 1):
        likely = comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits)
        dealt = hits * shot.strength.flat
        taken = keywords.damage_after_reduction(board.profile(target), dealt, shot.damage_type, "ranged")
        damage += likely * taken
        wound += likely * _is_wounded_by(board, target, taken)
    return damage, wound


def _is_immune_to_shots(board: Board, disk: int, damage_type: DamageType) -> bool:
    return keywords.reduction_rule(board.profile(disk), damage_type, "ranged") == "R13.3.2"


def _is_wounded_by(board: Board, disk: int, taken: int) -> bool:
    """Return whether damage wounds a disk; none does not, however little toughness is left (R13.4)."""
    return taken > 0 and board.disks[disk].damage + taken >= effective_stats.toughness(board, disk)


def _focus_lines(board: Board, action: a.Focus) -> Iterator[str]:
    """Yield what a focus ability does, and the damage to its target with its chance."""
    effect = position.focus_abilities(board, action.disk)[action.ability]
    yield f"  {effect_text(effect)}"
    if isinstance(effect, DealDamage) and action.target is not None:
        damage = damage_text(board, action.target, effect.amount, effect.damage_type)
        yield f"  {damage or f'{disk_names(board)[action.target]} takes no such damage'}"


def _deployment_lines(board: Board, action: a.Deploy) -> list[str]:
    """Return where the disks come to lie, and who pins whom."""
    names = disk_names(board)
    pinned = {bottom: names[top] for top, bottom in deployed_overlaps(board, action)}
    return [
        f"  {names[placement.disk]} at {point_text(placement.x, placement.y)}"
        + (f", pinned by your own {pinned[placement.disk]}" if placement.disk in pinned else "")
        for placement in action.disks
    ]


def deployed_overlaps(board: Board, action: a.Deploy) -> list[tuple[int, int]]:
    """Return the disks of a deployment that would lie on one another, the upper one first: it is named later."""
    placed = [
        (placement.disk, placement.x, placement.y, board.profile(placement.disk).radius) for placement in action.disks
    ]
    return [
        (top, bottom)
        for number, (bottom, *lower) in enumerate(placed)
        for top, *upper in placed[number + 1 :]
        if geometry.disks_overlap(*lower, *upper)
    ]
