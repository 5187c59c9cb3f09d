"""How are dice made that nobody can choose or foresee, and how does anybody check them afterwards?

Hash chains of the server and the seats, the key of each step, draws and shuffles from a key, commitments to cards.
Knows nothing of rules, events or storage, and draws no secrets of its own: they are handed in.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import msgspec

CHAIN_LENGTH = 4096
SEAT_CHAIN_LENGTH = 512
SEATS = 4
SERVER_LINK = 32
SEAT_LINK = 16
SALT_SIZE = 16
NO_LINK = bytes(SEAT_LINK)
FIRST_KEY = bytes(32)
SHUFFLE = "shuffle"

_CHECKPOINT = 64
_WORD = 2**64
_CARD_TAG = b"diskwars command card 1"

Slots: TypeAlias = tuple[str, ...]
"""What the seats gave to one step, in the order of the seats: 32 lower-case hex digits, or "" for nothing."""


class FairnessError(Exception):
    """Root of everything this module refuses."""


class ChainSpent(FairnessError):
    """A hash chain has no such link."""


class BadLink(FairnessError):
    """A published link of the server does not belong to its chain."""

    def __init__(self, step: int, why: str) -> None:
        super().__init__(f"step {step}: {why}")
        self.step = step
        self.why = why


class BadSlot(FairnessError):
    """What a seat is said to have given to a step is no link, or more seats gave than there are."""


class NoStep(FairnessError):
    """Dice were asked for before the first step had begun."""


class BadScript(FairnessError):
    """Scripted dice were asked for something else than the script says, or not for all of it."""


# --- chains ---------------------------------------------------------------------------------------------------------


class ServerChain:
    """`link(k)` with link(k) = SHA-256(link(k + 1)); all of it follows from the far end, which is secret.

    Keeps one link in 64, and the 64 below the one asked for last: steps come one after another. A link costs at most
    64 hashes and a live match about 12 KB.
    """

    def __init__(self, far_end: bytes) -> None:
        if len(far_end) != SERVER_LINK:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SERVER_LINK}")
        self._kept = {CHAIN_LENGTH: far_end}
        link, sha256 = far_end, hashlib.sha256
        for k in range(CHAIN_LENGTH - _CHECKPOINT, 0, -_CHECKPOINT):
            for _ in range(_CHECKPOINT):
                link = sha256(link).digest()
            self._kept[k] = link
        self._near = _CHECKPOINT, _down_from(link)  # the first steps need these
        self._kept[0] = sha256(self._near[1][-1]).digest()

    @property
    def anchor(self) -> bytes:
        """Link 0, which stands in the first record of the match."""
        return self._kept[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k <= CHAIN_LENGTH:
            raise ChainSpent(f"the server's chain has no link {k}")
        above = -(-k // _CHECKPOINT) * _CHECKPOINT
        if above == k:
            return self._kept[k]
        if self._near[0] != above:
            self._near = above, _down_from(self._kept[above])
        return self._near[1][above - k]


def _down_from(link: bytes) -> list[bytes]:
    """A link and those below it, as far as none of them is kept."""
    links, sha256 = [link], hashlib.sha256
    for _ in range(_CHECKPOINT - 1):
        link = sha256(link).digest()
        links.append(link)
    return links


class SeatChain:
    """A player's own chain of 16-byte links; `link(1)` is the first that he opens. The caller keeps the index."""

    def __init__(self, far_end: bytes, length: int = SEAT_CHAIN_LENGTH) -> None:
        if len(far_end) != SEAT_LINK:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SEAT_LINK}")
        links = [far_end]
        for _ in range(length):
            links.append(_seat_hash(links[-1]))
        self._links = tuple(reversed(links))

    @property
    def head(self) -> bytes:
        """Link 0, which the server gets when the player joins."""
        return self._links[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k < len(self._links):
            raise ChainSpent(f"this seat's chain has no link {k}")
        return self._links[k]


def opens(head: bytes, link: bytes) -> bool:
    """Is `link` the next link of a seat whose last opened link (or head) is `head`?"""
    return len(link) == SEAT_LINK and _seat_hash(link) == head


def is_seat_link(text: str) -> bool:
    """Is this the way a seat's link or head is written: 32 lower-case hex digits?"""
    return is_hex(text, SEAT_LINK)


def is_hex(text: str, size: int) -> bool:
    """Are these so many bytes, in small hex digits?"""
    return len(text) == 2 * size and not text.strip("0123456789abcdef")


def _seat_hash(link: bytes) -> bytes:
    return hashlib.sha256(link).digest()[:SEAT_LINK]


# --- keys -----------------------------------------------------------------------------------------------------------


def slot_bytes(slots: Slots) -> tuple[bytes, ...]:
    """Links as they stand in events, as bytes; a missing link is 16 zero bytes. Raises BadSlot."""
    for slot in slots:
        if slot and not is_seat_link(slot):
            raise BadSlot(f"{slot!r} is not a link of {SEAT_LINK} bytes in lower-case hex")
    return tuple(bytes.fromhex(slot) if slot else NO_LINK for slot in slots)


def key(step_link: bytes, previous_key: bytes, slots: tuple[bytes, ...]) -> bytes:
    """HMAC-SHA256(link, previous key | four times a seat byte and 16 bytes): the key of a step.

    The seat bytes are 0 to 3; a seat that is missing or gave nothing has 16 zero bytes.
    """
    return hmac.digest(step_link, previous_key + _packed(slots), "sha256")


def _packed(slots: tuple[bytes, ...]) -> bytes:
    if len(slots) > SEATS or any(len(slot) != SEAT_LINK for slot in slots):
        raise BadSlot(f"a step takes at most {SEATS} slots of {SEAT_LINK} bytes")
    padded = slots + (NO_LINK,) * (SEATS - len(slots))
    return b"".join(bytes([seat]) + slot for seat, slot in enumerate(padded))


def replay_keys(anchor: str, links: Sequence[str], slots: Sequence[Slots]) -> tuple[bytes, ...]:
    """The keys of steps 1, 2, …, as far as their links have been published.

    `links[i]` is the published link of step i + 1, `slots[i]` what the seats gave to it. Raises BadLink for a link
    whose hash is not the one before it (the anchor, for the first), BadSlot for what cannot be a seat's link.
    """
    keys: list[bytes] = []
    last, previous = anchor, FIRST_KEY
    for step, (link, given) in enumerate(zip(links, slots, strict=False), 1):
        if not is_hex(link, SERVER_LINK) or hashlib.sha256(bytes.fromhex(link)).hexdigest() != last:
            raise BadLink(step, "the server's link does not lead to the one before it")
        previous = key(bytes.fromhex(link), previous, slot_bytes(given))
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


def draw(key: bytes, index: int, tag: str, n: int) -> int:
    """0 to n - 1, all equally likely: what does not fit a whole number of times into 64 bits is drawn again."""
    if not 1 <= n <= _WORD:
        raise ValueError(f"cannot draw one of {n}")
    limit = _WORD - _WORD % n
    attempt = 0
    while True:
        message = index.to_bytes(8, "big") + attempt.to_bytes(4, "big") + tag.encode()
        value = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if value < limit:
            return value % n
        attempt += 1


def dice(key: bytes, index: int, tag: str, sides: int, count: int) -> tuple[int, ...]:
    """`count` faces of 1 to `sides`, with consecutive indices."""
    return tuple(1 + draw(key, index + i, tag, sides) for i in range(count))


def shuffled(key: bytes, index: int, tag: str, count: int) -> tuple[int, ...]:
    """Fisher-Yates over 0 to count - 1 from the last place down; each swap takes one index."""
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = draw(key, index, tag, place + 1)
        order[place], order[other] = order[other], order[place]
        index += 1
    return tuple(order)


def index_after(drawn: Draw) -> int:
    """The first index that is free after this drawn."""
    taken = len(drawn.faces) if drawn.kind != SHUFFLE else max(0, drawn.n - 1)
    return drawn.index + taken


def check_draw(drawn: Draw, key: bytes) -> bool:
    """Does the key of the step give exactly these faces?"""
    if not (0 <= drawn.index < 2**53 and 0 <= drawn.n < 2**53):
        return False
    if drawn.kind == SHUFFLE:
        return len(drawn.faces) == drawn.n and drawn.faces == shuffled(key, drawn.index, drawn.tag, drawn.n)
    return drawn.n > 0 and drawn.faces == dice(key, drawn.index, drawn.tag, drawn.n, len(drawn.faces))


# --- the dice that the engine is handed -----------------------------------------------------------------------------


class Position(msgspec.Struct, frozen=True, gc=False):
    """How far the dice of a match are; `key` and `deal_key` are secret."""

    step: int = 0
    index: int = 0
    key: bytes = FIRST_KEY
    deal_key: bytes = b""


class FairDice:
    """The dice of one match. It moves on as it is used; after a refused action go back to the position before."""

    def __init__(self, server: ServerChain, deal_secret: bytes, position: Position | None = None) -> None:
        self._server = server
        self._deal_secret = deal_secret
        self.position = position or Position()

    @property
    def index(self) -> int:
        return self.position.index

    def step(self, slots: Slots) -> str:
        """Begins the next step with what the seats gave, and returns the link to publish now: that of the step before.

        Step 1 is the set-up: its slots are the links opened at ready, which the hidden draws depend on as well.
        """
        at, given = self.position, slot_bytes(slots)
        self.position = Position(
            step=at.step + 1,
            index=0,
            key=key(self._server.link(at.step + 1), at.key, given),
            deal_key=at.deal_key or deal_key(self._deal_secret, given),
        )
        return self._server.link(at.step).hex()

    def roll(self, kind: str, sides: int, count: int, tag: str) -> Draw:
        """`count` dice of `sides` sides, faces from 1."""
        at = self._begun()
        return self._advance(Draw(at.step, at.index, kind, sides, tag, dice(at.key, at.index, tag, sides, count)))

    def shuffle(self, count: int, tag: str) -> Draw:
        """A new order of `count` things."""
        at = self._begun()
        return self._advance(Draw(at.step, at.index, SHUFFLE, count, tag, shuffled(at.key, at.index, tag, count)))

    def hidden(self, sides: int, tag: str) -> int:
        """0 to sides - 1 that nobody else knows; moves no index, so every tag is used once in a match."""
        return draw(self._begun().deal_key, 0, tag, sides)

    def _begun(self) -> Position:
        if not self.position.step:
            raise NoStep("no dice before the first step")
        return self.position

    def _advance(self, drawn: Draw) -> Draw:
        self.position = msgspec.structs.replace(self.position, index=index_after(drawn))
        return drawn


def restored(
    server: ServerChain, deal_secret: bytes, slots: Iterable[Slots], index: int, before: Position | None = None
) -> FairDice:
    """The dice of a match whose steps had these slots and whose last step has used the indices below `index`.

    `before` is how far they were before these steps, when they are not all.
    """
    found = FairDice(server, deal_secret, before)
    for given in slots:
        found.step(given)
    found.position = msgspec.structs.replace(found.position, index=index)
    return found


class ScriptedDice:
    """Dice for tests: each call takes the next entry of the script, a tuple of faces, or one number for one die.

    A shuffle takes a tuple (the new order), a hidden draw takes a number from 0. `finish` finds what was left over.
    """

    def __init__(self, script: Iterable[int | tuple[int, ...]] = (), step: int = 1) -> None:
        self._script = list(script)
        self._used = 0
        self._step = step
        self.index = 0

    def step(self, slots: Slots) -> str:
        """Begins the next step; the link is only its number."""
        link = self._step.to_bytes(SERVER_LINK, "big").hex()
        self._step += 1
        self.index = 0
        return link

    def roll(self, kind: str, sides: int, count: int, tag: str) -> Draw:
        faces = self._next(f"{count} of {kind} for {tag}")
        if len(faces) != count or not all(1 <= face <= sides for face in faces):
            raise BadScript(f"{count} of {kind} for {tag}: the script says {faces}")
        return self._advance(Draw(self._step, self.index, kind, sides, tag, faces))

    def shuffle(self, count: int, tag: str) -> Draw:
        order = self._next(f"a shuffle of {count} for {tag}")
        if sorted(order) != list(range(count)):
            raise BadScript(f"a shuffle of {count} for {tag}: the script says {order}")
        return self._advance(Draw(self._step, self.index, SHUFFLE, count, tag, order))

    def hidden(self, sides: int, tag: str) -> int:
        faces = self._next(f"a hidden draw of {sides} for {tag}")
        if len(faces) != 1 or not 0 <= faces[0] < sides:
            raise BadScript(f"a hidden draw of {sides} for {tag}: the script says {faces}")
        return faces[0]

    def finish(self) -> None:
        """Raises BadScript when not every entry was used."""
        if self._used < len(self._script):
            raise BadScript(f"never asked for: {self._script[self._used :]}")

    def _next(self, wanted: str) -> tuple[int, ...]:
        if self._used == len(self._script):
            raise BadScript(f"the script has ended, asked for {wanted}")
        entry = self._script[self._used]
        self._used += 1
        return (entry,) if isinstance(entry, int) else entry

    def _advance(self, drawn: Draw) -> Draw:
        self.index = index_after(drawn)
        return drawn


# --- commitments ----------------------------------------------------------------------------------------------------


def commitment(match: str, step: int, seat: int, card: str, salt: bytes) -> str:
    """What a player publishes instead of the card he locks: SHA-256 over length-prefixed fields, as hex."""
    if len(salt) != SALT_SIZE:
        raise ValueError(f"a salt of {len(salt)} bytes, not {SALT_SIZE}")
    fields = (_CARD_TAG, match.encode(), str(step).encode(), str(seat).encode(), card.encode(), salt)
    return hashlib.sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


def command_digest(command: bytes) -> str:
    """What tells one command from another under the same id: SHA-256 of its canonical JSON, as hex."""
    return hashlib.sha256(command).hexdigest()


def deal_commitment(deal_secret: bytes) -> str:
    """SHA-256 of the deal secret, which stands in the first record; the secret itself in the last."""
    return hashlib.sha256(deal_secret).hexdigest()


def deal_key(deal_secret: bytes, ready: tuple[bytes, ...]) -> bytes:
    """The key of all hidden draws: the deal secret and the links that the seats opened at ready."""
    return hmac.digest(deal_secret, _packed(ready), "sha256")


# --- secrets that can be repeated -----------------------------------------------------------------------------------


def seeded(seed: int, label: str) -> Callable[[int], bytes]:
    """A stream of bytes that follows from seed and label alone, in the place of real randomness.

    For simulations and demonstrations only: whoever knows the seed knows every die.
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
