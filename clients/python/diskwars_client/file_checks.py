"""What verification of match files needs of one ruleset: its rules, and checks of its own events."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from diskwars_engine.record_codec import AnyBody
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match import Match, MatchId, MatchOpened, Pack, Result
from diskwars_protocol.sealed import Sealed


class FileChecks(ABC):
    """The checks of one match file. A ruleset without content packs and commitments adds `ruleset` only."""

    rules_version: int
    """The version of the rules that are known here."""
    has_unknown_figures = False
    """Whether the match was played with figures of packs that the reader does not have."""

    def __init__(self, match: MatchId, bodies: Sequence[AnyBody], catalogues: Sequence[object]) -> None:
        """`catalogues` is content that the reader knows, of any ruleset."""
        self.match, self.bodies = match, bodies

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The content packs that the match says it was played with, or will be."""
        opened = next(iter(events_of(self.bodies)), None)
        return opened.packs if isinstance(opened, MatchOpened) else ()

    @abstractmethod
    def ruleset(self) -> AnyRuleset:
        """Return the rules with the content of this match.

        Raises LookupError or ValueError when the file does not hold what they need.
        """

    def can_redecide(self, seq: int, body: AnyBody) -> bool:
        """Whether the file holds what the rules need to decide this record again.

        Raises BadRecord for a record that contradicts what the file holds.
        """
        return True

    def check_event(self, seq: int, match: Match[Any, Any] | None, event: Any) -> None:
        """Check an event of the ruleset in record `seq`; `match` is the state before it. Raises BadRecord."""
        return None

    def check_result(self, seq: int, match: Match[Any, Any], result: Result) -> None:
        """Check the result of record `seq` against the state after its events. Raises BadRecord."""
        return None


def events_of(bodies: Sequence[AnyBody]) -> list[Any]:
    """All events that are not hidden as a whole."""
    return [event for body in bodies for event in body.events if not isinstance(event, Sealed)]
