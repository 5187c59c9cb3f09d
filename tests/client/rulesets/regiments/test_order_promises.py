"""Secret orders of regiments in the client: promises of the server, match files, the terminal, positions."""

import random
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.bots import BOTS
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_client.rulesets.regiments.order_promises import OrderPromises
from diskwars_client.rulesets.regiments.terminal_ruleset import RegimentsTerminal
from diskwars_client.seat_secrets import BrokenPromise
from diskwars_client.verification.verify import verify
from diskwars_engine.local import LocalMatch
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import HOUSE, PUBLIC, MatchId
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.regiments.actions import Charge, Hold, LockOrders, March, Reform, UnitOrder
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.events import OrdersLocked, OrdersRevealed, RevealedOrders
from diskwars_protocol.rulesets.regiments.secret_orders import orders_commitment
from diskwars_text.rulesets.regiments.notation import format_position, parse_position
from diskwars_text.rulesets.regiments.phrases import action_text
from diskwars_text.struct_lines import PositionError
from tests.client.verification.test_verify_rulesets import with_event
from tests.golden.bot_matches import play
from tests.golden.regiments_matches import opened, secret
from tests.golden.write_files import write_match
from tests.rows import each_row

MATCH = MatchId("m")
TERMINAL = RegimentsTerminal()
ORDERS = (UnitOrder(0, March(("forward", "left"))), UnitOrder(1, Charge(3)), UnitOrder(2, Reform(6)))
SALT = "ab" * 16


# ---------------------------------------------------------------- promises


def promised(orders: tuple[UnitOrder, ...] = ORDERS) -> OrderPromises:
    """Return what a seat expects that has locked these orders for step 2."""
    promises = OrderPromises(MATCH)
    promises.record(0, 2, LockOrders(orders, SALT, ""))
    return promises


def test_kept_promise_is_silent() -> None:
    """C-29."""
    promises = promised()
    commitment = orders_commitment(MATCH, 2, 0, ORDERS, bytes.fromhex(SALT))
    promises.check(0, OrdersLocked(0, 2, commitment, ORDERS, SALT))
    promises.check(0, OrdersRevealed(2, (RevealedOrders(0, ORDERS, SALT), RevealedOrders(1, (), "00" * 16)), ()))
    promises.check(0, OrdersLocked(1, 2, "another seat's", ORDERS, SALT))


def test_swapped_orders_are_noticed() -> None:
    """C-29: in the commitment, and in what is revealed."""
    with pytest.raises(BrokenPromise, match="another commitment"):
        promised().check(0, OrdersLocked(0, 2, "ab" * 32, ORDERS, SALT))
    shown = RevealedOrders(0, (UnitOrder(0, Hold()), *ORDERS[1:]), SALT)
    with pytest.raises(BrokenPromise, match="did not lock"):
        promised().check(0, OrdersRevealed(2, (shown,), ()))
    promises = promised()
    promises.forget(2)
    promises.check(0, OrdersRevealed(2, (shown,), ()))


# ---------------------------------------------------------------- match files


@cache
def golden() -> LocalMatch[Any, Any, Any]:
    return secret()


def file_of(bodies: list[Any]) -> bytes:
    return write_match(golden().rules, golden().match.match, 2, bodies)


def problem(kind: type, **changed: Any) -> str:
    """Return why a file is refused in which the first event of a kind is changed."""
    seq, bodies = with_event(golden().records, kind, lambda event: replace(event, **changed))
    with pytest.raises(BadRecord) as refused:
        verify(file_of(bodies))
    assert refused.value.seq == seq
    return str(refused.value)


def first(kind: type[Any]) -> Any:
    return next(event for event in golden().events if isinstance(event, kind))


def test_file_with_secret_orders_is_verified() -> None:
    """C-29: also the orders that the house has locked, and a match cut in the middle of a round."""
    assert verify(file_of(golden().records)).is_redecided
    assert any(body.actor == HOUSE for body in golden().records)
    assert verify(file_of(golden().records[:6])).unfinished_at == 6


def test_other_orders_or_salts_than_were_locked_are_found() -> None:
    """C-29."""
    locks = first(OrdersRevealed).locks
    other = replace(locks[0], orders=(*locks[0].orders[:-1], replace(locks[0].orders[-1], order=Hold())))
    assert other != locks[0]
    assert "had not committed itself" in problem(OrdersRevealed, locks=(other, *locks[1:]))
    assert "had not committed itself" in problem(OrdersRevealed, locks=(replace(locks[0], salt="no hex"), locks[1]))
    assert "had not committed itself" in problem(OrdersLocked, commitment="0" * 64)
    assert "not the seats" in problem(OrdersRevealed, locks=locks[:1])


def test_step_without_nonces_is_found_in_a_match_with_secret_orders() -> None:
    """C-29: the server cannot leave the seats out of the dice."""
    bodies = list(golden().records)
    seq = next(n for n, body in enumerate(bodies) if any(isinstance(one, OrdersRevealed) for one in body.events))
    events = tuple(
        replace(event, seat_nonces=()) if isinstance(event, StepBegan) else event for event in bodies[seq].events
    )
    bodies[seq] = replace(bodies[seq], events=events)
    with pytest.raises(BadRecord, match="lacks the seats' nonces"):
        verify(file_of(bodies))


# ---------------------------------------------------------------- the terminal


def begun() -> tuple[LocalMatch[Any, Any, Any], Any, Any]:
    """Return a match with secret orders, the decision of seat A, and its numbered options."""
    local = opened(6, secret_orders=True)
    decision = local.match.decisions[0]
    options = local.rules.options_with_unavailable(local.match, decision)
    return local, decision, TERMINAL.numbered_options(local.match, decision, options)


def test_orders_are_typed_unit_by_unit_and_the_others_hold() -> None:
    """C-29: by mark or name; what is not named gets its default."""
    local, decision, offered = begun()
    typed = TERMINAL.parse_order("A1 march f l; horse charge B3", local.match, decision, offered)
    assert typed == LockOrders(
        (UnitOrder(1, Charge(5)), UnitOrder(0, March(("forward", "left"))), UnitOrder(2, Hold()))
    )
    assert (
        action_text(board_of(local), typed) == "orders A Horse charge B Stout; A Foot march forward left; A Stout hold"
    )
    again = TERMINAL.parse_order(action_text(board_of(local), typed), local.match, decision, offered)
    assert again == typed
    to = TERMINAL.parse_order("A1 march to 6 3 north", local.match, decision, offered)
    assert UnitOrder(0, March(("forward", "left"))) in to.orders
    assert TERMINAL.parse_order("1", local.match, decision, offered) == offered[0].action
    assert local.answer(decision, typed).events


def board_of(local: LocalMatch[Any, Any, Any]) -> RegimentsBoard:
    assert isinstance(local.match.board, RegimentsBoard)
    return local.match.board


@each_row(
    ("line", "complaint"),
    [
        ("march f", "type a unit and its order"),
        ("orders", "type a unit and its order"),
        ("A1 dance", "type a unit and its order"),
        ("B1 hold", "takes no order of yours"),
        ("A9 hold", "no unit on the map is called"),
        ("A1 march to 7 7", "no march of this unit ends there"),
    ],
)
def test_order_that_cannot_be_understood_says_what_is_missing(line: str, complaint: str) -> None:
    local, decision, offered = begun()
    with pytest.raises(OrderError, match=complaint):
        TERMINAL.parse_order(line, local.match, decision, offered)


def test_options_and_what_is_not_among_them_name_the_unit() -> None:
    """C-29."""
    local, decision, offered = begun()
    assert offered[0].text == "orders A Horse hold; A Foot hold; A Stout hold"
    assert offered[1].text.startswith("A Horse: hold | charge B Stout | reform 4 |")
    assert "march forward; 4 steps, to" in offered[1].text
    options = local.rules.options_with_unavailable(local.match, decision)
    lines = TERMINAL.unavailable_lines(local.match, 0, options.unavailable, "A Foot", "diskwars")
    assert any(line.startswith("  A Foot charge B Foot: no way of 4 steps") for line in lines)
    assert not any("A Stout charge" in line for line in lines)
    assert TERMINAL.completions(local.match, decision, offered)[0] == ["orders"]
    assert "in secret" in TERMINAL.question_text(local.match, decision)


def test_hidden_lock_is_narrated_without_its_orders() -> None:
    """C-29."""
    local, decision, offered = begun()
    before = local.match
    body = local.answer(decision, offered[0].action)
    shown = local.rules.redact_body(body, PUBLIC)
    assert TERMINAL.narrate(local.rules.view(before, PUBLIC), shown) == ["Seat A locks its orders"]
    assert action_text(board_of(local), shown.action) == "secret orders"


# ---------------------------------------------------------------- positions and bots


def test_position_with_locked_orders_is_read_back_as_each_viewer_sees_it() -> None:
    local, decision, offered = begun()
    typed = TERMINAL.parse_order("A1 march f l; A2 charge B3; A3 reform 6", local.match, decision, offered)
    local.answer(decision, typed)
    board = local.match.board
    assert board is not None
    text = format_position(board)
    assert "lock seat 0 orders 1:charge:5,0:march:forward:left,2:reform:6 salt " in text
    assert parse_position(text) == board
    hidden = local.rules.ruleset.view(board, 1)
    assert "lock seat 0 orders hidden salt hidden" in format_position(hidden)
    assert parse_position(format_position(hidden)) == hidden
    with pytest.raises(PositionError):
        parse_position(text.replace("1:charge:5", "1:dance:5"))


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_bots_lock_legal_orders_to_the_end_of_a_match(bot: str) -> None:
    """C-29."""
    local = play(opened(1, 4, secret_orders=True), 1, bot)
    assert local.is_over
    given = {type(one.order) for event in local.events if isinstance(event, OrdersLocked) for one in orders_of(event)}
    assert {Charge, March} <= given


def orders_of(event: OrdersLocked) -> tuple[UnitOrder, ...]:
    assert isinstance(event.orders, tuple)
    return event.orders


def test_greedy_bot_beats_the_random_one_with_secret_orders() -> None:
    wins = 0
    for seed in range(6):
        local = opened(seed, secret_orders=True)
        rng = random.Random(seed)
        while not local.is_over:
            decision = local.match.decisions[0]
            choose = BOTS["greedy" if decision.seat == seed % 2 else "random"]
            local.answer(decision, choose(local.match, decision, local.rules.options(local.match, decision), rng))
        wins += local.match.result is not None and local.match.result.winners == (seed % 2,)
    assert wins >= 5
