"""Messages that nodes act on without the database are taken only from nodes of the same database, and only once."""

import logging

import pytest

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.bus.bus import LocalBus
from diskwars_server.bus.signed import MAX_AGE_MS, MAX_REMEMBERED, MAX_SIGNED_BYTES, SignedBus
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.players.logouts import SUBJECT, Logouts
from tests.server.in_memory_server import ManualClock

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
LOGOUT = b'{"player":"ann","device":"phone","are_others":false}'


class Network:
    """Two nodes of one database, and everything that goes over the bus between them."""

    def __init__(self) -> None:
        self.clock, self.bus = ManualClock(), LocalBus()
        self.stranger = self.bus.join()
        self.here, self.there = [SignedBus(self.bus.join(), KEY, self.clock) for _ in range(2)]
        self.wire: list[bytes] = []
        self.taken: list[bytes] = []
        self.stranger.subscribe("s", self.wire.append)
        self.there.subscribe("s", self.taken.append)


@pytest.fixture
def network() -> Network:
    return Network()


def test_signed_messages_arrive_as_they_were_sent(network: Network) -> None:
    for message in (b"", b"one", bytes(MAX_SIGNED_BYTES), bytes(MAX_SIGNED_BYTES + 1)):
        network.here.publish("s", message)
    assert network.taken == [b"", b"one", bytes(MAX_SIGNED_BYTES)]
    assert network.there.state == "none"


@pytest.mark.parametrize("forged", [b"", b"one", LOGOUT, bytes(39), bytes(40), bytes(400)])
def test_unsigned_messages_are_ignored(network: Network, forged: bytes) -> None:
    network.stranger.publish("s", forged)
    assert network.taken == []


def test_messages_of_another_database_or_changed_ones_are_ignored(network: Network) -> None:
    SignedBus(network.bus.join(), OTHER_KEY, network.clock).publish("s", b"one")
    network.here.publish("s", b"two")
    assert network.taken == [b"two"]
    signed = network.wire[-1]
    for place in range(len(signed)):
        network.stranger.publish("s", signed[:place] + bytes([signed[place] ^ 1]) + signed[place + 1 :])
    assert network.taken == [b"two"]


def test_message_of_one_subject_is_none_of_another(network: Network) -> None:
    others: list[bytes] = []
    network.there.subscribe("other", others.append)
    network.here.publish("s", b"one")
    network.stranger.publish("other", network.wire[-1])
    assert others == []


def test_recorded_message_is_taken_once_and_not_when_it_is_old(network: Network) -> None:
    network.here.publish("s", b"one")
    network.stranger.publish("s", network.wire[-1])
    assert network.taken == [b"one"]
    network.here.publish("unheard", b"two")
    network.clock.now += 1
    network.here.publish("s", b"one")
    assert network.taken == [b"one", b"one"], "another one with the same text"
    late = Network()
    late.clock.now = network.clock.now + MAX_AGE_MS
    late.stranger.publish("s", network.wire[-1])
    assert late.taken == [b"one"]
    for clock in (network.clock.now + MAX_AGE_MS + 1, network.clock.now - MAX_AGE_MS - 1):
        late = Network()
        late.clock.now = clock
        late.stranger.publish("s", network.wire[-1])
        assert late.taken == []


def test_memory_of_taken_messages_is_bounded(network: Network) -> None:
    for number in range(MAX_REMEMBERED + 10):
        network.here.publish("s", b"%d" % number)
    assert len(network.taken) == MAX_REMEMBERED + 10
    assert len(network.there._taken) == MAX_REMEMBERED


def test_refused_messages_are_logged_once_and_not_quoted(network: Network, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            network.stranger.publish("s", b"forged")
    assert [record.message for record in caplog.records] == ["message on the bus refused"]
    assert "forged" not in str(vars(caplog.records[0]))


def test_stranger_on_the_bus_logs_nobody_out() -> None:
    network, carried_out = Network(), list[tuple[PlayerId, str, bool]]()

    class Watched(ConnectedPlayers):
        def carry_out_logout(self, player: PlayerId, device: str, are_others: bool) -> None:
            carried_out.append((player, device, are_others))

    here, there = Watched(), Watched()
    Logouts(here, network.here)
    Logouts(there, network.there)
    network.stranger.publish(SUBJECT, LOGOUT)
    assert carried_out == []
    here.announce_logout(PlayerId("ann"), "phone", False)
    assert carried_out == [("ann", "phone", False)]
