"""Views of a match of any ruleset for each viewer: its state, its records, the events and actions in them.

In the counting ruleset the loadouts, answers and seat nonces of others are secret, and a hint is for one seat alone.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.local import LocalMatch
from diskwars_engine.match import MatchRules
from diskwars_protocol.match.actions import DrawOffer, LeaveSeat, MakeOffer, Ready, Resign, Stop, TakeSeat, TakeSeatBack
from diskwars_protocol.match.events import BranchBegan, Position, PositionSet, SeatNonceOpened, SeatReady, SeatTaken
from diskwars_protocol.match.ids import ALL, PUBLIC, PlayerId, Viewer
from diskwars_protocol.match.state import AnyBody, RecordBody
from diskwars_protocol.records.sealed import HIDDEN
from tests.engine.played_match import player_of
from tests.engine.test_vacancies import seated
from tests.golden.seat_matches import STRANGER, make_ready
from tests.golden.write_files import COUNTING
from tests.rows import each_row
from tests.server.counting_ruleset import (
    Action,
    ChooseNumber,
    CountingLoadout,
    CountingRules,
    HintGiven,
    NumberChosen,
)

AnyLocal = LocalMatch[Any, Any, Any]
LUCKY = CountingLoadout()
OTHERS = CountingLoadout(lucky=HIDDEN)


def half_ready() -> AnyLocal:
    """Return a match in which both seats are taken, and seat 0 is ready."""
    local = seated()
    make_ready(local, 0)
    return local


def half_answered() -> AnyLocal:
    """Return a match in which seat 0 has chosen its first number."""
    local = seated()
    list(local.begin())
    local.answer(local.match.decisions[0], ChooseNumber(4))
    return local


def shown(local: AnyLocal, kind: type[Any], viewer: Viewer) -> AnyBody:
    """Return the last record whose action is of a kind as a viewer gets it."""
    body = [each for each in local.records if isinstance(each.action, kind)][-1]
    return local.rules.redact_body(body, viewer)


# ---------------------------------------------------------------- states


def test_loadouts_and_waiting_nonces_are_for_their_seats() -> None:
    local = half_ready()
    nonce = local.match.seats[0].seat_nonce
    assert isinstance(nonce, str)
    seen = {
        viewer: [
            (seat_state.loadout, seat_state.seat_nonce) for seat_state in local.rules.view(local.match, viewer).seats
        ]
        for viewer in (0, 1, PUBLIC, ALL)
    }
    assert seen == {
        0: [(LUCKY, nonce), (OTHERS, None)],
        1: [(OTHERS, HIDDEN), (LUCKY, None)],
        PUBLIC: [(OTHERS, HIDDEN), (OTHERS, None)],
        ALL: [(LUCKY, nonce), (LUCKY, None)],
    }


def test_free_seat_looks_the_same_to_everybody() -> None:
    local = seated()
    local.commit(local.decide(player_of(1), None, LeaveSeat()))
    for viewer in (0, 1, PUBLIC):
        assert local.rules.view(local.match, viewer).seats[1] == local.match.seats[1]


# ---------------------------------------------------------------- records


def test_loadout_in_the_record_of_a_taken_seat_is_for_that_seat() -> None:
    local = seated()
    head = local.seats[1].head
    for viewer, loadout in ((0, OTHERS), (1, LUCKY), (PUBLIC, OTHERS), (ALL, LUCKY)):
        body = shown(local, TakeSeat, viewer)
        assert body.action == TakeSeat(head, loadout)
        assert body.events == (SeatTaken(1, player_of(1), head, loadout),)


def test_nonce_in_the_record_of_a_ready_seat_is_for_that_seat() -> None:
    local = half_ready()
    nonce = local.match.seats[0].seat_nonce
    assert isinstance(nonce, str)
    for viewer, known in ((0, nonce), (1, HIDDEN), (PUBLIC, HIDDEN), (ALL, nonce)):
        body = shown(local, Ready, viewer)
        assert body.action == Ready(known)
        assert body.events == (SeatNonceOpened(0, known), SeatReady(0))


def test_secret_answer_is_for_its_seat_and_an_event_that_is_hidden_as_a_whole_keeps_its_place() -> None:
    local = half_answered()
    given = local.match.seats[0].seat_nonce
    for viewer in (0, ALL):
        assert shown(local, ChooseNumber, viewer) is local.records[-1]
    for viewer in (1, PUBLIC):
        body = shown(local, ChooseNumber, viewer)
        assert body.action == ChooseNumber(HIDDEN, HIDDEN)
        assert body.events == (SeatNonceOpened(0, HIDDEN), NumberChosen(0, HIDDEN, ""), HIDDEN)
    assert local.records[-1].events[2] == HintGiven(0, "well chosen")
    assert isinstance(given, str)


def test_digest_is_hidden_with_its_action_and_shown_where_only_events_are_hidden() -> None:
    local = half_answered()
    body = local.records[-1]
    assert local.rules.redact_body(body, 1).digest == HIDDEN
    by_nobody = replace(body, seat=None, action=Stop())
    assert local.rules.redact_body(by_nobody, 1).events != body.events
    assert local.rules.redact_body(by_nobody, 1).digest == body.digest
    without_events = local.rules.redact_body(replace(body, events=()), 1)
    assert (without_events.action, without_events.digest) == (ChooseNumber(HIDDEN, HIDDEN), HIDDEN)


def test_record_that_hides_nothing_stays_as_it_is() -> None:
    local = half_ready()
    first, resigned = local.records[0], local.decide(player_of(0), None, Resign()).body
    for viewer in (0, 1, PUBLIC, ALL):
        assert local.rules.redact_body(first, viewer) is first
        assert local.rules.redact_body(resigned, viewer) is resigned


def test_position_of_a_branch_is_shown_without_its_secrets_and_its_beginning_to_each_seat_with_its_own() -> None:
    board = half_answered().match.board
    for viewer in (0, 1, PUBLIC):
        set_ = COUNTING.redact(PositionSet(Position(board)), viewer)
        assert set_ == PositionSet(Position(COUNTING.ruleset.view(board, PUBLIC)))
        assert COUNTING.redact(BranchBegan(board), viewer) == BranchBegan(COUNTING.ruleset.view(board, viewer))
    for event in (PositionSet(Position(board)), BranchBegan(board), BranchBegan()):
        assert COUNTING.redact(event, ALL) is event


def test_event_for_which_nobody_has_decided_who_sees_it_is_shown_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diskwars_engine.match_views.MATCH_EVENT_TYPES", frozenset({HintGiven}))
    with pytest.raises(TypeError, match="nobody has decided who sees HintGiven"):
        COUNTING.redact(HintGiven(0, "low"), PUBLIC)


class HidesOwnActions(CountingRules):
    """Knows how to hide its own actions, and no other."""

    def redact_action(self, action: Action, seat: int, viewer: int) -> Action:
        assert isinstance(action, ChooseNumber), action
        return super().redact_action(action, seat, viewer)


@each_row(
    "action",
    [Resign(), MakeOffer(DrawOffer()), LeaveSeat(), TakeSeatBack()],
    ids=lambda a: type(a).__name__,
)
def test_ruleset_is_not_asked_who_sees_what_players_do_in_every_ruleset(action: object) -> None:
    body: AnyBody = RecordBody(at_ms=0, seat=0, action=action, digest="00" * 32)
    assert MatchRules(HidesOwnActions()).redact_body(body, PUBLIC) is body


# ---------------------------------------------------------------- viewers


def test_player_views_from_their_seat_and_everybody_else_with_the_public() -> None:
    local = seated()
    viewers = [local.rules.viewer_of(local.match, player) for player in (player_of(0), player_of(1), STRANGER)]
    assert viewers == [0, 1, PUBLIC]
    assert local.rules.viewer_of(local.match, PlayerId("")) == PUBLIC
