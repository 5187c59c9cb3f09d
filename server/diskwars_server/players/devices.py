"""Devices of accounts as clients name them, and their tokens and passwords: checks, and what is stored of them."""

import base64
import hashlib
import secrets
from collections.abc import Sequence

from diskwars_protocol.messages.accounts import MAX_DEVICE_NAME_LENGTH
from diskwars_server.players.passwords import BadPassword, normalize_password
from diskwars_server.players.tokens import opaque_id
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import StoredDevice

DEVICE_TOKEN_PREFIX = "device_"
"""The prefix of the tokens of devices; programs that look for leaked secrets can find them by it."""
API_TOKEN_PREFIX = "api_"
"""The prefix of tokens for the HTTP interface."""
_TOKEN_BYTES, _DEVICE_ID_BYTES = 32, 10


def check_password(password: str, place: str) -> None:
    try:
        normalize_password(password)
    except BadPassword as fault:
        raise Refusal("bad_password", str(fault), place) from None


def check_device_name(typed: str | None) -> str:
    """Return what a player calls a device. Raises Refusal."""
    name = typed or ""
    if len(name) > MAX_DEVICE_NAME_LENGTH or not name.isprintable():
        problem = f"a device name has at most {MAX_DEVICE_NAME_LENGTH} characters that can be printed"
        raise Refusal("bad_name", problem, "$.device_name")
    return name


def make_device(player: str, name: str, now: int) -> tuple[str, StoredDevice]:
    """Return a new token and the device that it stands for."""
    token = DEVICE_TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    device = opaque_id(secrets.token_bytes(_DEVICE_ID_BYTES))
    return token, StoredDevice(player, device, hash_token(token), now, now, name)


def make_api_device(player: str, name: str, scopes: Sequence[str], now: int) -> tuple[str, StoredDevice]:
    """Return a new token for the HTTP interface, and what is stored of it."""
    token = API_TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    device = opaque_id(secrets.token_bytes(_DEVICE_ID_BYTES))
    return token, StoredDevice(player, device, hash_token(token), now, now, name, tuple(scopes))


def make_derived_device(
    secret: bytes, player: str, name: str, scopes: Sequence[str], now: int
) -> tuple[str, StoredDevice]:
    """Return the token that a secret makes, and the device that it stands for; with scopes it is one for HTTP."""
    token = derived_token(secret, is_api=bool(scopes))
    device = opaque_id(secrets.token_bytes(_DEVICE_ID_BYTES))
    return token, StoredDevice(player, device, hash_token(token), now, now, name, tuple(scopes))


def derived_token(secret: bytes, *, is_api: bool) -> str:
    encoded = base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
    return (API_TOKEN_PREFIX if is_api else DEVICE_TOKEN_PREFIX) + encoded


def hash_token(token: str) -> bytes:
    """Return what is stored of a token: 256 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
