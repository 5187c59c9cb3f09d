"""A snapshot is what the viewer's records fold to, as they are sent."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from diskwars_engine.match import AnyRules
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_protocol.match.ids import ALL, PUBLIC, PlayerId, Viewer
from diskwars_protocol.records.fairness import SALT_BYTES, seeded_entropy
from diskwars_protocol.records.records import unsealed_body
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from tests.engine.played_match import PlayedMatch
from tests.engine.rulesets.diskwars.test_invariants_combined_packs import begin_match, play_step


class _ViewerFold:
    """The match as one viewer folds it from sealed records."""

    def __init__(self, playing: PlayedMatch, viewer: Viewer) -> None:
        self._viewer = viewer
        self.state: DiskwarsMatch | None = None
        self._codec = RecordCodec(playing.rules, playing.state.match, len(playing.seats))
        salts = seeded_entropy(1, "salts")
        self._salts = lambda: salts(SALT_BYTES)
        self._seq = 0

    def receive(self, body: DiskwarsBody) -> DiskwarsMatch:
        self._seq += 1
        meta = RecordMeta(PlayerId("x"), "x")
        sealed = self._codec.seal(body, self._seq, bytes(32), meta, self._salts)
        raw = unsealed_body(sealed.shown_to(self._viewer))
        self.state = DISKWARS.fold(self.state, DISKWARS.decode_body(raw))
        return self.state


def snapshot(rules: AnyRules, match: DiskwarsMatch, viewer: Viewer) -> DiskwarsMatch:
    """Return what the server would send, read again."""
    return DISKWARS.decode_match(msgspec.json.encode(rules.view(match, viewer)))


def bodies(playing: PlayedMatch) -> Iterator[DiskwarsBody]:
    yield from playing.bodies
    while playing.state.status != "ended":
        yield play_step(playing)


@pytest.mark.parametrize("seed", range(300, 304))
def test_the_snapshot_of_every_viewer_is_what_the_viewers_records_fold_to(seed: int) -> None:
    """After every record of the setup, and now and then during the game, of two to four seats."""
    playing = begin_match(seed, 2 + seed % 3)
    folds = {viewer: _ViewerFold(playing, viewer) for viewer in (*playing.seats, PUBLIC, ALL)}
    whole: DiskwarsMatch | None = None
    rng = random.Random(seed)
    for seq, body in enumerate(bodies(playing), 1):
        whole = DISKWARS.fold(whole, body)
        for viewer, fold in folds.items():
            state = fold.receive(body)
            if seq < 30 or body.result is not None or rng.random() < 0.1:
                assert snapshot(playing.rules, whole, viewer) == state, (seq, viewer)
    assert whole is not None
    assert whole.status == "ended"
