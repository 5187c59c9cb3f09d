"""Addresses that must not be reached are refused, in every way in which they can be written."""

import ipaddress

import pytest

from diskwars_server.notices.addresses import BadAddress, ReachableAddresses, is_public, parse_networks

PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
BAD_URLS = [
    *(f"https://[{address}]/x" if ":" in address else f"https://{address}/x" for address in PRIVATE),
    "http://example.org/",
    "http://93.184.216.34/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "//example.org/",
    "https://",
    "https:///x",
    "https://user@example.org/",
    "https://user:pass@example.org/",
    "https://example.org@127.0.0.1/",
    "https://example.org\\@127.0.0.1/",
    "https://exam ple.org/",
    "https://example.org/\r\nHost: other",
    "https://ex\u00e4mple.org/",
    "https://[fe80::1%25eth0]/",
    "https://[::1/",
    "https://example.org:0/",
    "https://example.org:99999/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.0.0.01/",
    "https://0/",
    "https://127.1./",
    "https://example.0x1/",
    "",
]


@pytest.mark.parametrize("url", BAD_URLS)
def test_url_that_must_not_be_reached_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        ReachableAddresses().check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org:8443/a/b?c=d",
        "https://93.184.216.34/x",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/x",
        "https://[64:ff9b::5db8:d822]/",
    ],
)
def test_url_on_the_public_internet_is_taken(url: str) -> None:
    ReachableAddresses().check_url(url)


def test_operator_allows_networks_without_tls_and_nothing_beside_them() -> None:
    reachable = ReachableAddresses(parse_networks(["10.0.0.0/8", "fd00::1"]))
    for url in ("http://10.1.2.3:8080/ntfy", "https://10.1.2.3/", "http://[fd00::1]/"):
        reachable.check_url(url)
    for url in ("http://11.1.2.3/", "http://[fd00::2]/", "http://example.org/", "https://127.0.0.1/"):
        with pytest.raises(BadAddress):
            reachable.check_url(url)


@pytest.mark.parametrize("text", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111"])
def test_ordinary_address_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))
