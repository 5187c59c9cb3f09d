"""The receipts of commands: found by actor and command id, whatever else there is."""

import hashlib

import pytest

from diskwars_engine import match_log
from diskwars_engine.match_log import CommandReceipt, CommandReceipts


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_every_receipt_is_found_and_no_other() -> None:
    receipts, expected = CommandReceipts(), dict[tuple[str, str], CommandReceipt]()
    for seq in range(1, 3001):
        actor, command = f"player-{seq % 3}", f"command {seq // 2}"
        if seq % 5 == 0:  # looked up before, as by a server that decides it
            assert receipts.find(actor, command) == expected.get((actor, command))
        receipts.add(actor, command, digest_of(f"{actor} {command}"))
        expected[actor, command] = CommandReceipt(digest_of(f"{actor} {command}"), seq)
    assert {key: receipts.find(*key) for key in expected} == expected
    assert all(key in receipts for key in expected)
    for actor, command in [("player-9", "command 1"), ("player-0", "command"), ("", "")]:
        assert (actor, command) not in receipts


def test_last_receipt_of_a_command_counts() -> None:
    receipts = CommandReceipts()
    for number in range(3):
        receipts.add("house", "stop", digest_of(str(number)))
    assert receipts.find("house", "stop") == CommandReceipt(digest_of("2"), 3)


def test_record_without_a_digest_equals_no_command() -> None:
    receipts = CommandReceipts()
    for number, digest in enumerate(("None", "", "ab", digest_of("long") + "ff")):
        receipts.add("house", f"timeout:{number}", digest)
    receipts.add("ann", "2", digest_of("2"))
    assert receipts.find("house", "timeout:0") == CommandReceipt("00" * 32, 1)
    assert receipts.find("house", "timeout:1") == CommandReceipt("00" * 32, 2)
    assert receipts.find("house", "timeout:3") == CommandReceipt(digest_of("long"), 4)
    assert receipts.find("ann", "2") == CommandReceipt(digest_of("2"), 5)


def test_key_across_the_end_of_one_and_the_beginning_of_the_next_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"first": b"aaaabbbb", "second": b"bbbbcccc", "across": b"bbbbbbbb", "between": b"bbbcbbbb"}
    hashes = {hash(("ann", name)): key for name, key in keys.items()}
    monkeypatch.setattr(match_log, "_pack_key", hashes.__getitem__)
    receipts = CommandReceipts()
    for name in ("first", "second", "first"):
        receipts.add("ann", name, digest_of(name))
    assert receipts.find("ann", "across") is None
    assert receipts.find("ann", "between") is None
    assert receipts.find("ann", "second") == CommandReceipt(digest_of("second"), 2)
    receipts.add("ann", "across", digest_of("across"))
    assert receipts.find("ann", "across") == CommandReceipt(digest_of("across"), 4)


def test_empty_receipts_hold_nothing() -> None:
    assert CommandReceipts().find("ann", "1") is None
