"""Requests about what a ruleset is played with: its catalogue, and checks of armies."""

from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User


class CatalogueRequests:
    """Answers from the rulesets of a server."""

    def __init__(self, rules: RulesOnOffer) -> None:
        self._rules = rules

    def handlers(self) -> Handlers[User]:
        return (
            Handler(GetCatalogue, self._get_catalogue, history="lenient", waits_turn=True),
            Handler(CheckArmy, self._check_army, history="lenient", waits_turn=True),
        )

    async def _get_catalogue(self, user: User, request: GetCatalogue) -> CatalogueResponse:
        return self._rules.catalogue(request)

    async def _check_army(self, user: User, request: CheckArmy) -> ArmyChecked:
        return self._rules.check_army(request)
