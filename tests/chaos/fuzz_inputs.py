"""Fuzzed match files, lines of a terminal and heads of HTTP requests: each is taken or refused in foreseen words.

`python -m tests.chaos.fuzz_inputs lines 100000 [SEED]` runs as many as are asked for and tells what came of them; the
other kinds are `files` and `heads`. It fails where one took longer than `MAX_MS` of CPU.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import FrameType
from typing import Any

from diskwars_cli.look_back.file_verifier import judge_file
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_client.rulesets.registry import find_terminal
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import AnyMatch
from diskwars_server.connections.request_head import RequestHeadProtocol
from tests.chaos.arguments import make_parser, positive
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rulesets.matches import played

RULESETS = ("diskwars", "pit", "close_quarters", "regiments")
FILES = ("diskwars-abandoned", "diskwars-closed", "pit-agreements", "counting-branch")
"""Short ones: what a file costs to verify grows with its records."""
HEAD = (
    b"GET /ws?a=1 HTTP/1.1\r\nHost: disks.example.org\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
)
ODD_BYTES = (
    b"\r\n\r\n",
    b"\n",
    b"\0",
    b"\xff",
    b": ",
    b"Content-Length: 5\r\n",
    b"y" * 9_000,
    b"-1",
    b"99999999999",
    b"",
)
ODD_WORDS = (
    "9" * 4_000,
    "-1",
    "0",
    "1.5",
    "x" * 300,
    "a(",
    ")",
    "@",
    "''",
    "karl " * 500,
    "\u0660",
    "\ud800",
    "to",
    ",",
)
"""Words of lines. U+0660 is a digit with which no order is written."""


def damage_bytes(chance: random.Random, raw: bytes, odd: tuple[bytes, ...] = ODD_BYTES) -> bytes:
    """Return bytes with one or two places cut, doubled, changed or filled with something odd."""
    for _ in range(chance.randrange(1, 3)):
        at, until = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
        match chance.randrange(5):
            case 0:
                raw = raw[:at] + raw[until:]
            case 1:
                raw = raw[:until] + raw[at:]
            case 2:
                raw = raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
            case 3:
                number = str(chance.choice((-1, 0, 1, 7, 255, 2**31, 2**53, 10**30))).encode()
                digits = [place for place in range(at, len(raw)) if raw[place : place + 1].isdigit()][:1]
                raw = raw[: digits[0]] + number + raw[digits[0] + 1 :] if digits else raw
            case _:
                raw = raw[:at] + chance.choice(odd) + raw[at:]
    return raw


@cache
def _questions(ruleset: str) -> tuple[tuple[AnyMatch, Decision[Any], Any], ...]:
    """Return moments of a match in which a player is asked something, with what is offered."""
    parent, found = played(ruleset, 2, 1), []
    terminal = find_terminal(ruleset)
    for n in range(0, len(parent.states), max(1, len(parent.states) // 20)):
        match = parent.states[n]
        if match.board is not None:
            for decision in match.decisions:
                options = parent.local.rules.options(match, decision)
                found.append((match, decision, terminal.numbered_options(match, decision, options)))
    return tuple(found)


@cache
def _words(ruleset: str) -> tuple[str, ...]:
    words: set[str] = set(ODD_WORDS)
    terminal = find_terminal(ruleset)
    for match, decision, offered in _questions(ruleset):
        for part in terminal.completions(match, decision, offered):
            words.update(part)
        words.update(word for choice in offered[:20] for word in choice.text.split()[:12])
    return tuple(sorted(words))


def try_line(chance: random.Random) -> str:
    """Type a line in a terminal: words of its game in any order, odd ones among them."""
    ruleset = chance.choice(RULESETS)
    terminal = find_terminal(ruleset)
    match, decision, offered = chance.choice(_questions(ruleset))
    words = chance.choices(_words(ruleset), k=chance.choice((1, 2, 3, 5, 8, 13)))
    line = " ".join(words)
    try:
        kind = chance.choice((terminal.parse_order, terminal.preview_lines))
        kind(line, match, decision, offered)
    except OrderError:
        return "refused"
    return "understood"


@cache
def _file(name: str) -> bytes:
    return (FOLDER / f"{name}{SUFFIX}").read_bytes()


def try_file(chance: random.Random) -> str:
    """Give a damaged file to the verifier of a server."""
    verdict = judge_file(damage_bytes(chance, _file(chance.choice(FILES))))
    return verdict.code or "verified"


def try_head(chance: random.Random) -> str:
    """Send a damaged request to a socket without a network, in pieces."""
    protocol, raw = RequestHeadProtocol(), damage_bytes(chance, HEAD)
    while raw:
        size = chance.randrange(1, len(raw) + 1)
        protocol.receive_data(raw[:size])
        raw = raw[size:]
        if protocol.events_received() and protocol.handshake_exc is None:
            return "taken"
        if protocol.handshake_exc is not None:
            break
    else:
        protocol.receive_eof()
    answer = b"".join(protocol.data_to_send())
    return answer.split(b"\r\n", 1)[0].decode() if answer else "no answer: the request did not end"


MAX_MS = 100
"""Milliseconds of CPU that one input may take."""
KINDS: dict[str, Callable[[random.Random], str]] = {"lines": try_line, "files": try_file, "heads": try_head}


@cache
def prepare() -> None:
    """Play and read once what all inputs share, so that it counts for none of them."""
    for ruleset in RULESETS:
        for match, decision, offered in _questions(ruleset):
            for line in (_words(ruleset)[-1], "1"):
                with suppress(OrderError):
                    find_terminal(ruleset).preview_lines(line, match, decision, offered)
    for name in FILES:
        judge_file(_file(name))
    try_head(random.Random(0))


def run(kind: str, count: int, seed: int) -> tuple[Counter[str], list[float]]:
    """Try as many inputs of a kind; return what came of them, and the time that each took, in seconds of CPU.

    Raises what nobody foresaw, with the number of the input.
    """
    found, times = Counter[str](), list[float]()
    prepare()
    for number in range(count):
        started_at = time.process_time()
        try:
            found[KINDS[kind](random.Random(f"{seed} {number}"))] += 1
        except Exception as fault:
            fault.add_note(f"input {number} of {kind}, seed {seed}")
            raise
        times.append(time.process_time() - started_at)
    return found, times


def count_steps(kind: str, number: int, seed: int) -> int:
    """Return how many calls of Python one input takes: a measure without noise."""
    prepare()
    steps = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal steps
        steps += event == "call"

    chance = random.Random(f"{seed} {number}")
    sys.setprofile(count)
    try:
        KINDS[kind](chance)
    finally:
        sys.setprofile(None)
    return steps


if __name__ == "__main__":
    parser = make_parser("tests.chaos.fuzz_inputs", __doc__)
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("count", type=positive, help="how many")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    arguments = parser.parse_args()
    answers, seconds = run(arguments.kind, arguments.count, arguments.seed)
    for answer, how_often in answers.most_common():
        print(f"{how_often:9,}  {answer}")
    print(f"longest: {1000 * max(seconds):.1f} ms")
    sys.exit(1000 * max(seconds) > MAX_MS)
