"""Acts of operators in memory."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_protocol.messages.chat import ChatChannel
from diskwars_server.store.memory.accounts import MemoryAccounts
from diskwars_server.store.memory.chat import MemoryChat
from diskwars_server.store.memory.reports import MemoryReports
from diskwars_server.store.operator_acts import ActKind, OperatorAct, OperatorActs


class MemoryOperatorActs(OperatorActs):
    """Acts in the order of their numbers."""

    def __init__(
        self, require_open: Callable[[], None], accounts: MemoryAccounts, chat: MemoryChat, reports: MemoryReports
    ) -> None:
        self._require_open, self._accounts, self._chat, self._reports = require_open, accounts, chat, reports
        self._acts: list[OperatorAct] = []

    async def add(self, act: OperatorAct) -> int:
        self._require_open()
        self._acts.append(replace(act, number=len(self._acts) + 1))
        return len(self._acts)

    async def add_rename(self, act: OperatorAct, name: str, name_key: str) -> bool:
        if not await self._accounts.rename(act.target, name, name_key, act.at_ms, not_since=act.at_ms):
            return False
        self._accounts.forget_former_names(act.target)
        await self.add(act)
        return True

    async def add_name_erasure(self, act: OperatorAct) -> bool:
        if not self._accounts.forget_guest_name(act.target):
            return False
        await self.add(act)
        return True

    async def add_erasure(
        self,
        act: OperatorAct,
        match: str | None = None,
        channel: ChatChannel | None = None,
        number: int = 0,
        player: str | None = None,
    ) -> int:
        erased = await self._chat.erase(match, channel, number, player)
        await self.add(act)
        return len(erased)

    async def add_closing(self, act: OperatorAct, report: int) -> bool:
        stored = await self._reports.find(report)
        if stored is None or stored.closed_by:
            return False
        self._reports.close(report, await self.add(act))
        return True

    async def read_after(self, number: int, limit: int) -> list[OperatorAct]:
        self._require_open()
        return self._acts[number : number + limit]

    async def read_back(self, limit: int, before: int | None = None, target: str | None = None) -> list[OperatorAct]:
        self._require_open()
        acts = [act for act in self._acts if target in (None, act.target) and (before is None or act.number < before)]
        return acts[::-1][:limit]

    async def find_bans(self, players: Sequence[str], now: int) -> dict[str, OperatorAct]:
        self._require_open()
        return {ban.target: ban for ban in self._bans(now) if ban.target in players}

    async def list_bans(self, now: int, limit: int) -> list[OperatorAct]:
        self._require_open()
        return self._bans(now)[:limit]

    async def list_operators(self) -> Sequence[str]:
        self._require_open()
        return tuple(sorted(act.target for act in self._last("grant", "revoke") if act.kind == "grant"))

    def _bans(self, now: int) -> list[OperatorAct]:
        bans = [act for act in self._last("ban", "unban") if act.kind == "ban"]
        return [ban for ban in bans if ban.until_ms is None or ban.until_ms > now]

    def _last(self, *kinds: ActKind) -> list[OperatorAct]:
        """Return the last act of these kinds about each target, the newest first."""
        last = {act.target: act for act in self._acts if act.kind in kinds}
        return sorted(last.values(), key=lambda act: act.number, reverse=True)
