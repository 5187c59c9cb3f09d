"""Tokens, which prove that a guest is the same player as before, and random ids.

Tokens are dated and signed with a key that only the server's store holds.
"""

import hashlib
import hmac
import secrets as entropy
from collections.abc import Callable

from itsdangerous import BadSignature, SignatureExpired, TimestampSigner

from diskwars_protocol.match import PlayerId

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 letters and digits that nobody mistakes for one another; the first half are letters."""


class TokenError(Exception):
    """A token that proves nothing. `word` is the close code's word for it."""

    close_reason = "token_bad"


class TokenExpired(TokenError):
    """It was good once."""

    close_reason = "token_expired"


def opaque_id(entropy: bytes) -> str:
    """Return a short id for addresses and command lines, five bits a byte, beginning with a letter."""
    first, *rest = entropy
    return _ALPHABET[first % 16] + "".join(_ALPHABET[byte % 32] for byte in rest)


class _Signer(TimestampSigner):
    """Reads the clock that it is handed, in milliseconds."""

    def __init__(self, key: bytes, clock: Callable[[], int]) -> None:
        super().__init__(key, salt=b"diskwars player", digest_method=hashlib.sha256)
        self._clock = clock

    def get_timestamp(self) -> int:
        return self._clock() // 1000


class TokenIssuer:
    """Gives tokens and reads them. `lifetime` in seconds; every hello gives a new one."""

    def __init__(self, key: bytes, lifetime: int, clock: Callable[[], int]) -> None:
        self._key = key
        self._signer = _Signer(key, clock)
        self._lifetime = lifetime

    def make_guest(self) -> PlayerId:
        """Somebody new."""
        return PlayerId(opaque_id(entropy.token_bytes(16)))

    def issue(self, player: PlayerId) -> str:
        return self._signer.sign(player).decode()

    def verify(self, token: str) -> PlayerId:
        """Raise TokenExpired or TokenError."""
        try:
            return PlayerId(self._signer.unsign(token, max_age=self._lifetime).decode())
        except SignatureExpired:
            raise TokenExpired("the token has expired: send hello without one") from None
        except (BadSignature, UnicodeError):
            raise TokenError("this is no token of this server") from None

    def derive_match_id(self, player: PlayerId, command: str) -> str:
        """The id of the match that a player's command opens: nobody can foresee it, and asked again it is the same."""
        asked = b"".join(len(word).to_bytes(4, "big") + word for word in (player.encode(), command.encode()))
        return opaque_id(hmac.digest(self._key, b"diskwars match" + asked, "sha256")[:12])
