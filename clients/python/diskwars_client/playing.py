"""Whole matches in a few lines: a chooser or a `Player` against a bot of the server or another chooser."""

import asyncio
import contextlib
import random
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from diskwars_bots.chooser import Chooser, offered
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import ClientError
from diskwars_client.match_handle import MatchHandle
from diskwars_client.notebook import board_svg, match_html
from diskwars_protocol.match.decisions import Decision, Options, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.messages.opening import OpenedBot

T = TypeVar("T")
DEFAULT_GAME = "pit"
OWN_SEAT, OTHER_SEAT = 0, 1


class Player:
    """A bot as a class. A subclass defines `choose`; it may remember what it likes from match to match."""

    name = "bot"

    def choose(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        """Return an answer, as a chooser does. This one takes any answer that is offered."""
        return rng.choice(offered(options))

    def loadout(self, handle: MatchHandle) -> Struct:
        """Return what the player brings to a match: what the ruleset brings by default."""
        loadout: Struct = handle.vocabulary.loadout()
        return loadout

    def match_ended(self, played: "EndedMatch") -> None:
        """Take notice of a match that has ended."""


class _ChooserPlayer(Player):
    """A chooser as a player."""

    def __init__(self, choose: Chooser, loadout: Struct | None = None) -> None:
        self._choose, self._loadout = choose, loadout
        self.name = getattr(choose, "__name__", "bot")

    def choose(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        return self._choose(match, decision, options, rng)

    def loadout(self, handle: MatchHandle) -> Struct:
        return super().loadout(handle) if self._loadout is None else self._loadout


class EndedMatch(Struct, frozen=True, eq=False):
    """A match that was played to its end, as the own seat has seen it. A notebook shows its board."""

    handle: MatchHandle
    seat: Seat
    names: tuple[str, ...]
    result: Result

    @property
    def is_won(self) -> bool:
        return self.seat in self.result.winners

    @property
    def score(self) -> float:
        """1 for a win, a half where nobody has won, 0 for a loss."""
        return float(self.is_won) if self.result.winners else 0.5

    def file(self) -> bytes:
        """Return the match file."""
        return self.handle.file()

    def __repr__(self) -> str:
        return f"<EndedMatch {self.handle.id!r} seat={self.seat} winners={self.result.winners}>"

    def _repr_html_(self) -> str:
        return match_html(self.handle.id, self.handle.state, self.names)

    def _repr_svg_(self) -> str | None:
        return board_svg(self.handle.state)


async def play_matches(
    client: Client,
    player: Chooser | Player,
    *,
    opponent: Chooser | Player | str | None = None,
    matches: int = 1,
    ruleset: str = DEFAULT_GAME,
    settings: Struct | None = None,
    loadout: Struct | None = None,
    opponent_loadout: Struct | None = None,
    seed: int | None = None,
) -> AsyncIterator[EndedMatch]:
    """Open matches of two, play each to its end, and yield it. The own seat is the first.

    The opponent is a bot of the server by its name, by default the first that it has for this ruleset, or a chooser or
    player, which plays over a connection of its own in a match that is locked for others. A server lets an address lock
    a bounded number of matches in a time; the client waits until it may open the next one. Loadouts are needed where
    the ruleset has no default; in Diskwars `Loadout("reikland-host")`. `seed` is that of the choosers: the dice are the
    server's. Raises CommandRefused, ClientError, and what a chooser raises.
    """
    own = player if isinstance(player, Player) else _ChooserPlayer(player, loadout)
    rng = random.Random(seed)
    async with contextlib.AsyncExitStack() as stack:
        other: Player | None = None
        other_client: Client | None = None
        if opponent is not None and not isinstance(opponent, str):
            other = opponent if isinstance(opponent, Player) else _ChooserPlayer(opponent, opponent_loadout)
            other_client = await stack.enter_async_context(connect(client.url, name=other.name))
        for _ in range(matches):
            if other is None or other_client is None:
                bot = _server_bot(client, ruleset, opponent if isinstance(opponent, str) else None)
                brought = msgspec.Raw(b"{}" if opponent_loadout is None else msgspec.json.encode(opponent_loadout))
                handle = await client.open_match(settings, ruleset=ruleset, bots=[OpenedBot(bot, OTHER_SEAT, brought)])
                result = await _play_seat(handle, OWN_SEAT, own, rng)
            else:
                bot = other.name
                # Without a lock a stranger, or a bot that waits for open matches, could take the other seat.
                password = secrets.token_urlsafe(16)
                handle = await client.open_match(settings, ruleset=ruleset, password=password)
                await other_client.lobby.enter(handle.id, password)
                theirs = await other_client.watch(handle.id)
                result, _ = await _play_both(
                    _play_seat(handle, OWN_SEAT, own, random.Random(rng.random())),
                    _play_seat(theirs, OTHER_SEAT, other, random.Random(rng.random())),
                )
            played = EndedMatch(handle, OWN_SEAT, (own.name, bot), result)
            own.match_ended(played)
            yield played


def play(
    url: str,
    player: Chooser | Player,
    *,
    opponent: Chooser | Player | str | None = None,
    matches: int = 1,
    ruleset: str = DEFAULT_GAME,
    settings: Struct | None = None,
    loadout: Struct | None = None,
    opponent_loadout: Struct | None = None,
    seed: int | None = None,
    token: str | None = None,
) -> list[EndedMatch]:
    """Play matches on a server and return them: `play_matches` for programs that are not asynchronous.

    It may be called in a notebook too, and returns when all matches have ended.
    """

    async def run() -> list[EndedMatch]:
        async with connect(url, name="player", token=token) as client:
            playing = play_matches(
                client,
                player,
                opponent=opponent,
                matches=matches,
                ruleset=ruleset,
                settings=settings,
                loadout=loadout,
                opponent_loadout=opponent_loadout,
                seed=seed,
            )
            return [played async for played in playing]

    return run_blocking(run())


class BlockingClient:
    """A client for programs that are not asynchronous, with an event loop in a thread of its own.

    `with BlockingClient(url) as client: matches = client.run(lambda c: c.lobby.list("open"))`
    """

    def __init__(self, url: str, *, token: str | None = None, name: str = "player") -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="diskwars client", daemon=True)
        self._thread.start()
        self._connecting = connect(url, name=name, token=token)
        try:
            self.client: Client = self._wait(self._connecting.__aenter__())
        except BaseException:
            self._stop()
            raise

    def run(self, ask: Callable[[Client], Awaitable[T]]) -> T:
        """Return what a request of the client returns, or raise what it raises."""

        async def answer() -> T:
            return await ask(self.client)

        return self._wait(answer())

    def close(self) -> None:
        if not self._loop.is_closed():
            try:
                self._wait(self.client.close())
            finally:
                self._stop()

    def __enter__(self) -> "BlockingClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, job: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            job.close()
            raise ClientError("this client is closed")
        return asyncio.run_coroutine_threadsafe(job, self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def run_blocking(job: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, in another thread where an event loop runs in this one, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(job)
    found: list[T] = []
    faults: list[BaseException] = []

    def work() -> None:
        try:
            found.append(asyncio.run(job))
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=work, name="diskwars matches")
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return found[0]


def _server_bot(client: Client, ruleset: str, wanted: str | None) -> str:
    bots = next((offer.bots for offer in client.rulesets if offer.id == ruleset), ())
    if wanted is None and not bots:
        raise ClientError(f"the server has no bot for {ruleset}: name an opponent that plays here")
    return bots[0] if wanted is None else wanted


async def _play_seat(handle: MatchHandle, seat: Seat, player: Player, rng: random.Random) -> Result:
    await handle.wait_caught_up()
    await handle.take_seat(player.loadout(handle), seat)
    result = await play_bot(handle, player.choose, rng)
    if result is None:
        raise ClientError(f"match {handle.id} has ended without a result")
    return result


async def _play_both(first: Coroutine[Any, Any, T], second: Coroutine[Any, Any, T]) -> tuple[T, T]:
    """Run both to their ends; a fault of one ends the other."""
    tasks = [asyncio.create_task(first), asyncio.create_task(second)]
    try:
        one, two = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return one, two
