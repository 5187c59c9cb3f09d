"""Names from before clients had topics and handles had parts give what the new names give, until 1.0."""

import random
from operator import attrgetter

import pytest

from diskwars_client.client import Client
from diskwars_client.former_names import FormerAttribute, FormerClientNames, FormerHandleNames
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import DEFAULT_RETRY_POLICY
from diskwars_client.seat_secrets import SavedSecrets
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.fairness import seeded_entropy
from tests.client.test_seat_secrets import StubConnection
from tests.rows import each_row

CLIENT_NAMES = {
    "account": "accounts.current",
    "register": "accounts.register",
    "log_in": "accounts.log_in",
    "log_out": "accounts.log_out",
    "devices": "accounts.devices",
    "revoke_device": "accounts.revoke_device",
    "change_password": "accounts.change_password",
    "rename": "accounts.rename",
    "delete_account": "accounts.delete",
    "players": "accounts.players",
    "iter_leaderboard": "ratings.leaderboard",
    "player_statistics": "ratings.player",
    "army_statistics": "ratings.armies",
    "follow_chat": "chat.follow",
    "send_chat": "chat.send",
    "chat_before": "chat.before",
    "mute_player": "chat.mute",
    "muted_players": "chat.muted",
    "report_player": "chat.report",
    "seek_match": "seeks.find_match",
    "stop_seeking": "seeks.stop",
    "offer_rematch": "seeks.offer_rematch",
    "decline_rematch": "seeks.decline_rematch",
    "wait_for_rematch": "seeks.wait_for_rematch",
    "rematches": "seeks.rematches",
    "close_match": "lobby.close",
    "kick_player": "lobby.kick",
    "seat_bot": "lobby.seat_bot",
    "branch_match": "lobby.branch",
    "list_matches": "lobby.list",
    "iter_matches": "lobby.iterate",
    "follow_matches": "lobby.follow",
    "search_matches": "lobby.search",
    "enter_match": "lobby.enter",
    "use_invite": "lobby.use_invite",
    "create_invite": "lobby.create_invite",
    "invites": "lobby.invites",
    "revoke_invite": "lobby.revoke_invite",
    "catalogue": "catalogues.get",
    "check_army": "catalogues.check_army",
    "import_match": "files.upload",
    "act": "_matches.act",
    "options": "_matches.options",
    "records": "_matches.records",
    "schedule_refresh": "_matches.schedule_refresh",
    "unwatch": "_matches.unwatch",
    "resume_reading": "_matches.resume_reading",
}


def make_client() -> Client:
    """Return a client that never connects."""
    connection = ClientConnection("test", None, None)
    return Client(
        ["ws://127.0.0.1:1/ws"], connection, seeded_entropy(1, "test"), random.Random(1), DEFAULT_RETRY_POLICY
    )


def former_names(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if isinstance(value, FormerAttribute)}


def test_every_former_name_of_a_client_is_in_the_table() -> None:
    assert former_names(FormerClientNames) == set(CLIENT_NAMES)


@each_row(("former", "name"), CLIENT_NAMES.items())
async def test_former_name_of_a_client_gives_what_the_new_one_gives(former: str, name: str) -> None:
    client = make_client()
    assert getattr(client, former) == attrgetter(name)(client)


HANDLE_NAMES = {
    "mode": "stream.mode",
    "is_delayed": "stream.is_delayed",
    "watchers": "stream.watchers",
    "hash": "stream.hash",
    "known_vocabulary": "stream.known_vocabulary",
    "known_head": "stream.known_head",
    "received": "stream.log.wire",
    "has_history": "stream.log.has_history",
    "sees_everything": "stream.sees_everything",
    "is_caught_up": "stream.is_caught_up",
    "is_full": "stream.updates.is_full",
    "is_awaited": "stream.updates.is_awaited",
    "is_stopped": "stream.is_stopped",
    "is_finished": "stream.is_finished",
    "fetch_history": "stream.fetch_history",
    "check_contains": "stream.check_contains",
    "needs_control": "own_seat.needs_control",
    "is_in_control": "own_seat.is_in_control",
    "take_control": "own_seat.take_control",
    "replace_chain": "own_seat.replace_chain",
    "resume_secrets": "own_seat.resume_secrets",
}


@pytest.fixture
def handle() -> MatchHandle:
    return MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))


def test_every_former_name_of_a_handle_is_in_the_table() -> None:
    assert former_names(FormerHandleNames) == set(HANDLE_NAMES)


@pytest.mark.parametrize(("former", "name"), HANDLE_NAMES.items())
async def test_former_name_of_a_handle_gives_what_the_new_one_gives(
    handle: MatchHandle, former: str, name: str
) -> None:
    assert getattr(handle, former) == attrgetter(name)(handle)


async def test_secrets_and_their_listener_are_set_by_the_former_names_too(handle: MatchHandle) -> None:
    handle.stream._set_ruleset("diskwars")
    secrets, kept = handle.own_seat.draw_secrets(), list[SavedSecrets]()
    handle.secrets = secrets
    handle.on_secrets_change = kept.append
    assert (handle.own_seat.secrets, handle.own_seat.on_secrets_change) == (secrets, kept.append)
    assert (handle.secrets, handle.on_secrets_change) == (secrets, kept.append)
