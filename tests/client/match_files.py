"""Whole matches between bots, sealed and written to match files as a server writes them."""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from diskwars_cli.seeded_match import bot_match_appends
from diskwars_cli.seeds import server_entropy
from diskwars_content import core_pack
from diskwars_engine.match import Command, MatchRules, MatchSecrets
from diskwars_engine.match_log import RecordCodec, RecordMeta
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol import records as r
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import PUBLIC, DecisionId, MatchEnded, MatchId, PlayerId, Resign
from diskwars_protocol.match_file import write_file
from diskwars_protocol.records import Record
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.sealed import Opening

ARMIES = (Loadout("empire-patrol"), Loadout("chaos-patrol"))


def greedy_appends(seed: int = 1) -> tuple[tuple[Event, ...], ...]:
    """Return the appends of a match between two greedy bots."""
    return _greedy_appends(seed)


@cache
def _greedy_appends(seed: int) -> tuple[tuple[Event, ...], ...]:
    return tuple(tuple(append) for append in bot_match_appends(seed, ("greedy", "greedy"), ARMIES))


def record_codec(seed: int = 1, seats: int = 2) -> RecordCodec:
    return RecordCodec(MatchRules(Diskwars(core_pack())), MatchId(f"seed-{seed}"), seats)


@cache
def full_setup_appends(seats: int, seed: int = 1) -> tuple[tuple[Event, ...], ...]:
    """Return the appends of a match of random bots with a full setup."""
    armies = (*ARMIES, Loadout("high-elf-patrol"), Loadout("greenskin-patrol"))[:seats]
    appends = bot_match_appends(seed, ("random",) * seats, armies, DiskwarsSettings(setup="full"))
    return tuple(tuple(append) for append in appends)


def seal_appends(appends: Iterable[Sequence[Event]], seed: int = 1, seats: int = 2) -> list[Record]:
    """Return the records of these appends: a chain that holds, whatever they say."""
    book, stream = record_codec(seed, seats), seeded_entropy(seed, "salts")
    records: list[Record] = []
    previous = book.genesis
    for number, events in enumerate(appends):
        stamp = RecordMeta(PlayerId("somebody"), f"command {number}", "0", 0)
        page = book.seal(events, len(records), previous, stamp, lambda: stream(16))
        records += [line.record for line in page]
        previous = records[-1].hash
    return records


def write_match_file(records: Sequence[Record], seed: int = 1, viewer: int | None = None) -> bytes:
    """Return the match file, of a finished match with every secret, else as `viewer` may see it."""
    book = record_codec(seed)

    def show(record: Record) -> tuple[Opening, ...] | None:
        wire = book.as_seen_by(record, PUBLIC if viewer is None else viewer)
        return None if r.is_shell(wire) else wire.openings

    (last,) = book.open_events(records[-1:])
    is_ended = isinstance(last, MatchEnded)
    header = r.MatchHeader(match=f"seed-{seed}", ruleset="diskwars")
    return b"".join(write_file(header, records, r.openings_of if is_ended and viewer is None else show))


@cache
def match_file(seed: int = 1) -> bytes:
    return write_match_file(seal_appends(greedy_appends(seed), seed), seed)


def abandoned_match_file() -> bytes:
    """Return the file of a match that one player left before anybody was ready."""
    return resigned_match_file(greedy_appends()[:3])


def resigned_match_file(appends: Iterable[Sequence[Event]]) -> bytes:
    """Return the file of a match that the player of seat 0 leaves after these appends."""
    rules = MatchRules(Diskwars(core_pack()))
    appends = [list(append) for append in appends]
    state = rules.fold_all([event for append in appends for event in append])
    stream = server_entropy(1)
    command: Command[Action] = Command(PlayerId("bot-0"), DecisionId(""), Resign(), 0)
    appends.append(rules.decide_events(state, sum(map(len, appends)), command, MatchSecrets(stream(32), stream(32))))
    return write_match_file(seal_appends(appends))


def replace_event(appends: Sequence[Sequence[Event]], seq: int, **fields: object) -> list[list[Event]]:
    """Return the same appends with some fields of one record changed."""
    found: list[list[Event]] = []
    count = 0
    for append in appends:
        events = list(append)
        if count < seq <= count + len(events):
            events[seq - count - 1] = replace(events[seq - count - 1], **fields)
        found.append(events)
        count += len(events)
    return found


def find_event(kind: type[object], seed: int = 1, skip: int = 0) -> tuple[int, Event]:
    """Return the seq of the first record of a kind, and its event; after skipping `skip` of them."""
    events = [event for append in greedy_appends(seed) for event in append]
    found = [(seq, event) for seq, event in enumerate(events, 1) if isinstance(event, kind)]
    return found[skip]
