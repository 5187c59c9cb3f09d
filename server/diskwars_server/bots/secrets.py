"""Secrets of the seats that bots of this server hold, derived from the server's key: nothing is stored.

Every node and every later run of a server derives the same ones, so that a bot plays on after a restart.
"""

import hmac
from functools import lru_cache

from diskwars_protocol.match.ids import DecisionId, MatchId, Seat
from diskwars_protocol.records.fairness import SALT_BYTES, SEAT_CHAIN_LENGTH, SEAT_LINK_BYTES, SeatChain

MAX_KEPT_CHAINS = 64


class BotSecrets:
    """Derives what a bot gives to its matches: hash chains, salts, and the seeds of its random numbers."""

    def __init__(self, key: bytes) -> None:
        """`key` is the one that signs tokens; each secret is derived under a label of its own."""
        self._key = key
        self._chain = lru_cache(MAX_KEPT_CHAINS)(self._make_chain)

    def chain_head(self, match: MatchId, seat: Seat, vacated_in: int = 0) -> str:
        """Return what the bot sends when it takes a seat.

        `vacated_in` is the record in which the seat was left before: each time, a bot has a chain of its own there.
        """
        return self._chain(match, seat, vacated_in).head.hex()

    def next_nonce(self, match: MatchId, seat: Seat, opened: str, vacated_in: int = 0) -> str:
        """Return the nonce that opens `opened`, the one before it or the head; empty at the end of the chain."""
        chain = self._chain(match, seat, vacated_in)
        links = (chain.link(k).hex() for k in range(SEAT_CHAIN_LENGTH + 1))
        for link in links:
            if link == opened:
                return next(links, "")
        return ""

    def salt(self, match: MatchId, seat: Seat, decision: DecisionId) -> str:
        return self._derive("salt", match, str(seat), decision)[:SALT_BYTES].hex()

    def seed(self, match: MatchId, seat: Seat, decision: DecisionId) -> str:
        """Return what the random numbers of one decision are made from."""
        return self._derive("seed", match, str(seat), decision).hex()

    def _make_chain(self, match: MatchId, seat: Seat, vacated_in: int) -> SeatChain:
        labels = (str(seat), str(vacated_in)) if vacated_in else (str(seat),)
        return SeatChain(self._derive("chain", match, *labels)[:SEAT_LINK_BYTES])

    def _derive(self, *labels: str) -> bytes:
        words = [label.encode() for label in labels]
        message = b"".join(len(word).to_bytes(4, "big") + word for word in words)
        return hmac.digest(self._key, b"diskwars bot" + message, "sha256")
