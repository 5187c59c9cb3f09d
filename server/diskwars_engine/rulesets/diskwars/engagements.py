"""Division of pinned enemies into engagements, and the order in which these may be resolved (R15.1, R15.2).

Pure functions on links and numbers; boards, dice and damage are left to the callers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from diskwars_protocol.rulesets.diskwars.events import Engagement, Link, Pin


def partition(links: Iterable[Pin | Link | tuple[int, int]]) -> tuple[Engagement, ...]:
    """Divide the links (attacker, defender) into engagements.

    R15.1.2, R15.7: an engagement is a connected component of the graph that joins attacking roles with defending
    roles. The two roles of a disk are separate nodes, so an embattled disk does not join its two engagements.
    R15.1.4: a component in which some disk has both roles is split into layers.
    """
    all_links = sorted({Link(attacker, defender) for attacker, defender in links})
    return tuple(layer for component in _components(all_links) for layer in _layers(component, all_links))


def _engagement(links: Sequence[Link]) -> Engagement:
    attackers = tuple(sorted({attacker for attacker, _ in links}))
    defenders = tuple(sorted({defender for _, defender in links}))
    return Engagement(attackers, defenders, tuple(sorted(links)))


def _components(links: Sequence[Link]) -> list[list[Link]]:
    """Group links that share an attacker or a defender, in the order of the first link of each group."""
    components: list[list[Link]] = []
    for link in links:
        touching = [
            c
            for c in components
            if any(link.attacker == other.attacker or link.defender == other.defender for other in c)
        ]
        merged = [other for c in touching for other in c]
        rest = [c for c in components if c not in touching]
        components = [*rest, [*merged, link]]
    return sorted((sorted(component) for component in components), key=min)


def _layers(links: Sequence[Link], all_links: Sequence[Link]) -> list[Engagement]:
    """Split a component into one engagement per depth of its attackers (R-16).

    The depth of a disk is 0 if no enemy pins it, else 1 + the greatest depth of its pinners. A disk that pins an
    attacker of this component may belong to another one, so depths are computed over all links.
    """
    if not {a for a, _ in links} & {d for _, d in links}:  # R15.1.3: always the case with two players
        return [_engagement(links)]
    pinners: dict[int, list[int]] = {}
    for attacker, defender in all_links:
        pinners.setdefault(defender, []).append(attacker)
    depths: dict[int, int] = {}

    def depth(disk: int) -> int:
        # Terminates, because a pin always leads from a higher disk to a lower one.
        if disk not in depths:
            depths[disk] = max((depth(above) + 1 for above in pinners.get(disk, ())), default=0)
        return depths[disk]

    levels = sorted({depth(attacker) for attacker, _ in links})
    return [_engagement([link for link in links if depth(link.attacker) == level]) for level in levels]


def legal_engagements(
    engagements: Sequence[Engagement], is_living: Callable[[int], bool], pinned: Collection[int]
) -> tuple[int, ...]:
    """Return the numbers of the engagements that the first player may pick now (R15.2.2 to R15.2.4).

    `pinned` are the disks that a living enemy pins, even if that pin's own engagement has been resolved.
    """
    unresolved = [number for number, engagement in enumerate(engagements) if not engagement.resolved]
    before = {number: preceding(engagements, number, is_living) for number in unresolved}
    picks: list[int] = []
    for scrum in _scrums(unresolved, before):
        free = [number for number in scrum if not before[number]]
        picks.extend(free or _cycle_picks(scrum, before, engagements, is_living, pinned))
    return tuple(sorted(picks))


def preceding(engagements: Sequence[Engagement], number: int, is_living: Callable[[int], bool]) -> list[int]:
    """Return the numbers of the unresolved engagements that precede this one (R15.2.1)."""
    others = [other for other, engagement in enumerate(engagements) if other != number and not engagement.resolved]
    return [other for other in others if _precedes(engagements, other, number, is_living)]


def awaited(
    engagements: Sequence[Engagement], number: int, able: Collection[int], is_living: Callable[[int], bool]
) -> list[int]:
    """Return which of those that may be resolved now this one waits for, through others or directly.

    Engagements of a circle precede each other: only what comes before the circle says what to wait for.
    """
    unresolved = [other for other, engagement in enumerate(engagements) if not engagement.resolved]
    before = {other: preceding(engagements, other, is_living) for other in unresolved}
    reached = _reachable(number, before)
    return sorted(reached & set(able)) or before[number]


def _precedes(engagements: Sequence[Engagement], p: int, q: int, is_living: Callable[[int], bool]) -> bool:
    """Return whether engagement `p` precedes `q`: some living disk defends in P and attacks in Q (R15.2.1)."""
    both = set(engagements[p].defenders) & set(engagements[q].attackers)
    return any(is_living(disk) for disk in both)


def _scrums(unresolved: Collection[int], before: dict[int, list[int]]) -> list[list[int]]:
    """Group engagements that are connected by "precedes" in either direction: the scrums of R15.2."""
    neighbours = {number: set(before[number]) for number in unresolved}
    for later, earlier in before.items():
        for number in earlier:
            neighbours[number].add(later)
    scrums: list[list[int]] = []
    seen: set[int] = set()
    for number in unresolved:
        if number not in seen:
            scrum = _reachable(number, neighbours)
            seen |= scrum
            scrums.append(sorted(scrum))
    return scrums


def _reachable(start: int, neighbours: Mapping[int, Collection[int]]) -> set[int]:
    """Return every number that can be reached from `start`, itself included."""
    reached, pending = {start}, [start]
    while pending:
        new = set(neighbours[pending.pop()]) - reached
        reached |= new
        pending.extend(new)
    return reached


def _cycle_picks(
    scrum: Sequence[int],
    before: dict[int, list[int]],
    engagements: Sequence[Engagement],
    is_living: Callable[[int], bool],
    pinned: Collection[int],
) -> list[int]:
    """Return what may be picked in a scrum in which every engagement is preceded by another (R15.2.3, R-17).

    These are the engagements in circles that nothing outside precedes; of these, those with an attacker that no enemy
    pins, or all of them if there is none.
    """
    earlier = {number: set(before[number]) for number in scrum}
    above = {number: _reachable(number, earlier) for number in scrum}
    # An engagement is in a topmost circle exactly if everything above it also has it above itself: the sources among
    # the strongly connected components of "precedes".
    top = [number for number in scrum if all(number in above[other] for other in above[number])]
    free = [n for n in top if any(is_living(a) and a not in pinned for a in engagements[n].attackers)]
    return free or top
