"""Catalogues of the rulesets as they are sent: encoded and hashed once."""

import hashlib

from msgspec import Struct

from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.records.canonical import encode_canonical

MAX_CATALOGUE_BYTES = 2 * 1024 * 1024
"""A client takes frames of 16 MiB; a pack that is larger than this is a mistake."""


class CatalogueTooLarge(ValueError):
    """The packs of a ruleset hold more than a server sends."""


class EncodedCatalogue(Struct, frozen=True):
    """The catalogue of a ruleset as canonical JSON, and its SHA-256."""

    content: bytes
    hash: str


class CatalogueCache:
    """Encodes the catalogue of each ruleset and choice of packs when it is asked for first.

    It never changes while a server runs, and there are as many as the server has loaded.
    """

    def __init__(self) -> None:
        self._encoded: dict[tuple[str, ...], EncodedCatalogue] = {}

    def get(self, ruleset: AnyRuleset) -> EncodedCatalogue:
        """Return the encoded catalogue of a ruleset with its packs. Raises CatalogueTooLarge."""
        name = ruleset.vocabulary.name
        choice = (name, *(pack.hash for pack in ruleset.packs))
        if choice not in self._encoded:
            content = encode_canonical(ruleset.catalogue())
            if len(content) > MAX_CATALOGUE_BYTES:
                raise CatalogueTooLarge(f"the catalogue of {name} has {len(content)} bytes")
            self._encoded[choice] = EncodedCatalogue(content, hashlib.sha256(content).hexdigest())
        return self._encoded[choice]
