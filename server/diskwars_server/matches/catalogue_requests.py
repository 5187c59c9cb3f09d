"""Requests about what a ruleset is played with: its catalogue, and checks of armies."""

from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_server.matches.lobby import Lobby
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User


class CatalogueRequests:
    """Answers from the rulesets of a server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def handlers(self) -> Handlers[User]:
        return (
            Handler(GetCatalogue, self._get_catalogue, history="lenient", waits_turn=True),
            Handler(CheckArmy, self._check_army, history="lenient", waits_turn=True),
        )

    async def _get_catalogue(self, user: User, request: GetCatalogue) -> CatalogueResponse:
        return self._lobby.catalogue(request)

    async def _check_army(self, user: User, request: CheckArmy) -> ArmyChecked:
        return self._lobby.check_army(request)
