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
    """Lets the choosers of all matches think one after another, each with pauses that keep it within a part of a core.

    Thinking is measured by the clock, so that a bot that waits for something else pauses for that too.
    """

    def __init__(self, percent: int, now: Callable[[], float]) -> None:
        """`percent` is that of one core; `now` is a clock in seconds."""
        self.pauses_per_second = WHOLE_CORE / percent - 1
        self.now = now
        self.lock = asyncio.Lock()

    def limit(self, choose: Chooser | OwnBot) -> "LimitedThinking":
        """Return the chooser of one match."""
        return LimitedThinking(self, choose)


class LimitedThinking:
    """The chooser of one match, within a limit. It blames a refused answer as the chooser itself does."""

    def __init__(self, limit: ThinkingLimit, choose: Chooser | OwnBot) -> None:
        self._limit, self._choose = limit, choose
        self._free_at = 0.0

    async def __call__(self, *arguments: Any) -> Any:
        """Return what the chooser answers; wait first while earlier answers in this match are paid for."""
        limit = self._limit
        # Outside the lock: the pause of one match holds up no other.
        if (pause := self._free_at - limit.now()) > 0:
            await asyncio.sleep(pause)
        async with limit.lock:
            begun = limit.now()
            try:
                action = self._choose(*arguments)
                return await action if inspect.isawaitable(action) else action
            finally:
                ended = limit.now()
                # The pause follows the answer: the opponent does not wait for it.
                self._free_at = ended + (ended - begun) * limit.pauses_per_second

    def refused(self, action: Any, refusal: str) -> Exception:
        if isinstance(self._choose, BlamedBot):
            return self._choose.refused(action, refusal)
        return RuntimeError(f"{action!r} was refused: {refusal}")
