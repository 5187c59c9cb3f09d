"""What holds in every match, whoever plays and whoever looks: options, refusals, JSON, views, secrets, takebacks?

The matches are played from seeds that Hypothesis picks; where it finds a breach, the seed is all that is needed to see
it again. Whole matches by the hundred stand in test_whole_matches.py.
"""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diskwars_content import core
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.position import is_on_field
from diskwars_protocol import geometry
from diskwars_protocol import match as m
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.match import PUBLIC, Decision, ParametricOption, Seat
from diskwars_protocol.messages import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import (
    ACTIONS,
    ARMIES,
    EVENTS,
    SEATS,
    VIEWERS,
    Playing,
    by_default,
    masked,
    mixed,
    player,
    random_match,
    rules_of,
    seen,
)
from tests.engine.test_whole_matches import draws, keys_of

SEEDS = st.integers(min_value=1000, max_value=9_999_999)
FEW = settings(max_examples=8, deadline=None, database=None, derandomize=True)
MORE = settings(max_examples=25, deadline=None, database=None, derandomize=True)


def somewhere(seed: int) -> Playing:
    """A match that has come to any of its questions."""
    whole = random_match(seed).play(mixed)
    stop = len(whole.ends) - 4
    return random_match(seed).play(mixed, appends=seed % stop)


# ---------------------------------------------------------------- options


def wandering(playing: Playing, plan: ParametricOption[a.Action]) -> a.Action:
    """Any path within the limits of a plan."""
    disk = playing.board.disks[plan.disk]
    x, y = disk.x, disk.y
    path: list[a.Vector] = []
    while len(path) < plan.flips:
        dx, dy = geometry.flip_at(playing.chance.randrange(72), plan.length)
        if not is_on_field(playing.board, plan.disk, x + dx, y + dy):
            break
        path, x, y = [*path, (dx, dy)], x + dx, y + dy
    return a.MoveDisk(plan.disk, tuple(path)) if path else plan.example


def offered(playing: Playing, decision: Decision[a.Question]) -> list[a.Action]:
    """All that is offered, and a path of every plan that has room for one."""
    options = playing.rules.options(playing.state, decision)
    moves = [wandering(playing, plan) for plan in options.parametric if plan.flips]
    return [*options.actions, *(plan.example for plan in options.parametric), *moves]


@MORE
@given(SEEDS)
def test_every_offered_option_and_every_default_is_accepted(seed: int) -> None:
    playing = somewhere(seed)
    for decision in playing.state.decisions:
        actions = [*offered(playing, decision), by_default(playing, decision)]
        assert len(actions) > 1
        for action in actions:
            events = playing.decide(player(decision.seat), decision.id, playing.completed(decision, action))
            assert isinstance(events[-1], m.Awaiting | m.MatchEnded)


# ---------------------------------------------------------------- any answer at all

NUMBERS = st.one_of(st.integers(-2, 20), st.sampled_from([2**53 - 1, -(2**53) + 1, 44450, 57150, 76200]))
TEXTS = st.text("0123456789abcdefGé\u0000", max_size=33)
VECTORS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4).map(tuple)
ANSWERS = st.one_of(
    st.builds(a.ChooseFirst, NUMBERS),
    st.builds(a.Deploy, st.lists(st.builds(a.Placing, NUMBERS, NUMBERS, NUMBERS), max_size=6).map(tuple)),
    st.builds(a.LockCard, TEXTS | st.just("Press On"), TEXTS | st.just("00" * 16), TEXTS),
    st.builds(a.MoveDisk, NUMBERS, VECTORS, st.booleans()),
    st.builds(a.Shoot, NUMBERS, NUMBERS, NUMBERS),
    st.builds(a.Focus, NUMBERS, st.none() | NUMBERS, NUMBERS),
    st.builds(a.PassDisk, NUMBERS),
    st.builds(a.Reinforce, NUMBERS, NUMBERS, NUMBERS),
    st.builds(a.UseAbility, NUMBERS, st.none() | NUMBERS),
    st.builds(a.EndCard),
    st.builds(a.ChooseScatter, NUMBERS),
    st.builds(a.OrderTriggers, st.lists(NUMBERS, max_size=4).map(tuple)),
    st.builds(a.ChooseEngagement, NUMBERS),
    st.builds(a.ChooseTargets, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4).map(tuple)),
    st.builds(m.Ready, TEXTS),
    st.builds(m.TakeSeat, TEXTS, st.builds(a.Entry, st.sampled_from([*ARMIES, "?"]))),
)


def refused(playing: Playing, decision: Decision[a.Question], answer: a.Action) -> str:
    """The code with which an answer is refused; empty when it is accepted. Any other error goes through."""
    try:
        playing.decide(player(decision.seat), decision.id, answer)
    except Illegal as refusal:
        return refusal.code
    return ""


@FEW
@given(SEEDS, st.lists(ANSWERS, min_size=20, max_size=30))
def test_any_answer_is_accepted_or_refused_with_a_known_code_and_refusing_changes_nothing(
    seed: int, answers: list[a.Action]
) -> None:
    playing = somewhere(seed)
    before = msgspec.json.encode(playing.state)
    for decision in playing.state.decisions:
        codes = {refused(playing, decision, answer) for answer in answers}
        assert codes - {""} <= set(REFUSAL_CODES)
    assert msgspec.json.encode(playing.state) == before


# ---------------------------------------------------------------- JSON


@FEW
@given(SEEDS)
def test_every_event_and_every_action_survives_its_canonical_json(seed: int) -> None:
    """For each viewer too: what is hidden has a JSON of its own."""
    playing = random_match(seed).play(mixed)
    for event in playing.events:
        assert EVENTS.decode(encode_canonical(event)) == event
        if isinstance(event, m.Acted):
            assert ACTIONS.decode(encode_canonical(event.action)) == event.action
        for viewer in VIEWERS:
            redacted = playing.rules.redact(event, viewer)
            assert EVENTS.decode(encode_canonical(redacted)) == redacted


# ---------------------------------------------------------------- views


@FEW
@given(SEEDS)
def test_folding_what_a_viewer_is_told_gives_what_he_may_know(seed: int) -> None:
    """fold(view, redacted event) == view(apply(event)), for every viewer at every record of a match."""
    playing = random_match(seed).play(mixed)
    rules = playing.rules
    state = rules.fold_all(playing.events[:1])
    views = {viewer: rules.view(state, viewer) for viewer in VIEWERS}
    for event in playing.events[1:]:
        state = rules.apply(state, event)
        for viewer in VIEWERS:
            redacted = rules.redact(event, viewer)
            if redacted is not None:
                views[viewer] = m.fold(views[viewer], redacted, rules.ruleset.apply)
            assert views[viewer] == rules.view(state, viewer)


@FEW
@given(SEEDS)
def test_a_view_holds_no_card_of_the_other_hand_and_no_link_to_come(seed: int) -> None:
    """R19.26: looked for as text in all that a viewer holds and is told."""
    playing = random_match(seed)
    for seat in SEATS:
        while len(playing.state.decisions) < 2 and playing.state.status == "running":
            playing.play(by_default, appends=1)
        decision = next(one for one in playing.state.decisions if one.seat == seat)
        events = playing.answer(decision, a.LockCard((playing.board.sides[seat].hand or ())[0], ""))
        acted = events[0].action
        before = events[: next((n for n, one in enumerate(events) if isinstance(one, m.StepBegan)), len(events))]
        for viewer in (1 - seat, PUBLIC):
            told = b"".join(msgspec.json.encode(event) for event in seen(playing, before, viewer))
            assert acted.salt.encode() not in told
            assert acted.link.encode() not in told
            assert acted.card.encode() not in told


# ---------------------------------------------------------------- secrets


def to_first_cards(playing: Playing) -> Playing:
    """On to the first question for command cards, by defaults, which draw nothing."""
    while len(playing.state.decisions) < 2:
        playing.play(by_default, appends=1)
    return playing


def up_to_the_reveal(playing: Playing) -> list[Any]:
    shown = [n for n, event in enumerate(playing.events) if isinstance(event, e.CardsRevealed)]
    return playing.events[: shown[0]] if shown else playing.events


def locked(seed: int, card: int, seat: Seat, order: tuple[Seat, Seat]) -> Playing:
    """Both lock their first cards in this order; `seat` takes number `card` of its hand, the other number 0."""
    playing = to_first_cards(Playing(seed, ("Chaos Patrol", "Empire Patrol")).begin())
    for number in order:
        decision = next(one for one in playing.state.decisions if one.seat == number)
        hand = playing.board.sides[number].hand or ()
        playing.answer(decision, a.LockCard(hand[card if number == seat else 0], ""))
    return playing


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_matches_that_differ_in_one_hidden_card_look_alike_until_the_reveal(
    seat: Seat, order: tuple[Seat, Seat]
) -> None:
    """Non-interference: the same bytes for the other seat and for the public, commitments masked."""
    for seed in range(20):
        one, other = (locked(seed, card, seat, order) for card in (0, 1))
        assert one.events != other.events
        for viewer in (1 - seat, PUBLIC):
            told = [masked(seen(playing, up_to_the_reveal(playing), viewer)) for playing in (one, other)]
            assert told[0] == told[1]
        full = [masked(seen(playing, up_to_the_reveal(playing), seat)) for playing in (one, other)]
        assert full[0] != full[1]


@pytest.mark.parametrize("seat", SEATS)
def test_matches_that_differ_in_a_whole_hand_look_alike_until_the_reveal(seat: Seat) -> None:
    """Non-interference: from the first record on, the entry of the seat included."""
    name = ("Chaos Patrol", "Empire Patrol")[seat]
    catalogue = core()
    army = catalogue.armies[name]
    hands = army.hand, ("Feint", "Sudden Blow", "Double Time")
    for seed in range(10):
        told: list[list[list[bytes]]] = []
        for hand in hands:
            changed = replace(catalogue, armies={**catalogue.armies, name: replace(army, hand=hand)})
            playing = to_first_cards(Playing(seed, rules=rules_of(changed)).begin())
            for number in SEATS:
                decision = next(one for one in playing.state.decisions if one.seat == number)
                playing.answer(decision, a.LockCard((playing.board.sides[number].hand or ())[0], ""))
            assert playing.board.sides[seat].revealed == hand[0]
            views = [masked(seen(playing, up_to_the_reveal(playing), viewer)) for viewer in (1 - seat, PUBLIC)]
            told.append(views)
        assert told[0] == told[1]


@FEW
@given(SEEDS)
def test_number_and_kinds_of_the_records_of_a_lock_do_not_depend_on_the_card(seed: int) -> None:
    playing = to_first_cards(random_match(seed))
    for decision in playing.state.decisions:
        kinds = set()
        for card in playing.board.sides[decision.seat].hand or ():
            for link in ("", playing.link(decision.seat)):
                lock = a.LockCard(card, "00" * 16, link)
                events = playing.decide(player(decision.seat), decision.id, lock)
                kinds.add(tuple(type(event).__name__ for event in events))
        assert len(kinds) == 1


# ---------------------------------------------------------------- takebacks


def taken_back(playing: Playing, to: int) -> list[Any]:
    """The log with the append that takes it back to record `to`: the questions of then, the draw index of now."""
    then = playing.rules.fold_all(playing.events[:to])
    return [*playing.events, m.TakenBack(to), m.Awaiting(then.decisions, playing.state.draw_index)]


@FEW
@given(SEEDS)
def test_after_a_takeback_the_board_is_that_of_then_and_the_dice_are_those_of_now(seed: int) -> None:
    playing = somewhere(seed)
    for to in playing.ends[len(playing.ends) // 2 :: 7]:
        then = playing.rules.fold_all(playing.events[:to])
        state = playing.rules.fold_all(taken_back(playing, to))
        assert (state.board, state.decisions, state.status) == (then.board, then.decisions, then.status)
        assert (state.step, state.draw_index, state.seat_nonces) == (
            playing.state.step,
            playing.state.draw_index,
            playing.state.seat_nonces,
        )
        assert state.anchor == playing.state.anchor
        assert [chair.chain for chair in state.seats] == [chair.chain for chair in playing.state.seats]
        assert [chair.loadout for chair in state.seats] == [chair.loadout for chair in then.seats]


@FEW
@given(SEEDS)
def test_a_match_goes_on_after_a_takeback_and_no_die_of_before_is_drawn_again(seed: int) -> None:
    playing = somewhere(seed)
    to = playing.ends[len(playing.ends) * 2 // 3]
    if playing.rules.fold_all(playing.events[:to]).board is None:
        return
    playing.events = taken_back(playing, to)
    playing.ends.append(len(playing.events))
    playing.state = playing.rules.fold_all(playing.events)
    playing.play(mixed)
    assert playing.rules.fold_all(playing.events) == playing.state
    drawn = [draw for event in playing.events for draw in draws(event)]
    places = [(draw.step, draw.index + n) for draw in drawn for n in range(len(draw.faces))]
    assert len(places) == len(set(places))
    steps = [event.step for event in playing.events if isinstance(event, m.StepBegan)]
    assert steps == list(range(1, len(steps) + 1))
    keys_of(playing)


@FEW
@given(SEEDS)
def test_a_takeback_of_a_takeback_folds_too(seed: int) -> None:
    playing = somewhere(seed)
    first, second = playing.ends[len(playing.ends) // 2], playing.ends[len(playing.ends) // 3]
    log = taken_back(playing, first)
    log += [
        m.TakenBack(second),
        m.Awaiting(playing.rules.fold_all(playing.events[:second]).decisions, playing.state.draw_index),
    ]
    state = playing.rules.fold_all(log)
    assert state.board == playing.rules.fold_all(playing.events[:second]).board
    assert state.step == playing.state.step


@FEW
@given(SEEDS)
def test_a_takeback_cannot_be_folded_from_the_state_alone(seed: int) -> None:
    """Whoever keeps a state and not the log has to fold the log again."""
    playing = somewhere(seed)
    with pytest.raises(m.RefoldRequired) as rewind:
        playing.rules.apply(playing.state, m.TakenBack(playing.ends[0]))
    assert rewind.value.to == playing.ends[0]


@FEW
@given(SEEDS)
def test_what_is_left_of_a_log_after_a_takeback_is_what_counts(seed: int) -> None:
    """Kept are all records up to then, and of those after it the links, steps and new chains."""
    playing = somewhere(seed)
    to = playing.ends[len(playing.ends) // 2]
    kept = m.without_takebacks(taken_back(playing, to))
    fair = [event for event in playing.events[to:] if isinstance(event, m.FAIRNESS_EVENT_TYPES)]
    assert kept[:-1] == playing.events[:to] + fair
    for start, end in pairwise([0, *playing.ends]):
        assert (playing.events[start:end] == kept[start:end]) == (end <= to) or end > to
