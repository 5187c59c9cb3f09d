"""What do tests of match files share?  Whole matches between bots, sealed and written as a server writes them."""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from diskwars_cli.seeds import server_entropy
from diskwars_cli.simulate import MemoryMatch
from diskwars_content import core
from diskwars_engine.match import Command, MatchRules, Secrets
from diskwars_engine.match_log import Ledger, Stamp
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol import records as r
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import PUBLIC, DecisionId, MatchEnded, MatchId, PlayerId, Resign
from diskwars_protocol.match_file import write_file
from diskwars_protocol.records import Record
from diskwars_protocol.rulesets.diskwars.actions import Action, Entry, Settings
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.sealed import Opening

ARMIES = (Entry("Empire Patrol"), Entry("Chaos Patrol"))


def played(seed: int = 1) -> tuple[tuple[Event, ...], ...]:
    """The appends of a match between two greedy bots."""
    return _played(seed)


@cache
def _played(seed: int) -> tuple[tuple[Event, ...], ...]:
    return tuple(tuple(append) for append in MemoryMatch(seed, ("greedy", "greedy"), ARMIES).appends())


def ledger(seed: int = 1, seats: int = 2) -> Ledger:
    return Ledger(MatchRules(Diskwars(core())), MatchId(f"seed-{seed}"), seats)


@cache
def full(seats: int, seed: int = 1) -> tuple[tuple[Event, ...], ...]:
    """The appends of a match of random bots with a full set-up."""
    armies = (*ARMIES, Entry("High Elf Patrol"), Entry("Greenskin Patrol"))[:seats]
    playing = MemoryMatch(seed, ("random",) * seats, armies, Settings(setup="full"))
    return tuple(tuple(append) for append in playing.appends())


def sealed(appends: Iterable[Sequence[Event]], seed: int = 1, seats: int = 2) -> list[Record]:
    """The records of these appends: a chain that holds, whatever they say."""
    book, stream = ledger(seed, seats), seeded_entropy(seed, "salts")
    records: list[Record] = []
    previous = book.genesis
    for number, events in enumerate(appends):
        stamp = Stamp(PlayerId("somebody"), f"command {number}", "0", 0)
        page = book.seal(events, len(records), previous, stamp, lambda: stream(16))
        records += [line.record for line in page]
        previous = records[-1].hash
    return records


def written(records: Sequence[Record], seed: int = 1, viewer: int | None = None) -> bytes:
    """The match file, of a finished match with every secret, else as `viewer` may see it."""
    book = ledger(seed)

    def show(record: Record) -> tuple[Opening, ...] | None:
        wire = book.shown(record, PUBLIC if viewer is None else viewer)
        return None if r.is_shell(wire) else wire.openings

    (last,) = book.events(records[-1:])
    is_ended = isinstance(last, MatchEnded)
    header = r.MatchHeader(match=f"seed-{seed}", ruleset="diskwars")
    return b"".join(write_file(header, records, r.openings_of if is_ended and viewer is None else show))


@cache
def match_file(seed: int = 1) -> bytes:
    return written(sealed(played(seed), seed), seed)


def abandoned() -> bytes:
    """The file of a match that one player left before anybody was ready."""
    return given_up(played()[:3])


def given_up(begun: Iterable[Sequence[Event]]) -> bytes:
    """The file of a match that the player of seat 0 leaves after these appends."""
    rules = MatchRules(Diskwars(core()))
    appends = [list(append) for append in begun]
    state = rules.fold_all([event for append in appends for event in append])
    stream = server_entropy(1)
    command: Command[Action] = Command(PlayerId("bot-0"), DecisionId(""), Resign(), 0)
    appends.append(rules.decide(state, sum(map(len, appends)), command, Secrets(stream(32), stream(32))))
    return written(sealed(appends))


def changed(appends: Sequence[Sequence[Event]], seq: int, **fields: object) -> list[list[Event]]:
    """The same appends with some fields of one record changed."""
    found: list[list[Event]] = []
    count = 0
    for append in appends:
        events = list(append)
        if count < seq <= count + len(events):
            events[seq - count - 1] = replace(events[seq - count - 1], **fields)
        found.append(events)
        count += len(events)
    return found


def find(kind: type[object], seed: int = 1, skip: int = 0) -> tuple[int, Event]:
    """The seq of the first record of a kind, and its event; `skip` so many of them."""
    events = [event for append in played(seed) for event in append]
    found = [(seq, event) for seq, event in enumerate(events, 1) if isinstance(event, kind)]
    return found[skip]
