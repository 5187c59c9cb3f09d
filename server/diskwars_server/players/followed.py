"""Players whom a player follows: a private list, with the presence of those who show it."""

from collections.abc import Callable

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import (
    MAX_FOLLOWED,
    MAX_NAME_LENGTH,
    FollowedPlayer,
    FollowedPlayers,
    FollowPlayer,
    ListFollowed,
    ShowPresence,
    UnfollowPlayer,
)
from diskwars_server.players.guest_names import find_shown
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.name_search import find_by_any_name
from diskwars_server.players.names import avatar_seed
from diskwars_server.players.shown_presence import ShownPresence
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import Accounts


class FollowedLists:
    """Requests about whom one follows. Every handler may raise Refusal and StoreUnavailable."""

    def __init__(self, accounts: Accounts, presence: ShownPresence, clock: Callable[[], int]) -> None:
        self._accounts, self._presence, self._clock = accounts, presence, clock

    def handlers(self) -> Handlers[User]:
        return (
            Handler(FollowPlayer, self._follow),
            Handler(UnfollowPlayer, self._unfollow),
            Handler(ListFollowed, self._list),
            Handler(ShowPresence, self._show_presence),
        )

    async def _follow(self, user: User, request: FollowPlayer) -> FollowedPlayers:
        _require_account(user)
        account = await find_by_any_name(self._accounts, request.name[: 2 * MAX_NAME_LENGTH], self._clock())
        if account is None:
            raise Refusal("unknown_player", place="$.name")
        if account.player == user.player:
            raise Refusal("own_account", place="$.name")
        if not await self._accounts.follow(user.player, account.player, MAX_FOLLOWED):
            raise Refusal("too_many_followed", numbers={"players": MAX_FOLLOWED})
        return await self._answer(user, request.id)

    async def _unfollow(self, user: User, request: UnfollowPlayer) -> FollowedPlayers:
        _require_account(user)
        await self._accounts.unfollow(user.player, request.player)
        return await self._answer(user, request.id)

    async def _list(self, user: User, request: ListFollowed) -> FollowedPlayers:
        _require_account(user)
        return await self._answer(user, request.id)

    async def _show_presence(self, user: User, request: ShowPresence) -> FollowedPlayers:
        _require_account(user)
        await self._accounts.show_presence(user.player, shown=request.shown)
        return await self._answer(user, request.id)

    async def _answer(self, user: User, id: str) -> FollowedPlayers:
        followed = [PlayerId(player) for player in await self._accounts.list_followed(user.player)]
        showing = await self._presence.find_showing([*followed, user.player])
        names = await find_shown(self._accounts, followed, self._clock())
        players = [
            FollowedPlayer(
                player,
                names[player].name,
                avatar_seed(player),
                self._presence.is_online(player) if player in showing else None,
                names[player].is_bot,
            )
            for player in followed
        ]
        players.sort(key=lambda player: (player.name.casefold(), player.player))
        return FollowedPlayers(id, tuple(players), user.player in showing)


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refusal("not_registered")
