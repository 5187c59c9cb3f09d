"""Names of content are for people: a match verifies with packs whose names were corrected, not with other figures."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.plugs.file_checks import events_of
from diskwars_client.verification.verify import verify
from diskwars_content.rulesets import close_quarters, pit, regiments
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.close_quarters import CloseQuarters
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.pit import Pit
from diskwars_engine.rulesets.regiments import Regiments
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.records.figures import figures_of
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import BadRecord
from tests.golden.write_files import write_match
from tests.rulesets.matches import played

Rename = Callable[[str], str]


def renamed(value: Any, rename: Rename) -> Any:
    """Return content in which every name for people is another one."""
    if isinstance(value, Pack):
        return value
    if isinstance(value, Struct):
        fields = {field: renamed(getattr(value, field), rename) for field in value.__struct_fields__}
        return replace(value, **fields | ({"name": rename(fields["name"])} if "name" in fields else {}))
    if isinstance(value, tuple):
        return tuple(renamed(part, rename) for part in value)
    return {key: renamed(part, rename) for key, part in value.items()} if isinstance(value, Mapping) else value


def stronger(content: Any, field: str, figure: str) -> Any:
    """Return content in which a figure of every entry is greater by one."""
    entries = getattr(content, field)
    if isinstance(entries, Mapping):
        changed: Any = {id: replace(entry, **{figure: getattr(entry, figure) + 1}) for id, entry in entries.items()}
    else:
        changed = tuple(replace(entry, **{figure: getattr(entry, figure) + 1}) for entry in entries)
    return replace(content, **{field: changed})


RULESETS: dict[str, tuple[Callable[[Any], AnyRuleset], Callable[[], Any], str, str]] = {
    "diskwars": (Diskwars, core_pack, "disks", "movement"),
    "pit": (Pit, pit.core_content, "profiles", "movement"),
    "close_quarters": (CloseQuarters, close_quarters.core_content, "profiles", "leadership"),
    "regiments": (Regiments, regiments.core_content, "profiles", "movement"),
}
"""By name: how the rules are made, from which content, and a figure of it."""


def file_of(name: str) -> bytes:
    match = played(name, 2, 1)
    return write_match(match.local.rules, match.states[-1].match, 2, match.bodies)


@pytest.mark.parametrize("name", RULESETS)
def test_match_verifies_with_corrected_names(name: str) -> None:
    make, load, _, _ = RULESETS[name]
    content = load()
    other = renamed(content, lambda text: f"{text} (corrected)")
    assert other != content
    assert figures_of(getattr(other, RULESETS[name][2])) == figures_of(getattr(content, RULESETS[name][2]))
    result = verify(file_of(name), rulesets=[make(other)])
    assert result.is_redecided
    assert not result.has_unknown_figures


@pytest.mark.parametrize("name", RULESETS)
def test_match_does_not_verify_with_other_figures_under_the_same_hash(name: str) -> None:
    make, load, field, figure = RULESETS[name]
    raw = file_of(name)
    with pytest.raises(BadRecord, match="match_started") as refused:
        verify(raw, rulesets=[make(stronger(load(), field, figure))])
    bodies = [played(name, 2, 1).local.rules.vocabulary.decode_body(body) for body in read_file(raw).bodies]
    started = next(seq for seq, body in enumerate(bodies, 1) if any(is_start(event) for event in events_of([body])))
    assert refused.value.seq == started


def is_start(event: Any) -> bool:
    return bool(event.__struct_config__.tag == "match_started")
