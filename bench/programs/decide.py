"""Benchmark of single decisions: cost by kind of action, step by step, and the ten slowest.

Bots' matches of two regiments a side are decided again, command by command, as the server does it but without sockets
and store. All figures are CPU time; the figure of a command is its median over the runs. The worst melee is a prepared
position: forty disks in one engagement.
"""

from collections.abc import Sequence
from itertools import pairwise
from secrets import token_bytes
from time import thread_time_ns
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from bench.matches.melee import DecisionCost, measure_worst_melee
from bench.matches.played_matches import RULES, PlayedMatch, meta, opened_match, play_recorded, seeded_secrets
from bench.measuring.tables import (
    DEFAULT_EFFORT,
    BenchEffort,
    FigureBound,
    ResultTable,
    format_figure,
    median,
    percentile,
)
from diskwars_engine.match import Command, digest_of
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog, Proposal
from diskwars_engine.record_codec import SealedRecord
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import PUBLIC, MatchId
from diskwars_protocol.messages.history import Records
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.rulesets.diskwars.actions import Action, MoveDisk
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody

MATCH = MatchId("bench")
MATCHES = 20
HISTORY_LENGTHS = (1, 5, 50, 500)
RECORDS_PER_STEP = 4
"""Approximate number of records per dice step."""
REPEATS = 200
ACTIVATIONS = ("MoveDisk", "Shoot", "Focus", "PassDisk")
STEPS = ("read", "decide and apply", "seal", "commit", "publish")
StepTimes: TypeAlias = tuple[int, ...]
"""Nanoseconds, one for each of `STEPS`."""

_ENCODER = msgspec.json.Encoder()
_ACTIONS: msgspec.json.Decoder[Action] = msgspec.json.Decoder(RULES.vocabulary.action)


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    matches = [play_recorded(seed) for seed in range(1, MATCHES + 1 if effort.full else 2)]
    rounds = [[times for match in matches for times in measure_match(match)] for _ in range(effort.runs)]
    each = [tuple(int(median(step)) for step in zip(*several, strict=True)) for several in zip(*rounds, strict=True)]
    names = [describe_command(match, number) for match in matches for number in range(len(match.commands))]
    return [
        _kinds_table(names, each),
        _steps_table(each),
        _matches_table(len(matches), each),
        _slowest_table(names, each),
        _melee_table(effort.runs),
        _growth_table(effort),
    ]


# ---------------------------------------------------------------- measuring


def measure_match(match: PlayedMatch) -> list[StepTimes]:
    """Return the cost of each command of a match, step by step."""
    log, _ = opened_match(match)
    secrets = seeded_secrets(match)
    return [
        _time_command(log, secrets, command, number, match.records[number])
        for number, command in enumerate(match.commands)
    ]


def _time_command(
    log: MatchLog,
    secrets: MatchSecrets,
    command: Command[Action],
    number: int,
    expected: DiskwarsBody,
) -> StepTimes:
    raw, marks = _ENCODER.encode(command.action), [thread_time_ns()]
    read = Command(command.player, command.decision, _ACTIONS.decode(raw), command.at_ms)
    read = replace(read, digest=digest_of(read))
    marks.append(thread_time_ns())
    unfolded = RULES.decide(log.state, log.head, read, secrets, log.dice)
    marks.append(thread_time_ns())
    record = log.codec.seal(unfolded.body, log.head + 1, log.hash, meta(command.player, str(number)), _random_salt)
    marks.append(thread_time_ns())
    log.commit(Proposal(record, unfolded.body, unfolded.match, unfolded.dice))
    marks.append(thread_time_ns())
    _publish(record, len(log.state.seats))
    marks.append(thread_time_ns())
    assert unfolded.body == expected, "what is decided is what was played"
    return tuple(later - earlier for earlier, later in pairwise(marks))


def _random_salt() -> bytes:
    return token_bytes(SALT_BYTES)


def _publish(record: SealedRecord, seats: int) -> None:
    """Encode a record for each seat and for spectators; a record without secrets is encoded once."""
    for viewer in (*range(seats), PUBLIC) if record.openings else (PUBLIC,):
        encode(Records(MATCH, (record.shown_to(viewer),)))


def describe_command(match: PlayedMatch, number: int) -> tuple[str, str]:
    """Return the kind of a command, and a description of it."""
    body = match.records[number]
    kinds = [type(event).__name__ for event in body.events]
    most = max(dict.fromkeys(kinds), key=kinds.count, default="nothing")
    return (
        type(match.commands[number].action).__name__,
        f"seed {match.seed}, record {number + 2}: {len(body.events)} events, most of them {most}",
    )


# ---------------------------------------------------------------- tables


def _engine_time(times: StepTimes) -> int:
    """Return the nanoseconds of deciding and applying."""
    return times[1]


def _microseconds(nanoseconds: float) -> float:
    return nanoseconds / 1000


def _kinds_table(names: Sequence[tuple[str, str]], each: Sequence[StepTimes]) -> ResultTable:
    kinds: dict[str, list[StepTimes]] = {}
    for (kind, _), times in zip(names, each, strict=True):
        kinds.setdefault(kind, []).append(times)
    ordered = sorted(kinds.items(), key=lambda item: -len(item[1]))
    activations = [_engine_time(times) for kind in ACTIVATIONS for times in kinds.get(kind, [])]
    usual = _microseconds(median(activations))
    return ResultTable(
        "Commands of bots, two regiments a side, by kind of action",
        ("action", "commands", "decide and apply, median µs", "p99 µs", "whole command, median µs", "p99 µs"),
        tuple(_kind_row(kind, times) for kind, times in [*ordered, ("all", list(each))]),
        bounds=(FigureBound("an ordinary activation, median", usual, 250, unit="µs"),),
        notes=("A whole command: read, decided, sealed, and made a frame for every class of viewers.",),
        summary=(f"The rules take {format_figure(usual)} µs for an ordinary activation.",),
    )


def _kind_row(kind: str, steps: Sequence[StepTimes]) -> tuple[str | int | float, ...]:
    figures: list[float] = []
    for of in (_engine_time, sum):
        costs = [of(times) for times in steps]
        figures += [_microseconds(median(costs)), _microseconds(percentile(costs, 0.99))]
    return (kind, len(steps), *figures)


def _steps_table(each: Sequence[StepTimes]) -> ResultTable:
    columns = [*zip(*each, strict=True), tuple(sum(times) for times in each)]
    named = zip((*STEPS, "all"), columns, strict=True)
    return ResultTable(
        "Where a command spends its time",
        ("step", "mean µs", "median µs"),
        tuple(
            (name, _microseconds(sum(column) / len(column)), _microseconds(median(column))) for name, column in named
        ),
    )


def _matches_table(matches: int, each: Sequence[StepTimes]) -> ResultTable:
    """Return the cost of a whole match, which does not change when players say the same in fewer, longer moves."""
    return ResultTable(
        "A whole match",
        ("matches", "commands a match", "decide and apply, ms a match", "all steps, ms a match"),
        (
            (
                matches,
                len(each) / matches,
                sum(_engine_time(times) for times in each) / matches / 1e6,
                sum(sum(times) for times in each) / matches / 1e6,
            ),
        ),
        notes=("Compare versions by this table: four flips take the same work in one command as in four.",),
    )


def _slowest_table(names: Sequence[tuple[str, str]], each: Sequence[StepTimes]) -> ResultTable:
    slowest = sorted(zip(each, names, strict=True), key=lambda row: -_engine_time(row[0]))[:10]
    return ResultTable(
        "The ten slowest decisions",
        ("action", "decide and apply, µs", "what"),
        tuple((kind, _microseconds(_engine_time(times)), what) for times, (kind, what) in slowest),
    )


def _melee_table(runs: int) -> ResultTable:
    """Return the three slowest decisions of the melee; the others show nothing more."""
    rows = [
        (median(step.nanoseconds for step in same) / 1e6, same[0]) for same in zip(*_melee_table_of(runs), strict=True)
    ]
    rows.sort(key=lambda row: -row[0])
    return ResultTable(
        "A melee of forty disks in one engagement: its slowest decisions",
        ("action", "decide and apply, ms", "events", "most of them"),
        tuple((step.action_kind, spent, step.events, step.most_common_event) for spent, step in rows[:3]),
        bounds=(FigureBound("the slowest decision of the melee", rows[0][0], 8, unit="ms"),),
    )


def _growth_table(effort: BenchEffort) -> ResultTable:
    """Compare the same decision in the same position after shorter and longer matches."""
    times = effort.sizes((REPEATS,), REPEATS // 10)[0]
    runs = [[_median_after(steps, times) for steps in HISTORY_LENGTHS] for _ in range(effort.runs)]
    medians = [median(same) for same in zip(*runs, strict=True)]
    return ResultTable(
        "The same activation after a longer past",
        ("steps of the dice", "records", "decide, median µs"),
        tuple(
            (steps, steps * RECORDS_PER_STEP, _microseconds(cost))
            for steps, cost in zip(HISTORY_LENGTHS, medians, strict=True)
        ),
        bounds=(FigureBound("the longest past, as a multiple of the shortest", medians[-1] / medians[0], 1.2),),
    )


def _median_after(steps: int, times: int) -> float:
    """Return the median cost of `times` decisions of the same command in a match that is `steps` dice steps old."""
    played = play_recorded(1)
    log, _ = opened_match(played)
    state, secrets = log.state, seeded_secrets(played)
    for command, body in zip(played.commands, played.records, strict=True):
        if isinstance(command.action, MoveDisk):
            break
        state = RULES.fold(state, body)
    state = replace(state, seat_nonces=(state.seat_nonces * steps)[:steps], step=steps)
    costs = []
    for _ in range(times):
        start = thread_time_ns()
        RULES.decide(state, steps * RECORDS_PER_STEP, command, secrets)
        costs.append(thread_time_ns() - start)
    return median(costs)


def _melee_table_of(runs: int) -> list[list[DecisionCost]]:
    return [measure_worst_melee() for _ in range(runs)]
