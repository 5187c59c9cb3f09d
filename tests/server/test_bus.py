"""Every node is notified of the matches that another node has moved on."""

from diskwars_protocol.match import MatchId
from diskwars_server.bus import LocalBus

M = MatchId("m")


def test_listeners_are_notified_of_what_other_nodes_publish_until_they_stop() -> None:
    bus = LocalBus()
    publisher, second, third = bus.join(), bus.join(), bus.join()
    seen_by_second: list[tuple[str, int]] = []
    seen_by_third: list[tuple[str, int]] = []
    stop = second.subscribe(lambda match, head: seen_by_second.append((match, head)))
    third.subscribe(lambda match, head: seen_by_third.append((match, head)))
    publisher.publish_head(M, 1)
    stop()
    stop()
    publisher.publish_head(M, 2)
    assert seen_by_second == [("m", 1)]
    assert seen_by_third == [("m", 1), ("m", 2)]


def test_a_node_is_not_notified_of_what_it_publishes_itself() -> None:
    bus = LocalBus()
    one, other = bus.join(), bus.join()
    seen: list[str] = []
    one.subscribe(lambda match, head: seen.append(f"one {head}"))
    other.subscribe(lambda match, head: seen.append(f"other {head}"))
    one.publish_head(M, 1)
    other.publish_head(M, 2)
    assert seen == ["other 1", "one 2"]


def test_listener_may_stop_while_it_is_notified() -> None:
    bus = LocalBus()
    publisher, node = bus.join(), bus.join()
    seen: list[int] = []

    def once(match: MatchId, head: int) -> None:
        seen.append(head)
        stop()

    stop = node.subscribe(once)
    node.subscribe(lambda match, head: seen.append(-head))
    publisher.publish_head(M, 1)
    publisher.publish_head(M, 2)
    assert seen == [1, -1, -2]
