"""Records by which the house leaves a match without a clock: both verifiers read right ones, and refuse forged ones."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_client.verification.verify import verify
from diskwars_engine.match import Command, digest_of
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_text.narration import _record_lines
from diskwars_text.rulesets.diskwars.narration import narrate
from tests.engine.played_match import ARMIES, RULES
from tests.golden.absent_matches import ABSENCE, ABSENT_AFTER_DAYS, play_with_absence
from tests.golden.agreement_matches import opened
from tests.golden.substitute_matches import AnyLocal
from tests.golden.write_files import write_match
from tests.interop.test_vacancies import node_verdicts

Forge = Callable[[list[AnyBody]], None]


@cache
def played() -> AnyLocal:
    loadouts = tuple(a.Loadout(army) for army in ARMIES[:2])
    return play_with_absence(
        opened(RULES, "absence", a.DiskwarsSettings(setup="quick", regiments=1), loadouts, ABSENCE)
    )


def file_of(bodies: list[AnyBody]) -> bytes:
    return write_match(RULES, played().match.match, 2, bodies)


def too_early(bodies: list[AnyBody]) -> None:
    bodies[-1] = replace(bodies[-1], at_ms=bodies[-1].at_ms - 2_000)


def with_an_answer(bodies: list[AnyBody]) -> None:
    before = RULES.fold_log(bodies[:-1])
    decision = next(one for one in before.decisions if one.id == bodies[-1].decision)
    action = RULES.default(before, decision, played().secrets)
    digest = digest_of(Command(PlayerId(""), decision.id, action, 0))
    bodies[-1] = replace(bodies[-1], action=action, digest=digest, events=(), result=None)


def although_all_wait(bodies: list[AnyBody]) -> None:
    opened_by = bodies[0].events[0]
    assert isinstance(opened_by, MatchOpened)
    bodies[0] = replace(bodies[0], events=(replace(opened_by, match_options=MatchOptions(abandoned_after_days=0)),))


FORGERIES: dict[str, Forge] = {
    "too early": too_early,
    "with an answer": with_an_answer,
    "although all wait for ever": although_all_wait,
}


def forged(kind: str) -> list[AnyBody]:
    bodies: list[AnyBody] = list(played().records)
    FORGERIES[kind](bodies)
    return bodies


def test_absence_is_verified_by_both(tmp_path: Path) -> None:
    raw = file_of(list(played().records))
    assert verify(raw).is_redecided
    assert node_verdicts(tmp_path, [raw])[0].get("wrong") is None
    result = played().match.result
    assert result is not None
    assert (result.end_reason, result.winners) == ("absence", (0,))


def test_narrations_say_why_the_house_leaves() -> None:
    bodies = list(played().records)
    before = RULES.fold_log(bodies[:-1])
    why = f"has not answered for {ABSENT_AFTER_DAYS} days: the house leaves the match"
    assert why in narrate(before, bodies[-1])[0]
    assert why in _record_lines(before, bodies[-1])[0]


@pytest.mark.parametrize("kind", FORGERIES)
def test_forged_absence_is_refused(kind: str) -> None:
    bodies = forged(kind)
    with pytest.raises(BadRecord) as refused:
        verify(file_of(bodies))
    assert refused.value.seq == len(bodies)


def test_winner_of_two_absent_players_is_refused() -> None:
    bodies = list(played().records)
    bodies[-1] = replace(bodies[-1], result=Result("absence"))
    with pytest.raises(BadRecord):
        verify(file_of(bodies))


def test_forged_absences_are_refused_by_node(tmp_path: Path) -> None:
    verdicts = node_verdicts(tmp_path, [file_of(forged(kind)) for kind in FORGERIES])
    found = {kind: verdict.get("wrong") for kind, verdict in zip(FORGERIES, verdicts, strict=True)}
    assert found == dict.fromkeys(FORGERIES, len(played().records))
