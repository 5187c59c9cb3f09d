"""Tokens that prove who a guest is, signed with a key that only the server's store holds.

Also makes ids that tell nothing. The tokens of players with an account are those of `account_service`.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable

from itsdangerous import BadSignature, TimestampSigner

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.closing import CloseReason

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 letters and digits that cannot be mistaken for one another; the first half are letters."""


INVITE_PREFIX = "invite-"
_PLAYER_ID_LENGTH = 16
_PLAYER_ID = re.compile(f"[{_ALPHABET[:16]}][{_ALPHABET}]{{{_PLAYER_ID_LENGTH - 1}}}")


class TokenError(Exception):
    """A token that proves nothing."""

    close_reason: CloseReason = "token_bad"


class TokenExpired(TokenError):
    """A genuine token that was not used for too long."""

    close_reason: CloseReason = "token_expired"


class TokenRevoked(TokenError):
    """A token that proves nothing any more."""

    close_reason: CloseReason = "token_revoked"


class PlayerBanned(TokenError):
    """A genuine token of a player who is kept out for now."""

    close_reason: CloseReason = "banned"


def opaque_id(entropy: bytes) -> str:
    """Return a short id for addresses and command lines: five bits of each byte, the first a letter."""
    first, *rest = entropy
    return _ALPHABET[first % 16] + "".join(_ALPHABET[byte % 32] for byte in rest)


def has_form_of_player_id(text: str) -> bool:
    """Return whether a text may be the id of a player."""
    return _PLAYER_ID.fullmatch(text) is not None


class _Signer(TimestampSigner):
    """Reads the clock that it is given, in milliseconds."""

    def __init__(self, key: bytes, clock: Callable[[], int]) -> None:
        super().__init__(key, salt=b"diskwars player", digest_method=hashlib.sha256)
        self._clock = clock

    def get_timestamp(self) -> int:
        return self._clock() // 1000


class TokenIssuer:
    """Issues and verifies the tokens of guests. They never expire: nothing else could give guests their seats back."""

    def __init__(self, key: bytes, clock: Callable[[], int]) -> None:
        self._key = key
        self._signer = _Signer(key, clock)

    def make_guest(self) -> PlayerId:
        """Return the id of a new player."""
        return PlayerId(opaque_id(secrets.token_bytes(_PLAYER_ID_LENGTH)))

    def issue(self, player: PlayerId) -> str:
        return self._signer.sign(player).decode()

    def verify(self, token: str) -> PlayerId:
        """Return whose token it is. Raises TokenError for one that is not genuine."""
        try:
            return PlayerId(self._signer.unsign(token).decode())
        except (BadSignature, UnicodeError):
            raise TokenError("this is not a token of this server") from None

    def derive_match_id(self, player: PlayerId, command: str) -> str:
        """Return the id of the match that a player's command opens: unforeseeable, the same for the same command."""
        words = (player.encode(), command.encode())
        message = b"".join(len(word).to_bytes(4, "big") + word for word in words)
        return opaque_id(hmac.digest(self._key, b"diskwars match" + message, "sha256")[:12])

    def hash_user_code(self, letters: str) -> bytes:
        """Return what is stored of a code that players type: of its 35 bits a hash without a key could be guessed."""
        return hmac.digest(self._key, b"diskwars user code" + letters.encode("utf-8", "surrogatepass"), "sha256")

    def derive_device_secret(self, device_code: str) -> bytes:
        """Return what makes the token of a login by code: the same for the same code, so that an answer may be lost."""
        return hmac.digest(self._key, b"diskwars device token" + device_code.encode("utf-8", "surrogatepass"), "sha256")

    def derive_invite(self, player: PlayerId, match: str, command: str) -> tuple[str, str]:
        """Return the id and the code of the invite that a command makes: unforeseeable, the same for the same command.

        The id tells nothing of the code.
        """
        words = (player.encode(), match.encode(), command.encode())
        message = b"".join(len(word).to_bytes(4, "big") + word for word in words)
        digest = hmac.digest(self._key, b"diskwars invite" + message, "sha256")
        return opaque_id(digest[:10]), INVITE_PREFIX + opaque_id(digest[10:26])
