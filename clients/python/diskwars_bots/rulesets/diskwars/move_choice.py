"""Choice of a move: the best place that a disk can reach, by the best path to it, and of a place to reinforce."""

from collections.abc import Iterator, Sequence

from diskwars_bots.rulesets.diskwars import moves, weights
from diskwars_bots.rulesets.diskwars.evaluation import value_of_landing, value_of_standing
from diskwars_bots.rulesets.diskwars.situation import FightingDisk, Situation
from diskwars_protocol.geometry import Point
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas, effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption

MAX_PLACES_TRIED = 40
"""Places for which paths are looked for at most: behind rough ground the best dozen may have none."""


def best_move(
    situation: Situation, option: DiskwarsOption, *, keeps_off_enemies: bool = False
) -> tuple[int, a.MoveDisk] | None:
    """Return the best move of a disk and how much better it is than to stay; None if nothing can be reached."""
    best = best_moves(situation, option, 1, keeps_off_enemies=keeps_off_enemies)
    return best[0] if best else None


def best_moves(
    situation: Situation, option: DiskwarsOption, count: int, *, keeps_off_enemies: bool = False
) -> list[tuple[int, a.MoveDisk]]:
    """Return the best moves of a disk that end apart from each other, the best first, and how much better they are."""
    if option.disk is None or option.flips < 1:
        return []
    fighter = situation.fighters[option.disk]
    stay, ends = value_of_standing(situation, fighter), not keywords.is_mobile(fighter.profile)
    reached_places: list[tuple[int, moves.Path, int, int]] = []
    wanted = situation.effort.places_with_paths * count
    for value, x, y in _places(situation, option, fighter, keeps_off_enemies)[:MAX_PLACES_TRIED]:
        if not wanted or (len(reached_places) >= count and value <= reached_places[count - 1][0]):
            break
        if count > 1 and any((x - at[2]) ** 2 + (y - at[3]) ** 2 < fighter.radius**2 for at in reached_places):
            continue
        reached = _best_path(situation, fighter, option, value, x, y)
        if reached is not None:
            wanted -= 1
            reached_places.append((*reached, x, y))
            reached_places.sort(key=lambda place: -place[0])
    return [
        (value - stay, a.MoveDisk(fighter.id, path, end_activation=ends, over_own_disks=True))
        for value, path, _, _ in reached_places[:count]
    ]


def _places(
    situation: Situation, option: DiskwarsOption, fighter: FightingDisk, keeps_off_enemies: bool
) -> list[tuple[int, int, int]]:
    """Return the places that a move could end at, the best first, with their values."""
    places = [
        (value_of_landing(situation, fighter, x, y), x, y)
        for x, y in moves.landing_places(situation, fighter, option.flips, option.length)
        if position.is_on_field(situation.board, fighter.id, x, y)
    ]
    if keeps_off_enemies:
        places = [place for place in places if not _is_on_enemy(situation, fighter, place[1], place[2])]
    places.sort(reverse=True)
    return places


def _best_path(
    situation: Situation, fighter: FightingDisk, option: DiskwarsOption, value: int, x: int, y: int
) -> tuple[int, moves.Path] | None:
    """Return the cheapest path to a place and the value of the place less its cost; None if none works."""
    best: tuple[int, moves.Path] | None = None
    for path in moves.paths_to(fighter, x, y, option.flips, option.length):
        cost = moves.cost_of_path(situation, fighter, path)
        if cost is not None and (best is None or value - cost > best[0]):
            best = value - cost, path
            if not cost:
                break
    return best


def _is_on_enemy(situation: Situation, fighter: FightingDisk, x: int, y: int) -> bool:
    return any(not other.is_own for other in situation.overlapped(fighter.id, x, y, fighter.radius + 10))


# ---------------------------------------------------------------- reinforcements


def best_reinforcement(situation: Situation, option: DiskwarsOption) -> tuple[int, a.Reinforce] | None:
    """Return the best place for a disk of the reserve and its value; None if only own disks could be covered."""
    if not isinstance(option.example, a.Reinforce):
        return None
    fighter = reserve_fighter(situation, option.example.disk)
    best: tuple[int, a.Reinforce] | None = None
    example = option.example.x, option.example.y
    for x, y in [example, *free_places(situation, fighter, option.areas)]:
        if not areas.is_disk_in_any_area(situation.board, fighter.id, x, y, option.areas):
            continue
        pinned = situation.pinned_at(fighter.id, x, y, fighter.radius)
        if situation.rounds_left and pinned and all(other.is_own for other in pinned):
            continue  # there is room later, when the disks below have moved out
        value = value_of_landing(situation, fighter, x, y, is_flip=False)
        if best is None or value > best[0]:
            best = value, a.Reinforce(fighter.id, x, y)
    if best is None:
        return None
    # A disk that stays in reserve is a casualty at the end (R4.11); until then it can still come.
    lost = fighter.worth if not situation.rounds_left else 0
    return best[0] + weights.REINFORCE + lost, best[1]


def reserve_fighter(situation: Situation, number: int) -> FightingDisk:
    """Return a disk of the reserve as a fighter that lies nowhere yet."""
    board, profile = situation.board, situation.board.profile(number)
    return FightingDisk(
        id=number,
        seat=situation.seat,
        is_own=True,
        profile=profile,
        x=0,
        y=0,
        radius=profile.radius,
        strength=effective_stats.strength(board, number),
        counter=effective_stats.counter_strength(board, number),
        left=max(1, effective_stats.toughness(board, number)),
        lives=profile.stamina + 1,
        worth=situation.worth(profile, is_own=True),
        reach=2 * profile.radius * profile.movement,
        shot_length=0,
        is_ready=False,
    )


def free_places(situation: Situation, fighter: FightingDisk, allowed: Sequence[Area]) -> Iterator[Point]:
    """Yield places in areas: in their corners, beside other disks, and on enemies."""
    for area in allowed:
        yield from packed_places(
            (area.x0, area.y0, area.x1, area.y1),
            fighter.radius,
            [(other.x, other.y, other.radius) for other in situation.fighters.values()],
        )
        for enemy in situation.enemies:
            yield enemy.x, enemy.y


def packed_places(
    bounds: tuple[int, int, int, int], radius: int, others: Sequence[tuple[int, int, int]]
) -> Iterator[Point]:
    """Yield places of a disk in a rectangle along its sides and in line with others (x, y, radius), touching them."""
    x0, y0, x1, y1 = bounds[0] + radius, bounds[1] + radius, bounds[2] - radius, bounds[3] - radius
    if x0 > x1 or y0 > y1:
        return
    near = [
        other
        for other in others
        if x0 - 2 * radius <= other[0] <= x1 + 2 * radius and y0 - 2 * radius <= other[1] <= y1 + 2 * radius
    ]
    xs, ys = {x0, x1, (x0 + x1) // 2}, {y0, y1, (y0 + y1) // 2}
    for x, y, r in near:
        xs.update(at for at in (x - r - radius, x, x + r + radius) if x0 <= at <= x1)
        ys.update(at for at in (y - r - radius, y, y + r + radius) if y0 <= at <= y1)
    for x in sorted(xs):
        for y in sorted(ys):
            yield x, y
