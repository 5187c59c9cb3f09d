"""Messages about watching a match."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText, Seat
from diskwars_protocol.messages.history import RecordNumber
from diskwars_protocol.schema_types import ABSENT, AtLeastZero, CommandId, Hash, RulesetName

RawMatch: TypeAlias = Annotated[Raw, Meta(extra={"content": "Match"})]
RawHeader: TypeAlias = Annotated[Raw, Meta(extra={"content": "MatchHeader"})]


class Watch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="watch"):
    """See the records of a match after `after`, as what one is there: a seat, or the public.

    With `snapshot` the answer holds the match as it is now, and only later records follow; `after` is then 0.
    `reveal_secrets` asks for every secret of an ended match. With `push_options` the options of the own open decisions
    follow each record, those unavailable among them with `include_unavailable`. With `push_openings` the openings of
    all records follow the last one, those of records after `openings_after` at least. A match that is already watched
    on this connection starts over.
    """

    id: CommandId
    match: MatchIdText
    after: RecordNumber = 0
    reveal_secrets: bool = False
    snapshot: bool = False
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False
    openings_after: RecordNumber = 0


class Unwatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="unwatch"):
    id: CommandId
    match: MatchIdText


class Watching(Struct, frozen=True, gc=False, omit_defaults=True, tag="watching"):
    """The records after `after` follow, and then every new one. `head` is the last by now.

    `seat` is the viewer's own, None for the public. `header` is the one of the match file; `hash` is the chain's after
    record `after`, so that a client who goes on sees at once that nothing before has been rewritten.
    `snapshot` is the match after record `after` as the viewer may see it: what the records up to there fold to. It is
    there only if it was requested; then `after` is `head`.
    `is_delayed`: records come once their round is over, and `head` is the last of those. `will_be_delayed`: they will
    come so from the beginning of the match on, unless the viewer has taken a seat by then.
    `id` is None when the watching was asked for by `Hello` or `OpenMatch`.
    """

    match: MatchIdText
    ruleset: RulesetName
    after: AtLeastZero
    head: AtLeastZero
    header: RawHeader
    hash: Hash
    seat: Seat | None = None
    id: CommandId | None = None
    reveal_secrets: bool = False
    snapshot: RawMatch = ABSENT
    is_delayed: bool = False
    will_be_delayed: bool = False


class Unwatched(Struct, frozen=True, gc=False, omit_defaults=True, tag="unwatched"):
    """No more records of this match follow. `id` is None when the server ends it; watch it again."""

    match: MatchIdText
    id: CommandId | None = None


class WatchersChanged(Struct, frozen=True, gc=False, tag="watchers_changed"):
    """How many people without a seat watch a match now, on all nodes; sent to everybody who watches it.

    Changes that come soon after one another come together, within seconds. Before the first of these nobody watches.
    """

    match: MatchIdText
    watchers: AtLeastZero


WatchRequest: TypeAlias = Watch | Unwatch

REQUESTS: dict[type[Struct], type[Struct]] = {Watch: Watching, Unwatch: Unwatched}
"""By request, the response that answers it."""
