"""Every node knows which players are online: from messages that may get lost, and no longer than they hold."""

from typing import cast

import pytest

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.bus.bus import MAX_MESSAGE_BYTES, LocalBus, LocalNode
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.players.presence import BATCH_PLAYERS, CHANGES_PER_ROUND, LIFETIME_MS, SUBJECT, OnlinePlayers

ANN, BOB = PlayerId("p-ann"), PlayerId("p-bob")


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


class Node:
    """A node with its connections: only their number matters here."""

    def __init__(self, bus: LocalNode, name: str, clock: Clock) -> None:
        self.connected = ConnectedPlayers()
        self.online = OnlinePlayers(self.connected, bus, name, clock)

    def connect(self, player: PlayerId) -> Outbox:
        outbox = cast(Outbox, object())
        self.connected.add(player, "", outbox)
        return outbox


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bus() -> LocalBus:
    return LocalBus()


@pytest.fixture
def nodes(bus: LocalBus, clock: Clock) -> tuple[Node, Node]:
    return Node(bus.join(), "one", clock), Node(bus.join(), "two", clock)


def test_player_is_online_on_every_node_and_gone_once_they_leave(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    outbox = here.connect(ANN)
    assert here.online.is_online(ANN)
    here.online.publish()
    assert there.online.is_online(ANN)
    assert not there.online.is_online(BOB)
    here.connected.remove(ANN, outbox)
    here.online.publish()
    assert not here.online.is_online(ANN)
    assert not there.online.is_online(ANN)


def test_player_who_comes_between_two_rounds_is_published_at_the_next_look(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    here.online.publish()
    here.connect(ANN)
    here.online.publish()
    assert there.online.is_online(ANN)


def test_player_with_two_nodes_is_online_until_both_have_lost_them(bus: LocalBus, clock: Clock) -> None:
    first, second, third = (Node(bus.join(), name, clock) for name in ("one", "two", "three"))
    outbox, other = first.connect(ANN), second.connect(ANN)
    first.online.publish()
    second.online.publish()
    first.connected.remove(ANN, outbox)
    first.online.publish()
    assert third.online.is_online(ANN)
    second.connected.remove(ANN, other)
    second.online.publish()
    assert not third.online.is_online(ANN)


def test_node_that_starts_later_learns_of_everybody_within_a_round(bus: LocalBus, clock: Clock) -> None:
    here = Node(bus.join(), "one", clock)
    here.connect(ANN)
    here.online.publish()
    late = Node(bus.join(), "two", clock)
    for _ in range(CHANGES_PER_ROUND):
        here.online.publish()
    assert late.online.is_online(ANN)


def test_players_of_a_silent_node_are_forgotten(nodes: tuple[Node, Node], clock: Clock) -> None:
    here, there = nodes
    here.connect(ANN)
    here.online.publish()
    clock.now += LIFETIME_MS - 1
    assert there.online.is_online(ANN)
    clock.now += 1
    assert not there.online.is_online(ANN)
    for _ in range(CHANGES_PER_ROUND + 1):
        there.online.publish()
    assert not there.online._remote


def test_players_of_a_node_that_stops_have_left(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    here.connect(ANN)
    here.online.publish()
    here.online.close()
    assert not there.online.is_online(ANN)


def test_messages_of_many_players_stay_within_the_limit_of_the_bus(bus: LocalBus, clock: Clock) -> None:
    here, listener = Node(bus.join(), "one", clock), bus.join()
    sizes: list[int] = []
    listener.subscribe(SUBJECT, lambda message: sizes.append(len(message)))
    for number in range(2 * BATCH_PLAYERS + 1):
        here.connect(PlayerId(f"{number:040}"))
    here.online.publish()
    assert len(sizes) == 3
    assert max(sizes) <= MAX_MESSAGE_BYTES


def test_message_that_no_node_sends_is_passed_over(nodes: tuple[Node, Node], bus: LocalBus) -> None:
    stranger = bus.join()
    for message in (b"", b"\xff", b'{"node": 1}', b'{"node": "x", "online": 5}', b"[]"):
        stranger.publish(SUBJECT, message)
    assert not nodes[0].online.is_online(ANN)


def test_players_beyond_the_limit_are_not_kept(nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diskwars_server.players.presence.MAX_REMOTE_PLAYERS", 1)
    here, there = nodes
    here.connect(ANN)
    here.connect(BOB)
    here.online.publish()
    assert [there.online.is_online(player) for player in (ANN, BOB)] == [True, False]


def test_closed_node_takes_no_message(nodes: tuple[Node, Node]) -> None:
    here, there = nodes
    there.online.close()
    here.connect(ANN)
    here.online.publish()
    assert not there.online.is_online(ANN)
