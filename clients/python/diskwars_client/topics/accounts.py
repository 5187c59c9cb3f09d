"""Accounts: register, log in and out, devices, password and name, and the names of players."""

from typing import Any

from diskwars_client.requester import Requester, new_command_id
from diskwars_client.topics.own_data import collect_own_data
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import (
    MAX_REQUESTED_PLAYERS,
    Account,
    AccountChanged,
    AnswerDeviceLogin,
    ApiScope,
    ApiTokenMade,
    BotAccountList,
    ChangePassword,
    DeleteAccount,
    Device,
    DeviceList,
    DeviceLoginView,
    FollowedPlayers,
    FollowPlayer,
    GetDeviceLogin,
    GetPlayers,
    ListBotAccounts,
    ListDevices,
    ListFollowed,
    LogIn,
    LogOut,
    MakeApiToken,
    MakeRecoveryCodes,
    MarkAsBot,
    NameGuest,
    PlayerList,
    PlayerSummary,
    RecoverAccount,
    RecoveryCodes,
    Register,
    Rename,
    RevokeDevice,
    ShowPresence,
    SignedIn,
    UnfollowPlayer,
)
from diskwars_protocol.messages.lesson_progress import AddLessonProgress, GuidedMatch, LessonProgress


def player_text(player: PlayerSummary) -> str:
    """Return the name of a player as lists show it, that of the account of a bot as `Archer of Nuln (bot)`."""
    return f"{player.name} (bot)" if player.is_bot else player.name


class AccountTopic:
    """Requests about accounts, as `client.accounts`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._current: Account | None = None

    @property
    def current(self) -> Account | None:
        """The account of this player and the device of this client; None for a guest."""
        return self._current

    async def register(self, name: str, password: str, device_name: str | None = None) -> SignedIn:
        """Make an account for this guest, who keeps their matches. Raises CommandRefused.

        From then on `token` is that of the new device; the former one proves nothing any more.
        """
        signed_in = await self._requester.request(Register(new_command_id(), name, password, device_name), SignedIn)
        self._current = signed_in.account
        return signed_in

    async def log_in(self, name: str, password: str, device_name: str | None = None) -> SignedIn:
        """Get a token of an account, with which to `connect`. This client stays who it is. Raises CommandRefused."""
        return await self._requester.request(LogIn(new_command_id(), name, password, device_name), SignedIn)

    async def recover(self, name: str, code: str, new_password: str, device_name: str | None = None) -> SignedIn:
        """Set a new password by a recovery code, which is used up, and log all devices out. Raises CommandRefused.

        The token in the answer is that of a new device, as with `log_in`.
        """
        request = RecoverAccount(new_command_id(), name, code, new_password, device_name)
        return await self._requester.request(request, SignedIn)

    async def make_recovery_codes(self, password: str) -> tuple[str, ...]:
        """Return new recovery codes, which take the place of those of before. Raises CommandRefused."""
        return (await self._requester.request(MakeRecoveryCodes(new_command_id(), password), RecoveryCodes)).codes

    async def name_guest(self, name: str) -> None:
        """Choose the name that others see of this guest. Raises CommandRefused."""
        await self._requester.request(NameGuest(new_command_id(), name), AccountChanged)

    async def log_out(self) -> None:
        """Revoke the token of this client, which ends with it. Raises CommandRefused for a guest."""
        await self._requester.request(LogOut(new_command_id()), AccountChanged)

    async def devices(self) -> tuple[Device, ...]:
        """Return the devices on which the account is logged in, the last used first."""
        return (await self._requester.request(ListDevices(new_command_id()), DeviceList)).devices

    async def revoke_device(self, device: str) -> tuple[Device, ...]:
        """Log a device out, and return those that are left. Raises CommandRefused."""
        return (await self._requester.request(RevokeDevice(new_command_id(), device), DeviceList)).devices

    async def make_api_token(self, *scopes: ApiScope, device_name: str | None = None) -> ApiTokenMade:
        """Make a token with which a program uses the HTTP interface as this account. Raises CommandRefused.

        It is one of `devices` from then on; `revoke_device` ends it.
        """
        request = MakeApiToken(new_command_id(), scopes, device_name)
        return await self._requester.request(request, ApiTokenMade)

    async def device_login(self, user_code: str) -> DeviceLoginView:
        """Return which program waits with a code that it shows. Raises CommandRefused."""
        return await self._requester.request(GetDeviceLogin(new_command_id(), user_code), DeviceLoginView)

    async def answer_device_login(
        self, user_code: str, *, approved: bool, password: str | None = None
    ) -> DeviceLoginView:
        """Let a program that waits with a code use this account, or refuse it. Raises CommandRefused.

        A program without scopes is let in with the `password` of the account only.
        """
        request = AnswerDeviceLogin(new_command_id(), user_code, approved, password)
        return await self._requester.request(request, DeviceLoginView)

    async def change_password(
        self, password: str, new_password: str, *, revoke_others: bool = False
    ) -> tuple[str, ...]:
        """Change the password; with `revoke_others` log all other devices out. Raises CommandRefused.

        Return the recovery codes that then take the place of those of before; none without `revoke_others`.
        """
        request = ChangePassword(new_command_id(), password, new_password, revoke_others)
        return (await self._requester.request(request, AccountChanged)).recovery_codes or ()

    async def rename(self, name: str) -> Account:
        """Change the name of the account, once a day. Raises CommandRefused."""
        changed = await self._requester.request(Rename(new_command_id(), name), AccountChanged)
        self._current = changed.account
        return Account(name, "") if changed.account is None else changed.account

    async def export(self) -> dict[str, Any]:
        """Return everything that the server shows this player of their account, for one file. Raises CommandRefused."""
        return await collect_own_data(self._requester)

    async def delete(self, password: str) -> None:
        """Delete the account for good; this client ends with it. Raises CommandRefused."""
        await self._requester.request(DeleteAccount(new_command_id(), password), AccountChanged)

    async def players(self, *players: PlayerId) -> tuple[PlayerSummary, ...]:
        """Return the names of players and what else everybody may know of them, 100 to a request."""
        summaries: list[PlayerSummary] = []
        for first in range(0, len(players), MAX_REQUESTED_PLAYERS):
            wanted = players[first : first + MAX_REQUESTED_PLAYERS]
            summaries += (await self._requester.request(GetPlayers(new_command_id(), wanted), PlayerList)).players
        return tuple(summaries)

    async def mark_as_bot(self) -> Account | None:
        """Mark this account as that of a bot, for good and before its first rated match. Raises CommandRefused."""
        self._current = (await self._requester.request(MarkAsBot(new_command_id()), AccountChanged)).account
        return self._current

    async def bots(self) -> tuple[PlayerSummary, ...]:
        """Return the bots of players that are connected now, by name. A challenge by name reaches each."""
        return (await self._requester.request(ListBotAccounts(new_command_id()), BotAccountList)).bots

    async def follow(self, name: str) -> FollowedPlayers:
        """Follow the player of an account, who does not learn of it. Raises CommandRefused."""
        return await self._requester.request(FollowPlayer(new_command_id(), name), FollowedPlayers)

    async def unfollow(self, player: PlayerId) -> FollowedPlayers:
        """Follow a player no more. Raises CommandRefused for a guest."""
        return await self._requester.request(UnfollowPlayer(new_command_id(), player), FollowedPlayers)

    async def followed(self) -> FollowedPlayers:
        """Return whom this player follows, and whether they show their own presence. Raises CommandRefused."""
        return await self._requester.request(ListFollowed(new_command_id()), FollowedPlayers)

    async def add_lesson_progress(self, *lessons: str, guided: GuidedMatch | None = None) -> LessonProgress:
        """Add boards of the first match that were done, if any, and return what was done on all devices.

        Raises CommandRefused.
        """
        return await self._requester.request(AddLessonProgress(new_command_id(), lessons, guided), LessonProgress)

    async def show_presence(self, shown: bool = True) -> FollowedPlayers:
        """Let those who follow this player see when they are there, or not. Raises CommandRefused."""
        return await self._requester.request(ShowPresence(new_command_id(), shown), FollowedPlayers)

    def _on_welcome(self, account: Account | None) -> None:
        self._current = account
