"""The loop by which a node carries out acts of operators, wherever they were done: it polls the stored acts."""

import asyncio
import logging
from collections.abc import Callable

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_server.community.chat import ChatService
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.players.accounts import ban_text
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.store.operator_acts import OperatorAct, OperatorActs
from diskwars_server.upkeep.repeat import Sleep, repeat

log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
"""Between two polls: the longest that a banned player stays connected to a node that reaches the database."""
BATCH_ACTS = 100

Announce = Callable[[str, int], None]
"""Gets a club or tournament and the seq of its last record: those who follow it ask for it again."""


class OperatorActPoller:
    """Carries out new acts on this node. Those before its start need nothing: `hello` asks for bans itself."""

    def __init__(
        self,
        acts: OperatorActs,
        connected: ConnectedPlayers,
        matches: MatchRepository,
        chat: ChatService,
        clock: Clock,
        *,
        announce_club: Announce,
        announce_tournament: Announce,
    ) -> None:
        self._acts, self._connected, self._matches = acts, connected, matches
        self._chat, self._clock = chat, clock
        self._announce_club, self._announce_tournament = announce_club, announce_tournament
        self._read: int | None = None

    async def run(self, sleep: Sleep = asyncio.sleep) -> None:
        """Carry out acts until cancelled."""
        await repeat(self.poll, POLL_SECONDS, log, "acts of operators not carried out; they are tried again", sleep)

    async def poll(self) -> None:
        """Carry out what has been stored since the last time. Raises StoreUnavailable."""
        if self._read is None:
            last = await self._acts.read_back(1)
            self._read = last[0].number if last else 0
        while new_acts := await self._acts.read_after(self._read, BATCH_ACTS):
            for act in new_acts:
                await self._carry_out(act)
                self._read = act.number

    async def _carry_out(self, act: OperatorAct) -> None:
        match act.kind:
            case "ban":
                # It may have been lifted meanwhile, and the player may be back.
                ban = await self._acts.find_ban(act.target, self._clock())
                if ban is not None:
                    self._connected.close_banned(PlayerId(act.target), ban_text(ban))
            case "erase_chat":
                is_in_match = act.detail.startswith("match ")
                await self._chat.show_erasures(MatchId(act.target) if is_in_match else None)
            case "end_match":
                self._matches.on_remote_end(MatchId(act.target), int(act.detail))
            case "close_club":
                self._announce_club(act.target, int(act.detail))
            case "cancel_tournament":
                self._announce_tournament(act.target, int(act.detail))
            case "grant" | "revoke" | "unban" | "rename" | "erase_name" | "close_report" | "inspect" | "login_link":
                pass  # the next request reads it, or nothing has changed
