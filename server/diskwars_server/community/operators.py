"""Acts of operators about players, matches, clubs and tournaments, and the checks of who may act, and on what.

The caller has opened the database already: naming an operator records responsibility,
and proves nothing.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.messages.chat import ChatChannel
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN
from diskwars_server.community.texts import BadText, check_text
from diskwars_server.matches.stops import AlreadyEnded, LoadRules, stop_match
from diskwars_server.players.name_search import find_by_name
from diskwars_server.players.names import BadName, check_name, name_key, shown_name
from diskwars_server.players.recovery import make_link
from diskwars_server.players.tokens import has_form_of_player_id
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import StoredAccount
from diskwars_server.store.database import Database
from diskwars_server.store.errors import NameTaken, UnknownMatch
from diskwars_server.store.operator_acts import HOST, ActKind, OperatorAct

MAX_REASON_LENGTH = 500
MAX_LISTED = 1000
"""Bans and acts that are listed at once."""

ActRefusalCode: TypeAlias = Literal[
    "not_operator",
    "is_operator",
    "last_operator",
    "unknown_player",
    "unknown_match",
    "match_ended",
    "unknown_club",
    "club_closed",
    "unknown_tournament",
    "tournament_cancelled",
    "no_account",
    "not_banned",
    "bad_name",
    "name_taken",
    "no_name",
    "bad_reason",
    "bad_time",
    "unknown_report",
    "report_closed",
]

EraseTexts: TypeAlias = Callable[[str], Awaitable[tuple[int, bool]]]
"""Ends a club or tournament and erases its texts; returns the seq of its last record, and whether it has changed."""


class ActRefused(Exception):
    """An act that is not done: a stable code, and a sentence. Nothing has changed."""

    def __init__(self, code: ActRefusalCode, text: str) -> None:
        super().__init__(text)
        self.code: ActRefusalCode = code


class Operators:
    """The acts of one operator. Every method may raise ActRefused and StoreUnavailable."""

    def __init__(self, database: Database, clock: Callable[[], int], operator: str = "") -> None:
        """`operator` is the name or the id of an account; empty is the host, who may only name the first operator."""
        self._database, self._clock, self._named = database, clock, operator
        self._acts = database.operator_acts

    async def grant(self, player: str, reason: str) -> StoredAccount:
        """Make an account one of an operator. The host may do that as long as there is no operator."""
        operator = await self.require_operator(may_be_first=True)
        account = await self._find_account(player)
        if account.player in await self._list_operators():
            raise ActRefused("is_operator", f"{shown_name(account.name)} is an operator already")
        await self._add("grant", operator, account.player, reason)
        return account

    async def revoke(self, player: str, reason: str) -> StoredAccount:
        """Let an account no longer be one of an operator; one is always left."""
        operator = await self.require_operator()
        account, operators = await self._find_account(player), await self._list_operators()
        if account.player not in operators:
            raise ActRefused("not_operator", f"{shown_name(account.name)} is no operator")
        if len(operators) == 1:
            raise ActRefused(
                "last_operator", f"{shown_name(account.name)} is the only operator: grant it to another one first"
            )
        await self._add("revoke", operator, account.player, reason)
        return account

    async def ban(self, player: str, reason: str, until_ms: int | None = None) -> str:
        """Keep a player out, also a guest by the id; return the id. The player is shown the reason."""
        operator = await self.require_operator()
        target = await self._find_player(player)
        if target in await self._list_operators():
            raise ActRefused("is_operator", f"{player} is an operator: revoke that first")
        if until_ms is not None and until_ms <= self._clock():
            raise ActRefused("bad_time", "the end of a ban is in the future")
        await self._add("ban", operator, target, reason, until_ms)
        return target

    async def unban(self, player: str, reason: str) -> str:
        """Let a player in again; return the id."""
        operator = await self.require_operator()
        target = await self._find_player(player)
        if await self._acts.find_ban(target, self._clock()) is None:
            raise ActRefused("not_banned", f"{player} is not banned")
        await self._add("unban", operator, target, reason)
        return target

    async def rename(self, player: str, name: str, reason: str) -> str:
        """Give an account another name, forget those that it had, and return it as it is shown."""
        operator = await self.require_operator()
        account = await self._find_account(player)
        try:
            shown = check_name(name)
        except BadName as fault:
            raise ActRefused("bad_name", str(fault)) from None
        act = self._act("rename", operator, account.player, reason, detail=shown)
        try:
            is_renamed = await self._acts.add_rename(act, shown, name_key(shown))
        except NameTaken:
            raise ActRefused("name_taken", f"another account is or was called {shown}, or nearly so") from None
        if not is_renamed:
            raise ActRefused("no_account", f"{player} has no account any more")
        return shown

    async def erase_name(self, player: str, reason: str) -> str:
        """Forget the name of a guest, and return the id. They are shown without one until they choose another."""
        operator = await self.require_operator()
        target = await self._find_player(player)
        if not await self._acts.add_name_erasure(self._act("erase_name", operator, target, reason)):
            raise ActRefused(
                "no_name", f"{player} is no guest with a name; `admin rename` gives an account another one"
            )
        return target

    async def make_login_link(self, player: str, reason: str) -> tuple[StoredAccount, str]:
        """Return an account and a code with which its player sets a new password within an hour, once."""
        operator = await self.require_operator()
        account = await self._find_account(player)
        code, link = make_link(self._clock())
        # The act first: no link may exist without one.
        await self._add("login_link", operator, account.player, reason)
        if not await self._database.accounts.add_recovery_link(account.player, link, self._clock()):
            raise ActRefused("no_account", f"{player} has no account any more")
        return account, code

    async def erase_chat(
        self,
        reason: str,
        *,
        match: str | None = None,
        channel: ChatChannel | None = None,
        number: int = 0,
        player: str | None = None,
    ) -> int:
        """Erase chat of a match, of a player, or of a player in a match; return how many messages it was."""
        operator = await self.require_operator()
        if match is not None:
            await self.require_match(match)
        author = None if player is None else await self._find_player(player)
        named = (f"match {match}" if match else "", channel or "", f"number {number}" if number else "")
        about = " ".join(word for word in (*named, f"player {author}" if author else "") if word)
        act = self._act("erase_chat", operator, match or author or "", reason, detail=about)
        return await self._acts.add_erasure(act, match, channel, number, author)

    async def end_match(self, match: str, reason: str, load_rules: LoadRules) -> int:
        """End a match, and return the seq of its last record. Raises LogError as well.

        The record is stored first. If the act is lost then, the same call stores it later.
        """
        operator = await self.require_operator()
        check_reason(reason)
        try:
            seq = await stop_match(self._database, match, load_rules, self._clock)
        except UnknownMatch:
            raise ActRefused("unknown_match", f"there is no match {match}") from None
        except AlreadyEnded:
            raise ActRefused("match_ended", f"match {match} has ended") from None
        about = await self._acts.read_back(MAX_LISTED, target=match)
        if any(act.kind == "end_match" for act in about):
            raise ActRefused("match_ended", f"match {match} was ended by an operator before")
        await self._acts.add(self._act("end_match", operator, match, reason, detail=str(seq)))
        return seq

    async def close_club(self, club: str, reason: str, erase: EraseTexts) -> int:
        """Close a club and erase its texts, by `erase`; return the seq of its last record.

        The record is stored first. If the act is lost then, the same call stores it later.
        """
        closed = f"club {club} was closed by an operator before"
        return await self._erase_texts("close_club", club, reason, erase, "unknown_club", ("club_closed", closed))

    async def cancel_tournament(self, tournament: str, reason: str, erase: EraseTexts) -> int:
        """Cancel a tournament and erase its texts, also after its end; return the seq of its last record."""
        erased = f"the texts of tournament {tournament} were erased before"
        refusal: tuple[ActRefusalCode, str] = ("tournament_cancelled", erased)
        return await self._erase_texts("cancel_tournament", tournament, reason, erase, "unknown_tournament", refusal)

    async def _erase_texts(
        self,
        kind: ActKind,
        target: str,
        reason: str,
        erase: EraseTexts,
        unknown: ActRefusalCode,
        again: tuple[ActRefusalCode, str],
    ) -> int:
        operator = await self.require_operator()
        check_reason(reason)
        try:
            seq, has_changed = await erase(target)
        except Refusal:
            raise ActRefused(unknown, f"there is no {kind.rpartition('_')[2]} {target}") from None
        if not has_changed and any(act.kind == kind for act in await self._acts.read_back(MAX_LISTED, target=target)):
            raise ActRefused(*again)
        await self._acts.add(self._act(kind, operator, target, reason, detail=str(seq)))
        return seq

    async def inspect(self, match: str, reason: str, seq: int | None = None) -> None:
        """Note that an operator looks into a match, at its records or at the state after one of them."""
        operator = await self.require_operator()
        await self.require_match(match)
        detail = "records" if seq is None else f"state at {seq}"
        await self._acts.add(self._act("inspect", operator, match, reason, detail=detail))

    async def close_report(self, number: int, reason: str) -> None:
        """Close a report, for that reason."""
        operator = await self.require_operator()
        report = await self._database.reports.find(number)
        if report is None:
            raise ActRefused("unknown_report", f"there is no report {number}")
        about = report.player if report.kind == "match" else report.subject
        act = self._act("close_report", operator, about, reason, detail=f"report {number}")
        if not await self._acts.add_closing(act, number):
            raise ActRefused("report_closed", f"report {number} is closed already")

    # ---------------------------------------------------------------- who and whom

    async def require_operator(self, *, may_be_first: bool = False) -> str:
        """Return the player who acts, HOST for the host who names the first operator."""
        operators = await self._list_operators()
        if not self._named:
            if operators or not may_be_first:
                first = "" if operators else "; `admin grant` names the first one"
                raise ActRefused("not_operator", f"say which operator you are, with --operator{first}")
            return HOST
        account = await self._find_named(self._named)
        if account is None or account.player not in operators:
            raise ActRefused("not_operator", f"{self._named} is no operator")
        return account.player

    async def _list_operators(self) -> frozenset[str]:
        """Return the operators whose accounts are there: where all were deleted, the host names the first one again."""
        granted = await self._acts.list_operators()
        accounts = await self._database.accounts.find_players(granted)
        return frozenset(player for player in granted if player in accounts and not accounts[player].is_deleted)

    async def require_match(self, match: str) -> None:
        """Raise ActRefused for a match that is not stored."""
        try:
            await self._database.events.read(match, 0, 1)
        except UnknownMatch:
            raise ActRefused("unknown_match", f"there is no match {match}") from None

    async def _find_named(self, player: str) -> StoredAccount | None:
        """Return an account by its name, or by the id of its player."""
        accounts = self._database.accounts
        if has_form_of_player_id(player):  # a name that only looks like it is that of somebody else
            return await accounts.find_player(player)
        return await find_by_name(accounts, player) or await accounts.find_player(player)

    async def _find_account(self, player: str) -> StoredAccount:
        account = await self._find_named(player)
        if account is None or account.is_deleted:
            raise ActRefused("no_account", f"there is no account {player}")
        return account

    async def _find_player(self, player: str) -> str:
        """Return the id of an account, or of a guest, of whom nothing but the id is known."""
        account = await self._find_named(player)
        if account is not None:
            return account.player
        if not re.fullmatch(OPAQUE_ID_PATTERN, player) or bot_name(player) is not None:
            raise ActRefused("unknown_player", f"{player} is neither the name of an account nor the id of a player")
        return player

    # ---------------------------------------------------------------- acts

    async def _add(self, kind: ActKind, operator: str, target: str, reason: str, until_ms: int | None = None) -> None:
        await self._acts.add(self._act(kind, operator, target, reason, until_ms))

    def _act(
        self, kind: ActKind, operator: str, target: str, reason: str, until_ms: int | None = None, detail: str = ""
    ) -> OperatorAct:
        return OperatorAct(kind, operator, target, self._clock(), check_reason(reason), until_ms, detail)


def check_reason(typed: str) -> str:
    """Return a reason as it is stored. Raises ActRefused."""
    try:
        return check_text(typed, MAX_REASON_LENGTH)
    except BadText as fault:
        raise ActRefused("bad_reason", f"--reason: {fault}") from None
