"""Messages with the records of a match, new ones and earlier ones, and with their openings."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.records.sealed import Opening
from diskwars_protocol.schema_types import MAX_INTEGER, AtLeastOne, AtLeastZero, CommandId, Hash

MAX_RANGE_RECORDS = 256
"""The most records that one `GetRecords` gives."""

RecordNumber: TypeAlias = Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MAX_INTEGER})]
"""The seq of a record; 0 stands for the time before the first."""


class GetRecords(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_records"):
    """Request records of a watched match: at most `limit` of those after record `after`, as the viewer of the watch."""

    id: CommandId
    match: MatchIdText
    after: RecordNumber
    limit: Annotated[int, Meta(ge=1, le=MAX_RANGE_RECORDS)] = MAX_RANGE_RECORDS


class Records(Struct, frozen=True, gc=False, tag="records"):
    """The next records of a match, without a gap: a new one alone, of those before it as many as fit well."""

    match: MatchIdText
    records: tuple[WireRecord, ...]


class RecordOpenings(Struct, frozen=True, gc=False):
    """Every opening of a record, in the place of those that came with it. Each names the seats that could see it."""

    seq: AtLeastOne
    openings: tuple[Opening, ...]


class Openings(Struct, frozen=True, gc=False, omit_defaults=True, tag="openings"):
    """Some more openings of a match that is over, in the order of its records; those without secrets are left out.

    The message with `complete` is the last.
    """

    match: MatchIdText
    records: tuple[RecordOpenings, ...] = ()
    complete: bool = False


class RecordRange(Struct, frozen=True, gc=False, tag="record_range"):
    """Answer to `GetRecords`: the records that follow on record `after`. `hash` is the chain's after that record.

    There may be fewer than requested: go on after the last of them. It is empty when record `after` is the last.
    """

    id: CommandId
    match: MatchIdText
    after: AtLeastZero
    hash: Hash
    records: tuple[WireRecord, ...]


REQUESTS: dict[type[Struct], type[Struct]] = {GetRecords: RecordRange}
"""By request, the response that answers it."""
