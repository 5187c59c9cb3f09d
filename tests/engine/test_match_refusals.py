"""Commands to a match that are no answer on the board, or come from the wrong seat or at the wrong time.

Each is refused with its code and place, and changes nothing. The last test looks into `match.py`: everything that it
can refuse is refused here once.
"""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_engine.match import Command, MatchOpening
from diskwars_engine.ruleset import Illegal, UnreadableCursor
from diskwars_protocol.match.actions import Ready, ReplaceChain, Resign, TakeSeat
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.records.sealed import HIDDEN, if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from tests.engine.played_match import QUICK_SETTINGS, RULES, PlayedMatch, default_action, player_of
from tests.engine.rulesets.diskwars.positions import SALT, ExpectedRefusal, find_refusals
from tests.rows import each_row


def opened_match() -> PlayedMatch:
    return PlayedMatch(1)


def seated_match() -> PlayedMatch:
    """The first seat is taken."""
    playing = opened_match()
    chain = playing.chains[0].head.hex()
    playing.answer(playing.state.decisions[0], TakeSeat(chain, a.Loadout("chaos-patrol")))
    return playing


def waiting_match() -> PlayedMatch:
    """Return both sit; nobody is ready."""
    playing = seated_match()
    chain = playing.chains[1].head.hex()
    playing.answer(playing.state.decisions[0], TakeSeat(chain, a.Loadout("empire-patrol")))
    return playing


def running_match() -> PlayedMatch:
    return opened_match().begin()


def locking_match() -> PlayedMatch:
    """Both are asked for a card."""
    playing = running_match()
    while len(playing.state.decisions) < 2:
        playing.play(default_action, records=1)
    return playing


def ended_match() -> PlayedMatch:
    playing = running_match()
    playing.commit(playing.decide(player_of(0), None, Resign()))
    return playing


def decision(playing: PlayedMatch, slot: int = 0) -> str:
    return playing.state.decisions[slot].id


def open_decision(playing: PlayedMatch) -> PlayerId:
    return player_of(playing.state.decisions[0].seat)


def other_decision(playing: PlayedMatch) -> PlayerId:
    return player_of(1 - playing.state.decisions[0].seat)


def some_card(playing: PlayedMatch) -> str:
    """Return a card of the seat that is asked first."""
    return (if_known(playing.board.sides[playing.state.decisions[0].seat].hand) or ("",))[0]


STRANGER = PlayerId("stranger")
CHAIN = "ab" * 16
TAKE_SEAT = TakeSeat(CHAIN, a.Loadout("chaos-patrol"))
SentCommand = tuple[PlayerId, str | None, a.Action]

MATCH_CASES: dict[str, tuple[Callable[[], PlayedMatch], Callable[[PlayedMatch], SentCommand], ExpectedRefusal]] = {
    "anything after the end": (
        ended_match,
        lambda p: (player_of(0), None, Resign()),
        ExpectedRefusal("match_ended"),
    ),
    "resigning without a seat": (
        running_match,
        lambda p: (STRANGER, None, Resign()),
        ExpectedRefusal("no_seat"),
    ),
    "an answer that names no decision": (
        running_match,
        lambda p: (open_decision(p), None, a.ChooseFirstPlayer(0)),
        ExpectedRefusal("wrong_action", "", "$.decision"),
    ),
    "a second seat": (
        seated_match,
        lambda p: (player_of(0), decision(p), TAKE_SEAT),
        ExpectedRefusal("already_seated"),
    ),
    "a seat that somebody else has just taken": (
        seated_match,
        lambda p: (STRANGER, "2.0", TAKE_SEAT),
        ExpectedRefusal("seat_taken"),
    ),
    "an answer without a seat": (
        running_match,
        lambda p: (STRANGER, decision(p), a.ChooseFirstPlayer(0)),
        ExpectedRefusal("no_seat"),
    ),
    "an old decision without a seat": (
        running_match,
        lambda p: (STRANGER, "2.0", a.ChooseFirstPlayer(0)),
        ExpectedRefusal("no_seat"),
    ),
    "an answer for the other seat": (
        locking_match,
        lambda p: (open_decision(p), decision(p, 1), a.LockCard("press-on", SALT)),
        ExpectedRefusal("not_your_seat", "", "$.decision"),
    ),
    "an answer to a decision of long ago": (
        running_match,
        lambda p: (open_decision(p), "2.0", a.ChooseFirstPlayer(0)),
        ExpectedRefusal("stale_decision", "", "$.decision"),
    ),
    "an answer out of turn": (
        running_match,
        lambda p: (other_decision(p), "2.0", a.ChooseFirstPlayer(0)),
        ExpectedRefusal("not_your_turn", "", "$.decision"),
    ),
    "a second card after locking": (
        lambda: locking_match().play(default_action, records=1),
        lambda p: (other_decision(p), "1.0", a.LockCard("press-on", SALT)),
        ExpectedRefusal("not_your_turn", "", "$.decision"),
    ),
    "being ready where a seat is asked for": (
        opened_match,
        lambda p: (STRANGER, decision(p), Ready("")),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
    "sitting down where readiness is asked for": (
        waiting_match,
        lambda p: (open_decision(p), decision(p), TAKE_SEAT),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
    "sitting down on the board": (
        running_match,
        lambda p: (open_decision(p), decision(p), TAKE_SEAT),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
    "a chain head that is too short": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN[2:], a.Loadout("chaos-patrol"))),
        ExpectedRefusal("bad_chain", "", "$.action.chain_head"),
    ),
    "a new chain head in capitals": (
        running_match,
        lambda p: (player_of(0), None, ReplaceChain(CHAIN.upper())),
        ExpectedRefusal("bad_chain", "", "$.action.chain_head"),
    ),
    "resigning in answer to a decision": (
        running_match,
        lambda p: (open_decision(p), decision(p), Resign()),
        ExpectedRefusal("wrong_action", "", "$.decision"),
    ),
    "a text that has no place in a record": (
        locking_match,
        lambda p: (open_decision(p), decision(p), a.LockCard("Press\u0000On", SALT)),
        ExpectedRefusal("bad_action", "", "$.action"),
    ),
    "an army that nobody knows": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN, a.Loadout("nobody"))),
        ExpectedRefusal("unknown_army", "", "$.action.loadout.army"),
    ),
    "a hand that is not the army's": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN, a.Loadout("chaos-patrol", hand=("feint",)))),
        ExpectedRefusal("not_legal", "R2.6", "$.action.loadout.hand"),
    ),
    "the id of a starter army for another one": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN, a.Loadout("chaos-patrol", (a.Regiment("archaon"),)))),
        ExpectedRefusal("not_legal", "", "$.action.loadout.army"),
    ),
    "an army that is sealed": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN, a.Loadout(HIDDEN))),
        ExpectedRefusal("bad_action", "", "$.action.loadout"),
    ),
    "an army that is not legal": (
        opened_match,
        lambda p: (STRANGER, decision(p), TakeSeat(CHAIN, a.Loadout("", (a.Regiment("archaon"),)))),
        ExpectedRefusal("illegal_army", "R2.6", "$.action.loadout.hand"),
    ),
    "a link that is too short": (
        waiting_match,
        lambda p: (open_decision(p), decision(p), Ready(p.next_seat_link(0)[2:])),
        ExpectedRefusal("bad_seat_nonce", "", "$.action.seat_nonce"),
    ),
    "a link that opens another chain": (
        waiting_match,
        lambda p: (open_decision(p), decision(p), Ready(p.next_seat_link(1))),
        ExpectedRefusal("bad_seat_nonce", "", "$.action.seat_nonce"),
    ),
    "a link that opens nothing, with a card": (
        locking_match,
        lambda p: (open_decision(p), decision(p), a.LockCard(some_card(p), SALT, CHAIN)),
        ExpectedRefusal("bad_seat_nonce", "", "$.action.seat_nonce"),
    ),
}


@each_row("name", MATCH_CASES)
def test_in_a_match_this_is_refused_and_changes_nothing(name: str) -> None:
    bring, send, expected = MATCH_CASES[name]
    playing = bring()
    state, records = playing.state, len(playing.bodies)
    before = msgspec.json.encode(state)
    with pytest.raises(Illegal) as refusal:
        playing.decide(*send(playing))
    assert ExpectedRefusal(refusal.value.code, refusal.value.rule, refusal.value.place) == expected
    assert refusal.value.text
    assert playing.state is state
    assert msgspec.json.encode(state) == before
    assert len(playing.bodies) == records


def test_a_match_left_by_newer_rules_is_named_by_every_refusal_to_go_on_with_it() -> None:
    playing = locking_match()
    assert playing.state.board is not None
    left = replace(playing.state, board=replace(playing.state.board, cursor="2[]"))
    decision_ = left.decisions[0]
    lock: Command[a.Action] = Command(player_of(decision_.seat), decision_.id, a.LockCard(some_card(playing), SALT), 0)
    leave: Command[a.Action] = Command(player_of(0), None, Resign(), 0)
    attempts: dict[str, Callable[[], object]] = {
        "decide": lambda: RULES.decide(left, len(playing.bodies), lock, playing.secrets),
        "resign": lambda: RULES.decide(left, len(playing.bodies), leave, playing.secrets),
        "options": lambda: RULES.options(left, decision_),
        "unavailable": lambda: RULES.options_with_unavailable(left, decision_),
        "default": lambda: RULES.default(left, decision_, playing.secrets),
    }
    for attempt in attempts.values():
        with pytest.raises(
            UnreadableCursor, match=r"match .* cannot go on .* version 2; these rules read 1$"
        ) as refusal:
            attempt()
        assert refusal.value.code == "unreadable_cursor"
        assert left.match in refusal.value.text


@each_row("seats", [0, 1, 5])
def test_a_match_of_a_number_of_seats_that_the_ruleset_does_not_have_is_refused(seats: int) -> None:
    """R1.5: two to four."""
    opening = MatchOpening(MatchId("m"), QUICK_SETTINGS, seats, player_of(0), 0)
    with pytest.raises(Illegal) as refusal:
        RULES.open(opening, opened_match().secrets)
    assert (refusal.value.code, refusal.value.place) == ("bad_settings", "$.seat_count")


def test_a_rated_match_whose_dice_follow_from_a_seed_is_refused() -> None:
    opening = MatchOpening(MatchId("m"), QUICK_SETTINGS, 2, player_of(0), 0, True, options=MatchOptions(rated=True))
    with pytest.raises(Illegal) as refusal:
        RULES.open(opening, opened_match().secrets)
    assert (refusal.value.code, refusal.value.place) == ("bad_match_options", "$.match_options.rated")
    assert refusal.value.code in REFUSAL_CODES


def test_nobody_is_seated_or_readied_by_default() -> None:
    for playing in (opened_match(), waiting_match()):
        with pytest.raises(Illegal) as refusal:
            playing.rules.default(playing.state, playing.state.decisions[0], playing.secrets)
        assert refusal.value.code == "wrong_action"


def test_every_refusal_of_the_match_is_tested_here() -> None:
    tested = {(case[2].code, case[2].rule) for case in MATCH_CASES.values()} | {("bad_settings", "")}
    tested |= {("bad_match_options", "")}
    tested |= {("paused", ""), ("bad_takeback", "")}  # test_agreements.py
    tested |= {("bad_settings", "R-74")}  # test_strongholds.py
    tested |= {("missing_pack", "")}  # test_missing_packs.py
    tested |= {("has_begun", ""), ("dice_exhausted", "")}  # test_match_course.py
    tested |= {("bad_settings", "R3.3"), ("bad_settings", "R3.4")}  # packs with too few cards: test_full_setup.py
    assert (
        find_refusals("match.py", "rulesets/diskwars/__init__.py", "rulesets/diskwars/setup/loadout.py") - tested
        == set()
    )


def test_every_code_that_the_engine_uses_is_one_that_clients_know() -> None:
    assert {code for code, _ in find_refusals("match.py", "rulesets/diskwars")} <= {
        *REFUSAL_CODES,
        *DISKWARS_REFUSAL_CODES,
    }
