"""Every listener is notified of a match that has moved on."""

from diskwars_protocol.match import MatchId
from diskwars_server.bus import LocalBus

M = MatchId("m")


def test_every_listener_is_notified_of_every_move_until_it_stops() -> None:
    bus = LocalBus()
    one: list[tuple[str, int]] = []
    other: list[tuple[str, int]] = []
    stop = bus.subscribe(lambda match, head: one.append((match, head)))
    bus.subscribe(lambda match, head: other.append((match, head)))
    bus.publish_head(M, 1)
    stop()
    stop()
    bus.publish_head(M, 2)
    assert one == [("m", 1)]
    assert other == [("m", 1), ("m", 2)]


def test_listener_may_stop_while_it_is_notified() -> None:
    bus = LocalBus()
    heard: list[int] = []

    def once(match: MatchId, head: int) -> None:
        heard.append(head)
        stop()

    stop = bus.subscribe(once)
    bus.subscribe(lambda match, head: heard.append(-head))
    bus.publish_head(M, 1)
    bus.publish_head(M, 2)
    assert heard == [1, -1, -2]
