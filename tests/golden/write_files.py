"""Write golden match files that do not exist yet: python -m tests.golden.write_files.

It never overwrites a file: files of matches are frozen (see files/README.md).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import AnyRules, MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.record_codec import AnyBody, RecordCodec, RecordMeta
from diskwars_protocol import records as r
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import MatchId, PlayerId, RecordBody, ReplaceChain, Resign
from diskwars_protocol.match_file import write_file
from diskwars_protocol.match_options import MatchClock, MatchOptions
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import (
    ARMIES,
    PlayedMatch,
    board_actions,
    greedy_action,
    mixed_action,
    player_of,
    replay_or_choose,
)
from tests.golden.transcript import parse_actions
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout, CountingRules, CountingSettings

FOLDER = Path(__file__).parent / "files"
SUFFIX = ".match.jsonl"
SALT_SIZE = 16
HOUSE_SECONDS = 30
LAST_ROUND = 5


def seal_match(rules: AnyRules, match: MatchId, seats: int, bodies: Sequence[AnyBody]) -> list[r.Record]:
    """Return the records of a match, sealed as a server does it."""
    codec, stream = RecordCodec(rules, match, seats), seeded_entropy(seats, f"salts {match}")
    records: list[r.Record] = []
    for seq, body in enumerate(bodies, 1):
        previous = records[-1].hash if records else codec.genesis
        meta = RecordMeta(PlayerId(f"player-{body.seat}"), f"command {seq}")
        records.append(codec.seal(body, seq, previous, meta, lambda: stream(SALT_SIZE)).record)
    return records


def write_match(rules: AnyRules, match: MatchId, seats: int, bodies: Sequence[AnyBody]) -> bytes:
    """Return the file of a finished match, sealed and written as a server does it."""
    records = seal_match(rules, match, seats, bodies)
    return b"".join(write_file(r.MatchHeader(format=r.FORMAT, match=match, ruleset=rules.name), records, r.openings_of))


# ---------------------------------------------------------------- Diskwars


def diskwars_file(playing: PlayedMatch) -> bytes:
    return write_match(playing.rules, playing.state.id, len(playing.seats), playing.bodies)


def played_to_the_end(seed: int, armies: Sequence[str], setup: str = "quick", pins: str = "strict") -> bytes:
    settings = a.DiskwarsSettings(setup="full" if setup == "full" else "quick")
    if pins == "contact":
        settings = a.DiskwarsSettings("contact", setup=settings.setup)
    choose = mixed_action if pins == "contact" else greedy_action
    return diskwars_file(PlayedMatch(seed, armies, settings).begin().play(choose))


def replayed(transcript: str, seed: int, armies: Sequence[str]) -> bytes:
    """Return the match of a golden transcript, whose actions lead to a rare end."""
    text = (FOLDER.parent / "diskwars" / f"{transcript}.txt").read_text("utf-8")
    playing, left = PlayedMatch(seed, armies), board_actions(parse_actions(text))
    while playing.state.status != "ended":
        playing.commit(replay_or_choose(playing, playing.state.decisions[0], left, None)[1])
    return diskwars_file(playing)


def left_by(seat: int, after: int, seed: int, armies: Sequence[str]) -> bytes:
    """Return a match that one player leaves after `after` records on the board; the others play on, if two are left."""
    playing = PlayedMatch(seed, armies, a.DiskwarsSettings(setup="full")).begin().play(greedy_action, records=after)
    playing.commit(playing.decide(player_of(seat), None, Resign()))
    return diskwars_file(playing.play(greedy_action))


def answered_by_the_house() -> bytes:
    """Return a match with a clock in which every fourth answer is the house's, and a chain is replaced in round 5."""
    options = MatchOptions(visibility="link", watchers="after_end", clock=MatchClock(HOUSE_SECONDS))
    playing = PlayedMatch(3, options=options).begin()
    is_replaced = False
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        if playing.board.round == LAST_ROUND and not is_replaced:
            is_replaced = True
            playing.commit(playing.decide(player_of(0), None, ReplaceChain("ab" * 16)))
        elif len(playing.bodies) % 4 == 0:
            playing.time_out(decision, HOUSE_SECONDS * 1000)
        else:
            playing.answer(decision, greedy_action(playing, decision))
    return diskwars_file(playing)


def abandoned() -> bytes:
    """Return a match that a player leaves before everybody is ready."""
    playing = PlayedMatch(2)
    playing.take_seat(0, a.Loadout("chaos-patrol"))
    playing.commit(playing.decide(player_of(0), None, Resign()))
    return diskwars_file(playing)


# ---------------------------------------------------------------- the toy ruleset

COUNTING: AnyRules = MatchRules(CountingRules())


def counting_match(seed: int) -> LocalMatch[Any, Any, Any]:
    seats = [
        LocalSeat(player_of(seat), CountingLoadout(f"Player {seat}", seat + 3), seeded_entropy(seed, f"seat {seat}"))
        for seat in (0, 1)
    ]
    secrets = MatchSecrets(seeded_entropy(seed, "server")(32), seeded_entropy(seed, "deal")(32))
    opening = MatchOpening(MatchId(f"counting-{seed}"), CountingSettings(rounds=3), 2, player_of(0), 0, True)
    return LocalMatch(COUNTING, opening, secrets, seats)


def counted() -> bytes:
    """Return a match that is counted to its end."""
    match = counting_match(1)
    list(match.play([lambda view, decision, options: ChooseNumber(1 + (len(match.records) % 6))] * 2))
    return write_match(COUNTING, match.match.id, 2, match.records)


def counted_and_resigned() -> bytes:
    match = counting_match(2)
    list(match.begin())
    match.answer(match.match.decisions[0], ChooseNumber(4))
    match.commit(match.decide(player_of(1), None, Resign()))
    return write_match(COUNTING, match.match.id, 2, match.records)


def counted_with_takeback() -> bytes:
    """Return a match in which one answer was taken back: only the fold knows takebacks, no rule makes one yet."""
    match = counting_match(3)
    list(match.begin())
    before = match.match
    head = len(match.records)
    match.answer(before.decisions[0], ChooseNumber(2))
    taken_back: RecordBody[Any, Any, Any] = RecordBody(at_ms=0, decisions=before.decisions, taken_back_to=head)
    match.records.append(taken_back)
    match.match = COUNTING.fold_log(match.records)
    match.answer(match.match.decisions[1], ChooseNumber(5))
    match.commit(match.decide(player_of(0), None, Resign()))
    return write_match(COUNTING, match.match.id, 2, match.records)


FILES: dict[str, Callable[[], bytes]] = {
    "diskwars-points": lambda: played_to_the_end(1, ("chaos-patrol", "empire-patrol")),
    "diskwars-elimination": lambda: replayed("elimination", 4, ("high-elf-patrol", "greenskin-patrol")),
    "diskwars-tie": lambda: replayed("tie", 6, ("chaos-patrol", "empire-patrol")),
    "diskwars-nobody": lambda: replayed("nobody-wins", 7795, ("chaos-patrol", "greenskin-patrol")),
    "diskwars-contact": lambda: played_to_the_end(1, ("empire-patrol", "high-elf-patrol"), pins="contact"),
    "diskwars-three": lambda: played_to_the_end(7, ARMIES[:3], "full"),
    "diskwars-four": lambda: played_to_the_end(9, ARMIES, "full"),
    "diskwars-three-one-leaves": lambda: left_by(1, 70, 7, ARMIES[:3]),
    "diskwars-two-one-leaves": lambda: left_by(0, 40, 3, ARMIES[:2]),
    "diskwars-house": answered_by_the_house,
    "diskwars-abandoned": abandoned,
    "counting": counted,
    "counting-resigned": counted_and_resigned,
    "counting-taken-back": counted_with_takeback,
}
"""By name: how the file was made. What is made today may differ from the file; the file stays as it is."""


def missing_files() -> Iterator[str]:
    return (name for name in FILES if not (FOLDER / f"{name}{SUFFIX}").exists())


def main() -> int:
    for name in list(missing_files()):
        (FOLDER / f"{name}{SUFFIX}").write_bytes(FILES[name]())
        sys.stdout.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
