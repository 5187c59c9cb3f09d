"""The port that stores what players have done of the first match, and how what two devices say of it is joined."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.messages.lesson_progress import MAX_HINTS, MAX_LESSONS, GuidedMatch

GUEST_PROGRESS_MS = 400 * 86_400_000
"""For how long the progress of a guest is kept at least after it has changed."""
MAX_REMOVED_PROGRESS = 10
"""Guests whose progress is too old, of whom each change removes as many: more are removed than come."""


class StoredProgress(Struct, frozen=True, omit_defaults=True):
    """Boards that a player has done, and their guided match."""

    lessons: tuple[str, ...] = ()
    guided: GuidedMatch | None = None

    def join(self, other: "StoredProgress") -> "StoredProgress":
        """Return the progress of both, equal to this one where the other adds nothing."""
        guided = _join_guided(self.guided, other.guided)
        return StoredProgress(_join_names(self.lessons, other.lessons, MAX_LESSONS), guided)


class JoinedProgress(Struct, frozen=True):
    """What is stored of a player after something was added, and whether that has changed it."""

    progress: StoredProgress
    is_changed: bool


class LessonProgresses(Protocol):
    """Progress by player, with an account or without. Every method may raise `StoreUnavailable`.

    `Accounts.delete` removes that of the player, and nothing is stored for an account that is deleted.
    """

    async def add(self, player: str, added: StoredProgress, now_ms: int) -> JoinedProgress:
        """Join progress with what is stored. What changes nothing writes nothing."""


def _join_guided(one: GuidedMatch | None, other: GuidedMatch | None) -> GuidedMatch | None:
    if one is None or other is None:
        return one or other
    if one.match != other.match:
        return max(one, other, key=lambda guided: (guided.begun_ms, guided.match))
    begun_ms, is_over = max(one.begun_ms, other.begun_ms), one.is_over or other.is_over
    return GuidedMatch(one.match, begun_ms, _join_names(one.hints, other.hints, MAX_HINTS), is_over)


def _join_names(known: Sequence[str], added: Sequence[str], limit: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *added)))[:limit]
