"""Decisions of a match, what could be answered, and how a match ends; generic over a ruleset's types."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from diskwars_protocol.match.ids import DecisionIdText, EndReason, RefusalCode, Seat
from diskwars_protocol.schema_types import FieldName, Hex64, PackId, RuleId, WholeNumber

A = TypeVar("A")
OptionT = TypeVar("OptionT", bound="ParametricOption[Any]")
UnavailableT = TypeVar("UnavailableT", bound="Unavailable")
Q = TypeVar("Q")


class Pack(Struct, frozen=True, gc=False):
    """A content pack that a match is played with; `hash` is the SHA-256 of its canonical form."""

    id: PackId
    version: PackId
    hash: Hex64


class Reason(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why an outcome is so: the id of a rule in docs/rules.md and the few numbers it was applied to."""

    rule: RuleId
    numbers: dict[str, WholeNumber] = {}


class Decision(Struct, Generic[Q], frozen=True, gc=False):
    """An open question.

    `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
    """

    id: DecisionIdText
    seat: Seat
    question: Q


END_REASONS: tuple[EndReason, ...] = ("abandoned", "closed", "resignation", "draw_agreed", "stopped", "absence")
"""Reasons why a match of any ruleset may have ended: a player left before it began, its opener or the house closed it
before it began, the last opponent resigned, the players agreed on a draw, the house stopped it (for an operator, or
because guests left it long ago), or the house left for the last opponent, who had not answered for days. Nobody wins
by absence where all who were left owed an answer.

A vocabulary adds those of its ruleset. Ids, for programs: clients have the sentences.
"""


class Result(Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended.

    `winners` are seats in order, several where they play one side, none when nobody wins. `end_reason` is one of a
    closed set of ids, those of every match and those of the ruleset. `scores` are by seat, empty where points play no
    part.
    """

    end_reason: EndReason
    winners: tuple[Seat, ...] = ()
    scores: tuple[WholeNumber, ...] = ()
    reasons: tuple[Reason, ...] = ()


class ParametricOption(Struct, Generic[A], frozen=True, gc=False, omit_defaults=True):
    """A ready-made example of an answer that is too free to be listed. A ruleset extends it with its own limits."""

    example: A


class Unavailable(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why something is not among the options: `code`, `text` and `rule` are those of the refusal that it would meet.

    A ruleset extends it with what it is about.
    """

    code: RefusalCode
    text: str
    rule: RuleId


class Options(Struct, Generic[A, OptionT, UnavailableT], frozen=True, gc=False, omit_defaults=True):
    """Legal answers to one decision: complete ones, and parametric options for those with too many variants.

    `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
    and `Unavailable`. `to_complete` are the fields of these actions that only the client can fill in: a fresh salt, and
    the next nonce of its chain.
    """

    actions: tuple[A, ...] = ()
    parametric: tuple[OptionT, ...] = ()
    unavailable: tuple[UnavailableT, ...] = ()
    to_complete: tuple[FieldName, ...] = ()
