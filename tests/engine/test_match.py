"""A match around its board: seats, readiness, nonces and steps, replaced chains, resigning, the end."""

import hashlib
import pickle
from collections.abc import Sequence
from itertools import pairwise

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import ReplaceChain, Resign, TakeSeat
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.events import ChainReplaced, MatchEnded, StepBegan
from diskwars_protocol.match.state import RecordBody, chain_head
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import ZERO_NONCE_TEXT, SeatChain, deal_commitment
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import PlayedMatch, begin_random_match, default_action, greedy_action, player_of
from tests.protocol.takebacks import reopened

OTHER_CHAIN = SeatChain(b"another secret!!", length=8)


def event_names(events: Sequence[object]) -> list[str]:
    return [type(event).__name__ for event in events]


def play_to_lock(playing: PlayedMatch | None = None) -> PlayedMatch:
    """Both are asked for their first card, or for the next one of a match."""
    playing = playing or PlayedMatch(3).begin()
    while len(playing.state.decisions) < 2:
        playing.play(default_action, records=1)
    return playing


def decision_of(playing: PlayedMatch, seat: int) -> Decision[a.Question]:
    return next(decision for decision in playing.state.decisions if decision.seat == seat)


# ---------------------------------------------------------------- beginning


def test_a_match_opens_with_a_question_for_every_seat() -> None:
    playing = PlayedMatch(1)
    assert event_names(playing.events) == ["MatchOpened"]
    assert [(decision.id, decision.seat) for decision in playing.state.decisions] == [("1.0", 0), ("1.1", 1)]
    assert playing.state.status == "open"


def test_settings_of_another_process_give_the_same_first_record() -> None:
    """Unpickled text is equal to a default and another object, and msgspec leaves out a default by its identity."""
    settings = a.DiskwarsSettings(impact_own=False, regiments=1)
    copied: a.DiskwarsSettings = pickle.loads(pickle.dumps(settings))
    first, second = (
        encode_canonical(PlayedMatch(1, settings=chosen_settings).bodies[0]) for chosen_settings in (settings, copied)
    )
    assert first == second
    assert b'"impact_own":false' in first


def test_the_anchor_and_the_deal_are_bound_in_the_first_record() -> None:
    playing = PlayedMatch(1)
    opened = playing.events[0]
    assert opened.anchor == playing.secrets.chain.anchor.hex()
    assert opened.deal_commitment == deal_commitment(playing.secrets.deal_secret)


def test_the_set_up_is_step_1_and_begins_when_the_last_is_ready() -> None:
    playing = PlayedMatch(1).begin()
    start = playing.bodies[-1].events
    assert event_names(start)[:4] == ["SeatNonceOpened", "SeatReady", "StepBegan", "MatchStarted"]
    assert (playing.state.status, playing.state.step) == ("running", 1)
    began = start[2]
    assert isinstance(began, StepBegan)
    assert began.server_link == playing.events[0].anchor
    assert began.seat_nonces == tuple(chain.link(1).hex() for chain in playing.chains)


def test_a_decision_keeps_its_id_when_the_other_seat_answers() -> None:
    playing = play_to_lock()
    before = decision_of(playing, 1)
    playing.answer(decision_of(playing, 0), default_action(playing, decision_of(playing, 0)))
    assert playing.state.decisions == (before,)


# ---------------------------------------------------------------- links and steps


def lock_first_card(playing: PlayedMatch, seat: int, link: str) -> Sequence[object]:
    decision = decision_of(playing, seat)
    card = (if_known(playing.board.sides[seat].hand) or ())[0]
    lock = a.LockCard(card, f"{playing.state.step:02d}{seat:02d}" * 8, link)
    return playing.commit(playing.decide(player_of(seat), decision.id, lock)).events


def test_links_become_nonces_when_the_last_has_locked() -> None:
    playing = play_to_lock()
    links = [playing.next_seat_link(seat) for seat in (0, 1)]
    lock_first_card(playing, 0, links[0])
    assert playing.state.step == 1
    assert playing.state.seats[0].seat_nonce == links[0]
    (began,) = [event for event in lock_first_card(playing, 1, links[1]) if isinstance(event, StepBegan)]
    assert (began.step, began.seat_nonces, began.missing) == (2, tuple(links), ())
    assert [chain_head(seat_state) for seat_state in playing.state.seats] == links
    assert [seat_state.seat_nonce for seat_state in playing.state.seats] == [None, None]


def test_a_link_that_is_not_given_counts_as_zeros_and_everybody_sees_it() -> None:
    playing = play_to_lock()
    head = chain_head(playing.state.seats[0])
    lock_first_card(playing, 0, "")
    (began,) = [
        event for event in lock_first_card(playing, 1, playing.next_seat_link(1)) if isinstance(event, StepBegan)
    ]
    assert (began.seat_nonces[0], began.missing) == (ZERO_NONCE_TEXT, (0,))
    assert chain_head(playing.state.seats[0]) == head


def test_after_a_missed_link_the_same_one_is_due() -> None:
    playing = play_to_lock()
    due = playing.next_seat_link(0)
    behind = playing.chains[0].link(3).hex()
    lock_first_card(playing, 0, "")
    lock_first_card(playing, 1, playing.next_seat_link(1))
    play_to_lock(playing)
    with pytest.raises(Illegal) as refused:
        lock_first_card(playing, 0, behind)
    assert (refused.value.code, refused.value.place) == ("bad_seat_nonce", "$.action.seat_nonce")
    lock_first_card(playing, 0, due)
    (began,) = [
        event for event in lock_first_card(playing, 1, playing.next_seat_link(1)) if isinstance(event, StepBegan)
    ]
    assert (began.seat_nonces[0], began.missing) == (due, ())


def test_each_step_publishes_the_servers_link_of_the_step_before() -> None:
    playing = begin_random_match(5).play(greedy_action)
    steps = [event for event in playing.events if isinstance(event, StepBegan)]
    links = [step.server_link for step in steps] + [playing.events[-1].server_link]
    assert links[0] == playing.events[0].anchor
    for earlier, later in pairwise(links):
        assert hashlib.sha256(bytes.fromhex(later)).hexdigest() == earlier


def test_a_new_chain_counts_from_the_next_step_but_one() -> None:
    playing = play_to_lock()
    playing.commit(playing.decide(player_of(0), None, ReplaceChain(OTHER_CHAIN.head.hex())))
    replaced = [event for event in playing.events if isinstance(event, ChainReplaced)]
    assert [(event.seat, event.from_step) for event in replaced] == [(0, 3)]
    old = playing.chains[0].head.hex()
    assert chain_head(playing.state.seats[0]) != OTHER_CHAIN.head.hex()
    lock_first_card(playing, 0, "")
    lock_first_card(playing, 1, playing.next_seat_link(1))
    assert chain_head(playing.state.seats[0]) == OTHER_CHAIN.head.hex() != old
    while len(playing.state.decisions) < 2:
        playing.play(default_action, records=1)
    lock_first_card(playing, 0, OTHER_CHAIN.link(1).hex())
    (began,) = [
        event for event in lock_first_card(playing, 1, playing.next_seat_link(1)) if isinstance(event, StepBegan)
    ]
    assert began.seat_nonces[0] == OTHER_CHAIN.link(1).hex()


def test_a_new_chain_changes_no_open_question() -> None:
    playing = play_to_lock()
    before = playing.state.decisions
    body = playing.commit(playing.decide(player_of(0), None, ReplaceChain(OTHER_CHAIN.head.hex())))
    assert event_names(body.events) == ["ChainReplaced"]
    assert body.decisions is None
    assert playing.state.decisions == before


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_resigns_is_out_and_the_other_has_won(seat: int) -> None:
    """R4.7"""
    playing = play_to_lock()
    body = playing.commit(playing.decide(player_of(seat), None, Resign()))
    assert event_names(body.events) == ["SeatResigned", "SeatEliminated", "DisksWithdrawn", "MatchEnded"]
    assert body.cursor is not None
    assert playing.state.result is not None
    assert (playing.state.result.winners, playing.state.result.end_reason) == ((1 - seat,), "resignation")
    assert playing.state.decisions == ()
    assert playing.rules.ruleset.questions(playing.board) == ()


def test_resigning_before_all_are_ready_abandons_the_match() -> None:
    playing = PlayedMatch(1)
    chain = playing.chains[0].head.hex()
    playing.answer(decision_of(playing, 0), TakeSeat(chain, a.Loadout("chaos-patrol")))
    playing.commit(playing.decide(player_of(0), None, Resign()))
    assert playing.state.result == Result("abandoned")
    assert playing.state.status == "ended"


def test_the_last_record_opens_what_was_kept_secret() -> None:
    playing = begin_random_match(6).play(greedy_action)
    ended = playing.events[-1]
    assert isinstance(ended, MatchEnded)
    assert deal_commitment(bytes.fromhex(ended.deal_secret)) == playing.events[0].deal_commitment
    assert ended.server_link == playing.secrets.chain.link(playing.state.step).hex()


def test_scores_and_winner_are_in_the_last_record() -> None:
    """R4.12, R4.13"""
    seeds = (0, 1, 5, 6, 9, 10)  # matches that end by points, today
    ended = [begin_random_match(seed).play(greedy_action) for seed in seeds]
    scored = [match for match in ended if any(isinstance(event, e.Scored) for event in match.events)]
    assert scored
    for playing in scored:
        result = playing.state.result
        assert result is not None
        assert result.scores == tuple(side.points for side in playing.board.sides)
        (winner,) = result.winners
        assert result.scores[winner] == max(result.scores)


# ---------------------------------------------------------------- takeback


def test_a_link_that_was_opened_stays_open_when_the_lock_is_taken_back() -> None:
    """No seat can take its nonce back: locking again without one uses the old one."""
    playing = play_to_lock()
    to, decisions, link = len(playing.bodies), playing.state.decisions, playing.next_seat_link(0)
    lock_first_card(playing, 0, link)
    again = reopened(decisions, len(playing.bodies) + 1)
    playing.bodies.append(RecordBody(at_ms=0, decisions=again, draw_index=playing.state.draw_index, taken_back_to=to))
    playing.state = playing.rules.fold_log(playing.bodies)
    assert playing.state.decisions == again
    assert not playing.board.sides[0].has_locked
    assert playing.state.seats[0].seat_nonce == link
    lock_first_card(playing, 0, "")
    (began,) = [
        event for event in lock_first_card(playing, 1, playing.next_seat_link(1)) if isinstance(event, StepBegan)
    ]
    assert (began.seat_nonces[0], began.missing) == (link, ())
