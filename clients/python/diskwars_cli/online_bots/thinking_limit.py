"""A limit on the part of one processor core that a bot thinks."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_cli.plugs.own_bots import OwnBot
from diskwars_client.bot_runner import BlamedBot

WHOLE_CORE = 100


class ThinkingLimit:
    """Lets the choosers of all matches think one after another, with pauses that keep them within a part of a core."""

    def __init__(self, percent: int, now: Callable[[], float]) -> None:
        """`percent` is that of one core; `now` is a clock in seconds."""
        self._pauses_per_second = WHOLE_CORE / percent - 1
        self._now = now
        self._lock = asyncio.Lock()
        self._free_at = 0.0

    def limit(self, choose: Chooser | OwnBot) -> "LimitedThinking":
        return LimitedThinking(self, choose)

    async def run(self, choose: Chooser | OwnBot, arguments: tuple[Any, ...]) -> Any:
        """Return what a chooser answers; wait first while earlier answers are paid for."""
        async with self._lock:
            if (pause := self._free_at - self._now()) > 0:
                await asyncio.sleep(pause)
            begun = self._now()
            try:
                action = choose(*arguments)
                return await action if inspect.isawaitable(action) else action
            finally:
                ended = self._now()
                # The pause follows the answer: the opponent does not wait for it.
                self._free_at = ended + (ended - begun) * self._pauses_per_second


class LimitedThinking:
    """A chooser that thinks within a limit. It blames a refused answer on a user's file, as the chooser itself does."""

    def __init__(self, limit: ThinkingLimit, choose: Chooser | OwnBot) -> None:
        self._limit, self._choose = limit, choose

    async def __call__(self, *arguments: Any) -> Any:
        return await self._limit.run(self._choose, arguments)

    def refused(self, action: Any, refusal: str) -> Exception:
        if isinstance(self._choose, BlamedBot):
            return self._choose.refused(action, refusal)
        return RuntimeError(f"{action!r} was refused: {refusal}")
