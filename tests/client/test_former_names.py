"""Names from before a client had topics give what the new names give, until 1.0."""

import random
from operator import attrgetter

import pytest

from diskwars_client.client import Client
from diskwars_client.former_names import FormerClientNames, FormerName
from diskwars_client.retry_policy import DEFAULT_RETRY_POLICY
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.records.fairness import seeded_entropy

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
    return {name for name, value in vars(kind).items() if isinstance(value, FormerName)}


def test_every_former_name_of_a_client_is_in_the_table() -> None:
    assert former_names(FormerClientNames) == set(CLIENT_NAMES)


@pytest.mark.parametrize(("former", "name"), CLIENT_NAMES.items())
async def test_former_name_of_a_client_gives_what_the_new_one_gives(former: str, name: str) -> None:
    client = make_client()
    assert getattr(client, former) == attrgetter(name)(client)
