"""A bus whose messages are signed: for those that a node acts on without looking into the database.

A message that names a match or a record needs no signature: it makes a node read what is stored, which alone decides.
"""

import hashlib
import hmac
import logging
from collections.abc import Callable

from diskwars_server.bus.bus import MAX_MESSAGE_BYTES, Bus, BusState, Listener

log = logging.getLogger(__name__)

KEY_LABEL = b"diskwars bus messages\0"
"""Sets this key apart from what else is derived from the key of the database."""
MAX_AGE_MS = 60_000
"""Greatest age of a message, and lead of the clock of its node: a recorded message is worth nothing afterwards."""
MAX_REMEMBERED = 4096
"""Messages that are known as taken, so that none is taken twice within its time; beyond that the oldest is forgotten.

Nodes send a few of them in a second.
"""
TIME_BYTES, MAC_BYTES = 8, 32
MAX_SIGNED_BYTES = MAX_MESSAGE_BYTES - TIME_BYTES - MAC_BYTES


class SignedBus(Bus):
    """Signs what is published, and passes on what a node with the same key has signed lately, once.

    The signature covers the subject and the time, so that no message stands for another one or for a later one.
    """

    def __init__(self, bus: Bus, key: bytes, clock: Callable[[], int]) -> None:
        """`key` is that of the database, which all of its nodes have; `clock` gives milliseconds."""
        self._bus, self._clock = bus, clock
        self._key = hashlib.sha256(KEY_LABEL + key).digest()
        self._taken: dict[bytes, None] = {}
        self._has_refused = False

    @property
    def state(self) -> BusState:
        return self._bus.state

    def publish(self, subject: str, message: bytes) -> None:
        if len(message) > MAX_SIGNED_BYTES:
            return
        signed = self._clock().to_bytes(TIME_BYTES, "big") + message
        self._bus.publish(subject, self._sign(subject, signed) + signed)

    def subscribe(self, subject: str, listener: Listener) -> Callable[[], None]:
        def receive(message: bytes) -> None:
            if self._accept(subject, message):
                listener(message[MAC_BYTES + TIME_BYTES :])

        return self._bus.subscribe(subject, receive)

    def _accept(self, subject: str, message: bytes) -> bool:
        mac, signed = message[:MAC_BYTES], message[MAC_BYTES:]
        if len(signed) < TIME_BYTES or not hmac.compare_digest(mac, self._sign(subject, signed)):
            return self._refuse(subject, "no node of this database has signed it")
        age_ms = self._clock() - int.from_bytes(signed[:TIME_BYTES], "big")
        if abs(age_ms) > MAX_AGE_MS:
            return self._refuse(subject, "it is old, or the clocks of the nodes differ by more than a minute")
        if mac in self._taken:
            return False  # the bus may repeat messages
        self._taken[mac] = None
        if len(self._taken) > MAX_REMEMBERED:
            del self._taken[next(iter(self._taken))]
        return True

    def _refuse(self, subject: str, why: str) -> bool:
        # Once: who can publish here could fill the log. What it says is to be looked into in any case.
        if not self._has_refused:
            log.warning("message on the bus refused", extra={"subject": subject, "why": why})
        self._has_refused = True
        return False

    def _sign(self, subject: str, signed: bytes) -> bytes:
        return hmac.digest(self._key, subject.encode() + b"\0" + signed, "sha256")
