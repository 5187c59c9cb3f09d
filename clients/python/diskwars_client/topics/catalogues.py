"""Catalogues of rulesets and checks of armies, without a match."""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue

MAX_KEPT_CATALOGUES = 8
"""Rulesets, or choices of their packs, of which the last catalogue is kept."""

CatalogueT = TypeVar("CatalogueT", bound=Struct)
_Choice: TypeAlias = tuple[str, tuple[str, ...] | None]


class CatalogueSnapshot(Struct, frozen=True):
    """The catalogue of a ruleset as a server sent it: JSON, and its hash, by which it can be kept."""

    hash: str
    content: bytes

    def decode(self, kind: type[CatalogueT]) -> CatalogueT:
        """Return it as the ruleset's own struct. Raises msgspec.ValidationError for that of another ruleset."""
        return msgspec.json.decode(self.content, type=kind)


class CatalogueTopic:
    """Requests for catalogues and checks of armies, as `client.catalogues`.

    `packs` are the content packs of a match besides the ruleset's own; None: all that the server has.
    """

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._catalogues: dict[_Choice, CatalogueSnapshot] = {}

    async def get(self, ruleset: str = DEFAULT_RULESET, packs: Sequence[str] | None = None) -> CatalogueSnapshot:
        """Return the content of a ruleset on this server. Sent once: later calls ask whether it has changed.

        Raises CommandRefused for a ruleset or packs that the server does not have.
        """
        wanted = None if packs is None else tuple(packs)
        choice: _Choice = (ruleset, wanted)
        known = self._catalogues.get(choice)
        request = GetCatalogue(new_command_id(), ruleset, known.hash if known else None, wanted)
        answer = await self._requester.request(request, CatalogueResponse)
        if known is None or not answer.unchanged:
            known = CatalogueSnapshot(answer.hash, bytes(answer.content))
            self._catalogues.pop(choice, None)
            self._catalogues[choice] = known
            if len(self._catalogues) > MAX_KEPT_CATALOGUES:
                del self._catalogues[next(iter(self._catalogues))]
        return known

    async def check_army(
        self,
        loadout: Struct,
        settings: Struct | None = None,
        ruleset: str = DEFAULT_RULESET,
        packs: Sequence[str] | None = None,
    ) -> ArmyChecked:
        """Return every fault of a loadout, or the complete loadout.

        Raises CommandRefused for a loadout or settings that cannot be read, and for packs that the server does not
        have.
        """
        raw = msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings))
        encoded = msgspec.Raw(msgspec.json.encode(loadout))
        wanted = None if packs is None else tuple(packs)
        return await self._requester.request(CheckArmy(new_command_id(), ruleset, encoded, raw, wanted), ArmyChecked)
