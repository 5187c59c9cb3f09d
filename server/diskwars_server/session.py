"""What does one connected user mean by a message, and what is he told?

Who he is, which matches he watches, and every question answered once. Must not know sockets, records or rules; the
frames go into an outbox, and the conversation itself is `connection`'s.
"""

import logging
from collections.abc import Coroutine
from typing import Any, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol import messages as m
from diskwars_protocol.canonical import NotCanonical, canonical
from diskwars_protocol.connection import ProtocolError, ServerConnection
from diskwars_protocol.fairness import command_digest
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import LIMITS, Limits
from diskwars_protocol.sealed import count_sealed
from diskwars_server.game import Asked, Clock, Game
from diskwars_server.lobby import Lobby
from diskwars_server.outbox import Outbox, OutboxClosed
from diskwars_server.refusals import LATER_MS, Refusal, decoded, described
from diskwars_server.store import StoreUnavailable
from diskwars_server.tokens import TokenError, Tokens

log = logging.getLogger(__name__)

NO_MATCH = MatchId("")
Question: TypeAlias = m.OpenMatch | m.Watch | m.Unwatch | m.AskOptions | m.ListMatches
"""Whatever is asked but an act."""


class Reception(Struct, frozen=True):
    """What every session of a server uses. `server` is what it calls itself in `Welcome`."""

    lobby: Lobby
    tokens: Tokens
    clock: Clock
    limits: Limits = LIMITS
    server: str = ""


class Session:
    """One connection's user. `hear` takes one frame after another; `leave` ends it."""

    def __init__(self, reception: Reception, outbox: Outbox) -> None:
        self._lobby, self._tokens, self._clock = reception.lobby, reception.tokens, reception.clock
        self._limits, self._server = reception.limits, reception.server
        self._conversation = ServerConnection(reception.limits)
        self._outbox = outbox
        self._watched: dict[MatchId, Game] = {}
        self.player = PlayerId("")

    async def hear(self, frame: str | bytes) -> None:
        """One frame, answered or on its way to a match when this returns. Raises OutboxClosed."""
        message = self._received(frame)
        if message is None or isinstance(message, m.Act | m.Refused):
            self._take(message)
        elif isinstance(message, m.Hello):
            await self._greet(message)
        else:
            await self._try(message)

    def hear_act(self, frame: str) -> None:
        """The same for a frame that begins as an act does: nothing has to be waited for. Raises OutboxClosed."""
        message = self._received(frame)
        if not (message is None or isinstance(message, m.Act | m.Refused)):
            raise TypeError(f"{type(message).__name__} began as an act does")
        self._take(message)

    def _received(self, frame: str | bytes) -> m.FromClient | m.Refused | None:
        """What a frame says; None when that ends the conversation."""
        for id in self._outbox.answered():
            self._conversation.answered(id)
        try:
            return self._conversation.receive(frame)
        except ProtocolError as fault:
            self._outbox.finish(fault.closing())
            return None

    def _take(self, message: m.Act | m.Refused | None) -> None:
        if isinstance(message, m.Act):
            self._hand_over(message)
        elif message is not None:
            self._say(message)

    def leave(self) -> None:
        """The user is gone; what he asked for goes on."""
        for game in self._watched.values():
            game.unwatch(self._outbox)
        self._watched.clear()

    def _say(self, message: m.FromServer) -> None:
        self._outbox.put(self._conversation.send(message))

    def _answer(self, id: str, message: m.FromServer) -> None:
        self._say(message)
        self._conversation.answered(id)

    # ---------------------------------------------------------------- hello

    async def _greet(self, hello: m.Hello) -> None:
        try:
            self.player = self._tokens.player(hello.token) if hello.token else self._tokens.guest()
        except TokenError as fault:
            self._outbox.close(fault.word, str(fault))
            return
        self._say(
            m.Welcome(
                version=m.VERSION,
                player=self.player,
                token=self._tokens.token(self.player),
                time=self._clock(),
                rulesets=self._lobby.rulesets,
                limits=self._limits,
                server=self._server,
            )
        )
        taken_up: set[MatchId] = set()
        for resume in hello.resume:
            if resume.match in taken_up:
                refusal: Refusal | None = Refusal("bad_resume", "the match is taken up already")
            else:
                refusal = await self._refusal_of(self._watch(resume.match, resume.after, resume.all))
            if refusal:
                self._say(refusal.answer("", resume.match))
            else:
                taken_up.add(resume.match)

    # ---------------------------------------------------------------- questions

    async def _try(self, message: Question) -> None:
        match = message.match if isinstance(message, m.Watch | m.Unwatch | m.AskOptions) else NO_MATCH
        if refusal := await self._refusal_of(self._answered(message)):
            self._answer(message.id, refusal.answer(message.id, match))

    def _hand_over(self, message: m.Act) -> None:
        """Most of what is said are acts, and handing one to its match waits for nothing."""
        try:
            self._act(message)
        except Exception as fault:
            self._answer(message.id, self._refusal(fault).answer(message.id, message.match))

    async def _refusal_of(self, step: Coroutine[None, None, None]) -> Refusal | None:
        """Why this could not be done, if it could not."""
        try:
            await step
        except Exception as fault:
            return self._refusal(fault)
        return None

    def _refusal(self, fault: Exception) -> Refusal:
        """What to say of a fault. What nobody foresaw is logged, and is the server's."""
        match fault:
            case Refusal():
                return fault
            case StoreUnavailable():
                return Refusal("unavailable", retry_after_ms=LATER_MS)
            case OutboxClosed():
                raise fault
            case _:
                log.error("question not answered", extra={"player": self.player, **described(fault)})
                return Refusal("fault", retry_after_ms=LATER_MS)

    async def _answered(self, message: Question) -> None:
        match message:
            case m.AskOptions():
                self._options(message)
            case m.Watch():
                await self._watch(message.match, message.after, message.all, message.id)
                self._conversation.answered(message.id)
            case m.Unwatch():
                await self._unwatch(message)
            case m.OpenMatch():
                await self._open(message)
            case m.ListMatches():
                self._answer(message.id, m.MatchesAre(message.id, await self._lobby.listed(message.status)))
            case _:
                assert_never(message)

    async def _open(self, message: m.OpenMatch) -> None:
        self._require_room()
        match = MatchId(self._tokens.match_of(self.player, message.id))
        await self._lobby.open(match, message, self.player)
        self._answer(message.id, m.Opened(message.id, match))
        if refusal := await self._refusal_of(self._watch(match, 0)):
            self._say(refusal.answer("", match))

    async def _watch(self, match: MatchId, after: int, all: bool = False, id: str = "") -> None:
        """Ends when the match is followed live: whatever is said next on this connection comes after its backlog."""
        if match not in self._watched:
            self._require_room()
        # An answer must not come before its records, nor the records of one watching during the next.
        await self._outbox.quiet()
        game = await self._lobby.find(match)
        await game.watch(self._outbox, self.player, after, all, id)
        self._watched[match] = game

    def _require_room(self) -> None:
        watched = self._watched.items()
        self._watched = {match: game for match, game in watched if game.is_watched_by(self._outbox)}
        if len(self._watched) >= self._limits.watched:
            raise Refusal("too_many_watched", f"{self._limits.watched} matches are watched on this connection already")

    async def _unwatch(self, message: m.Unwatch) -> None:
        game = self._game(message.match)
        await self._outbox.quiet()
        game.unwatch(self._outbox)
        self._watched.pop(message.match, None)
        self._answer(message.id, m.Unwatched(message.match, message.id))

    def _game(self, match: MatchId) -> Game:
        game = self._watched.get(match)
        if game is None or not game.is_watched_by(self._outbox):
            raise Refusal("not_watching", place="$.match")
        return game

    # ---------------------------------------------------------------- playing

    def _act(self, message: m.Act) -> None:
        game = self._game(message.match)
        action = decoded(message.action, game.actions, "bad_action", "$.action")
        digest = command_digest(_plain([message.decision, action], game.rules.are_plain))
        game.ask(Asked(message.id, self.player, message.decision, action, digest, self._outbox))

    def _options(self, message: m.AskOptions) -> None:
        options = self._game(message.match).options(self.player, message.decision)
        answer = m.OptionsAre(message.id, message.match, message.decision, msgspec.Raw(options))
        self._answer(message.id, answer)


def _plain(command: list[Any], are_plain: bool) -> bytes:
    """A decision and an action as they are digested.

    An action becomes part of a record, where sealed fields are the server's alone. Raises Refusal.
    """
    try:
        raw = canonical(command, are_plain)
    except NotCanonical as fault:
        raise Refusal("bad_action", str(fault), "$.action") from None
    if count_sealed(raw):
        raise Refusal("bad_action", "an action holds its secrets in the open", "$.action")
    return raw
