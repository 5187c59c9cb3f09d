"""What may be said to a match that is no answer on the board, or comes from the wrong side or at the wrong time?

Each is refused with its code and place, and changes nothing. The last test looks into `match.py`: whatever it can
refuse is refused here once.
"""

from collections.abc import Callable

import msgspec
import pytest

from diskwars_engine.match import Opening
from diskwars_engine.ruleset import Illegal
from diskwars_protocol import match as m
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.sealed import HIDDEN
from tests.engine.played_match import QUICK, RULES, Playing, by_default, player
from tests.engine.positions import SALT, Refused, refusals_in


def opened() -> Playing:
    return Playing(1)


def seated() -> Playing:
    """The first seat is taken."""
    playing = opened()
    chain = playing.chains[0].head.hex()
    playing.answer(playing.state.decisions[0], m.TakeSeat(chain, a.Entry("Chaos Patrol")))
    return playing


def waiting() -> Playing:
    """Both sit; nobody is ready."""
    playing = seated()
    chain = playing.chains[1].head.hex()
    playing.answer(playing.state.decisions[0], m.TakeSeat(chain, a.Entry("Empire Patrol")))
    return playing


def running() -> Playing:
    return opened().begin()


def locking() -> Playing:
    """Both are asked for a card."""
    playing = running()
    while len(playing.state.decisions) < 2:
        playing.play(by_default, appends=1)
    return playing


def ended() -> Playing:
    playing = running()
    playing.record(playing.decide(player(0), "", m.Resign()))
    return playing


def replaced(playing: Playing) -> Playing:
    """The first seat has just given a new chain."""
    playing.record(playing.decide(player(0), "", m.ReplaceChain("cd" * 16)))
    return playing


def decision(playing: Playing, slot: int = 0) -> str:
    return playing.state.decisions[slot].id


def asked(playing: Playing) -> PlayerId:
    return player(playing.state.decisions[0].seat)


def other(playing: Playing) -> PlayerId:
    return player(1 - playing.state.decisions[0].seat)


def some_card(playing: Playing) -> str:
    """A card of the seat that is asked first."""
    return (playing.board.sides[playing.state.decisions[0].seat].hand or ("",))[0]


STRANGER = PlayerId("stranger")
CHAIN = "ab" * 16
SIT = m.TakeSeat(CHAIN, a.Entry("Chaos Patrol"))
Sent = tuple[PlayerId, str, a.Action]

MATCH_CASES: dict[str, tuple[Callable[[], Playing], Callable[[Playing], Sent], Refused]] = {
    "anything after the end": (
        ended,
        lambda p: (player(0), "", m.Resign()),
        Refused("match_ended"),
    ),
    "resigning without a seat": (
        running,
        lambda p: (STRANGER, "", m.Resign()),
        Refused("no_seat"),
    ),
    "an answer that names no decision": (
        running,
        lambda p: (asked(p), "", a.ChooseFirst(0)),
        Refused("wrong_action", "", "$.decision"),
    ),
    "a second seat": (
        seated,
        lambda p: (player(0), decision(p), SIT),
        Refused("already_seated"),
    ),
    "a seat that somebody else has just taken": (
        seated,
        lambda p: (STRANGER, "2.0", SIT),
        Refused("seat_taken"),
    ),
    "an answer without a seat": (
        running,
        lambda p: (STRANGER, decision(p), a.ChooseFirst(0)),
        Refused("no_seat"),
    ),
    "an old decision without a seat": (
        running,
        lambda p: (STRANGER, "2.0", a.ChooseFirst(0)),
        Refused("no_seat"),
    ),
    "an answer for the other seat": (
        locking,
        lambda p: (asked(p), decision(p, 1), a.LockCard("Press On", SALT)),
        Refused("not_your_seat", "", "$.decision"),
    ),
    "an answer to a decision of long ago": (
        running,
        lambda p: (asked(p), "2.0", a.ChooseFirst(0)),
        Refused("stale_decision", "", "$.decision"),
    ),
    "an answer out of turn": (
        running,
        lambda p: (other(p), "2.0", a.ChooseFirst(0)),
        Refused("not_your_turn", "", "$.decision"),
    ),
    "a second card after locking": (
        lambda: locking().play(by_default, appends=1),
        lambda p: (other(p), "1.0", a.LockCard("Press On", SALT)),
        Refused("not_your_turn", "", "$.decision"),
    ),
    "being ready where a seat is asked for": (
        opened,
        lambda p: (STRANGER, decision(p), m.Ready("")),
        Refused("wrong_action", "", "$.action"),
    ),
    "sitting down where readiness is asked for": (
        waiting,
        lambda p: (asked(p), decision(p), SIT),
        Refused("wrong_action", "", "$.action"),
    ),
    "sitting down on the board": (
        running,
        lambda p: (asked(p), decision(p), SIT),
        Refused("wrong_action", "", "$.action"),
    ),
    "a chain head that is too short": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN[2:], a.Entry("Chaos Patrol"))),
        Refused("bad_chain", "", "$.action.chain"),
    ),
    "a new chain head in capitals": (
        running,
        lambda p: (player(0), "", m.ReplaceChain(CHAIN.upper())),
        Refused("bad_chain", "", "$.action.chain"),
    ),
    "a second new chain for the same step": (
        lambda: replaced(running()),
        lambda p: (player(0), "", m.ReplaceChain(CHAIN)),
        Refused("not_legal", "", "$.action.chain"),
    ),
    "resigning in answer to a decision": (
        running,
        lambda p: (asked(p), decision(p), m.Resign()),
        Refused("wrong_action", "", "$.decision"),
    ),
    "a text that has no place in a record": (
        locking,
        lambda p: (asked(p), decision(p), a.LockCard("Press\u0000On", SALT)),
        Refused("bad_action", "", "$.action"),
    ),
    "an army that nobody knows": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry("Nobody"))),
        Refused("unknown_army", "", "$.action.entry.army"),
    ),
    "a hand that is not the army's": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry("Chaos Patrol", hand=("Feint",)))),
        Refused("not_legal", "R2.6", "$.action.entry.hand"),
    ),
    "the name of a starter army for another one": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry("Chaos Patrol", (a.Regiment("Archaon"),)))),
        Refused("not_legal", "", "$.action.entry.army"),
    ),
    "a name that cannot be printed": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry("\n", (a.Regiment("Archaon"),)))),
        Refused("bad_action", "", "$.action.entry.army"),
    ),
    "an army that is sealed": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry(HIDDEN))),
        Refused("bad_action", "", "$.action.entry"),
    ),
    "an army that is not legal": (
        opened,
        lambda p: (STRANGER, decision(p), m.TakeSeat(CHAIN, a.Entry("mine", (a.Regiment("Archaon"),)))),
        Refused("illegal_army", "R2.6", "$.action.entry.hand"),
    ),
    "a link that is too short": (
        waiting,
        lambda p: (asked(p), decision(p), m.Ready(p.link(0)[2:])),
        Refused("bad_link", "", "$.action.link"),
    ),
    "a link that opens another chain": (
        waiting,
        lambda p: (asked(p), decision(p), m.Ready(p.link(1))),
        Refused("bad_link", "", "$.action.link"),
    ),
    "a link that opens nothing, with a card": (
        locking,
        lambda p: (asked(p), decision(p), a.LockCard(some_card(p), SALT, CHAIN)),
        Refused("bad_link", "", "$.action.link"),
    ),
}


@pytest.mark.parametrize("name", MATCH_CASES)
def test_in_a_match_this_is_refused_and_changes_nothing(name: str) -> None:
    bring, send, expected = MATCH_CASES[name]
    playing = bring()
    state, records = playing.state, len(playing.events)
    before = msgspec.json.encode(state)
    with pytest.raises(Illegal) as refusal:
        playing.decide(*send(playing))
    assert Refused(refusal.value.code, refusal.value.rule, refusal.value.place) == expected
    assert refusal.value.text
    assert playing.state is state
    assert msgspec.json.encode(state) == before
    assert len(playing.events) == records


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_a_match_of_a_number_of_seats_that_the_ruleset_does_not_have_is_refused(seats: int) -> None:
    """R1.5: two to four."""
    opening = Opening(MatchId("m"), QUICK, seats, player(0), 0)
    with pytest.raises(Illegal) as refusal:
        RULES.open(opening, opened().secrets)
    assert (refusal.value.code, refusal.value.place) == ("bad_settings", "$.seats")


def test_nobody_is_seated_or_readied_by_default() -> None:
    for playing in (opened(), waiting()):
        with pytest.raises(Illegal) as refusal:
            playing.rules.default(playing.state, playing.state.decisions[0], playing.secrets)
        assert refusal.value.code == "wrong_action"


def test_every_refusal_that_stands_in_the_match_is_tested_here() -> None:
    tested = {(case[2].code, case[2].rule) for case in MATCH_CASES.values()} | {("bad_settings", "")}
    tested |= {("bad_settings", "R-74")}  # test_strongholds.py
    tested |= {("missing_pack", "")}  # test_missing_packs.py
    tested |= {("bad_settings", "R3.3"), ("bad_settings", "R3.4")}  # packs with too few cards: test_full_setup.py
    assert refusals_in("match.py", "diskwars/__init__.py", "diskwars/entering.py") - tested == set()


def test_every_code_that_the_engine_uses_is_one_that_clients_know() -> None:
    assert {code for code, _ in refusals_in("match.py", "diskwars")} <= set(REFUSAL_CODES)
