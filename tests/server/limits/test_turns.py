"""Each address waits for one item of every other address, however many those have."""

import asyncio

import pytest

from diskwars_server.limits.turns import AddressLock, AddressTurns


def test_addresses_take_turns() -> None:
    turns = AddressTurns[int]()
    for number in range(4):
        turns.add("flood", number)
    turns.add("first", 10)
    turns.add("second", 20)
    assert (len(turns), turns.count_of("flood"), turns.count_of("nobody")) == (6, 4, 0)
    assert [turns.take() for _ in range(3)] == [0, 10, 20]
    turns.add("first", 11)
    assert [turns.take() for _ in range(4)] == [1, 11, 2, 3]
    assert not turns
    with pytest.raises(StopIteration):
        turns.take()


def test_latest_item_of_the_largest_address_is_dropped() -> None:
    turns = AddressTurns[int]()
    for number, address in enumerate(("one", "flood", "flood", "two")):
        turns.add(address, number)
    assert turns.largest() == "flood"
    assert turns.drop_latest("flood") == 2
    assert turns.drop_latest("one") == 0
    assert [turns.take() for _ in range(len(turns))] == [1, 3]
    with pytest.raises(KeyError):
        turns.drop_latest("flood")
    turns = AddressTurns[int]()
    turns.add("one", 4)
    turns.add("two", 5)
    assert turns.has_one_of_each()
    turns.add("two", 6)
    assert not turns.has_one_of_each()
    for _ in range(2):
        turns.discard("one", 4)
    turns.discard("two", 6)
    assert [turns.take() for _ in range(len(turns))] == [5]


async def test_addresses_get_a_lock_in_turn() -> None:
    lock, order = AddressLock(), list[str]()

    async def hold(address: str) -> None:
        async with lock.turn_of(address):
            order.append(address)
            await asyncio.sleep(0)

    async with lock.turn_of("first"):
        tasks = [asyncio.create_task(hold(address)) for address in ("flood", "flood", "flood", "player")]
        await asyncio.sleep(0.001)
        assert order == []
    await asyncio.gather(*tasks)
    assert order == ["flood", "player", "flood", "flood"]
    await hold("last")
    assert order[-1] == "last"


@pytest.mark.parametrize("is_passed_on", [False, True])
async def test_lock_goes_on_to_the_next_if_the_one_whose_turn_it_is_has_been_cancelled(is_passed_on: bool) -> None:
    lock, order = AddressLock(), list[str]()

    async def hold(address: str) -> None:
        async with lock.turn_of(address):
            order.append(address)

    async with lock.turn_of("first"):
        leaving, staying = (asyncio.create_task(hold(address)) for address in ("leaving", "staying"))
        await asyncio.sleep(0.001)
        if not is_passed_on:
            leaving.cancel()
    leaving.cancel()
    await asyncio.gather(leaving, staying, return_exceptions=True)
    assert order == ["staying"]
    await hold("last")
    assert order == ["staying", "last"]


@pytest.mark.parametrize("is_cancelled_first", [False, True])
async def test_two_never_hold_a_lock_though_others_are_cancelled(is_cancelled_first: bool) -> None:
    lock, holders, most = AddressLock(), 0, 0

    async def hold(address: str) -> None:
        nonlocal holders, most
        async with lock.turn_of(address):
            holders += 1
            most = max(most, holders)
            await asyncio.sleep(0.001)
            holders -= 1

    first = asyncio.create_task(hold("first"))
    await asyncio.sleep(0)
    tasks = [asyncio.create_task(hold(address)) for address in ("home", "other", "third", "home")]
    await asyncio.sleep(0)
    leaving = tasks.pop(0 if is_cancelled_first else 1)
    leaving.cancel()
    await asyncio.sleep(0)
    assert len(lock._waiting) == 3, "one that has left waits no more"
    await asyncio.gather(first, leaving, *tasks, return_exceptions=True)
    assert (most, holders) == (1, 0)
    async with asyncio.timeout(1), lock.turn_of("last"):
        assert not lock._waiting


async def test_fault_of_who_holds_a_lock_passes_it_on() -> None:
    lock = AddressLock()
    with pytest.raises(RuntimeError):
        async with lock.turn_of("first"):
            raise RuntimeError("a fault")
    async with asyncio.timeout(1), lock.turn_of("second"):
        assert lock._is_held
