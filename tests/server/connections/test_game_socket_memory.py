"""An open connection holds little: no dictionary of its own for each of its objects, and nothing of its request."""

from diskwars_server.connections.game_socket import GameSocket
from tests.server.connections.test_game_socket_attacks import greet, open_server
from tests.server.raw_client import RawClient

MAX_SHARED_KEYS = 30
"""Names of attributes that CPython 3.11 keeps once a class (SHARED_KEYS_MAX_SIZE in Objects/dictobject.c)."""


async def test_open_connection_shares_the_names_of_its_attributes_and_keeps_no_headers(
    socket_class: type[GameSocket],
) -> None:
    async with open_server(socket_class) as (_, transport), await RawClient.connect(transport.url) as client:
        await greet(client)
        (listening,) = transport._servers
        (socket,) = listening.connections
        assert 0 < len(vars(socket)) <= MAX_SHARED_KEYS
        assert 0 < len(vars(socket.protocol)) <= MAX_SHARED_KEYS
        assert socket.request is not None
        assert not socket.request.headers
        assert socket.response is not None
        assert not socket.response.headers
