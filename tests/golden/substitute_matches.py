"""Matches of any ruleset in which the house plays a seat until its player is back, for golden match files."""

from typing import Any

from diskwars_engine.local import LocalMatch
from diskwars_protocol.match.actions import Resign, TakeSeatBack
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import due_ms
from tests.golden.agreement_matches import BANK, Ticking, act

AnyLocal = LocalMatch[Any, Any, Any]
SUBSTITUTES = MatchOptions(clock=BANK, takebacks=True, missed_limit=2, on_missed_limit="bot")
SLEEPER = 1
LONGEST_WAIT = 200


def wait_for(local: AnyLocal, seat: int) -> Decision[Any]:
    """Let the others answer by default until a seat has to decide, and return its decision."""
    for _ in range(LONGEST_WAIT):
        for decision in local.match.decisions:
            if decision.seat == seat:
                return decision
        asked = local.match.decisions[0]
        local.answer(asked, local.rules.default(local.match, asked, local.secrets))
    raise AssertionError(f"seat {seat} is never asked")


def sleep(local: AnyLocal, decision: Decision[Any]) -> None:
    """Let the time of a decision pass, and the house answer it."""
    due = due_ms(local.match, decision, local.match.at_ms)
    assert due is not None
    assert isinstance(local.clock, Ticking)
    local.clock.now_ms = max(local.clock.now_ms, due)
    local.commit(local.decide(HOUSE, decision.id, local.rules.house_action(local.match, decision, local.secrets)))


def play_as_substitute(local: AnyLocal, decision: Decision[Any]) -> None:
    """Let the house answer at once with the last thing that a bot could choose, and without a nonce."""
    options = local.rules.options(local.match, decision)
    found = [*options.actions, *(limits.example for limits in options.parametric)]
    action = local.rules.vocabulary.with_secrets(found[-1], local.seats[decision.seat].salt, lambda: "")
    local.commit(local.decide(HOUSE, decision.id, action))


def fall_asleep(local: AnyLocal) -> None:
    """Let a player miss answers until the house plays the seat."""
    while not local.match.seats[SLEEPER].substitute:
        sleep(local, wait_for(local, SLEEPER))


def play_with_substitute(local: AnyLocal) -> AnyLocal:
    """A seat sleeps, is played for, plays on with an answer, sleeps again, takes its seat back, and resigns."""
    fall_asleep(local)
    play_as_substitute(local, wait_for(local, SLEEPER))
    play_as_substitute(local, wait_for(local, SLEEPER))
    decision = wait_for(local, SLEEPER)
    local.answer(decision, local.rules.default(local.match, decision, local.secrets))
    fall_asleep(local)
    wait_for(local, SLEEPER)
    act(local, SLEEPER, TakeSeatBack())
    decision = wait_for(local, SLEEPER)
    local.answer(decision, local.rules.default(local.match, decision, local.secrets))
    act(local, SLEEPER, Resign())
    return local
