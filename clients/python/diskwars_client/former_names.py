"""Former names of a client and of a handle, each in one row; deprecated, they stay until 1.0.

A former name gives what the new one gives, so that its signature and its documentation are those of the new one.
"""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, overload

from diskwars_client.match_requests import MatchRequests
from diskwars_client.match_stream import MatchStream
from diskwars_client.own_seat import OwnSeat
from diskwars_client.seat_secrets import SavedSecrets, SeatSecrets
from diskwars_client.topics.accounts import AccountTopic
from diskwars_client.topics.catalogues import CatalogueTopic
from diskwars_client.topics.chat import ChatTopic
from diskwars_client.topics.files import FileTopic
from diskwars_client.topics.lobby import LobbyTopic
from diskwars_client.topics.ratings import RatingTopic
from diskwars_client.topics.seeks import SeekTopic

OwnerT = TypeVar("OwnerT", contravariant=True)
ValueT = TypeVar("ValueT", covariant=True)


class FormerAttribute(Generic[OwnerT, ValueT]):
    """Deprecated name of an attribute or method that a part of the object has now; it stays until 1.0."""

    def __init__(self, find: Callable[[OwnerT], ValueT]) -> None:
        self._find = find

    @overload
    def __get__(self, owner: None, kind: type) -> "FormerAttribute[OwnerT, ValueT]": ...

    @overload
    def __get__(self, owner: OwnerT, kind: type) -> ValueT: ...

    def __get__(self, owner: OwnerT | None, kind: type) -> "FormerAttribute[OwnerT, ValueT] | ValueT":
        return self if owner is None else self._find(owner)


class HasTopics(Protocol):
    """Parts of a client."""

    accounts: AccountTopic
    catalogues: CatalogueTopic
    chat: ChatTopic
    files: FileTopic
    lobby: LobbyTopic
    ratings: RatingTopic
    seeks: SeekTopic

    @property
    def _matches(self) -> MatchRequests: ...


def _in_topic(find: Callable[[HasTopics], ValueT]) -> FormerAttribute[HasTopics, ValueT]:
    return FormerAttribute(find)


class FormerClientNames:
    """Names of a `Client` from before it had topics: `client.send_chat` is `client.chat.send`. Deprecated."""

    account = _in_topic(lambda client: client.accounts.current)
    register = _in_topic(lambda client: client.accounts.register)
    log_in = _in_topic(lambda client: client.accounts.log_in)
    log_out = _in_topic(lambda client: client.accounts.log_out)
    devices = _in_topic(lambda client: client.accounts.devices)
    revoke_device = _in_topic(lambda client: client.accounts.revoke_device)
    change_password = _in_topic(lambda client: client.accounts.change_password)
    rename = _in_topic(lambda client: client.accounts.rename)
    delete_account = _in_topic(lambda client: client.accounts.delete)
    players = _in_topic(lambda client: client.accounts.players)

    iter_leaderboard = _in_topic(lambda client: client.ratings.leaderboard)
    player_statistics = _in_topic(lambda client: client.ratings.player)
    army_statistics = _in_topic(lambda client: client.ratings.armies)

    follow_chat = _in_topic(lambda client: client.chat.follow)
    send_chat = _in_topic(lambda client: client.chat.send)
    chat_before = _in_topic(lambda client: client.chat.before)
    mute_player = _in_topic(lambda client: client.chat.mute)
    muted_players = _in_topic(lambda client: client.chat.muted)
    report_player = _in_topic(lambda client: client.chat.report)

    seek_match = _in_topic(lambda client: client.seeks.find_match)
    stop_seeking = _in_topic(lambda client: client.seeks.stop)
    offer_rematch = _in_topic(lambda client: client.seeks.offer_rematch)
    decline_rematch = _in_topic(lambda client: client.seeks.decline_rematch)
    wait_for_rematch = _in_topic(lambda client: client.seeks.wait_for_rematch)
    rematches = _in_topic(lambda client: client.seeks.rematches)

    close_match = _in_topic(lambda client: client.lobby.close)
    kick_player = _in_topic(lambda client: client.lobby.kick)
    seat_bot = _in_topic(lambda client: client.lobby.seat_bot)
    branch_match = _in_topic(lambda client: client.lobby.branch)
    list_matches = _in_topic(lambda client: client.lobby.list)
    iter_matches = _in_topic(lambda client: client.lobby.iterate)
    follow_matches = _in_topic(lambda client: client.lobby.follow)
    search_matches = _in_topic(lambda client: client.lobby.search)
    enter_match = _in_topic(lambda client: client.lobby.enter)
    use_invite = _in_topic(lambda client: client.lobby.use_invite)
    create_invite = _in_topic(lambda client: client.lobby.create_invite)
    invites = _in_topic(lambda client: client.lobby.invites)
    revoke_invite = _in_topic(lambda client: client.lobby.revoke_invite)

    catalogue = _in_topic(lambda client: client.catalogues.get)
    check_army = _in_topic(lambda client: client.catalogues.check_army)

    import_match = _in_topic(lambda client: client.files.upload)

    # Requests of handles, which have methods for them.
    act = _in_topic(lambda client: client._matches.act)
    options = _in_topic(lambda client: client._matches.options)
    records = _in_topic(lambda client: client._matches.records)
    schedule_refresh = _in_topic(lambda client: client._matches.schedule_refresh)
    unwatch = _in_topic(lambda client: client._matches.unwatch)
    resume_reading = _in_topic(lambda client: client._matches.resume_reading)


class HasStreamAndSeat(Protocol):
    """Parts of a handle."""

    stream: MatchStream
    own_seat: OwnSeat


def _in_part(find: Callable[[HasStreamAndSeat], ValueT]) -> FormerAttribute[HasStreamAndSeat, ValueT]:
    return FormerAttribute(find)


class FormerHandleNames:
    """Names of a `MatchHandle` from before it had parts: `handle.watchers` is `handle.stream.watchers`. Deprecated."""

    stream: MatchStream
    own_seat: OwnSeat

    mode = _in_part(lambda handle: handle.stream.mode)
    is_delayed = _in_part(lambda handle: handle.stream.is_delayed)
    watchers = _in_part(lambda handle: handle.stream.watchers)
    hash = _in_part(lambda handle: handle.stream.hash)
    known_vocabulary = _in_part(lambda handle: handle.stream.known_vocabulary)
    known_head = _in_part(lambda handle: handle.stream.known_head)
    received = _in_part(lambda handle: handle.stream.log.wire)
    has_history = _in_part(lambda handle: handle.stream.log.has_history)
    sees_everything = _in_part(lambda handle: handle.stream.sees_everything)
    is_caught_up = _in_part(lambda handle: handle.stream.is_caught_up)
    is_full = _in_part(lambda handle: handle.stream.updates.is_full)
    is_awaited = _in_part(lambda handle: handle.stream.updates.is_awaited)
    is_stopped = _in_part(lambda handle: handle.stream.is_stopped)
    is_finished = _in_part(lambda handle: handle.stream.is_finished)
    fetch_history = _in_part(lambda handle: handle.stream.fetch_history)
    check_contains = _in_part(lambda handle: handle.stream.check_contains)

    needs_control = _in_part(lambda handle: handle.own_seat.needs_control)
    is_in_control = _in_part(lambda handle: handle.own_seat.is_in_control)
    take_control = _in_part(lambda handle: handle.own_seat.take_control)
    replace_chain = _in_part(lambda handle: handle.own_seat.replace_chain)
    resume_secrets = _in_part(lambda handle: handle.own_seat.resume_secrets)

    @property
    def secrets(self) -> SeatSecrets | None:
        """Deprecated: `own_seat.secrets`."""
        return self.own_seat.secrets

    @secrets.setter
    def secrets(self, secrets: SeatSecrets | None) -> None:
        self.own_seat.secrets = secrets

    @property
    def on_secrets_change(self) -> Callable[[SavedSecrets], None] | None:
        """Deprecated: `own_seat.on_secrets_change`."""
        return self.own_seat.on_secrets_change

    @on_secrets_change.setter
    def on_secrets_change(self, listener: Callable[[SavedSecrets], None] | None) -> None:
        self.own_seat.on_secrets_change = listener
