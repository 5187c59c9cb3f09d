"""Refusals that do not come from the rules, and what a fault may write to the log."""

import traceback
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from diskwars_engine.ruleset import NO_NUMBERS, Illegal
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused

RETRY_AFTER_MS = 100
UNAVAILABLE_RETRY_AFTER_MS = 1000
MAX_RETRY_AFTER_MS = 3_600_000
"""The longest wait after which a client may try again by itself. A longer one is among the numbers, for people."""

T = TypeVar("T")


class Refusal(Exception):
    """Nothing was done. `code` is a key of `messages.REFUSAL_CODES`, which has the text for it unless one is given."""

    def __init__(
        self,
        code: str,
        text: str = "",
        place: str = "",
        rule: str = "",
        retry_after_ms: int | None = None,
        numbers: Mapping[str, int] = NO_NUMBERS,
        oldest_match: MatchId | None = None,
    ) -> None:
        super().__init__(f"{code}: {text or REFUSAL_CODES[code]}")
        self.code, self.text, self.place, self.rule = code, text or REFUSAL_CODES[code], place, rule
        self.retry_after_ms = retry_after_ms
        self.numbers, self.oldest_match = dict(numbers), oldest_match

    @classmethod
    def from_illegal(cls, illegal: Illegal) -> "Refusal":
        """Return the refusal of a rule."""
        return cls(illegal.code, illegal.text, illegal.place, illegal.rule, numbers=illegal.numbers)

    def to_message(self, id: str | None, match: MatchId | None, open: bytes = b"[]") -> Refused:
        """Return what to say to the command `id`, None where no command led to this.

        `open` are the decisions that are open, as JSON.
        """
        is_short = self.retry_after_ms is None or self.retry_after_ms <= MAX_RETRY_AFTER_MS
        refused = Refused(
            self.code,
            self.text,
            id,
            self.rule or None,
            self.place or None,
            match,
            retry_after_ms=self.retry_after_ms if is_short else None,
            numbers=self.numbers if is_short else {**self.numbers, "wait_ms": self.retry_after_ms or 0},
            oldest_match=self.oldest_match,
        )
        # msgspec leaves out a default of this type only if it is the same object.
        return refused if open == b"[]" else msgspec.structs.replace(refused, open_decisions=msgspec.Raw(open))


def decide_or_refuse(decide: Callable[[], T]) -> T:
    """Return what rules decide. Raises Refusal for what they refuse."""
    try:
        return decide()
    except Illegal as illegal:
        raise Refusal.from_illegal(illegal) from None


def describe_fault(fault: Exception) -> dict[str, str]:
    """For the log: what kind of fault, and where in the code. Its own words may hold a secret, so they are left out."""
    return {"why": type(fault).__name__, "where": "".join(traceback.format_tb(fault.__traceback__))}
