"""Ways to forge a match file. After most of them every hash is recomputed, so only the content gives them away."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = Any  # what json.loads gives
Forge: TypeAlias = Callable[["Forgery"], int]
"""Changes a file, and returns the number of the first record that is wrong then."""


def canonical(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Forgery:
    """A match file while it is forged."""

    def __init__(self, raw: bytes) -> None:
        self.header, *self.records = map(json.loads, raw.splitlines())
        self.end = b""

    def written(self, *, is_rechained: bool) -> bytes:
        """Return the file; `is_rechained` makes every hash follow from what is there now."""
        previous = hashlib.sha256(canonical(self.header)).digest()
        for record in self.records if is_rechained else ():
            leaf = hashlib.sha256(bytes.fromhex(record["salt"]) + canonical(record["body"])).digest()
            previous = hashlib.sha256(previous + leaf).digest()
            record["hash"] = previous.hex()
        return b"".join(canonical(line) + b"\n" for line in (self.header, *self.records)) + self.end

    def body(self, seq: int) -> Json:
        return self.records[seq - 1]["body"]

    def find(self, kind: str, skip: int = 0, field: str = "") -> tuple[int, Json]:
        """Return an event of a kind, with something in `field` if that is named, and the seq of its record."""
        found = [
            (record["seq"], event)
            for record in self.records
            for event in record["body"].get("events", ())
            if event["type"] == kind and (not field or event.get(field))
        ]
        return found[skip]

    def find_action(self, kind: str, skip: int = 0) -> tuple[int, Json]:
        """Return an action of a kind, and the seq of its record."""
        found = [
            (r["seq"], r["body"]["action"]) for r in self.records if r["body"].get("action", {}).get("type") == kind
        ]
        return found[skip]

    def reseal(self, seq: int, end: Sequence[str | int], value: Json) -> None:
        """Replace the secret whose path ends so, in its opening and as the digest in the body."""
        opening = next(o for o in self.records[seq - 1]["openings"] if o["path"][-len(end) :] == list(end))
        opening["value"] = value
        place = self.body(seq)
        for step in opening["path"][:-1]:
            place = place[step]
        digest = hashlib.sha256(bytes.fromhex(opening["salt"]) + canonical(value)).hexdigest()
        place[opening["path"][-1]] = {"#": digest}


class Kind(NamedTuple):
    """A kind of forgery."""

    name: str
    forge: Forge
    is_rechained: bool


KINDS: list[Kind] = []


def kind(*, is_rechained: bool = True) -> Callable[[Forge], Forge]:
    def add(forge: Forge) -> Forge:
        KINDS.append(Kind(forge.__name__, forge, is_rechained))
        return forge

    return add


# ---------------------------------------------------------------- the text


@kind(is_rechained=False)
def altered_event(file: Forgery) -> int:
    seq, event = file.find("damage_dealt")
    event["tokens"] += 1
    return seq


@kind(is_rechained=False)
def altered_hash(file: Forgery) -> int:
    file.records[20]["hash"] = "ab" * 32
    return 21


@kind(is_rechained=False)
def altered_record_salt(file: Forgery) -> int:
    file.records[20]["salt"] = "ab" * 16
    return 21


@kind(is_rechained=False)
def missing_record(file: Forgery) -> int:
    del file.records[20]
    return 21


@kind(is_rechained=False)
def swapped_records(file: Forgery) -> int:
    file.records[20:22] = file.records[21:19:-1]
    return 21


@kind(is_rechained=False)
def repeated_record(file: Forgery) -> int:
    file.records.insert(20, file.records[19])
    return 21


@kind(is_rechained=False)
def record_after_the_end(file: Forgery) -> int:
    seq = len(file.records) + 1
    file.records.append({**file.records[10], "seq": seq})
    return seq


@kind(is_rechained=False)
def damaged_end(file: Forgery) -> int:
    last = canonical(file.records.pop())
    file.end = last[:40].replace(b'"seq":', b'"seq": ')
    return len(file.records) + 1


@kind(is_rechained=False)
def altered_opening(file: Forgery) -> int:
    seq, _ = file.find("card_locked")
    file.records[seq - 1]["openings"][-1]["value"] = "feint"
    return seq


@kind(is_rechained=False)
def altered_opening_salt(file: Forgery) -> int:
    seq, _ = file.find("card_locked")
    file.records[seq - 1]["openings"][-1]["salt"] = "ab" * 16
    return seq


@kind(is_rechained=False)
def other_seats_saw_an_opening(file: Forgery) -> int:
    seq, event = file.find("card_locked")
    file.records[seq - 1]["openings"][-1]["seats"] = sorted({event["seat"], 1 - event["seat"]})
    return seq


# ---------------------------------------------------------------- what a record says


@kind()
def renamed_match(file: Forgery) -> int:
    file.header["match"] = "another"
    return 1


@kind()
def missing_record_renumbered(file: Forgery) -> int:
    seq, _ = file.find("disk_flipped")
    del file.records[seq - 1]
    for place, record in enumerate(file.records, 1):
        record["seq"] = place
    return seq


@kind()
def time_going_backwards(file: Forgery) -> int:
    file.body(30)["at_ms"] = file.body(29)["at_ms"] - 1
    return 30


@kind()
def forged_takeback(file: Forgery) -> int:
    file.body(30)["taken_back_to"] = 20
    return 30


@kind()
def altered_action(file: Forgery) -> int:
    seq, action = file.find_action("move_disk")
    action["end_activation"] = not action.get("end_activation", False)
    return seq


@kind()
def altered_digest(file: Forgery) -> int:
    seq, _ = file.find_action("move_disk")
    file.body(seq)["digest"] = "ab" * 32
    return seq


@kind()
def answer_to_a_closed_decision(file: Forgery) -> int:
    seq, action = file.find_action("move_disk", skip=2)
    file.body(seq)["decision"] = "2.0"
    file.body(seq)["digest"] = hashlib.sha256(canonical(["2.0", action])).hexdigest()
    return seq


@kind()
def action_of_another_seat(file: Forgery) -> int:
    seq, _ = file.find_action("move_disk", skip=2)
    file.body(seq)["seat"] = 1 - file.body(seq)["seat"]
    return seq


@kind()
def answer_of_the_house(file: Forgery) -> int:
    seq, _ = file.find_action("move_disk", skip=1)
    body = file.body(seq)
    file.records[seq - 1]["body"] = {"at_ms": body.pop("at_ms"), "seat": body.pop("seat"), "actor": "house", **body}
    return seq


@kind()
def decision_under_another_id(file: Forgery) -> int:
    seq: int = next(r["seq"] for r in file.records if r["seq"] > 20 and r["body"].get("decisions"))
    file.body(seq)["decisions"][-1]["id"] = "7.0"
    return seq


@kind()
def altered_draw_index(file: Forgery) -> int:
    seq, _ = file.find("shot_fired")
    file.body(seq)["draw_index"] += 1
    return seq


@kind()
def altered_scores(file: Forgery) -> int:
    result = file.records[-1]["body"]["result"]
    result["scores"] = [score + 1 for score in result.get("scores", (0, 0))]
    return len(file.records)


# ---------------------------------------------------------------- dice


@kind()
def altered_die(file: Forgery) -> int:
    seq, event = file.find("shot_fired")
    event["dice"]["results"][0] = 7 - event["dice"]["results"][0]
    return seq


@kind()
def altered_dice_order(file: Forgery) -> int:
    seq, event = file.find("shot_fired")
    event["dice"]["index"] += 1
    return seq


@kind()
def forged_server_link(file: Forgery) -> int:
    seq, event = file.find("step_began", skip=2)
    event["server_link"] = "ab" * 32
    return seq


@kind()
def forged_last_link(file: Forgery) -> int:
    seq, event = file.find("match_ended")
    event["server_link"] = "ab" * 32
    return seq


@kind()
def forged_seat_nonce(file: Forgery) -> int:
    seq, event = file.find("step_began", skip=2)
    event["seat_nonces"][0] = "ab" * 16
    return seq


@kind()
def nonce_said_to_be_missing(file: Forgery) -> int:
    seq, event = file.find("step_began", skip=2)
    event["seat_nonces"][0], event["missing"] = "0" * 32, [0]
    return seq


@kind()
def forged_recorded_nonce(file: Forgery) -> int:
    seq, _ = file.find("seat_nonce_opened", skip=5)
    file.reseal(seq, ("seat_nonce",), "ab" * 16)
    return seq


@kind()
def forged_deal_secret(file: Forgery) -> int:
    seq, event = file.find("match_ended")
    event["deal_secret"] = "ab" * 32
    return seq


@kind()
def forged_objective(file: Forgery) -> int:
    seq, event = file.find("objective_dealt")
    other = next(other for _, other in (file.find("objective_dealt", skip=n) for n in range(2)) if other != event)
    number = file.body(seq)["events"].index(event)
    opening = next(o for o in file.records[seq - 1]["openings"] if o["path"] == ["events", number, "scenario"])
    taken = {o["value"] for o in file.records[seq - 1]["openings"] if o["path"][-1] == "scenario"}
    _, started = file.find("match_started")
    free = [card["id"] for card in started["scenarios"] if card["id"] not in taken]
    assert other
    file.reseal(seq, opening["path"], free[0])
    return seq


# ---------------------------------------------------------------- cards and figures


@kind()
def forged_commitment(file: Forgery) -> int:
    seq, event = file.find("card_locked")
    event["commitment"] = "ab" * 32
    return seq


@kind()
def forged_card_salt(file: Forgery) -> int:
    seq, event = file.find("cards_revealed")
    event["cards"][0]["salt"] = "ab" * 16
    return seq


@kind()
def other_card_revealed(file: Forgery) -> int:
    seq, event = file.find("cards_revealed")
    shown = event["cards"][0]
    shown["card"] = "feint" if shown["card"] != "feint" else "hold-fast"
    return seq


@kind()
def figures_of_no_pack(file: Forgery) -> int:
    seq, event = file.find("match_started")
    event["profiles"][0]["toughness"] += 1
    return seq


@kind()
def settings_that_were_not_agreed(file: Forgery) -> int:
    seq, event = file.find("match_started")
    event["settings"]["impact_own"] = False
    return seq


@kind()
def more_damage_than_was_dealt(file: Forgery) -> int:
    seq, event = file.find("damage_dealt")
    event["tokens"] += 1
    return seq


@kind()
def event_of_a_disk_that_is_none(file: Forgery) -> int:
    seq, event = file.find("disk_flipped")
    event["disk"] = 99
    return seq
