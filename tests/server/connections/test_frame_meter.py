"""Frames are found in a stream of bytes, whatever its chunks are, and counted by number and size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from diskwars_protocol.flood_guard import FloodGuard
from diskwars_server.connections.frame_meter import (
    BYTES_PER_UNIT,
    COMMAS_PER_BRACKET,
    COMMAS_PER_UNIT,
    CONTROL_FRAME_UNITS,
    MAX_SIZE_UNITS,
    FrameMeter,
    is_costly,
    is_quick_act,
    value_units,
)
from tests.rows import each_row

REQUEST = b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n"
SIZES = (0, 1, 125, 126, 127, 65_535, 65_536, 70_000)


def frame(size: int, opcode: Opcode = Opcode.TEXT, is_masked: bool = True) -> bytes:
    return Frame(opcode, b"x" * size).serialize(mask=is_masked)


def cost(size: int) -> int:
    return 1 + min(size // BYTES_PER_UNIT, MAX_SIZE_UNITS)


def admitted(data: bytes, burst: int, chunk: int) -> int:
    """Return how many bytes of the data pass when it comes in chunks of this size."""
    meter, passed = FrameMeter(FloodGuard(rate=1, burst=burst)), 0
    for start in range(0, len(data), chunk):
        part = data[start : start + chunk]
        passed += (found := meter.admitted_bytes(part, 0))
        if found < len(part):
            break
    return passed


@each_row("chunk", [1, 2, 3, 5, 7, 64, 4096, 10**9])
@each_row("is_masked", [True, False])
def test_every_frame_is_found_in_chunks_of_any_size(chunk: int, is_masked: bool) -> None:
    frames = [frame(size, is_masked=is_masked) for size in SIZES]
    total = sum(map(cost, SIZES))
    data = REQUEST + b"".join(frames)
    assert admitted(data, total, chunk) == len(data)
    refused = admitted(data + frame(0), total, chunk)
    assert len(data) <= refused < len(data) + len(frame(0))


@each_row(
    ("opcode", "units"),
    [
        *((opcode, CONTROL_FRAME_UNITS) for opcode in (Opcode.PING, Opcode.PONG, Opcode.CLOSE)),
        *((opcode, 1) for opcode in (Opcode.CONT, Opcode.TEXT, Opcode.BINARY)),
    ],
)
def test_frames_of_every_kind_count(opcode: Opcode, units: int) -> None:
    data = REQUEST + frame(0, opcode) * 10
    assert admitted(data, 10 * units, 10**9) == len(data)
    assert admitted(data, 4 * units - 1, 10**9) == len(REQUEST) + 3 * len(frame(0, opcode))


def test_large_frames_cost_more() -> None:
    data = REQUEST + frame(15 * 1024) * 3
    assert admitted(data, 48, 10**9) == len(data)
    assert admitted(data, 47, 10**9) < len(data)


def test_a_frame_of_any_length_costs_at_most_what_a_burst_allows() -> None:
    endless = b"\x81\xff" + b"\x7f" + b"\xff" * 7 + b"mask"
    assert admitted(REQUEST + endless + b"x" * 1000, 1 + MAX_SIZE_UNITS, 10**9) == len(REQUEST + endless) + 1000


@each_row("chunk", [1, 3, 10**9])
def test_the_request_of_the_handshake_is_no_frame(chunk: int) -> None:
    data = b"GET / HTTP/1.1\r\n" + b"X: \x81\x00\x81\x00\r\n" * 100 + b"\r\n"
    assert admitted(data, 1, chunk) == len(data)


def test_tokens_are_refilled_with_time() -> None:
    meter = FrameMeter(FloodGuard(rate=10, burst=1))
    assert meter.admitted_bytes(REQUEST + frame(0), 0) == len(REQUEST + frame(0))
    assert meter.admitted_bytes(frame(0), 100) == len(frame(0))
    assert meter.admitted_bytes(frame(0), 150) == 0


@given(
    st.lists(st.tuples(st.sampled_from((0, 5, 126, 3000)), st.booleans()), max_size=8),
    st.lists(st.integers(1, 4000), min_size=1, max_size=20),
)
def test_cuts_anywhere_change_nothing(frames: list[tuple[int, bool]], cuts: list[int]) -> None:
    data = REQUEST + b"".join(frame(size, is_masked=masked) for size, masked in frames)
    meter, at = FrameMeter(FloodGuard(rate=1, burst=sum(cost(size) for size, _ in frames) or 1)), 0
    for cut in [*cuts, len(data)]:
        part = data[at : at + cut]
        assert meter.admitted_bytes(part, 0) == len(part)
        at += cut


@pytest.mark.parametrize("bracket", "[{")
def test_brackets_cost_more_than_commas(bracket: str) -> None:
    assert value_units("," * (COMMAS_PER_UNIT - 1)) == 0
    assert value_units("," * COMMAS_PER_UNIT) == 1
    assert value_units(bracket * (COMMAS_PER_UNIT // COMMAS_PER_BRACKET)) == 1
    assert value_units((bracket + ",") * COMMAS_PER_UNIT) == value_units(((bracket + ",") * COMMAS_PER_UNIT).encode())


def test_act_of_few_values_is_quick() -> None:
    act = '{"type":"act","id":"1","match":"m","decision":"1","action":%s}'
    assert is_quick_act(act % "{}")
    assert is_quick_act((act % "{}").encode())
    assert not is_quick_act(" " + act % "{}")
    assert not is_quick_act('{"type":"watch","match":"m"}')
    many = act % ("[" + "[]," * 100 + "1]")
    assert is_costly(many)
    assert not is_quick_act(many)
