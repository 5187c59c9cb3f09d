"""The parts of a server that are about tournaments, and how they are made of each other."""

from collections.abc import Coroutine, Iterator, Mapping

from msgspec import Struct

from diskwars_server.bots.seats import BotSeats
from diskwars_server.matches.match_parts import MatchParts
from diskwars_server.matches.services import Services
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.store.database import Database
from diskwars_server.tournaments.arranged_matches import ArrangedMatches
from diskwars_server.tournaments.club_rights import ClubRights
from diskwars_server.tournaments.pairing_messages import PairingMessages
from diskwars_server.tournaments.runner import TournamentRunner
from diskwars_server.tournaments.streams import TournamentStreams
from diskwars_server.tournaments.tournament_requests import TournamentService


class TournamentParts(Struct, frozen=True):
    """The service of requests, and what runs beside the connections."""

    service: TournamentService
    runner: TournamentRunner
    streams: TournamentStreams

    def loops(self) -> Iterator[tuple[str, Coroutine[None, None, None]]]:
        """Return what runs beside the connections, by name."""
        yield "tournaments", self.runner.run()

    def close(self) -> None:
        self.streams.close()


def make_tournament_parts(
    services: Services,
    database: Database,
    parts: MatchParts,
    *,
    bots: Mapping[str, tuple[str, ...]],
    bot_seats: BotSeats,
    tokens: TokenIssuer,
    pushed_messages: PushedMessages,
) -> TournamentParts:
    """Return the parts. `bots` are the names of those that the server can seat, by ruleset."""
    store, clock = database.tournaments, services.clock
    streams = TournamentStreams(store, services.bus, clock)
    matches = ArrangedMatches(parts.matches, parts.openings, bot_seats, tokens, services.events)
    runner = TournamentRunner(streams, store, matches, PairingMessages(pushed_messages), clock)
    service = TournamentService(
        streams,
        store,
        database.accounts,
        matches,
        runner,
        tokens,
        ClubRights(database.clubs, parts.rules.packs_of),
        lambda ruleset, bot: bot in bots.get(ruleset, ()),
        clock,
    )
    return TournamentParts(service, runner, streams)
