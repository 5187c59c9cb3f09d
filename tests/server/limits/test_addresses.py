"""Proxies that are trusted name the client, and no header of anybody else counts."""

import logging
from collections.abc import Callable, Sequence

import pytest

from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.limits.addresses import MAX_WARNINGS, UNKNOWN, ClientAddresses
from diskwars_server.settings import ServerSettings

STRANGER = ("9.9.9.9", 5)
PROXY = ("10.0.0.9", 5)


def x_forwarded_for(*values: str) -> Callable[[str], Sequence[str]]:
    return lambda name: values if name == "x-forwarded-for" else ()


def forwarded(*values: str) -> Callable[[str], Sequence[str]]:
    return lambda name: values if name == "forwarded" else ()


NO_HEADER = x_forwarded_for()


def test_no_proxy_is_trusted_unless_the_host_says_so() -> None:
    assert ServerSettings().proxies == ()
    clients = AddressQuotas(QuotaLimits(), lambda: 0).clients
    for peer in (("127.0.0.1", 5), ("::1", 5, 0, 0)):
        assert clients.of_peer(peer) != UNKNOWN
        assert clients.of_request(peer, x_forwarded_for("203.0.113.9")) == clients.of_peer(peer)


def test_address_of_a_proxy_is_the_one_it_names() -> None:
    clients = ClientAddresses(("127.0.0.1", "10.0.0.9"))
    assert clients.of_peer(PROXY) == UNKNOWN, "until the request has come"
    assert clients.of_peer("") == UNKNOWN
    assert clients.of_peer(("203.0.113.9", 5)) == "203.0.113.9"
    for headers in (["9.9.9.9, 203.0.113.9"], ["9.9.9.9", "203.0.113.9"]):
        assert clients.of_request(PROXY, x_forwarded_for(*headers)) == "203.0.113.9", "the rest is the client's claim"


def test_client_whom_no_proxy_names_counts_as_the_proxy() -> None:
    clients = ClientAddresses(("10.0.0.0/8",))
    nobody = [NO_HEADER, x_forwarded_for(""), x_forwarded_for("6.6.6.6, "), x_forwarded_for("10.0.0.7, 10.0.0.8")]
    assert {clients.of_request(PROXY, headers) for headers in nobody} == {"proxy 10.0.0.9"}
    assert clients.of_request(("10.0.0.8", 5), NO_HEADER) == "proxy 10.0.0.8", "each proxy counts by itself"


def test_addresses_of_one_ipv6_network_count_as_one() -> None:
    clients = ClientAddresses()
    first, second = ("2001:db8:1:2::1", 5, 0, 0), ("2001:db8:1:2:ffff::9%eth0", 6, 0, 0)
    assert clients.of_peer(first) == clients.of_peer(second) == "2001:db8:1:2::/64"
    assert clients.of_peer(("::ffff:203.0.113.9", 5, 0, 0)) == "203.0.113.9"


def test_chain_of_proxies_is_passed_over_from_the_right() -> None:
    clients = ClientAddresses(("10.0.0.0/8", "2001:db8:ffff::/48"))
    assert clients.of_peer(("10.200.3.4", 5)) == UNKNOWN
    assert clients.of_peer(("::ffff:10.200.3.4", 5, 0, 0)) == UNKNOWN
    assert clients.of_peer(("11.0.0.1", 5)) == "11.0.0.1"
    chain = x_forwarded_for("6.6.6.6, 203.0.113.9, 10.0.0.7", "2001:db8:ffff::2")
    assert clients.of_request(PROXY, chain) == "203.0.113.9"
    assert clients.of_request(PROXY, x_forwarded_for("203.0.113.9:4711")) == "203.0.113.9"
    assert clients.of_request(PROXY, x_forwarded_for("[2001:db8::5]:4711")) == "2001:db8::/64"


def test_forwarded_header_is_read_where_it_is_chosen() -> None:
    clients = ClientAddresses(("10.0.0.0/8",), "forwarded")
    header = 'for=6.6.6.6;proto=https, For="[2001:db8::5]:4711";by=10.0.0.7, for=10.0.0.8'
    assert clients.of_request(PROXY, forwarded(header)) == "2001:db8::/64"
    assert clients.of_request(PROXY, forwarded("for=203.0.113.9;host=a")) == "203.0.113.9"
    assert clients.of_request(PROXY, forwarded("for=_hidden")) == "_hidden"
    assert clients.of_request(PROXY, forwarded("proto=https")) == "proxy 10.0.0.9"
    assert clients.of_request(PROXY, x_forwarded_for("203.0.113.9")) == "proxy 10.0.0.9"


# ---------------------------------------------------------------- warnings


def warnings(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.message, record.__dict__.get("proxy", "")) for record in caplog.records]


def test_header_of_a_proxy_that_is_not_trusted_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    clients = ClientAddresses(("10.0.0.9",))
    caplog.set_level(logging.WARNING)
    assert clients.of_request(STRANGER, NO_HEADER) == STRANGER[0]
    assert not caplog.records, "most clients send no such header"
    for _ in range(3):
        assert clients.of_request(STRANGER, x_forwarded_for("198.51.100.1")) == STRANGER[0]
        assert clients.of_request(("10.0.0.8", 5), forwarded("for=198.51.100.1")) == "10.0.0.8"
        assert clients.of_request(("10.0.0.7", 5), forwarded("for=198.51.100.1")) == "10.0.0.7"
    ignored = "forwarded address ignored: its sender is not in --proxies"
    assert warnings(caplog) == [(ignored, ""), (ignored, "")], "no address is logged: it may be a player's"


def test_proxies_that_name_nobody_are_warned_of_once_each_and_not_without_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clients = ClientAddresses(("10.0.0.0/8",))
    for number in range(2 * MAX_WARNINGS):
        for _ in range(2):
            clients.of_request((f"10.0.0.{number}", 5), NO_HEADER)
    assert len(caplog.records) == MAX_WARNINGS
    assert warnings(caplog)[:2] == [
        ("proxy does not name its clients: they count as one", f"10.0.0.{number}") for number in (0, 1)
    ]
