"""Messages about what a player has done of the first match: its boards, and the hints of the guided match.

It is the player's own: a client on another device goes on where this one was.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.schema_types import AtLeastZero, CommandId

MAX_LESSONS = 64
"""Boards that are kept of one player, of all rulesets together."""
MAX_HINTS = 64
"""Hints of one guided match."""

LessonId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z][a-z0-9_-]{0,31}$"})]
"""The name that clients give a board."""
HintId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z][a-z0-9_.]{0,31}$"})]
"""The name that clients give a hint."""


class GuidedMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The match that is played with hints, and which of them were read. With `is_over` no more are wanted."""

    match: MatchIdText
    begun_ms: AtLeastZero
    hints: Annotated[tuple[HintId, ...], Meta(max_length=MAX_HINTS)] = ()
    is_over: bool = False


class AddLessonProgress(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="add_lesson_progress"
):
    """Add what was done on this device, if anything, and request what was done on all of them.

    Nothing that was done is ever taken back: boards and hints are added to those that are known. Of two guided matches
    the one that began later counts.
    """

    id: CommandId
    lessons: Annotated[tuple[LessonId, ...], Meta(max_length=MAX_LESSONS)] = ()
    guided: GuidedMatch | None = None


class LessonProgress(Struct, frozen=True, gc=False, omit_defaults=True, tag="lesson_progress"):
    """Answer to `AddLessonProgress`: what was done on all devices of the player, in the order of their arrival."""

    id: CommandId
    lessons: tuple[LessonId, ...] = ()
    guided: GuidedMatch | None = None


REQUESTS: dict[type[Struct], type[Struct]] = {AddLessonProgress: LessonProgress}
"""By request, the response that answers it."""
