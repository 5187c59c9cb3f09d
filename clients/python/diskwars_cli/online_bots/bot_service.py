"""The loop that keeps a bot online, over restarts of either side.

What the server knows is asked for again after each connection: challenges, own seats, free seats. Of matches only the
secrets of the seats are kept here, so a killed process loses nothing but the time until it is started again.
"""

import asyncio
import contextlib
import itertools
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Set

import msgspec
from msgspec import Struct

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import BotError
from diskwars_cli.account.account import TOKEN_REASONS, AccountServer
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line
from diskwars_cli.online_bots.accept_rules import AcceptRule, OfferedMatch, decline_reason, parse_rules
from diskwars_cli.online_bots.bot_account import BotAccount
from diskwars_cli.online_bots.thinking_limit import LimitedThinking, ThinkingLimit
from diskwars_cli.own_server.own_server import own_database, own_server
from diskwars_cli.play.play import run_client
from diskwars_cli.play.remembered.seat_keeper import SeatKeeper, recover_secrets
from diskwars_cli.play.remembered.seat_memory import RememberedSeat
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import MatchFlags, find_chooser
from diskwars_cli.plugs.own_bots import OwnBot, run_chooser
from diskwars_cli.rulesets.registry import find_setup
from diskwars_client.bot_runner import play_bot, wait_to_retry
from diskwars_client.client import Client, connect
from diskwars_client.errors import (
    ClientError,
    CommandRefused,
    DecisionUnavailable,
    MatchUnavailable,
    SessionEnded,
)
from diskwars_client.match_handle import MatchHandle
from diskwars_client.server_sockets import ServerUnreachable
from diskwars_client.topics.lobby import ListFilter
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions, pace_of
from diskwars_protocol.messages.challenges import Challenge
from diskwars_protocol.rulesets.registry import RULESETS

POLL_SECONDS = 5.0
"""Between two looks at challenges and free seats; a change of a challenge is looked at sooner."""
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 1.0, 60.0
"""Pauses before the service connects again after the client has given up; each is twice the one before."""
MAX_FAULTS = 5
"""Matches in a row that end by a fault of the bot, after which it goes offline: it would lose them all."""
MAX_FINISHED = 10_000
"""Ids of matches that are over, so that no challenge of today is played again."""
MAX_MATCHES_PER_OPPONENT = 2
"""At once, so that no single player keeps a bot from all others."""
UNBEGUN_SECONDS = 300.0
"""After which a seat is left in a match that has not begun."""
FINAL_CLOSE_REASONS = TOKEN_REASONS | {"banned"}


class BotServiceOptions(Struct, frozen=True):
    """A bot and what it may do."""

    chooser: str
    name: str
    rules: tuple[str, ...]
    max_matches: int
    cpu_percent: int
    army: str | None = None
    marks_account: bool = False


def run_bot_service(server: AccountServer, options: BotServiceOptions) -> int:
    """Keep a bot online until it is stopped. Raises CommandError."""
    rules = parse_rules(options.rules, sorted(RULESETS))
    for ruleset in {rule.ruleset for rule in rules}:
        find_chooser(options.chooser, ruleset)  # a wrong name is refused before the bot is online
    account = BotAccount(server, options.name, marks_existing=options.marks_account)
    try:
        with own_database(server.data) if server.url is None else contextlib.nullcontext("") as database_url:
            return run_client(_serve(server, options, rules, account, database_url))
    finally:
        account.release()


async def _serve(
    server: AccountServer,
    options: BotServiceOptions,
    rules: tuple[AcceptRule, ...],
    account: BotAccount,
    database_url: str,
) -> int:
    async with contextlib.AsyncExitStack() as stack:
        url = server.url
        if url is None:
            url = await stack.enter_async_context(own_server(server.data, database_url))
        service = BotService(options, rules, account, server.data, stack)
        pause = FIRST_PAUSE_SECONDS
        while True:
            begun = time.monotonic()
            try:
                async with _connected(url, account) as client:
                    print_line(f"{account.name} is online on {url}")
                    await service.run(client)
            except (ServerUnreachable, SessionEnded, CommandRefused, OSError) as lost:
                if isinstance(lost, CommandRefused) and lost.retry_after_ms is None and account.known is None:
                    raise  # it could not sign in, and will not be able to
                if isinstance(lost, SessionEnded) and lost.close_reason in FINAL_CLOSE_REASONS:
                    account.forget()
                    raise CommandError(f"the server has ended the session of {account.name}: {lost}") from None
                if time.monotonic() - begun > MAX_PAUSE_SECONDS:
                    pause = FIRST_PAUSE_SECONDS
                print_line(f"no connection, next attempt in {pause:g} s: {lost}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)


@contextlib.asynccontextmanager
async def _connected(url: str, account: BotAccount) -> AsyncIterator[Client]:
    known = account.known
    if known is None:
        # Apart from the connection that plays: after a login it is still that of a guest.
        async with connect(url, name=account.name) as guest:
            known = await account.sign_in(guest)
    async with connect(url, name=account.name, token=known.token) as client:
        await account.mark(client)
        yield client


class BotService:
    """A bot on a connection: the matches that it plays, and those that it accepts."""

    def __init__(
        self,
        options: BotServiceOptions,
        rules: tuple[AcceptRule, ...],
        account: BotAccount,
        data: DataOptions,
        stack: contextlib.AsyncExitStack,
    ) -> None:
        """`stack` closes the processes in which the bot thinks."""
        self._options, self._rules, self._account, self._data, self._stack = options, rules, account, data, stack
        self._thinking = ThinkingLimit(options.cpu_percent, time.monotonic)
        self._choosers: dict[str, Chooser | OwnBot] = {}
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._opponents: dict[str, frozenset[str]] = {}
        self._finished: dict[str, None] = {}
        self._faults = 0

    async def run(self, client: Client) -> None:
        """Play and accept until the connection ends. Raises ClientError, CommandError."""
        try:
            await self._resume_seats(client)
            while True:
                await self._answer_challenges(client)
                await self._take_free_seats(client)
                await client.challenges.wait_for_change(POLL_SECONDS)
                self._collect_finished()
        finally:
            tasks = list(self._playing.values())
            self._playing.clear()
            self._opponents.clear()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _has_room(self) -> bool:
        return len(self._playing) < self._options.max_matches

    # ------------------------------------------------------------ matches to play

    async def _resume_seats(self, client: Client) -> None:
        """Go on in the seats of earlier connections, also in more than are played at once."""
        async for summary in client.lobby.iterate(wanted=ListFilter(mine=True)):
            players = {seat.player for seat in summary.seats if seat.player is not None}
            if summary.status != "ended" and client.player in players:
                self._start(client, summary.match, players)

    async def _answer_challenges(self, client: Client) -> None:
        for challenge in (await client.challenges.list()).challenges:
            if challenge.challenged != client.player:
                continue
            if challenge.status == "open":
                challenge = await self._answer(client, challenge)
            if challenge.match is not None and challenge.match not in self._finished:
                self._start(client, challenge.match, {challenge.challenger})

    async def _answer(self, client: Client, challenge: Challenge) -> Challenge:
        """Accept or decline an open challenge. One that fits waits for a match to end while there is no room."""
        options = msgspec.json.decode(challenge.match_options, type=MatchOptions)
        offer = OfferedMatch(challenge.ruleset, "challenges", pace_of(options.clock), options.rated)
        reason = decline_reason(self._rules, offer)
        if reason is None and not self._may_meet({challenge.challenger}):
            reason = "later"
        try:
            if reason is not None:
                return await client.challenges.decline(challenge.challenge, reason)
            if self._has_room:
                return await client.challenges.accept(challenge.challenge)
        except CommandRefused as refused:
            print_line(f"challenge {challenge.challenge} was not answered: {refused.text}")
        return challenge

    async def _take_free_seats(self, client: Client) -> None:
        for rule in self._rules:
            if rule.way == "challenges":
                continue
            wanted = ListFilter(ruleset=rule.ruleset, has_free_seat=True, pace=rule.pace)
            for summary in await client.lobby.list("open", wanted):
                is_new = summary.match not in self._playing and summary.match not in self._finished
                fits = rule.rated in (None, summary.match_options.rated) and not summary.is_locked
                fits = fits and (summary.match_options.clock is not None or rule.pace == "no_clock")
                players = {seat.player for seat in summary.seats if seat.player is not None}
                if is_new and fits and self._has_room and self._may_meet(players):
                    self._start(client, summary.match, players)

    def _may_meet(self, players: Set[str]) -> bool:
        """Return whether a bot may play one more match with each of these."""
        met = Counter(player for match in self._playing for player in self._opponents[match])
        return all(met[player] < MAX_MATCHES_PER_OPPONENT for player in players)

    def _start(self, client: Client, match: str, players: Set[str]) -> None:
        if match not in self._playing:
            self._opponents[match] = frozenset(players - {client.player})
            self._playing[match] = asyncio.create_task(self._play(client, match), name=f"match {match}")

    def _collect_finished(self) -> None:
        """Forget the matches that are over. Raises what ended one of them, if it ends the service."""
        for match, task in list(self._playing.items()):
            if task.done():
                del self._playing[match], self._opponents[match]
                task.result()
        if self._faults >= MAX_FAULTS:
            raise CommandError(f"{self._options.chooser} has failed in {self._faults} matches in a row")

    # ------------------------------------------------------------ one match

    async def _play(self, client: Client, match: str) -> None:
        """Play a match to its end. Raises what ends the connection; anything else ends this match alone."""
        try:
            handle = await self._watch_and_sit(client, match)
            if handle is not None:
                await self._play_seat(handle)
        except (MatchUnavailable, DecisionUnavailable, CommandRefused) as fault:
            if isinstance(fault, CommandRefused) and fault.retry_after_ms is not None:
                raise  # the match goes on after the next connection
            print_line(f"match {match} is not played: {fault}")
        except (ClientError, OSError):
            raise
        except Exception as fault:
            self._faults += 1
            print_line(f"match {match} is not played: {type(fault).__name__}: {fault}")
        self._finish(match)

    async def _watch_and_sit(self, client: Client, match: str) -> MatchHandle | None:
        """Return a match with an own seat, None if it is over. What the server cannot do now is tried again."""
        for retries in itertools.count():
            try:
                handle = await client.watch(match, history=False, mode=WatchMode(push_options=True))
                await handle.wait_caught_up()
                if handle.is_over:
                    return None
                if handle.seat is None:
                    await handle.take_seat(self._loadout(handle))
                    print_line(f"match {handle.id} ({handle.match.ruleset}): took a seat")
            except CommandRefused as refused:
                await wait_to_retry(refused, retries)
            else:
                return handle
        return None

    async def _play_seat(self, handle: MatchHandle) -> None:
        keeper = await self._keep_seat(handle)
        chooser = await self._chooser(handle)
        try:
            result = await self._play_begun(handle, chooser)
        except BotError as fault:
            self._faults += 1
            print_line(f"match {handle.id} is resigned: {fault}")
            with contextlib.suppress(ClientError):
                await handle.resign()
        else:
            self._faults = 0
            has_won = result is not None and handle.seat in result.winners
            print_line(f"match {handle.id} is over: {'won' if has_won else 'not won'}")
        keeper.forget()

    async def _play_begun(self, handle: MatchHandle, chooser: LimitedThinking) -> Result | None:
        """Play a match; leave one that has not begun in time, and return None for it."""
        playing = asyncio.create_task(play_bot(handle, chooser, random.Random()))
        try:
            await asyncio.wait([playing], timeout=UNBEGUN_SECONDS)
            if playing.done() or handle.match.status != "open":
                return await playing
            print_line(f"match {handle.id} has not begun, and is left")
            await handle.leave_seat()
            return None
        finally:
            playing.cancel()

    async def _keep_seat(self, handle: MatchHandle) -> SeatKeeper:
        """Keep the secrets of the own seat from now on, and go on with those of an earlier run."""
        account, seat = self._account, handle.seat or 0
        known = next((kept for kept in account.seats.seats() if (kept.match, kept.seat) == (handle.id, seat)), None)
        fresh = RememberedSeat(
            match=handle.id,
            ruleset=handle.match.ruleset,
            players=len(handle.match.seats),
            seat=seat,
            token="",
            url=account.url,
            data=account.own_data,
            account=handle.match.seats[seat].player or "",
        )
        keeper = SeatKeeper(account.seats, known or fresh)
        if known is not None:
            await recover_secrets(handle, known.secrets)
        keeper.follow(handle, "")
        return keeper

    async def _chooser(self, handle: MatchHandle) -> LimitedThinking:
        ruleset = handle.match.ruleset
        if ruleset not in self._choosers:
            chooser = await self._stack.enter_async_context(run_chooser(self._options.chooser, handle.vocabulary))
            self._choosers[ruleset] = chooser
        return self._thinking.limit(self._choosers[ruleset])

    def _loadout(self, handle: MatchHandle) -> Struct:
        ruleset = handle.match.ruleset
        army = {"army": self._options.army} if self._options.army and ruleset == "diskwars" else {}
        flags = MatchFlags(data=self._data, ruleset=ruleset, ruleset_values=army)
        loadout: Struct = find_setup(ruleset).loadouts(flags, handle.match.settings)[0]
        return loadout

    def _finish(self, match: str) -> None:
        self._finished[match] = None
        if len(self._finished) > MAX_FINISHED:
            del self._finished[next(iter(self._finished))]
