"""Addresses that players name: whether the server may reach them.

What only this machine or its network can reach is refused: an address of it, a name that leads there, and an IPv6
address that stands for it. An operator may allow networks.
"""

import ipaddress
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias
from urllib.parse import urlsplit

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")
_UNROUTED = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "5f00::/16", "3fff::/20", "2001::/23")))
"""Special networks that the standard library of some supported Pythons calls global."""


class BadAddress(Exception):
    """Nothing is sent to this address; the text says why."""


class ReachableAddresses:
    """The public internet with https, and the networks that the operator allows, there also without TLS."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)

    def check_url(self, url: str) -> None:
        """Raise BadAddress for what is never sent to, as far as the address itself says so."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise BadAddress("this is not an address") from None
        if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
            raise BadAddress("an address has printable ASCII characters only; write others with % and punycode")
        if parts.scheme not in ("https", "http") or not host or port == 0:
            raise BadAddress("an address begins with https:// and a host")
        if parts.username is not None or parts.password is not None:
            raise BadAddress("an address holds no user name")
        address = _read_address(host)
        if address is not None:
            self.require(address)
        elif _is_numeric(host):
            raise BadAddress("an address of numbers has four of them, each up to 255")
        if parts.scheme == "http" and not (address is not None and self._is_allowed(address)):
            raise BadAddress("only https is sent to")

    def require(self, address: Address) -> None:
        """Raise BadAddress for one that must not be reached."""
        if not (self._is_allowed(address) or is_public(address)):
            raise BadAddress("this address is not on the public internet")

    def _is_allowed(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._allowed)


def _is_numeric(host: str) -> bool:
    """Return whether a resolver may read a host as an IPv4 address in another form: one number, octal, hex."""
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdecimal() or last.startswith("0x")


def _read_address(host: str) -> Address | None:
    """Return the address that a host is written as, None for a name. Raises BadAddress for an IPv6 zone."""
    if "%" in host:
        raise BadAddress("an address names no zone")
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Return whether an address, and the one that it stands for, is on the public internet."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if address in _LOCAL_NAT64 or address.is_site_local:
            return False
    if any(address.version == network.version and address in network for network in _UNROUTED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved and not address.is_unspecified


def parse_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Return networks such as `10.0.0.0/8`. Raises ValueError."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in texts)
