"""Records by which seats are left: both verifiers read right ones, and refuse forged ones at the same record."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_client.verification.verify import verify
from diskwars_engine.match import Command, digest_of
from diskwars_protocol.match.actions import Kick, LeaveSeat
from diskwars_protocol.match.events import SeatVacated, SpentNonce
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import command_digest
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import ARMIES, RULES
from tests.golden.agreement_matches import answer_first
from tests.golden.seat_matches import AnyLocal, opened, play_with_vacancies
from tests.golden.write_files import write_match
from tests.interop.node_program import Json, run_node

LEAVE_DIGEST = digest_of(Command(PlayerId(""), None, LeaveSeat(), 0))
Forge = Callable[[list[AnyBody], int, int], int]
"""Takes the records, the index of the one by which a seat is left, and of the one by which one is freed by the opener.

It changes the records and returns the seq of the one that is wrong.
"""


@cache
def played() -> AnyLocal:
    local = opened(
        RULES, "forged", a.DiskwarsSettings(setup="quick", regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    )
    return play_with_vacancies(local, answer_first)


def file_of(bodies: list[AnyBody]) -> bytes:
    return write_match(RULES, played().match.match, 2, bodies)


def changed(bodies: list[AnyBody], index: int, **fields: object) -> int:
    bodies[index] = replace(bodies[index], events=(replace(bodies[index].events[0], **fields),))
    return index + 1


OTHER = SpentNonce(2, "ab" * 16)


def spent(bodies: list[AnyBody], left: int) -> tuple[SpentNonce, ...]:
    found: tuple[SpentNonce, ...] = bodies[left].events[0].spent_nonces
    return found


def left_again(bodies: list[AnyBody], left: int, freed: int) -> int:
    event = replace(bodies[left].events[0], record=left + 2, spent_nonces=())
    bodies[left + 1] = replace(bodies[left], events=(event,), decisions=None)
    return left + 2


def left_before_anybody_sat(bodies: list[AnyBody], left: int, freed: int) -> int:
    bodies[1] = replace(bodies[left], events=(replace(bodies[left].events[0], record=2, spent_nonces=()),))
    return 2


def left_after_the_start(bodies: list[AnyBody], left: int, freed: int) -> int:
    player = bodies[freed + 1].events[0].player
    event = SeatVacated(1, player, len(bodies))
    bodies[-1] = replace(bodies[left], events=(event,), decisions=None)
    return len(bodies)


def freed_by_a_player(bodies: list[AnyBody], left: int, freed: int) -> int:
    bodies[freed] = replace(bodies[freed], actor=None, seat=0)
    return freed + 1


def freed_by_the_house(bodies: list[AnyBody], left: int, freed: int) -> int:
    bodies[freed] = replace(bodies[freed], actor="house")
    return freed + 1


def left_for_another(bodies: list[AnyBody], left: int, freed: int) -> int:
    bodies[left] = replace(bodies[left], seat=0)
    return left + 1


def freed_seat_is_another(bodies: list[AnyBody], left: int, freed: int) -> int:
    action = Kick(0)
    digest = command_digest(encode_canonical([None, action]))
    bodies[freed] = replace(bodies[freed], action=action, digest=digest)
    return freed + 1


def smuggled_into_another_record(bodies: list[AnyBody], left: int, freed: int) -> int:
    event = replace(bodies[left].events[0], record=left + 2, spent_nonces=())
    bodies[left + 1] = replace(bodies[left + 1], events=(*bodies[left + 1].events, event))
    return left + 2


def left_by_nothing(bodies: list[AnyBody], left: int, freed: int) -> int:
    bodies[left] = replace(bodies[left], events=())
    return left + 1


FORGERIES: dict[str, Forge] = {
    "left again": left_again,
    "left before anybody sat": left_before_anybody_sat,
    "left after the start": left_after_the_start,
    "freed by a player": freed_by_a_player,
    "freed by the house": freed_by_the_house,
    "left for another": left_for_another,
    "freed seat is another": freed_seat_is_another,
    "smuggled into another record": smuggled_into_another_record,
    "left by nothing": left_by_nothing,
    "another player": lambda bodies, left, freed: changed(bodies, left, player=PlayerId("nobody")),
    "another record": lambda bodies, left, freed: changed(bodies, left, record=left),
    "said to be removed": lambda bodies, left, freed: changed(bodies, left, kicked=True),
    "said to have left": lambda bodies, left, freed: changed(bodies, freed, kicked=False),
    "nonce kept back": lambda bodies, left, freed: changed(bodies, left, spent_nonces=()),
    "another nonce": lambda bodies, left, freed: changed(bodies, left, spent_nonces=(SpentNonce(0, "ab" * 16),)),
    "a nonce too many": lambda bodies, left, freed: changed(bodies, freed, spent_nonces=(SpentNonce(0, "ab" * 16),)),
    "a seat too many": lambda bodies, left, freed: changed(bodies, left, spent_nonces=(*spent(bodies, left), OTHER)),
    "a nonce twice": lambda bodies, left, freed: changed(bodies, left, spent_nonces=spent(bodies, left) * 2),
}


def forged(kind: str) -> tuple[list[AnyBody], int]:
    bodies: list[AnyBody] = list(played().records)
    left = next(place for place, body in enumerate(bodies) if isinstance(body.action, LeaveSeat))
    freed = next(place for place, body in enumerate(bodies) if isinstance(body.action, Kick))
    return bodies, FORGERIES[kind](bodies, left, freed)


def node_verdicts(folder: Path, files: list[bytes]) -> list[Json]:
    paths = [folder / f"{number}.jsonl" for number in range(len(files))]
    for path, raw in zip(paths, files, strict=True):
        path.write_bytes(raw)
    verdicts: list[Json] = run_node("verify", "-", *paths)
    return verdicts


def test_match_whose_seats_were_left_is_verified_by_both(tmp_path: Path) -> None:
    bodies = list(played().records)
    files = [file_of(bodies[:count]) for count in range(1, len(bodies) + 1)]
    for count, (raw, verdict) in enumerate(zip(files, node_verdicts(tmp_path, files), strict=True), 1):
        assert verify(raw).records == count
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
