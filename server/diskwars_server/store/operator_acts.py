"""The port that keeps what operators do: every act with its operator, time, reason and target.

Operators and bans follow from the acts: of those about a player the last one counts.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from diskwars_protocol.messages.chat import ChatChannel

ActKind: TypeAlias = Literal[
    "grant",
    "revoke",
    "ban",
    "unban",
    "rename",
    "erase_name",
    "erase_chat",
    "end_match",
    "close_club",
    "cancel_tournament",
    "close_report",
    "inspect",
    "login_link",
]
HOST = ""
"""The operator of acts by those who may open the database, before there is any operator."""


class OperatorAct(Struct, frozen=True):
    """One act. `target` is the match, player, club or tournament that it is about.

    `number` is given by the store, from 1 without gaps. `until_ms` is the end of a ban; None is never. `detail` holds
    the rest of an act: the new name, or which messages were erased. An erased name is kept nowhere, also not here.
    """

    kind: ActKind
    operator: str
    target: str
    at_ms: int
    reason: str
    until_ms: int | None = None
    detail: str = ""
    number: int = 0


class OperatorActs(Protocol):
    """The acts of operators, which are never changed or removed. Every method may raise `StoreUnavailable`.

    Their numbers become visible in order, so that a reader who has read up to one number misses none below it.
    """

    async def add(self, act: OperatorAct) -> int:
        """Store an act under the next number, and return that."""

    async def add_rename(self, act: OperatorAct, name: str, name_key: str) -> bool:
        """Store an act and give its target another name, both or neither. False without an account. Raises NameTaken.

        The player may change it again no sooner than if it had been their own change. The name before and all former
        names of the target are forgotten, and free: any of them may be why the operator acts.
        """

    async def add_name_erasure(self, act: OperatorAct) -> bool:
        """Store an act and forget the name of its target, a guest, both or neither. False for a guest without one."""

    async def add_erasure(
        self,
        act: OperatorAct,
        match: str | None = None,
        channel: ChatChannel | None = None,
        number: int = 0,
        player: str | None = None,
    ) -> int:
        """Store an act and erase chat as `Chat.erase` does, both or neither; return how many messages it was."""

    async def add_closing(self, act: OperatorAct, report: int) -> bool:
        """Store an act and close a report with it, both or neither. False where no open report has this number."""

    async def read_after(self, number: int, limit: int) -> list[OperatorAct]:
        """Return the first acts after a number, in order."""

    async def read_back(self, limit: int, before: int | None = None, target: str | None = None) -> list[OperatorAct]:
        """Return the last acts, or the last before a number, about a target or about any; the newest first."""

    async def find_bans(self, players: Sequence[str], now: int) -> dict[str, OperatorAct]:
        """Return the bans that keep any of these players out at `now`, by player."""

    async def find_ban(self, player: str, now: int) -> OperatorAct | None:
        """Return the ban that keeps a player out at `now`."""
        return (await self.find_bans([player], now)).get(player)

    async def list_bans(self, now: int, limit: int) -> list[OperatorAct]:
        """Return the bans in force, the newest first."""

    async def list_operators(self) -> Sequence[str]:
        """Return the players who are operators."""
