"""The client: connect to a server, open and find matches, and reconnect when the connection breaks.

    async with connect("ws://127.0.0.1:8765/ws") as client:
        match = await client.watch(match_id)
        async for update in match: ...

One task per client reads; each request waits for the answer to its id. After a broken connection, watched matches
continue where they stopped, and unanswered commands are sent again under their own ids, so nothing is done twice.
"""

import asyncio
import random
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection as Socket

from diskwars_client.errors import ClientError, InvalidRequest, SessionEnded
from diskwars_client.former_names import FormerClientNames
from diskwars_client.match_handle import MatchHandle
from diskwars_client.request_sender import RequestSender
from diskwars_client.requester import ResponseT, new_command_id
from diskwars_client.retry_policy import DEFAULT_RETRY_POLICY, RetryPolicy
from diskwars_client.server_link import ServerLink
from diskwars_client.topics.accounts import AccountTopic
from diskwars_client.topics.catalogues import CatalogueTopic
from diskwars_client.topics.challenges import ChallengeTopic
from diskwars_client.topics.chat import ChatTopic
from diskwars_client.topics.clubs import ClubTopic
from diskwars_client.topics.files import FileTopic
from diskwars_client.topics.lobby import LobbyTopic
from diskwars_client.topics.notices import NoticeTopic
from diskwars_client.topics.ratings import RatingTopic
from diskwars_client.topics.seeks import SeekTopic
from diskwars_client.topics.tournaments import TournamentTopic
from diskwars_client.watch_mode import DEFAULT_WATCH_MODE, WatchMode
from diskwars_client.watched_matches import WatchedMatches
from diskwars_protocol.connection.client_connection import ClientConnection, ReceivedMessage
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.challenges import ChallengeChanged
from diskwars_protocol.messages.chat import ChatPosted
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.clubs import ClubChanged
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.handshake import RulesetSummary, Welcome
from diskwars_protocol.messages.history import Openings
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.opening import Opened, OpenedBot, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import RematchChanged
from diskwars_protocol.messages.seeks import MatchFound
from diskwars_protocol.messages.tournaments import TournamentChanged
from diskwars_protocol.messages.watching import Unwatched, WatchersChanged, Watching
from diskwars_protocol.records.fairness import Entropy
from diskwars_protocol.schema_types import ABSENT

ConnectionListener: TypeAlias = Callable[[bool], None]
"""Called with False when the connection is lost, with True when it is back."""


class Client(FormerClientNames):
    """One player or spectator, made by `connect`.

    Requests lie in topics, such as `client.lobby.list()`. `request` sends one that has no method.
    """

    def __init__(
        self,
        urls: Sequence[str],
        connection: ClientConnection,
        entropy: Entropy,
        rng: random.Random,
        retry_policy: RetryPolicy,
        on_connection_change: ConnectionListener | None = None,
    ) -> None:
        self.accounts = AccountTopic(self)
        self.catalogues = CatalogueTopic(self)
        self.challenges = ChallengeTopic(self)
        self.clubs = ClubTopic(self)
        self.chat = ChatTopic(self)
        self.files = FileTopic(self)
        self.lobby = LobbyTopic(self)
        self.notices = NoticeTopic(self)
        self.ratings = RatingTopic(self)
        self.seeks = SeekTopic(self)
        self.tournaments = TournamentTopic(self)
        self.rulesets: tuple[RulesetSummary, ...] = ()
        self._connection = connection
        self._on_connection_change = on_connection_change or _ignore_connection_change
        self._is_lost = False
        self._resumes: set[asyncio.Task[None]] = set()
        reading_wanted = asyncio.Event()
        self._requests = RequestSender(
            connection, rng, retry_policy, resumes=self._resumes, reading_wanted=reading_wanted
        )
        self._matches = WatchedMatches(
            connection, self._requests, entropy, retry_policy, resumes=self._resumes, reading_wanted=reading_wanted
        )
        self._link = ServerLink(
            urls,
            connection,
            self._requests,
            rng,
            retry_policy,
            list_snapshot_matches=self._matches.without_history,
            on_message=self._on_message,
            on_loss=self._on_loss,
            on_end=self._on_end,
        )
        self._task: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<Client {self.url} player={self.player!r} matches={list(self._matches.ids)}>"

    @property
    def url(self) -> str:
        """The address that is used now."""
        return self._link.url

    @property
    def player(self) -> PlayerId:
        """The id of this player on the server."""
        return self._connection.player

    @property
    def token(self) -> str:
        """The secret that proves next time that it is the same player."""
        return self._connection.token or ""

    # ------------------------------------------------------------ matches

    async def open_match(
        self,
        settings: Struct | None = None,
        seat_count: int = 2,
        ruleset: str = DEFAULT_RULESET,
        match_options: MatchOptions = DEFAULT_MATCH_OPTIONS,
        *,
        mode: WatchMode = DEFAULT_WATCH_MODE,
        password: str | None = None,
        invited_only: bool = False,
        packs: Sequence[str] | None = None,
        loadout: Struct | None = None,
        bots: Sequence[OpenedBot] = (),
    ) -> MatchHandle:
        """Open a match and watch it. `settings` are those of the ruleset. Raises CommandRefused.

        Others enter it by the password, if there is one, or by an invite; with `invited_only` they have to. `packs` are
        ids of content packs besides the ruleset's own; None: all that the server has. Bots of the server take their
        seats at once. They are checked before anything is opened, and so is the loadout that this player is going to
        bring with `take_seat`.
        """
        request = OpenMatch(
            id=new_command_id(),
            ruleset=ruleset,
            seat_count=seat_count,
            settings=msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings)),
            match_options=msgspec.Raw(msgspec.json.encode(match_options)),
            push_options=mode.push_options,
            include_unavailable=mode.include_unavailable,
            push_openings=mode.push_openings,
            password=password,
            invited_only=invited_only,
            packs=None if packs is None else tuple(packs),
            loadout=ABSENT if loadout is None else msgspec.Raw(msgspec.json.encode(loadout)),
            bots=tuple(bots),
        )
        return await self._matches.open(request, mode)

    async def watch(
        self, match: str, *, history: bool = True, reveal_secrets: bool = False, mode: WatchMode | None = None
    ) -> MatchHandle:
        """Follow a match; with `reveal_secrets` an ended one with every secret.

        Raises CommandRefused, and MatchUnavailable where it is not the match that this client knew.

        With `history` from its first record; without it from a snapshot of what it is now, which costs the server and
        the wire far less. `MatchHandle.fetch_history` gets the records before that. After a lost connection the match
        comes from a new snapshot, as one update; the records missed are only checked to lead there.

        A match that is followed already keeps its handle, and its mode if none is named. Where `reveal_secrets`
        changes, the handle starts over and yields its updates again, with the secrets.
        """
        return await self._matches.watch(MatchId(match), history=history, reveal_secrets=reveal_secrets, mode=mode)

    async def request(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        """Send a request and return its response; send it again under its id if the server asks to retry.

        Raises CommandRefused, SessionEnded, InvalidRequest.
        """
        return await self._requests.request(request, kind)

    # ------------------------------------------------------------ connection

    async def __aenter__(self) -> "Client":
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _open(self) -> None:
        """Connect, unless that was done. Raises ServerUnreachable, SessionEnded."""
        if self._task is None:
            self._task = asyncio.create_task(self._link.run(), name="diskwars client")
        try:
            await self._requests.wait_open()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection. Pending requests raise SessionEnded."""
        tasks = [task for task in (self._task, *self._resumes) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._on_end(SessionEnded("the client was closed"))

    def _on_loss(self) -> None:
        """Report the loss of a connection once."""
        if not self._is_lost:
            self._is_lost = True
            self._on_connection_change(False)

    def _on_end(self, fault: ClientError) -> None:
        """Close for good: all pending requests and all streams fail with the first error."""
        error = self._requests.end(fault)
        self._matches.stop(error)
        self.lobby._on_end(error)

    # ------------------------------------------------------------ messages of the server

    async def _on_message(self, message: ReceivedMessage, socket: Socket) -> None:
        match message:
            case Welcome():
                await self._on_welcome(message, socket)
            case VerifiedRecords():
                await self._matches.on_records(message)
            case Watching():
                self.chat._on_watching(message.match)
                self._matches.on_watching(message)
            case Unwatched():
                self._matches.on_unwatched(message)
            case Refused():
                self._matches.on_refused(message)
            case Opened():
                self._matches.on_opened(message)
            case OptionsResponse() if message.id is None:
                self._matches.on_match_message(message)
            case Openings() | WatchersChanged():
                self._matches.on_match_message(message)
            case ChatPosted():
                self.chat._on_posted(message)
            case MatchFound() | RematchChanged():
                self.seeks._on_player_message(message)
            case TournamentChanged():
                self.tournaments._on_changed(message)
            case ClubChanged():
                self.clubs._on_changed(message)
            case ChallengeChanged():
                self.challenges._on_changed(message)
            case MatchesChanged():
                self.lobby._on_changes(message)
            case Closing():
                pass  # ended the connection already
            case _:  # every other message answers a request: one without an id does not type-check here
                self._requests.resolve(message.id, message)

    async def _on_welcome(self, welcome: Welcome, socket: Socket) -> None:
        self.rulesets = welcome.rulesets
        self.accounts._on_welcome(welcome.account)
        await self._requests.open(socket)
        self._link.mark_welcomed()
        if self._is_lost:
            self._is_lost = False
            self.lobby._on_reconnect()
            self._on_connection_change(True)


class ClientConnector:
    """Connection that is to be made: enter it by `async with`, or await it and `close` the client later."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __await__(self) -> Generator[object, None, Client]:
        return self._client.__aenter__().__await__()

    async def __aenter__(self) -> Client:
        return await self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


def connect(
    url: str | Sequence[str],
    *,
    token: str | None = None,
    name: str = "diskwars-python",
    entropy: Entropy = secrets.token_bytes,
    rng: random.Random | None = None,
    retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY,
    heads: Mapping[MatchId, Head] | None = None,
    on_connection_change: ConnectionListener | None = None,
) -> ClientConnector:
    """Connect to the server at `url`: enter what is returned by `async with`, or await it and close the client later.

    Either raises ServerUnreachable or SessionEnded.

    Several addresses are those of nodes of one service: where one restarts or dies, the client goes on at the next.

    `token` is that of an earlier connection; without one the server makes a guest. `heads` are those that an earlier
    client of this player kept; the matches have to contain them. `entropy` makes the secrets of seats, `rng` spreads
    new attempts. `on_connection_change` is called with False when the connection is lost, with True when it is back.
    """
    connection = ClientConnection(name, token or None, heads)
    urls = [url] if isinstance(url, str) else list(url)
    if not urls:
        raise InvalidRequest("connect needs the address of a server")
    client = Client(urls, connection, entropy, rng or random.Random(), retry_policy, on_connection_change)
    return ClientConnector(client)


def _ignore_connection_change(is_back: bool) -> None:
    pass
