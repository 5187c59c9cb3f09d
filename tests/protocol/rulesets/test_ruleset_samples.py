"""Samples are made from types where none is written down: for every message, action and question of every ruleset."""

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.watching import Unwatch
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.rulesets.ruleset_samples import complete_samples, make_sample
from diskwars_protocol.schema import examples
from tests.rows import each_row
from tests.server.counting_ruleset import ChooseNumber, CountingRules

COUNTING = CountingRules.vocabulary
UNIONS: tuple[Any, ...] = (
    ClientMessage,
    ServerMessage,
    *(union for known in (*RULESETS.values(), COUNTING) for union in (known.action, known.question, known.event)),
)


@each_row("union", UNIONS)
def test_sample_of_every_member_is_decoded_as_that_member(union: Any) -> None:
    for kind in get_args(union):
        sample = make_sample(kind)
        assert type(sample) is getattr(kind, "__origin__", kind)
        assert msgspec.json.decode(msgspec.json.encode(sample), type=union) == sample


def test_written_samples_come_first_and_the_others_are_made() -> None:
    written = (Resign(), ChooseNumber(4, "ab"))
    samples = complete_samples(COUNTING.action, written)
    assert samples[:2] == written
    assert {type(sample) for sample in samples} == {
        getattr(kind, "__origin__", kind) for kind in get_args(COUNTING.action)
    }


def test_message_that_is_not_in_the_conversation_has_a_plain_example(monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(message for message in examples.CONVERSATION if not isinstance(message, Unwatch))
    monkeypatch.setattr(examples, "CONVERSATION", others)
    assert examples.find_example(Unwatch) == Unwatch("id", MatchId("match"))


def test_type_without_a_plain_value_is_refused() -> None:
    class Weighed(Struct):
        grams: float

    with pytest.raises(TypeError, match="Float"):
        make_sample(Weighed)
