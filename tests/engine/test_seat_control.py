"""Control of a seat among the devices of its player: the newest chain decides, and a new one takes over in one step."""

import pytest
from msgspec.structs import replace

from diskwars_engine.match import Command
from diskwars_engine.ruleset import Illegal
from diskwars_engine.seat_control import MAX_CHAINS_PER_STEP
from diskwars_protocol.match.actions import ReplaceChain
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.state import SeatChainState, SeatState, chain_head, newest_chain_link
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import SeatChain
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import PlayedMatch, default_action, player_of

LAPTOP, PHONE = SeatChain(b"chain of a laptop"[:16], length=8), SeatChain(b"chain of a phone", length=8)
SALT = "5a" * 16


def play_to_lock(playing: PlayedMatch) -> PlayedMatch:
    while len(playing.state.decisions) < 2:
        playing.play(default_action, records=1)
    return playing


def take_over(playing: PlayedMatch, chain: SeatChain) -> SeatChainState:
    playing.commit(playing.decide(player_of(0), None, ReplaceChain(chain.head.hex())))
    state = playing.state.seats[0].chain
    assert state is not None
    return state


def lock_first_card(playing: PlayedMatch, seat: int, nonce: str) -> None:
    decision = next(decision for decision in playing.state.decisions if decision.seat == seat)
    cards = if_known(playing.board.sides[seat].hand) or ()
    playing.answer(decision, a.LockCard(cards[0], "%032x" % (seat + 16 * playing.state.step + 1), nonce))


def decided_seat(playing: PlayedMatch, command: Command[a.Action]) -> int | None:
    """Return the seat of the record that a command would make."""
    return playing.rules.decide(playing.state, len(playing.bodies), command, playing.secrets).body.seat


def test_device_takes_control_and_the_other_takes_it_back_within_a_step() -> None:
    playing = play_to_lock(PlayedMatch(3).begin())
    first = chain_head(playing.state.seats[0])
    assert take_over(playing, PHONE) == SeatChainState(first, PHONE.head.hex(), 3)
    assert take_over(playing, LAPTOP) == SeatChainState(first, LAPTOP.head.hex(), 3, superseded=1)
    # The chain in force is still that of the laptop: nothing is lost by going there and back.
    lock_first_card(playing, 0, playing.next_seat_link(0))
    lock_first_card(playing, 1, playing.next_seat_link(1))
    assert [event for event in playing.events if isinstance(event, StepBegan)][-1].missing == ()
    assert playing.state.seats[0].chain == SeatChainState(LAPTOP.head.hex())


def test_superseded_heads_are_counted_for_each_step() -> None:
    playing = play_to_lock(PlayedMatch(3).begin())
    for _ in range(MAX_CHAINS_PER_STEP):
        take_over(playing, PHONE)
    with pytest.raises(Illegal) as refused:
        take_over(playing, LAPTOP)
    assert (refused.value.code, refused.value.place) == ("not_legal", "$.action.chain_head")
    assert refused.value.numbers == {"limit": MAX_CHAINS_PER_STEP}
    lock_first_card(playing, 0, "")
    lock_first_card(playing, 1, playing.next_seat_link(1))
    assert take_over(play_to_lock(playing), LAPTOP).superseded == 0


def test_secret_of_a_device_that_was_ousted_is_refused() -> None:
    playing = play_to_lock(PlayedMatch(3).begin())
    decision = next(decision for decision in playing.state.decisions if decision.seat == 0)
    known = newest_chain_link(playing.state.seats[0])
    card = (if_known(playing.board.sides[0].hand) or ())[0]
    lock: a.Action = a.LockCard(card, SALT, "")
    command = Command(player_of(0), decision.id, lock, playing.state.at_ms, chain_head=known)
    assert decided_seat(playing, command) == 0
    take_over(playing, PHONE)
    before = encode_canonical(playing.state)
    with pytest.raises(Illegal) as refused:
        decided_seat(playing, command)
    assert (refused.value.code, refused.value.place) == ("not_in_control", "$.chain_head")
    assert encode_canonical(playing.state) == before
    assert decided_seat(playing, replace(command, chain_head=PHONE.head.hex())) == 0


def test_free_seat_has_no_newest_link() -> None:
    assert newest_chain_link(SeatState()) == ""
