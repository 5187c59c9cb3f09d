"""Guests who talk to sessions in memory: tests send messages and read the answers.

Everything is real except the socket: session, matches and store.
"""

import asyncio
import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec
from argon2 import PasswordHasher
from msgspec import Raw
from msgspec.structs import replace

from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.connection.connection import ServerConnection, encode
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, ClientLimits, Hello, ResumeRequest, Welcome
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.records import WireRecord
from diskwars_server.bots.seats import BotSeats
from diskwars_server.bots.secrets import BotSecrets
from diskwars_server.broadcast.outbox import MAX_OUTBOX_BYTES, MAX_OUTBOX_FRAMES, Outbox
from diskwars_server.bus.bus import Bus, LocalBus
from diskwars_server.clubs.parts import make_club_parts
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.usage import OpenerUsage
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.lobby.imports import MatchImports
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.matches.bot_turns import BotTurns
from diskwars_server.matches.match_parts import MatchParts, make_match_parts
from diskwars_server.matches.services import Services
from diskwars_server.notices.notice_requests import make_silent_notices
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.known_bots import KnownBots
from diskwars_server.players.logouts import Logouts
from diskwars_server.players.passwords import Passwords
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.processes.bot_processes import NO_BOTS, BotProgram
from diskwars_server.session.handshake import Handshake
from diskwars_server.session.requests import RequestTable, make_request_services
from diskwars_server.session.session import Session, SessionContext
from diskwars_server.store.database import Database
from diskwars_server.store.listed_settings import usual_settings
from diskwars_server.tournaments.parts import make_tournament_parts
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout, CountingRules

TEST_TIMEOUT_SECONDS = 40  # seconds after which a test that waits has failed
HEAD = "00" * 16
QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Makes hashes that cost nothing and protect nothing."""

ServerMessageT = TypeVar("ServerMessageT", bound=ServerMessage)
_NUMBERS = itertools.count(1)
_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class ManualClock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now


def _reach_other_nodes(accounts: AccountService, bus: Bus) -> PushedMessages:
    Logouts(accounts.connected, bus)
    return PushedMessages(accounts.connected, bus)


class InMemoryServer:
    """One server without sockets. Several may share a store, a bus and a key."""

    def __init__(
        self,
        database: Database,
        *,
        clock: ManualClock | None = None,
        bus: LocalBus | None = None,
        limits: ClientLimits = DEFAULT_CLIENT_LIMITS,
        live: int = 16,
        each: int = 0,
        rulesets: Mapping[str, AnyRuleset] | None = None,
        seed: int = 7,
        bots: BotProgram = NO_BOTS,
        bots_each: int = 8,
        repeatable: bool = True,
        sends_notices: bool = False,
    ) -> None:
        self.clock = now = clock or ManualClock()
        self.database, self.bots, index = database, bots, database.matches
        rules: Mapping[str, AnyRuleset] = rulesets or {"counting": CountingRules()}
        self.services = self._make_services(bus or LocalBus(), rules, sends_notices)
        parts = make_match_parts(
            rules,
            self.services,
            index,
            partial(seeded_entropy, seed),
            repeatable=repeatable,
            max_live_matches=live,
            max_open_matches_per_player=each,
            bots=bots.bots,
        )
        self.rules, self.matches, self.openings = parts.rules, parts.matches, parts.openings
        self.tokens, self.bot_secrets = TokenIssuer(b"k" * 32, now), BotSecrets(b"k" * 32)
        self.accounts, self.pushed_messages = self._make_accounts()
        self.lobby_feed = LobbyFeed(self.services, index, gather_seconds=0.01)
        self.access = self._make_access()
        requests = make_request_services(
            self.services,
            database,
            parts,
            accounts=self.accounts,
            tokens=self.tokens,
            pushed_messages=self.pushed_messages,
            bot_seats=self._make_tournaments(parts, bots_each),
            imports=MatchImports(None, database.events, self.services.publish_listing, now, now),
            access=self.access,
            feed=self.lobby_feed,
            notices=make_silent_notices(database, b"k" * 32, now),
            tournaments=self.tournaments.service,
            clubs=self.clubs.service,
        )
        self.chat, self.rematches = requests.chat, requests.rematches
        self.histories, self.watching = requests.histories, requests.watching
        self.session_context = SessionContext(
            self.matches,
            self.openings,
            RequestTable(requests),
            Handshake(self.accounts, self.tokens, self.rules, now, "test"),
            limits=limits,
            metrics=self.services.metrics,
        )

    def _make_accounts(self) -> tuple[AccountService, PushedMessages]:
        acts = self.database.operator_acts
        database, clock = self.database, self.clock
        passwords, matches = Passwords(QUICK_HASHER), database.matches
        accounts = AccountService(database.accounts, clock, clock, passwords, acts=acts, matches=matches)
        return accounts, _reach_other_nodes(accounts, self.services.bus)

    def _make_access(self) -> MatchAccess:
        database, clock, passwords = self.database, self.clock, Passwords(QUICK_HASHER)
        return MatchAccess(self.matches, database.admissions, database.clubs, self.tokens, clock, clock, passwords)

    def _make_tournaments(self, parts: MatchParts, bots_each: int) -> BotSeats:
        """Make tournaments and clubs; return what seats bots."""
        seats = BotSeats(self.matches, self.database.matches, self.bots, self.bot_secrets, bots_each)
        self.tournaments = make_tournament_parts(
            self.services,
            self.database,
            parts,
            bots=self.bots.bots,
            bot_seats=seats,
            tokens=self.tokens,
            pushed_messages=self.pushed_messages,
        )
        self.clubs = make_club_parts(
            self.services,
            self.database,
            rules=self.rules,
            tokens=self.tokens,
            is_online=self.accounts.connected.is_online,
        )
        return seats

    def replace_services(self, **changes: Any) -> None:
        """Give sessions that begin from now on other services, by the names of `RequestServices`."""
        services = replace(self.session_context.requests.services, **changes)
        self.session_context = replace(self.session_context, requests=RequestTable(services))

    def _make_services(self, bus: LocalBus, rules: Mapping[str, AnyRuleset], sends_notices: bool) -> Services:
        database = self.database
        return Services(
            database.events,
            database.vault,
            database.deadlines,
            bus.join(),
            self.clock,
            self.clock,
            bot_turns=BotTurns(is_active=bool(self.bots.bots)),
            pays_for=self._pays_for,
            usual_settings=usual_settings(ruleset.vocabulary for ruleset in rules.values()),
            known_bots=KnownBots(database.accounts),
            sends_notices=sends_notices,
        )

    def _pays_for(self, opener: str) -> OpenerUsage:
        """Return what pays for what an opener does not command; tests may have given the context other quotas."""
        return self.session_context.quotas.bytes.usage_of_opener(opener)

    def connect(
        self, frames: int = MAX_OUTBOX_FRAMES, octets: int = MAX_OUTBOX_BYTES, address: str = UNKNOWN
    ) -> "InMemoryClient":
        return InMemoryClient(self, Outbox(ServerConnection(self.session_context.limits), frames, octets), address)

    async def connect_and_greet(self, token: str = "", address: str = UNKNOWN, **outbox: int) -> "InMemoryClient":
        guest = self.connect(address=address, **outbox)
        await guest.greet(token)
        return guest

    async def state(self, match: MatchId) -> AnyMatch:
        return (await self.matches.find(match)).state


class InMemoryClient:
    """One connection. `wire` holds every record that was sent, by match; `heard` every other message."""

    def __init__(self, node: InMemoryServer, outbox: Outbox, address: str = UNKNOWN) -> None:
        self.node, self.outbox = node, outbox
        self.session = Session(node.session_context, outbox, address)
        self.records: dict[MatchId, list[WireRecord]] = {}
        self.messages: list[ServerMessage] = []
        self.player = PlayerId("")
        self.token = ""

    def id(self) -> str:
        return f"command {next(_NUMBERS)}"

    async def greet(self, token: str = "", *resume: ResumeRequest) -> Welcome:
        await self.send_message(Hello((1,), token=token, resume=resume))
        welcome = await self.expect(Welcome)
        self.player, self.token = welcome.player, welcome.token
        return welcome

    async def send_message(self, message: ClientMessage) -> None:
        await self.send_frame(encode(message).decode())

    async def send_frame(self, frame: str | bytes) -> None:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            if (waiting := self.session.receive(frame)) is not None:
                await waiting

    async def next_message(self) -> ServerMessage | None:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            frame = await self.outbox.get()
        if frame is None:
            return None
        message = _DECODER.decode(frame)
        if isinstance(message, Records):
            self.records.setdefault(message.match, []).extend(message.records)
        else:
            self.messages.append(message)
        return message

    async def expect(self, kind: type[ServerMessageT]) -> ServerMessageT:
        """Return the next message of this kind; what comes before it is kept."""
        while not isinstance(message := await self.next_message(), kind):
            assert message is not None, f"closed before a {kind.__name__} came: {self.outbox.closing}"
        return message

    async def answer_to(self, id: str) -> ServerMessage:
        """Return what comes under this id."""
        while (message := await self.next_message()) is not None:
            if getattr(message, "id", None) == id:
                return message
        raise AssertionError(f"closed before {id} was answered: {self.outbox.closing}")

    async def request(self, message: ClientMessage) -> ServerMessage:
        await self.send_message(message)
        assert not isinstance(message, Hello)
        return await self.answer_to(message.id)

    async def expect_accepted(self, message: ClientMessage) -> Accepted:
        answer = await self.request(message)
        assert isinstance(answer, Accepted), answer
        return answer

    async def expect_refused(self, message: ClientMessage) -> Refused:
        answer = await self.request(message)
        assert isinstance(answer, Refused), answer
        return answer

    # ---------------------------------------------------------------- a match of counting

    async def open_match(self, rounds: int = 2, options: MatchOptions = DEFAULT_MATCH_OPTIONS) -> MatchId:
        settings = Raw(msgspec.json.encode({"rounds": rounds}))
        answer = await self.request(OpenMatch(self.id(), "counting", 2, settings, Raw(msgspec.json.encode(options))))
        assert isinstance(answer, Opened), answer
        await self.expect(Watching)
        return answer.match

    async def watch(self, match: MatchId, after: int = 0, all: bool = False) -> Watching:
        answer = await self.request(Watch(self.id(), match, after, all))
        assert isinstance(answer, Watching), answer
        return answer

    def act_message(self, match: MatchId, decision: str | None, action: Any, id: str = "") -> Act:
        answered = None if decision is None else DecisionId(decision)
        return Act(id or self.id(), match, Raw(msgspec.json.encode(action)), answered)

    async def decision(self, match: MatchId, seat: int) -> DecisionId:
        """Return the open decision of a seat."""
        state = await self.node.state(match)
        return next(decision.id for decision in state.decisions if decision.seat == seat)

    async def take_seat(self, match: MatchId, seat: int, lucky: int = 3) -> Accepted:
        loadout = CountingLoadout(f"player {seat}", lucky)
        return await self.expect_accepted(
            self.act_message(match, await self.decision(match, seat), TakeSeat(HEAD, loadout))
        )

    async def be_ready(self, match: MatchId, seat: int) -> Accepted:
        return await self.expect_accepted(self.act_message(match, await self.decision(match, seat), Ready()))

    async def choose_number(self, match: MatchId, seat: int, number: int, note: str = "") -> Accepted:
        decision = await self.decision(match, seat)
        return await self.expect_accepted(self.act_message(match, decision, ChooseNumber(number, note=note)))

    async def catch_up(self, match: MatchId) -> list[WireRecord]:
        """Everything of the match that was sent so far."""
        head = (await self.node.matches.find(match)).head
        while not self.records.get(match) or self.records[match][-1].seq < head:
            assert await self.next_message() is not None
        return self.records[match]


def open_request(id: str = "open") -> OpenMatch:
    """Return a request for a match of the counting ruleset."""
    return OpenMatch(id, "counting", 2, Raw(b'{"rounds":2}'))


async def begin_match(
    first: InMemoryClient, second: InMemoryClient, rounds: int = 2, options: MatchOptions = DEFAULT_MATCH_OPTIONS
) -> MatchId:
    """Return a match in which both sit, have got ready and are asked for a number."""
    match = await first.open_match(rounds, options)
    await second.watch(match)
    for seat, guest in enumerate((first, second)):
        await guest.take_seat(match, seat, lucky=3 + seat)
    for seat, guest in enumerate((first, second)):
        await guest.be_ready(match, seat)
    return match


async def play_match(first: InMemoryClient, second: InMemoryClient, match: MatchId, rounds: int = 2) -> None:
    for round in range(rounds):
        await first.choose_number(match, 0, 1 + round % 6)
        await second.choose_number(match, 1, 2 + round % 5)
