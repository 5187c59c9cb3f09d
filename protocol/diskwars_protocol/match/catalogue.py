"""The common parts of the catalogues of all rulesets."""

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ruleset_settings import RulesetSetting


class CatalogueHead(Struct, frozen=True):
    """The packs that a match opened now is played with, and every field of its settings.

    A ruleset's catalogue extends it with its content. Verifiers compare `packs` with those that a match names.
    """

    packs: tuple[Pack, ...]
    settings: tuple[RulesetSetting, ...]
