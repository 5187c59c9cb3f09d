"""Which matches are there, and where is the one that somebody wants to touch?

Opens matches, restores one from its records when it is touched first, and lets idle ones go. Must not know sockets,
sessions, or what a match is about.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from diskwars_engine.match import MatchRules, Opening, Secrets
from diskwars_engine.match_log import AnyMatch, AnyRules, Book, LedgerError, Page, Salts, Stamp, ruleset_of
from diskwars_engine.ruleset import Illegal, Ruleset
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import MatchListed, OpenMatch
from diskwars_protocol.suggestions import shown, suggestion
from diskwars_server.game import Game, House, listing
from diskwars_server.recent_appends import Tail
from diskwars_server.refusals import LATER_MS, Refusal, decoded, decoder
from diskwars_server.store import Append, CommandTaken, OutcomeUnknown, UnknownMatch, WrongVersion

log = logging.getLogger(__name__)

AnyRuleset: TypeAlias = Ruleset[Any, Any, Any, Any, Any, Any]
Entropy: TypeAlias = Callable[[str], Callable[[int], bytes]]
"""A source of secret bytes for each purpose: `entropy(purpose)(16)` gives 16 of them."""

LIVE = 1024
"""Matches that are kept ready at once."""
EACH = 50
"""Matches that one player may have opened and that have not ended."""
LISTED = 100
SECRET = 32
SALT = 16
DRAWN = 32
"""Salts drawn at once."""


class Lobby:
    """All matches of a store. Made inside a running event loop; `close` ends it."""

    def __init__(
        self,
        rulesets: Mapping[str, AnyRuleset],
        house: House,
        entropy: Entropy,
        *,
        repeatable: bool = False,
        live: int = LIVE,
        each: int = EACH,
    ) -> None:
        """`repeatable` says that the entropy follows from a seed: the matches say so, for their dice prove nothing.

        `each` is how many matches a player may have opened that have not ended; with 0 as many as he likes.
        """
        self._rules: dict[str, AnyRules] = {name: MatchRules(ruleset) for name, ruleset in rulesets.items()}
        self._house, self._entropy = house, entropy
        self._repeatable, self._live, self._each = repeatable, live, each
        self._games: dict[MatchId, asyncio.Future[Game]] = {}
        self._opened = 0
        self._unlisten = house.bus.listen(self._heard)

    @property
    def rulesets(self) -> tuple[str, ...]:
        return tuple(self._rules)

    async def close(self) -> None:
        """Every match answers what it has been asked, and ends. Once is enough."""
        self._unlisten()
        found = await asyncio.gather(*self._games.values(), return_exceptions=True)
        games = [game for game in found if isinstance(game, Game)]
        for game in games:
            game.retire()
        for game in games:
            await game.ended()
        self._games.clear()

    async def listed(self, status: str) -> tuple[MatchListed, ...]:
        """What is shown of the newest matches of this status; of all if it is empty. Raises StoreUnavailable."""
        return tuple(
            MatchListed(
                match=MatchId(shown.match),
                ruleset=shown.ruleset,
                status=shown.status,
                seats=tuple(None if player is None else PlayerId(player) for player in shown.seats),
                created=shown.created,
                updated=shown.updated,
                result=shown.result,
            )
            for shown in await self._house.store.listings(status or None, LISTED)
        )

    # ---------------------------------------------------------------- finding

    async def find(self, match: MatchId) -> Game:
        """The live match, restored once however many ask. Raises Refusal and StoreUnavailable."""
        try:
            return await self._touched(match, partial(self._restore, match))
        except UnknownMatch:
            raise Refusal("unknown_match", place="$.match") from None

    async def _touched(self, match: MatchId, bring: Callable[[], Coroutine[None, None, Game]]) -> Game:
        found = self._games.pop(match, None)
        if found is None or _is_lost(found):
            self._make_room()
            found = asyncio.create_task(bring(), name=f"bring match {match}")
            found.add_done_callback(partial(self._brought, match))
        self._games[match] = found  # touched last, so it is the last to go
        return await asyncio.shield(found)

    def _brought(self, match: MatchId, found: "asyncio.Future[Game]") -> None:
        """What could not be had is tried again when it is touched again."""
        if _is_lost(found) and self._games.get(match) is found:
            del self._games[match]

    def _make_room(self) -> None:
        """Lets the match go that was touched the longest ago, of those that nobody watches."""
        if len(self._games) < self._live:
            return
        for match, found in self._games.items():
            if found.done() and (_is_lost(found) or found.result().is_idle):
                del self._games[match]
                if not _is_lost(found):
                    found.result().retire()
                return
        raise Refusal("busy", f"{self._live} matches are being played", retry_after_ms=LATER_MS)

    async def _restore(self, match: MatchId) -> Game:
        # Secrets are forgotten after the last record is stored, so they are asked for first.
        kept = await self._house.store.secrets(match)
        records = await self._house.store.read(match)
        rules = self._rules.get(ruleset_of(records[0]))
        if rules is None:
            raise LedgerError(f"match {match}: there is no ruleset {ruleset_of(records[0])}")
        book = Book.of(rules, match, records)
        secrets = None
        if book.state.status != "ended":
            if not kept:
                raise LedgerError(f"match {match}: its secrets are missing")
            secrets = Secrets(kept["far_end"], kept["deal"])
        elif kept:  # published with the last record; a server that died right after it left them lying
            await self._house.store.forget_secrets(match)
        salts = _salts(self._entropy(f"match {match} after {book.head}"))
        log.info("match restored", extra={"match": match, "head": book.head, "status": book.state.status})
        return Game(book, secrets, salts, self._house, Tail())

    def _heard(self, match: MatchId, head: int) -> None:
        found = self._games.get(match)
        if found is not None and found.done() and not _is_lost(found):
            found.result().hear(head)

    # ---------------------------------------------------------------- opening

    async def open(self, match: MatchId, asked: OpenMatch, opener: PlayerId) -> Game:
        """A new match, or the one that the same command opened before. Raises Refusal and StoreUnavailable."""
        rules = self._rules.get(asked.ruleset)
        if rules is None:
            problem = f"there is no ruleset {shown(asked.ruleset)} here{suggestion(asked.ruleset, self._rules)}"
            raise Refusal("unknown_ruleset", problem, "$.ruleset")
        settings = decoded(asked.settings, decoder(rules.ruleset.words.settings), "bad_settings", "$.settings")
        await self._require_fewer(match, opener)
        self._opened += 1
        stream = self._entropy(f"match {self._opened}")
        secrets, salts = Secrets(stream(SECRET), stream(SECRET)), _salts(stream)
        decided_by = f"{rules.ruleset.name} {self._house.version}"
        opening = Opening(match, settings, asked.seats, opener, self._house.clock(), self._repeatable, decided_by)
        try:
            events = rules.open(opening, secrets)
        except Illegal as illegal:
            raise Refusal.of(illegal) from None
        book, page = Book.open(rules, events, Stamp(opener, asked.id, self._house.version, opening.at), salts)
        wanted = book.state
        try:
            game = await self._touched(match, partial(self._begin, book, page, secrets, salts))
        except UnknownMatch:
            text = "nobody knows whether the match was opened; ask again"
            raise Refusal("retry", text, retry_after_ms=LATER_MS) from None
        if _agreed(game.state) != _agreed(wanted):
            raise Refusal("duplicate_differs", place="$.id")
        return game

    async def _require_fewer(self, match: MatchId, opener: PlayerId) -> None:
        """A match that is there already may always be asked for again. Of several at once a few more may be let in."""
        store = self._house.store
        if not self._each or await store.unfinished(opener) < self._each or match in await store.head([match]):
            return
        raise Refusal("too_many_open", f"{self._each} matches that you opened have not ended; end one of them first")

    async def _begin(self, book: Book, page: Page, secrets: Secrets, salts: Salts) -> Game:
        match = book.ledger.match
        append = Append(
            match=match,
            expected=0,
            records=tuple(line.record for line in page),
            secrets={"far_end": secrets.far_end, "deal": secrets.deal},
            listing=listing(book.state, book.opened_at, book.opened_at),
        )
        try:
            await self._house.store.append(append)
        except (WrongVersion, CommandTaken, OutcomeUnknown):
            return await self._restore(match)  # it was opened before, by the same command, or nobody knows
        log.info("match opened", extra={"match": match, "ruleset": book.state.ruleset})
        return Game(book, secrets, salts, self._house, Tail(page))


def _salts(stream: Callable[[int], bytes]) -> Salts:
    """Drawn many at a time: asking the system for one costs more than hashing with it."""

    def drawn() -> Iterator[bytes]:
        while True:
            many = stream(DRAWN * SALT)
            yield from (many[at : at + SALT] for at in range(0, len(many), SALT))

    return partial(next, drawn())


def _agreed(state: AnyMatch) -> tuple[object, ...]:
    return state.ruleset, state.settings, len(state.chairs)


def _is_lost(found: "asyncio.Future[Game]") -> bool:
    """It could not be restored, or has been retired since."""
    if not found.done():
        return False
    return found.cancelled() or found.exception() is not None or found.result().is_retired
