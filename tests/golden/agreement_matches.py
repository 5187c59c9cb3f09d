"""Matches of any ruleset in which the players agree on all that they can agree on, for golden match files."""

from collections.abc import Callable
from typing import Any

from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import AnyRules, MatchOpening
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import (
    AnswerOffer,
    DrawOffer,
    MakeOffer,
    PauseOffer,
    ResumePlay,
    TakeBack,
    TakebackOffer,
)
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import BankClock, MatchOptions
from diskwars_protocol.match.state import due_ms
from diskwars_protocol.records.fairness import seeded_entropy
from tests.engine.played_match import player_of

AnyLocal = LocalMatch[Any, Any, Any]
BANK = BankClock(bank_seconds=60, increment_seconds=5)
ALL_AGREEMENTS = MatchOptions(clock=BANK, draws=True, takebacks=True, pauses=True, missed_limit=3)
LONGEST_SEARCH = 200
TICK_MS = 1000


class Ticking:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> int:
        self.now_ms += TICK_MS
        return self.now_ms


def opened(
    rules: AnyRules, name: str, settings: Any, loadouts: tuple[Any, ...], options: MatchOptions = ALL_AGREEMENTS
) -> AnyLocal:
    """Return a match in which everybody is ready."""
    seats = [
        LocalSeat(player_of(seat), loadout, seeded_entropy(seat, f"agreements {name}"))
        for seat, loadout in enumerate(loadouts)
    ]
    secrets = MatchSecrets(seeded_entropy(7, "server")(32), seeded_entropy(7, "deal")(32))
    opening = MatchOpening(MatchId(f"{name}-agreements"), settings, len(loadouts), player_of(0), 0, True, options)
    local = LocalMatch(rules, opening, secrets, seats, Ticking())
    list(local.begin())
    return local


def act(local: AnyLocal, seat: int, action: Any) -> None:
    """Do something that answers no decision."""
    local.commit(local.decide(player_of(seat), None, action))


def answer_first(local: AnyLocal) -> None:
    """Answer the first open decision by default."""
    decision = local.match.decisions[0]
    local.answer(decision, local.rules.default(local.match, decision, local.secrets))


def answer_offer(local: AnyLocal, agree: bool, seats: tuple[int, ...] | None = None) -> None:
    """Let the other seats, or some, answer the open offer."""
    offer = local.match.offer
    assert offer is not None
    others = tuple(seat for seat in range(len(local.seats)) if seat != offer.seat) if seats is None else seats
    for seat in others:
        act(local, seat, AnswerOffer(offer.id, agree))


def let_the_house_answer(local: AnyLocal) -> None:
    """Let the time of the first open decision pass, and the house answer it."""
    decision = local.match.decisions[0]
    due = due_ms(local.match, decision, local.match.at_ms)
    assert due is not None
    clock = local.clock
    assert isinstance(clock, Ticking)
    clock.now_ms = due
    action = local.rules.house_action(local.match, decision, local.secrets)
    local.commit(local.decide(HOUSE, decision.id, action))


def take_back_freely(local: AnyLocal, answer: Callable[[AnyLocal], object] = answer_first) -> bool:
    """Play on until an answer can be taken back without asking, and take it back; False if there is none."""
    for _ in range(LONGEST_SEARCH):
        if local.is_over:
            return False
        head = len(local.records)
        seat = local.match.decisions[0].seat
        answer(local)
        try:
            act(local, seat, TakeBack(head))
        except Illegal:
            continue
        return True
    return False


def play_agreements(
    local: AnyLocal, answer: Callable[[AnyLocal], object] = answer_first, *, has_open_answers: bool = True
) -> AnyLocal:
    """Refuse a draw; take back by consent, pause, let the house answer, take back freely, agree on a draw.

    `has_open_answers` says that some answers use no dice and hold no secrets: they may be taken back freely.
    """
    act(local, 0, MakeOffer(DrawOffer()))
    answer_offer(local, agree=False, seats=(1,))
    head = len(local.records)
    answer(local)
    answer(local)
    maker = local.records[-1].seat
    assert maker is not None
    act(local, maker, MakeOffer(TakebackOffer(head)))
    answer_offer(local, agree=True)
    answer(local)
    maker = local.records[-1].seat
    assert maker is not None
    act(local, maker, MakeOffer(PauseOffer()))
    answer_offer(local, agree=True)
    act(local, 1, ResumePlay())
    let_the_house_answer(local)
    if has_open_answers:
        assert take_back_freely(local, answer)
    while all(state.has_offered for state in local.match.seats):
        answer(local)
    may_offer = next(seat for seat, state in enumerate(local.match.seats) if not state.has_offered)
    act(local, may_offer, MakeOffer(DrawOffer()))
    answer_offer(local, agree=True)
    return local
