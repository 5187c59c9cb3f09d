"""Fair dice: hash chains of server and seats, keys of steps, draws and shuffles, commitments to cards.

Nobody can choose or predict the dice, and everybody can check them afterwards; docs/fairness.md is the specification.
The secrets are passed in, none are drawn here.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import msgspec

SERVER_CHAIN_LENGTH = 512
SEAT_CHAIN_LENGTH = 512
MAX_SEATS = 4
SERVER_LINK_BYTES = 32
SEAT_LINK_BYTES = 16
SALT_BYTES = 16
ZERO_SEAT_NONCE = bytes(SEAT_LINK_BYTES)
INITIAL_KEY = bytes(32)
SHUFFLE_KIND = "shuffle"

_CHECKPOINT_INTERVAL = 64
_UINT64_VALUES = 2**64
_CARD_TAG = b"diskwars command card 1"

SeatNonces: TypeAlias = tuple[str, ...]
"""What the seats gave to one step, in the order of the seats: 32 lower-case hex digits, or "" for nothing."""


class FairnessError(Exception):
    """Root of everything this module refuses."""


class ChainExhausted(FairnessError):
    """A hash chain has no such link."""


class BadLink(FairnessError):
    """A published link of the server does not belong to its chain."""

    def __init__(self, step: int, why: str) -> None:
        super().__init__(f"step {step}: {why}")
        self.step = step
        self.problem = why


class BadSeatNonce(FairnessError):
    """A value in a step is no seat nonce, or there are more of them than seats."""


class NoStepBegun(FairnessError):
    """Dice were asked for before the first step had begun."""


# --- chains ---------------------------------------------------------------------------------------------------------


class ServerChain:
    """`link(k)` with link(k) = SHA-256(link(k + 1)); everything follows from the far end, which is secret.

    Keeps one link in 64, and the 64 below the one asked for last: steps come one after another. A link costs at most
    64 hashes and a live match about 5 KB.
    """

    def __init__(self, far_end: bytes) -> None:
        if len(far_end) != SERVER_LINK_BYTES:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SERVER_LINK_BYTES}")
        self._checkpoints = {SERVER_CHAIN_LENGTH: far_end}
        link, sha256 = far_end, hashlib.sha256
        for k in range(SERVER_CHAIN_LENGTH - _CHECKPOINT_INTERVAL, 0, -_CHECKPOINT_INTERVAL):
            for _ in range(_CHECKPOINT_INTERVAL):
                link = sha256(link).digest()
            self._checkpoints[k] = link
        self._recent_links = _CHECKPOINT_INTERVAL, _links_below(link)  # the first steps need these
        self._checkpoints[0] = sha256(self._recent_links[1][-1]).digest()

    @property
    def anchor(self) -> bytes:
        """Link 0, which is in the first record of the match."""
        return self._checkpoints[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k <= SERVER_CHAIN_LENGTH:
            raise ChainExhausted(f"the server's chain has no link {k}")
        above = -(-k // _CHECKPOINT_INTERVAL) * _CHECKPOINT_INTERVAL
        if above == k:
            return self._checkpoints[k]
        if self._recent_links[0] != above:
            self._recent_links = above, _links_below(self._checkpoints[above])
        return self._recent_links[1][above - k]


def _links_below(link: bytes) -> list[bytes]:
    """Return a link and those below it, down to the first that is cached."""
    links, sha256 = [link], hashlib.sha256
    for _ in range(_CHECKPOINT_INTERVAL - 1):
        link = sha256(link).digest()
        links.append(link)
    return links


class SeatChain:
    """A player's own chain of 16-byte links; `link(1)` is the first to be opened. The caller keeps the index."""

    def __init__(self, far_end: bytes, length: int = SEAT_CHAIN_LENGTH) -> None:
        if len(far_end) != SEAT_LINK_BYTES:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SEAT_LINK_BYTES}")
        links = [far_end]
        for _ in range(length):
            links.append(_hash_seat_link(links[-1]))
        self._links = tuple(reversed(links))

    @property
    def head(self) -> bytes:
        """Link 0, which the server gets when the player joins."""
        return self._links[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k < len(self._links):
            raise ChainExhausted(f"this seat's chain has no link {k}")
        return self._links[k]


def is_next_link(head: bytes, link: bytes) -> bool:
    """Return whether `link` is the next link of a seat whose last opened link (or head) is `head`."""
    return len(link) == SEAT_LINK_BYTES and _hash_seat_link(link) == head


def is_seat_nonce(text: str) -> bool:
    """Return whether a text has the form of a seat's link or head: 32 lower-case hex digits."""
    return is_hex(text, SEAT_LINK_BYTES)


def is_hex(text: str, size: int) -> bool:
    """Return whether a text is this many bytes in lower-case hex."""
    return len(text) == 2 * size and not text.strip("0123456789abcdef")


def _hash_seat_link(link: bytes) -> bytes:
    return hashlib.sha256(link).digest()[:SEAT_LINK_BYTES]


# --- keys -----------------------------------------------------------------------------------------------------------


def seat_nonce_bytes(slots: SeatNonces) -> tuple[bytes, ...]:
    """Return the links of an event as bytes; a missing link is 16 zero bytes. Raises BadSeatNonce."""
    for slot in slots:
        if slot and not is_seat_nonce(slot):
            raise BadSeatNonce(f"{slot!r} is not a link of {SEAT_LINK_BYTES} bytes in lower-case hex")
    return tuple(bytes.fromhex(slot) if slot else ZERO_SEAT_NONCE for slot in slots)


def derive_step_key(step_link: bytes, previous_key: bytes, slots: tuple[bytes, ...]) -> bytes:
    """HMAC-SHA256(link, previous key | four times a seat byte and 16 bytes): the key of a step.

    The seat bytes are 0 to 3; a seat that is missing or gave nothing has 16 zero bytes.
    """
    return hmac.digest(step_link, previous_key + _pack_seat_nonces(slots), "sha256")


def _pack_seat_nonces(slots: tuple[bytes, ...]) -> bytes:
    if len(slots) > MAX_SEATS or any(len(slot) != SEAT_LINK_BYTES for slot in slots):
        raise BadSeatNonce(f"a step takes at most {MAX_SEATS} slots of {SEAT_LINK_BYTES} bytes")
    padded = slots + (ZERO_SEAT_NONCE,) * (MAX_SEATS - len(slots))
    return b"".join(bytes([seat]) + slot for seat, slot in enumerate(padded))


def replay_keys(anchor: str, links: Sequence[str], slots: Sequence[SeatNonces]) -> tuple[bytes, ...]:
    """Return the keys of steps 1, 2, …, as far as their links have been published.

    `links[i]` is the published link of step i + 1, `slots[i]` the nonces of the seats for it. Raises BadLink for a link
    whose hash is not the one before it (the anchor, for the first), BadSlot for what cannot be a seat's link.
    """
    keys: list[bytes] = []
    last, previous = anchor, INITIAL_KEY
    for step, (link, given) in enumerate(zip(links, slots, strict=False), 1):
        if not is_hex(link, SERVER_LINK_BYTES) or hashlib.sha256(bytes.fromhex(link)).hexdigest() != last:
            raise BadLink(step, "the server's link does not lead to the one before it")
        previous = derive_step_key(bytes.fromhex(link), previous, seat_nonce_bytes(given))
        last = link
        keys.append(previous)
    return tuple(keys)


# --- draws ----------------------------------------------------------------------------------------------------------


class Draw(msgspec.Struct, frozen=True, gc=False):
    """Dice as an event tells them: enough to make them again from the key of the step.

    Dice: `n` sides, each face is 1 to n and takes one index. A shuffle (`kind` is "shuffle") of `n` things: `faces`
    is the new order as old places, 0 to n - 1, and takes n - 1 indices.
    """

    step: int
    index: int
    kind: str
    n: int
    tag: str
    faces: tuple[int, ...]


def draw_number(key: bytes, index: int, tag: str, n: int) -> int:
    """Draw 0 to n - 1, all equally likely: values beyond the last multiple of n below 2^64 are drawn again."""
    if not 1 <= n <= _UINT64_VALUES:
        raise ValueError(f"cannot draw one of {n}")
    limit = _UINT64_VALUES - _UINT64_VALUES % n
    attempt = 0
    while True:
        message = index.to_bytes(8, "big") + attempt.to_bytes(4, "big") + tag.encode()
        value = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if value < limit:
            return value % n
        attempt += 1


def draw_dice(key: bytes, index: int, tag: str, sides: int, count: int) -> tuple[int, ...]:
    """`count` faces of 1 to `sides`, with consecutive indices."""
    return tuple(1 + draw_number(key, index + i, tag, sides) for i in range(count))


def draw_shuffle(key: bytes, index: int, tag: str, count: int) -> tuple[int, ...]:
    """Fisher-Yates over 0 to count - 1 from the last place down; each swap takes one index."""
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = draw_number(key, index, tag, place + 1)
        order[place], order[other] = order[other], order[place]
        index += 1
    return tuple(order)


def next_index(drawn: Draw) -> int:
    """Return the first index that is free after this drawn."""
    taken = len(drawn.faces) if drawn.kind != SHUFFLE_KIND else max(0, drawn.n - 1)
    return drawn.index + taken


def check_draw(drawn: Draw, key: bytes) -> bool:
    """Return whether the key of the step gives exactly these faces."""
    if not (0 <= drawn.index < 2**53 and 0 <= drawn.n < 2**53):
        return False
    if drawn.kind == SHUFFLE_KIND:
        return len(drawn.faces) == drawn.n and drawn.faces == draw_shuffle(key, drawn.index, drawn.tag, drawn.n)
    return drawn.n > 0 and drawn.faces == draw_dice(key, drawn.index, drawn.tag, drawn.n, len(drawn.faces))


# --- the dice that the engine is handed -----------------------------------------------------------------------------


class DiceCursor(msgspec.Struct, frozen=True, gc=False):
    """How far the dice of a match are; `key` and `deal_key` are secret."""

    step: int = 0
    index: int = 0
    key: bytes = INITIAL_KEY
    deal_key: bytes = b""


class FairDice:
    """The dice of one match. It moves on as it is used; after a refused action go back to the position before."""

    def __init__(self, server: ServerChain, deal_secret: bytes, position: DiceCursor | None = None) -> None:
        self._chain = server
        self._deal_secret = deal_secret
        self.cursor = position or DiceCursor()

    @property
    def index(self) -> int:
        return self.cursor.index

    def begin_step(self, slots: SeatNonces) -> str:
        """Begin the next step with the nonces of the seats, and return the link to publish now: that of the step
        before.

        Step 1 is the setup: its nonces are those opened at ready, which the hidden draws depend on as well.
        """
        at, given = self.cursor, seat_nonce_bytes(slots)
        self.cursor = DiceCursor(
            step=at.step + 1,
            index=0,
            key=derive_step_key(self._chain.link(at.step + 1), at.key, given),
            deal_key=at.deal_key or deal_key(self._deal_secret, given),
        )
        return self._chain.link(at.step).hex()

    def roll(self, kind: str, sides: int, count: int, tag: str) -> Draw:
        """`count` dice of `sides` sides, faces from 1."""
        at = self._require_begun()
        return self._advance(Draw(at.step, at.index, kind, sides, tag, draw_dice(at.key, at.index, tag, sides, count)))

    def shuffle(self, count: int, tag: str) -> Draw:
        """Return a new order of `count` things."""
        at = self._require_begun()
        return self._advance(
            Draw(at.step, at.index, SHUFFLE_KIND, count, tag, draw_shuffle(at.key, at.index, tag, count))
        )

    def draw_hidden(self, sides: int, tag: str) -> int:
        """0 to sides - 1 that nobody else knows; moves no index, so every tag is used once in a match."""
        return draw_number(self._require_begun().deal_key, 0, tag, sides)

    def _require_begun(self) -> DiceCursor:
        if not self.cursor.step:
            raise NoStepBegun("no dice before the first step")
        return self.cursor

    def _advance(self, drawn: Draw) -> Draw:
        self.cursor = msgspec.structs.replace(self.cursor, index=next_index(drawn))
        return drawn


def restore_dice(
    server: ServerChain, deal_secret: bytes, slots: Iterable[SeatNonces], index: int, before: DiceCursor | None = None
) -> FairDice:
    """Return the dice of a match whose steps had these seat nonces and whose last step has used the indices below
    `index`.

    `before` is how far they were before these steps, when they are not all.
    """
    found = FairDice(server, deal_secret, before)
    for given in slots:
        found.begin_step(given)
    found.cursor = msgspec.structs.replace(found.cursor, index=index)
    return found


# --- commitments ----------------------------------------------------------------------------------------------------


def card_commitment(match: str, step: int, seat: int, card: str, salt: bytes) -> str:
    """Return the commitment to a locked card: SHA-256 over length-prefixed fields, as hex."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt of {len(salt)} bytes, not {SALT_BYTES}")
    fields = (_CARD_TAG, match.encode(), str(step).encode(), str(seat).encode(), card.encode(), salt)
    return hashlib.sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


def command_digest(command: bytes) -> str:
    """Return the digest that distinguishes commands under the same id: SHA-256 of its canonical JSON, as hex."""
    return hashlib.sha256(command).hexdigest()


def deal_commitment(deal_secret: bytes) -> str:
    """Return the SHA-256 of the deal secret; it is in the first record, the secret itself in the last."""
    return hashlib.sha256(deal_secret).hexdigest()


def deal_key(deal_secret: bytes, ready: tuple[bytes, ...]) -> bytes:
    """Return the key of all hidden draws: the deal secret and the links that the seats opened at ready."""
    return hmac.digest(deal_secret, _pack_seat_nonces(ready), "sha256")


# --- secrets that can be repeated -----------------------------------------------------------------------------------


def seeded_entropy(seed: int, label: str) -> Callable[[int], bytes]:
    """Return a stream of bytes that follows from seed and label alone, in the place of real randomness.

    For simulations and demonstrations only: everybody who knows the seed knows every die.
    """
    secret = f"diskwars seed {seed}".encode()
    block = 0
    left = b""

    def stream(size: int) -> bytes:
        nonlocal block, left
        while len(left) < size:
            left += hmac.digest(secret, block.to_bytes(8, "big") + label.encode(), "sha256")
            block += 1
        taken, left = left[:size], left[size:]
        return taken

    return stream
