"""The numbers of a refusal reach the client, and are absent where there are none."""

import json

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import MatchId
from diskwars_server.refusals import Refusal


def sent(illegal: Illegal) -> dict[str, object]:
    message: dict[str, object] = json.loads(encode(Refusal.from_illegal(illegal).to_message("1", MatchId("m"))))
    return message


def test_numbers_of_an_illegal_action_are_sent() -> None:
    numbers = {"flips": 7, "flips_left": 6}
    assert sent(Illegal("too_many_flips", "7 flips, but 6 are left", "R8.4", numbers=numbers))["numbers"] == numbers


def test_refusal_without_numbers_has_no_such_field() -> None:
    assert "numbers" not in sent(Illegal("not_legal", "no", "R8.4"))
