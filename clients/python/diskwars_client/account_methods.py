"""What a client can do about accounts: register, log in and out, devices, password and name, and who somebody is."""

import uuid
from typing import TypeVar

from diskwars_protocol.match.match import PlayerId
from diskwars_protocol.messages import QueryResponse, Request
from diskwars_protocol.messages import accounts as am
from diskwars_protocol.messages.decisions import Accepted

ResponseT = TypeVar("ResponseT", bound=QueryResponse | Accepted)


def new_command_id() -> str:
    return str(uuid.uuid4())


class AccountMethods:
    """The part of a `Client` that is about accounts."""

    def __init__(self) -> None:
        self._account: am.Account | None = None

    async def _request(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        """Send a request and return its response. Raises CommandRefused."""
        raise NotImplementedError

    @property
    def account(self) -> am.Account | None:
        """The account of this player and the device of this client; None for a guest."""
        return self._account

    async def register(self, name: str, password: str, device_name: str | None = None) -> am.SignedIn:
        """Make an account for this guest, who keeps their matches. Raises CommandRefused.

        From then on `token` is that of the new device; the former one proves nothing any more.
        """
        signed_in = await self._request(am.Register(new_command_id(), name, password, device_name), am.SignedIn)
        self._account = signed_in.account
        return signed_in

    async def log_in(self, name: str, password: str, device_name: str | None = None) -> am.SignedIn:
        """Get a token of an account, with which to `connect`. This client stays who it is. Raises CommandRefused."""
        return await self._request(am.LogIn(new_command_id(), name, password, device_name), am.SignedIn)

    async def log_out(self) -> None:
        """Revoke the token of this client, which ends with it. Raises CommandRefused for a guest."""
        await self._request(am.LogOut(new_command_id()), am.AccountChanged)

    async def devices(self) -> tuple[am.Device, ...]:
        """Return the devices on which the account is logged in, the last used first."""
        return (await self._request(am.ListDevices(new_command_id()), am.DeviceList)).devices

    async def revoke_device(self, device: str) -> tuple[am.Device, ...]:
        """Log a device out, and return those that are left. Raises CommandRefused."""
        return (await self._request(am.RevokeDevice(new_command_id(), device), am.DeviceList)).devices

    async def change_password(self, password: str, new_password: str, *, revoke_others: bool = False) -> None:
        """Change the password; with `revoke_others` log all other devices out. Raises CommandRefused."""
        request = am.ChangePassword(new_command_id(), password, new_password, revoke_others)
        await self._request(request, am.AccountChanged)

    async def rename(self, name: str) -> am.Account:
        """Change the name of the account, once a day. Raises CommandRefused."""
        changed = await self._request(am.Rename(new_command_id(), name), am.AccountChanged)
        self._account = changed.account
        return am.Account(name, "") if changed.account is None else changed.account

    async def delete_account(self, password: str) -> None:
        """Delete the account for good; this client ends with it. Raises CommandRefused."""
        await self._request(am.DeleteAccount(new_command_id(), password), am.AccountChanged)

    async def players(self, *players: PlayerId) -> tuple[am.PlayerSummary, ...]:
        """Return the names of players and what else everybody may know of them, 100 to a request."""
        found: list[am.PlayerSummary] = []
        for first in range(0, len(players), am.MAX_REQUESTED_PLAYERS):
            wanted = players[first : first + am.MAX_REQUESTED_PLAYERS]
            found += (await self._request(am.GetPlayers(new_command_id(), wanted), am.PlayerList)).players
        return tuple(found)
