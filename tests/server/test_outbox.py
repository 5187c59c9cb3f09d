"""The outbox keeps order and bounds, and is closed when it overflows."""

import asyncio

import msgspec
import pytest

from diskwars_protocol.messages import Closing
from diskwars_server.outbox import Outbox, OutboxClosed


async def drain(outbox: Outbox) -> list[bytes]:
    found = []
    while (frame := await outbox.get()) is not None:
        found.append(frame)
    return found


async def close_reason(outbox: Outbox) -> Closing:
    return msgspec.json.decode((await drain(outbox))[-1], type=Closing)


async def test_frames_come_out_in_the_order_in_which_they_were_put() -> None:
    outbox = Outbox()
    reading = asyncio.create_task(drain(outbox))
    for number in range(100):
        assert outbox.put(b"%d" % number)
        if number % 7 == 0:
            await asyncio.sleep(0)
    outbox.close("going_away", "bye", 5)
    frames = await reading
    assert frames[:-1] == [b"%d" % number for number in range(100)]
    assert msgspec.json.decode(frames[-1], type=Closing) == Closing(1001, "going_away", "bye", 5)


async def test_too_many_frames_close_it_and_only_the_reason_is_left() -> None:
    outbox = Outbox(frames=3)
    assert [outbox.put(b"x") for _ in range(5)] == [True, True, True, False, False]
    assert [msgspec.json.decode(frame, type=Closing).close_reason for frame in await drain(outbox)] == ["slow"]


async def test_too_many_bytes_close_it_but_one_big_frame_goes() -> None:
    outbox = Outbox(octets=10)
    assert outbox.put(b"x" * 50)
    assert await outbox.get() == b"x" * 50
    assert outbox.put(b"x" * 6)
    assert not outbox.put(b"x" * 5)
    assert (await close_reason(outbox)).close_reason == "slow"


async def test_the_first_closing_counts() -> None:
    outbox = Outbox()
    outbox.put(b"x")
    outbox.close("flood", "too fast", 7)
    outbox.close("slow", "too slow")
    outbox.close()
    assert not outbox.put(b"y")
    assert await close_reason(outbox) == Closing(4006, "flood", "too fast", 7)


async def test_closing_without_a_word_drops_everything() -> None:
    outbox = Outbox()
    outbox.put(b"x")
    outbox.close()
    assert await drain(outbox) == []
    assert outbox.closing is None


async def test_room_is_waited_for_until_half_is_gone() -> None:
    outbox = Outbox(frames=8)
    for _ in range(8):
        outbox.put(b"x")
    waiting = asyncio.create_task(outbox.wait_writable())
    for _ in range(4):
        await asyncio.sleep(0)
        assert not waiting.done()
        await outbox.get()
    await waiting


async def test_nobody_waits_for_one_who_is_gone() -> None:
    outbox = Outbox(frames=1)
    outbox.put(b"x")
    outbox.begin_command()
    waiting = [asyncio.create_task(step) for step in (outbox.wait_writable(), outbox.wait_idle())]
    await asyncio.sleep(0)
    outbox.close()
    for task in waiting:
        with pytest.raises(OutboxClosed):
            await task
    await outbox.wait_closed()


async def test_it_is_quiet_when_every_command_has_its_answer() -> None:
    outbox = Outbox()
    await outbox.wait_idle()
    for _ in range(2):
        outbox.begin_command()
    waiting = asyncio.create_task(outbox.wait_idle())
    outbox.finish_command("a", b"1")
    await asyncio.sleep(0)
    assert not waiting.done()
    outbox.finish_command("b", b"2")
    await waiting
    assert outbox.take_finished_commands() == ["a", "b"]
    assert outbox.take_finished_commands() == []
    assert [await outbox.get(), await outbox.get()] == [b"1", b"2"]


async def test_frames_go_into_a_pipe_at_once_and_wait_while_it_is_full() -> None:
    outbox, piped, room = Outbox(frames=3), list[bytes](), 2

    def pipe(*frames: bytes) -> bool:
        if len(piped) < room:
            piped.extend(frames)
        return piped[-1] is frames[-1]

    outbox.put(b"before")
    outbox.attach_writer(pipe)
    assert [outbox.put(frame) for frame in (b"a", b"b", b"c")] == [True, True, True]
    assert piped == [b"before", b"a"]
    room = 3
    outbox.flush()
    assert outbox.put(b"d")
    assert piped == [b"before", b"a", b"b"]
    outbox.attach_writer(None)
    outbox.close("going_away", "bye")
    assert (await drain(outbox))[:-1] == [b"c", b"d"]


async def test_a_pipe_that_stays_full_closes_the_outbox_as_slow() -> None:
    outbox = Outbox(frames=2)
    outbox.attach_writer(lambda *frames: False)
    assert [outbox.put(b"x") for _ in range(3)] == [True, True, False]
    assert (await close_reason(outbox)).close_reason == "slow"
    assert not outbox.put(b"y")


class FakeSocket:
    """A pipe that takes everything or nothing; `calls` are the frames it was given together."""

    def __init__(self, is_full: bool = False) -> None:
        self.is_full = is_full
        self.calls: list[tuple[bytes, ...]] = []

    def __call__(self, *frames: bytes) -> bool:
        if not self.is_full:
            self.calls.append(frames)
        return not self.is_full


async def test_a_pipe_that_has_room_again_makes_room() -> None:
    outbox, line = Outbox(frames=4), FakeSocket(is_full=True)
    outbox.attach_writer(line)
    for number in range(4):
        outbox.put(b"%d" % number)
    waiting = asyncio.create_task(outbox.wait_writable())
    await asyncio.sleep(0)
    assert not waiting.done()
    line.is_full = False
    outbox.flush()
    await waiting
    assert line.calls == [(b"0",), (b"1",), (b"2",), (b"3",)]


@pytest.mark.parametrize("room", [True, False])
async def test_what_is_held_goes_with_the_answer_in_one_piece_or_waits_with_it_in_order(room: bool) -> None:
    outbox, line = Outbox(), FakeSocket(is_full=not room)
    outbox.attach_writer(line)
    outbox.begin_command()
    outbox.cork()
    outbox.put(b"records")
    assert line.calls == []
    outbox.finish_command("a", b"accepted")
    assert line.calls == ([(b"records", b"accepted")] if room else [])
    outbox.put(b"more")
    assert line.calls == ([(b"records", b"accepted"), (b"more",)] if room else [])
    outbox.close("going_away", "bye")
    outbox.attach_writer(None)
    assert (await drain(outbox))[:-1] == ([] if room else [b"records", b"accepted", b"more"])
    assert outbox.take_finished_commands() == ["a"]


async def test_nothing_is_held_back_behind_frames_that_wait_already() -> None:
    outbox, line = Outbox(), FakeSocket(is_full=True)
    outbox.attach_writer(line)
    outbox.put(b"before")
    outbox.cork()
    outbox.put(b"records")
    line.is_full = False
    outbox.flush()
    assert line.calls == [(b"before",), (b"records",)]


async def test_an_outbox_that_closes_while_it_holds_answers_nothing_more() -> None:
    outbox, line = Outbox(), FakeSocket()
    outbox.attach_writer(line)
    outbox.cork()
    outbox.put(b"records")
    outbox.close()
    outbox.finish_command("a", b"accepted")
    assert line.calls == []
