"""Engagements of the embattled field, and which of them may be resolved next (R15.1, R15.2).

Pure functions on links and numbers; boards, dice and damage are left to the callers.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from diskwars_protocol.rulesets.diskwars.events import Engagement, Link, Pin


def partition(links: Iterable[Pin | Link | tuple[int, int]]) -> tuple[Engagement, ...]:
    """R15.1.2, R15.7: connected components of the graph that joins attacking parts with defending parts.

    R15.1.4: a component in which some disk has both parts is split by the depth of its attackers.
    """
    every = sorted({Link(attacker, defender) for attacker, defender in links})
    found = []
    for component in _components(every):
        found.extend(_layers(component, every))
    return tuple(found)


def _engagement(links: Sequence[Link]) -> Engagement:
    attackers = tuple(sorted({attacker for attacker, _ in links}))
    defenders = tuple(sorted({defender for _, defender in links}))
    return Engagement(attackers, defenders, tuple(sorted(links)))


def _components(links: Sequence[Link]) -> list[list[Link]]:
    """Return links connected by a common attacker or defender, in the order of their first link."""
    found: list[list[Link]] = []
    for link in links:
        touching = [
            c for c in found if any(link.attacker == one.attacker or link.defender == one.defender for one in c)
        ]
        merged = [other for c in touching for other in c]
        rest = [c for c in found if c not in touching]
        found = [*rest, [*merged, link]]
    return sorted((sorted(component) for component in found), key=min)


def _layers(links: Sequence[Link], every: Sequence[Link]) -> list[Engagement]:
    """R-16: depth(a) = 0 if no enemy pins a, else 1 + the greatest depth of its pinners; one engagement per depth.

    A disk that pins an attacker of this component may be in another one, so depths are computed over all links.
    """
    if not {a for a, _ in links} & {d for _, d in links}:  # R15.1.3 as always with two players
        return [_engagement(links)]
    pinners: dict[int, list[int]] = {}
    for attacker, defender in every:
        pinners.setdefault(defender, []).append(attacker)
    depths: dict[int, int] = {}

    def depth(disk: int) -> int:
        # pins run strictly downward, so this ends
        if disk not in depths:
            depths[disk] = max((depth(above) + 1 for above in pinners.get(disk, ())), default=0)
        return depths[disk]

    levels = sorted({depth(attacker) for attacker, _ in links})
    return [_engagement([link for link in links if depth(link.attacker) == level]) for level in levels]


def legal_engagements(
    engagements: Sequence[Engagement], is_living: Callable[[int], bool], pinned: Collection[int]
) -> tuple[int, ...]:
    """R15.2.2 to R15.2.4: the numbers of the engagements that the first player may pick now.

    `pinned` are the disks that a living enemy pins, also one whose own engagement with them is over.
    """
    unresolved = [number for number, engagement in enumerate(engagements) if not engagement.resolved]
    before = {number: preceding(engagements, number, is_living) for number in unresolved}
    picks: list[int] = []
    for scrum in _scrums(unresolved, before):
        free = [number for number in scrum if not before[number]]
        picks.extend(free or _cycle_picks(scrum, before, engagements, is_living, pinned))
    return tuple(sorted(picks))


def preceding(engagements: Sequence[Engagement], number: int, is_living: Callable[[int], bool]) -> list[int]:
    """R15.2.1: the unresolved engagements that come before this one."""
    others = [other for other, one in enumerate(engagements) if other != number and not one.resolved]
    return [other for other in others if _precedes(engagements, other, number, is_living)]


def _precedes(engagements: Sequence[Engagement], p: int, q: int, is_living: Callable[[int], bool]) -> bool:
    """R15.2.1: some living disk defends in P and attacks in Q."""
    both = set(engagements[p].defenders) & set(engagements[q].attackers)
    return any(is_living(disk) for disk in both)


def _scrums(unresolved: Collection[int], before: dict[int, list[int]]) -> list[list[int]]:
    """R15.2: engagements connected by "precedes", in either direction."""
    neighbours = {number: set(before[number]) for number in unresolved}
    for later, earlier in before.items():
        for number in earlier:
            neighbours[number].add(later)
    found: list[list[int]] = []
    seen: set[int] = set()
    for number in unresolved:
        if number not in seen:
            scrum = _reachable(number, neighbours)
            seen |= scrum
            found.append(sorted(scrum))
    return found


def _reachable(start: int, neighbours: dict[int, set[int]]) -> set[int]:
    """Return all that can be reached from a number, itself included."""
    reached, ahead = {start}, [start]
    while ahead:
        fresh = neighbours[ahead.pop()] - reached
        reached |= fresh
        ahead.extend(fresh)
    return reached


def _cycle_picks(
    scrum: Sequence[int],
    before: dict[int, list[int]],
    engagements: Sequence[Engagement],
    is_living: Callable[[int], bool],
    pinned: Collection[int],
) -> list[int]:
    """R15.2.3, R-17: only circles are on top.

    Engagements that nothing outside precedes; of these, those with an unpinned attacker.
    """
    earlier = {number: set(before[number]) for number in scrum}
    above = {number: _reachable(number, earlier) for number in scrum}
    # in a topmost circle, every engagement above a member also has that member above itself
    top = [number for number in scrum if all(number in above[other] for other in above[number])]
    free = [n for n in top if any(is_living(a) and a not in pinned for a in engagements[n].attackers)]
    return free or top
