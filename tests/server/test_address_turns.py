"""Each address waits for one item of every other address, however many those have."""

import pytest

from diskwars_server.address_turns import AddressTurns


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
