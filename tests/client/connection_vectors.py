"""Make the connection vectors: conversations of a client, and what it does after closings and refusals.

What a client sends is compared in the fields that are written here; a client may send more. `$1` stands for the id of
its first request, `$2` for that of the second.
"""

from typing import Any, TypeAlias

import msgspec

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, PROTOCOL_VERSION, RulesetSummary, Welcome
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import seal

Json: TypeAlias = Any  # what json.loads gives
MATCH = MatchId("m1")
TOKEN = "token of p1"
RECORDS = 6
CLOSING_WAIT_MS = 20_000
REFUSAL_WAIT_MS = 40
ABOUT = [
    "What a client of the protocol sends, takes and refuses.",
    "conversations: `does` is what the program asks of its client, `sends` a frame of the client, `receives` one of",
    "the server, `cut` the end of the socket without a word, `state` what the client has of the match then. With",
    "`closes` the client closes the socket with that word and connects again; with `freezes` it takes nothing more",
    "of the match, whose server contradicts itself. In both cases nothing of the frame counts. `$1` is the id of",
    "the first request.",
    "closings: after `resume` the client connects again with its token, not before `wait_ms`; after `renew` it may",
    "do so without the token only; after `stop` it does not.",
    "refusals: after `repeat` the client sends the command again under its id, not before `wait_ms`; `answer` is",
    "for the program.",
]
OPENED = {
    "type": "match_opened",
    "match": MATCH,
    "ruleset": "diskwars",
    "rules_version": 1,
    "settings": {},
    "seat_count": 2,
    "anchor": "a" * 64,
    "deal_commitment": "b" * 64,
    "opener": "p1",
    "match_options": {},
}


class VectorStream:
    """A match of a few records, of which one has a sealed field."""

    def __init__(self, word: str = "p2") -> None:
        self.header = encode_canonical(r.MatchHeader(format=r.FORMAT, match=MATCH, ruleset="diskwars"))
        self.hashes = [r.genesis_hash(self.header)]
        self.records: list[Json] = []
        for seq in range(1, RECORDS + 1):
            self._append(seq, word)

    def _append(self, seq: int, word: str) -> None:
        seated = {
            "type": "seat_taken",
            "seat": 0,
            "player": word,
            "loadout": {"army": "empire"},
            "chain_head": "cd" * 16,
        }
        events = {1: [OPENED], 2: [seated]}.get(seq, [])
        full = encode_canonical({"at_ms": seq, "events": events, "decisions": []})
        paths = [("events", 0, "loadout", "army")] if seq == 2 else []
        body, openings = seal(full, paths, lambda: bytes([seq] * 16))
        salt = bytes([16 + seq] * 16)
        hash_after = r.next_hash(self.hashes[-1], r.leaf_hash(salt, body))
        stored = r.Record(seq, 0, "", f"c{seq}", 1, body, encode_canonical(openings), salt, hash_after)
        self.hashes.append(hash_after)
        self.records.append(msgspec.json.decode(msgspec.json.encode(r.to_wire(stored, openings))))

    def watching(self, after: int, head: int = RECORDS, request: str | None = None, **changed: Json) -> Json:
        header, hash_after = msgspec.json.decode(self.header), self.hashes[after].hex()
        fields = {"match": MATCH, "ruleset": "diskwars", "after": after, "head": head, "header": header}
        asked = {} if request is None else {"id": request}
        return {"type": "watching", **fields, "hash": hash_after, **asked, **changed}

    def frame(self, *numbers: int) -> Json:
        return {"type": "records", "match": MATCH, "records": [self.records[number - 1] for number in numbers]}

    def state(self, seq: int) -> Json:
        return {"state": {"match": MATCH, "seq": seq, "hash": self.hashes[seq].hex()}}


STREAM, OTHER = VectorStream(), VectorStream("p3")
WELCOME = Welcome(
    PROTOCOL_VERSION,
    PlayerId("p1"),
    TOKEN,
    1_700_000_000_000,
    (RulesetSummary("diskwars", (1,)),),
    DEFAULT_CLIENT_LIMITS,
)


def builtins(message: ServerMessage) -> Json:
    return msgspec.json.decode(encode(message))


def receives(message: Json, **then: str) -> Json:
    return {"receives": message, **then}


BEGIN = [{"sends": {"type": "hello", "versions": [1]}}, receives(builtins(WELCOME))]
WATCH = [{"does": {"watch": MATCH}}, {"sends": {"type": "watch", "match": MATCH, "id": "$1"}}]


def watched(upto: int) -> list[Json]:
    """Return the steps that bring a client as far as a record."""
    taken = [receives(STREAM.frame(*range(1, upto + 1))), STREAM.state(upto)] if upto else []
    return [*BEGIN, *WATCH, receives(STREAM.watching(0, upto, "$1")), *taken]


def resumed(after: int) -> list[Json]:
    """Return the steps of the next socket, up to the welcome."""
    hello = {"type": "hello", "token": TOKEN, "resume": [{"match": MATCH, "after": after}]}
    return [{"sends": hello}, receives(builtins(WELCOME))]


def tampered(seq: int, **changed: Json) -> Json:
    record = {**STREAM.records[seq - 1], **changed}
    return {"type": "records", "match": MATCH, "records": [record]}


def closing(word: str, wait_ms: int | None = None) -> Json:
    return builtins(Closing(CLOSE_CODES.get(word, 4099), word, "", wait_ms))


GOES_ON = [receives(STREAM.watching(3)), receives(STREAM.frame(4, 5, 6)), STREAM.state(6)]


def whole_conversations() -> dict[str, list[Json]]:
    act = {"act": {"match": MATCH, "decision": "3.0", "action": {"type": "resign"}}}
    sent = {"sends": {"type": "act", "match": MATCH, "decision": "3.0", "action": {"type": "resign"}, "id": "$2"}}
    return {
        "hello and welcome": BEGIN,
        "history in one frame, then a record": [*watched(3), receives(STREAM.frame(4)), STREAM.state(4)],
        "resume after the last record": [*watched(3), {"cut": True}, *resumed(3), *GOES_ON],
        "resume where nothing was missed": [
            *watched(3),
            {"cut": True},
            *resumed(3),
            receives(STREAM.watching(3, 3)),
            receives(STREAM.frame(4)),
            STREAM.state(4),
        ],
        "an unanswered command is sent again under its id": [
            *watched(3),
            {"does": act},
            sent,
            {"cut": True},
            *resumed(3),
            sent,
            receives(STREAM.watching(3, 4)),
            receives(STREAM.frame(4)),
            receives({"type": "accepted", "id": "$2", "match": MATCH, "seq": 4}),
            STREAM.state(4),
            {"cut": True},
            *resumed(4),
        ],
        "an unknown message is passed over": [
            *watched(2),
            receives({"type": "from_a_later_version", "match": MATCH}),
            receives(STREAM.frame(3)),
            STREAM.state(3),
        ],
        "the server closes, and the match goes on": [*watched(3), receives(closing("slow")), *resumed(3), *GOES_ON],
    }


def broken_conversations() -> dict[str, list[Json]]:
    wrong_opening = {**STREAM.records[1]["openings"][0], "value": "dwarfs"}
    return {
        "a record is missing": [
            *watched(3),
            receives(STREAM.frame(5), closes="gap"),
            STREAM.state(3),
            *resumed(3),
            *GOES_ON,
        ],
        "a record comes twice": [
            *watched(3),
            receives(STREAM.frame(3), closes="gap"),
            STREAM.state(3),
            *resumed(3),
            *GOES_ON,
        ],
        "a record is missing within a frame": [
            *watched(3),
            receives(STREAM.frame(4, 6), closes="gap"),
            STREAM.state(3),
            *resumed(3),
            *GOES_ON,
        ],
        "a frame without records": [*watched(3), receives(STREAM.frame(), closes="gap"), STREAM.state(3), *resumed(3)],
        "an opening does not fit": [
            *watched(1),
            receives(tampered(2, openings=[wrong_opening]), freezes="bad_record"),
            STREAM.state(1),
        ],
        "a salt is none": [*watched(3), receives(tampered(4, salt="AB" * 16), freezes="bad_record"), STREAM.state(3)],
        "earlier records were rewritten": [
            *watched(3),
            {"cut": True},
            *resumed(3),
            receives(OTHER.watching(3), freezes="bad_record"),
            STREAM.state(3),
        ],
        "a record was changed on its way, and the resume shows it": [
            *watched(3),
            receives(tampered(4, salt="ab" * 16)),
            {"cut": True},
            *resumed(4),
            receives(STREAM.watching(4), freezes="bad_record"),
        ],
        "the chain does not begin with the header": [
            *BEGIN,
            *WATCH,
            receives(STREAM.watching(0, request="$1", hash="00" * 32), freezes="bad_record"),
        ],
        "the header is another match's": [
            *BEGIN,
            *WATCH,
            receives(
                STREAM.watching(0, request="$1", header={**msgspec.json.decode(STREAM.header), "match": "m2"}),
                freezes="bad_record",
            ),
        ],
    }


RESUMED = {"going_away", "restarting", "fault", "flood", "slow", "gap"}
RENEWED = {"token_expired", "token_bad", "token_revoked"}


def closings() -> list[Json]:
    cases = []
    for word in [*CLOSE_CODES, "from_a_later_version"]:
        for wait_ms in (None, CLOSING_WAIT_MS):
            is_known = word in CLOSE_CODES
            resumes = word in RESUMED if is_known else wait_ms is not None
            then = "resume" if resumes else "renew" if word in RENEWED else "stop"
            waits = {} if then == "stop" or wait_ms is None else {"wait_ms": wait_ms}
            cases.append({"closing": closing(word, wait_ms), "then": then, **waits})
    return cases


def refusals() -> list[Json]:
    def refused(code: str, wait_ms: int | None) -> Json:
        return builtins(Refused(code, "", "$1", retry_after_ms=wait_ms))

    repeated: list[Json] = [
        {"refused": refused(code, REFUSAL_WAIT_MS), "then": "repeat", "wait_ms": REFUSAL_WAIT_MS}
        for code in ("busy", "retry", "unavailable", "fault")
    ]
    answered = [
        {"refused": refused(code, None), "then": "answer"} for code in ("unknown_match", "not_watchable", "fault")
    ]
    return [*repeated, *answered]


def make_vectors() -> Json:
    told = [
        {"name": name, "steps": steps} for name, steps in {**whole_conversations(), **broken_conversations()}.items()
    ]
    return {"about": ABOUT, "conversations": told, "closings": closings(), "refusals": refusals()}
