"""A match in memory: played to its end by any ruleset, the same from the same secrets."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.local import IllegalAnswer, LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Ready, Resign
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.records.fairness import SERVER_LINK_BYTES, seeded_entropy
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout, LockCard
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout, CountingRules, CountingSettings


def local_match(ruleset: Any, settings: Any, loadouts: Sequence[Any], seed: int = 1) -> LocalMatch[Any, Any, Any]:
    entropy = seeded_entropy(seed, "server")
    seats = [
        LocalSeat(PlayerId(f"p{seat}"), loadout, seeded_entropy(seed, f"seat {seat}"))
        for seat, loadout in enumerate(loadouts)
    ]
    opening = MatchOpening(MatchId("m"), settings, len(seats), seats[0].player, 0, True)
    secrets = MatchSecrets(entropy(SERVER_LINK_BYTES), entropy(SERVER_LINK_BYTES))
    return LocalMatch(MatchRules(ruleset), opening, secrets, seats)


def counting_match(seed: int = 1, lucky: int = 0) -> LocalMatch[Any, Any, Any]:
    loadouts = [CountingLoadout("ann", lucky), CountingLoadout("bob")]
    return local_match(CountingRules(), CountingSettings(3), loadouts, seed)


def highest(match: Any, decision: Decision[Any], options: Options[Any, Any, Any]) -> Any:
    return options.actions[-1]


def test_a_ruleset_of_three_rounds_is_played_to_its_end() -> None:
    local = counting_match()
    records = [local.records[0], *local.play([highest, highest])]
    assert local.is_over
    assert records == local.records
    assert local.match == local.rules.fold_log(local.records)
    assert local.match.board is not None
    assert local.match.board.round == 4


def test_the_same_secrets_play_the_same_match_and_others_another() -> None:
    def events(seed: int) -> list[Any]:
        local = counting_match(seed)
        list(local.play([highest, highest]))
        return local.events

    assert events(1) == events(1)
    assert events(1) != events(2)


def test_every_seat_gives_its_link_to_every_step() -> None:
    local = counting_match()
    list(local.play([highest, highest]))
    steps = [event for event in local.events if isinstance(event, StepBegan)]
    assert len(steps) == 4
    assert all(step.missing == () for step in steps)


def test_a_chooser_sees_what_its_seat_may_know_only() -> None:
    local, seen = counting_match(lucky=7), []

    def look(match: Any, decision: Decision[Any], options: Options[Any, Any, Any]) -> Any:
        seen.append((decision.seat, match.seats[0].loadout.lucky))
        return highest(match, decision, options)

    list(local.play([look, look]))
    assert {lucky for seat, lucky in seen if seat == 0} == {7}
    assert 7 not in [lucky for seat, lucky in seen if seat == 1]


def test_an_answer_that_is_refused_names_its_decision_and_changes_nothing() -> None:
    local = counting_match()
    with pytest.raises(
        IllegalAnswer, match=r"seat 0 answered ChooseNumber, which is refused: not_legal: the number is"
    ):
        list(local.play([lambda *_: ChooseNumber(9), highest]))
    assert local.match == local.rules.fold_log(local.records)
    assert local.match.decisions[0].seat == 0


def test_decisions_can_be_answered_one_by_one_and_a_seat_can_resign() -> None:
    local = counting_match()
    list(local.begin())
    decision = local.match.decisions[1]
    local.answer(decision, ChooseNumber(2))
    with pytest.raises(Illegal, match="not_your_turn"):
        local.answer(decision, ChooseNumber(3))
    local.commit(local.decide(local.seats[0].player, None, Resign()))
    assert local.is_over
    assert local.broken_invariants() == []


def test_a_card_lock_gets_a_salt_and_the_seats_next_link() -> None:
    armies = [Loadout("chaos-patrol"), Loadout("empire-patrol")]
    local = local_match(Diskwars(core_pack()), DiskwarsSettings(setup="quick", regiments=1), armies)
    rng = random.Random(1)
    chooser = lambda match, decision, options: choose_greedy(match, decision, options, rng)  # noqa: E731
    records = local.play([chooser, chooser])
    locks: list[LockCard] = []
    while len(locks) < 4:
        action = next(records).action
        locks += [action] if isinstance(action, LockCard) else []
    assert len({lock.salt for lock in locks}) == len({lock.seat_nonce for lock in locks}) == 4
    assert not any(str(lock.salt) == "0" * 32 or lock.seat_nonce == "" for lock in locks)


def test_nothing_but_a_secret_answer_is_completed() -> None:
    local = counting_match()
    assert local.with_secrets(0, Ready("x")) == Ready("x")
    assert local.with_secrets(0, ChooseNumber(1)).seat_nonce == ""  # no seat is taken yet, so there is no chain
