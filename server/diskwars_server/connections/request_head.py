"""The HTTP request that begins a connection: bounded as a whole, and answered in words where it cannot be read.

The library bounds each line and their number, which together lets 1 MB pass, and closes without a response over what it
cannot read. Everything here is its public interface without I/O.
"""

import re
from http import HTTPStatus
from typing import Any

from websockets.exceptions import InvalidMessage, SecurityError
from websockets.protocol import State
from websockets.server import ServerProtocol

MAX_HEAD_BYTES = 16 * 1024
"""Of the request line and all header fields. Reading 700 KB of them took 19 ms, before any quota was asked."""
_READ_METHODS = (b"GET ", b"HEAD ")
_LONGEST_METHOD_BYTES = 16
POST_BEGINNING = b"POST /notices/"
"""Requests whose body says nothing: a mail program that ends mail in one click (RFC 8058) posts 26 bytes."""
MAX_BODY_BYTES = 1024
KEPT_PATH = b"/api/v1/"
"""The beginning of paths of requests whose body is kept for the interface."""
MAX_KEPT_BYTES = 16 * 1024
"""Of such a body: as much as a frame."""
MAX_FILE_BYTES = 1024 * 1024
"""Of a match file that is imported."""
MAX_FILES_BYTES = 8 * MAX_FILE_BYTES
"""Of all such files that one process holds: strangers, too, send them, before anything is known of them."""
_OF_A_FILE = re.compile(rb"POST /api/v1/imports[ ?]")
_CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*(?=\r\n)", re.IGNORECASE)
_OF_THE_BODY = re.compile(rb"\r\n(?:content-length|transfer-encoding):[^\r\n]*(?=\r\n)", re.IGNORECASE)


class FileLimit:
    """Limit of the bytes of files in the bodies of requests, of all connections of a process."""

    def __init__(self, limit: int = MAX_FILES_BYTES) -> None:
        self._left = limit

    def take(self, count: int) -> bool:
        if count > self._left:
            return False
        self._left -= count
        return True

    def give_back(self, count: int) -> None:
        self._left += count


class RequestHeadProtocol(ServerProtocol):
    """A server's end of one WebSocket that answers a request which is too long, no request, or one with a body."""

    # Beside the keys that all connections share; see GameSocket.
    __slots__ = (
        "_beginning",
        "_file_bytes",
        "_files",
        "_has_request",
        "_head",
        "_head_bytes",
        "_missing_bytes",
        "_parts",
        "_post",
        "_wanted_bytes",
        "body",
    )

    def __init__(self, files: "FileLimit | None" = None, **options: Any) -> None:
        """`files` limits bodies that are files, of all connections; with None there are none."""
        super().__init__(**options)
        self._head_bytes = 0
        self._has_request = False
        self._beginning = b""
        self._post = b""
        self.body: bytes | None = b""
        """The body of a request that keeps it; None for one that is too long, or of no stated length."""
        self._missing_bytes = self._wanted_bytes = self._file_bytes = 0
        self._head, self._parts, self._files = b"", list[bytes](), files

    def take_missing_bytes(self) -> int:
        """Return how many bytes of the body follow that were not returned before: they are no frames."""
        missing, self._missing_bytes = self._missing_bytes, 0
        return missing

    def receive_data(self, data: bytes | bytearray) -> None:
        """Take the next bytes. Frames come only after the response, so until then all of them are the request."""
        if self._wanted_bytes > 0:
            data = self._add_to_body(bytes(data[: self._wanted_bytes]))
            if not data:
                return
        elif self.state is State.CONNECTING and self.handshake_exc is None and not self._has_request:
            self._head_bytes += len(data)
            self._beginning = (self._beginning + data[:_LONGEST_METHOD_BYTES])[:_LONGEST_METHOD_BYTES]
            if self._head_bytes > MAX_HEAD_BYTES:  # the socket hands the body over apart from the head
                self.handshake_exc = SecurityError(f"more than {MAX_HEAD_BYTES} bytes before the end of the request")
                text = f"the request and its header fields have more than {MAX_HEAD_BYTES} bytes\n"
                self.send_response(self.reject(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, text))
                return
            data, self._post = self._post + data, b""
            if self._begins_as(POST_BEGINNING) and (data := self._hold_post(data)) == b"":
                return
            if self._keeps_body() and (data := self._keep_body(data)) == b"":
                return
        super().receive_data(data)
        self._has_request = self._has_request or bool(self.events)  # what comes behind it is no part of it

    def _hold_post(self, received: bytes) -> bytes:
        """Return a request with a body once it is complete, without the body; until then nothing."""
        request = _without_body(received)
        if request is None:
            self._post = received
        return request or b""

    def _keep_body(self, received: bytes) -> bytes:
        """Return a request once it is complete, without its body, which is kept; until then nothing."""
        head, end, body = received.partition(b"\r\n\r\n")
        if not end:
            self._post = received
            return b""
        head += b"\r\n"
        lengths = _CONTENT_LENGTH.findall(head)
        length = int(lengths[0]) if len(lengths) == 1 else 0
        stated = len(_OF_THE_BODY.findall(head))
        self._head = _OF_THE_BODY.sub(b"", head) + b"\r\n"
        self._missing_bytes = max(0, length - len(body))
        if stated != len(lengths) or stated > 1 or not self._may_keep(head, length):
            self.body = None
            return self._head
        self._wanted_bytes = length
        return self._add_to_body(body[:length])

    def _may_keep(self, head: bytes, length: int) -> bool:
        """Return whether a body of this length is kept."""
        if length <= MAX_KEPT_BYTES:
            return True
        if not _OF_A_FILE.match(head) or length > MAX_FILE_BYTES or self._files is None:
            return False
        if not self._files.take(length):
            return False
        self._file_bytes = length
        return True

    def _add_to_body(self, piece: bytes) -> bytes:
        self._parts.append(piece)
        self._wanted_bytes -= len(piece)
        if self._wanted_bytes > 0:
            return b""
        self.body, self._parts = b"".join(self._parts), []
        return self._head

    def release_body(self) -> None:
        """Release what a file holds of all bytes of files, at the end of its connection."""
        if self._files is not None and self._file_bytes:
            self._files.give_back(self._file_bytes)
            self._file_bytes = 0

    def _keeps_body(self) -> bool:
        """Return whether the path is one of the interface's, or may still become one."""
        _, blank, path = self._beginning.partition(b" ")
        known = min(len(path), len(KEPT_PATH))
        return not blank or path[:known] == KEPT_PATH[:known]

    def _begins_as(self, beginning: bytes) -> bool:
        """Return whether this is a request that begins so, or may still become one."""
        known = min(len(self._beginning), len(beginning))
        return self._beginning[:known] == beginning[:known]

    def send_eof(self) -> None:
        """End what is sent; after a request that cannot be read with the reason, not with nothing."""
        fault = self.handshake_exc
        # A client that goes away in the middle of its request gets no answer.
        if isinstance(fault, InvalidMessage) and not isinstance(fault.__cause__, EOFError):
            self.writes.append(self._explain(fault.__cause__))
        super().send_eof()

    def _explain(self, cause: BaseException | None) -> bytes:
        if " " in self._beginning.decode("latin-1") and not self._beginning.startswith(_READ_METHODS):
            response = self.reject(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD\n")
            response.headers["Allow"] = "GET, HEAD"
        elif isinstance(cause, NotImplementedError) or "body" in str(cause):
            response = self.reject(HTTPStatus.BAD_REQUEST, "a request has no body here\n")
        else:
            response = self.reject(HTTPStatus.BAD_REQUEST, "this is no HTTP/1.1 request\n")
        return response.serialize()


def _without_body(received: bytes) -> bytes | None:
    """Return a request without its body, which says nothing that its path does not say; None until it is complete.

    The library reads no request with a body. One that is too long, or of no stated length, is left to it to refuse.
    """
    head, end, body = received.partition(b"\r\n\r\n")
    if not end:
        return None
    lengths = _CONTENT_LENGTH.findall(head + b"\r\n")
    if len(lengths) != 1 or int(lengths[0]) > MAX_BODY_BYTES:
        return received
    if len(body) < int(lengths[0]):
        return None
    return _CONTENT_LENGTH.sub(b"", head + b"\r\n", count=1) + b"\r\n"
