"""Links in mail: one confirms an address, one ends mail to it. Each proves itself, and needs no log-in."""

import hashlib
from collections.abc import Callable
from typing import Literal, TypeAlias

from itsdangerous import BadSignature, TimestampSigner
from msgspec import Struct

from diskwars_server.store.notices import StoredChannel

CONFIRM_SECONDS = 7 * 86_400
LinkKind: TypeAlias = Literal["confirm", "stop"]


class LinkedChannel(Struct, frozen=True):
    """The player and the channel that a link is about."""

    player: str
    channel: str


class _ClockedSigner(TimestampSigner):
    """Reads the clock that it is given, in milliseconds."""

    def __init__(self, key: bytes, salt: bytes, clock: Callable[[], int]) -> None:
        super().__init__(key, salt=salt, sep=b"~", digest_method=hashlib.sha256)
        self._clock = clock

    def get_timestamp(self) -> int:
        return self._clock() // 1000


class NoticeLinks:
    """Makes and reads the links of one server."""

    def __init__(self, key: bytes, clock: Callable[[], int], public_url: str) -> None:
        """`key` is the server's signing key, `public_url` the address at which players reach its page."""
        self._signers = {kind: _ClockedSigner(key, b"diskwars notices " + kind.encode(), clock) for kind in _KINDS}
        self.home = public_url.rstrip("/") + "/"

    def to_match(self, match: str) -> str:
        return f"{self.home}m/{match}"

    def make(self, kind: LinkKind, channel: StoredChannel) -> str:
        """Return the link for a channel."""
        return f"{self.home}notices/{kind}/{self.token(kind, channel)}"

    def token(self, kind: LinkKind, channel: StoredChannel) -> str:
        return self._signers[kind].sign(f"{channel.player}.{channel.channel}").decode()

    def read(self, kind: LinkKind, token: str) -> LinkedChannel | None:
        """Return what a link is about; None for one that is not genuine, or for a confirmation that came too late."""
        max_age = CONFIRM_SECONDS if kind == "confirm" else None
        try:
            player, _, channel = self._signers[kind].unsign(token, max_age=max_age).decode().partition(".")
        except (BadSignature, UnicodeError):
            return None
        return LinkedChannel(player, channel)


_KINDS: tuple[LinkKind, ...] = ("confirm", "stop")
