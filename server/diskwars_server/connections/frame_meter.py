"""Flood protection: frames are counted on the raw bytes of a WebSocket, and what they hold before it is decoded.

Frames are found by their headers alone (RFC 6455, section 5.2), so pings, pongs and fragments count like text frames.
What a frame says is left to others.
"""

from diskwars_protocol.flood_guard import FloodGuard

_END_OF_REQUEST = b"\r\n\r\n"
_MASKED = 0x80
_LENGTH_BITS = 0x7F
_TWO_BYTE_LENGTH = 126
_EIGHT_BYTE_LENGTH = 127
_MASK_BYTES = 4
LONGEST_HEADER = 14
"""Two bytes, a length in eight, and the mask."""
_CONTROL_BIT = 0x08
_FINAL_BIT = 0x80
BYTES_PER_UNIT = 1024
"""A frame costs one unit of the flood guard, and one more for each full KiB: large frames cost time to decode."""


CONTROL_FRAME_UNITS = 10
"""The cost of a ping, pong or close. Clients need one in a while, and the library answers each ping at once: a burst of
500 empty ones took 15 ms."""
MAX_SIZE_UNITS = 64
"""Longer frames are refused as too big by their header, so their payload is never read."""
COMMAS_PER_UNIT = 128
"""Of the commas and opening brackets of a frame; a frame costs one unit more for each that it has in full."""
COMMAS_PER_BRACKET = 8
"""The cost of an opening bracket. 240 objects took 0.76 ms to decode, 500 strings of as many bytes 0.13 ms."""
ACT_BEGINNING = '{"type":"act",'
"""The beginning of an act, as most clients write it. Any other spelling waits its turn with the other requests."""
ACT_BEGINNING_BYTES = ACT_BEGINNING.encode()
COSTLY_UNITS = 4
"""From here on a frame takes so long to decode that it has to wait its turn, even if it is an act."""


def size_units(count: int) -> int:
    """Return what a frame of this many bytes costs, whatever it holds."""
    return 1 + min(count // BYTES_PER_UNIT, MAX_SIZE_UNITS)


def value_units(text: str | bytes) -> int:
    """Return what a frame costs for the values that it holds, besides its size.

    Commas and brackets inside strings count as well: telling them apart would cost what is to be saved.
    """
    if isinstance(text, str):
        commas, brackets = text.count(","), text.count("[") + text.count("{")
    else:
        commas, brackets = text.count(b","), text.count(b"[") + text.count(b"{")
    return (commas + COMMAS_PER_BRACKET * brackets) // COMMAS_PER_UNIT


def is_costly(text: str | bytes) -> bool:
    """Whether a frame takes long to decode."""
    return value_units(text) >= COSTLY_UNITS


def is_quick_act(text: str | bytes) -> bool:
    """Whether a frame begins as most clients begin an act, and takes little time to decode."""
    is_act = text.startswith(ACT_BEGINNING) if isinstance(text, str) else text.startswith(ACT_BEGINNING_BYTES)
    return is_act and not is_costly(text)


class FrameMeter:
    """Finds the frames in a stream of bytes and stops at the first that its guard refuses."""

    def __init__(self, guard: FloodGuard, has_request: bool = True) -> None:
        """`has_request` says that the HTTP request of the handshake comes first."""
        self.guard = guard
        # A list: it has no more than a burst of messages, mostly none, and an empty deque takes 0.7 KiB.
        self.message_sizes: list[int] = []
        """Payload of each message that was not taken and whose last frame has begun."""
        self._message_bytes = 0
        self.waiting_bytes = 0
        """Payload of the messages that have begun and have not been taken."""
        self.fragments = 0
        """Frames that have begun of a message whose last frame has not."""
        self._request_tail: bytes | None = b"" if has_request else None
        self._header = b""
        self._payload_left = 0
        self._is_control = False

    @property
    def messages(self) -> int:
        """Messages not taken of which the last frame has begun; all have come whole where it `is_between_messages`."""
        return len(self.message_sizes)

    def take_message(self) -> None:
        """Count one message less."""
        self.waiting_bytes -= self.message_sizes.pop(0)

    def request_length(self, data: bytes) -> int:
        """Return how many of the next bytes belong to the HTTP request of the handshake."""
        if self._request_tail is None:
            return 0
        end = (self._request_tail + data).find(_END_OF_REQUEST)
        return len(data) if end < 0 else end + len(_END_OF_REQUEST) - len(self._request_tail)

    def expect_body(self, count: int) -> None:
        """Count the bytes of a request's body, which follow now, as no frames."""
        self._payload_left += count

    @property
    def is_between_frames(self) -> bool:
        """Whether the next byte begins a frame."""
        return self._request_tail is None and not self._header and not self._payload_left

    @property
    def is_between_messages(self) -> bool:
        """Whether the next byte begins a message: no frame and no fragmented message is under way."""
        return self.is_between_frames and not self.fragments

    def is_within_a_frame(self, data: bytes) -> bool:
        """Whether all of the next chunk belongs to one frame, which is little to parse."""
        if self._request_tail is not None:
            return False
        if self._payload_left:
            return len(data) <= self._payload_left
        header = self._header + data[:LONGEST_HEADER]
        size = _header_size(header)
        return len(header) < size or len(self._header) + len(data) <= size + _payload_size(header)

    def admitted_bytes(self, data: bytes, now_ms: int) -> int:
        """Return how many bytes of `data` may be processed: all of them, or those before the first refused frame.

        Call it once for each chunk, in order, and not again after it has returned less than all.
        """
        at = self._skip_request(data)
        while at < len(data):
            skipped = min(self._payload_left, len(data) - at)
            self._payload_left -= skipped
            at += skipped
            if at == len(data):
                break
            started_at = at
            at = self._read_header(data, at)
            if self._header:
                break  # the rest of the header comes with the next chunk
            if not self.guard.admit(now_ms, self._cost()):
                return started_at
        return len(data)

    def _skip_request(self, data: bytes) -> int:
        """Return where frames begin: behind the blank line that ends the HTTP request of the handshake."""
        if self._request_tail is None:
            return 0
        begins_at = self.request_length(data)
        seen = self._request_tail + data
        is_whole = seen.endswith(_END_OF_REQUEST) or begins_at < len(data)
        self._request_tail = None if is_whole else seen[1 - len(_END_OF_REQUEST) :]
        return begins_at

    def _read_header(self, data: bytes, at: int) -> int:
        """Read a header that begins or continues at `at`. Return where it ends; `_header` keeps a partial one."""
        header = self._header + data[at : at + LONGEST_HEADER - len(self._header)]
        size = _header_size(header)
        if len(header) < size:
            self._header = header
            return len(data)
        at += size - len(self._header)
        self._header = b""
        self._payload_left = _payload_size(header)
        self._is_control = bool(header[0] & _CONTROL_BIT)
        if not self._is_control:  # which may come between the fragments of a message
            self._message_bytes += self._payload_left
            self.waiting_bytes += self._payload_left
            if header[0] & _FINAL_BIT:
                self.message_sizes.append(self._message_bytes)
                self.fragments = self._message_bytes = 0
            else:
                self.fragments += 1
        return at

    def _cost(self) -> int:
        """Return what the frame costs whose header was read last."""
        if self._is_control:
            return CONTROL_FRAME_UNITS
        return size_units(self._payload_left)


def _header_size(header: bytes) -> int:
    """Return how long a header is, as far as its beginning tells."""
    if len(header) < 2:
        return 2
    length = header[1] & _LENGTH_BITS
    extended = 2 if length == _TWO_BYTE_LENGTH else 8 if length == _EIGHT_BYTE_LENGTH else 0
    return 2 + extended + (_MASK_BYTES if header[1] & _MASKED else 0)


def _payload_size(header: bytes) -> int:
    length = header[1] & _LENGTH_BITS
    if length == _TWO_BYTE_LENGTH:
        return int.from_bytes(header[2:4], "big")
    if length == _EIGHT_BYTE_LENGTH:
        return int.from_bytes(header[2:10], "big")
    return length
