"""Moments of a match as text: match, record and viewpoint."""

import re
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from diskwars_protocol.match.ids import ALL, PUBLIC, SEAT_LETTERS, MatchId, Viewer
from diskwars_protocol.schema_types import MAX_INTEGER

Viewpoint: TypeAlias = Literal["all", "public", "a", "b", "c", "d"]
"""Through whose eyes a match is seen: everybody's at once, the public's, or those of a seat."""
VIEWPOINTS: tuple[Viewpoint, ...] = get_args(Viewpoint)

_MOMENT = re.compile(r"(?:.*/m/)?([a-z0-9-]{1,64})/([0-9]{1,16})(?:[?]as=([a-z]{1,8}))?", re.ASCII)


class BadMoment(ValueError):
    """Error for a text that names no moment."""


class Moment(Struct, frozen=True, gc=False, omit_defaults=True):
    """The state of a match after record `seq`, as one viewpoint shows it; None leaves the viewpoint to the reader."""

    match: MatchId
    seq: int
    viewpoint: Viewpoint | None = None

    def __str__(self) -> str:
        seen = "" if self.viewpoint is None else f"?as={self.viewpoint}"
        return f"{self.match}/{self.seq}{seen}"


def parse_moment(text: str) -> Moment:
    """Return the moment that a text names: by itself, or as the end of a link to a page. Raises BadMoment."""
    parts = _MOMENT.fullmatch(text)
    if parts is None:
        raise BadMoment(f'"{text[:200]}" is not a moment: write MATCH/SEQ, or MATCH/SEQ?as={"|".join(VIEWPOINTS)}')
    match, digits, seen = parts.groups()
    if not 1 <= int(digits) <= MAX_INTEGER:
        raise BadMoment(f"a match has no record {digits}: records count from 1")
    return Moment(MatchId(match), int(digits), None if seen is None else parse_viewpoint(seen))


def parse_viewpoint(text: str) -> Viewpoint:
    """Return the viewpoint of this name. Raises BadMoment."""
    for viewpoint in VIEWPOINTS:
        if viewpoint == text:
            return viewpoint
    raise BadMoment(f'there is no viewpoint "{text[:20]}", only {", ".join(VIEWPOINTS)}')


def viewer_of(viewpoint: Viewpoint) -> Viewer:
    """Return the viewer that a viewpoint stands for."""
    if viewpoint == "all":
        return ALL
    return PUBLIC if viewpoint == "public" else SEAT_LETTERS.lower().index(viewpoint)


def viewpoint_of(viewer: Viewer) -> Viewpoint:
    """Return the name of a viewer's viewpoint."""
    if viewer == ALL:
        return "all"
    return "public" if viewer == PUBLIC else parse_viewpoint(SEAT_LETTERS[viewer].lower())
