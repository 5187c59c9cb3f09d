"""The narrated transcript of every match of regiments is unchanged, word for word: one for each way to end.

DISKWARS_GOLDEN=1 writes them again.
"""

from pathlib import Path
from typing import Any

import pytest

from diskwars_client.rulesets.regiments.terminal_ruleset import RegimentsTerminal
from diskwars_protocol.rulesets.regiments import events
from diskwars_protocol.rulesets.regiments.vocabulary import REGIMENTS
from diskwars_text.rulesets.regiments.phrases import action_text
from diskwars_text.rulesets.regiments.text_map import draw_text_map
from tests.golden.regiments_matches import MATCHES, RegimentsMatch
from tests.protocol.golden_files import assert_golden

FOLDER = Path(__file__).parent / "regiments"
TERMINAL = RegimentsTerminal()


def transcript(local: RegimentsMatch) -> str:
    """Return all answers and what followed, with the map at the start of each round and at the end."""
    before: Any = None
    lines: list[str] = []
    for number, body in enumerate(local.records, 1):
        if body.action is not None and before is not None and before.status == "running":
            lines.append(f"> {action_text(before.board, body.action)}")
        after = REGIMENTS.fold_record(before, body, local.records[:number])
        lines += TERMINAL.narrate(before, body)
        if after.board is not None and (TERMINAL.begins_round(body) or body.result is not None):
            lines += ["", draw_text_map(after.board)]
        before = after
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("name", MATCHES)
def test_transcript_is_unchanged(name: str) -> None:
    assert_golden(FOLDER / f"{name}.txt", transcript(MATCHES[name]()))


def test_matches_end_in_every_way_there_is() -> None:
    played = [match() for match in MATCHES.values()]
    ends = {(local.match.result.end_reason, local.match.result.winners == ()) for local in played if local.match.result}
    assert {("last_side", False), ("resignation", False), ("round_limit", False), ("round_limit", True)} <= ends
    found = [event for local in played for body in local.records for event in body.events]
    flights = {event.reason_kind for event in found if isinstance(event, events.FlightBegan)}
    assert flights == {"broken", "retreated", "flanked", "still_fleeing"}
    assert {event.reason_kind for event in found if isinstance(event, events.UnitRouted)} == {
        "left_the_field",
        "rout_test",
    }
    hacks = {event.moment for event in found if isinstance(event, events.HacksRolled)}
    assert hacks == {"contact", "passing", "pursuit"}
    kinds = {type(event) for event in found}
    assert {events.UnitDestroyed, events.UnitRallied, events.UnitReformed, events.SeatWithdrew} <= kinds
