"""The course of a match of any ruleset: decisions and their ids, ends, versions of the rules, dice, faults."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.match import Command, MatchRules
from diskwars_engine.match_dice import NO_KNOWN_DICE, KnownDice, MatchDice, MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import (
    Close,
    DrawOffer,
    Kick,
    MakeOffer,
    Ready,
    ReplaceChain,
    Resign,
    Stop,
    TakeBack,
    TakebackOffer,
    TakeSeat,
)
from diskwars_protocol.match.decisions import Options, Result
from diskwars_protocol.match.events import SeatVacated
from diskwars_protocol.match.ids import HOUSE, DecisionId
from diskwars_protocol.match.state import OpenOffer
from diskwars_protocol.records.fairness import SERVER_CHAIN_LENGTH, ZERO_NONCE_TEXT, ChainExhausted, ServerChain
from diskwars_protocol.rulesets.pit.actions import PitLoadout, PitSettings
from tests.engine.played_match import player_of
from tests.engine.test_agreements import PIT, counting, pit
from tests.engine.test_vacancies import seated
from tests.golden.agreement_matches import AnyLocal, act, answer_first, answer_offer
from tests.golden.seat_matches import STRANGER, kick, make_ready, opened, take
from tests.golden.write_files import COUNTING
from tests.rows import each_row
from tests.server.counting_ruleset import (
    ChooseNumber,
    CountingBoard,
    CountingLoadout,
    CountingRules,
    CountingSettings,
    NumberQuestion,
    Question,
)


def begun(ruleset: CountingRules) -> AnyLocal:
    local = opened(MatchRules(ruleset), "counting", CountingSettings(rounds=2), (CountingLoadout(),) * 2)
    list(local.begin())
    return local


def refusal(attempt: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(Illegal) as refused:
        attempt()
    return refused.value.code, refused.value.place


# ---------------------------------------------------------------- decisions


class AsksTwice(CountingRules):
    """Asks each seat for its number twice."""

    def questions(self, board: CountingBoard) -> tuple[tuple[int, Question], ...]:
        return tuple(question for question in super().questions(board) for _ in range(2))


def test_equal_questions_of_a_seat_are_decisions_of_their_own_and_keep_their_ids() -> None:
    local = begun(AsksTwice())
    ids = [f"{len(local.records)}.{slot}" for slot in range(4)]
    assert [decision.id for decision in local.match.decisions] == ids
    act(local, 0, ReplaceChain("ab" * 16))
    assert [decision.id for decision in local.match.decisions] == ids
    assert local.records[-1].decisions is None


def test_match_of_three_begins_when_the_last_of_them_is_ready() -> None:
    local = opened(PIT, "pit", PitSettings(), (PitLoadout(),) * 3)
    for seat in range(3):
        take(local, seat)
    for seat in (0, 1):
        make_ready(local, seat)
        assert (local.match.status, local.match.board) == ("open", None)
    make_ready(local, 2)
    assert local.match.status == "running"


def test_answer_to_an_old_decision_is_stale_while_its_player_has_another_to_answer() -> None:
    local = begun(CountingRules())
    assert [decision.seat for decision in local.match.decisions] == [0, 1]
    for seat in (0, 1):
        stale = refusal(lambda: local.decide(player_of(seat), DecisionId("1.0"), ChooseNumber(1)))  # noqa: B023
        assert stale == ("stale_decision", "$.decision")
    local.answer(local.match.decisions[0], ChooseNumber(1))
    waiting = refusal(lambda: local.decide(player_of(0), DecisionId("1.0"), ChooseNumber(1)))
    assert waiting == ("not_your_turn", "$.decision")


def test_answer_of_the_board_answers_no_question_before_it() -> None:
    local = opened(COUNTING, "counting", CountingSettings(), (CountingLoadout(),) * 2)
    asked = local.match.decisions[0].id
    assert refusal(lambda: local.decide(STRANGER, asked, ChooseNumber(1))) == ("wrong_action", "$.action")
    local = seated()
    asked = local.match.decisions[0].id
    assert refusal(lambda: local.decide(player_of(0), asked, ChooseNumber(1))) == ("wrong_action", "$.action")


@pytest.mark.parametrize(
    "action", [TakeSeat("ab" * 16, CountingLoadout()), Ready()], ids=lambda action: type(action).__name__
)
def test_house_neither_takes_a_seat_nor_gets_ready(action: object) -> None:
    free = opened(COUNTING, "counting", CountingSettings(), (CountingLoadout(),) * 2)
    for local in (free, seated()):
        decision = local.match.decisions[0]
        assert refusal(lambda: local.decide(HOUSE, decision.id, action)) == ("wrong_action", "")  # noqa: B023
        assert refusal(lambda: local.rules.default(local.match, decision, local.secrets))[0] == "wrong_action"  # noqa: B023


def test_options_come_with_what_is_left_out_once_the_board_is_there() -> None:
    before, local = seated(), begun(CountingRules())
    ready = COUNTING.options_with_unavailable(before.match, before.match.decisions[0])
    assert ready == Options(actions=(Ready(),), to_complete=("seat_nonce",))
    options = COUNTING.options_with_unavailable(local.match, local.match.decisions[0])
    assert [option.number for option in options.actions] == [1, 2, 3, 4, 5, 6]
    assert [left_out.number for left_out in options.unavailable] == [7]


def test_decisions_after_a_removal_are_opened_by_its_record() -> None:
    local = seated()
    kick(local, 1)
    record = len(local.records)
    assert local.records[-1].events == (SeatVacated(1, player_of(1), record, kicked=True),)
    assert [decision.id for decision in local.match.decisions] == [f"{record}.0"]


# ---------------------------------------------------------------- ends


def test_match_that_has_not_begun_is_closed_once_and_one_that_has_is_not() -> None:
    local = seated()
    closed = COUNTING.close(local.match, 5, local.secrets, "opener")
    assert (closed.match.status, closed.match.result) == ("ended", Result("closed"))
    assert (closed.body.actor, closed.body.action, closed.body.at_ms) == ("opener", Close(), 5)
    assert COUNTING.fold(local.match, closed.body) == closed.match
    assert refusal(lambda: COUNTING.close(closed.match, 6, local.secrets, "house"))[0] == "match_ended"
    list(local.begin())
    assert refusal(lambda: COUNTING.close(local.match, 6, local.secrets, "house"))[0] == "has_begun"


def test_only_a_match_that_is_under_way_is_stopped() -> None:
    local = seated()
    assert refusal(lambda: COUNTING.stop(local.match, 5, local.secrets))[0] == "match_ended"
    list(local.begin())
    stopped = COUNTING.stop(local.match, 5, local.secrets)
    assert (stopped.match.status, stopped.match.result) == ("ended", Result("stopped"))
    assert (stopped.body.actor, stopped.body.action) == ("house", Stop())
    assert COUNTING.fold(local.match, stopped.body) == stopped.match
    assert refusal(lambda: COUNTING.stop(stopped.match, 6, local.secrets))[0] == "match_ended"


# ---------------------------------------------------------------- rules of another version


class NewerRules(CountingRules):
    rules_version = 2


def resign(local: AnyLocal) -> Any:
    return local.decide(player_of(0), None, Resign())


ACTS: dict[str, tuple[bool, Callable[[AnyLocal], Any]]] = {
    "an answer": (True, lambda local: local.decide(player_of(0), local.match.decisions[0].id, ChooseNumber(2))),
    "an end by a player": (True, resign),
    "a stop": (True, lambda local: local.rules.stop(local.match, 5, local.secrets)),
    "a closing": (False, lambda local: local.rules.close(local.match, 5, local.secrets, "house")),
    "a removal": (
        False,
        lambda local: local.rules.kick(local.match, len(local.records), 5, player_of(0), Kick(1)),
    ),
}


@each_row("name", ACTS)
def test_record_names_the_rules_that_made_it_where_they_are_other_than_before(name: str) -> None:
    has_begun, make = ACTS[name]
    for rules, version in ((COUNTING, None), (MatchRules(NewerRules()), 2)):
        local = seated()
        if has_begun:
            list(local.begin())
        local.rules = rules
        local.commit(make(local))
        assert (local.records[-1].rules_version, local.match.rules_version) == (version, version or 1)
        assert rules.fold_log(local.records) == local.match


def test_takeback_names_the_rules_that_made_it_where_they_are_other_than_before() -> None:
    for rules, version in ((COUNTING, None), (MatchRules(NewerRules()), 2)):
        local = counting()
        target = len(local.records)
        answer_first(local)
        act(local, 0, MakeOffer(TakebackOffer(target)))
        local.rules = rules
        answer_offer(local, agree=True)
        assert local.records[-1].taken_back_to == target
        assert (local.records[-1].rules_version, local.match.rules_version) == (version, version or 1)


# ---------------------------------------------------------------- takebacks


def test_offered_takeback_goes_to_a_record_before_the_last() -> None:
    local = pit()
    answer_first(local)
    head = len(local.records)
    for record in (-1, 0, head, head + 1):
        attempt = MakeOffer(TakebackOffer(record))
        assert refusal(lambda: local.decide(player_of(0), None, attempt)) == (  # noqa: B023
            "bad_takeback",
            "$.action.offer.record",
        )
    for record in (1, head - 1):
        offered = local.decide(player_of(0), None, MakeOffer(TakebackOffer(record))).match.offer
        assert offered == OpenOffer(head + 1, 0, TakebackOffer(record))


def test_all_records_are_needed_where_an_action_takes_some_of_them_back() -> None:
    local = pit()
    answer_first(local)
    target = len(local.records) - 1
    take_back, other = TakeBack(target), MakeOffer(DrawOffer())
    assert PIT.takes_back(local.match, player_of(0), take_back)
    assert not PIT.takes_back(local.match, player_of(0), other)
    assert not PIT.takes_back(local.match, STRANGER, take_back)
    command: Command[Any] = Command(player_of(0), None, take_back, 0)
    with pytest.raises(ValueError, match="a takeback needs all records"):
        PIT.decide(local.match, len(local.records), command, local.secrets)


# ---------------------------------------------------------------- dice


class ShortChain(ServerChain):
    """A chain without the links above the first."""

    def link(self, k: int) -> bytes:
        if k > 1:
            raise ChainExhausted(f"no link {k}")
        return super().link(k)


def test_last_answer_of_a_match_whose_steps_are_used_up_is_refused_and_its_players_may_resign() -> None:
    local = begun(CountingRules())
    answer_first(local)
    # the known dice spare the way through all steps
    used = replace(local.match, step=SERVER_CHAIN_LENGTH, seat_nonces=((),) * SERVER_CHAIN_LENGTH)
    known = KnownDice(used.seat_nonces, replace(local._dice.cursor, step=SERVER_CHAIN_LENGTH))
    answer: Command[Any] = Command(player_of(1), used.decisions[0].id, ChooseNumber(3), 0)
    with pytest.raises(Illegal) as refused:
        COUNTING.decide(used, len(local.records), answer, local.secrets, known)
    assert (refused.value.code, refused.value.numbers) == ("dice_exhausted", {"steps": SERVER_CHAIN_LENGTH})
    leave: Command[Any] = Command(player_of(1), None, Resign(), 0)
    assert COUNTING.decide(used, len(local.records), leave, local.secrets, known).match.status == "ended"


def test_missing_links_of_a_chain_are_no_end_of_its_steps() -> None:
    local = begun(CountingRules())
    answer_first(local)
    local.secrets.chain = ShortChain(local.secrets.far_end)
    for known in (NO_KNOWN_DICE, local._dice):
        answer: Command[Any] = Command(player_of(1), local.match.decisions[0].id, ChooseNumber(3), 0)
        with pytest.raises(ChainExhausted):
            COUNTING.decide(local.match, len(local.records), answer, local.secrets, known)


def test_nonce_goes_into_one_step_of_the_dice() -> None:
    local = seated()
    make_ready(local, 0)
    dice = MatchDice(
        local.match, local.secrets, NO_KNOWN_DICE, len(local.records) + 1, asks_for_nonces=lambda settings: True
    )
    nonce = dice.open_seat_nonce(1, local.next_nonce(1)).seat_nonce
    first, second = dice.begin_step(), dice.begin_step()
    assert (first.seat_nonces, first.missing) == ((local.match.seats[0].seat_nonce, nonce), ())
    assert (second.seat_nonces, second.missing) == ((ZERO_NONCE_TEXT, ZERO_NONCE_TEXT), (0, 1))


def test_record_says_how_many_draws_its_step_has_used_where_that_changed() -> None:
    local = begun(CountingRules())
    before = len(local.records)
    answer_first(local)
    answer_first(local)
    act(local, 0, ReplaceChain("ab" * 16))
    drawn = local.match.draw_index
    assert drawn > 0
    assert [body.draw_index for body in local.records] == [*[None] * before, None, drawn, None]


def test_secrets_hold_the_far_end_that_their_chain_is_derived_from() -> None:
    secrets = MatchSecrets(b"f" * 32, b"d" * 32)
    assert secrets.chain.link(SERVER_CHAIN_LENGTH) == secrets.far_end == b"f" * 32


# ---------------------------------------------------------------- mistakes of a ruleset


class AsksNobody(CountingRules):
    """Forgets to ask for the second number."""

    def questions(self, board: CountingBoard) -> tuple[tuple[int, NumberQuestion], ...]:
        return ()


class EndsOddly(CountingRules):
    def result(self, board: CountingBoard) -> Result | None:
        return Result("boredom")


def test_ruleset_that_asks_nobody_and_has_no_result_is_an_error_and_makes_no_record() -> None:
    with pytest.raises(ValueError, match="counting asks nobody, and has no result"):
        begun(AsksNobody())


def test_ruleset_that_ends_for_a_reason_of_no_name_is_an_error_and_makes_no_record() -> None:
    with pytest.raises(ValueError, match="'boredom' is no end reason of counting"):
        begun(EndsOddly())
