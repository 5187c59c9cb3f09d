"""Records that end a match for an operator: both verifiers read right ones, and refuse forged ones."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_client.verification.verify import verify
from diskwars_engine.match import Command, digest_of
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Close, Resign
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_text.narration import _record_lines
from tests.engine.played_match import ARMIES, RULES
from tests.golden.agreement_matches import opened
from tests.golden.substitute_matches import AnyLocal
from tests.golden.write_files import write_match
from tests.interop.test_vacancies import node_verdicts

Forge = Callable[[AnyBody], AnyBody]


@cache
def played() -> AnyLocal:
    """Return a match that has begun and was stopped then."""
    loadouts = tuple(a.Loadout(army) for army in ARMIES[:2])
    local = opened(RULES, "stopped", a.DiskwarsSettings(setup="quick", regiments=1), loadouts)
    asked = local.match.decisions[0]
    local.answer(asked, local.rules.default(local.match, asked, local.secrets))
    local.commit(local.rules.stop(local.match, local.match.at_ms, local.secrets))
    return local


def with_action(body: AnyBody, action: object) -> AnyBody:
    digest = digest_of(Command(PlayerId(""), None, action, 0))
    return replace(body, action=action, digest=digest)


FORGERIES: dict[str, Forge] = {
    "by a seat": lambda body: replace(body, seat=0),
    "by the opener": lambda body: replace(body, actor="opener"),
    "with a winner": lambda body: replace(body, result=Result("stopped", (1,))),
    "by resigning": lambda body: with_action(body, Resign()),
    "for another reason": lambda body: replace(body, result=Result("draw_agreed")),
    "as if it were closed": lambda body: replace(with_action(body, Close()), result=Result("closed")),
}


def file_of(bodies: list[AnyBody]) -> bytes:
    return write_match(RULES, played().match.match, 2, bodies)


def forged(kind: str) -> list[AnyBody]:
    bodies: list[AnyBody] = list(played().records)
    return [*bodies[:-1], FORGERIES[kind](bodies[-1])]


def test_stopped_match_is_verified_by_both(tmp_path: Path) -> None:
    raw = file_of(list(played().records))
    assert verify(raw).is_redecided
    assert node_verdicts(tmp_path, [raw])[0].get("wrong") is None
    assert played().match.result == Result("stopped")
    assert _record_lines(None, played().records[-1]) == ["The server stopped the match"]


@pytest.mark.parametrize("kind", FORGERIES)
def test_forged_end_is_refused(kind: str) -> None:
    bodies = forged(kind)
    with pytest.raises(BadRecord) as refused:
        verify(file_of(bodies))
    assert refused.value.seq == len(bodies)


def test_forged_ends_are_refused_by_node(tmp_path: Path) -> None:
    verdicts = node_verdicts(tmp_path, [file_of(forged(kind)) for kind in FORGERIES])
    found = {kind: verdict.get("wrong") for kind, verdict in zip(FORGERIES, verdicts, strict=True)}
    assert found == dict.fromkeys(FORGERIES, len(played().records))


def test_match_that_has_not_begun_or_has_ended_is_not_stopped() -> None:
    local = played()
    early = local.rules.fold_log(local.records[:1])
    for match in (early, local.match):
        with pytest.raises(Illegal) as refused:
            local.rules.stop(match, match.at_ms, local.secrets)
        assert refused.value.code == "match_ended"
