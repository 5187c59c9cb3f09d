"""What became of an attempt to send a notice by one channel."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from msgspec import Struct

from diskwars_server.notices.texts import Message
from diskwars_server.store.notices import Delivery, StoredChannel


class Sent(Struct, frozen=True):
    """The receiver has taken it."""


class Failed(Struct, frozen=True):
    """The receiver may take it later. `retry_after_seconds` is what it asks for."""

    why: str
    retry_after_seconds: int | None = None


class Rejected(Struct, frozen=True):
    """The receiver will never take it. `is_gone`: nor anything else, so that the channel is removed."""

    why: str
    is_gone: bool = False


Outcome: TypeAlias = Sent | Failed | Rejected
SendMessage: TypeAlias = Callable[[StoredChannel, Delivery, Message], Awaitable[Outcome]]
"""Sends by the channels of one kind. It raises nothing that it foresees."""
