"""Chains, keys, draws, dice and commitments."""

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol.records import fairness
from diskwars_protocol.records.fairness import (
    INITIAL_KEY,
    SERVER_CHAIN_LENGTH,
    BadLink,
    BadSeatNonce,
    ChainExhausted,
    DiceCursor,
    Draw,
    FairDice,
    NoStepBegun,
    SeatChain,
    ServerChain,
    card_commitment,
    check_draw,
    draw_number,
    draw_shuffle,
    is_next_nonce,
    is_seat_nonce,
    next_index,
    replay_keys,
    restore_dice,
    seat_nonce_bytes,
    seeded_entropy,
)
from tests.engine.scripted_dice import BadScript, ScriptedDice
from tests.rows import each_row

VECTORS = Path(__file__).parents[2] / "vectors"


class ChainLinkVector(msgspec.Struct, frozen=True):
    k: int
    link: str


class ServerVector(msgspec.Struct, frozen=True):
    far_end: str
    length: int
    links: tuple[ChainLinkVector, ...]


class SeatVector(msgspec.Struct, frozen=True):
    far_end: str
    length: int
    head: str
    first_links: tuple[str, ...]


class StepVector(msgspec.Struct, frozen=True):
    step: int
    link: str
    slots: tuple[str, ...]
    key: str


class DrawVector(msgspec.Struct, frozen=True):
    key: str
    index: str
    tag: str
    n: str
    value: str
    attempts: int


class DiceVector(msgspec.Struct, frozen=True):
    key: str
    index: int
    tag: str
    sides: int
    faces: tuple[int, ...]


class ShuffleVector(msgspec.Struct, frozen=True):
    key: str
    index: int
    tag: str
    count: int
    order: tuple[int, ...]
    index_after: int


class HiddenDrawSample(msgspec.Struct, frozen=True):
    tag: str
    n: int
    value: int


class HiddenDrawVector(msgspec.Struct, frozen=True):
    deal_secret: str
    deal_commitment: str
    ready: tuple[str, ...]
    deal_key: str
    draws: tuple[HiddenDrawSample, ...]


class CommitmentVector(msgspec.Struct, frozen=True):
    match: str
    step: int
    seat: int
    card: str
    salt: str
    commitment: str


class SeededVector(msgspec.Struct, frozen=True):
    seed: int
    label: str
    bytes: str


class FairnessVectors(msgspec.Struct, frozen=True):
    server_chain: ServerVector
    seat_chains: tuple[SeatVector, ...]
    steps: tuple[StepVector, ...]
    draws: tuple[DrawVector, ...]
    dice: tuple[DiceVector, ...]
    shuffles: tuple[ShuffleVector, ...]
    hidden: HiddenDrawVector
    commitments: tuple[CommitmentVector, ...]
    seeded: tuple[SeededVector, ...]


FAIRNESS_VECTORS = msgspec.json.decode((VECTORS / "fairness.json").read_bytes(), type=FairnessVectors)
SERVER = ServerChain(bytes.fromhex(FAIRNESS_VECTORS.server_chain.far_end))
SEAT = SeatChain(bytes.fromhex(FAIRNESS_VECTORS.seat_chains[0].far_end))
DEAL = bytes.fromhex(FAIRNESS_VECTORS.hidden.deal_secret)
KEY = hashlib.sha256(b"a key").digest()


# --- chains


def test_the_servers_chain_follows_the_vectors() -> None:
    assert FAIRNESS_VECTORS.server_chain.length == SERVER_CHAIN_LENGTH
    for vector in FAIRNESS_VECTORS.server_chain.links:
        assert SERVER.link(vector.k).hex() == vector.link
    assert SERVER.anchor == SERVER.link(0)


def test_each_link_of_the_server_is_the_hash_of_the_next() -> None:
    links = [SERVER.link(k) for k in range(SERVER_CHAIN_LENGTH + 1)]
    assert all(hashlib.sha256(after).digest() == before for before, after in pairwise(links))


@pytest.mark.parametrize("k", [-1, SERVER_CHAIN_LENGTH + 1])
def test_a_chain_has_no_links_beyond_its_ends(k: int) -> None:
    with pytest.raises(ChainExhausted, match=f"no link {k}"):
        SERVER.link(k)
    with pytest.raises(ChainExhausted, match=f"no link {k}"):
        SEAT.link(k)


@pytest.mark.parametrize("vector", FAIRNESS_VECTORS.seat_chains, ids=lambda vector: str(vector.length))
def test_seat_chains_follow_the_vectors(vector: SeatVector) -> None:
    chain = SeatChain(bytes.fromhex(vector.far_end), vector.length)
    assert chain.head.hex() == vector.head
    assert tuple(chain.link(k).hex() for k in (1, 2, 3)) == vector.first_links
    assert chain.link(vector.length).hex() == vector.far_end
    with pytest.raises(ChainExhausted):
        chain.link(vector.length + 1)


def test_a_link_opens_only_the_one_before_it() -> None:
    assert is_next_nonce(SEAT.head, SEAT.link(1))
    assert is_next_nonce(SEAT.link(1), SEAT.link(2))
    assert not is_next_nonce(SEAT.head, SEAT.link(2))
    assert not is_next_nonce(SEAT.link(1), SEAT.link(1))
    assert not is_next_nonce(SEAT.head, bytes(16))
    longer = hashlib.sha256(SEAT.link(1) + b"\0").digest()[:16]
    assert not is_next_nonce(longer, SEAT.link(1) + b"\0")


@each_row("text", ["", "0" * 31, "0" * 33, "A" * 32, " " + "0" * 31, "0x" + "0" * 30, "０" * 32])
def test_invalid_seat_nonce_is_refused_before_it_is_hashed(text: str) -> None:
    assert is_seat_nonce("0123456789abcdef" * 2)
    assert not is_seat_nonce(text)
    if text:
        with pytest.raises(BadSeatNonce):
            seat_nonce_bytes((text,))


def test_far_ends_have_the_length_of_a_link() -> None:
    with pytest.raises(ValueError, match="16 bytes, not 32"):
        ServerChain(bytes(16))
    with pytest.raises(ValueError, match="32 bytes, not 16"):
        SeatChain(bytes(32))


def test_links_that_were_forgotten_are_found_again() -> None:
    chain, links = ServerChain(bytes(range(32))), [SERVER_CHAIN_LENGTH, 200, 128, 65, 64, 63, 1, 0]
    expected = {k: chain.link(k) for k in links}
    for k in links:
        chain.forget_links()
        assert chain.link(k) == expected[k]


# --- keys


def test_the_keys_of_the_steps_follow_the_vectors() -> None:
    links = [vector.link for vector in FAIRNESS_VECTORS.steps]
    keys = replay_keys(SERVER.anchor.hex(), links, [vector.slots for vector in FAIRNESS_VECTORS.steps])
    assert [key.hex() for key in keys] == [vector.key for vector in FAIRNESS_VECTORS.steps]


def test_an_empty_slot_a_missing_seat_and_zeros_are_the_same() -> None:
    given_ = SEAT.link(1)
    same = {
        fairness.derive_step_key(bytes(32), INITIAL_KEY, slots)
        for slots in ((given_,), (given_, bytes(16)), (given_, bytes(16), bytes(16), bytes(16)))
    }
    assert len(same) == 1
    assert seat_nonce_bytes((given_.hex(), "")) == (given_, bytes(16))


def test_the_same_link_from_another_seat_gives_another_key() -> None:
    link = SEAT.link(1)
    assert fairness.derive_step_key(bytes(32), INITIAL_KEY, (link,)) != fairness.derive_step_key(
        bytes(32), INITIAL_KEY, (bytes(16), link)
    )


@each_row("slots", [(bytes(16),) * 5, (bytes(15),), (bytes(17),), (b"",)])
def test_slots_of_another_shape_are_refused(slots: tuple[bytes, ...]) -> None:
    with pytest.raises(BadSeatNonce):
        fairness.derive_step_key(bytes(32), INITIAL_KEY, slots)


def test_keys_are_known_as_far_as_links_are_published() -> None:
    slots = [vector.slots for vector in FAIRNESS_VECTORS.steps]
    assert replay_keys(SERVER.anchor.hex(), [], slots) == ()
    assert [key.hex() for key in replay_keys(SERVER.anchor.hex(), [FAIRNESS_VECTORS.steps[0].link], slots)] == [
        FAIRNESS_VECTORS.steps[0].key
    ]


@each_row(
    "wrong",
    [
        lambda link: link[:-1] + ("0" if link[-1] != "0" else "1"),
        lambda link: link.upper(),
        lambda link: link[:-2],
        lambda link: link + "\n",
        lambda link: SERVER.link(2).hex(),
    ],
)
@each_row("step", [1, 3])
def test_a_wrong_server_link_is_named_by_its_step(step: int, wrong: object) -> None:
    assert callable(wrong)
    links = [vector.link for vector in FAIRNESS_VECTORS.steps]
    links[step - 1] = wrong(links[step - 1])
    with pytest.raises(BadLink) as refused:
        replay_keys(SERVER.anchor.hex(), links, [vector.slots for vector in FAIRNESS_VECTORS.steps])
    assert refused.value.step == step


# --- draws


@each_row("vector", FAIRNESS_VECTORS.draws, ids=lambda vector: f"{vector.tag}-{vector.index}")
def test_draws_follow_the_vectors(vector: DrawVector) -> None:
    assert draw_number(bytes.fromhex(vector.key), int(vector.index), vector.tag, int(vector.n)) == int(vector.value)


def test_the_vectors_hold_draws_that_were_drawn_again() -> None:
    assert {vector.attempts for vector in FAIRNESS_VECTORS.draws} >= {1, 2, 5}


@pytest.mark.parametrize("vector", FAIRNESS_VECTORS.dice, ids=lambda vector: vector.tag)
def test_dice_follow_the_vectors(vector: DiceVector) -> None:
    key = bytes.fromhex(vector.key)
    assert fairness.draw_dice(key, vector.index, vector.tag, vector.sides, len(vector.faces)) == vector.faces


@each_row("vector", FAIRNESS_VECTORS.shuffles, ids=lambda vector: str(vector.count))
def test_shuffles_follow_the_vectors(vector: ShuffleVector) -> None:
    assert draw_shuffle(bytes.fromhex(vector.key), vector.index, vector.tag, vector.count) == vector.order
    made = Draw(1, vector.index, "shuffle", vector.count, vector.tag, vector.order)
    assert next_index(made) == vector.index_after
    assert check_draw(made, bytes.fromhex(vector.key))


@each_row("n", [0, -1, 2**64 + 1])
def test_nothing_can_be_drawn_from_nothing_or_from_too_much(n: int) -> None:
    with pytest.raises(ValueError, match=f"cannot draw one of {n}"):
        draw_number(KEY, 0, "", n)


def chi_square(counts: Counter[int], n: int) -> float:
    expected = counts.total() / n
    return sum((counts[face] - expected) ** 2 / expected for face in range(n))


@each_row(("n", "limit"), [(2, 10.8), (6, 20.5), (10, 27.9), (52, 89.3)])
def test_draws_are_spread_evenly(n: int, limit: float) -> None:
    """The limits are those of one in a thousand; the key is fixed, so this never fails by chance."""
    counts = Counter(draw_number(KEY, index, "even", n) for index in range(12_000))
    assert chi_square(counts, n) < limit


def test_draws_from_almost_the_whole_word_are_not_folded_over() -> None:
    """With n = 3 * 2^62 a plain remainder would give the lowest third of the values as often as the other two."""
    n = 2**63 + 2**62
    low = sum(draw_number(KEY, index, "fold", n) < 2**62 for index in range(3_000))
    assert 900 < low < 1_100  # a third; the plain remainder gives a half


def test_all_orders_of_three_are_equally_likely() -> None:
    orders: dict[tuple[int, ...], int] = {
        order: i for i, order in enumerate([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
    }
    counts = Counter(orders[draw_shuffle(KEY, 2 * i, "three", 3)] for i in range(6_000))
    assert chi_square(counts, 6) < 20.5


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32), st.text(max_size=8), st.integers(1, 40))
def test_a_shuffle_is_an_order_and_checks_with_its_own_key_and_place_only(
    key: bytes, index: int, tag: str, count: int
) -> None:
    made = Draw(1, index, "shuffle", count, tag, draw_shuffle(key, index, tag, count))
    assert sorted(made.results) == list(range(count))
    assert check_draw(made, key)
    if count > 1:
        assert not check_draw(
            msgspec.structs.replace(made, results=(made.results[1], made.results[0], *made.results[2:])), key
        )


@each_row(
    "change",
    [
        {"results": (7,) * 12},
        {"results": (0,) * 12},
        {"index": 1},
        {"tag": "another"},
        {"size": 8},
        {"size": 0},
        {"size": 2**60},
        {"index": -1},
        {"index": 2**70},
        {"kind": "shuffle"},
        {"kind": "shuffle", "size": 2**50},
    ],
)
def test_a_changed_draw_does_not_check(change: dict[str, object]) -> None:
    made = Draw(1, 0, "number_dice", 6, "shot", fairness.draw_dice(KEY, 0, "shot", 6, 12))
    assert check_draw(made, KEY)
    assert not check_draw(made, bytes(32))
    assert not check_draw(msgspec.structs.replace(made, **change), KEY)


# --- the dice of a match


def fair_dice(position: DiceCursor | None = None) -> FairDice:
    return FairDice(SERVER, DEAL, position)


READY = FAIRNESS_VECTORS.steps[0].slots
SECOND_READY = FAIRNESS_VECTORS.steps[1].slots


def test_no_dice_before_the_first_step() -> None:
    for ask in (
        lambda: fair_dice().roll("number_dice", 6, 1, "x"),
        lambda: fair_dice().shuffle(3, "x"),
        lambda: fair_dice().draw_hidden(3, "x"),
    ):
        with pytest.raises(NoStepBegun):
            ask()


def test_each_step_publishes_the_link_of_the_step_before() -> None:
    dice = fair_dice()
    assert dice.begin_step(READY) == SERVER.anchor.hex()
    assert dice.begin_step(SECOND_READY) == SERVER.link(1).hex() == FAIRNESS_VECTORS.steps[0].link
    assert dice.begin_step(()) == SERVER.link(2).hex()


def test_no_draw_uses_a_link_that_is_published() -> None:
    dice = fair_dice()
    published = [dice.begin_step(READY), dice.begin_step(SECOND_READY)]
    assert dice.cursor.key.hex() == FAIRNESS_VECTORS.steps[1].key
    assert FAIRNESS_VECTORS.steps[1].link not in published


def test_draws_take_indices_one_after_another_and_a_step_begins_at_zero() -> None:
    dice = fair_dice()
    dice.begin_step(READY)
    drawn = [
        dice.roll("number_dice", 6, 2, "a"),
        dice.shuffle(5, "b"),
        dice.shuffle(1, "c"),
        dice.roll("symbol_dice", 6, 0, "d"),
    ]
    assert [(made.step, made.index) for made in drawn] == [(1, 0), (1, 2), (1, 6), (1, 6)]
    assert dice.index == 6
    assert [next_index(made) for made in drawn] == [2, 6, 6, 6]
    assert all(check_draw(made, bytes.fromhex(FAIRNESS_VECTORS.steps[0].key)) for made in drawn)
    dice.begin_step(SECOND_READY)
    assert dice.index == 0
    assert dice.roll("number_dice", 6, 1, "a").step == 2


def test_a_position_can_be_gone_back_to() -> None:
    dice = fair_dice()
    dice.begin_step(READY)
    before = dice.cursor
    refused = dice.roll("number_dice", 6, 3, "shot")
    dice.draw_hidden(4, "objective")
    dice.cursor = before
    assert dice.roll("number_dice", 6, 3, "shot") == refused
    assert fair_dice(before).roll("number_dice", 6, 3, "shot") == refused


def test_dice_can_be_restored_from_what_is_stored() -> None:
    dice = fair_dice()
    dice.begin_step(READY)
    dice.begin_step(SECOND_READY)
    dice.roll("number_dice", 6, 4, "shot")
    again = restore_dice(SERVER, DEAL, [READY, SECOND_READY], dice.index)
    assert again.cursor == dice.cursor
    assert restore_dice(SERVER, DEAL, [], 0).cursor == DiceCursor()


def test_hidden_draws_follow_the_vectors_and_move_nothing() -> None:
    dice = fair_dice()
    assert fairness.deal_commitment(DEAL) == FAIRNESS_VECTORS.hidden.deal_commitment
    assert (
        fairness.deal_key(DEAL, seat_nonce_bytes(FAIRNESS_VECTORS.hidden.ready)).hex()
        == FAIRNESS_VECTORS.hidden.deal_key
    )
    dice.begin_step(FAIRNESS_VECTORS.hidden.ready)
    for vector in FAIRNESS_VECTORS.hidden.draws:
        assert dice.draw_hidden(vector.n, vector.tag) == vector.value
    assert dice.index == 0


def test_hidden_draws_depend_on_the_ready_links_and_on_no_later_step() -> None:
    dice, other = fair_dice(), fair_dice()
    dice.begin_step(READY)
    other.begin_step(())
    first = [dice.draw_hidden(2**32, tag) for tag in "abc"]
    assert [other.draw_hidden(2**32, tag) for tag in "abc"] != first
    dice.begin_step(SECOND_READY)
    assert [dice.draw_hidden(2**32, tag) for tag in "abc"] == first


def test_a_match_has_as_many_steps_as_the_chain_has_links() -> None:
    last = fair_dice(DiceCursor(step=SERVER_CHAIN_LENGTH, key=KEY, deal_key=KEY))
    with pytest.raises(ChainExhausted):
        last.begin_step(())
    assert last.cursor.step == SERVER_CHAIN_LENGTH


# --- scripted dice


def test_scripted_dice_say_what_the_script_says() -> None:
    dice = ScriptedDice([(6, 1), 3, (2, 0, 1), 0], step=2)
    assert dice.roll("number_dice", 6, 2, "shot") == Draw(2, 0, "number_dice", 6, "shot", (6, 1))
    assert dice.roll("symbol_dice", 6, 1, "shot") == Draw(2, 2, "symbol_dice", 6, "shot", (3,))
    assert dice.shuffle(3, "deck") == Draw(2, 3, "shuffle", 3, "deck", (2, 0, 1))
    assert dice.draw_hidden(1, "card") == 0
    assert dice.index == 5
    assert dice.begin_step(()) == "00" * 31 + "02"
    assert dice.index == 0
    dice.finish()


def test_scripted_dice_miss_what_was_not_asked_for() -> None:
    dice = ScriptedDice([1, (2, 3)])
    dice.roll("number_dice", 6, 1, "a")
    with pytest.raises(BadScript, match=r"never asked for: \[\(2, 3\)\]"):
        dice.finish()


def test_scripted_dice_refuse_what_does_not_fit() -> None:
    with pytest.raises(BadScript, match="the script has ended, asked for 1 of number_dice for a"):
        ScriptedDice().roll("number_dice", 6, 1, "a")
    for script, count in ([7], 1), ([0], 1), ([(1, 2)], 1), ([1], 2):
        with pytest.raises(BadScript, match="the script says"):
            ScriptedDice(script).roll("number_dice", 6, count, "a")
    for order in (0, 1), (0, 0, 1), (1, 2, 3):
        with pytest.raises(BadScript, match="the script says"):
            ScriptedDice([order]).shuffle(3, "a")
    for entry in 3, -1, (1, 1):
        with pytest.raises(BadScript, match="the script says"):
            ScriptedDice([entry]).draw_hidden(3, "a")


# --- commitments and repeatable secrets


@each_row("vector", FAIRNESS_VECTORS.commitments, ids=lambda vector: vector.commitment[:8])
def test_commitments_follow_the_vectors(vector: CommitmentVector) -> None:
    made = card_commitment(vector.match, vector.step, vector.seat, vector.card, bytes.fromhex(vector.salt))
    assert made == vector.commitment


def test_no_two_choices_share_a_commitment_by_running_together() -> None:
    salt = bytes(16)
    choices = [("m1", 2, 0, "x"), ("m", 12, 0, "x"), ("m1", 20, 0, "x"), ("m1", 2, 0, "0x"), ("m12", 0, 0, "x")]
    assert len({card_commitment(*choice, salt) for choice in choices}) == len(choices)


@each_row("size", [0, 15, 17])
def test_a_commitment_takes_a_salt_of_sixteen_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"a salt of {size} bytes"):
        card_commitment("m", 1, 0, "x", bytes(size))


@each_row("vector", FAIRNESS_VECTORS.seeded, ids=lambda vector: f"{vector.seed}-{vector.label}")
def test_seeded_secrets_follow_the_vectors_however_they_are_taken(vector: SeededVector) -> None:
    assert seeded_entropy(vector.seed, vector.label)(100).hex() == vector.bytes
    stream = seeded_entropy(vector.seed, vector.label)
    assert b"".join(stream(size) for size in (0, 1, 31, 32, 36)).hex() == vector.bytes
