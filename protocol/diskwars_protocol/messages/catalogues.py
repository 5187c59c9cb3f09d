"""Messages about what a ruleset is played with, and whether an army of it is legal."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import LoadoutFaultCode
from diskwars_protocol.schema_types import (
    ABSENT,
    NO_FIELDS,
    CommandId,
    Hash,
    JsonPlace,
    OpenedPacks,
    RawCatalogue,
    RawLoadout,
    RawSettings,
    RuleId,
    RulesetName,
    WholeNumber,
)

# ---------------------------------------------------------------- from a client


class GetCatalogue(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_catalogue"):
    """Ask what a ruleset is played with. `hash` is that of the catalogue the client has already, if any.

    `packs` are those of a match, as in `OpenMatch`; None: all that the server has.
    """

    id: CommandId
    ruleset: RulesetName
    hash: Hash | None = None
    packs: OpenedPacks | None = None


class CheckArmy(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="check_army"):
    """Ask for every fault of a loadout, without opening a match.

    `settings` and `packs` are those of the match it is meant for, as in `OpenMatch`.
    """

    id: CommandId
    ruleset: RulesetName
    loadout: RawLoadout
    settings: RawSettings = NO_FIELDS
    packs: OpenedPacks | None = None


# ---------------------------------------------------------------- from the server


class CatalogueResponse(Struct, frozen=True, gc=False, omit_defaults=True, tag="catalogue"):
    """`content` is the ruleset's own; it is absent when it is `unchanged`: the hash is the one the client named."""

    id: CommandId
    ruleset: RulesetName
    hash: Hash
    unchanged: bool = False
    content: RawCatalogue = ABSENT


class LoadoutFault(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that makes a loadout illegal. `code` is the ruleset's; `place` is a JSON path in the loadout."""

    code: LoadoutFaultCode
    text: str
    rule: RuleId | None = None
    place: JsonPlace | None = None
    remedy: str | None = None
    numbers: dict[str, WholeNumber] = {}


class ArmyChecked(Struct, frozen=True, gc=False, omit_defaults=True, tag="army_checked"):
    """Every fault of a loadout. `loadout` is the complete one, absent where there are faults."""

    id: CommandId
    ruleset: RulesetName
    faults: tuple[LoadoutFault, ...] = ()
    loadout: RawLoadout = ABSENT


CatalogueRequest: TypeAlias = GetCatalogue | CheckArmy
CatalogueRequestResponse: TypeAlias = CatalogueResponse | ArmyChecked

REQUESTS: dict[type[Struct], type[Struct]] = {GetCatalogue: CatalogueResponse, CheckArmy: ArmyChecked}
"""By request, the response that answers it."""
