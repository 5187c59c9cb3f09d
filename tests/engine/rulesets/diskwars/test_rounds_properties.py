"""Properties of every match for all players and viewers: options, refusals, JSON, views, secrets, takebacks.

The matches are played from seeds that Hypothesis picks; a seed is enough to reproduce a failure.
test_whole_matches.py plays whole matches by the hundred.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_protocol import geometry
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import LASTING_EVENT_TYPES, StepBegan
from diskwars_protocol.match.ids import PUBLIC, Seat, Viewer
from diskwars_protocol.match.match_fold import RefoldRequired, without_takebacks
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption
from diskwars_protocol.rulesets.diskwars.position import is_on_field
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody as Body
from tests.engine.played_match import (
    ARMIES,
    SEATS,
    VIEWERS,
    PlayedMatch,
    begin_random_match,
    build_rules,
    default_action,
    mixed_action,
    player_of,
    until,
    without_commitments,
)
from tests.engine.rulesets.diskwars.test_invariants_whole_matches import draws_in, keys_of
from tests.protocol.takebacks import reopened
from tests.rows import each_row

SEEDS = st.integers(min_value=1000, max_value=9_999_999)
FEW_SEEDS = settings(max_examples=8, deadline=None, database=None, derandomize=True)
MORE_SEEDS = settings(max_examples=12, deadline=None, database=None, derandomize=True)


def random_state(seed: int) -> PlayedMatch:
    """Return a match that has come to any of its questions."""
    whole = begin_random_match(seed).play(mixed_action)
    stop = len(whole.bodies) - 4
    return begin_random_match(seed).play(mixed_action, records=seed % stop)


# ---------------------------------------------------------------- options


def wander(playing: PlayedMatch, plan: DiskwarsOption) -> a.Action:
    """Return any path within the limits of a plan."""
    assert plan.disk is not None
    disk = playing.board.disks[plan.disk]
    x, y = disk.x, disk.y
    path: list[a.Vector] = []
    while len(path) < plan.flips:
        dx, dy = geometry.flip_at(playing.chance.randrange(72), plan.length)
        if not is_on_field(playing.board, plan.disk, x + dx, y + dy):
            break
        path, x, y = [*path, (dx, dy)], x + dx, y + dy
    return a.MoveDisk(plan.disk, tuple(path)) if path else plan.example


def offered_actions(playing: PlayedMatch, decision: Decision[a.Question]) -> list[a.Action]:
    """Return all that is offered, and a path of every plan that has room for one."""
    options = playing.rules.options(playing.state, decision)
    moves = [wander(playing, plan) for plan in options.parametric if plan.flips]
    return [*options.actions, *(plan.example for plan in options.parametric), *moves]


@MORE_SEEDS
@given(SEEDS)
def test_every_offered_option_and_every_default_is_accepted(seed: int) -> None:
    playing = random_state(seed)
    for decision in playing.state.decisions:
        actions = [*offered_actions(playing, decision), default_action(playing, decision)]
        assert len(actions) > 1
        for action in actions:
            body = playing.decide(player_of(decision.seat), decision.id, playing.with_secrets(decision, action))
            assert body.decisions or body.result or body.decisions is None


# ---------------------------------------------------------------- any answer at all

NUMBERS = st.one_of(st.integers(-2, 20), st.sampled_from([2**53 - 1, -(2**53) + 1, 44450, 57150, 76200]))
TEXTS = st.text("0123456789abcdefGé\u0000", max_size=33)
VECTORS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4).map(tuple)
ANSWERS = st.one_of(
    st.builds(a.ChooseFirstPlayer, NUMBERS),
    st.builds(a.Deploy, st.lists(st.builds(a.Placement, NUMBERS, NUMBERS, NUMBERS), max_size=6).map(tuple)),
    st.builds(a.LockCard, TEXTS | st.just("press-on"), TEXTS | st.just("00" * 16), TEXTS),
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
    st.builds(a.ChooseTargets, st.lists(st.builds(a.MeleeTarget, NUMBERS, NUMBERS), max_size=4).map(tuple)),
    st.builds(Ready, TEXTS),
    st.builds(TakeSeat, TEXTS, st.builds(a.Loadout, st.sampled_from([*ARMIES, "?"]))),
)


def is_refused(playing: PlayedMatch, decision: Decision[a.Question], answer: a.Action) -> str:
    """Return the code with which an answer is refused; empty when it is accepted. Any other error goes through."""
    try:
        playing.decide(player_of(decision.seat), decision.id, answer)
    except Illegal as refusal:
        return refusal.code
    return ""


@FEW_SEEDS
@given(SEEDS, st.lists(ANSWERS, min_size=20, max_size=30))
def test_any_answer_is_accepted_or_refused_with_a_known_code_and_refusing_changes_nothing(
    seed: int, answers: list[a.Action]
) -> None:
    playing = random_state(seed)
    before = msgspec.json.encode(playing.state)
    for decision in playing.state.decisions:
        codes = {is_refused(playing, decision, answer) for answer in answers}
        assert codes - {""} <= {*REFUSAL_CODES, *DISKWARS_REFUSAL_CODES}
    assert msgspec.json.encode(playing.state) == before


# ---------------------------------------------------------------- JSON


@FEW_SEEDS
@given(SEEDS)
def test_every_record_survives_its_canonical_json(seed: int) -> None:
    """For each viewer too: what is hidden has a JSON of its own."""
    playing = begin_random_match(seed).play(mixed_action)
    read = playing.rules.vocabulary.decode_body
    for body in playing.bodies:
        assert read(encode_canonical(body)) == body
        for viewer in VIEWERS:
            redacted = playing.rules.redact_body(body, viewer)
            assert read(encode_canonical(redacted)) == redacted


# ---------------------------------------------------------------- views


@FEW_SEEDS
@given(SEEDS)
def test_folding_the_records_of_a_viewer_gives_the_view(seed: int) -> None:
    """fold(view, redacted event) == view(apply(event)), for every viewer at every event of a match."""
    playing = begin_random_match(seed).play(mixed_action)
    rules = playing.rules
    state: Any = None
    views: dict[Viewer, Any] = dict.fromkeys(VIEWERS)
    for body in playing.bodies:
        for event in body.events:
            state = rules.apply(state, event)
            views = {who: rules.apply(view, rules.redact(event, who)) for who, view in views.items()}
            assert views == {who: rules.view(state, who) for who in VIEWERS}
        state = rules.vocabulary.close_record(state, body)
        views = {who: rules.vocabulary.close_record(view, rules.redact_body(body, who)) for who, view in views.items()}
        assert views == {who: rules.view(state, who) for who in VIEWERS}


@FEW_SEEDS
@given(SEEDS)
def test_a_view_holds_no_card_of_the_other_hand_and_no_link_to_come(seed: int) -> None:
    """R19.26: searched as text in everything that a viewer holds and receives."""
    playing = begin_random_match(seed)
    for seat in SEATS:
        while len(playing.state.decisions) < 2 and playing.state.status == "running":
            playing.play(default_action, records=1)
        decision = next(decision for decision in playing.state.decisions if decision.seat == seat)
        body = playing.answer(decision, a.LockCard((if_known(playing.board.sides[seat].hand) or ())[0], ""))
        acted: Any = body.action
        for viewer in (1 - seat, PUBLIC):
            (before,) = until(StepBegan, [playing.rules.redact_body(body, viewer)])
            shown = msgspec.json.encode(before)
            assert acted.salt.encode() not in shown
            assert acted.seat_nonce.encode() not in shown
            assert acted.card.encode() not in shown


# ---------------------------------------------------------------- secrets


def play_to_first_cards(playing: PlayedMatch) -> PlayedMatch:
    """On to the first question for command cards, by defaults, which draw nothing."""
    while len(playing.state.decisions) < 2:
        playing.play(default_action, records=1)
    return playing


def play_to_reveal(playing: PlayedMatch, viewer: Viewer) -> list[bytes]:
    """Return the records that a viewer gets before the cards are revealed."""
    return without_commitments(until(e.CardsRevealed, playing.seen_by(viewer)))


def lock_card(seed: int, card: int, seat: Seat, order: tuple[Seat, Seat]) -> PlayedMatch:
    """Both lock their first cards in this order; `seat` takes number `card` of its hand, the other number 0."""
    playing = play_to_first_cards(PlayedMatch(seed, ("chaos-patrol", "empire-patrol")).begin())
    for number in order:
        decision = next(decision for decision in playing.state.decisions if decision.seat == number)
        hand = if_known(playing.board.sides[number].hand) or ()
        playing.answer(decision, a.LockCard(hand[card if number == seat else 0], ""))
    return playing


@each_row("seat", SEATS)
@each_row("order", [(0, 1), (1, 0)])
def test_matches_that_differ_in_one_hidden_card_look_alike_until_the_reveal(
    seat: Seat, order: tuple[Seat, Seat]
) -> None:
    """Non-interference: the same bytes for the other seat and for the public, commitments masked."""
    for seed in range(20):
        one, other = (lock_card(seed, card, seat, order) for card in (0, 1))
        assert one.events != other.events
        for viewer in (1 - seat, PUBLIC):
            shown = [play_to_reveal(playing, viewer) for playing in (one, other)]
            assert shown[0] == shown[1]
        full = [play_to_reveal(playing, seat) for playing in (one, other)]
        assert full[0] != full[1]


@pytest.mark.parametrize("seat", SEATS)
def test_matches_that_differ_in_a_whole_hand_look_alike_until_the_reveal(seat: Seat) -> None:
    """Non-interference: from the first record on, the entry of the seat included."""
    name = ("chaos-patrol", "empire-patrol")[seat]
    catalogue = core_pack()
    army = catalogue.armies[name]
    hands = army.hand, ("feint", "sudden-blow")
    for seed in range(10):
        shown: list[list[list[bytes]]] = []
        for hand in hands:
            changed = replace(catalogue, armies={**catalogue.armies, name: replace(army, hand=hand)})
            playing = play_to_first_cards(PlayedMatch(seed, rules=build_rules(changed)).begin())
            for number in SEATS:
                decision = next(decision for decision in playing.state.decisions if decision.seat == number)
                playing.answer(decision, a.LockCard((if_known(playing.board.sides[number].hand) or ())[0], ""))
            assert playing.board.sides[seat].revealed_card == hand[0]
            views = [play_to_reveal(playing, viewer) for viewer in (1 - seat, PUBLIC)]
            shown.append(views)
        assert shown[0] == shown[1]


@FEW_SEEDS
@given(SEEDS)
def test_number_and_kinds_of_the_events_of_a_lock_do_not_depend_on_the_card(seed: int) -> None:
    playing = play_to_first_cards(begin_random_match(seed))
    for decision in playing.state.decisions:
        kinds = set()
        for card in if_known(playing.board.sides[decision.seat].hand) or ():
            for link in ("", playing.next_seat_link(decision.seat)):
                lock = a.LockCard(card, "01" * 16, link)
                body = playing.decide(player_of(decision.seat), decision.id, lock)
                kinds.add(tuple(type(event).__name__ for event in body.events))
        assert len(kinds) == 1


# ---------------------------------------------------------------- takebacks


def takeback(log: Sequence[Body], playing: PlayedMatch, to: int) -> Body:
    """The record that takes a match back to record `to`: the questions of then, the draw index of now."""
    then = playing.rules.fold_log(log[:to])
    return RecordBody(
        at_ms=log[-1].at_ms,
        decisions=reopened(then.decisions, len(log) + 1),
        draw_index=playing.rules.fold_log(log).draw_index,
        taken_back_to=to,
    )


def take_back(playing: PlayedMatch, to: int) -> list[Body]:
    return [*playing.bodies, takeback(playing.bodies, playing, to)]


@FEW_SEEDS
@given(SEEDS)
def test_after_a_takeback_the_board_is_that_of_then_and_the_dice_are_those_of_now(seed: int) -> None:
    begun, playing = len(begin_random_match(seed).bodies), random_state(seed)
    assume(playing.state.status != "ended")  # what has been published at the end cannot be taken back
    count = len(playing.bodies)
    for to in range(max(begun, count // 2), count + 1, 7):
        then = playing.rules.fold_log(playing.bodies[:to])
        state = playing.rules.fold_log(take_back(playing, to))
        decisions = reopened(then.decisions, count + 1)
        assert (state.board, state.decisions, state.status) == (then.board, decisions, then.status)
        assert (state.step, state.draw_index, state.seat_nonces) == (
            playing.state.step,
            playing.state.draw_index,
            playing.state.seat_nonces,
        )
        assert state.server_link == playing.state.server_link
        assert [seat_state.chain for seat_state in state.seats] == [
            seat_state.chain for seat_state in playing.state.seats
        ]
        assert [seat_state.loadout for seat_state in state.seats] == [seat_state.loadout for seat_state in then.seats]


@FEW_SEEDS
@given(SEEDS)
def test_a_match_goes_on_after_a_takeback_and_no_die_of_before_is_drawn_again(seed: int) -> None:
    playing = random_state(seed)
    assume(playing.state.status != "ended")
    to = len(playing.bodies) * 2 // 3
    if playing.rules.fold_log(playing.bodies[:to]).board is None:
        return
    playing.bodies = take_back(playing, to)
    playing.state = playing.rules.fold_log(playing.bodies)
    playing.play(mixed_action)
    assert playing.rules.fold_log(playing.bodies) == playing.state
    drawn = [draw for event in playing.events for draw in draws_in(event)]
    places = [(draw.step, draw.index + n) for draw in drawn for n in range(len(draw.results))]
    assert len(places) == len(set(places))
    steps = [event.step for event in playing.events if isinstance(event, StepBegan)]
    assert steps == list(range(1, len(steps) + 1))
    keys_of(playing)


@FEW_SEEDS
@given(SEEDS)
def test_a_takeback_of_a_takeback_folds_too(seed: int) -> None:
    playing = random_state(seed)
    first, second = (
        len(playing.bodies) // 2,
        len(playing.bodies) // 3,
    )
    log = take_back(playing, first)
    log.append(takeback(log, playing, second))
    state = playing.rules.fold_log(log)
    assert state.board == playing.rules.fold_log(playing.bodies[:second]).board
    assert state.step == playing.state.step


@FEW_SEEDS
@given(SEEDS)
def test_a_takeback_cannot_be_folded_from_the_state_alone(seed: int) -> None:
    """A caller that keeps a state but not the log has to fold the log again."""
    playing = random_state(seed)
    with pytest.raises(RefoldRequired) as rewind:
        playing.rules.fold(playing.state, takeback(playing.bodies, playing, 1))
    assert rewind.value.to == 1


@FEW_SEEDS
@given(SEEDS)
def test_state_after_a_takeback_is_that_of_the_records_that_remain(seed: int) -> None:
    """Kept are all records up to then, and of those after it the time, the links, the steps and the new chains."""
    playing = random_state(seed)
    to = len(playing.bodies) // 2
    kept = without_takebacks(take_back(playing, to))
    assert kept[:to] == playing.bodies[:to]
    undone = list(zip(kept[to:-1], playing.bodies[to:], strict=True))
    assert undone
    for left, body in undone:
        fair = tuple(event for event in body.events if isinstance(event, LASTING_EVENT_TYPES))
        assert left == RecordBody(at_ms=body.at_ms, events=fair)
