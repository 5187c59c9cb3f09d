"""Match files that no server may take: branches that begin at invented positions, and files that are large or deep."""

import random
import zlib
from functools import cache
from itertools import count

import msgspec
from msgspec.structs import replace

from diskwars_engine.branches import branch_start
from diskwars_engine.match import MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_protocol.match.events import PositionSet
from diskwars_protocol.match.ids import ALL, MatchId, PlayerId
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import FORMAT, MatchHeader, openings_of
from tools.invented_positions import TriedMoment, invent, real_moments

RULESET = "pit"
SALT_BYTES, SECRET_BYTES = 16, 32
LARGE_BYTES = 7_900_000
"""Just below the most that a server takes."""


@cache
def forge_branches(number: int, seed: int = 1) -> tuple[bytes, ...]:
    """Return compressed files of branches at invented positions, each of another match."""
    rng, moments, names = random.Random(seed), real_moments(RULESET, seed), count(1)
    files: list[bytes] = []
    while len(files) < number:
        moment = rng.choice(moments)
        try:
            board = msgspec.convert(invent(moment.board, rng), type(moment.state.board))
            encode_canonical(board)
        except (msgspec.ValidationError, NotCanonical):
            continue
        if board != moment.state.board:
            files.append(zlib.compress(_forge_branch(moment, board, MatchId(f"forged{next(names)}"), rng)))
    return tuple(files)


def _forge_branch(moment: TriedMoment, board: object, match: MatchId, rng: random.Random) -> bytes:
    """Return the file of a branch with one record, which begins at this board."""
    state, rules, entropy = moment.state, MatchRules(moment.ruleset), seeded_entropy(1, match)
    seats = len(state.seats)
    options = MatchOptions(branch_of=BranchPoint(MatchId("nowhere"), 1), takebacks=True)
    start = branch_start(moment.ruleset, state, ALL, rng)
    opening = MatchOpening(match, state.settings, seats, PlayerId("forger"), 0, True, options, start)
    body = rules.open(opening, MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))).body
    events = [
        PositionSet(replace(event.position, board=board)) if isinstance(event, PositionSet) else event
        for event in body.events
    ]
    codec = RecordCodec(rules, match, seats)
    meta = RecordMeta(PlayerId("forger"), "open")
    sealed = codec.seal(replace(body, events=tuple(events)), 1, codec.genesis, meta, lambda: entropy(SALT_BYTES))
    header = MatchHeader(format=FORMAT, match=match, ruleset=rules.name)
    return b"".join(write_file(header, [sealed.record], openings_of))


@cache
def make_bombs() -> tuple[bytes, ...]:
    """Return compressed files of the largest size: one long line, a million lines, deep JSON, and what is no file."""
    header = b'{"type":"diskwars-match","format":1,"match":"bomb","ruleset":"pit"}\n'
    fillings = (b"x", b"{}\n", b"[", b'{"a":')
    bombs = [header + filling * (LARGE_BYTES // len(filling)) for filling in fillings]
    return (*map(zlib.compress, bombs), random.Random(1).randbytes(200_000))
