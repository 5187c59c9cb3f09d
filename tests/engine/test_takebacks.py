"""Conditions for takebacks, with and without consent: each condition of the kernel by itself.

The bodies are those of a match of the pit, where nothing is hidden, each with one thing changed.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.takebacks import check_free, target_state
from diskwars_protocol.match.actions import (
    DrawOffer,
    MakeOffer,
    PauseOffer,
    ReadyQuestion,
    Resign,
    ResumePlay,
    TakeBack,
    TakebackOffer,
)
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import SeatTakenBack, StepBegan
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.match_options import BankClock, PerDecisionClock
from diskwars_protocol.match.state import AnyBody, AnyMatch
from tests.engine.test_agreements import PIT, counting, pit
from tests.golden import bot_matches
from tests.golden.agreement_matches import AnyLocal, act, answer_first, answer_offer, let_the_house_answer
from tests.rows import each_row


class FreeAnswer:
    """A match, and an answer in it that its seat may take back without asking."""

    def __init__(self) -> None:
        local = pit()
        while not self._find(local):
            bot_matches.play(local, seed=1, records=1)
        self.match: AnyMatch = local.match
        self.bodies: list[AnyBody] = list(local.records[:-1])
        self.body: AnyBody = local.records[-1]
        self.before: AnyMatch = PIT.fold_log(self.bodies)
        self.seat = self.before.decisions[0].seat
        self.target = len(self.bodies)

    @staticmethod
    def _find(local: AnyLocal) -> bool:
        last = local.records[-1]
        if last.decision is None or last.seat is None or last.decisions is None:
            return False
        try:
            local.decide(local.seats[last.seat].player, None, TakeBack(len(local.records) - 1))
        except Illegal:
            return False
        return bool(last.events)

    def check(self, *bodies: AnyBody, before: AnyMatch | None = None) -> None:
        check_free(PIT, self.match, before or self.before, self.seat, self.target, [*self.bodies, *bodies])


@pytest.fixture(scope="module")
def free() -> FreeAnswer:
    return FreeAnswer()


Change = Callable[[FreeAnswer], AnyBody]


def of_seat(seat: int) -> Decision[Any]:
    return Decision(DecisionId("99.0"), seat, ReadyQuestion())


BLOCKED: dict[str, tuple[Change, str]] = {
    "of another seat": (lambda free: replace(free.body, seat=1 - free.seat), "is of another player"),
    "by the house for the seat": (lambda free: replace(free.body, actor="house"), "is of another player"),
    "by the house for another seat": (
        lambda free: replace(free.body, seat=1 - free.seat, actor="house"),
        "is of another player",
    ),
    "a takeback of another seat": (
        lambda free: replace(free.body, seat=1 - free.seat, action=TakeBack(3), decision=None),
        "is of another player",
    ),
    "that answers nothing": (
        lambda free: replace(free.body, action=MakeOffer(DrawOffer()), decision=None),
        "answers no decision",
    ),
    "after which the seat is played by its player": (
        lambda free: replace(free.body, events=(SeatTakenBack(free.seat), *free.body.events)),
        "has taken the seat back",
    ),
    "with a draw": (lambda free: replace(free.body, draw_index=4), "has used the dice"),
    "with a step of the dice and another event": (
        lambda free: replace(free.body, events=(*free.body.events, StepBegan(2, "00" * 32))),
        "has used the dice",
    ),
    "after which another seat has to decide too": (
        lambda free: replace(free.body, decisions=(of_seat(free.seat), of_seat(1 - free.seat))),
        "has passed the turn on",
    ),
}


@pytest.mark.parametrize("name", BLOCKED)
def test_record_that_told_or_changed_something_for_others_needs_consent(name: str, free: FreeAnswer) -> None:
    change, text = BLOCKED[name]
    with pytest.raises(Illegal, match=f"record {free.target + 1} {text}: offer a takeback instead") as refusal:
        free.check(change(free))
    assert refusal.value.code == "consent_needed"
    assert refusal.value.numbers == {"record": free.target, "blocked_by": free.target + 1}


@pytest.mark.parametrize(
    "change",
    [
        lambda free: free.body,
        lambda free: replace(free.body, decisions=None),
        lambda free: replace(free.body, decisions=(of_seat(free.seat), of_seat(free.seat))),
        lambda free: replace(free.body, events=()),
        lambda free: replace(free.body, action=TakeBack(3), decision=None, decisions=(of_seat(1 - free.seat),)),
    ],
    ids=["as it was", "without decisions", "with own decisions", "without events", "an own takeback"],
)
def test_record_that_told_nobody_anything_is_taken_back_freely(change: Change, free: FreeAnswer) -> None:
    free.check(change(free))


def test_refusal_names_the_record_that_prevents_it(free: FreeAnswer) -> None:
    with pytest.raises(Illegal) as refusal:
        free.check(free.body, replace(free.body, draw_index=4), replace(free.body, seat=1 - free.seat))
    assert refusal.value.numbers == {"record": free.target, "blocked_by": free.target + 2}


def test_where_others_had_to_decide_as_well_nothing_is_taken_back_freely(free: FreeAnswer) -> None:
    """They may have chosen while they knew what is to be taken back, though none of their records is there yet."""
    for decisions in (
        (*free.before.decisions, of_seat(1 - free.seat)),
        (of_seat(1 - free.seat), *free.before.decisions),
        (of_seat(1 - free.seat),),
    ):
        with pytest.raises(Illegal, match="others had to decide as well") as refusal:
            free.check(free.body, before=replace(free.before, decisions=decisions))
        assert (refusal.value.code, refusal.value.numbers) == ("consent_needed", {"record": free.target})


def test_answer_by_the_house_is_not_taken_back_freely() -> None:
    local = pit()
    target, seat = len(local.records), local.match.decisions[0].seat
    let_the_house_answer(local)
    with pytest.raises(Illegal, match=rf"record {target + 1} is of another player") as refusal:
        act(local, seat, TakeBack(target))
    assert refusal.value.code == "consent_needed"


def test_secret_answer_holds_a_secret() -> None:
    local = counting()
    answer_first(local)
    before = replace(local.match, decisions=())
    bodies = [*local.records[:-1], replace(local.records[-1], events=())]  # without the nonce, which is dice
    with pytest.raises(Illegal, match="holds a secret") as refusal:
        check_free(local.rules, local.match, before, 0, len(bodies) - 1, bodies)
    assert refusal.value.code == "consent_needed"


# ---------------------------------------------------------------- where a match may go back to


def played(local: AnyLocal, records: int) -> AnyLocal:
    for _ in range(records):
        bot_matches.play(local, seed=1, records=1)
    return local


def target_refusal(local: AnyLocal, target: int) -> Illegal:
    with pytest.raises(Illegal) as refusal:
        target_state(PIT, local.match, 0, target, local.records)
    assert (refusal.value.code, refusal.value.place) == ("bad_takeback", "$.action.record")
    assert refusal.value.numbers == {"record": target, "head": len(local.records)}
    return refusal.value


def test_target_lies_before_the_last_record_and_after_the_beginning() -> None:
    local = played(pit(), 3)
    head = len(local.records)
    for target in (-1, 0, head, head + 1):
        assert target_refusal(local, target).text == f"record {target} does not lie before record {head}"
    for target in (1, 2):
        assert target_refusal(local, target).text == f"nobody could play on after record {target}"
    assert target_state(PIT, local.match, 0, head - 1, local.records) == PIT.fold_log(local.records[:-1])
    assert target_state(PIT, local.match, 0, head - 3, local.records).board is not None


def test_target_is_not_a_pause() -> None:
    local = pit()
    act(local, 0, MakeOffer(PauseOffer()))
    answer_offer(local, agree=True)
    pause = len(local.records)
    act(local, 1, ResumePlay())
    assert target_refusal(local, pause).text == f"nobody could play on after record {pause}"
    assert not target_state(PIT, local.match, 0, pause - 1, local.records).paused


def test_target_has_not_been_taken_back_itself_while_what_is_before_and_after_may_be() -> None:
    local = played(pit(), 1)
    start = len(local.records)
    played(local, 3)
    act(local, 0, MakeOffer(TakebackOffer(start)))
    answer_offer(local, agree=True)
    takeback = len(local.records)
    played(local, 1)
    for undone in range(start + 1, takeback):
        assert target_refusal(local, undone).text == f"record {undone} has been taken back itself"
    for target in (start, takeback):
        assert target_state(PIT, local.match, 0, target, local.records) == PIT.fold_log(local.records[:target])


@each_row(("clock", "limit"), [(None, 20), (BankClock(60), 20), (PerDecisionClock(60), 3)])
def test_takebacks_of_a_step_are_fewer_where_each_gives_a_decision_its_whole_time(
    clock: BankClock | PerDecisionClock | None, limit: int
) -> None:
    local = played(pit(), 1)
    options = replace(local.match.match_options, clock=clock)
    target = len(local.records) - 1

    def after(takebacks: int) -> AnyMatch:
        seats = tuple(replace(state, takebacks=takebacks) for state in local.match.seats)
        return replace(local.match, match_options=options, seats=seats)

    assert target_state(PIT, after(limit - 1), 0, target, local.records).board is not None
    with pytest.raises(Illegal, match=f"{limit} takebacks in one step of the dice are enough"):
        target_state(PIT, after(limit), 0, target, local.records)


@each_row("resigned", [(0,), (2,), (0, 2)])
def test_nobody_who_has_resigned_since_is_brought_back(resigned: tuple[int, ...]) -> None:
    local = played(pit(players=3), 1)
    seats = tuple(replace(state, resigned=seat in resigned) for seat, state in enumerate(local.match.seats))
    later = replace(local.match, seats=seats)
    target = len(local.records) - 1
    with pytest.raises(Illegal, match=f"a player has resigned since record {target}"):
        target_state(PIT, later, 0, target, local.records)


def test_seat_that_had_resigned_before_may_stay_resigned() -> None:
    local = pit(players=3)
    act(local, 2, Resign())
    target = len(local.records)
    played(local, 1)
    assert target_state(PIT, local.match, 0, target, local.records).seats[2].resigned
