"""The short cuts through the WebSocket library are taken with tested versions only, and encode as the library does."""

import re
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode
from websockets.utils import apply_mask

from diskwars_server.connections.fast_socket import (
    TESTED_VERSIONS,
    FastGameSocket,
    FrameEncoder,
    choose_socket_class,
    decode_lone_act,
)
from diskwars_server.connections.game_socket import GameSocket
from tests.rows import each_row


def test_the_installed_version_is_one_that_was_tested() -> None:
    assert choose_socket_class() is FastGameSocket


def test_the_tested_versions_are_those_that_are_locked() -> None:
    lock = (Path(__file__).parents[3] / "requirements.lock").read_text()
    assert re.findall(r"(?m)^websockets==(\S+)", lock) == list(TESTED_VERSIONS)


@pytest.mark.parametrize(("version", "warnings"), [(TESTED_VERSIONS[0], 0), ("14.2", 1)])
def test_fallback_is_logged(version: str, warnings: int, caplog: pytest.LogCaptureFixture) -> None:
    choose_socket_class(version)
    assert [vars(entry)["websockets"] for entry in caplog.records] == [version] * warnings


@each_row("version", ["14.2", "15.0.1", "18.0", "17.40"])
def test_any_other_version_falls_back_to_the_public_api(version: str) -> None:
    assert choose_socket_class(version) is GameSocket


@each_row("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_is_framed_as_the_library_frames_it(size: int) -> None:
    text = b"x" * size
    assert FrameEncoder().encode_text(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_a_text_that_many_get_is_encoded_once() -> None:
    encoder, first, other = FrameEncoder(), b"first " * 30, b"other " * 30
    frame = encoder.encode_text(first)
    assert encoder.encode_text(first) is frame
    assert encoder.encode_text(other) != frame
    assert encoder.encode_text(first) == frame


ACT = b'{"type":"act","id":"1","m\xc3\xa4rz":1}'


@each_row("size", [len(ACT), 125, 126, 65_535])
def test_an_act_in_one_frame_is_read(size: int) -> None:
    text = ACT.ljust(size)
    assert decode_lone_act(Frame(Opcode.TEXT, text).serialize(mask=True)) == text.decode()


OTHER_FRAMES = {
    "no act": Frame(Opcode.TEXT, b'{"type":"watch"}').serialize(mask=True),
    "not UTF-8": Frame(Opcode.TEXT, ACT + b"\xff").serialize(mask=True),
    "binary": Frame(Opcode.BINARY, ACT).serialize(mask=True),
    "ping": Frame(Opcode.PING, ACT).serialize(mask=True),
    "continued": Frame(Opcode.TEXT, ACT, fin=False).serialize(mask=True),
    "compressed": bytes((0xC1,)) + Frame(Opcode.TEXT, ACT).serialize(mask=True)[1:],
    "not masked": Frame(Opcode.TEXT, ACT).serialize(mask=False),
    "not masked, 126 bytes": Frame(Opcode.TEXT, ACT.ljust(126)).serialize(mask=False),
    "length in eight bytes": Frame(Opcode.TEXT, ACT.ljust(65_536)).serialize(mask=True),
    "two frames": 2 * Frame(Opcode.TEXT, ACT).serialize(mask=True),
    "empty": Frame(Opcode.TEXT, b"").serialize(mask=True),
}


def test_a_length_in_eight_bytes_does_not_pass_for_one_of_127() -> None:
    mask = b"\x00\x00\x00\x01"
    data = b"\x81\xff" + mask + apply_mask(ACT.ljust(127), mask)
    assert len(data) == 2 + len(mask) + 127
    assert decode_lone_act(data) is None


@each_row("data", OTHER_FRAMES.values(), ids=OTHER_FRAMES)
def test_any_other_frame_is_left_to_the_library(data: bytes) -> None:
    assert decode_lone_act(data) is None


def test_a_part_of_a_frame_is_left_to_the_library() -> None:
    data = Frame(Opcode.TEXT, ACT.ljust(200)).serialize(mask=True)
    assert [decode_lone_act(data[:size]) for size in range(len(data))] == [None] * len(data)
    assert [decode_lone_act(data[start:]) for start in range(1, len(data))] == [None] * (len(data) - 1)
