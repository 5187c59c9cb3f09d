"""Scrums of any shape resolve, in any order that the first player picks (R15.1, R15.2).

Twice: as bare graphs of downward pins, in which chosen disks die; and as heaps of disks on a field, fought by the
engine with its invariants checked after every answer. Twelve disks and four owners at most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import engagements
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.events import Engagement, Pin
from tests.effort import count_of
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position

DISKS = 12
MANY_SEEDS = settings(max_examples=count_of(300, 100), deadline=None, database=None, derandomize=True)
SOME_SEEDS = settings(max_examples=count_of(100, 40), deadline=None, database=None, derandomize=True)
ORDERS = 200
"""Maximum number of answered positions of one heap that are checked; further orders are skipped."""


# ---------------------------------------------------------------- graphs of pins


class ScrumGraph(Struct, frozen=True):
    """Owners of disks, who pins whom, and who falls as soon as it has fought."""

    owners: tuple[int, ...]
    pins: tuple[Pin, ...]
    mortal: frozenset[int]

    @property
    def links(self) -> list[Pin]:
        return [pin for pin in self.pins if self.owners[pin.top] != self.owners[pin.bottom]]


@st.composite
def graphs(draw: st.DrawFn) -> ScrumGraph:
    """Pins run strictly downward, from a lower number to a higher; beyond that they are as they like."""
    count = draw(st.integers(2, DISKS))
    disks = range(count)
    owners = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    pairs = st.tuples(st.sampled_from(disks), st.sampled_from(disks)).map(lambda pair: (min(pair), max(pair)))
    pins = draw(st.sets(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=2 * count))
    return ScrumGraph(
        tuple(owners), tuple(Pin(*pair) for pair in sorted(pins)), draw(st.frozensets(st.sampled_from(disks)))
    )


class ScrumPosition(Struct, frozen=True):
    """The progress of the fights of a graph: its engagements with their results, and the fallen."""

    engagements: tuple[Engagement, ...]
    fallen: frozenset[int] = frozenset()

    def is_living(self, disk: int) -> bool:
        return disk not in self.fallen

    @property
    def remaining(self) -> list[int]:
        return [number for number, engagement in enumerate(self.engagements) if not engagement.resolved]

    def legal(self, graph: ScrumGraph) -> tuple[int, ...]:
        pinned = {bottom for top, bottom in graph.links if self.is_living(top)}
        return engagements.legal_engagements(self.engagements, self.is_living, pinned)

    def after_fight(self, graph: ScrumGraph, number: int) -> "ScrumPosition":
        """Return the mortal of an engagement fall; engagements without a living pair are dropped (R15.2.5)."""
        one = self.engagements[number]
        fallen = self.fallen | ({*one.attackers, *one.defenders} & graph.mortal)
        parted = tuple(
            replace(other, resolved=other.resolved or n == number or all(fallen & {*link} for link in other.links))
            for n, other in enumerate(self.engagements)
        )
        return ScrumPosition(parted, fallen)


def all_positions(graph: ScrumGraph, start: ScrumPosition) -> Iterator[ScrumPosition]:
    """Yield all positions that a graph can lead to, for any picks."""
    seen, ahead = {start}, [start]
    while ahead:
        position = ahead.pop()
        yield position
        after = {position.after_fight(graph, number) for number in position.legal(graph)} - seen
        seen |= after
        ahead += after


@MANY_SEEDS
@given(graphs())
def test_every_enemy_pin_is_fought_in_exactly_one_engagement_and_nobody_has_both_parts_in_one(
    graph: ScrumGraph,
) -> None:
    """R15.1.2, R15.1.4"""
    parted = engagements.partition(graph.links)
    assert sorted(tuple(link) for engagement in parted for link in engagement.links) == [
        tuple(pin) for pin in graph.links
    ]
    for engagement in parted:
        assert not {*engagement.attackers} & {*engagement.defenders}
        assert ({*engagement.attackers}, {*engagement.defenders}) == (
            {top for top, _ in engagement.links},
            {low for _, low in engagement.links},
        )


@MANY_SEEDS
@given(graphs())
def test_a_pick_is_left_until_all_is_fought_and_only_what_is_free_or_in_a_circle_is_picked(graph: ScrumGraph) -> None:
    """R15.2.2 to R15.2.4, in every order there is; said here by reach alone, without scrums."""
    for position in all_positions(graph, ScrumPosition(engagements.partition(graph.links))):
        legal = position.legal(graph)
        assert bool(legal) == bool(position.remaining)
        assert {*legal} <= {*position.remaining}
        above = {number: higher_disks(position, number) for number in position.remaining}
        free = {number for number in position.remaining if not above[number]}
        assert free <= {*legal}
        for number in {*legal} - free:
            assert all(number in above[other] for other in above[number])


def higher_disks(position: ScrumPosition, number: int) -> set[int]:
    """Return the engagements that come before one, at however many removes."""
    found: set[int] = set()
    ahead = [number]
    while ahead:
        fresh = {*engagements.preceding(position.engagements, ahead.pop(), position.is_living)} - found
        found |= fresh
        ahead += fresh
    return found


# ---------------------------------------------------------------- heaps of disks

WORDS = (
    "",
    "; Frenzy",
    "; Swift (strength)",
    "; Swift (counter)",
    "; Slow (both)",
    "; Poison",
    "; Resistant (physical)",
)


def random_heap(seed: int, disks: int, owners: int, spread: float) -> ScriptedPosition:
    """Return this many disks at random within a square of this side in inches, one over another; each owner has another
    far
    away, so that nobody leaves the game. The melee phase has begun."""
    chance = Random(seed)
    seats = "ABCD"[:owners]
    kinds = [
        f"disk K{n}: {chance.choice(('small', 'medium', 'large'))} S{chance.randint(0, 5)} C{chance.randint(0, 4)}"
        f" T{chance.randint(2, 6)} St{chance.choice((0, 0, 0, 1))}{chance.choice(WORDS)}"
        for n in range(disks)
    ]
    places = [
        f"{chance.choice(seats)} K{n} ({15 + chance.uniform(0, spread):.2f}, {15 + chance.uniform(0, spread):.2f})"
        for n in range(disks)
    ]
    far = [f"{seat} Onlooker ({3 + 9 * n}, 33)" for n, seat in enumerate(seats)]
    order = " ".join(chance.sample(seats, owners))
    pins = chance.choice(("strict", "contact"))
    lines = (f"pins {pins}", f"order {order}", *kinds, "disk Onlooker: small", *places, *far)
    return scripted_position("\n".join(lines)).start_melee()


HEAPS = st.tuples(
    st.randoms(use_true_random=False).map(lambda chance: chance.randrange(10**6)),
    st.sampled_from((12, 11, 10, 9, 8, 6, 4, 3, 2)),  # first what is tangled
    st.sampled_from((4, 3, 2)),
    st.sampled_from((3.5, 5.0, 2.0)),
)


def answers(table: ScriptedPosition, chance: Random) -> list[a.Action]:
    """Return every engagement that may be picked, in any order, or some way of choosing the targets of a step."""
    actions = table.options().actions
    return chance.sample(actions, len(actions)) if is_pick(table) else [chance.choice(actions)]


def is_pick(table: ScriptedPosition) -> bool:
    return isinstance(table.open_questions[0][1], a.EngagementQuestion)


def final_positions(start: ScriptedPosition, chance: Random) -> Iterator[tuple[ScriptedPosition, list[object]]]:
    """Yield what comes of a heap in each order, with all that was recorded on the way there."""
    ahead: list[tuple[ScriptedPosition, list[object]]] = [(start, [*start.events])]
    for _ in range(ORDERS):
        if not ahead:
            return
        table, recorded = ahead.pop()
        if not table.open_questions:
            yield table, recorded
            continue
        for action in answers(table, chance):
            after = table.answer(action)
            ahead.append((after, [*recorded, *after.events]))


@SOME_SEEDS
@given(HEAPS)
def test_a_heap_is_fought_to_its_end_in_every_order(drawn: tuple[int, int, int, float]) -> None:
    """R15.2: invariants hold after every answer, and each engagement is either fought once or dropped."""
    start = random_heap(*drawn)
    found = 0
    for table, recorded in final_positions(start, Random(drawn[0])):
        found += 1
        assert all(engagement.resolved for engagement in table.board.engagements)
        begun = [event.engagement for event in recorded if isinstance(event, e.EngagementBegan)]
        over = Counter(event.engagement for event in recorded if isinstance(event, e.EngagementEnded))
        dropped = [event.engagement for event in recorded if isinstance(event, e.EngagementEnded) and event.dropped]
        assert over == Counter(range(len(table.board.engagements)))
        assert sorted(begun + dropped) == list(range(len(table.board.engagements)))
        check_strikes(table, recorded)
    assert found


def check_strikes(table: ScriptedPosition, recorded: Sequence[object]) -> None:
    """R15.3: blows fall along the links of their engagement only, and nobody strikes back at two in a step."""
    for event in recorded:
        if isinstance(event, e.BlowsStruck):
            pairs = [(blow.disk, blow.target) for blow in event.blows]
            links = [tuple(link) for link in table.board.engagements[event.engagement].links]
            assert all(pair in links or pair[::-1] in links for pair in pairs)
            back = Counter(disk for disk, target in pairs if (target, disk) in links)
            assert max(back.values(), default=0) <= 1


def position_shape(table: ScriptedPosition) -> set[str]:
    """Return what a scrum has that makes it hard."""
    parted = table.board.engagements
    both = {d for engagement in parted for d in engagement.attackers} & {
        d for engagement in parted for d in engagement.defenders
    }
    start = ScrumPosition(parted)
    above = [higher_disks(start, number) for number in start.remaining]
    owners = {
        table.board.disks[disk].seat for engagement in parted for disk in (*engagement.attackers, *engagement.defenders)
    }
    return {
        name
        for name, is_so in {
            "embattled": both,
            "circle": any(number in found for number, found in enumerate(above)),
            "chain": any(len(found) > 2 for found in above),
            "four owners": len(owners) == 4,
            "four engagements": len(parted) > 3,
        }.items()
        if is_so
    }


@pytest.mark.parametrize("spread", [2.0, 3.5, 5.0])
def test_the_heaps_are_as_tangled_as_they_should_be(spread: float) -> None:
    """Otherwise the test above would look at nothing."""
    seen = Counter(part for seed in range(60) for part in position_shape(random_heap(seed, DISKS, 4, spread)))
    assert set(seen) >= {"embattled", "chain", "four owners", "four engagements"}
    assert spread != 3.5 or seen["circle"]
