"""Whole matches between bots, sealed and written to match files as a server writes them."""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from diskwars_cli.plugs.seeds import server_entropy
from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import AnyRules, Command, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta, SealedRecord
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import PUBLIC, Actor, MatchId, PlayerId
from diskwars_protocol.records import records as r
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import Record
from diskwars_protocol.records.sealed import Opening, Sealed
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody

ARMIES = (Loadout("empire-patrol"), Loadout("chaos-patrol"))


def greedy_records(seed: int = 1) -> tuple[DiskwarsBody, ...]:
    """Return the records of a match between two greedy bots."""
    return _greedy_records(seed)


@cache
def _greedy_records(seed: int) -> tuple[DiskwarsBody, ...]:
    return tuple(bot_match_records(seed, ("greedy", "greedy"), ARMIES))


def record_codec(seed: int = 1, seats: int = 2) -> RecordCodec:
    rules: AnyRules = MatchRules(Diskwars(core_pack()))
    return RecordCodec(rules, MatchId(f"seed-{seed}"), seats)


@cache
def full_setup_records(seats: int, seed: int = 1) -> tuple[DiskwarsBody, ...]:
    """Return the records of a match of random bots with a full setup."""
    armies = (*ARMIES, Loadout("high-elf-patrol"), Loadout("greenskin-patrol"))[:seats]
    return tuple(bot_match_records(seed, ("random",) * seats, armies, DiskwarsSettings(setup="full", regiments=1)))


def seal_records(bodies: Iterable[DiskwarsBody], seed: int = 1, seats: int = 2) -> list[Record]:
    """Return these records as they are stored: a chain that holds, whatever they say."""
    codec, stream = record_codec(seed, seats), seeded_entropy(seed, "salts")
    records: list[Record] = []
    previous = codec.genesis
    for seq, body in enumerate(bodies, 1):
        meta = RecordMeta(PlayerId("somebody"), f"command {seq}")
        records.append(codec.seal(body, seq, previous, meta, lambda: stream(16)).record)
        previous = records[-1].hash
    return records


def write_match_file(records: Sequence[Record], seed: int = 1, viewer: int | None = None) -> bytes:
    """Return the match file, of a finished match with every secret, else as `viewer` may see it."""

    def show(record: Record) -> tuple[Opening, ...]:
        return SealedRecord.of(record).shown_to(PUBLIC if viewer is None else viewer).openings

    is_ended = record_codec(seed).body(records[-1]).result is not None
    header = r.MatchHeader(format=r.FORMAT, match=f"seed-{seed}", ruleset="diskwars")
    return b"".join(write_file(header, records, r.openings_of if is_ended and viewer is None else show))


@cache
def match_file(seed: int = 1) -> bytes:
    return write_match_file(seal_records(greedy_records(seed), seed), seed)


def abandoned_match_file() -> bytes:
    """Return the file of a match that one player left before anybody was ready."""
    return resigned_match_file(greedy_records()[:3])


def resigned_match_file(bodies: Sequence[DiskwarsBody]) -> bytes:
    """Return the file of a match that the player of seat 0 leaves after these records."""
    rules: AnyRules = MatchRules(Diskwars(core_pack()))
    state = rules.fold_log(bodies)
    stream = server_entropy(1)
    command: Command[Action] = Command(PlayerId("bot-0"), None, Resign(), 0)
    resigned = rules.decide(state, len(bodies), command, MatchSecrets(stream(32), stream(32))).body
    return write_match_file(seal_records([*bodies, resigned]))


def closed_match_file(bodies: Sequence[DiskwarsBody], actor: Actor = "opener", /, **changes: object) -> bytes:
    """Return the file of a match that its opener or the house closes after these records, as a server gives it out."""
    rules: AnyRules = MatchRules(Diskwars(core_pack()))
    stream = server_entropy(1)
    secrets = MatchSecrets(stream(32), stream(32))
    closed = rules.close(rules.fold_log(bodies), bodies[-1].at_ms, secrets, actor).body
    return write_match_file(seal_records([*bodies, replace(closed, **changes)]), viewer=PUBLIC)


def replace_event(bodies: Sequence[DiskwarsBody], seq: int, **fields: object) -> list[DiskwarsBody]:
    """Return the same records with some fields of record `seq` changed: its first event's with them, or its own."""
    changed = list(bodies)
    body = changed[seq - 1]
    events = list(body.events)
    place = next((n for n, event in enumerate(events) if set(fields) <= set(event.__struct_fields__)), None)
    if place is None:
        changed[seq - 1] = replace(body, **fields)
        return changed
    events[place] = replace(events[place], **fields)
    changed[seq - 1] = replace(body, events=tuple(events))
    return changed


def without_event(bodies: Sequence[DiskwarsBody], gone: Event) -> list[DiskwarsBody]:
    """Return the same records without one event."""
    return [replace(body, events=tuple(event for event in body.events if event is not gone)) for body in bodies]


def find_event(kind: type[object], seed: int = 1, skip: int = 0) -> tuple[int, Event]:
    """Return the first event of a kind and the seq of its record, after skipping `skip` of them."""
    matching = [
        (seq, event)
        for seq, body in enumerate(greedy_records(seed), 1)
        for event in body.events
        if isinstance(event, kind) and not isinstance(event, Sealed)
    ]
    return matching[skip]
