"""Checks of match files of one ruleset: its rules, and its own events."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import AnyBody, Match
from diskwars_protocol.records.figures import with_recorded_names
from diskwars_protocol.records.sealed import Sealed

EventT = TypeVar("EventT", bound=Struct)
ContentT = TypeVar("ContentT", bound=Struct)


class FileChecks(ABC):
    """The checks of one match file. A ruleset without content packs and commitments adds `ruleset` only."""

    rules_version: int
    """The version of the rules that are known here."""
    packs: tuple[Pack, ...]
    """The content packs that the match says it was played with, or will be."""
    local_ruleset: AnyRuleset | None
    """The rules of the reader with these packs; None if the reader has other packs."""

    def __init__(self, match: MatchId, bodies: Sequence[AnyBody], rulesets: Iterable[AnyRuleset]) -> None:
        """`rulesets` are those of the reader, each with some packs; several may have one name."""
        self.match, self.bodies = match, bodies
        self.packs, self.local_ruleset = (), None
        opened = next(iter(events_of(bodies)), None)
        if isinstance(opened, MatchOpened):
            self.packs = opened.packs
            self.local_ruleset = _ruleset_with_packs(opened.ruleset, self.packs, rulesets)

    @property
    def has_unknown_figures(self) -> bool:
        """Whether the match was played with figures of packs that the reader does not have."""
        return bool(self.packs) and self.local_ruleset is None

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


def _ruleset_with_packs(name: str, packs: Sequence[Pack], rulesets: Iterable[AnyRuleset]) -> AnyRuleset | None:
    """Return the ruleset of a name whose packs have the hashes of these, if there is one."""
    hashes = [pack.hash for pack in packs]
    named = (ruleset for ruleset in rulesets if ruleset.vocabulary.name == name)
    return next((ruleset for ruleset in named if [pack.hash for pack in ruleset.packs] == hashes), None)


def first_event(bodies: Sequence[AnyBody], kind: type[EventT]) -> EventT | None:
    """Return the first event of this type; None for a match that never came so far."""
    return next((event for event in events_of(bodies) if isinstance(event, kind)), None)


def with_names_of(own: ContentT, started: Struct | None, fields: Iterable[str]) -> ContentT:
    """Return the reader's content with the names of the match: a name may have been corrected since.

    `fields` hold entries with ids and names, and are called the same in the event that starts the game.
    """
    if started is None:
        return own
    named = {name: with_recorded_names(getattr(own, name), getattr(started, name)) for name in fields}
    return replace(own, **named)


def events_of(bodies: Sequence[AnyBody]) -> list[Any]:
    """All events that are not hidden as a whole."""
    return [event for body in bodies for event in body.events if not isinstance(event, Sealed)]
