"""The send queue of a connection keeps order and bounds, and closes when it has to."""

import asyncio

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.connection.connection import LocalProtocolError, ServerConnection, SharedFrame, encode
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, PROTOCOL_VERSION, Hello, Welcome
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed

MATCH = MatchId("m1")
WELCOME = Welcome(PROTOCOL_VERSION, PlayerId("p1"), "token", 0, (), DEFAULT_CLIENT_LIMITS)
WATCHING = Watching(MATCH, "diskwars", 0, 0, Raw(b"{}"), "00" * 32)


def open_connection(*requests: str) -> ServerConnection:
    """Return a connection that watches a match and has these requests in flight."""
    connection = ServerConnection()
    connection.receive(encode(Hello((1,))).decode())
    connection.send(WELCOME)
    connection.send(WATCHING)
    for id in requests:
        connection.receive(encode(ListMatches(id)).decode())
    return connection


def put(outbox: Outbox, frame: bytes) -> bool:
    return outbox.send_shared(SharedFrame(Records, MATCH, frame))


async def drain(outbox: Outbox) -> list[bytes]:
    frames = []
    while (frame := await outbox.get()) is not None:
        frames.append(frame)
    return frames


async def last_message(outbox: Outbox) -> Closing:
    return msgspec.json.decode((await drain(outbox))[-1], type=Closing)


async def test_frames_come_out_in_the_order_in_which_they_were_put() -> None:
    outbox = Outbox(open_connection())
    reading = asyncio.create_task(drain(outbox))
    for number in range(100):
        assert put(outbox, b"%d" % number)
        if number % 7 == 0:
            await asyncio.sleep(0)
    outbox.close("going_away", "bye", 5)
    frames = await reading
    assert frames[:-1] == [b"%d" % number for number in range(100)]
    assert msgspec.json.decode(frames[-1], type=Closing) == Closing(1001, "going_away", "bye", 5)


async def test_too_many_frames_close_it_and_only_the_reason_is_left() -> None:
    outbox = Outbox(open_connection(), max_frames=3)
    assert [put(outbox, b"x") for _ in range(5)] == [True, True, True, False, False]
    frames = await drain(outbox)
    assert [msgspec.json.decode(frame, type=Closing).close_reason for frame in frames] == ["slow"]


async def test_too_many_bytes_close_it_but_one_large_frame_passes() -> None:
    outbox = Outbox(open_connection(), max_bytes=10)
    assert put(outbox, b"x" * 50)
    assert await outbox.get() == b"x" * 50
    assert put(outbox, b"x" * 6)
    assert not put(outbox, b"x" * 5)
    assert (await last_message(outbox)).close_reason == "slow"


async def test_a_response_that_makes_it_too_full_closes_it() -> None:
    outbox = Outbox(open_connection("1"), max_frames=1)
    put(outbox, b"x")
    assert not outbox.send(MatchList("1", ()))
    assert (await last_message(outbox)).close_reason == "slow"


async def test_the_first_closing_counts() -> None:
    outbox = Outbox(open_connection())
    put(outbox, b"x")
    outbox.close("flood", "too fast", 7)
    outbox.close("slow", "too slow")
    outbox.close_slow()
    outbox.abandon()
    assert not put(outbox, b"y")
    assert await last_message(outbox) == Closing(4006, "flood", "too fast", 7)


async def test_an_abandoned_outbox_is_empty_and_takes_nothing() -> None:
    outbox = Outbox(open_connection("1"))
    put(outbox, b"x")
    outbox.abandon()
    assert not put(outbox, b"y")
    assert not outbox.send(MatchList("1", ()))
    assert await drain(outbox) == []
    assert outbox.closing is None


async def test_message_that_the_state_machine_forbids_is_not_sent() -> None:
    outbox = Outbox(open_connection())
    with pytest.raises(LocalProtocolError):
        outbox.send(MatchList("not in flight", ()))
    with pytest.raises(LocalProtocolError):
        outbox.send_shared(SharedFrame(Records, MatchId("not watched"), b"x"))
    outbox.close("going_away", "bye")
    assert len(await drain(outbox)) == 1


async def test_it_is_writable_again_when_half_is_gone() -> None:
    outbox = Outbox(open_connection(), max_frames=8)
    for _ in range(8):
        put(outbox, b"x")
    waiting = asyncio.create_task(outbox.wait_writable())
    for _ in range(4):
        await asyncio.sleep(0)
        assert not waiting.done()
        await outbox.get()
    await waiting


async def test_waiting_ends_when_it_closes() -> None:
    outbox = Outbox(open_connection("1"), max_frames=1)
    put(outbox, b"x")
    waiting = [asyncio.create_task(step) for step in (outbox.wait_writable(), outbox.wait_idle())]
    await asyncio.sleep(0)
    outbox.abandon()
    for task in waiting:
        with pytest.raises(OutboxClosed):
            await task
    await outbox.wait_closed()


async def test_it_is_idle_when_every_command_has_its_response() -> None:
    outbox = Outbox(open_connection("1", "2"))
    waiting = [asyncio.create_task(outbox.wait_idle(allowed)) for allowed in (0, 1)]
    await outbox.wait_idle(allowed=2)
    outbox.send(MatchList("1", ()))
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [False, True]
    outbox.send(Refused("busy", "later", "2"))
    await asyncio.gather(*waiting)
    assert list(outbox.connection.in_flight) == []


class FakeWriter:
    """A writer that has room or has none; `frames` are those it took."""

    def __init__(self, room: int = 10**9) -> None:
        self.room = room
        self.frames: list[bytes] = []

    def __call__(self, frame: bytes) -> bool:
        if len(self.frames) < self.room:
            self.frames.append(frame)
            return True
        return False


async def test_frames_are_written_at_once_and_queued_while_the_writer_has_no_room() -> None:
    outbox, writer = Outbox(open_connection(), max_frames=3), FakeWriter(room=2)
    put(outbox, b"before")
    outbox.attach_writer(writer)
    assert [put(outbox, frame) for frame in (b"a", b"b", b"c")] == [True, True, True]
    assert writer.frames == [b"before", b"a"]
    writer.room = 3
    outbox.flush()
    assert put(outbox, b"d")
    assert writer.frames == [b"before", b"a", b"b"]
    outbox.attach_writer(None)
    outbox.close("going_away", "bye")
    assert (await drain(outbox))[:-1] == [b"c", b"d"]


async def test_a_writer_without_room_closes_the_outbox_as_slow() -> None:
    outbox = Outbox(open_connection(), max_frames=2)
    outbox.attach_writer(FakeWriter(room=0))
    assert [put(outbox, b"x") for _ in range(3)] == [True, True, False]
    assert (await last_message(outbox)).close_reason == "slow"


async def test_flushing_makes_it_writable() -> None:
    outbox, writer = Outbox(open_connection(), max_frames=4), FakeWriter(room=0)
    outbox.attach_writer(writer)
    for number in range(4):
        put(outbox, b"%d" % number)
    waiting = asyncio.create_task(outbox.wait_writable())
    await asyncio.sleep(0)
    assert not waiting.done()
    writer.room = 4
    outbox.flush()
    await waiting
    assert writer.frames == [b"0", b"1", b"2", b"3"]
