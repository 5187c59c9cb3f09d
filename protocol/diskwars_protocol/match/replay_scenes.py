"""The course of a match in scenes: the table after each activation and each melee, as marks of replays begin them.

One record may hold several of them, where a house or a ruleset goes on by itself, and one may take several records.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import EndReason, Seat
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.match.scenes import Actor, PlacedPiece, Scene, SceneArea, SceneLink, SceneMaker, ScenePiece
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, RulesetName, WholeNumber

MAX_SCENES = 400
"""Of a match with more, evenly spaced ones are kept."""
SceneKind: TypeAlias = Literal["setup", "round", "activation", "melee", "end"]


class ReplayScene(Struct, frozen=True, gc=False, omit_defaults=True):
    """An activation or a melee, and the table when it is over. `seq` is the record in which it ends.

    `scores` are by seat: what is left of each army, and at the end the points, where the ruleset counts any. `lost` are
    the pieces that were on the table before it and are gone.
    """

    seq: AtLeastOne
    kind: SceneKind
    round: AtLeastZero
    scores: tuple[WholeNumber, ...]
    placed: tuple[PlacedPiece, ...]
    links: tuple[SceneLink, ...] = ()
    actor: Actor | None = None
    lost: tuple[AtLeastZero, ...] = ()


class MatchScenes(Struct, frozen=True, omit_defaults=True):
    """The course of a match up to its record number `records`; `winners` only of one that has ended.

    `scenes` refer to `pieces` by id. Lengths are units of the ruleset; the table is `width` by `height`, with lines
    every `grid`, 0 for none.
    """

    ruleset: RulesetName
    records: AtLeastOne
    rounds: AtLeastOne
    width: AtLeastOne
    height: AtLeastOne
    grid: AtLeastZero
    areas: tuple[SceneArea, ...]
    pieces: tuple[ScenePiece, ...]
    scenes: tuple[ReplayScene, ...]
    winners: tuple[Seat, ...] | None = None
    end_reason: EndReason | None = None


class _Step(Struct, frozen=True, gc=False):
    """A scene before it is made."""

    seq: int
    kind: SceneKind
    actor: Actor | None
    board: Any


class _SceneProgress(Struct, frozen=True, gc=False):
    """How far the scenes have come after a record: how many are complete, and what is under way."""

    step_count: int
    kind: SceneKind | None
    actor: Actor | None


def list_scenes(replay: Replay, maker: SceneMaker, limit: int = MAX_SCENES) -> MatchScenes | None:
    """Return at most `limit` scenes of a match, as the viewer of the replay sees it; None for one without a board."""
    steps = _thin_out(_steps(replay, maker), limit)
    if not steps:
        return None
    state = replay.state(replay.last)
    made = [maker.make(step.board) for step in steps]
    last = made[-1]
    pieces = {piece.id: piece for scene in made for piece in scene.pieces}
    return MatchScenes(
        state.ruleset,
        replay.last,
        last.rounds,
        last.width,
        last.height,
        last.grid,
        last.areas,
        tuple(pieces[number] for number in sorted(pieces)),
        tuple(_scenes(steps, made, () if state.result is None else state.result.scores)),
        None if state.result is None else state.result.winners,
        None if state.result is None else state.result.end_reason,
    )


def _scenes(steps: Sequence[_Step], scenes: Sequence[Scene], points: tuple[int, ...]) -> Iterator[ReplayScene]:
    on_table: set[int] = set()
    for step, scene in zip(steps, scenes, strict=True):
        placed = {piece.id for piece in scene.placed}
        lost = tuple(sorted(on_table - placed))
        scores = points if step.kind == "end" and points else scene.scores
        yield ReplayScene(step.seq, step.kind, scene.round, scores, scene.placed, scene.links, step.actor, lost)
        on_table = placed


def _thin_out(steps: Sequence[_Step], limit: int) -> list[_Step]:
    """Return at most `limit` steps, evenly spaced, the first and the last among them."""
    if len(steps) <= limit:
        return list(steps)
    return [steps[number * (len(steps) - 1) // (limit - 1)] for number in range(limit)]


def _steps(replay: Replay, maker: SceneMaker) -> list[_Step]:
    """Return the steps of a match that count: those that were taken back are left out."""
    kinds = replay.vocabulary.history_facts.mark_kinds
    steps: list[_Step] = []
    kind: SceneKind | None = "setup"
    actor: Actor | None = None
    state = None
    progress = [_SceneProgress(0, kind, actor)]  # by record, after it
    for seq in range(1, replay.last + 1):
        body = replay.body(seq)
        if body.taken_back_to is not None:
            # A scene may end in an earlier record than the one that closes it, so its `seq` does not say what is left.
            restored = progress[body.taken_back_to]
            del steps[restored.step_count :]
            kind, actor, state = restored.kind, restored.actor, replay.state(seq)
            progress.append(restored)
            continue
        for place, event in enumerate(body.events):
            begun, before = kinds.get(type(event)), None if state is None else state.board
            state = replay.vocabulary.fold_event(state, event)
            if begun is None:
                continue
            if type(event) in maker.closing:
                steps.append(_Step(seq, begun, maker.find_actor(state.board, event), state.board))
                kind = actor = None
                continue
            if before is not None and kind is not None:
                steps.append(_Step(seq if place else seq - 1, kind, actor, before))
            kind, actor = begun, maker.find_actor(state.board, event)
        progress.append(_SceneProgress(len(steps), kind, actor))
        state = replay.state(seq)
    if state is None or state.board is None:
        return []
    steps.append(_Step(replay.last, kind or "activation", actor, state.board))
    if state.result is not None:
        steps.append(_Step(replay.last, "end", None, state.board))
    return steps
