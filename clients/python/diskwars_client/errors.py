"""Errors that a client raises."""

from typing import Any

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.refusals import Refused


class ClientError(Exception):
    """Root of everything a client raises."""


class CommandRefused(ClientError):
    """The server refused; nothing has changed. `code` is a key of `messages.REFUSAL_CODES` or the ruleset's."""

    def __init__(self, refused: Refused, vocabulary: AnyVocabulary | None = None) -> None:
        rule = f" ({refused.rule})" if refused.rule and refused.rule not in refused.text else ""
        super().__init__(f"{refused.code}: {refused.text}{rule}")
        self.code, self.text, self.rule, self.place = refused.code, refused.text, refused.rule, refused.place
        self.id, self.retry_after_ms = refused.id, refused.retry_after_ms
        self._raw_open_decisions, self._vocabulary = bytes(refused.open_decisions), vocabulary

    @property
    def open_decisions(self) -> tuple[Decision[Any], ...]:
        """The open decisions of the match; none if it is not watched, so that its ruleset is not known."""
        return () if self._vocabulary is None else self._vocabulary.decode_decisions(self._raw_open_decisions)


class DecisionUnavailable(ClientError):
    """There is no such decision for this player to take now."""


class MatchUnavailable(ClientError):
    """This match cannot be followed any more; the text says why."""


class SessionEnded(ClientError):
    """The session has ended for good. `close_reason` is the word of a `Closing`, or empty."""

    def __init__(self, text: str, word: str = "") -> None:
        super().__init__(text)
        self.close_reason = word


class InvalidRequest(ClientError):
    """The server would not take this; nothing was sent."""
