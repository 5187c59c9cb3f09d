"""Records of seats that the house plays: both verifiers read right ones, and refuse forged ones at the same record."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_client.verification.verify import verify
from diskwars_engine.match import Command, digest_of
from diskwars_protocol.match.actions import Resign, TakeSeatBack
from diskwars_protocol.match.events import SeatResigned, SeatTakenBack, SeatTakenOver
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import ARMIES, RULES
from tests.golden.agreement_matches import opened
from tests.golden.substitute_matches import SLEEPER, SUBSTITUTES, AnyLocal, play_with_substitute
from tests.golden.write_files import write_match
from tests.interop.test_vacancies import node_verdicts

Forge = Callable[[list[AnyBody]], int]
"""Changes the records, and returns the seq of the one that is wrong then."""
OVER, BACK = SeatTakenOver(SLEEPER), SeatTakenBack(SLEEPER)


@cache
def played() -> AnyLocal:
    loadouts = tuple(a.Loadout(army) for army in ARMIES[:2])
    local = opened(RULES, "substitute", a.DiskwarsSettings(setup="quick", regiments=1), loadouts, SUBSTITUTES)
    return play_with_substitute(local)


def file_of(bodies: list[AnyBody]) -> bytes:
    return write_match(RULES, played().match.match, 2, bodies)


def first(bodies: list[AnyBody], kind: type, after: int = 0) -> int:
    """Return the place of the first record with such an event."""
    found = enumerate(bodies[after:], after)
    return next(place for place, body in found if any(isinstance(event, kind) for event in body.events))


def without(bodies: list[AnyBody], place: int) -> int:
    bodies[place] = replace(bodies[place], events=bodies[place].events[1:])
    return place + 1


def adding(bodies: list[AnyBody], place: int, event: SeatTakenOver | SeatTakenBack) -> int:
    bodies[place] = replace(bodies[place], events=(event, *bodies[place].events))
    return place + 1


def taken_over_last(bodies: list[AnyBody]) -> int:
    place = first(bodies, SeatTakenOver)
    events = bodies[place].events
    bodies[place] = replace(bodies[place], events=(*events[1:], events[0]))
    return place + 1


def taken_over_for_another(bodies: list[AnyBody]) -> int:
    place = first(bodies, SeatTakenOver)
    bodies[place] = replace(bodies[place], events=(SeatTakenOver(0), *bodies[place].events[1:]))
    return place + 1


def house_answers_early(bodies: list[AnyBody]) -> int:
    """The house answers for the other seat at once, as it may for the one that it plays."""
    start = first(bodies, SeatTakenOver)
    found = enumerate(bodies[start:], start)
    place = next(place for place, body in found if body.seat == 0 and body.decision is not None)
    bodies[place] = replace(bodies[place], actor="house")
    return place + 1


def house_resigns(bodies: list[AnyBody]) -> int:
    """The house resigns for the seat that it plays."""
    start = first(bodies, SeatTakenOver) + 1
    found = enumerate(bodies[start:], start)
    place = next(place for place, body in found if body.actor == "house")
    body, resign = bodies[place], Resign()
    digest = digest_of(Command(PlayerId(""), body.decision, resign, 0))
    bodies[place] = replace(body, action=resign, digest=digest, events=(SeatResigned(SLEEPER),))
    return place + 1


def taken_back_twice(bodies: list[AnyBody]) -> int:
    place = next(place for place, body in enumerate(bodies) if isinstance(body.action, TakeSeatBack))
    bodies[place + 1] = replace(bodies[place], decisions=None, at_ms=bodies[place + 1].at_ms)
    return place + 2


def first_missed(bodies: list[AnyBody]) -> int:
    return next(place for place, body in enumerate(bodies) if body.actor == "house")


FORGERIES: dict[str, Forge] = {
    "taken over too early": lambda bodies: adding(bodies, first_missed(bodies), OVER),
    "not taken over": lambda bodies: without(bodies, first(bodies, SeatTakenOver)),
    "taken over twice": lambda bodies: adding(bodies, first(bodies, SeatTakenOver), OVER),
    "taken over last": taken_over_last,
    "taken over for another": taken_over_for_another,
    "taken over by the player": lambda bodies: adding(bodies, first(bodies, SeatTakenBack), OVER),
    "not taken back": lambda bodies: without(bodies, first(bodies, SeatTakenBack)),
    "taken back by nobody": lambda bodies: adding(bodies, first_missed(bodies), BACK),
    "taken back twice": taken_back_twice,
    "house answers early for another": house_answers_early,
    "house resigns for the seat that it plays": house_resigns,
}


def forged(kind: str) -> tuple[list[AnyBody], int]:
    bodies: list[AnyBody] = list(played().records)
    return bodies, FORGERIES[kind](bodies)


def test_match_with_a_substitute_is_verified_by_both(tmp_path: Path) -> None:
    bodies = list(played().records)
    files = [file_of(bodies[:count]) for count in range(len(bodies) - 12, len(bodies) + 1)]
    for raw, verdict in zip(files, node_verdicts(tmp_path, files), strict=True):
        verify(raw)
        assert verdict.get("wrong") is None, verdict
    assert verify(files[-1]).is_redecided


@pytest.mark.parametrize("kind", FORGERIES)
def test_forged_record_is_refused_where_the_match_is_decided_again(kind: str) -> None:
    bodies, wrong = forged(kind)
    with pytest.raises(BadRecord) as refused:
        verify(file_of(bodies))
    assert refused.value.seq == wrong


@pytest.mark.parametrize("kind", FORGERIES)
def test_forged_record_is_refused_without_the_rules(kind: str) -> None:
    bodies, wrong = forged(kind)
    with pytest.raises(BadRecord) as refused:
        verify(file_of(bodies[:wrong]))
    assert refused.value.seq == wrong


def test_forged_records_are_refused_by_node(tmp_path: Path) -> None:
    cases = [forged(kind) for kind in FORGERIES]
    verdicts = node_verdicts(tmp_path, [file_of(bodies[:wrong]) for bodies, wrong in cases])
    found = {kind: verdict.get("wrong") for kind, verdict in zip(FORGERIES, verdicts, strict=True)}
    assert found == {kind: wrong for kind, (_, wrong) in zip(FORGERIES, cases, strict=True)}
