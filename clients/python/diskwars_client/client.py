"""How does a program talk to a server: connect, open and find matches, and go on when the connection breaks?

    async with connect("ws://127.0.0.1:8765/ws") as client:
        match = await client.watch(match_id)
        async for update in match: ...

One task per client reads; whoever asks waits for the answer under his id. A broken connection is made anew: watched
matches go on where they stopped, and unanswered commands are sent again under their own ids, so nothing is done twice.
Must not know rules, terminals or bots.
"""

import asyncio
import contextlib
import logging
import random
import secrets
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Literal, TypeAlias, TypeVar, assert_never
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection as Socket
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from diskwars_client.match_handle import ClientError, MatchHandle, NotYours, Refused, Stopped, Update
from diskwars_client.seat_secrets import Entropy
from diskwars_protocol import messages as say
from diskwars_protocol.connection import (
    ClientConnection,
    FloodGuard,
    LocalProtocolError,
    ProtocolError,
    ReceivedMessage,
    Request,
)
from diskwars_protocol.match import DecisionId, MatchId, PlayerId
from diskwars_protocol.rulesets import registry
from diskwars_protocol.streams import Head, VerifiedRecords

__all__ = [
    "Client",
    "ClientError",
    "Gone",
    "MatchHandle",
    "Misused",
    "NotYours",
    "Patience",
    "Refused",
    "Stopped",
    "Unreachable",
    "Update",
    "connect",
]

log = logging.getLogger(__name__)

FRAME = 16 * 1024 * 1024
"""The largest frame that is taken from a server, in bytes."""
RETURN_TO = frozenset({"going_away", "slow", "fault", "flood", "gap"})
"""Words of a closing after which one comes back; any other is final."""


class Unreachable(ClientError):
    """No server answers there."""


class Gone(ClientError):
    """The conversation has ended for good. `word` is one of `messages.CLOSES`, or empty."""

    def __init__(self, text: str, word: str = "") -> None:
        super().__init__(text)
        self.word = word


class Misused(ClientError):
    """The server would not take this; nothing was sent."""


class Patience(Struct, frozen=True):
    """Seconds. The pause before a new attempt doubles from `first` to `longest`, half of it by chance.

    After `give_up` without a connection the client gives up. A socket that answers no ping for `ping` is dead.
    `attempts` is how often a command is sent again that the server could not do just then.
    """

    first: float = 0.1
    longest: float = 10.0
    give_up: float = 120.0
    ping: float = 15.0
    attempts: int = 8


PATIENCE = Patience()

_Answer: TypeAlias = say.Opened | say.Watching | say.Unwatched | say.Accepted | say.OptionsResponse | say.MatchList
_A = TypeVar("_A", bound=_Answer)

Link: TypeAlias = Callable[[bool], None]
"""Hears False when a connection is lost and another is tried, True when it is back."""


class Client:
    """One player or spectator. Use it as `async with connect(...) as client:`."""

    def __init__(
        self,
        url: str,
        connection: ClientConnection,
        entropy: Entropy,
        chance: random.Random,
        patience: Patience,
        link: Link | None = None,
    ) -> None:
        self.url = url
        self._link = link or _nobody_listens
        self._is_lost = False
        self._connection, self._entropy, self._chance, self._patience = connection, entropy, chance, patience
        self._handles: dict[MatchId, MatchHandle] = {}
        self._answers: dict[str, asyncio.Future[_Answer]] = {}
        self._chores: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(connection.limits.commands_in_flight)
        self._open = asyncio.Event()
        self._moved = asyncio.Event()
        self._socket: Socket | None = None
        self._fault: ClientError | None = None
        self._pause_ms = 0
        self._guard = _guard(connection.limits)
        self._task: asyncio.Task[None] | None = None

    @property
    def player(self) -> PlayerId:
        """Who this is to the server."""
        return self._connection.player

    @property
    def token(self) -> str:
        """What proves next time that it is the same player."""
        return self._connection.token

    # ------------------------------------------------------------ asking

    async def open_match(
        self, settings: Struct | None = None, seats: int = 2, ruleset: str = registry.DISKWARS.ruleset
    ) -> MatchHandle:
        """A new match, which is watched at once; `settings` are those of the ruleset. Raises Refused."""
        raw = msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings))
        opened = await self._ask(say.OpenMatch(_new_id(), ruleset, seats, raw), say.Opened)
        return self._handle(opened.match)

    async def watch(self, match: str, *, all: bool = False) -> MatchHandle:
        """Follows a match from its first record; with `all` an ended one with every secret. Raises Refused."""
        known = self._handles.get(MatchId(match))
        if known is not None:
            return known
        handle = self._handle(MatchId(match))
        try:
            await self._ask(say.Watch(_new_id(), handle.id, 0, all), say.Watching)
        except ClientError:
            self._handles.pop(handle.id, None)
            raise
        return handle

    async def list_matches(self, status: Literal["open", "running", "ended", ""] = "") -> tuple[say.MatchSummary, ...]:
        """The newest matches, of this status or of any."""
        return (await self._ask(say.ListMatches(_new_id(), status), say.MatchList)).matches

    # ------------------------------------------------------------ for handles

    async def act(self, match: MatchId, decision: DecisionId, action: bytes) -> say.Accepted:
        return await self._ask(say.Act(_new_id(), match, decision, msgspec.Raw(action)), say.Accepted)

    async def options(self, match: MatchId, decision: DecisionId) -> bytes:
        return bytes((await self._ask(say.GetOptions(_new_id(), match, decision), say.OptionsResponse)).options)

    async def unwatch(self, match: MatchId) -> None:
        await self._ask(say.Unwatch(_new_id(), match), say.Unwatched)
        self._handles.pop(match, None)

    def nudge(self) -> None:
        self._moved.set()

    def _handle(self, match: MatchId) -> MatchHandle:
        if match not in self._handles:
            self._handles[match] = MatchHandle(match, self, self._entropy)
        return self._handles[match]

    # ------------------------------------------------------------ one question, one answer

    async def _ask(self, ask: Request, kind: type[_A]) -> _A:
        """Sent again under its own id when the server could not do it just then. Raises Refused, Gone, Misused."""
        async with self._room:
            for attempt in range(1, self._patience.attempts + 1):
                try:
                    return await self._asked_once(ask, kind)
                except Refused as refused:
                    await self._bear(refused, is_last=attempt == self._patience.attempts)
        raise Misused("patience allows no attempt at all")

    async def _bear(self, refused: Refused, *, is_last: bool) -> None:
        """Waits as long as the server says; what it will never do is raised again."""
        if refused.code == "not_watching" and self._chores and not is_last:
            # The server has let go of the match, and it is being taken up again.
            await asyncio.wait(self._chores, timeout=self._patience.ping)
            return
        if not refused.retry_after_ms or is_last:
            raise refused
        await asyncio.sleep(refused.retry_after_ms / 1000 * (1 + self._chance.random()))

    async def _asked_once(self, ask: Request, kind: type[_A]) -> _A:
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._answers[ask.id] = answer
        self.nudge()
        try:
            await self._send(ask)
            found = await answer
        finally:
            self._answers.pop(ask.id, None)
        if not isinstance(found, kind):
            raise Gone(f"{type(found).__name__} is no answer to {type(ask).__name__}")
        return found

    async def _send(self, ask: Request) -> None:
        """Says it on the open socket, or on the next one."""
        await self._turn()
        try:
            frame = self._connection.send(ask)
        except LocalProtocolError as misuse:
            raise Misused(str(misuse)) from None
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # said again when there is a new one
                await self._socket.send(frame, text=True)

    async def _turn(self) -> None:
        """Waits until something may be said: the socket is open, and the server would not call it a flood."""
        while True:
            await self._open.wait()
            if self._fault is not None:
                raise self._fault
            if self._guard.admit(_milliseconds()):
                return
            await asyncio.sleep(self._guard.wait_ms() / 1000)

    # ------------------------------------------------------------ the task: one socket after another

    async def __aenter__(self) -> "Client":
        self._task = asyncio.create_task(self._live(), name="diskwars client")
        try:
            await self._open.wait()
            if self._fault is not None:
                raise self._fault
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hangs up. Whoever still waits gets Gone."""
        for task in (self._task, *self._chores):
            if task is not None:
                task.cancel()
        waited = [task for task in (self._task, *self._chores) if task is not None]
        await asyncio.gather(*waited, return_exceptions=True)
        self._end(Gone("the client was closed"))

    async def _live(self) -> None:
        """Ends with `_fault` set, or cancelled."""
        clock = asyncio.get_running_loop().time
        attempt, since, was_open = 0, clock(), False
        while self._fault is None:
            fault = await self._conversation()
            if self._open.is_set():
                attempt, since, was_open = 0, clock(), True
            elif not was_open or clock() - since > self._patience.give_up:
                self._end(fault)  # the first connection has to succeed at once; later ones may take their time
            self._hang_up()
            if self._fault is None:
                self._say_lost(was_open)
                await asyncio.sleep(self._pause(attempt))
                attempt += 1

    def _say_lost(self, was_open: bool) -> None:
        """Once for each connection that was there."""
        if was_open and not self._is_lost:
            self._is_lost = True
            self._link(False)

    async def _conversation(self) -> ClientError:
        """One socket from beginning to end, and why it ended; sets `_fault` when there shall be no other."""
        fault: ClientError = Unreachable(f"the server at {self.url} hung up")
        try:
            await self._converse()
        except ConnectionRefusedError:
            fault = Unreachable(f"no server at {self.url}: nobody listens there; does it run?")
        except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as lost:
            why = f"{type(lost).__name__}: {lost}" if str(lost) else type(lost).__name__
            fault = Unreachable(f"no server at {self.url}: {why}")
        except InvalidURI:
            self._end(Unreachable(f"{self.url} is not the address of a server, like ws://127.0.0.1:8765/ws"))
        except ClientError as final:
            self._end(final)
        except Exception as wrong:  # whoever waits has to hear of it
            log.exception("client failed")
            self._end(Gone(f"the client failed: {type(wrong).__name__}: {wrong}"))
        return self._fault or fault

    def _hang_up(self) -> None:
        self._socket = None
        self._connection.connection_lost()
        if self._fault is None:
            self._open.clear()

    def _pause(self, attempt: int) -> float:
        longest = min(self._patience.longest, self._patience.first * 2.0 ** min(attempt, 30))
        told, self._pause_ms = self._pause_ms / 1000, 0
        return max(told, longest * (1 + self._chance.random()) / 2)

    async def _converse(self) -> None:
        """One socket from hello to its end. Raises Gone when there shall be no other."""
        ping = self._patience.ping
        opening = open_socket(
            self.url,
            open_timeout=ping,
            ping_interval=ping,
            ping_timeout=ping,
            close_timeout=1,
            max_size=FRAME,
            compression=None,
            proxy=None if _is_here(self.url) else True,
        )
        async with opening as socket:
            self._socket = socket
            await socket.send(self._connection.send_hello(), text=True)
            async for frame in socket:
                if not await self._read(frame, socket):
                    return

    async def _read(self, frame: str | bytes, socket: Socket) -> bool:
        """Takes up one frame. False when it was the last on this socket; raises Gone when there shall be no other."""
        try:
            heard = self._connection.receive(frame)
        except ProtocolError as broken:
            await socket.close(broken.code, broken.close_reason)
            if broken.close_reason not in RETURN_TO:
                raise Gone(str(broken), broken.close_reason) from None
            return False
        if isinstance(heard, say.Closing):
            self._told_to_go(heard)
            return False
        await self._hear(heard, socket)
        return True

    def _told_to_go(self, closing: say.Closing) -> None:
        if closing.close_reason not in RETURN_TO:
            raise Gone(f"{closing.close_reason}: {closing.text}", closing.close_reason)
        self._pause_ms = closing.retry_after_ms

    # ------------------------------------------------------------ hearing

    async def _hear(self, heard: ReceivedMessage, socket: Socket) -> None:
        match heard:
            case say.Welcome():
                await self._welcomed(heard, socket)
            case VerifiedRecords():
                await self._take(heard)
            case say.Watching():
                self._handle(heard.match).begin(heard.head, heard.ruleset)
                self._answer(heard.id, heard)
            case say.Unwatched():
                self._unwatched(heard)
            case say.Refused():
                self._refused(heard)
            case say.Opened() | say.Accepted() | say.OptionsResponse() | say.MatchList():
                if isinstance(heard, say.Opened):
                    self._handle(heard.match)
                self._answer(heard.id, heard)
            case say.Closing():
                pass  # ended the conversation already
            case _:
                assert_never(heard)

    async def _welcomed(self, welcome: say.Welcome, socket: Socket) -> None:
        self._guard = _guard(welcome.limits)
        for frame in self._connection.resend_unanswered():
            self._guard.admit(_milliseconds())
            await socket.send(frame, text=True)
        self._open.set()
        if self._is_lost:
            self._is_lost = False
            self._link(True)

    async def _take(self, facts: VerifiedRecords) -> None:
        """Gives records to their handle; reads no further while that is full and nobody waits for an answer."""
        handle = self._handles.get(facts.match)
        if handle is None:
            return
        handle.hear(facts)
        while handle.is_full and not self._answers:
            self._moved.clear()
            await self._moved.wait()

    def _answer(self, id: str, answer: _Answer) -> None:
        future = self._answers.get(id)
        if future is not None and not future.done():
            future.set_result(answer)

    def _refused(self, refused: say.Refused) -> None:
        handle = self._handles.get(refused.match)
        fault = Refused(refused) if handle is None else Refused(refused, handle.words)
        future = self._answers.get(refused.id)
        if future is not None and not future.done():
            future.set_exception(fault)
        elif not refused.id and refused.match in self._handles:
            self._watch_anew(self._handles[refused.match], fault)

    def _unwatched(self, unwatched: say.Unwatched) -> None:
        self._answer(unwatched.id, unwatched)
        if not unwatched.id and unwatched.match in self._handles:
            self._watch_anew(self._handles[unwatched.match], None)

    def _watch_anew(self, handle: MatchHandle, fault: Refused | None) -> None:
        """The server has let go of a match; unless it said for good, the handle goes on where it stopped."""
        if handle.is_over:
            return
        if fault is not None and not fault.retry_after_ms:
            handle.stop(Stopped(str(fault)))
            return
        chore = asyncio.create_task(self._resume(handle, fault.retry_after_ms / 1000 if fault else 0))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _resume(self, handle: MatchHandle, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            await self._ask(say.Watch(_new_id(), handle.id, handle.head), say.Watching)
        except ClientError as fault:
            handle.stop(Stopped(str(fault)))

    def _end(self, fault: ClientError) -> None:
        """For good: everybody who waits is told."""
        self._fault = self._fault or fault
        for future in self._answers.values():
            if not future.done():
                future.set_exception(self._fault)
        for handle in self._handles.values():
            handle.stop(self._fault)
        self._open.set()
        self._moved.set()


def connect(
    url: str,
    *,
    token: str = "",
    name: str = "diskwars-python",
    entropy: Entropy = secrets.token_bytes,
    chance: random.Random | None = None,
    patience: Patience = PATIENCE,
    heads: Mapping[MatchId, Head] | None = None,
    link: Link | None = None,
) -> contextlib.AbstractAsyncContextManager[Client]:
    """A client of the server at `url`, for `async with`. Raises Unreachable or Gone on entering.

    `token` is that of an earlier connection; without one the server makes a guest. `heads` are those of an earlier
    life, which the matches have to contain. `entropy` makes the secrets of seats; `chance` spreads new attempts; `link`
    is told when the connection is lost and when it is back.
    """
    connection = ClientConnection(name, token, heads)
    return _connected(Client(url, connection, entropy, chance or random.Random(), patience, link))


@contextlib.asynccontextmanager
async def _connected(client: Client) -> AsyncIterator[Client]:
    async with client:
        yield client


def _is_here(url: str) -> bool:
    """Whether a server is on this machine, where no proxy leads."""
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _guard(limits: say.ClientLimits) -> FloodGuard:
    """A little less than the server allows: frames that were spaced may arrive together."""
    return FloodGuard(max(1, limits.frames_per_second * 9 // 10), max(1, limits.frame_burst * 9 // 10))


def _nobody_listens(is_back: bool) -> None:
    pass


def _milliseconds() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


def _new_id() -> str:
    return str(uuid.uuid4())
