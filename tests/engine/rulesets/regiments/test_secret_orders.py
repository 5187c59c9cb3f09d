"""The rules of regiments about secret orders: locked for all units, revealed together, carried out in turn."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.local import LocalMatch
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_engine.rulesets.regiments import decisions, rounds, secret_orders
from diskwars_engine.salts import DOCUMENTED_SALT, ZERO_SALT
from diskwars_protocol.match.actions import Ready
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import ALL, HOUSE, PUBLIC
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.regiments import events
from diskwars_protocol.rulesets.regiments.actions import (
    Charge,
    Fight,
    Hold,
    LockOrders,
    March,
    OrderAction,
    OrderQuestion,
    Reform,
    Retreat,
    SecretOrdersQuestion,
    UnitOrder,
)
from diskwars_protocol.rulesets.regiments.board import OrdersLock, RegimentsBoard
from diskwars_protocol.rulesets.regiments.secret_orders import orders_commitment
from tests.engine.played_match import player_of
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS, face_off, finish, lay_out, playing, unit
from tests.golden.bot_matches import play, resign
from tests.golden.regiments_matches import opened
from tests.rows import each_row

SALTS = ("ab" * 16, "cd" * 16, "ef" * 16, "12" * 16)
SECRET = {"secret_orders": True}


class LockDice(NumberDice):
    """Dice of a script that accept every nonce."""

    def open_seat_nonce(self, seat: int, seat_nonce: str) -> SeatNonceOpened:
        return SeatNonceOpened(seat, seat_nonce)


def lock(seat: int, *orders: tuple[int, OrderAction], salt: str = "") -> LockOrders:
    return LockOrders(tuple(UnitOrder(*order) for order in orders), salt or SALTS[seat])


def decide(board: RegimentsBoard, seat: int, action: Any, dice: Iterable[int] = ()) -> Outcome[Any, Any]:
    """Answer the question of a seat with exactly these dice."""
    question = dict(REGIMENTS.questions(board))[seat]
    thrown = LockDice(dice)
    outcome = REGIMENTS.decide(board, seat, question, action, thrown)
    thrown.finish()
    return outcome


def carried_out(board: RegimentsBoard, *orders: tuple[int, OrderAction], dice: Iterable[int] = ()) -> Outcome[Any, Any]:
    """Lock these orders, the other units by default, and return what followed from the last lock."""
    given, outcome = dict(orders), None
    asked = REGIMENTS.questions(board)
    for place, (seat, question) in enumerate(asked):
        assert isinstance(question, SecretOrdersQuestion)
        default = secret_orders.default_orders(board, question.units)
        own = [(order.unit, given.get(order.unit, order.order)) for order in default]
        outcome = decide(board, seat, lock(seat, *own), dice if place == len(asked) - 1 else ())
        board = outcome.board
    assert outcome is not None
    return outcome


def found(outcome: Outcome[Any, Any], kind: type[Any]) -> list[Any]:
    return [event for event in outcome.events if isinstance(event, kind)]


def refusal(board: RegimentsBoard, seat: int, action: Any) -> Illegal:
    question = dict(REGIMENTS.questions(board))[seat]
    with pytest.raises(Illegal) as refused:
        REGIMENTS.decide(board, seat, question, action, LockDice())
    return refused.value


def apart(**settings: Any) -> RegimentsBoard:
    """Return two units of two seats far from each other, with secret orders."""
    return lay_out(
        unit("foot", 0, 1, 4, "east"), unit("foot", 1, 8, 4, "west"), waiting=(0, 1), settings=SECRET, **settings
    )


def near() -> RegimentsBoard:
    """Return two units that can charge each other, the one of seat 0 first."""
    return lay_out(unit("horse", 0, 2, 4, "east"), unit("foot", 1, 6, 4, "west"), waiting=(0, 1), settings=SECRET)


# ---------------------------------------------------------------- locking


def test_every_seat_is_asked_at_once_for_all_its_units() -> None:
    """C-29: in the order in which they act; fleeing units take no orders (C-28), and a seat of such is not asked."""
    board = lay_out(
        unit("foot", 0, 1, 1, "east"),
        unit("foot", 1, 8, 1, "west"),
        unit("horse", 0, 1, 3, "east"),
        unit("foot", 1, 8, 3, "east", status="fleeing"),
        unit("foot", 2, 1, 6, "west", status="fleeing"),
        waiting=(2, 3, 0, 1, 4),
        settings=SECRET,
    )
    assert REGIMENTS.questions(board) == ((0, SecretOrdersQuestion((2, 0))), (1, SecretOrdersQuestion((1,))))
    without = replace(board, settings=replace(board.settings, secret_orders=False))
    assert REGIMENTS.questions(without) == ((0, OrderQuestion(2)),)


def test_first_lock_is_sealed_and_carries_nothing_out() -> None:
    """C-29: the other seat is still asked, and knows only that orders are locked."""
    orders = lock(0, (0, March(("forward",))))
    outcome = decide(apart(), 0, orders)
    assert [type(event) for event in outcome.events] == [SeatNonceOpened, events.OrdersLocked]
    assert outcome.questions == ((1, SecretOrdersQuestion((1,))),)
    assert outcome.board.units == apart().units
    assert outcome.board.locks == (OrdersLock(0, (UnitOrder(0, March(("forward",))),), SALTS[0]),)
    assert REGIMENTS.view(outcome.board, 0) == REGIMENTS.view(outcome.board, ALL) == outcome.board
    for viewer in (1, PUBLIC):
        assert REGIMENTS.view(outcome.board, viewer).locks == (OrdersLock(0, HIDDEN, HIDDEN),)
        shown = REGIMENTS.redact(outcome.events[1], viewer)
        assert isinstance(shown, events.OrdersLocked)
        assert (shown.orders, shown.salt) == (HIDDEN, HIDDEN)
        assert shown.commitment
        assert REGIMENTS.redact_action(orders, 0, viewer) == LockOrders(HIDDEN, HIDDEN, HIDDEN)
    assert REGIMENTS.redact(outcome.events[1], 0) is outcome.events[1]
    assert REGIMENTS.redact_action(orders, 0, 0) is orders


def test_partner_of_a_side_does_not_see_the_orders_either() -> None:
    """C-29."""
    board = lay_out(
        unit("foot", 0, 1, 1, "east"),
        unit("foot", 1, 8, 1, "west"),
        unit("foot", 2, 1, 6, "east"),
        waiting=(0, 1, 2),
        settings=SECRET,
    )
    after = decide(board, 0, lock(0, (0, Hold()))).board
    assert REGIMENTS.view(after, 2).locks == (OrdersLock(0, HIDDEN, HIDDEN),)


def test_commitment_binds_match_step_seat_and_orders() -> None:
    """C-29: the step is the one that the reveal begins."""
    orders = (UnitOrder(0, March(("forward",))),)
    (event,) = found(decide(apart(), 0, lock(0, *[(order.unit, order.order) for order in orders])), events.OrdersLocked)
    salt = bytes.fromhex(SALTS[0])
    assert (event.step, event.commitment) == (2, orders_commitment(LockDice().match, 2, 0, orders, salt))
    other = (UnitOrder(0, March(("left",))),)
    others = {
        orders_commitment(LockDice().match, 2, 0, other, salt),
        orders_commitment(LockDice().match, 2, 1, orders, salt),
        orders_commitment(LockDice().match, 3, 0, orders, salt),
        orders_commitment(LockDice().match, 2, 0, orders, bytes.fromhex(SALTS[1])),
    }
    assert len(others) == 4
    assert event.commitment not in others


@each_row(
    ("orders", "place"),
    [
        ([], "$.action.orders"),
        ([(0, Hold()), (0, Hold())], "$.action.orders"),
        ([(1, Hold())], "$.action.orders"),
        ([(0, Hold()), (1, Hold())], "$.action.orders"),
    ],
)
def test_each_unit_gets_exactly_one_order(orders: list[tuple[int, OrderAction]], place: str) -> None:
    """C-29."""
    illegal = refusal(apart(), 0, lock(0, *orders))
    assert (illegal.code, illegal.rule, illegal.place) == ("not_legal", "C-29", place)


@each_row(
    ("order", "rule", "place"),
    [
        (Charge(1), "C-26", "$.action.orders[0].order.target"),
        (March(("left", "forward", "forward")), "C-24", "$.action.orders[0].order.path"),
        (Reform(11), "C-25", "$.action.orders[0].order.files"),
        (Fight(), "C-27", "$.action.orders[0].order"),
    ],
)
def test_order_has_to_be_possible_when_it_is_locked(order: OrderAction, rule: str, place: str) -> None:
    """C-29: also where the way might be free, or the target near, when the turn of the unit comes."""
    illegal = refusal(apart(), 0, lock(0, (0, order)))
    assert (illegal.code, illegal.rule, illegal.place) == ("not_legal", rule, place)


def test_single_order_and_hidden_orders_are_refused() -> None:
    """C-29."""
    assert refusal(apart(), 0, Hold()).code == "wrong_action"
    assert refusal(apart(), 0, LockOrders(HIDDEN, SALTS[0])).code == "not_legal"


def test_salt_that_gives_the_orders_away_is_refused() -> None:
    """C-29: a salt of zeros, of the documented example, or revealed earlier in the match; and what is no salt."""
    board = apart(revealed_salts=(SALTS[0],))
    assert refusal(board, 0, lock(0, (0, Hold()), salt=ZERO_SALT)).code == "unsafe_salt"
    assert refusal(board, 0, lock(0, (0, Hold()), salt=DOCUMENTED_SALT)).code == "unsafe_salt"
    assert refusal(board, 0, lock(0, (0, Hold()), salt="00")).code == "bad_salt"
    assert refusal(board, 0, lock(0, (0, Hold()))).code == "unsafe_salt"
    assert decide(board, 0, lock(0, (0, Hold()), salt=SALTS[1])).events


# ---------------------------------------------------------------- revealing


def test_last_lock_reveals_all_in_a_new_step_and_the_fastest_acts_first() -> None:
    """C-29: the seats in order, not those that locked first; the units act in the order of the round (C-21)."""
    board = lay_out(unit("foot", 0, 1, 4, "east"), unit("foot", 1, 8, 4, "west"), waiting=(1, 0), settings=SECRET)
    first = decide(board, 1, lock(1, (1, March(("forward", "forward")))))
    outcome = decide(first.board, 0, lock(0, (0, March(("forward",)))), [1, 2])
    kinds = [type(event) for event in outcome.events]
    begun = kinds.index(StepBegan)
    assert kinds[begun + 1 : begun + 6] == [
        events.OrdersRevealed,
        events.UnitMarched,
        events.UnitActed,
        events.UnitMarched,
        events.UnitActed,
    ]
    (revealed,) = found(outcome, events.OrdersRevealed)
    assert revealed.step == 2
    assert [(shown.seat, shown.salt) for shown in revealed.locks] == [(0, SALTS[0]), (1, SALTS[1])]
    assert [event.unit for event in found(outcome, events.UnitMarched)] == [1, 0]
    assert (outcome.board.locks, outcome.board.revealed_salts) == ((), SALTS[:2])
    assert [unit.cell for unit in outcome.board.units] == [(2, 4), (6, 4)]
    assert kinds.count(StepBegan) == 1, "the next round begins in the same step of the dice"
    assert len(outcome.questions) == 2


def test_round_in_which_all_units_flee_is_played_without_a_lock() -> None:
    """C-29, C-28: no question is asked, nothing is revealed, and the step of the dice stays."""
    board = lay_out(
        unit("foot", 0, 4, 4, "west", status="fleeing"),
        unit("foot", 1, 5, 4, "east", status="fleeing"),
        waiting=(0, 1),
        settings=SECRET,
    )
    assert REGIMENTS.questions(board) == ()
    resolution = playing(board, [1, 1, 1, 2])
    rounds.play_on(resolution)
    finish(resolution)
    assert not {StepBegan, events.OrdersRevealed} & {type(event) for event in resolution.events}
    assert [unit.status for unit in resolution.board.units] == ["steady", "steady"]
    assert REGIMENTS.questions(resolution.board) == ((0, SecretOrdersQuestion((0,))), (1, SecretOrdersQuestion((1,))))


def test_orders_of_a_seat_that_resigned_are_revealed_and_not_carried_out() -> None:
    """C-29, C-22."""
    board = lay_out(
        unit("foot", 0, 1, 1, "east"),
        unit("foot", 1, 8, 1, "west"),
        unit("foot", 2, 1, 6, "east"),
        unit("foot", 3, 8, 6, "west"),
        waiting=(0, 1, 2, 3),
        settings=SECRET,
    )
    for seat in (0, 1, 3):
        board = decide(board, seat, lock(seat, (seat, March(("forward",))))).board
    board = REGIMENTS.resign(board, 0, LockDice()).board
    assert [seat for seat, _ in REGIMENTS.questions(board)] == [2]
    last = decide(board, 2, lock(2, (2, Hold())), [1, 2, 3])
    (revealed,) = found(last, events.OrdersRevealed)
    assert [shown.seat for shown in revealed.locks] == [0, 1, 2, 3]
    assert {event.unit for event in found(last, events.UnitMarched)} == {1, 3}


def test_resignation_of_the_last_seat_to_lock_reveals_the_orders_of_the_others() -> None:
    """C-29, C-22."""
    board = lay_out(
        unit("foot", 0, 1, 1, "east"),
        unit("foot", 1, 8, 1, "west"),
        unit("foot", 2, 1, 6, "east"),
        waiting=(0, 1, 2),
        settings=SECRET,
    )
    for seat in (0, 1):
        board = decide(board, seat, lock(seat, (seat, March(("forward",))))).board
    outcome = REGIMENTS.resign(board, 2, LockDice([1, 2]))
    assert {event.unit for event in found(outcome, events.UnitMarched)} == {0, 1}
    assert outcome.board.round == 3


# ---------------------------------------------------------------- what becomes of an order


def replaced(outcome: Outcome[Any, Any]) -> list[tuple[int, OrderAction, OrderAction]]:
    return [(event.unit, event.locked, event.order) for event in found(outcome, events.OrderReplaced)]


def order_now(board: RegimentsBoard, locked: OrderAction, id: int = 0) -> OrderAction:
    return secret_orders.order_now(board, board.units[id], locked)


def test_order_that_is_still_possible_is_carried_out_as_it_is() -> None:
    """C-30."""
    outcome = carried_out(apart(), (0, March(("forward", "left"))), (1, Reform(4)), dice=[1, 2])
    assert replaced(outcome) == []
    assert found(outcome, events.UnitReformed)[0].files == 4
    assert outcome.board.units[0].facing == "north"


def test_unit_that_is_charged_before_its_turn_fights() -> None:
    """C-30, C-1: its own charge does not count, because the faster one was there first. All attacks miss."""
    outcome = carried_out(near(), (0, Charge(1)), (1, Charge(0)), dice=[1] * 10)
    assert replaced(outcome) == [(1, Charge(0), Fight())]
    assert [event.unit for event in found(outcome, events.UnitCharged)] == [0]
    assert [event.priority for event in found(outcome, events.AttacksRolled)] == [11, 3]
    for order in (March(("left",)), Reform(4), Hold()):
        assert order_now(outcome.board, order, 1) == Fight()


def test_charge_that_is_not_possible_becomes_a_march_towards_the_target() -> None:
    """C-30: the target has marched out of reach; the march goes as near as it can."""
    board = lay_out(unit("foot", 0, 2, 4, "east"), unit("horse", 1, 6, 4, "east"), waiting=(1, 0), settings=SECRET)
    outcome = carried_out(board, (0, Charge(1)), (1, March(("forward", "forward"))), dice=[])
    assert replaced(outcome) == [(0, Charge(1), March(("forward", "forward")))]
    assert outcome.board.units[0].cell == (4, 4)
    assert outcome.board.contacts == ()


def test_march_towards_a_target_ends_with_the_target_in_front_where_places_are_equally_near() -> None:
    """C-30: of two ways to one cell the shorter; a wheel instead of nothing."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 4, 5, "west", status="fleeing"), waiting=(0,))
    assert order_now(board, Charge(1)) == March(("left",))
    behind = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 1, 4, "east", status="fleeing"), waiting=(0,))
    assert order_now(behind, Charge(1)) == March(("left", "left"))
    aside = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 4, 1, "east", status="fleeing"), waiting=(0,))
    assert order_now(aside, Charge(1)) == March(("right", "forward"))


def test_charge_at_a_target_that_is_gone_or_in_front_already_becomes_nothing() -> None:
    """C-30."""
    gone = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 6, 4, "west", status="routed"), waiting=(0,))
    assert order_now(gone, Charge(1)) == Hold()
    there = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 5, 4, "east", status="fleeing"), waiting=(0,))
    assert order_now(there, Charge(1)) == Hold()


def test_march_ends_before_the_first_step_that_is_not_possible() -> None:
    """C-30."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 6, 4, "west"), waiting=(0,))
    assert order_now(board, March(("forward", "forward"))) == March(("forward",))
    blocked = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 5, 4, "west"), waiting=(0,))
    assert order_now(blocked, March(("forward", "left"))) == Hold()
    assert order_now(blocked, March(("left", "forward"))) == March(("left", "forward"))


def test_unit_whose_opponents_are_gone_holds_instead_of_fighting_or_retreating() -> None:
    """C-30."""
    board = lay_out(unit("foot", 0, 4, 4, "east"), unit("foot", 1, 8, 4, "east"), waiting=(0,))
    assert order_now(board, Fight()) == Hold()
    assert order_now(board, Retreat()) == Hold()
    still = face_off(unit("foot", 0, 0, 0, "east"), unit("foot", 1, 0, 0, "west"))
    assert order_now(still, Retreat()) == Retreat()


def test_unit_that_flees_when_its_turn_comes_runs_on_and_carries_out_no_order() -> None:
    """C-28, C-30: it was charged in the rear, failed its test with 8, and no hack wounds."""
    board = lay_out(unit("horse", 0, 1, 4, "east"), unit("foot", 1, 4, 4, "east"), waiting=(0, 1), settings=SECRET)
    outcome = carried_out(board, (0, Charge(1)), (1, March(("left",))), dice=[8, *[1] * 5])
    assert [event.reason_kind for event in found(outcome, events.FlightBegan)] == ["flanked", "still_fleeing"]
    assert found(outcome, events.UnitMarched) == replaced(outcome) == []


# ---------------------------------------------------------------- defaults, bots of search, whole matches


def secret_match(seed: int = 3, players: int = 2, **settings: Any) -> LocalMatch[Any, Any, Any]:
    return opened(seed, players, secret_orders=True, **settings)


def test_default_is_to_hold_with_a_salt_of_its_own() -> None:
    """C-29, C-24: the salts of a seat whose time is up are hidden draws, each another."""
    local = secret_match(has_clock=True)
    salts = set()
    for seat in range(2):
        decision = local.match.decisions[0]
        action = local.rules.default(local.match, decision, local.secrets)
        assert {type(order.order) for order in action.orders} == {Hold}
        salts.add(action.salt)
        body = local.commit(local.decide(HOUSE, decision.id, action))
        assert seat or body.draw_index is None
    assert len(salts) == 2
    step = next(event for event in local.records[-1].events if isinstance(event, StepBegan))
    assert (step.step, step.missing) == (2, (0, 1))


def test_options_name_every_order_of_every_unit() -> None:
    """C-29: the default of all first, then each unit with its other orders."""
    options = REGIMENTS.options(near(), 1, SecretOrdersQuestion((1,)))
    assert options.actions == (LockOrders((UnitOrder(1, Hold()),)),)
    (limits,) = options.parametric
    assert limits.orders[:2] == (Hold(), Charge(0))
    assert limits.example == LockOrders((UnitOrder(1, March(limits.ends[0].path)),))
    assert limits.points == 2
    kept_out = REGIMENTS.unavailable(near(), 1, SecretOrdersQuestion((1,)))
    assert {(entry.unit, entry.order) for entry in kept_out} == {(1, "fight"), (1, "retreat"), (1, "reform")}


def test_imagined_orders_are_legal_and_keep_what_the_viewer_knows() -> None:
    """C-29: a search bot goes on from a board on which the other seat has locked something possible."""
    board = decide(near(), 0, lock(0, (0, Charge(1)))).board
    rng, seen = random.Random(1), set()
    for _ in range(40):
        imagined = REGIMENTS.determinize(REGIMENTS.view(board, 1), 1, rng)
        (one,) = imagined.locks
        assert isinstance(one.orders, tuple)
        decisions.check_order(imagined, imagined.units[0], one.orders[0].order)
        seen.add(one.orders[0].order)
        assert REGIMENTS.view(imagined, 1) == REGIMENTS.view(board, 1)
    assert len(seen) > 5
    assert REGIMENTS.determinize(board, 0, rng) is board


@each_row(("players", "records"), [(2, 0), (2, 7), (4, 0), (4, 9)])
def test_records_of_locked_orders_do_not_tell_them_apart(players: int, records: int) -> None:
    """C-29: every legal order of every unit gives the same record to everybody else."""
    local = play(secret_match(4, players), 4, "random", records)
    while len(local.match.decisions) == 1:
        play(local, 4, "random", records=1)
    decision = local.match.decisions[0]
    options = local.rules.options(local.match, decision)
    default = options.actions[0]
    answers = []
    for limits in options.parametric:
        for order in (*limits.orders, *(March(end.path) for end in limits.ends)):
            orders = (replace(given, order=order) if given.unit == limits.unit else given for given in default.orders)
            answers.append(LockOrders(tuple(orders), SALTS[0], local.next_nonce(decision.seat)))
    assert len(answers) > 10
    bodies = [local.decide(player_of(decision.seat), decision.id, answer).body for answer in answers]
    shown = [local.rules.redact_body(body, PUBLIC) for body in bodies]
    assert len({str(replace(body, events=tuple(map(_without_commitment, body.events)))) for body in shown}) == 1


def _without_commitment(event: Any) -> Any:
    return replace(event, commitment="") if isinstance(event, events.OrdersLocked) else event


def test_match_without_secret_orders_asks_for_no_nonce_after_the_first_step() -> None:
    """C-29 is off by default; seats give their nonces when they are ready."""
    local = play(opened(3), 3, "random", records=60)
    steps = [event for event in local.events if isinstance(event, StepBegan)]
    assert [bool(step.seat_nonces) for step in steps] == [True] + [False] * (len(steps) - 1)
    assert len(steps) > 2
    ready = sum(isinstance(body.action, Ready) for body in local.records)
    assert len([event for event in local.events if isinstance(event, SeatNonceOpened)]) == ready == 2


def test_match_with_secret_orders_ends_when_a_player_resigns_while_orders_are_locked() -> None:
    """C-29, C-22."""
    local = secret_match(5)
    local.answer(local.match.decisions[0], local.rules.options(local.match, local.match.decisions[0]).actions[0])
    resign(local, 1)
    assert local.match.result is not None
    assert (local.match.result.end_reason, local.match.result.winners) == ("resignation", (0,))
