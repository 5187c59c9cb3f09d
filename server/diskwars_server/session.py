"""The session of one connected player: identity, watched matches, and one answer per request."""

import logging
from collections.abc import Coroutine
from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol import messages as m
from diskwars_protocol.canonical import NotCanonical, encode_canonical
from diskwars_protocol.connection import ProtocolError, ServerConnection
from diskwars_protocol.fairness import command_digest
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import DEFAULT_CLIENT_LIMITS, ClientLimits
from diskwars_protocol.sealed import count_sealed
from diskwars_server.game import Clock, Game, PendingCommand
from diskwars_server.lobby import Lobby
from diskwars_server.outbox import Outbox, OutboxClosed
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, decode_or_refuse, describe_fault
from diskwars_server.store import StoreUnavailable
from diskwars_server.tokens import TokenError, TokenIssuer

log = logging.getLogger(__name__)

NO_MATCH = MatchId("")
QueryRequest: TypeAlias = (
    m.OpenMatch | m.Watch | m.Unwatch | m.GetOptions | m.ListMatches | m.GetCatalogue | m.CheckArmy
)
"""Whatever is asked but an act."""


class SessionContext(Struct, frozen=True):
    """What every session of a server uses. `server` is what it calls itself in `Welcome`."""

    lobby: Lobby
    tokens: TokenIssuer
    clock: Clock
    limits: ClientLimits = DEFAULT_CLIENT_LIMITS
    server_name: str = ""


class Session:
    """One connection's user. `hear` takes one frame after another; `leave` ends it."""

    def __init__(self, reception: SessionContext, outbox: Outbox) -> None:
        self._lobby, self._tokens, self._clock = reception.lobby, reception.tokens, reception.clock
        self._limits, self._server_name = reception.limits, reception.server_name
        self._connection = ServerConnection(reception.limits)
        self._outbox = outbox
        self._watched: dict[MatchId, Game] = {}
        self.player = PlayerId("")

    async def receive(self, frame: str | bytes) -> None:
        """One frame, answered or on its way to a match when this returns. Raises OutboxClosed."""
        message = self._decode(frame)
        if message is None or isinstance(message, m.Act | m.Refused):
            self._dispatch(message)
        elif isinstance(message, m.Hello):
            await self._handle_hello(message)
        else:
            await self._handle_query(message)

    def receive_act(self, frame: str) -> None:
        """The same for a frame that begins as an act does: nothing has to be waited for. Raises OutboxClosed."""
        message = self._decode(frame)
        if not (message is None or isinstance(message, m.Act | m.Refused)):
            raise TypeError(f"{type(message).__name__} began as an act does")
        self._dispatch(message)

    def _decode(self, frame: str | bytes) -> m.ClientMessage | m.Refused | None:
        """Return what a frame says; None when that ends the conversation."""
        for id in self._outbox.take_finished_commands():
            self._connection.finish_command(id)
        try:
            return self._connection.receive(frame)
        except ProtocolError as fault:
            self._outbox.close_with(fault.to_message())
            return None

    def _dispatch(self, message: m.Act | m.Refused | None) -> None:
        if isinstance(message, m.Act):
            self._handle_act(message)
        elif message is not None:
            self._send(message)

    def close(self) -> None:
        """The client is gone; its commands continue."""
        for game in self._watched.values():
            game.unwatch(self._outbox)
        self._watched.clear()

    def _send(self, message: m.ServerMessage) -> None:
        self._outbox.put(self._connection.send(message))

    def _respond(self, id: str, message: m.ServerMessage) -> None:
        self._send(message)
        self._connection.finish_command(id)

    # ---------------------------------------------------------------- hello

    async def _handle_hello(self, hello: m.Hello) -> None:
        try:
            self.player = self._tokens.verify(hello.token) if hello.token else self._tokens.make_guest()
        except TokenError as fault:
            self._outbox.close(fault.close_reason, str(fault))
            return
        self._send(
            m.Welcome(
                version=m.PROTOCOL_VERSION,
                player=self.player,
                token=self._tokens.issue(self.player),
                server_time_ms=self._clock(),
                rulesets=self._lobby.rulesets,
                limits=self._limits,
                server=self._server_name,
            )
        )
        taken_up: set[MatchId] = set()
        for resume in hello.resume:
            if resume.match in taken_up:
                refusal: Refusal | None = Refusal("bad_resume", "the match is taken up already")
            else:
                refusal = await self._catch_refusal(self._watch(resume.match, resume.after, resume.reveal_secrets))
            if refusal:
                self._send(refusal.to_message("", resume.match))
            else:
                taken_up.add(resume.match)

    # ---------------------------------------------------------------- questions

    async def _handle_query(self, message: QueryRequest) -> None:
        match = message.match if isinstance(message, m.Watch | m.Unwatch | m.GetOptions) else NO_MATCH
        if refusal := await self._catch_refusal(self._execute_query(message)):
            self._respond(message.id, refusal.to_message(message.id, match))

    def _handle_act(self, message: m.Act) -> None:
        """Handle an act at once if possible: most messages are acts, and handing one over never blocks."""
        try:
            self._submit_act(message)
        except Exception as fault:
            self._respond(message.id, self._to_refusal(fault).to_message(message.id, message.match))

    async def _catch_refusal(self, step: Coroutine[None, None, None]) -> Refusal | None:
        """Return why this could not be done, if it could not."""
        try:
            await step
        except Exception as fault:
            return self._to_refusal(fault)
        return None

    def _to_refusal(self, fault: Exception) -> Refusal:
        """Return what to say of a fault. What nobody foresaw is logged, and is the server's."""
        match fault:
            case Refusal():
                return fault
            case StoreUnavailable():
                return Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
            case OutboxClosed():
                raise fault
            case _:
                log.error("question not answered", extra={"player": self.player, **describe_fault(fault)})
                return Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)

    async def _execute_query(self, message: QueryRequest) -> None:
        match message:
            case m.GetOptions():
                self._send_options(message)
            case m.Watch():
                await self._watch(message.match, message.after, message.reveal_secrets, message.id)
                self._connection.finish_command(message.id)
            case m.Unwatch():
                await self._unwatch(message)
            case m.OpenMatch():
                await self._open_match(message)
            case m.ListMatches():
                self._respond(message.id, m.MatchList(message.id, await self._lobby.list_matches(message.status)))
            case m.GetCatalogue():
                self._respond(message.id, self._lobby.catalogue(message))
            case m.CheckArmy():
                self._respond(message.id, self._lobby.check_army(message))
            case _:
                assert_never(message)

    async def _open_match(self, message: m.OpenMatch) -> None:
        self._require_watch_capacity()
        match = MatchId(self._tokens.derive_match_id(self.player, message.id))
        await self._lobby.open(match, message, self.player)
        self._respond(message.id, m.Opened(message.id, match))
        if refusal := await self._catch_refusal(self._watch(match, 0)):
            self._send(refusal.to_message("", match))

    async def _watch(self, match: MatchId, after: int, all: bool = False, id: str = "") -> None:
        """End when the match is followed live: everything sent next on this connection follows its backlog."""
        if match not in self._watched:
            self._require_watch_capacity()
        # An answer must not come before its records, nor the records of one watching during the next.
        await self._outbox.wait_idle()
        game = await self._lobby.find(match)
        await game.watch(self._outbox, self.player, after, all, id)
        self._watched[match] = game

    def _require_watch_capacity(self) -> None:
        watched = self._watched.items()
        self._watched = {match: game for match, game in watched if game.is_watched_by(self._outbox)}
        if len(self._watched) >= self._limits.watched_matches:
            raise Refusal(
                "too_many_watched", f"{self._limits.watched_matches} matches are watched on this connection already"
            )

    async def _unwatch(self, message: m.Unwatch) -> None:
        game = self._watched_game(message.match)
        await self._outbox.wait_idle()
        game.unwatch(self._outbox)
        self._watched.pop(message.match, None)
        self._respond(message.id, m.Unwatched(message.match, message.id))

    def _watched_game(self, match: MatchId) -> Game:
        game = self._watched.get(match)
        if game is None or not game.is_watched_by(self._outbox):
            raise Refusal("not_watching", place="$.match")
        return game

    # ---------------------------------------------------------------- playing

    def _submit_act(self, message: m.Act) -> None:
        game = self._watched_game(message.match)
        action = decode_or_refuse(message.action, game.actions, "bad_action", "$.action")
        digest = command_digest(_canonical_command([message.decision, action], game.rules.is_canonical))
        game.submit(PendingCommand(message.id, self.player, message.decision, action, digest, self._outbox))

    def _send_options(self, message: m.GetOptions) -> None:
        options = self._watched_game(message.match).get_options(self.player, message.decision)
        answer = m.OptionsResponse(message.id, message.match, message.decision, msgspec.Raw(options))
        self._respond(message.id, answer)


def _canonical_command(command: list[Any], are_plain: bool) -> bytes:
    """Return a decision and an action as they are digested.

    An action becomes part of a record, where sealed fields are the server's alone. Raises Refusal.
    """
    try:
        raw = encode_canonical(command, are_plain)
    except NotCanonical as fault:
        raise Refusal("bad_action", str(fault), "$.action") from None
    if count_sealed(raw):
        raise Refusal("bad_action", "an action holds its secrets in the open", "$.action")
    return raw
