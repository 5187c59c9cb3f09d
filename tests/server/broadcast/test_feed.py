"""A feed broadcasts any message that is declared as one of a match, and both ends of the connection account for it."""

import msgspec
import pytest
from msgspec import Struct

from diskwars_protocol.connection import client_connection
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import (
    TRANSITIONS,
    ConnectionState,
    LocalProtocolError,
    ProtocolError,
    share,
)
from diskwars_protocol.connection.streams import VerifiedRecords
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import MatchMessage, Request, ServerMessage
from diskwars_protocol.messages.watching import Unwatched, Watch, Watching
from tests.server.in_memory_server import InMemoryClient, InMemoryServer


class PlayersSeen(Struct, frozen=True, gc=False, tag_field="type", tag="players_seen"):
    """A message that does not exist: how many players are present."""

    match: MatchId
    count: int


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare the message, and make again what follows from the declaration when the modules are imported."""
    for module in ("connection", "client_connection"):
        monkeypatch.setattr(f"diskwars_protocol.connection.{module}.MatchMessage", MatchMessage | PlayersSeen)
    transitions: dict[type[Struct], ConnectionState] = dict(TRANSITIONS[ConnectionState.OPEN])
    transitions[PlayersSeen] = ConnectionState.OPEN
    monkeypatch.setitem(TRANSITIONS, ConnectionState.OPEN, transitions)
    decoder: msgspec.json.Decoder[object] = msgspec.json.Decoder(ServerMessage | PlayersSeen)
    monkeypatch.setattr(client_connection, "_SERVER_MESSAGE_DECODER", decoder)


class RealEnd:
    """A guest whose frames go through the client's state machine."""

    def __init__(self, node: InMemoryServer) -> None:
        self.guest, self.connection = node.connect(), ClientConnection("test")

    async def receive(self) -> object:
        frame = await self.guest.outbox.get()
        assert frame is not None
        return self.connection.receive(frame.decode())

    async def begin(self, *requests: Request) -> None:
        await self.guest.send_frame(self.connection.send_hello().decode())
        await self.receive()
        for request in requests:
            await self.guest.send_frame(self.connection.send(request).decode())


async def test_a_made_up_message_reaches_every_subscriber_through_both_state_machines(node: InMemoryServer) -> None:
    opener: InMemoryClient = await node.connect_and_greet()
    match = await opener.open_match()
    game = await node.matches.find(match)
    game.feed.unsubscribe(opener.outbox)
    ends = [RealEnd(node) for _ in range(2)]
    for end in ends:
        await end.begin(Watch("w", match))
        assert isinstance(await end.receive(), Watching)
        assert isinstance(await end.receive(), VerifiedRecords)
    seen = PlayersSeen(match, 2)
    game.feed.broadcast(seen)  # type: ignore[arg-type]
    assert [await end.receive() for end in ends] == [seen, seen]
    assert all(end.connection.watched == (match,) for end in ends)

    game.feed.close_all()
    assert [await end.receive() for end in ends] == [Unwatched(match)] * 2
    assert not any(end.connection.watched or end.guest.outbox.connection.watched for end in ends)
    assert not game.feed


async def test_a_made_up_message_about_another_match_is_neither_sent_nor_accepted(node: InMemoryServer) -> None:
    end = RealEnd(node)
    await end.begin()
    stray = share(PlayersSeen(MatchId("another"), 1))  # type: ignore[arg-type]
    with pytest.raises(LocalProtocolError, match="not watched"):
        end.guest.outbox.send_shared(stray)
    with pytest.raises(ProtocolError, match="not watched"):
        end.connection.receive(stray.frame.decode())
