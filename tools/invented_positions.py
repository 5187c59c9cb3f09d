"""Invented positions: boards of real matches with figures changed at random, through everything that takes a position.

`python -m tools.invented_positions COUNT SEED RULESET ...` prints how many were refused, and the worst of the others.
Each goes through the check of a branch and, written as a file, through that of an import. Those that pass are played on
for two answers and drawn. Times are those of the processor, so that other programs do not count.
"""

import random
import resource
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pkgutil import resolve_name
from time import thread_time
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_cli.look_back.picture_process import to_png
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_client.verification.record_checks import ImpossiblePosition
from diskwars_client.verification.verify import verify
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.branches import BranchStart, branch_start
from diskwars_engine.match import MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_protocol.match.events import Position
from diskwars_protocol.match.ids import ALL, MatchId, PlayerId
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import FORMAT, MatchHeader, openings_of

NUMBERS = (-1, 0, 1, 2, 3, 7, 12, 40, 99, 1000, 10**6, 10**9, 2**53 - 1)
ANSWERS = 2
BRANCH = MatchId("invented")
SALT_BYTES = 16
DRAWN_AS_PNG = 20
"""One in this many is drawn as a link preview too, which takes ten times as long as all the rest."""


class TriedMoment(Struct, frozen=True):
    """A moment of a real match, and its board as plain JSON."""

    ruleset: AnyRuleset
    state: AnyMatch
    board: Any


class TrialTally(Struct):
    """The fates of the invented positions of one ruleset.

    `disagreements` were refused by one of the two checks only; at `crashes` the rules or the drawing failed.
    `growth_mib` is how far the peak of the process has risen since the first position: no step took more.
    """

    unreadable: int = 0
    refused: int = 0
    unchanged: int = 0
    played: int = 0
    disagreements: int = 0
    crashes: Counter[str] = msgspec.field(default_factory=Counter)
    most_events: int = 0
    most_picture_bytes: int = 0
    most_preview_bytes: int = 0
    growth_mib: float = 0.0
    worst_ms: dict[str, float] = msgspec.field(default_factory=dict)
    faults: Counter[str] = msgspec.field(default_factory=Counter)

    def record_time(self, step: str, began: float) -> None:
        """Keep the longest time of a step, in milliseconds of the processor."""
        self.worst_ms[step] = max(self.worst_ms.get(step, 0.0), 1000 * (thread_time() - began))


def real_moments(name: str, seed: int) -> list[TriedMoment]:
    """Play a match between random bots, and return every moment of it in which somebody has to decide."""
    ruleset = load_ruleset(name, ())
    flags = BotMatchFlags(data=DataOptions(), ruleset=name, players=min(ruleset.seat_counts), bots="random")
    job = next(find_simulation(name).jobs(flags, [seed]))
    local = seeded_match(ruleset, seed, job.loadouts, job.settings)
    states = [local.match for _ in play_bots(local, seed, job.bots)]
    running = [state for state in states if state.board is not None and state.status == "running"]
    return [TriedMoment(ruleset, state, msgspec.to_builtins(state.board)) for state in running]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in plain JSON."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield (*path, key)
        yield from places_in(part, (*path, key))


def invent(board: Any, rng: random.Random) -> Any:
    """Return a board with one to three values changed."""
    board = msgspec.json.decode(msgspec.json.encode(board))
    for _ in range(rng.randint(1, 3)):
        *path, last = rng.choice(list(places_in(board)))
        parent = board
        for key in path:
            parent = parent[key]
        parent[last] = changed_value(parent[last], rng)
    return board


def changed_value(value: Any, rng: random.Random) -> Any:
    """Return a value that an inventor of positions would put in the place of this one."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, *NUMBERS))
        case str():
            return rng.choice((value[:-1], value + "x", "", value.replace("1", "9")))
        case list():
            return rng.choice((value[1:], value[::-1], value + value[-1:], value * 50))
        case _:
            return rng.choice((None, 0, 1, value))


def try_position(moment: TriedMoment, board: Any, rng: random.Random, tally: TrialTally) -> None:
    """Take an invented position through branch, import, options, answers and drawing; count what becomes of it."""
    try:
        typed = msgspec.convert(board, type(moment.state.board))
        encode_canonical(typed)  # readers of files refuse what is not canonical, such as larger numbers
    except (msgspec.ValidationError, NotCanonical):
        tally.unreadable += 1
        return
    fault = _branch_fault(moment, typed, rng, tally)
    tally.disagreements += _is_imported(moment, typed, tally) == bool(fault)
    if fault:
        tally.refused += 1
        tally.faults[fault.partition("$")[2].partition(":")[0].partition("[")[0]] += 1
        return
    is_unchanged = typed == moment.state.board
    tally.unchanged += is_unchanged
    tally.played += not is_unchanged
    began = thread_time()
    try:
        tally.most_events = max(tally.most_events, play_on(moment.ruleset, typed, rng))
        tally.record_time("two answers", began)
        _draw(moment, typed, tally)
    except Exception as crash:
        frame = traceback.extract_tb(crash.__traceback__)[-1]
        tally.crashes[f"{type(crash).__name__} at {frame.filename.rpartition('/')[2]}:{frame.lineno}"] += 1


def _branch_fault(moment: TriedMoment, board: Any, rng: random.Random, tally: TrialTally) -> str:
    """Return why nobody branches a match there; empty if everybody may."""
    began = thread_time()
    try:
        branch_start(moment.ruleset, msgspec.structs.replace(moment.state, board=board), ALL, rng)
    except Illegal as refusal:
        return refusal.text
    finally:
        tally.record_time("branch", began)
    return ""


def _is_imported(moment: TriedMoment, board: Any, tally: TrialTally) -> bool:
    """Return whether the verifier of imports takes a file of a branch that begins there."""
    raw = branch_file(moment, board)
    began = thread_time()
    try:
        verify(raw, rulesets=[moment.ruleset])
    except ImpossiblePosition:
        return False
    finally:
        tally.record_time("import", began)
    return True


def branch_file(moment: TriedMoment, board: Any) -> bytes:
    """Return the file of a branch with this position that nobody has entered yet."""
    rules, state = MatchRules(moment.ruleset), moment.state
    options = MatchOptions(branch_of=BranchPoint(state.match, 1))
    start = BranchStart(Position(board), state.packs)
    opening = MatchOpening(BRANCH, state.settings, len(state.seats), PlayerId("opener"), 0, True, options, start)
    body = rules.open(opening, MatchSecrets(bytes(32), bytes(32))).body
    codec, salts = RecordCodec(rules, BRANCH, len(state.seats)), random.Random(1)
    meta = RecordMeta(opening.opener, "open")
    record = codec.seal(body, 1, codec.genesis, meta, lambda: salts.randbytes(SALT_BYTES)).record
    return b"".join(write_file(MatchHeader(format=FORMAT, match=BRANCH, ruleset=rules.name), [record], openings_of))


def _draw(moment: TriedMoment, board: Any, tally: TrialTally) -> None:
    """Draw a board as a picture and, now and then, as the preview of a link."""
    draw_board = resolve_name(f"diskwars_text.rulesets.{moment.state.ruleset}.picture:draw_board")
    began = thread_time()
    picture = draw_board(board).encode()
    tally.record_time("picture", began)
    tally.most_picture_bytes = max(tally.most_picture_bytes, len(picture))
    if (tally.played + tally.unchanged) % DRAWN_AS_PNG == 1:
        began = thread_time()
        tally.most_preview_bytes = max(tally.most_preview_bytes, len(to_png(picture)))
        tally.record_time("preview", began)


def play_on(ruleset: AnyRuleset, board: Any, rng: random.Random) -> int:
    """Answer twice as the rules do for a seat that does not; return the most events of a decision."""
    most, dice = 0, QuickDice(rng, 4)
    for _ in range(ANSWERS):
        questions = ruleset.questions(board)
        if not questions or ruleset.result(board) is not None:
            break
        seat, question = questions[0]
        ruleset.options(board, seat, question)
        action = ruleset.default(board, seat, question, dice)
        try:
            outcome = ruleset.decide(board, seat, question, action, dice)
        except Illegal:
            break  # a default may lack a salt, which players give
        most, board = max(most, len(outcome.events)), outcome.board
    return most


def run(count: int, seed: int, names: Sequence[str] = tuple(RULESETS)) -> dict[str, TrialTally]:
    """Invent `count` positions, as many of each ruleset."""
    tallies = dict[str, TrialTally]()
    for name in names:
        rng, moments, tally, warm = (
            random.Random(f"{seed} {name}"),
            real_moments(name, seed),
            TrialTally(),
            TrialTally(),
        )
        tallies[name] = tally
        for moment in moments[:: max(1, len(moments) // 8)]:
            try_position(moment, moment.board, rng, warm)  # fills the caches, as a match that is played does
        peak = _peak_kib()
        for _ in range(count // len(names)):
            moment = rng.choice(moments)
            try_position(moment, invent(moment.board, rng), rng, tally)
        tally.growth_mib = (_peak_kib() - peak) / 1024
    return tallies


def _peak_kib() -> int:
    """Return the most memory that this process has had, in KiB as Linux counts it."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def summary(tallies: dict[str, TrialTally]) -> Iterator[str]:
    """Yield a line for each ruleset, and one for each kind of crash."""
    for name, tally in tallies.items():
        times = ", ".join(f"{step} {worst:.1f} ms" for step, worst in tally.worst_ms.items())
        yield (
            f"{name}: {tally.unreadable} unreadable, {tally.refused} refused, {tally.unchanged} unchanged, "
            f"{tally.played} played on, {tally.disagreements} disagreements, {tally.crashes.total()} crashes; "
            f"at most {tally.most_events} events, picture {tally.most_picture_bytes} bytes, "
            f"preview {tally.most_preview_bytes} bytes, growth {tally.growth_mib:.1f} MiB; worst {times}"
        )
        yield from (f"{name}: {count} times {crash}" for crash, count in tally.crashes.items())


def main(arguments: Sequence[str]) -> None:
    """Print what becomes of invented positions. Arguments: how many, the seed, and the rulesets."""
    count, seed, *names = (*arguments, *("100000", "1")[len(arguments) :])
    print(*summary(run(int(count), int(seed), names or tuple(RULESETS))), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
