"""Messages about the decisions of a match: answers to them, and their options."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import DecisionIdText, MatchIdText
from diskwars_protocol.schema_types import AtLeastOne, CommandId, Hex32

RawAction: TypeAlias = Annotated[Raw, Meta(extra={"content": "Action"})]

# The content of raw JSON, from a ruleset or a module above this one, is named for the schema (schema_roots.py).
RawOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "Options"})]


class Act(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="act"):
    """A command. `id` makes it idempotent: sent again it gets the same answer.

    `decision` is the one that the action answers, None for an action that answers none. `chain_head` is the newest link
    of the own seat's chain as this device knows it: the action is refused if another device has taken over since.
    """

    id: CommandId
    match: MatchIdText
    action: RawAction
    decision: DecisionIdText | None = None
    chain_head: Hex32 | None = None


class GetOptions(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_options"):
    """Request the options of a decision; with `include_unavailable` also what is not among them, and why."""

    id: CommandId
    match: MatchIdText
    decision: DecisionIdText
    include_unavailable: bool = False


class Accepted(Struct, frozen=True, gc=False, tag="accepted"):
    """The command made record `seq`, which came before this answer on the same connection."""

    id: CommandId
    match: MatchIdText
    seq: AtLeastOne


class OptionsResponse(Struct, frozen=True, gc=False, omit_defaults=True, tag="options"):
    """`options` is an `Options` of the ruleset's actions: those of the match after the last record that was sent.

    `id` is None when they were pushed.
    """

    match: MatchIdText
    decision: DecisionIdText
    options: RawOptions
    id: CommandId | None = None


DecisionRequest: TypeAlias = Act | GetOptions

REQUESTS: dict[type[Struct], type[Struct]] = {Act: Accepted, GetOptions: OptionsResponse}
"""By request, the response that answers it."""
