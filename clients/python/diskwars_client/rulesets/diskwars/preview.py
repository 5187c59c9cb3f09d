"""Forecast of an order on the board as it is: landings, pins, ground, and the damage of a fight or a shot.

Everything is computed from the board and the stats in force. What only the engine decides, such as whether the order is
legal or what an ability does, is left out.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from diskwars_client.rulesets.diskwars.clash import PathStep, aftermath, blow, landing_clash, path_steps
from diskwars_client.rulesets.diskwars.damage_odds import damage_text, danger_text, dangers, wound_word
from diskwars_client.rulesets.diskwars.forecast_lines import clash_lines, outlook_lines, rolled_keyword_lines
from diskwars_client.rulesets.diskwars.melee_outlook import links_onto, melee_outlook, standing_links, struck_in
from diskwars_client.rulesets.diskwars.shot_odds import damage_around, scatter_targets, shot_odds
from diskwars_client.rulesets.diskwars.wounds import is_deadly
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board
from diskwars_protocol.rulesets.diskwars.effect_text import effect_text
from diskwars_protocol.rulesets.diskwars.events import Link
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeywordId, TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import (
    DealDamage,
    DealDamageNear,
    Effect,
    FightEngagement,
    Rampage,
    ReinforceNear,
    RollWound,
)
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
            return _reinforcement_lines(board, action)
        case a.Shoot():
            return list(_shot_lines(board, action))
        case a.Focus():
            effect = position.focus_abilities(board, action.disk)[action.ability]
            return list(_ability_lines(board, action.disk, action.target, effect))
        case a.UseAbility():
            return list(_card_ability_lines(board, action))
        case a.ChooseEngagement():
            return _engagement_lines(board, action.engagement, {})
        case a.ChooseTargets() if board.active_engagement is not None:
            targets = {choice.disk: choice.target for choice in action.targets}
            return _engagement_lines(board, board.active_engagement, targets)
        case a.Deploy():
            return _deployment_lines(board, action)
        case _:
            return []


def _reinforcement_lines(board: Board, action: a.Reinforce) -> list[str]:
    disk, x, y = action.disk, action.x, action.y
    clash = landing_clash(board, disk, x, y, is_move=False)
    return [
        f"  lands at {_landing_text(board, disk, x, y)}",
        *(f"  {danger}" for danger in dangers(board, action)),
        *clash_lines(board, disk, clash),
        *_melee_lines(clash.board, disk, _enemies_pinned(board, disk, x, y)),
    ]


def _move_lines(board: Board, move: a.MoveDisk) -> list[str]:
    """Return the landings of a move, up to the one that cuts it short."""
    disk, legal = move.disk, _flips_on_field(board, move)
    landed_before = _has_landed_on_enemies(board, disk)
    lines: list[str] = []
    after, enemies, flips = board, list[int](), 0
    for flips, step in enumerate(path_steps(board, disk, move.path[:legal]), 1):
        lines += _step_lines(move, flips, step, landed_before)
        after = step.clash.board
        if not position.is_fielded(after, disk):
            return lines
        enemies = [] if step.is_passed else _enemies_pinned(step.before, disk, step.x, step.y)
        stop = "" if step.is_passed else _stop_text(move, step, landed_before)
        if stop and flips < len(move.path):
            lines.append(f"  {stop}; the flips behind it are not made")
            break
    else:
        if legal < len(move.path):
            return [
                *lines,
                f"  flip {legal + 1} {_way_text(*move.path[legal])}: leaves the field, which is not allowed",
            ]
    movement = effective_stats.movement(board, disk)
    spare = f"  {flips} of {movement} flips" if len(move.path) <= movement else ""
    return [*lines, *([spare] if spare else []), *_melee_lines(after, disk, enemies)]


def _flips_on_field(board: Board, move: a.MoveDisk) -> int:
    """Return how many flips of a path land on the field before the first that does not (R8.4)."""
    x, y = board.disks[move.disk].x, board.disks[move.disk].y
    for flips, (dx, dy) in enumerate(move.path):
        x, y = x + dx, y + dy
        if not position.is_on_field(board, move.disk, x, y):
            return flips
    return len(move.path)


def _step_lines(move: a.MoveDisk, flip: int, step: PathStep, landed_before: bool | None) -> list[str]:
    disk, board = move.disk, step.before
    profile = board.profile(disk)
    lines = [f"  flip {flip} {_way_text(*move.path[flip - 1])}: {_landing_text(board, disk, step.x, step.y)}"]
    if not step.is_passed and not keywords.ignores_terrain(profile):
        danger = danger_text(board, disk, step.x, step.y)
        lines += [f"    {danger}"] if danger else []
    lines += clash_lines(board, disk, step.clash)
    if step.is_passed:
        return lines
    lines += rolled_keyword_lines(board, disk, _pinned(board, disk, step.x, step.y))
    if keywords.is_relentless(profile) and landed_before is None and _enemies_pinned(board, disk, step.x, step.y):
        lines.append("  not forecast: whether the move ends here; it does if it has landed on an enemy before")
    return lines


def _has_landed_on_enemies(board: Board, disk: int) -> bool | None:
    """Return whether a disk has landed on enemies in the move that goes on (R8.6); None where the board does not tell.

    A mobile disk may have shot first, and still lie where its last activation ended.
    """
    if board.active_disk != disk:
        return False
    return True if position.pinned_enemies(board, disk) and not keywords.is_mobile(board.profile(disk)) else None


def _stop_text(move: a.MoveDisk, step: PathStep, landed_before: bool | None) -> str:
    """Return why a landing cuts a move short, if it does."""
    disk, board, x, y = move.disk, step.before, step.x, step.y
    profile = board.profile(disk)
    if _enemies_pinned(board, disk, x, y):
        goes_on = keywords.is_relentless(profile) and landed_before is not True
        return f"it pins an enemy, {'and you are asked again' if goes_on else 'which ends the move'}"
    pieces = [] if keywords.ignores_terrain(profile) else terrain.pieces_under(board, disk, x, y)  # R8.8
    if rough := [number for number in _pieces_with(board, pieces, terrain.ROUGH) if number not in _under(board, disk)]:
        return f"{_ground_text(board, rough)} is rough, which ends the move"  # R10.9
    if dangerous := _pieces_with(board, pieces, terrain.DANGEROUS):
        return f"{_ground_text(board, dangerous)} is dangerous, and you are asked again after its damage"
    if step.clash.is_pause:
        return "its Impact comes first, and you are asked again"
    own = _pinned(board, disk, x, y)
    return "" if move.over_own_disks or not own else "it pins an own disk, and you are asked again"


def _under(board: Board, disk: int) -> Sequence[int]:
    return board.disks[disk].terrain


def _pieces_with(board: Board, pieces: Sequence[int], keyword: TerrainKeywordId) -> list[int]:
    return [number for number in pieces if terrain.has_keyword(board.terrain[number], keyword)]


def _pinned(board: Board, disk: int, x: int, y: int) -> list[int]:
    return [pin.bottom for pin in position.pins_if_placed(board, disk, x, y)]


def _enemies_pinned(board: Board, disk: int, x: int, y: int) -> list[int]:
    return [other for other in _pinned(board, disk, x, y) if position.are_enemies(board, disk, other)]


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


def _melee_lines(board: Board, disk: int, enemies: Sequence[int]) -> list[str]:
    """Return the outlook of a melee with the enemies that a disk has landed on: melee has no dice (R15.3)."""
    links = links_onto(board, disk, enemies)
    if not links:
        return []
    joining = "what joins the fight until then"
    has_choice = len(links) > 1 and not keywords.is_frenzied(board.profile(disk))
    left_out = f"{joining}, and whom {disk_names(board)[disk]} strikes" if has_choice else joining
    return [*outlook_lines(board, melee_outlook(board, links)), f"  not forecast: {left_out}"]


def _engagement_lines(board: Board, number: int, targets: dict[int, int]) -> list[str]:
    """Return the outlook of an engagement that is begun or goes on."""
    engagement = board.engagements[number]
    links = standing_links(board, engagement.links)
    lines = outlook_lines(board, melee_outlook(board, links, targets, struck_in(board, engagement)))
    open_choices = [
        disk for disk, enemies in _choices(board, links).items() if len(enemies) > 1 and disk not in targets
    ]
    names = disk_names(board)
    if open_choices:
        lines.append(f"  not forecast: whom {joined(names[disk] for disk in open_choices)} will strike")
    return lines


def _choices(board: Board, links: Sequence[Link]) -> dict[int, list[int]]:
    """Return the enemies that each disk may strike; a frenzied attacker has nothing to choose (R14.4)."""
    enemies: dict[int, list[int]] = {}
    for attacker, defender in links:
        if not keywords.is_frenzied(board.profile(attacker)):
            enemies.setdefault(attacker, []).append(defender)
        enemies.setdefault(defender, []).append(attacker)
    return enemies


def _shot_lines(board: Board, action: a.Shoot) -> Iterator[str]:
    """Yield the chances of a shot, by hits on its target after its Immune and Resistant; scatter is not counted."""
    odds, name = shot_odds(board, action), disk_names(board)[action.target]
    roll = f"  {odds.band} range, {counted(odds.dice, 'die', 'dice')}"
    cover = ", one less for cover" if odds.is_covered else ""
    if odds.is_immune:
        yield f"{roll}{cover}: {name} takes no such damage"
    else:
        yield f"{roll}, {percent_text(odds.chance)} each to harm {name}{cover}"
        yield (
            f"  {float(odds.mean):.1f} damage on average, {percent_text(odds.wounded)} to "
            f"{wound_word(board, action.target)}; before scatter"
        )
    yield from _shot_consequences(board, action, is_harming=not odds.is_immune)


def _shot_consequences(board: Board, action: a.Shoot, is_harming: bool) -> Iterator[str]:
    """Yield what else a shot may bring: others that it strikes, and what follows if its target is destroyed."""
    names, shooter = disk_names(board), board.profile(action.disk)
    nearest = scatter_targets(board, action.disk, action.target)
    yield f"  not forecast: scatter, {f'on {joined(map(names.__getitem__, nearest))}' if nearest else 'on nobody'}"
    for disk, taken in damage_around(board, action):
        yield f"  if it strikes {names[action.target]}, {taken} damage to {names[disk]}"
    if keywords.is_poisonous(shooter) and is_harming:  # R16.4
        yield "  its damage is poisoned"
    if position.passive_effect(board, action.disk, Rampage):  # R12.6
        yield f"  not forecast: {names[action.disk]} flips toward the nearest disk if a die shows chaos"
    if is_deadly(board, action.target) and is_harming:
        clash = aftermath(board, action.target)
        for line in clash_lines(board, action.disk, clash):
            yield f"  if {names[action.target]} is destroyed: {line.strip()}"


def _ability_lines(board: Board, disk: int, target: int | None, effect: Effect) -> Iterator[str]:
    """Yield what an ability does, the damage to its target with its chance, and what follows where no die decides."""
    yield f"  {effect_text(effect)}"
    if isinstance(effect, DealDamage) and target is not None:
        damage = damage_text(board, target, effect.amount, effect.damage_type)
        yield f"  {damage or f'{disk_names(board)[target]} takes no such damage'}"
    clash = blow(board, disk, target, effect)
    if clash is not None:
        rest = tuple(strike for strike in clash.strikes if strike.target != target or strike.disk != disk)
        yield from clash_lines(board, disk, replace(clash, strikes=rest))
    elif isinstance(effect, DealDamage | DealDamageNear):
        yield "  not forecast: what follows of its damage, which is rolled"
    elif isinstance(effect, RollWound | FightEngagement | ReinforceNear):
        yield "  not forecast: what follows of it"


def _card_ability_lines(board: Board, action: a.UseAbility) -> Iterator[str]:
    """Yield what the battle ability of the revealed card does (R7.9)."""
    revealed = board.sides[board.disks[action.disk].seat].revealed_card
    abilities = board.card(revealed).abilities if revealed else ()
    for ability in abilities:
        if ability.timing == "battle":
            yield from _ability_lines(board, action.disk, action.target, ability.effect)
            if ability.unstable:  # R7.15
                yield f"  not forecast: it strikes {disk_names(board)[action.disk]} too if a die shows chaos"


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
