"""Messages about players: accounts, the devices they are logged in on, and the names that others see.

Part of the two unions of `messages.py`. What a name or a password may look like is checked by the server.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, OWN_REFUSAL, AtLeastOne, AtLeastZero, CommandId, Token

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MIN_PASSWORD_BYTES, MAX_PASSWORD_BYTES = 8, 1024
MAX_DEVICE_NAME_LENGTH = 64
MAX_REQUESTED_PLAYERS = 100
"""The most players of one `GetPlayers`."""
MAX_SKIPPED_MESSAGES = 1_000_000
"""Of one `GetOwnData`."""
MAX_FOLLOWED = 100
"""Players whom one player follows."""
MAX_LISTED_BOTS = 100
"""Of one `BotAccountList`."""

PlayerName: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": MIN_NAME_LENGTH, "maxLength": MAX_NAME_LENGTH}, extra=OWN_REFUSAL)
]
"""A name that people see. No two accounts have names that look alike."""
Password: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_PASSWORD_BYTES}, extra=OWN_REFUSAL)
]
"""8 to 1024 bytes of UTF-8."""
DeviceName: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_DEVICE_NAME_LENGTH}, extra=OWN_REFUSAL)
]
"""The player's name for a device, to know it in the list."""
RECOVERY_CODE_PATTERN = "^[a-z2-9]{4}(-[a-z2-9]{4}){3}$"
RecoveryCode: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": RECOVERY_CODE_PATTERN}, extra=OWN_REFUSAL)]
"""16 letters and digits that let a player set a new password, once. Typed, it may have spaces and capitals."""
DeviceId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
"""Names a device of a player. It proves nothing: that is what its token does."""

ApiScope: TypeAlias = Literal["open", "play", "watch", "import"]
"""What a token for the HTTP interface lets a program do as its player.

Open matches; take seats, act and resign; see matches as the player does; or import match files.
"""
API_SCOPES: tuple[ApiScope, ...] = get_args(ApiScope)
USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
USER_CODE_LENGTH = 8

UserCode: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
"""The code that a program shows: letters in any case; spaces and hyphens do not count."""
DeviceLoginStatus: TypeAlias = Literal["waiting", "approved", "denied"]
ApiScopeText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(API_SCOPES)})]

PlayerKind: TypeAlias = Literal["guest", "registered", "bot", "deleted"]
PlayerKindText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(PlayerKind))})]


class Account(Struct, frozen=True, gc=False, omit_defaults=True):
    """The account of the player of this connection, and the device that its token stands for.

    `is_bot`: the account was marked as that of a bot, with `MarkAsBot`.
    """

    name: PlayerName
    device: DeviceId
    is_bot: bool = False


# ---------------------------------------------------------------- from a client


class Register(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="register"):
    """Make an account for the player of this connection, a guest, who keeps their id and so their matches.

    The token of `SignedIn` takes the place of the former one, which proves nothing from then on.
    """

    id: CommandId
    name: PlayerName
    password: Password
    device_name: DeviceName | None = None


class LogIn(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="log_in"):
    """Ask for a token of the account with this name. The connection stays that of its player.

    To play as the account's player, connect again and send `Hello` with the token.
    """

    id: CommandId
    name: PlayerName
    password: Password
    device_name: DeviceName | None = None


class LogOut(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="log_out"):
    """Revoke the token of this connection. The server then closes every connection of this device."""

    id: CommandId


class ListDevices(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_devices"):
    """Request the devices on which the own account is logged in."""

    id: CommandId


class RevokeDevice(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="revoke_device"):
    """Log an own device out: its token proves nothing any more, and its connections are closed."""

    id: CommandId
    device: DeviceId


class ChangePassword(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="change_password"
):
    """Change the password; with `revoke_others` log all other devices out, and replace the recovery codes."""

    id: CommandId
    password: Password
    new_password: Password
    revoke_others: bool = False


class Rename(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="rename"):
    """Change the name of the own account, at most once a day."""

    id: CommandId
    name: PlayerName


class NameGuest(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="name_guest"):
    """Choose the name that others see of the player of this connection, a guest. Other guests may have the same.

    A name that an account has is refused; where an account takes it later, the server's name of the player is shown.
    """

    id: CommandId
    name: PlayerName


class DeleteAccount(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="delete_account"):
    """Delete the own account for good: its name, its password and its tokens. The matches stay, without the name."""

    id: CommandId
    password: Password


class GetOwnData(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_own_data"):
    """Request what the server stores of the own account that no other request shows, after `skip` of its messages."""

    id: CommandId
    skip: Annotated[int, Meta(ge=0, le=MAX_SKIPPED_MESSAGES)] = 0


class GetPlayers(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="get_players"):
    """Ask who some players are, for example those of a match."""

    id: CommandId
    players: Annotated[tuple[PlayerIdText, ...], Meta(max_length=MAX_REQUESTED_PLAYERS)]


class MakeRecoveryCodes(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="make_recovery_codes"):
    """Make new recovery codes for the own account; those of before are good for nothing from then on."""

    id: CommandId
    password: Password


class RecoverAccount(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="recover_account"
):
    """Set a new password by a recovery code, which is used up. All devices of the account are logged out.

    The connection stays that of its player, as with `LogIn`.
    """

    id: CommandId
    name: PlayerName
    code: RecoveryCode
    new_password: Password
    device_name: DeviceName | None = None


class MakeApiToken(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="make_api_token"):
    """Make a token with which a program uses the HTTP interface as the own account, within these scopes.

    It is a device of the account: `ListDevices` shows it, `RevokeDevice` ends it. No `Hello` takes it.
    """

    id: CommandId
    scopes: Annotated[tuple[ApiScope, ...], Meta(min_length=1, max_length=len(API_SCOPES))]
    device_name: DeviceName | None = None


class GetDeviceLogin(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="get_device_login"):
    """Request which program waits with this code, as a player with an account."""

    id: CommandId
    user_code: UserCode


class AnswerDeviceLogin(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="answer_device_login"
):
    """Let the program that waits with this code use the own account, or refuse it.

    A program without scopes is logged in like the player, and so it is let in with the `password` of the account only.
    """

    id: CommandId
    user_code: UserCode
    approved: bool
    password: Password | None = None


class FollowPlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="follow_player"):
    """Follow the player of an account, as a player with one. Nobody else learns of it, the player neither."""

    id: CommandId
    name: PlayerName


class UnfollowPlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="unfollow_player"):
    """Follow a player no more."""

    id: CommandId
    player: PlayerIdText


class ListFollowed(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_followed"):
    """Request the players whom one follows."""

    id: CommandId


class ShowPresence(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="show_presence"):
    """Let those who follow one see in their lists whether one is connected, or not, as at first."""

    id: CommandId
    shown: bool


class MarkAsBot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="mark_as_bot"):
    """Mark the own account as that of a bot, for good. Only before its first rated match.

    A bot has a leaderboard apart from people's, is shown as a bot in lists, seats and chat, and everybody may know
    whether it is connected.
    """

    id: CommandId


class ListBotAccounts(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_bot_accounts"):
    """Request the accounts of bots that are connected now: those whom a challenge by name reaches at once.

    Their presence is no secret, also in `PlayerList`.
    """

    id: CommandId


AccountRequest: TypeAlias = (
    Register
    | LogIn
    | LogOut
    | ListDevices
    | RevokeDevice
    | ChangePassword
    | Rename
    | NameGuest
    | DeleteAccount
    | GetPlayers
    | GetOwnData
    | MakeRecoveryCodes
    | RecoverAccount
    | MakeApiToken
    | GetDeviceLogin
    | AnswerDeviceLogin
    | FollowPlayer
    | UnfollowPlayer
    | ListFollowed
    | ShowPresence
    | MarkAsBot
    | ListBotAccounts
)
"""Requests about players instead of a match."""

# ---------------------------------------------------------------- from the server


class SignedIn(Struct, frozen=True, gc=False, omit_defaults=True, tag="signed_in"):
    """Answer to `Register`, `LogIn` and `RecoverAccount`.

    The token is sent here only, and belongs to the device of `account`. So are the recovery codes of a new account.
    """

    id: CommandId
    player: PlayerIdText
    token: Token
    account: Account
    recovery_codes: tuple[RecoveryCode, ...] | None = None


class RecoveryCodes(Struct, frozen=True, gc=False, tag="recovery_codes"):
    """Answer to `MakeRecoveryCodes`: codes that are shown here only. Each lets its player in once."""

    id: CommandId
    codes: tuple[RecoveryCode, ...]


class DeviceLoginView(Struct, frozen=True, gc=False, omit_defaults=True, tag="device_login_view"):
    """Answer to both: what the program calls itself, and what it wants. It waits until `expires_ms`.

    With `scopes` it gets a token for HTTP within them; without any it is logged in, as a device of the account.
    """

    id: CommandId
    status: DeviceLoginStatus
    expires_ms: AtLeastZero
    name: DeviceName | None = None
    scopes: tuple[ApiScope, ...] = ()


class ApiTokenMade(Struct, frozen=True, gc=False, tag="api_token_made"):
    """Answer to `MakeApiToken`: the token, which is shown here only, and the device that it is."""

    id: CommandId
    token: Token
    device: DeviceId


class AccountChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="account_changed"):
    """What was requested is done. `account` is as it is now; None without one, as after `LogOut`.

    After a `ChangePassword` that logs the others out there are new `recovery_codes`, which are shown here only: those
    of before may have been made by somebody else who was logged in.
    """

    id: CommandId
    account: Account | None = None
    recovery_codes: tuple[RecoveryCode, ...] | None = None


class Device(Struct, frozen=True, gc=False, omit_defaults=True):
    """A device on which an account is logged in; `is_current` for that of this connection.

    `last_used_ms` is brought up to date once an hour. With `scopes` it is a token for the HTTP interface.
    """

    device: DeviceId
    created_ms: AtLeastZero
    last_used_ms: AtLeastZero
    name: DeviceName | None = None
    is_current: bool = False
    scopes: tuple[ApiScopeText, ...] = ()


class DeviceList(Struct, frozen=True, gc=False, tag="device_list"):
    """Answer to `ListDevices` and `RevokeDevice`: the devices that are logged in now, the last used first."""

    id: CommandId
    devices: tuple[Device, ...]


class PlayerSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who a player is. `avatar_seed` follows from the id, so that a picture never changes.

    The name of a guest follows from the id too. A player is `is_online` who is connected to this server now;
    `hides_presence` says that the user may not know that. `is_bot` marks the account of a bot that somebody keeps
    online; a bot of the server has no account, and the `kind` "bot".
    """

    player: PlayerIdText
    name: PlayerName
    kind: PlayerKindText
    avatar_seed: AtLeastZero
    is_online: bool = False
    hides_presence: bool = False
    is_bot: bool = False


class PlayerList(Struct, frozen=True, gc=False, tag="player_list"):
    """Answer to `GetPlayers`, in the order of the request."""

    id: CommandId
    players: tuple[PlayerSummary, ...]


class BotAccountList(Struct, frozen=True, gc=False, omit_defaults=True, tag="bot_account_list"):
    """Answer to `ListBotAccounts`: at most 100 bots that are connected, by name."""

    id: CommandId
    bots: Annotated[tuple[PlayerSummary, ...], Meta(max_length=MAX_LISTED_BOTS)] = ()


class FollowedPlayer(Struct, frozen=True, gc=False, omit_defaults=True):
    """A player whom one follows. `is_online` is there for those who show their presence, `is_bot` for bots."""

    player: PlayerIdText
    name: PlayerName
    avatar_seed: AtLeastZero
    is_online: bool | None = None
    is_bot: bool = False


class FollowedPlayers(Struct, frozen=True, gc=False, omit_defaults=True, tag="followed_players"):
    """Answer to requests about following: whom one follows, by name, and whether one shows one's own presence."""

    id: CommandId
    players: tuple[FollowedPlayer, ...] = ()
    shows_presence: bool = False


class OwnChatMessage(Struct, frozen=True, gc=False):
    """A message that the player has written in the chat of a match."""

    match: MatchIdText
    channel: Annotated[str, Meta(extra_json_schema={"enum": ["players", "watchers"]})]
    number: AtLeastOne
    at_ms: AtLeastZero
    text: str


class OwnReport(Struct, frozen=True, gc=False, omit_defaults=True):
    """A report that the player has sent: about whom, and where."""

    kind: Annotated[str, Meta(extra_json_schema={"enum": ["match", "club", "tournament"]})]
    subject: Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
    seq: AtLeastOne
    at_ms: AtLeastZero
    text: str
    player: PlayerIdText | None = None


class OwnData(Struct, frozen=True, gc=False, omit_defaults=True, tag="own_data"):
    """Answer to `GetOwnData`: the account, its chat messages from the oldest on, and the reports it has sent.

    With `has_more` other messages follow: they are requested by the number of those known.
    """

    id: CommandId
    player: PlayerIdText
    name: PlayerName
    created_ms: AtLeastZero
    renamed_ms: AtLeastZero | None = None
    messages: tuple[OwnChatMessage, ...] = ()
    reports: tuple[OwnReport, ...] = ()
    has_more: bool = False


AccountResponse: TypeAlias = (
    SignedIn
    | RecoveryCodes
    | ApiTokenMade
    | DeviceLoginView
    | AccountChanged
    | DeviceList
    | PlayerList
    | BotAccountList
    | FollowedPlayers
    | OwnData
)

REQUESTS: dict[type[Struct], type[Struct]] = {
    Register: SignedIn,
    LogIn: SignedIn,
    LogOut: AccountChanged,
    ListDevices: DeviceList,
    RevokeDevice: DeviceList,
    ChangePassword: AccountChanged,
    Rename: AccountChanged,
    NameGuest: AccountChanged,
    DeleteAccount: AccountChanged,
    MakeApiToken: ApiTokenMade,
    GetDeviceLogin: DeviceLoginView,
    AnswerDeviceLogin: DeviceLoginView,
    GetPlayers: PlayerList,
    MarkAsBot: AccountChanged,
    ListBotAccounts: BotAccountList,
    GetOwnData: OwnData,
    MakeRecoveryCodes: RecoveryCodes,
    RecoverAccount: SignedIn,
    FollowPlayer: FollowedPlayers,
    UnfollowPlayer: FollowedPlayers,
    ListFollowed: FollowedPlayers,
    ShowPresence: FollowedPlayers,
}
"""By request, the response that answers it."""
