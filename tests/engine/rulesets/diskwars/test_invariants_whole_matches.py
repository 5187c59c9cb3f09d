"""Whole matches of random legal play keep all invariants, from the first record to the last.

Two hundred of them where all are tried, by all four armies and both options, each checked in every way that one pass
allows. They are divided into groups that several processes can share.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import MatchEnded, MatchOpened, SeatTaken, StepBegan
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import Draw, check_draw, next_index, replay_keys
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, RESERVE, Board
from tests.effort import count_of
from tests.engine.played_match import SEATS, PlayedMatch, begin_random_match, mixed_action

GROUP, GROUPS = 20, 10
TRIED = count_of(GROUP, 5)
SOME_SEEDS = pytest.mark.parametrize("seed", range(300, 306))


@pytest.mark.parametrize("first", range(0, GROUP * GROUPS, GROUP))
def test_random_matches_fold_from_their_json_to_the_same_state(first: int) -> None:
    """Every board at the end of a record is in order, and the stored log gives exactly the same state."""
    for seed in range(first, first + TRIED):
        playing = begin_random_match(seed)
        while playing.state.status != "ended":
            playing.play(mixed_action, records=1)
            assert playing.state.board is None or playing.rules.ruleset.check(playing.state.board) == []
        decoded = [playing.rules.vocabulary.decode_body(encode_canonical(body)) for body in playing.bodies]
        assert playing.rules.fold_log(decoded) == playing.state
        assert playing.state.result is not None


@cache
def play_match(seed: int) -> PlayedMatch:
    """Return a whole match, for tests that only look at it."""
    return begin_random_match(seed).play(mixed_action)


# ---------------------------------------------------------------- dice


def draws_in(value: object) -> Iterator[Draw]:
    """Yield every draw in an event, however deep."""
    if isinstance(value, Draw):
        yield value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from draws_in(getattr(value, field))
    elif isinstance(value, tuple):
        for part in value:
            yield from draws_in(part)


def keys_of(playing: PlayedMatch) -> tuple[bytes, ...]:
    """Return the keys of all steps, from what a match publishes."""
    opened = playing.events[0]
    steps = [event for event in playing.events if isinstance(event, StepBegan)]
    links = [event.server_link for event in steps[1:]] + [playing.events[-1].server_link]
    return replay_keys(opened.anchor, links, [event.seat_nonces for event in steps])


@SOME_SEEDS
def test_every_die_of_a_match_follows_from_the_links_that_were_published(seed: int) -> None:
    """R19.1"""
    playing = play_match(seed)
    keys = keys_of(playing)
    rolled = [draw for event in playing.events for draw in draws_in(event)]
    assert {draw.step for draw in rolled} > {1}
    for draw in rolled:
        assert check_draw(draw, keys[draw.step - 1])


@SOME_SEEDS
def test_the_index_of_a_draw_never_goes_back_and_is_never_used_twice(seed: int) -> None:
    playing = play_match(seed)
    rolled = [draw for event in playing.events for draw in draws_in(event)]
    for before, after in pairwise(rolled):
        assert after.step > before.step or after.index == next_index(before)


# ---------------------------------------------------------------- conservation


def boards(playing: PlayedMatch) -> Iterator[tuple[Any, Board]]:
    """Yield every event of a match with the board after it, once there is one."""
    state: Any = None
    for event in playing.events:
        state = playing.rules.apply(state, event)
        if state.board is not None:
            yield event, state.board


CHOOSERS = {(RESERVE, BATTLEFIELD), (BATTLEFIELD, CASUALTY), (RESERVE, CASUALTY)}


@SOME_SEEDS
def test_no_disk_appears_vanishes_changes_owner_or_returns_from_the_casualties(seed: int) -> None:
    playing = play_match(seed)
    before: Board | None = None
    for _, board in boards(playing):
        if before is not None:
            assert [(d.id, d.seat, d.profile) for d in board.disks] == [(d.id, d.seat, d.profile) for d in before.disks]
            pairs = zip(before.disks, board.disks, strict=True)
            assert all(x.place == y.place or (x.place, y.place) in CHOOSERS for x, y in pairs)
        before = board


@SOME_SEEDS
def test_no_card_appears_vanishes_or_is_played_twice_in_a_round(seed: int) -> None:
    """R7.16, R4.3: hand, revealed card and discards together are the hand that the seat brought."""
    playing = play_match(seed)
    brought: dict[int, Counter[str]] = {}
    for event, board in boards(playing):
        if isinstance(event, e.HandTaken):
            brought[event.seat] = Counter(if_known(board.sides[event.seat].hand) or ())
        for seat, hand in brought.items():
            side = board.sides[seat]
            if side.eliminated:
                continue  # R4.10 his cards have left the game
            held = [*(if_known(side.hand) or ()), *side.discards, *([side.revealed_card] if side.revealed_card else [])]
            assert Counter(held) == hand
            assert side.card_count == len(if_known(side.hand) or ())
    assert set(brought) == set(SEATS)


@SOME_SEEDS
def test_wounds_never_heal(seed: int) -> None:
    """R13.6"""
    playing = play_match(seed)
    wounds: dict[int, int] = {}
    for _, board in boards(playing):
        fielded = [disk for disk in board.disks if disk.place == BATTLEFIELD]
        assert all(disk.wounds >= wounds.get(disk.id, 0) for disk in fielded)
        wounds = {disk.id: disk.wounds for disk in fielded}


# ---------------------------------------------------------------- the form of a log


@SOME_SEEDS
def test_every_record_but_the_first_is_an_action_and_the_last_alone_has_a_result(seed: int) -> None:
    first, *others = play_match(seed).bodies
    assert first.action is None
    assert isinstance(first.events[0], MatchOpened)
    assert all(body.action is not None for body in others)
    assert [body.result is not None for body in others] == [False] * (len(others) - 1) + [True]
    assert isinstance(others[-1].events[-1], MatchEnded)


@SOME_SEEDS
def test_record_leaves_out_the_fields_that_it_does_not_change(seed: int) -> None:
    playing = play_match(seed)
    state: Any = None
    for body in playing.bodies:
        after: Any = playing.rules.fold(state, body)
        if state is not None:
            assert (body.decisions is None) == (after.decisions == state.decisions or body.result is not None)
            if state.board is not None:
                assert (body.cursor is not None) == (after.board.cursor != state.board.cursor)
        state = after


@SOME_SEEDS
def test_a_decision_keeps_its_id_while_it_is_open_and_no_id_is_given_twice(seed: int) -> None:
    playing = play_match(seed)
    opened: dict[str, Decision[Any]] = {}
    open_before: tuple[Decision[Any], ...] = ()
    for seq, body in enumerate(playing.bodies, 1):
        for decision in body.decisions or ():
            assert opened.setdefault(decision.id, decision) == decision
            if decision not in open_before:
                assert decision.id.startswith(f"{seq}.")
        open_before = open_before if body.decisions is None else body.decisions


@SOME_SEEDS
def test_deciding_the_recorded_actions_again_gives_the_same_records(seed: int) -> None:
    """Deciding is deterministic: what `diskwars verify` relies on."""
    playing = play_match(seed)
    again = PlayedMatch(seed, playing.armies, playing.events[0].settings)
    for recorded in playing.bodies[1:]:
        who = next(
            event.player for event in playing.events if isinstance(event, SeatTaken) and event.seat == recorded.seat
        )
        assert recorded.action is not None
        body = again.decide(who, recorded.decision, recorded.action)
        assert body == again.decide(who, recorded.decision, recorded.action)
        assert msgspec.json.encode(body) == msgspec.json.encode(recorded)
        again.commit(body)
    assert again.state == playing.state
